//! Pages are read back by a decoder of its own, as the program in them does it.

use super::*;
use crate::formats::Column;
use crate::view::{PageContact, PageFrame, PageWalls};
use flate2::read::DeflateDecoder;
use multigrain::{Domain, System};
use serde_json::Value;
use std::io::Read;

/// What stands in the element with this id.
fn element<'a>(html: &'a str, id: &str) -> &'a str {
    let behind = html.split_once(&format!("id=\"{id}\">")).unwrap().1;
    behind.split_once("</script>").unwrap().0
}

fn meta(html: &str) -> Value {
    serde_json::from_str(element(html, "meta")).unwrap()
}

fn bytes(html: &str, frame: usize) -> Vec<u8> {
    let text = element(html, &format!("frame-{frame}")).as_bytes();
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut packed = Vec::new();
    for word in text.chunks(4) {
        let count = word.iter().filter(|&&letter| letter != b'=').count();
        let bits = word
            .iter()
            .fold(0u32, |bits, &letter| bits << 6 | u32::from(if letter == b'=' { 0 } else { value(letter) }));
        packed.extend_from_slice(&bits.to_be_bytes()[1..count]);
    }
    let mut plain = Vec::new();
    DeflateDecoder::new(&packed[..]).read_to_end(&mut plain).unwrap();
    plain
}

/// All arrays of all frames as numbers, by frame and name.
fn decoded(html: &str) -> Vec<Vec<(String, Vec<f64>)>> {
    let mut frames: Vec<Vec<(String, Vec<f64>)>> = Vec::new();
    let mut integers: Vec<(String, Vec<u32>)> = Vec::new();
    for (number, frame) in meta(html)["frames"].as_array().unwrap().iter().enumerate() {
        let (bytes, mut at) = (bytes(html, number), 0);
        let mut arrays = Vec::new();
        for array in frame["arrays"].as_array().unwrap() {
            let name = array["name"].as_str().unwrap().to_owned();
            if array["same"] == true {
                let before = &frames[number - 1].iter().find(|(other, _)| *other == name).unwrap().1;
                arrays.push((name, before.clone()));
                continue;
            }
            let [length, components] = ["length", "components"].map(|key| array[key].as_u64().unwrap() as usize);
            let encoding = array["encoding"].as_str().unwrap();
            let width = match encoding {
                "fixed" => array["bytes"].as_u64().unwrap() as usize,
                "byte" => 1,
                _ => 4,
            };
            let mut raw = vec![0u32; length * components];
            for component in 0..components {
                for byte in 0..width {
                    for k in 0..length {
                        raw[k * components + component] |= u32::from(bytes[at]) << (8 * byte);
                        at += 1;
                    }
                }
            }
            let before = integers.iter().find(|(other, _)| *other == name).map(|(_, values)| values.clone());
            if array["delta"] == true {
                let mask = u32::MAX >> (32 - 8 * width as u32);
                let base = before.unwrap();
                raw.iter_mut().zip(&base).for_each(|(now, then)| *now = now.wrapping_add(*then) & mask);
            }
            integers.retain(|(other, _)| *other != name);
            integers.push((name.clone(), raw.clone()));
            let number_of = |k: usize, value: u32| match encoding {
                "float" => f64::from(f32::from_bits(value)),
                "byte" => f64::from(value as u8 as i8),
                "fixed" => {
                    let component = k % components;
                    array["lo"][component].as_f64().unwrap()
                        + array["step"][component].as_f64().unwrap() * f64::from(value)
                }
                _ => f64::from(value),
            };
            if encoding == "index" {
                (components..raw.len()).for_each(|k| raw[k] = raw[k].wrapping_add(raw[k - components]));
            }
            arrays.push((name, raw.iter().enumerate().map(|(k, &value)| number_of(k, value)).collect()));
        }
        assert_eq!(at, bytes.len(), "frame {number} has bytes that no array names");
        frames.push(arrays);
    }
    frames
}

fn values<'a>(arrays: &'a [(String, Vec<f64>)], name: &str) -> &'a [f64] {
    &arrays.iter().find(|(other, _)| other == name).unwrap_or_else(|| panic!("no {name}")).1
}

fn assert_near(found: &[f64], expected: &[f64], reach: f64) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= reach, "{a} is not {b}");
    }
}

