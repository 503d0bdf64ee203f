//! Closest features and overlaps by hand, and where rounding bites. Random pairs are the lab's `fuzz_polygons`.

use super::*;
use multigrain_sizes::Rng;
use std::f64::consts::{PI, TAU};

fn at(x: f64, y: f64, angle: f64) -> Frame {
    Frame::new([x, y], angle).unwrap()
}

fn fresh(a: &Placed<'_>, b: &Placed<'_>) -> Closest {
    closest_features(a, b, &mut Features::default())
}

fn common(a: &Placed<'_>, b: &Placed<'_>) -> (Overlap, Vec<[f64; 2]>) {
    let (mut memory, mut polygon) = (Features::default(), Vec::new());
    closest_features(a, b, &mut memory);
    let found = overlap(a, b, &memory, &mut polygon).expect("they overlap");
    (found, polygon)
}

fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} but {expected} expected");
}

/// Figure 10 of the paper: from a vertex of A and an edge of B over two edges to an edge of A and a vertex of B.
#[test]
fn three_pairs_of_features_lead_to_the_closest_as_in_figure_10() {
    // The right side of A is edge 1 and leads up to vertex 2; B's left side is edge 3, tilted so that its lower end,
    // vertex 0, is nearest.
    let a = ConvexPolygon::new(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]).unwrap();
    let b = ConvexPolygon::new(&[[5.0, 1.0], [9.0, 1.0], [9.0, 6.0], [6.0, 6.0]]).unwrap();
    let mut memory = Features::new(Feature::Vertex(2), Feature::Edge(3));
    let found = closest_features(&a.as_given(), &b.as_given(), &mut memory);
    assert_eq!(found.steps, 3);
    assert_eq!(found.features, Features::new(Feature::Edge(1), Feature::Vertex(0)));
    assert_near(found.distance, 1.0, 1e-15);
    assert_eq!(memory, found.features);
}

#[test]
fn closest_features_stay_for_hundreds_of_calls_while_bodies_move_slowly() {
    let polygon = ConvexPolygon::regular(12, 1.0).unwrap();
    let (mut memory, mut changes, mut steps) = (Features::default(), 0, 0);
    for call in 0..2000 {
        let t = f64::from(call) * 1e-3;
        let before = memory;
        let (a, b) = (polygon.at(at(0.0, 0.0, 0.2 * t)), polygon.at(at(2.5 + 0.1 * t, 0.3 * t, -0.1 * t)));
        let found = closest_features(&a, &b, &mut memory);
        changes += u32::from(memory != before);
        steps += found.steps;
    }
    assert!(changes <= 10, "{changes} changes in 2000 calls");
    assert!(steps < 2000 + 20 * changes, "{steps} steps");
}

#[test]
fn parallel_edges_are_as_far_apart_along_their_whole_length() {
    let square = ConvexPolygon::rectangle(2.0, 2.0).unwrap();
    for (shift, gap) in [(0.0, 1.0), (0.7, 1e-12), (-1.3, 1e-3), (2.0, 0.25), (-2.0, 1e-9)] {
        for turn in [0.0, 0.3, 1.0, 2.5] {
            let frame = at(0.0, 0.0, turn);
            let [x, y] = frame.to_world([shift, 2.0 + gap]);
            let found = fresh(&square.at(frame), &square.at(at(x, y, turn)));
            assert_near(found.distance, gap, 2e-15);
        }
    }
}

#[test]
fn bodies_that_share_a_vertex_or_an_edge_have_no_distance() {
    let square = ConvexPolygon::rectangle(1.0, 1.0).unwrap();
    for (x, y) in [(1.0, 1.0), (1.0, 0.0), (0.0, -1.0), (1.0, 0.5), (-1.0, 0.25)] {
        let found = fresh(&square.at(Frame::WORLD), &square.at(at(x, y, 0.0)));
        assert_eq!(found.distance, 0.0, "at {x}, {y}: {found:?}");
        assert_ne!(found.contact, Contact::Apart);
    }
}

#[test]
fn bodies_inside_one_another_are_nested_and_say_how_to_get_out() {
    let (large, small) = (ConvexPolygon::regular(7, 3.0).unwrap(), ConvexPolygon::rectangle(0.5, 0.5).unwrap());
    let (a, b) = (large.at(Frame::WORLD), small.at(at(1.8, 0.0, 0.0)));
    let found = fresh(&a, &b);
    assert_eq!((found.distance, found.contact), (0.0, Contact::Nested));
    let (part, polygon) = common(&a, &b);
    assert_near(part.area, 0.25, 1e-15);
    assert_eq!((part.crossings, polygon.len()), (0, 4));
    // Moved out along the normal by the depth they only touch.
    let [x, y] = [1.8 + part.normal[0] * part.depth, part.normal[1] * part.depth];
    assert_near(fresh(&a, &small.at(at(x, y, 0.0))).distance, 0.0, 1e-14);
    let outside = [1.8 + part.normal[0] * (part.depth + 1e-3), part.normal[1] * (part.depth + 1e-3)];
    assert_near(fresh(&a, &small.at(at(outside[0], outside[1], 0.0))).distance, 1e-3, 1e-14);
    // And the other way round.
    let turned = common(&b, &a).0;
    assert_near(turned.normal[0], -part.normal[0], 1e-12);
}

