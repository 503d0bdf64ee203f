//! What comes, what goes and what is counted on the way, from the file.

use super::document::*;
use super::physics::{Reader, located};
use anyhow::Result;
use multigrain::{Axes, Dimension};
use multigrain_dem::{ClumpShape, Generator, Meter, Outflow, Pace, Region, Setup};
use std::ops::Range;
use toml::Spanned;

impl<const D: usize> Reader<'_, D>
where
    Axes: Dimension<D>,
{
    /// The setup with all that comes and goes.
    pub fn flows(&self, mut setup: Setup<D>) -> Result<Setup<D>> {
        for (number, insert) in self.document.insert.iter().enumerate() {
            setup = self.generator(setup, insert, number)?;
        }
        for remove in &self.document.remove {
            setup = setup.outflow(self.outflow(remove)?);
        }
        for meter in &self.document.meter {
            setup = setup.meter(self.meter(meter)?);
        }
        Ok(setup)
    }

    /// What tables call all that comes, goes and is counted, in this order.
    pub fn flow_names(&self) -> Result<Vec<String>> {
        let SceneDocument { insert, remove, meter, .. } = self.document;
        let inserts = insert.iter().enumerate().map(|(k, one)| (&one.get_ref().name, format!("insert{k}")));
        let removes = remove.iter().enumerate().map(|(k, one)| (&one.get_ref().name, format!("remove{k}")));
        let meters = meter.iter().enumerate().map(|(k, one)| (&one.get_ref().name, format!("meter{k}")));
        let mut names: Vec<String> = Vec::new();
        for (given, usual) in inserts.chain(removes).chain(meters) {
            let name = given.as_ref().map_or(usual, |name| name.get_ref().clone());
            if let Some(given) = given.as_ref().filter(|_| names.contains(&name)) {
                let message = format!("there are two flows `{name}`");
                return Err(self.source.mistake(given.span(), message, "give each a name of its own"));
            }
            names.push(name);
        }
        Ok(names)
    }

    /// Where in the file that is which the simulator calls by such a name, as `rate of generator 0`.
    pub(super) fn flow_of(&self, what: &str) -> Option<Range<usize>> {
        let (_, name) = what.rsplit_once(" of ")?;
        let (kind, number) = name.split_once(' ')?;
        let number: usize = number.parse().ok()?;
        match kind {
            "generator" => self.document.insert.get(number).map(Spanned::span),
            "outflow" => self.document.remove.get(number).map(Spanned::span),
            "meter" => self.document.meter.get(number).map(Spanned::span),
            _ => None,
        }
    }

    /// The setup with a generator, and the shapes of what it makes.
    fn generator(&self, setup: Setup<D>, insert: &Spanned<InsertDocument>, number: usize) -> Result<Setup<D>> {
        let keys = insert.get_ref();
        let radii = self.radii(&keys.size_keys(), DRAWN_SIZES, insert.span())?;
        let seed = self.document.seed.wrapping_add(number as u64);
        let Some(region) = self.region_of([&keys.lo, &keys.hi], keys.region.as_ref(), insert.span())? else {
            return Err(self.missing(insert.span(), "this insertion", "region"));
        };
        let pace = match (keys.rate, keys.mass_rate) {
            (Some(rate), None) => Pace::Grains(rate),
            (None, Some(rate)) => Pace::Mass(rate),
            (None, None) => Pace::AsManyAsFit,
            (Some(_), Some(_)) => {
                let message = "`rate` and `mass_rate` both say how fast grains come";
                return Err(self.source.mistake(insert.span(), message, "give one of them"));
            }
        };
        let shapes = self.drawn_shapes(insert, &radii, seed)?;
        let (first, first_clump) = (setup.shapes().len() as u32, setup.clump_shapes().len() as u32);
        let (clump_shapes, clumps) = self.drawn_clumps(insert, &radii, first_clump)?;
        let mut generator = Generator::in_region(region, pace, radii);
        if let Some(velocity) = &keys.velocity {
            generator.velocity = self.vector(velocity)?;
        }
        if let Some(speed) = &keys.speed {
            generator.speed = self.source.not_negative("speed", speed)?;
        }
        if let Some(spin) = &keys.spin {
            generator.spin = self.spin(spin)?;
        }
        generator.temperature = keys.temperature;
        generator.shapes = (first..first + shapes.len() as u32).collect();
        generator.clumps = clumps;
        generator.upright = keys.upright;
        generator.material = self.material(keys.material.as_ref())?;
        (generator.limit, generator.mass_limit) = (keys.limit, keys.mass_limit);
        generator.start = keys.start.unwrap_or(generator.start);
        generator.until = keys.until.unwrap_or(generator.until);
        generator.seed = seed;
        Ok(setup.with_shapes(shapes).with_clump_shapes(clump_shapes).generator(generator))
    }

    /// Clump shapes for a generator, and the number of that of each radius; those of one size are one.
    fn drawn_clumps(
        &self,
        insert: &Spanned<InsertDocument>,
        radii: &[f64],
        first: u32,
    ) -> Result<(Vec<ClumpShape<D>>, Vec<u32>)> {
        let keys = insert.get_ref();
        let Some(spheres) = &keys.spheres else { return Ok((Vec::new(), Vec::new())) };
        if let Some(corners) = &keys.corners {
            let message = "`corners` and `spheres` both say what is inserted";
            return Err(self.source.mistake(corners.span(), message, "give one of them"));
        }
        let given = (keys.center.as_ref(), keys.volume.as_ref(), keys.inertia.as_ref());
        let (shape, mut shapes, mut numbers) = (self.clump_shape(spheres, given)?, Vec::new(), Vec::new());
        for &radius in radii {
            let made = shape.scaled(radius / shape.radius());
            let made = made.map_err(|error| located(self.source, &insert.span(), &error))?;
            let known = shapes.last().is_some_and(|last| *last == made);
            if !known {
                shapes.push(made);
            }
            numbers.push(first + shapes.len() as u32 - 1);
        }
        Ok((shapes, numbers))
    }

    fn outflow(&self, remove: &Spanned<RemoveDocument>) -> Result<Outflow<D>> {
        let keys = remove.get_ref();
        if keys.place == RemovePlace::Beyond {
            let [point, normal] = self.plane([&keys.point, &keys.normal], remove.span(), "this removal")?;
            return Ok(Outflow::Beyond { point, normal });
        }
        match self.region_of([&keys.lo, &keys.hi], keys.region.as_ref(), remove.span())? {
            None => Err(self.missing(remove.span(), "this removal", "lo")),
            Some(region) if keys.place == RemovePlace::Inside => Ok(Outflow::Inside(region)),
            Some(region) => Ok(Outflow::Outside(region)),
        }
    }

    fn meter(&self, meter: &Spanned<MeterDocument>) -> Result<Meter<D>> {
        let keys = meter.get_ref();
        let [point, normal] = self.plane([&keys.point, &keys.normal], meter.span(), "this meter")?;
        let region = self.region_of([&keys.lo, &keys.hi], keys.region.as_ref(), meter.span())?;
        Ok(Meter { region, ..Meter::new(point, normal) })
    }

    fn plane(&self, [point, normal]: [&Option<Vector>; 2], span: Range<usize>, whose: &str) -> Result<[[f64; D]; 2]> {
        let need = |key: &Option<Vector>, name: &str| match key {
            Some(given) => self.vector(given),
            None => Err(self.missing(span.clone(), whose, name)),
        };
        Ok([need(point, "point")?, need(normal, "normal")?])
    }

    /// The region that is given, or the box of these corners; none where neither is.
    fn region_of(
        &self,
        [lo, hi]: [&Option<Vector>; 2],
        region: Option<&Spanned<RegionDocument>>,
        span: Range<usize>,
    ) -> Result<Option<Region<D>>> {
        let whose = "this region";
        let need = |key: &Option<Vector>, name: &str, span: &Range<usize>| match key {
            Some(given) => self.vector(given),
            None => Err(self.missing(span.clone(), whose, name)),
        };
        let Some(given) = region else {
            return match (lo, hi) {
                (None, None) => Ok(None),
                _ => Ok(Some(Region::Box { lo: need(lo, "lo", &span)?, hi: need(hi, "hi", &span)? })),
            };
        };
        let (keys, span) = (given.get_ref(), given.span());
        if lo.is_some() || hi.is_some() {
            let message = "both `region` and corners say where it is";
            return Err(self.source.mistake(span, message, "give `lo` and `hi`, or `region`"));
        }
        let points = |key: &Option<Vec<Vector>>, name: &str| match key {
            Some(given) => given.iter().map(|point| self.vector(point)).collect::<Result<Vec<[f64; D]>>>(),
            None => Err(self.missing(span.clone(), whose, name)),
        };
        let radius = || keys.radius.ok_or_else(|| self.missing(span.clone(), whose, "radius"));
        Ok(Some(match keys.shape {
            RegionName::Box => Region::Box { lo: need(&keys.lo, "lo", &span)?, hi: need(&keys.hi, "hi", &span)? },
            RegionName::Ball => Region::Ball { center: need(&keys.point, "point", &span)?, radius: radius()? },
            RegionName::Cylinder => {
                let Ok(ends) = points(&keys.ends, "ends")?.try_into() else {
                    return Err(self.source.mistake(span, "`ends` are not two points", "give both ends of its axis"));
                };
                Region::Cylinder { ends, radius: radius()? }
            }
            RegionName::Face => Region::Face { corners: points(&keys.corners, "corners")? },
        }))
    }
}
