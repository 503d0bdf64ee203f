//! What can be wrong with a setup, and what can go wrong on the way.

/// A setup that cannot be simulated, a simulation that cannot go on, or saved bytes that cannot be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number that cannot be worked with.
    #[error("{what} is {value}, {must}")]
    Parameter {
        /// What the number is.
        what: String,
        /// Its value.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// Something that other integrators than Verlet know nothing of.
    #[error("{what} needs the integrator Verlet")]
    NotVerlet {
        /// What it is.
        what: &'static str,
    },
    /// Something of particles that clumps decide.
    #[error(
        "{what} cannot be set where there are clumps, whose members have no motion of their own: `set_motion` sets that of one clump"
    )]
    OfClumps {
        /// What it is.
        what: &'static str,
    },
    /// A change of the box that cannot be.
    #[error("deformation {number} {problem}")]
    Deformation {
        /// Its number, in the order in which deformations were added.
        number: usize,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// A setup without materials.
    #[error("no material was given: grains need at least one, with a density and a law of contact")]
    NoMaterial,
    /// A number that names no material.
    #[error("{what} is of material {material}, but there are only {count}, numbered from 0")]
    NoSuchMaterial {
        /// Whose material it is.
        what: String,
        /// The number given.
        material: usize,
        /// How many materials there are.
        count: usize,
    },
    /// Two materials whose laws are of different kinds.
    #[error("materials {first} and {second} have laws of different kinds: say with `between` how they push each other")]
    NoLawBetween {
        /// Number of one material.
        first: usize,
        /// Number of the other.
        second: usize,
    },
    /// A wall that is not what it should be.
    #[error("wall {wall} {problem}")]
    Wall {
        /// Its number, in the order in which walls were added.
        wall: usize,
        /// What is wrong, and what to do.
        problem: &'static str,
    },
    /// Something that exists in the plane only.
    #[error("{what} is for the plane, and the setup has three dimensions")]
    NotInSpace {
        /// What it is.
        what: &'static str,
    },
    /// Nothing that a time step could be taken from.
    #[error("no time step can be chosen: {why}")]
    NoTimeStep {
        /// Why, and what to do.
        why: &'static str,
    },
    /// More particles than ids can name.
    #[error("there are too many particles: a simulation can have 1,073,741,824 at a time")]
    TooManyParticles,
    /// No particle has this id.
    #[error("no particle has the id {id}: it never existed, or it was removed")]
    NoSuchParticle {
        /// The id asked for.
        id: u64,
    },
    /// Two particles that cannot be bonded.
    #[error(
        "particles {first} and {second} cannot be bonded: they are too far apart, are bonded already, or their law has no bonds"
    )]
    NoBond {
        /// The lower id.
        first: u64,
        /// The higher id.
        second: u64,
    },
    /// Something that stays as it was at the start.
    #[error("{what} cannot change while a simulation runs")]
    Fixed {
        /// What it is.
        what: &'static str,
    },
    /// A column that has not an entry for each particle.
    #[error("{what} has {entries} entries, must have one for each of {particles} grains")]
    WrongLength {
        /// What the column holds.
        what: &'static str,
        /// How many it has.
        entries: usize,
        /// How many it must have.
        particles: usize,
    },
    /// Forces of the user's own that could not be worked out.
    #[error("forces of one's own: {why}")]
    OwnForces {
        /// What went wrong.
        why: String,
    },
    /// Grains so much larger than the periodic box that they touch image after image of each other.
    #[error(
        "the periodic box is far smaller than the grains: {grains} of them would have about {contacts:.0} contacts with images; are both in one unit?"
    )]
    TinyBox {
        /// How many grains there are.
        grains: usize,
        /// About how many contacts they would have.
        contacts: f64,
    },
    /// What the engine does not take.
    #[error(transparent)]
    Engine(#[from] multigrain::Error),
    /// A particle was lost on the way. The state stays as it was found, to be looked at and saved.
    #[error("particle {id} was lost in step {step}: {cause}; last good position {position:?}")]
    Lost {
        /// Its permanent id.
        id: u64,
        /// The step in which it happened, counted from 1.
        step: u64,
        /// Where it was last as it should be: if it flew too far or left the bounds, before the step that led there.
        position: Vec<f64>,
        /// What happened.
        cause: Cause,
    },
    /// A saved simulation of other physics.
    #[error(
        "the saved simulation was made with other materials, walls, gravity or other physics than this setup has: {difference}"
    )]
    OtherPhysics {
        /// What differs.
        difference: String,
    },
    /// Saved bytes that cannot be read.
    #[error("the saved simulation cannot be read: {problem}")]
    Saved {
        /// What is wrong, and what to do.
        problem: String,
    },
}

/// Sizes of particles often come from laws.
impl From<multigrain::sizes::Error> for Error {
    fn from(error: multigrain::sizes::Error) -> Self {
        Self::Engine(error.into())
    }
}

/// Why a particle was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cause {
    /// Its velocity is no finite number any more.
    #[error("its velocity is not finite any more, as after a collision far too violent for the time step")]
    NotFinite,
    /// Its spin is no finite number any more.
    #[error("its spin is not finite any more, as where its moment of inertia is too small to be worked with")]
    SpinNotFinite,
    /// Its position is not one that can be worked with.
    #[error("it flew too far for its position to be worked with")]
    TooFar,
    /// It left the bounds of the simulation.
    #[error("it left the bounds of the simulation")]
    LeftBounds,
}