#[test]
fn a_corner_in_an_edge_has_a_triangle_in_common() {
    let (floor, block) = (ConvexPolygon::rectangle(10.0, 2.0).unwrap(), ConvexPolygon::rectangle(2.0, 2.0).unwrap());
    let height = 1.0 + 2f64.sqrt() - 0.1;
    let (a, b) = (floor.at(Frame::WORLD), block.at(at(0.5, height, PI / 4.0)));
    let (part, polygon) = common(&a, &b);
    assert_near(part.area, 0.01, 1e-15);
    assert_near(part.depth, 0.1, 1e-15);
    assert_eq!((part.crossings, polygon.len()), (2, 3));
    assert_near(part.normal[0], 0.0, 4e-15);
    assert_near(part.normal[1], 1.0, 4e-15);
    for (end, x) in part.line.iter().zip([0.6, 0.4]) {
        assert_near(end[0], x, 1e-14);
        assert_near(end[1], 1.0, 1e-15);
    }
    // Seen from the other body all is turned round.
    let (turned, _) = common(&b, &a);
    assert_near(turned.normal[1], -1.0, 4e-15);
    assert_near(turned.area, 0.01, 1e-15);
}

#[test]
fn crossed_bodies_have_four_crossings_and_stars_six() {
    let bar = ConvexPolygon::rectangle(6.0, 1.0).unwrap();
    let (part, polygon) = common(&bar.at(at(0.1, 0.0, 0.0)), &bar.at(at(0.0, 0.1, PI / 2.0)));
    assert_near(part.area, 1.0, 1e-14);
    assert_eq!((part.crossings, polygon.len()), (4, 4));
    let triangle = ConvexPolygon::regular(3, 1.0).unwrap();
    let (part, polygon) = common(&triangle.at(Frame::WORLD), &triangle.at(at(0.01, 0.0, PI)));
    assert_eq!((part.crossings, polygon.len()), (6, 6));
}

#[test]
fn a_thin_plate_pierced_by_a_corner_is_not_taken_for_a_thick_one() {
    let (plate, block) = (ConvexPolygon::rectangle(10.0, 0.05).unwrap(), ConvexPolygon::rectangle(2.0, 2.0).unwrap());
    let (a, b) = (plate.at(Frame::WORLD), block.at(at(0.0, 2f64.sqrt() - 0.3, PI / 4.0)));
    let (part, _) = common(&a, &b);
    // A strip of the corner between 0.275 and 0.325 above its tip.
    assert_near(part.area, 0.325f64.powi(2) - 0.275f64.powi(2), 1e-14);
    assert_eq!(part.crossings, 4);
}

#[test]
fn memory_of_another_pair_changes_nothing() {
    let (a, b) = (ConvexPolygon::regular(5, 1.0).unwrap(), ConvexPolygon::regular(40, 2.0).unwrap());
    let (a, b) = (a.at(Frame::WORLD), b.at(at(4.0, 1.0, 0.3)));
    let expected = fresh(&a, &b);
    for k in [0, 3, 17, 39, 1000, u32::MAX] {
        for start in [Feature::Vertex(k), Feature::Edge(k)] {
            let mut memory = Features::new(start, start);
            assert_near(closest_features(&a, &b, &mut memory).distance, expected.distance, 1e-15);
        }
    }
}

#[test]
fn gaps_of_1e_12_are_distinguished_from_touch_however_the_edges_slope() {
    let mut rng = Rng::new(31);
    for round in 0..300 {
        let polygon = ConvexPolygon::random(3 + round % 60, 1.0, &mut rng).unwrap();
        let other = ConvexPolygon::random(3 + round % 37, 1.0, &mut rng).unwrap();
        let (a, angle) = (polygon.at(at(0.0, 0.0, TAU * rng.uniform())), TAU * rng.uniform());
        let far = other.at(at(5.0, 0.0, angle));
        let found = fresh(&a, &far);
        let [p, q] = found.points;
        let share = 1.0 - 1e-12 / found.distance;
        let near = other.at(at(5.0 - (q[0] - p[0]) * share, -(q[1] - p[1]) * share, angle));
        assert_near(fresh(&a, &near).distance, 1e-12, 4e-15);
    }
}

