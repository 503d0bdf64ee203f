//! The phases of a step, for those who measure them.

/// The phase of a step. A hook is called when each phase begins; the crate itself has no clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// Particles come and move, and are sorted now and then.
    Move,
    /// Whether the list of candidates lasts is looked at; if not, the detector looks for a new one.
    Detect,
    /// Candidates of a new list are brought into rows, and contacts find what they remember.
    Arrange,
    /// Contacts push, walls included. Where nothing has to be known of all of them first, forces are summed and velocities change too.
    Push,
    /// Forces are summed and velocities change, unless they have; particles go.
    Gather,
    /// The step is over.
    Done,
}