fn frame(time: f64) -> PageFrame {
    let domain = Domain::new([0.0; 3], [4.0, 5.0, 6.0], [true, false, false]).unwrap();
    let particles = System {
        centers: vec![[0.5 + time, 1.0, 2.0], [3.75, 1.0 - time, 2.0], [2.0, 4.0, 5.5]],
        radii: vec![0.5, 0.5, 0.25],
        domain,
    };
    PageFrame {
        time: Some(time),
        ids: Some(vec![3, 700_000, 12]),
        columns: vec![Column { name: "heat".to_owned(), values: vec![1.5 - time, f64::NAN, -2e10] }],
        contacts: Some(vec![PageContact { pair: [0, 1], shift: [-1, 0, 0], value: 0.25 }]),
        walls: PageWalls { triangles: vec![[[0.0; 3], [1.0; 3], [2.0, 0.0, 0.0]]], edges: Vec::new() },
        ..PageFrame::of_particles(&particles)
    }
}

#[test]
fn pages_are_decoded_to_what_was_put_in() {
    let frames = vec![frame(0.0), frame(0.125), frame(-0.25)];
    let page = Page::new("a <b> & \"c\" </script>", frames.clone());
    let html = page.html().unwrap();
    assert!(html.contains("<title>a &lt;b&gt; &amp; \"c\" &lt;/script&gt;</title>"));
    let meta = meta(&html);
    assert_eq!((meta["title"].as_str(), meta["shape"].as_str()), (Some("a <b> & \"c\" </script>"), Some("round")));
    assert_eq!(meta["frames"][1]["box"]["edges"][2][2], 6.0);
    let decoded = decoded(&html);
    for (frame, arrays) in frames.iter().zip(&decoded) {
        assert_near(values(arrays, "position"), frame.centers.as_flattened(), 1e-6);
        assert_near(values(arrays, "radius"), &frame.radii, 0.0);
        assert_eq!(values(arrays, "id"), [3.0, 700_000.0, 12.0]);
        let heat = values(arrays, "column:heat");
        assert!((heat[0] - frame.columns[0].values[0]).abs() < 1e-6 && heat[1].is_nan() && heat[2] == -2e10f32 as f64);
        assert_eq!(values(arrays, "contact.shift"), [-1.0, 0.0, 0.0]);
        assert_eq!((values(arrays, "contact.first"), values(arrays, "contact.second")), (&[0.0][..], &[1.0][..]));
        assert_eq!(values(arrays, "contact.value"), [0.25]);
        assert_eq!(values(arrays, "wall.triangle"), [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 0.0, 0.0]);
    }
    let arrays = &meta["frames"][2]["arrays"];
    let is_same =
        |name: &str| arrays.as_array().unwrap().iter().any(|array| array["name"] == name && array["same"] == true);
    assert!(is_same("radius") && is_same("id") && is_same("wall.triangle") && !is_same("position"));
}

#[test]
fn large_pages_are_coarse_but_not_coarser_than_can_be_seen() {
    let count = 350_000;
    let coordinate = |k: usize| (k as f64 * 0.618_034).fract() * 100.0;
    let particles = |radius: f64| System {
        centers: (0..count).map(|k| [coordinate(k), coordinate(3 * k + 1), coordinate(7 * k + 2)]).collect(),
        radii: (0..count).map(|k| radius * (1.0 + coordinate(k))).collect(),
        domain: Domain::open(),
    };
    for (radius, bytes, reach) in [(0.5, 2, 1e-3), (1e-5, 3, 1e-5)] {
        let particles = particles(radius);
        let html = Page::new("many", vec![PageFrame::of_particles(&particles)]).html().unwrap();
        assert_eq!(meta(&html)["frames"][0]["arrays"][0]["bytes"], bytes);
        let decoded = decoded(&html);
        assert_near(values(&decoded[0], "position"), particles.centers.as_flattened(), reach);
        let ratios = values(&decoded[0], "radius").iter().zip(&particles.radii).map(|(found, radius)| found / radius);
        assert!(ratios.fold(0.0f64, |worst, ratio| worst.max((ratio - 1.0).abs())) < 2e-4);
    }
}

#[test]
fn polygons_have_their_corners() {
    let mesh = crate::Mesh {
        points: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [2.0, 1.0, 0.0]],
        polygons: vec![vec![0, 1, 2], vec![1, 4, 3, 2]],
        ..crate::Mesh::default()
    };
    let frame = PageFrame::of_polygons(&mesh).unwrap();
    let html = Page::new("two", vec![frame]).html().unwrap();
    assert_eq!(meta(&html)["shape"], "polygon");
    let decoded = decoded(&html);
    assert_eq!(values(&decoded[0], "corner.count"), [3.0, 4.0]);
    let corners = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 1.0];
    assert_near(values(&decoded[0], "corner"), &corners, 1e-6);
}

#[test]
fn pages_of_nothing_are_pages() {
    for page in
        [Page::new("none", Vec::new()), Page::new("empty", vec![PageFrame { dimension: 2, ..PageFrame::default() }])]
    {
        let html = page.html().unwrap();
        assert!(decoded(&html).iter().all(|arrays| values(arrays, "radius").is_empty()));
    }
}