#[test]
fn huge_coordinates_cost_no_more_than_their_ulps() {
    let square = ConvexPolygon::rectangle(2.0, 2.0).unwrap();
    for far in [1e6, 1e12, 2f64.powi(50), 1e100] {
        let [a, b] = [square.at(at(far, -far, 0.0)), square.at(at(far, -far, 0.0))];
        assert_eq!(fresh(&a, &b).distance, 0.0);
        let apart = square.at(at(far + 0.25 * far, -far, 0.0));
        let ulp = far.next_up() - far;
        assert_near(fresh(&a, &apart).distance, 0.25 * far - 2.0, 16.0 * ulp);
    }
}

#[test]
fn the_common_part_shrinks_as_fast_as_it_says() {
    let mut rng = Rng::new(17);
    let mut crossed = 0;
    for round in 0..400 {
        let [a, b] = [0, 1].map(|_| ConvexPolygon::random(3 + rng.below(12) as usize, 1.0, &mut rng).unwrap());
        let (position, angle) = ([1.6 * rng.uniform(), rng.normal()], TAU * rng.uniform());
        let still = a.at(at(0.1, 0.2, 1.0));
        let measure = |place: [f64; 2], angle: f64, all: bool| {
            let (moved, mut memory) = (b.at(at(place[0], place[1], angle)), Features::default());
            closest_features(&still, &moved, &mut memory);
            let features = if all { Features::default() } else { memory };
            overlap(&still, &moved, &features, &mut Vec::new())
        };
        let Some(found) = measure(position, angle, round % 2 == 0) else { continue };
        if found.crossings == 0 || found.area < 1e-3 {
            continue;
        }
        crossed += 1;
        const STEP: f64 = 1e-6;
        for motion in 0..3 {
            // Away and back, around the centroid of the common part.
            let moved = [STEP, -STEP].map(|step| {
                let shift = [0, 1].map(|axis| if axis == motion { step } else { 0.0 });
                let turn = if motion == 2 { step } else { 0.0 };
                let arm = [position[0] - found.centroid[0], position[1] - found.centroid[1]];
                let (sin, cos) = turn.sin_cos();
                let turned = [cos * arm[0] - sin * arm[1], sin * arm[0] + cos * arm[1]];
                let place = [0, 1].map(|axis| found.centroid[axis] + turned[axis] + shift[axis]);
                measure(place, angle + turn, round % 2 == 0).expect("they still overlap")
            });
            let lost = |of: fn(&Overlap) -> f64| (of(&moved[1]) - of(&moved[0])) / (2.0 * STEP);
            assert_near(found.shrinking.area[motion], lost(|overlap| overlap.area), 2e-5);
            assert_near(found.shrinking.inertia[motion], lost(|overlap| overlap.inertia), 2e-5);
        }
    }
    assert!(crossed > 100, "{crossed}");
}

#[test]
fn overlap_started_from_features_looks_at_few_corners_and_agrees_with_all_of_them() {
    let mut rng = Rng::new(77);
    let (mut twice, mut polygon) = (0, Vec::new());
    for round in 0..400 {
        let shapes = [0, 1].map(|_| ConvexPolygon::random(3 + round * 2, 1.0, &mut rng).unwrap());
        let (a, b) = (shapes[0].at(at(0.0, 0.0, 1.0)), shapes[1].at(at(1.2 + 0.5 * rng.uniform(), 0.0, 0.0)));
        let mut memory = Features::default();
        if closest_features(&a, &b, &mut memory).contact != Contact::Crossing {
            continue;
        }
        let found = overlap(&a, &b, &memory, &mut polygon).expect("boundaries cross");
        let from_all = overlap(&a, &b, &Features::default(), &mut polygon).expect("boundaries cross");
        assert_near(found.area, from_all.area, 1e-14);
        assert_eq!(found.crossings, from_all.crossings);
        if found.crossings == 2 {
            twice += 1;
            for (p, q) in found.line.iter().zip(from_all.line) {
                assert_near((p[0] - q[0]).hypot(p[1] - q[1]), 0.0, 1e-11);
            }
        }
    }
    assert!(twice > 100);
}

/// An edge must have a direction, also where corners are a rounding apart as they are given.
#[test]
fn corners_that_are_one_around_the_centroid_are_refused() {
    for scale in [1.0, 1e24] {
        let [x, y] = [0.0, 1e-17 * scale];
        let corners = [[0.0, 0.0], [x, y], [2.0 * scale, 0.0], [0.0, 2.0 * scale]];
        let error = ConvexPolygon::new(&[corners[1], corners[2], corners[3], corners[0]]).unwrap_err();
        assert!(matches!(error, PolygonError::CornerRepeated { .. }), "{error}");
    }
    assert!(ConvexPolygon::new(&[[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]).is_ok());
}
