//! The test of two bodies, on the way from a search to the sink.

use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::grid::{Batch, Images, prefetch};
use multigrain::overlap::{contact_vector, reach, touches};

/// A body as given, gathered from the arrays of a snapshot so that its neighbours in a search are its neighbours in memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Body<const D: usize> {
    pub center: [f64; D],
    pub radius: f64,
    pub id: u32,
}

impl<const D: usize> Body<D> {
    /// Body `id` of a snapshot.
    #[inline]
    pub fn of(now: &Snapshot<'_, D>, id: u32) -> Self {
        Self { center: now.centers()[id as usize], radius: now.radii()[id as usize], id }
    }

    /// Asks for what [`of`](Self::of) will read.
    #[inline]
    pub fn prefetch(now: &Snapshot<'_, D>, id: u32) {
        prefetch(now.centers(), id as usize);
        prefetch(now.radii(), id as usize);
    }
}

/// Tests bodies and hands on the pairs that touch.
pub(crate) struct Contacts<'a, const D: usize> {
    images: &'a Images<D>,
    lengths: [f64; D],
    margin: f64,
    batch: Batch<D>,
}

impl<'a, const D: usize> Contacts<'a, D> {
    /// Contacts of the bodies of a snapshot, whose images are up to date.
    pub fn new(now: &Snapshot<'_, D>, images: &'a Images<D>) -> Self {
        let batch = Batch::new(images.are_periodic());
        Self { images, lengths: now.domain().lengths(), margin: now.margin(), batch }
    }

    /// Whether a body is stored elsewhere than given, so that shifts must be looked at.
    #[inline]
    pub fn any_outside(&self) -> bool {
        self.images.any_outside()
    }

    /// Added to the reach of every pair.
    #[inline]
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// Hands on two bodies that touch where they are stored.
    #[inline]
    pub fn push<S: PairSink<D>>(&mut self, body: u32, other: u32, sink: &mut S) {
        self.batch.push(body, other, [0; D], sink);
    }

    /// Tests two bodies where they are stored.
    #[inline]
    pub fn test<S: PairSink<D>>(&mut self, body: &Body<D>, other: &Body<D>, sink: &mut S) {
        if self.images.any_outside() {
            self.test_image(body, other, [0; D], sink);
            return;
        }
        let vector: [f64; D] = std::array::from_fn(|axis| other.center[axis] - body.center[axis]);
        if touches(vector, reach(body.radius, other.radius, self.margin)) {
            self.batch.push(body.id, other.id, [0; D], sink);
        }
    }

    /// Tests a body against the image of another that lies `shift` periods from where that one is stored.
    pub fn test_image<S: PairSink<D>>(&mut self, body: &Body<D>, other: &Body<D>, shift: [i32; D], sink: &mut S) {
        let shift = self.images.reported_shift(body.id as usize, other.id as usize, shift);
        let vector = contact_vector(body.center, other.center, shift, self.lengths);
        if touches(vector, reach(body.radius, other.radius, self.margin)) {
            self.batch.push(body.id, other.id, shift, sink);
        }
    }

    /// Hands on what is left.
    pub fn finish<S: PairSink<D>>(mut self, sink: &mut S) {
        self.batch.flush(sink);
    }
}
