//! Pictures of polygons: SVG and PNG frames, a page that plays them, files for ParaView.

mod page;
mod png;
mod svg;
mod vtp;

pub use page::Film;
pub use png::png;
pub use svg::svg;
pub use vtp::vtp;

use multigrain_polygons::Placed;

/// A polygon to draw.
#[derive(Debug, Clone, Copy)]
pub struct Drawn<'a> {
    /// Shape and place.
    pub body: Placed<'a>,
    /// Its color.
    pub color: [u8; 3],
    /// A number to write beside it, such as a speed.
    pub value: f64,
}

/// The part of the plane that is shown, and how large.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// Lower corner.
    pub lo: [f64; 2],
    /// Upper corner.
    pub hi: [f64; 2],
    /// Width of the picture in pixels; where it is higher than wide, its height.
    pub width: u32,
}

impl View {
    fn lengths(&self) -> [f64; 2] {
        [self.hi[0] - self.lo[0], self.hi[1] - self.lo[1]]
    }

    /// Pixels per length.
    fn scale(&self) -> f64 {
        let [x, y] = self.lengths();
        f64::from(self.width) / x.max(y)
    }

    /// Width and height in pixels.
    fn size(&self) -> [u32; 2] {
        self.lengths().map(|length| (length * self.scale()).round().max(1.0) as u32)
    }

    /// A point in pixels from the upper left corner.
    fn pixel(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [(x - self.lo[0]) * self.scale(), (self.hi[1] - y) * self.scale()]
    }
}

/// The color of a grain of this size, between the smallest and the largest: blue to yellow.
pub fn color_of(size: f64, smallest: f64, largest: f64) -> [u8; 3] {
    const STOPS: [[f64; 3]; 4] =
        [[42.0, 72.0, 120.0], [38.0, 130.0, 142.0], [122.0, 190.0, 90.0], [244.0, 200.0, 70.0]];
    let share =
        if largest > smallest { ((size / smallest).ln() / (largest / smallest).ln()).clamp(0.0, 1.0) } else { 0.5 };
    let place = share * 3.0;
    let (stop, part) = ((place as usize).min(2), place - (place as usize).min(2) as f64);
    [0, 1, 2].map(|k| (STOPS[stop][k] + part * (STOPS[stop + 1][k] - STOPS[stop][k])).round() as u8)
}

