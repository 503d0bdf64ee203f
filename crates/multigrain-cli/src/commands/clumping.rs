//! Clumps in the places of the spheres around them.

use crate::failure::hinted;
use crate::flags::Filling;
use crate::plan::{Placement, too_much_for_growth};
use anyhow::Result;
use multigrain::{Axes, Dimension, System, find_pairs};
use multigrain_dem::ClumpShape;
use multigrain_files::{Frame, FrameDetails, SystemFormat, Target};

/// What spheres are filled with.
pub struct Clumping<const D: usize> {
    shape: ClumpShape<D>,
}

/// Members of clumps, clump by clump.
pub struct Clumped<const D: usize> {
    pub members: System<D>,
    /// Which clump each is of, and how that is turned.
    clumps: Vec<(i64, [f64; 4])>,
}

impl<const D: usize> Clumping<D>
where
    Axes: Dimension<D>,
{
    /// Clumps of these members: numbers of the center, then the radius.
    pub fn new(spheres: &[Vec<f64>]) -> Result<Self> {
        let mut members = Vec::new();
        for (number, numbers) in spheres.iter().enumerate() {
            let Some((&radius, place)) = numbers.split_last().filter(|(_, place)| place.len() == D) else {
                let message = format!("sphere {number} of --spheres has {} numbers", numbers.len());
                let hint = if D == 2 { "give x,y,radius of each" } else { "give x,y,z,radius of each" };
                return Err(hinted(message, hint));
            };
            members.push((std::array::from_fn(|axis| place[axis]), radius));
        }
        let shape = ClumpShape::new(&members)
            .map_err(|error| hinted(format!("--spheres: {error}"), "give a positive radius behind each center"))?;
        Ok(Self { shape })
    }

    /// Volume of a clump over that of the sphere around it.
    pub fn share(&self) -> f64 {
        self.shape.share()
    }

    /// How the spheres around clumps are placed, where clumps are to be placed so.
    pub fn placement(&self, wish: &Placement) -> Result<Placement> {
        let share = self.share();
        let around = wish.around_clumps(share);
        if let Placement::Growth { filling: Some(Filling::To(asked)), .. } = &around
            && let Some(reason) = too_much_for_growth(0, *asked, D)
        {
            let clumps = asked * share;
            return Err(hinted(
                format!(
                    "clumps with a packing fraction of {clumps} need spheres around them with {asked:.3}: {reason}"
                ),
                format!("clumps fill {share:.3} of the spheres around them: ask for less, or for max"),
            ));
        }
        Ok(around)
    }

    /// A clump in each sphere.
    pub fn fill(&self, around: &System<D>, upright: bool, seed: u64) -> Result<Clumped<D>> {
        let (shapes, grains) = self.shape.fill(around, upright, seed)?;
        let domain = around.domain;
        let mut members = System { centers: Vec::new(), radii: Vec::new(), domain };
        let mut clumps = Vec::new();
        for (number, grain) in (0..).zip(&grains) {
            let shape = grain.clump.map_or(&self.shape, |shape| &shapes[shape as usize]);
            for (member, radius) in shape.placed(grain.position, grain.turned) {
                members.centers.push(domain.wrap(member).0);
                members.radii.push(radius);
                clumps.push((number, grain.turned));
            }
        }
        Ok(Clumped { members, clumps })
    }
}

impl<const D: usize> Clumped<D>
where
    Axes: Dimension<D>,
{
    /// Pairs of members of different clumps that overlap.
    pub fn overlapping_pairs(&self) -> Result<usize> {
        let groups: Vec<u32> = self.clumps.iter().map(|&(number, _)| number as u32).collect();
        Ok(find_pairs(self.members.snapshot()?.in_groups(&groups)?).len())
    }

    /// Writes them as a snapshot of a simulation that has not begun.
    pub fn save(&self, target: &Target, format: SystemFormat) -> Result<()> {
        let System { centers, radii, domain } = &self.members;
        let count = radii.len();
        let frame = Frame {
            step: 0,
            time: 0.0,
            ids: (0..count as u64).collect(),
            centers: centers.clone(),
            velocities: vec![[0.0; D]; count],
            radii: radii.clone(),
            materials: vec![0; count],
            outlines: None,
            domain: *domain,
            details: Some(FrameDetails {
                spins: vec![[0.0; 3]; count],
                forces: vec![[0.0; D]; count],
                masses: vec![0.0; count],
                contacts: vec![0; count],
                wall_contacts: vec![0; count],
                bonds: None,
                clumps: Some(self.clumps.clone()),
                stresses: vec![[0.0; 9]; count],
                temperatures: None,
            }),
        };
        target.write(|out| match format {
            SystemFormat::Vtp => frame.write_vtp(out),
            _ => frame.write_dump(out),
        })?;
        Ok(())
    }
}
