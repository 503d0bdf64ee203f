//! How bodies of any outline meet: discs, polygons and faces of walls.

use super::geometry::{Growth, Meeting, Side};
use super::shaped::{read_features, write_features};
use crate::laws::{Action, Law, LawTable, Patch, Point, Wrench};
use crate::space::Space;
use crate::state::State;
use crate::vector::{Spin, add, add_scaled, dot, scale, sub, torque, turned};
use crate::walls::{Obstacles, Touch};
use multigrain::{Axes, Dimension};
use multigrain_polygons::{
    Contact, ConvexPolygon, Features, Frame, Outline, Overlap, Placed, closest_features, outline_overlap, overlap,
};
use std::f64::consts::PI;

/// Numbers that a contact of polygons remembers beside those of its law: the features that cross.
pub(crate) const OF_SHAPES: usize = 2;

/// Bodies that are further apart than this, in units of their sizes, are so for sure, whatever rounding does.
const CLEARLY_APART: f64 = 1e-9;

/// What contacts look at.
#[derive(Clone, Copy)]
pub(crate) struct Bodies<'a, const D: usize> {
    pub state: &'a State<D>,
    pub shapes: &'a [ConvexPolygon],
    pub obstacles: &'a Obstacles<D>,
    pub laws: &'a LawTable<D>,
    pub space: &'a Space<D>,
    pub grows: Growth,
}

/// A contact that was worked out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Response<const D: usize> {
    /// Force on the second body.
    pub force: [f64; D],
    /// Torque on the first and on the second.
    pub torques: [Spin; 2],
    /// Energy taken from motion in this step.
    pub taken: f64,
    /// Energy that the wall gave.
    pub given: f64,
}

/// Two bodies that overlap, as a law sees them.
pub(crate) struct Seen<const D: usize> {
    pub point: Point<D>,
    /// What they have in common, where it was looked at, and where it pushes.
    pub patch: Option<(Patch, Action)>,
    /// From the centers to where they meet.
    pub arms: [[f64; D]; 2],
    /// Velocity and spin of the wall there, if the second is one; of an image what moves it beside the body itself.
    wall: Option<([f64; D], Spin)>,
}

impl<const D: usize> Seen<D> {
    /// What the contact does by its law, and what it remembers then.
    pub fn act(&self, law: &dyn Law<D>, history: &mut [f64], time: f64) -> Wrench<D> {
        let history = &mut history[..law.history()];
        match &self.patch {
            Some((patch, action)) => law.act_on_patch(patch, action, &self.point, history, time),
            None => law.act(&self.point, history, time),
        }
    }

    /// Whether the bodies act on each other now.
    pub fn is_there(&self, law: &dyn Law<D>, history: &[f64]) -> bool {
        law.is_there(&self.point, &history[..law.history()])
    }

    /// Energy stored in it.
    pub fn energy(&self, law: &dyn Law<D>, history: &[f64]) -> f64 {
        let history = &history[..law.history()];
        match &self.patch {
            Some((patch, _)) => law.patch_energy(patch, &self.point, history),
            None => law.energy(&self.point, history),
        }
    }

    fn met(&self, law: &dyn Law<D>, memory: &mut [f64], time: f64) -> Response<D> {
        let wrench = self.act(law, memory, time);
        let back = scale(wrench.force, -1.0);
        let (mut first, mut second) = (torque(self.arms[0], back), torque(self.arms[1], wrench.force));
        for k in 0..3 {
            first[k] -= wrench.couple[k];
            second[k] += wrench.couple[k];
        }
        let given = match self.wall {
            Some((velocity, spin)) => (dot(back, velocity) - dot(wrench.couple, spin)) * time,
            None => 0.0,
        };
        Response { force: wrench.force, torques: [first, second], taken: wrench.taken, given }
    }
}