/// The color of walls.
pub const WALL: [u8; 3] = [150, 150, 150];

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain_polygons::{ConvexPolygon, Frame};

    fn view() -> View {
        View { lo: [0.0, 0.0], hi: [4.0, 2.0], width: 40 }
    }

    #[test]
    fn svg_has_a_polygon_per_body_in_pixels() {
        let square = ConvexPolygon::rectangle(1.0, 1.0).unwrap();
        let body = square.at(Frame::new([1.0, 1.0], 0.0).unwrap());
        let text = svg(&[Drawn { body, color: [1, 2, 3], value: 0.0 }], &view());
        assert!(text.starts_with("<svg ") && text.contains("width=\"40\" height=\"20\""), "{text}");
        assert!(text.contains("points=\"5.00,15.00 15.00,15.00 15.00,5.00 5.00,5.00\" fill=\"#010203\""), "{text}");
    }

    #[test]
    fn png_fills_what_is_inside() {
        let square = ConvexPolygon::rectangle(2.0, 1.0).unwrap();
        let body = square.at(Frame::new([1.0, 1.5], 0.0).unwrap());
        let bytes = png(&[Drawn { body, color: [200, 0, 0], value: 0.0 }], &view()).unwrap();
        let mut reader = ::png::Decoder::new(bytes.as_slice()).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (40, 20));
        let at = |x: usize, y: usize| &pixels[3 * (40 * y + x)..][..3];
        assert_eq!((at(10, 5), at(30, 5), at(10, 15)), (&[200, 0, 0][..], &[255; 3][..], &[255; 3][..]));
        // It ends at x = 20: a dark border, a third of a pixel wide.
        assert_eq!((at(18, 5), at(19, 5), at(20, 5)), (&[200, 0, 0][..], &[144, 11, 11][..], &[255; 3][..]));
    }

    #[test]
    fn vtp_counts_points_and_polygons() {
        let shapes = [ConvexPolygon::regular(5, 1.0).unwrap(), ConvexPolygon::regular(3, 1.0).unwrap()];
        let drawn = shapes.each_ref().map(|shape| Drawn { body: shape.at(Frame::WORLD), color: [0; 3], value: 2.5 });
        let text = vtp(&drawn);
        assert!(text.contains("NumberOfPoints=\"8\"") && text.contains("NumberOfPolys=\"2\""), "{text}");
        assert!(text.contains("5 8") && text.contains("2.5 2.5"), "{text}");
    }

    #[test]
    fn colors_go_from_the_smallest_to_the_largest() {
        assert_eq!(color_of(1.0, 1.0, 30.0), [42, 72, 120]);
        assert_eq!(color_of(30.0, 1.0, 30.0), [244, 200, 70]);
        assert_eq!(color_of(5.0, 5.0, 5.0), color_of(1.0, 1.0, 1.0));
    }

    #[test]
    fn a_film_holds_shapes_once_and_places_per_frame() {
        let square = ConvexPolygon::rectangle(1.0, 1.0).unwrap();
        let mut film = Film::new("test", view());
        for k in 0..3 {
            let body = square.at(Frame::new([f64::from(k), 1.0], 0.0).unwrap());
            film.frame(f64::from(k), &[Drawn { body, color: [k as u8, 0, 9], value: 0.0 }]);
        }
        let page = film.page();
        assert_eq!(page.matches("[-0.50,-0.50,").count(), 1, "{page}");
        for (k, color) in [(0, 9), (1, 65_536 + 9), (2, 2 * 65_536 + 9)] {
            assert!(page.contains(&format!(",0.000,{color}]")), "color of frame {k}: {page}");
        }
        assert!(page.starts_with("<!doctype html>"), "{page}");
        assert!(page.contains("const times=[0.0,1.0,2.0];"), "{page}");
    }

    #[test]
    fn a_film_goes_on_from_its_page() {
        let square = ConvexPolygon::rectangle(1.0, 1.0).unwrap();
        let add = |film: &mut Film, k: i32| {
            let body = square.at(Frame::new([f64::from(k) / 3.0, 1.0], 0.0).unwrap());
            film.frame(f64::from(k) / 3.0, &[Drawn { body, color: [9; 3], value: 0.0 }]);
        };
        let mut whole = Film::new("test", view());
        (0..4).for_each(|k| add(&mut whole, k));
        let mut resumed = Film::new("test", view());
        resumed.read_back(&whole.page(), |time| time <= 1.0 / 3.0);
        (2..4).for_each(|k| add(&mut resumed, k));
        assert_eq!(resumed.page(), whole.page());
        for (page, keeps) in [
            ("no page", true),
            (&whole.page().replace("const times=[0.0,", "const times=["), true),
            (&whole.page(), false),
        ] {
            let mut film = Film::new("test", view());
            film.read_back(page, |_| keeps);
            assert!(film.is_empty());
        }
    }

    #[test]
    fn places_in_a_film_are_told_to_about_a_tenth_of_a_pixel() {
        let check = |length: f64, told: &str| {
            let shape = ConvexPolygon::rectangle(0.5 * length, 0.25 * length).unwrap();
            let mut film = Film::new("test", View { lo: [0.0; 2], hi: [length; 2], width: 800 });
            let body = shape.at(Frame::new([length / 3.0, 0.5 * length], 0.0).unwrap());
            film.frame(0.0, &[Drawn { body, color: [9; 3], value: 0.0 }]);
            assert!(film.page().contains(&format!("const frames=[\n[{told},")), "{}", film.page());
        };
        check(0.008, "0.002667");
        check(0.8, "0.2667");
        check(80.0, "26.67");
        check(80_000.0, "26667");
    }

    #[test]
    fn the_longer_side_is_as_long_as_the_view_says() {
        let size = |hi| View { lo: [0.0; 2], hi, width: 800 }.size();
        assert_eq!(size([4.0, 2.0]), [800, 400]);
        assert_eq!(size([2.0, 4.0]), [400, 800]);
        assert_eq!(size([0.01, 100.0]), [1, 800]);
        let tall = View { lo: [0.0; 2], hi: [0.01, 100.0], width: 800 };
        let reader = png(&[], &tall).unwrap();
        let info = ::png::Decoder::new(reader.as_slice()).read_info().unwrap();
        assert_eq!((info.info().width, info.info().height), (1, 800));
    }
}
