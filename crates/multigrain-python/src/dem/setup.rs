//! The setup of a simulation, from Python's keyword arguments.

use super::body_forces::{field_of, fluid_of};
use super::clump::ClumpShape;
use super::deformation::Deformation;
use super::flow::{Generator, Meter, Outflow};
use super::law::Law;
use super::material::Material;
use super::wall::Wall;
use super::{each_keyword, no_such_keyword, vector_of};
use crate::detector::skin_of;
use crate::domain::Domain;
use crate::errors::unknown;
use crate::polygons::Polygon;
use crate::search::method_of;
use multigrain::{Axes, Dimension};
use multigrain_dem::{Integrator, Setup, TimeStep};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Names of integrators.
const INTEGRATORS: [(&str, Integrator); 3] =
    [("verlet", Integrator::Verlet), ("plain-verlet", Integrator::PlainVerlet), ("gear", Integrator::Gear)];

/// The name of an integrator.
pub fn integrator_name(integrator: Integrator) -> &'static str {
    INTEGRATORS.iter().find(|(_, other)| *other == integrator).map_or("", |(name, _)| name)
}

/// Laws between materials, by their numbers.
pub type Between<'py> = Vec<((u16, u16), Bound<'py, Law>)>;

/// Keyword arguments as they come, checked when the dimension is known.
pub struct SetupOptions<'py> {
    materials: Vec<Material>,
    between: Between<'py>,
    pub domain: Option<Bound<'py, Domain>>,
    deformations: Vec<Bound<'py, Deformation>>,
    gravity: Option<Vec<f64>>,
    walls: Vec<Bound<'py, Wall>>,
    generators: Vec<Bound<'py, Generator>>,
    outflows: Vec<Bound<'py, Outflow>>,
    meters: Vec<Bound<'py, Meter>>,
    time_step: Option<f64>,
    fraction: Option<f64>,
    impact_speed: Option<f64>,
    integrator: String,
    bounds: Option<Bound<'py, Domain>>,
    method: String,
    skin: Option<Bound<'py, PyAny>>,
    shapes: Vec<Bound<'py, Polygon>>,
    clump_shapes: Vec<Bound<'py, ClumpShape>>,
    fluid: Option<Bound<'py, PyDict>>,
    fields: Vec<Bound<'py, PyDict>>,
}

impl<'py> SetupOptions<'py> {
    /// From the materials and all keyword arguments that simulations share, new ones and those that go on.
    pub fn new(materials: &Bound<'py, PyAny>, keywords: Option<&Bound<'py, PyDict>>) -> PyResult<Self> {
        let mut options = Self {
            materials: all_materials(materials)?,
            between: Vec::new(),
            domain: None,
            deformations: Vec::new(),
            gravity: None,
            walls: Vec::new(),
            generators: Vec::new(),
            outflows: Vec::new(),
            meters: Vec::new(),
            time_step: None,
            fraction: None,
            impact_speed: None,
            integrator: "verlet".to_owned(),
            bounds: None,
            method: "auto".to_owned(),
            skin: None,
            shapes: Vec::new(),
            clump_shapes: Vec::new(),
            fluid: None,
            fields: Vec::new(),
        };
        each_keyword(keywords, |name, value| options.take(name, value))?;
        Ok(options)
    }

    fn take(&mut self, name: &str, value: &Bound<'py, PyAny>) -> PyResult<()> {
        match name {
            "between" => self.between = laws_between(value)?,
            "domain" => self.domain = value.extract()?,
            "deformations" => self.deformations = value.extract()?,
            "gravity" => self.gravity = value.extract()?,
            "walls" => self.walls = value.extract()?,
            "generators" => self.generators = value.extract()?,
            "outflows" => self.outflows = value.extract()?,
            "meters" => self.meters = value.extract()?,
            "time_step" => self.time_step = value.extract()?,
            "fraction" => self.fraction = value.extract()?,
            "impact_speed" => self.impact_speed = value.extract()?,
            "integrator" => self.integrator = value.extract()?,
            "bounds" => self.bounds = value.extract()?,
            "method" => self.method = value.extract()?,
            "skin" => self.skin = value.extract()?,
            "shapes" => self.shapes = value.extract()?,
            "clump_shapes" => self.clump_shapes = value.extract()?,
            "fluid" => self.fluid = value.extract()?,
            "fields" => self.fields = value.extract()?,
            _ => return Err(no_such_keyword()),
        }
        Ok(())
    }