impl<'a, const D: usize> Bodies<'a, D>
where
    Axes: Dimension<D>,
{
    /// Where the particle in this place is and how it is turned; nothing where that is no number.
    pub fn frame(&self, place: usize) -> Option<Frame> {
        match self.state.shape(place) {
            Some(_) => Frame::new(flat(self.state.positions[place]), self.state.angles[place]).ok(),
            None => Some(Frame::WORLD.moved_to(flat(self.state.positions[place]))),
        }
    }

    fn polygon(&self, place: usize) -> Option<&'a ConvexPolygon> {
        self.state.shape(place).map(|shape| &self.shapes[shape as usize])
    }

    fn outline(&self, place: usize, frame: Frame) -> Outline<'a> {
        match self.polygon(place) {
            Some(shape) => Outline::Polygon(shape.at(frame)),
            None => Outline::Disc { center: frame.position(), radius: self.state.radii[place] },
        }
    }

    /// Radius of the disc of the same area.
    fn size(&self, place: usize) -> f64 {
        self.polygon(place).map_or(self.state.radii[place], |shape| (shape.area() / PI).sqrt())
    }

    /// The law between the particle in this place and a face.
    pub fn law_with_face(&self, place: usize, face: u32) -> &'a dyn Law<D> {
        self.laws.between(self.state.materials[place], self.obstacles.surface(face).material)
    }

    pub fn law_of_pair(&self, [first, second]: [usize; 2]) -> &'a dyn Law<D> {
        self.laws.between(self.state.materials[first], self.state.materials[second])
    }

    /// Whether what the particle and the face have in common must be looked at.
    pub fn meets_face_by_patch(&self, place: usize, face: u32) -> bool {
        self.state.shape(place).is_some() || self.law_with_face(place, face).needs_patch()
    }

    fn meets_by_patch(&self, pair: [usize; 2]) -> bool {
        pair.iter().any(|&place| self.state.shape(place).is_some()) || self.law_of_pair(pair).needs_patch()
    }

    /// The touch of a disc with a face, if there is one.
    pub fn touch(&self, place: usize, face: u32, slot: usize) -> Option<Touch<D>> {
        let touch = self.obstacles.touch(face, self.state.positions[place], self.state.radii[place]);
        let reach = self.law_with_face(place, face).reach(self.state.radii[place]);
        let touches = touch.overlap + reach > 0.0 && touch.normal != [0.0; D];
        touches.then_some(Touch { slot: slot as u32, ..touch })
    }

    /// A disc and a face that touch.
    pub fn point_with_face(
        &self,
        place: usize,
        touch: &Touch<D>,
        merged: &[[u32; 2]],
        memory: &mut [f64],
    ) -> Response<D> {
        let seen = self.see_point_with_face(place, touch, merged);
        seen.met(self.law_with_face(place, touch.face), memory, self.grows.time)
    }

    fn see_point_with_face(&self, place: usize, touch: &Touch<D>, merged: &[[u32; 2]]) -> Seen<D> {
        let side = self.grows.side(self.state, place);
        let (point, velocity) = self.obstacles.point(touch, self.state.positions[place], &side, &self.grows, merged);
        let arm = scale(point.normal, side.radius + 0.5 * point.gap);
        let spin = self.obstacles.surface(touch.face).spin;
        Seen { point, patch: None, arms: [arm, [0.0; D]], wall: Some((velocity, spin)) }
    }

    /// A body and a face that overlap, if they do.
    pub fn patch_with_face(
        &self,
        frames: &[Frame],
        place: usize,
        face: u32,
        memory: &mut [f64],
        is_old: bool,
        room: &mut Vec<[f64; 2]>,
    ) -> Option<Response<D>> {
        let mut features = if is_old { read_features(memory) } else { Features::default() };
        let seen = self.see_patch_with_face(place, frames[place], face, &mut features, room)?;
        let met = seen.met(self.law_with_face(place, face), memory, self.grows.time);
        write_features(memory, &features);
        Some(met)
    }

    fn see_patch_with_face(
        &self,
        place: usize,
        frame: Frame,
        face: u32,
        features: &mut Features,
        room: &mut Vec<[f64; 2]>,
    ) -> Option<Seen<D>> {
        let other = self.obstacles.outline(face, self.state.positions[place])?;
        let common = outline_overlap(&self.outline(place, frame), &other, features, room)?;
        let size = self.size(place);
        let patch = Patch { overlap: common, length: 2.0 * size };
        let action = self.law_with_face(place, face).action(&patch);
        let (surface, at) = (self.obstacles.surface(face), lifted(action.at));
        let own = self.grows.side(self.state, place);
        let arm = sub(at, self.state.positions[place]);
        let (velocity, spin) = (surface.velocity_at(at), surface.spin);
        let other = Side { velocity, spin, ..Side::NONE };
        let point = self.point_of_patch([&own, &other], [arm, [0.0; D]], &common, &action, size);
        Some(Seen { point, patch: Some((patch, action)), arms: [arm, [0.0; D]], wall: Some((velocity, spin)) })
    }

    /// Two particles that touch, if they do.
    #[expect(clippy::too_many_arguments)]
    pub fn pair(
        &self,
        frames: &[Frame],
        pair: [usize; 2],
        shift: [i32; D],
        memory: &mut [f64],
        is_old: bool,
        closest: &mut Features,
        room: &mut Vec<[f64; 2]>,
    ) -> Option<Response<D>> {
        let law = self.law_of_pair(pair);
        let away = self.away(pair, shift);
        let [a, b] = pair.map(|place| self.state.radii[place]);
        let reach = a + b + law.reach(a * b / (a + b));
        if dot(away, away) >= reach * reach {
            return None;
        }
        if !self.meets_by_patch(pair) {
            return Some(self.see_point(pair, away, shift).met(law, memory, self.grows.time));
        }
        let placed = self.frames_of(pair, pair.map(|place| frames[place]), shift);
        let mut features = if is_old { read_features(memory) } else { Features::default() };
        if let (false, Outline::Polygon(a), Outline::Polygon(b)) =
            (is_old, self.outline(pair[0], placed[0]), self.outline(pair[1], placed[1]))
            && are_clearly_apart(&a, &b, closest)
        {
            return None;
        }
        let seen = self.see_patch(pair, placed, shift, &mut features, room)?;
        let met = seen.met(law, memory, self.grows.time);
        write_features(memory, &features);
        Some(met)
    }

    fn away(&self, [first, second]: [usize; 2], shift: [i32; D]) -> [f64; D] {
        self.space.away(self.state.positions[first], self.state.positions[second], shift)
    }

    /// Frames of both, that of the second moved to its image.
    fn frames_of(&self, pair: [usize; 2], [one, other]: [Frame; 2], shift: [i32; D]) -> [Frame; 2] {
        if shift == [0; D] {
            return [one, other];
        }
        [one, other.moved_to(flat(self.space.image(self.state.positions[pair[1]], shift)))]
    }

    /// Two spheres or discs.
    fn see_point(&self, pair: [usize; 2], away: [f64; D], shift: [i32; D]) -> Seen<D> {
        let [own, other] = self.sides(pair, shift);
        let point = Meeting::new(away, &own, &other).point(&self.grows);
        let arms =
            [scale(point.normal, own.radius + 0.5 * point.gap), scale(point.normal, -other.radius - 0.5 * point.gap)];
        Seen { point, patch: None, arms, wall: self.image_motion(shift) }
    }

    /// What contacts look at of both, of the second as its image moves.
    fn sides(&self, pair: [usize; 2], shift: [i32; D]) -> [Side<D>; 2] {
        let [own, mut other] = pair.map(|place| self.grows.side(self.state, place));
        if let Some((velocity, gained)) = self.space.faster(shift, self.grows.time) {
            (other.velocity, other.gained) = (add(other.velocity, velocity), add(other.gained, gained));
        }
        [own, other]
    }

    /// What moves the image of a second body beside its own motion: it gives energy as a wall does.
    fn image_motion(&self, shift: [i32; D]) -> Option<([f64; D], Spin)> {
        self.space.faster(shift, self.grows.time).map(|(velocity, _)| (velocity, [0.0; 3]))
    }

    fn see_patch(
        &self,
        pair: [usize; 2],
        frames: [Frame; 2],
        shift: [i32; D],
        features: &mut Features,
        room: &mut Vec<[f64; 2]>,
    ) -> Option<Seen<D>> {
        let [a, b] = [0, 1].map(|k| self.outline(pair[k], frames[k]));
        let common = match (&a, &b) {
            (Outline::Polygon(a), Outline::Polygon(b)) => match closest_features(a, b, features).contact {
                Contact::Apart => None,
                Contact::Crossing | Contact::Nested => overlap(a, b, features, room),
            },
            _ => outline_overlap(&a, &b, features, room),
        }?;
        let [r, s] = pair.map(|place| self.size(place));
        let patch = Patch { overlap: common, length: 4.0 * r * s / (r + s) };
        let action = self.law_of_pair(pair).action(&patch);
        let at = lifted(action.at);
        let arms = frames.map(|frame| sub(at, lifted(frame.position())));
        let [own, other] = self.sides(pair, shift);
        let point = self.point_of_patch([&own, &other], arms, &common, &action, r * s / (r + s));
        Some(Seen { point, patch: Some((patch, action)), arms, wall: self.image_motion(shift) })
    }

    /// The point where a patch acts, as laws see it.
    fn point_of_patch(
        &self,
        [own, other]: [&Side<D>; 2],
        arms: [[f64; D]; 2],
        common: &Overlap,
        action: &Action,
        radius: f64,
    ) -> Point<D> {
        let normal = lifted(action.normal);
        // A wall has its velocity at the point already: its arm is 0.
        let velocity_at = |side: &Side<D>, arm: [f64; D], share: f64| {
            let velocity = add_scaled(side.velocity, side.gained, -share);
            let spin = add_scaled(side.spin, side.gained_spin, -share);
            add_scaled(velocity, turned(spin, arm), 1.0)
        };
        let along = |velocity: [f64; D]| add_scaled(velocity, normal, -dot(velocity, normal));
        let velocity = sub(velocity_at(other, arms[1], 0.0), velocity_at(own, arms[0], 0.0));
        let time = self.grows.time;
        let slide = if time == 0.0 {
            [0.0; D]
        } else if self.grows.integrator.is_synchronised() {
            // Springs grow by the velocity of the middle of the step, from the first touch on.
            let middle = sub(velocity_at(other, arms[1], 1.0), velocity_at(own, arms[0], 1.0));
            let approach = -dot(middle, normal);
            let since = if common.depth < approach * time { common.depth / approach } else { time };
            scale(along(middle), since)
        } else {
            scale(along(velocity), time)
        };
        Point {
            normal,
            gap: -common.depth,
            apart: dot(velocity, normal),
            sliding: along(velocity),
            slide,
            turning: sub(other.spin, own.spin),
            turn: scale(sub(sub(other.spin, other.gained_spin), sub(own.spin, own.gained_spin)), time),
            inverse_mass: own.inverse_mass + other.inverse_mass,
            radius,
        }
    }

    /// A pair as it is now, to be looked at; `history` is what it remembers.
    pub fn look_at_pair(&self, pair: [usize; 2], shift: [i32; D], history: &[f64]) -> Seen<D> {
        let away = self.away(pair, shift);
        if !self.meets_by_patch(pair) {
            return self.see_point(pair, away, shift);
        }
        let frames = pair.map(|place| self.frame(place).unwrap_or(Frame::WORLD));
        let mut features = read_features(history);
        let seen = self.see_patch(pair, self.frames_of(pair, frames, shift), shift, &mut features, &mut Vec::new());
        // The end of a step may have parted what overlapped within it.
        seen.unwrap_or_else(|| untouched(self.see_point(pair, away, shift)))
    }

    /// The same of a particle and a face.
    pub fn look_at_face(&self, place: usize, face: u32, history: &[f64]) -> Seen<D> {
        let position = self.state.positions[place];
        let touch = self.obstacles.touch(face, position, self.state.radii[place]);
        if !self.meets_face_by_patch(place, face) {
            return self.see_point_with_face(place, &touch, &[]);
        }
        let (frame, mut features) = (self.frame(place).unwrap_or(Frame::WORLD), read_features(history));
        let seen = self.see_patch_with_face(place, frame, face, &mut features, &mut Vec::new());
        seen.unwrap_or_else(|| untouched(self.see_point_with_face(place, &touch, &[])))
    }
}

/// The same without overlap.
fn untouched<const D: usize>(seen: Seen<D>) -> Seen<D> {
    Seen { point: Point { gap: 0.0, apart: 0.0, sliding: [0.0; D], slide: [0.0; D], ..seen.point }, ..seen }
}

/// Whether two polygons are apart, as far as rounding cannot change: then it does not matter what was known of them before.
fn are_clearly_apart(a: &Placed<'_>, b: &Placed<'_>, closest: &mut Features) -> bool {
    let found = closest_features(a, b, closest);
    let sizes = a.polygon().radius() + b.polygon().radius();
    found.contact == Contact::Apart && found.distance > CLEARLY_APART * sizes
}

/// The first two components.
fn flat<const D: usize>(x: [f64; D]) -> [f64; 2] {
    [x[0], x[1]]
}

/// The same with as many components as space has.
fn lifted<const D: usize>(x: [f64; 2]) -> [f64; D] {
    std::array::from_fn(|axis| if axis < 2 { x[axis] } else { 0.0 })
}
