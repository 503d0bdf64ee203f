//! Columns of the state, declared once: name, type, first value, and when they are there.

/// Declares the state. A column is a line: `name: type = |new| value;`, with `, if periodic`, `, if gear` or `, if shaped` where it is
/// there only then. Reading, writing, reordering and checking follow.
macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $first:expr $(, if $needs:ident)?;)*) => {
        /// All particles, a column per quantity. The place of a particle in the columns changes when they are sorted again; its id
        /// never does.
        ///
        /// Columns are sorted by cells of space, by a rule that looks at the state alone. Nothing computed depends on the order:
        /// sums over contacts go by id.
        /// Two states are equal if they have the same particles, in whatever order.
        #[derive(Debug, Clone)]
        pub struct State<const D: usize> {
            $(pub(crate) $name: Vec<$type>,)*
            pub(crate) next_id: u32,
        }

        impl<const D: usize> PartialEq for State<D>
        where
            Axes: Dimension<D>,
        {
            fn eq(&self, other: &Self) -> bool {
                let pairs = || self.places_by_id().into_iter().zip(other.places_by_id());
                self.next_id == other.next_id
                    && self.len() == other.len()
                    $(&& self.$name.len() == other.$name.len()
                        && (self.$name.is_empty() || pairs().all(|(a, b)| self.$name[a as usize] == other.$name[b as usize])))*
            }
        }

        impl<const D: usize> State<D>
        where
            Axes: Dimension<D>,
        {
            $(
                $(#[$doc])*
                #[allow(private_interfaces)]
                pub fn $name(&self) -> &[$type] {
                    &self.$name
                }
            )*

            pub(crate) fn new() -> Self {
                Self { $($name: Vec::new(),)* next_id: 0 }
            }

            /// Adds a particle in the last place.
            fn push_new(&mut self, new: &New<'_, D>, there: Columns) {
                $(
                    if true $(&& there.$needs)? {
                        let first: fn(&New<'_, D>) -> $type = $first;
                        self.$name.push(first(new));
                    }
                )*
                let _ = there;
            }

            /// Brings the particles into another order: `from[k]` is the present place of what will be in place `k`. Particles
            /// that are not named are removed.
            pub(crate) fn take(&mut self, from: &[u32]) {
                $(take(&mut self.$name, from);)*
            }

            /// All columns in this order of places.
            pub(crate) fn write(&self, order: &[u32], out: &mut Sink<'_>) {
                out.put(&self.next_id.to_le_bytes());
                $(write_in_order(&self.$name, order, out);)*
            }

            pub(crate) fn read(input: &mut Source<'_>) -> Option<Self> {
                let next_id = u32::from_le_bytes(input.take()?);
                Some(Self { $($name: read_list(input)?,)* next_id })
            }

            /// Whether all columns that should be there have an entry for each particle, and the others none.
            pub(crate) fn is_whole(&self, there: Columns) -> bool {
                let _ = there;
                true $(&& self.$name.len() == if true $(&& there.$needs)? { self.len() } else { 0 })*
            }
        }
    };
}
