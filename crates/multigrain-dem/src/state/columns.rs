//! Columns of the state, declared once: name, type, first value, and when they are there.

/// Declares the state. A column is a line: `name: type = |new| value;`, with `, if periodic`, `, if gear` or `, if shaped` where it is
/// there only then, and with `[fixed]` in front where a step changes it for no particle or nobody looks at it but the particle's
/// owner, `[turning]` where the same holds if no law turns particles: all others are told to whoever has the particle as a [guest](crate::guests). Reading, writing, sending, reordering and
/// checking follow.
macro_rules! columns {
    ($($(#[$doc:meta])* $([$fixed:ident])? $name:ident: $type:ty = $first:expr $(, if $needs:ident)?;)*) => {
        /// All particles, a column per quantity. The place of a particle in the columns changes when they are sorted again; its id
        /// never does.
        ///
        /// Columns are sorted by cells of space, by a rule that looks at the state alone. Nothing computed depends on the order:
        /// sums over contacts go by id. Where a simulation has [guests](crate::guests), they stand behind its own particles.
        /// Two states are equal if they have the same particles, in whatever order.
        #[derive(Debug, Clone)]
        pub struct State<const D: usize> {
            $(pub(crate) $name: Vec<$type>,)*
            pub(crate) next_id: u64,
            /// How many of the last particles are guests.
            pub(crate) guests: usize,
        }

        impl<const D: usize> PartialEq for State<D>
        where
            Axes: Dimension<D>,
        {
            fn eq(&self, other: &Self) -> bool {
                let pairs = || self.places_by_id().into_iter().zip(other.places_by_id());
                self.next_id == other.next_id
                    && self.own() == other.own()
                    $(&& self.$name.is_empty() == other.$name.is_empty()
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
                Self { $($name: Vec::new(),)* next_id: 0, guests: 0 }
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

            /// Removes the last particles.
            pub(crate) fn truncate(&mut self, count: usize) {
                $(self.$name.truncate(count);)*
            }

            /// All columns in this order of places.
            pub(crate) fn write(&self, order: &[u32], out: &mut Sink<'_>) {
                out.put(&self.next_id);
                $(write_in_order(&self.$name, order, out);)*
            }

            pub(crate) fn read(input: &mut Source<'_>) -> Option<Self> {
                let next_id = u64::read(input)?;
                Some(Self { $($name: read_list(input)?,)* next_id, guests: 0 })
            }

            /// All of one particle.
            pub(crate) fn write_row(&self, place: usize, out: &mut Vec<u8>) {
                $(if let Some(value) = self.$name.get(place) {
                    value.write(out);
                })*
            }

            /// Adds a particle in the last place, from what [`write_row`](Self::write_row) wrote.
            pub(crate) fn push_row(&mut self, input: &mut Source<'_>, there: Columns) -> Option<()> {
                let _ = there;
                $(if true $(&& there.$needs)? {
                    self.$name.push(Value::read(input)?);
                })*
                Some(())
            }

            /// What changes of one particle in a step.
            pub(crate) fn write_motion(&self, place: usize, turns: bool, out: &mut Vec<u8>) {
                $(if let (true, Some(value)) = (is_told!(turns $($fixed)?), self.$name.get(place)) {
                    value.write_narrow(out);
                })*
            }

            /// The same as it was told by whoever owns the particle.
            pub(crate) fn read_motion(&mut self, place: usize, turns: bool, input: &mut Source<'_>) -> Option<()> {
                $(if let (true, Some(value)) = (is_told!(turns $($fixed)?), self.$name.get_mut(place)) {
                    *value = Value::read_narrow(input)?;
                })*
                Some(())
            }

            /// Bytes that these take.
            pub(crate) fn motion_bytes(&self, there: Columns, turns: bool) -> usize {
                let _ = there;
                0 $(+ if true $(&& there.$needs)? && is_told!(turns $($fixed)?) { <$type as Value>::NARROW } else { 0 })*
            }

            /// Whether all columns that should be there have an entry for each particle, and the others none.
            pub(crate) fn is_whole(&self, there: Columns) -> bool {
                let _ = there;
                true $(&& self.$name.len() == if true $(&& there.$needs)? { self.len() } else { 0 })*
            }
        }
    };
}

/// Whether a column is told to those who have its particles as guests.
macro_rules! is_told {
    ($turns:ident) => {
        true
    };
    ($turns:ident fixed) => {
        false
    };
    ($turns:ident turning) => {
        $turns
    };
}