    /// The setup for grains with `D` axes.
    pub fn setup<const D: usize>(&self) -> PyResult<Setup<D>>
    where
        Axes: Dimension<D>,
    {
        let integrator = INTEGRATORS.iter().find(|(name, _)| *name == self.integrator);
        let Some((_, integrator)) = integrator else {
            return Err(unknown("integrator", &self.integrator, INTEGRATORS.map(|(name, _)| name)));
        };
        let domain = self.domain.as_ref().map(|domain| domain.get());
        let mut setup = Setup::new()
            .domain(Domain::for_axes(domain)?)
            .integrator(*integrator)
            .method(method_of(&self.method)?)
            .skin(skin_of(self.skin.as_ref())?);
        for deformation in &self.deformations {
            setup = setup.deformation(deformation.get().inner()?);
        }
        if let Some(gravity) = &self.gravity {
            setup = setup.gravity(vector_of(gravity, || "gravity".to_owned())?);
        }
        setup = setup.with_shapes(self.shapes.iter().map(|polygon| polygon.get().shape().clone()));
        for shape in &self.clump_shapes {
            setup = setup.clump_shape(shape.get().inner()?);
        }
        for material in &self.materials {
            setup = setup.material(material.inner());
        }
        for ((first, second), law) in &self.between {
            setup = setup.between(*first, *second, law.get().0);
        }
        for (number, wall) in self.walls.iter().enumerate() {
            setup = setup.wall(wall.get().inner(number)?);
        }
        for (number, generator) in self.generators.iter().enumerate() {
            setup = setup.generator(generator.get().inner(number)?);
        }
        for (number, outflow) in self.outflows.iter().enumerate() {
            setup = setup.outflow(outflow.get().inner(number)?);
        }
        for (number, meter) in self.meters.iter().enumerate() {
            setup = setup.meter(meter.get().inner(number)?);
        }
        if let Some(fluid) = &self.fluid {
            setup = setup.fluid(fluid_of(fluid)?);
        }
        for field in &self.fields {
            setup = setup.field(field_of(field)?);
        }
        setup = match (self.time_step, self.fraction) {
            (Some(length), None) => setup.time_step(TimeStep::Given(length)),
            (None, Some(share)) => setup.time_step(TimeStep::Fraction(share)),
            (None, None) => setup,
            (Some(_), Some(_)) => {
                let text = "time_step and fraction both set the time step: give one of them";
                return Err(PyValueError::new_err(text));
            }
        };
        if let Some(speed) = self.impact_speed {
            setup = setup.impact_speed(speed);
        }
        if let Some(bounds) = &self.bounds {
            let bounds = Domain::for_axes::<D>(Some(bounds.get()))?;
            setup = setup.bounds(bounds.lo(), bounds.hi());
        }
        Ok(setup)
    }

    /// How many shapes of clumps there are.
    pub fn clump_shapes(&self) -> usize {
        self.clump_shapes.len()
    }

    /// How many shapes there are.
    pub fn shapes(&self) -> usize {
        self.shapes.len()
    }
}

/// Materials from one or several.
pub fn all_materials(materials: &Bound<'_, PyAny>) -> PyResult<Vec<Material>> {
    if let Ok(one) = materials.cast::<Material>() {
        return Ok(vec![*one.get()]);
    }
    let must = |_| PyTypeError::new_err("materials must be a Material, or a sequence of them");
    let items = materials.try_iter().map_err(must)?;
    items.map(|item| Ok(*item?.cast::<Material>().map_err(|error| must(error.into()))?.get())).collect()
}

/// Laws by the numbers of two materials.
pub fn laws_between<'py>(value: &Bound<'py, PyAny>) -> PyResult<Between<'py>> {
    if value.is_none() {
        return Ok(Vec::new());
    }
    let must = || PyTypeError::new_err("it must be a dict from pairs of numbers of materials to Law, as {(0, 1): law}");
    let pairs = value.cast::<PyDict>().map_err(|_| must())?;
    pairs
        .iter()
        .map(|(pair, law)| Ok((pair.extract().map_err(|_| must())?, law.extract().map_err(|_| must())?)))
        .collect()
}
