//! Heat, fluids and fields of a scene.

use super::document::{DragName, FieldDocument, FluidDocument, MaterialDocument};
use super::physics::{Reader, located};
use anyhow::Result;
use multigrain::{Axes, Dimension};
use multigrain_dem::{Drag, Field, Fluid, Material, Setup};
use toml::Spanned;

impl<const D: usize> Reader<'_, D>
where
    Axes: Dimension<D>,
{
    /// The same material with the heat of its keys.
    pub fn with_heat(&self, material: Material, given: &Spanned<MaterialDocument>) -> Result<Material> {
        let keys = given.get_ref();
        match (keys.conductivity, keys.heat_capacity) {
            (None, None) => Ok(material),
            (Some(conductivity), Some(capacity)) => Ok(material.heat(conductivity, capacity)),
            (None, Some(_)) => Err(self.missing(given.span(), "a material with `heat_capacity`", "conductivity")),
            (Some(_), None) => Err(self.missing(given.span(), "a material with `conductivity`", "heat_capacity")),
        }
    }

    /// The same setup with the fluid and the fields of the scene.
    pub fn body_forces(&self, mut setup: Setup<D>) -> Result<Setup<D>> {
        if let Some(fluid) = &self.document.fluid {
            let made = self.fluid(fluid)?;
            made.check().map_err(|error| located(self.source, &fluid.span(), &error))?;
            setup = setup.fluid(made);
        }
        for (number, field) in self.document.field.iter().enumerate() {
            let made = self.field(field)?;
            made.check(number).map_err(|error| located(self.source, &field.span(), &error))?;
            setup = setup.field(made);
        }
        Ok(setup.temperature(self.document.temperature))
    }

    fn fluid(&self, given: &Spanned<FluidDocument>) -> Result<Fluid<D>> {
        let keys = given.get_ref();
        let need = |key: Option<f64>, name: &str| key.ok_or_else(|| self.missing(given.span(), "this fluid", name));
        let drag = match keys.drag.as_ref().map_or(DragName::Stokes, |drag| *drag.get_ref()) {
            DragName::Stokes => Drag::Stokes,
            DragName::SchillerNaumann => Drag::SchillerNaumann,
            DragName::Linear => Drag::Linear(need(keys.coefficient, "coefficient")?),
        };
        if let (Some(_), Drag::Stokes | Drag::SchillerNaumann) = (keys.coefficient, drag) {
            let message = "`coefficient` belongs to `drag = \"linear\"`";
            return Err(self.source.mistake(given.span(), message, "remove it, or set `drag`"));
        }
        let viscosity = match drag {
            Drag::Linear(_) => keys.viscosity.unwrap_or(0.0),
            _ => need(keys.viscosity, "viscosity")?,
        };
        let velocity = keys.velocity.as_ref().map_or(Ok([0.0; D]), |velocity| self.vector(velocity))?;
        Ok(Fluid { drag, viscosity, density: keys.density, velocity, buoyancy: keys.buoyancy })
    }

    fn field(&self, given: &Spanned<FieldDocument>) -> Result<Field<D>> {
        let keys = given.get_ref();
        let vector = |key: &Option<super::document::Vector>| key.as_ref().map_or(Ok([0.0; D]), |key| self.vector(key));
        let mut field = Field::uniform(vector(&keys.acceleration)?);
        field.about = vector(&keys.about)?;
        if let Some(rows) = &keys.gradient {
            let rows = rows.iter().map(|row| self.vector(row)).collect::<Result<Vec<_>>>()?;
            field.gradient = rows.try_into().map_err(|rows: Vec<_>| {
                let message = format!("`gradient` has {} rows, but the scene has {D} dimensions", rows.len());
                self.source.mistake(given.span(), message, format!("give {D} rows of {D} numbers"))
            })?;
        }
        Ok(field)
    }
}
