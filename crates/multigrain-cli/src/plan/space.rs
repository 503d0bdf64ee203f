//! The space the particles are in: flags over what the file says.

use crate::failure::{hinted, say};
use crate::flags::SpaceFlags;
use crate::memory;
use crate::table::count;
use anyhow::Result;
use multigrain::sizes::ball_volume;
use multigrain::{CheckedSystem, Domain, Snapshot, System};
use multigrain_files::AXES;

/// Contacts with images from which on it is looked whether there is memory for them.
const MANY_CONTACTS: f64 = 1e7;

/// Margin, box and periodic axes, as far as flags give them.
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    /// Gap below which particles are in contact.
    pub margin: f64,
    /// The box, as `xlo,xhi,ylo,yhi[,zlo,zhi]`.
    pub bounds: Option<Vec<f64>>,
    /// A sheared box, as edges and, where it is given, the origin.
    pub cell: Option<Vec<f64>>,
    /// Periodic axes.
    pub periodic: Option<[bool; 3]>,
}

impl Space {
    /// From flags.
    pub fn from_flags(flags: &SpaceFlags) -> Self {
        Self {
            margin: flags.margin,
            bounds: flags.bounds.as_ref().map(|bounds| bounds.0.clone()),
            cell: flags.cell.as_ref().map(|cell| cell.0.clone()),
            periodic: flags.periodic.map(|axes| axes.0),
        }
    }

    /// The particles of a file in this space.
    pub fn snapshot<'a, const D: usize>(&self, particles: &'a CheckedSystem<D>) -> Result<Snapshot<'a, D>> {
        let domain = self.domain(particles.domain.bounded())?;
        let now = particles.snapshot().within(domain)?.with_margin(self.margin)?;
        images_fit(&now)?;
        slips(particles, &domain).iter().for_each(|slip| say(&format!("note: {slip}")));
        Ok(now)
    }

    /// The domain, given that of the file. Flags come first.
    pub fn domain<const D: usize>(&self, of_file: Option<Domain<D>>) -> Result<Domain<D>> {
        let periodic: [bool; D] = match self.periodic {
            Some(axes) => periodic_axes(axes)?,
            None => std::array::from_fn(|axis| of_file.is_some_and(|domain| domain.is_periodic(axis))),
        };
        let with_flags = |domain: Domain<D>| Domain::from_cell(domain.origin(), domain.edges(), periodic);
        match (&self.bounds, &self.cell, of_file) {
            (Some(bounds), _, _) => {
                let (lo, hi) = corners(bounds)?;
                Ok(Domain::new(lo, hi, periodic)?)
            }
            (None, Some(cell), _) => {
                let (origin, edges) = edges_of(cell)?;
                Ok(Domain::from_cell(origin, edges, periodic)?)
            }
            (None, None, Some(domain)) if domain.is_sheared() => Ok(with_flags(domain)?),
            (None, None, Some(domain)) => Ok(Domain::new(domain.lo(), domain.hi(), periodic)?),
            (None, None, None) if !periodic.contains(&true) => Ok(Domain::open()),
            (None, None, None) => Err(hinted(
                format!("--periodic {} needs a box, and the file has none", axis_names(&periodic)),
                "add --box xlo,xhi,ylo,yhi[,zlo,zhi]",
            )),
        }
    }
}

/// An error if particles touch so many images of each other that no list could hold them: a tiny box makes billions of contacts of
/// a single particle.
fn images_fit<const D: usize>(now: &Snapshot<'_, D>) -> Result<()> {
    let contacts = now.contacts_with_images();
    if contacts < MANY_CONTACTS {
        return Ok(());
    }
    let ensured =
        memory::ensure("contacts with images", contacts as u64, size_of::<[u32; 2]>() + size_of::<[i32; D]>());
    ensured.map_err(|error| {
        hinted(
            error.to_string(),
            "the periodic box is far smaller than the particles: check its unit, or open it with --periodic",
        )
    })
}

/// What shows that box and particles are not of one unit.
fn slips<const D: usize>(particles: &System<D>, domain: &Domain<D>) -> Vec<String> {
    let periodic: Vec<usize> = (0..D).filter(|&axis| domain.is_periodic(axis)).collect();
    let (lo, hi) = (domain.lo(), domain.hi());
    let is_outside = |center: &&[f64; D]| periodic.iter().any(|&axis| !(lo[axis]..=hi[axis]).contains(&center[axis]));
    let mut slips = Vec::new();
    let outside = particles.centers.iter().filter(is_outside).count();
    if 2 * outside > particles.len() {
        slips.push(format!(
            "{} of {} particles lie outside the periodic box and are wrapped into it; is the box in the unit of the file?",
            count(outside as u64),
            count(particles.len() as u64)
        ));
    }
    let volume: f64 = (0..D).map(|axis| hi[axis] - lo[axis]).product();
    let fraction = particles.radii.iter().map(|&radius| ball_volume(radius, D)).sum::<f64>() / volume;
    if periodic.len() == D && fraction > 1.0 {
        slips.push(format!("the particles fill the periodic box to a packing fraction of {fraction:.3}, above 1"));
    }
    slips
}

/// The flags of `D` axes out of three.
pub fn periodic_axes<const D: usize>(axes: [bool; 3]) -> Result<[bool; D]> {
    if axes[D..].contains(&true) {
        return Err(hinted("--periodic z, but the particles are in the plane", "name only x and y"));
    }
    Ok(std::array::from_fn(|axis| axes[axis]))
}

/// Lower and upper corner of a box of flags.
pub fn corners<const D: usize>(bounds: &[f64]) -> Result<([f64; D], [f64; D])> {
    if bounds.len() != 2 * D {
        let form = if D == 2 { "xlo,xhi,ylo,yhi" } else { "xlo,xhi,ylo,yhi,zlo,zhi" };
        return Err(hinted(
            format!("--box has {} numbers, but the particles have {D} dimensions", bounds.len()),
            format!("give --box {form}"),
        ));
    }
    Ok((std::array::from_fn(|axis| bounds[2 * axis]), std::array::from_fn(|axis| bounds[2 * axis + 1])))
}

/// Origin and edges of `--cell`.
fn edges_of<const D: usize>(cell: &[f64]) -> Result<([f64; D], [[f64; D]; D])> {
    if cell.len() != D * D && cell.len() != D * D + D {
        let form = if D == 2 { "ax,ay,bx,by[,ox,oy]" } else { "ax,ay,az,bx,by,bz,cx,cy,cz[,ox,oy,oz]" };
        return Err(hinted(
            format!("--cell has {} numbers, but the particles have {D} dimensions", cell.len()),
            format!("give --cell {form}"),
        ));
    }
    let origin = std::array::from_fn(|axis| cell.get(D * D + axis).copied().unwrap_or(0.0));
    Ok((origin, std::array::from_fn(|k| std::array::from_fn(|axis| cell[D * k + axis]))))
}

fn axis_names(periodic: &[bool]) -> String {
    let names: Vec<&str> = AXES.into_iter().zip(periodic).filter(|(_, is)| **is).map(|(name, _)| name).collect();
    names.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(bounds: Option<&[f64]>, periodic: Option<[bool; 3]>) -> Space {
        Space { margin: 0.0, bounds: bounds.map(<[f64]>::to_vec), cell: None, periodic }
    }

    #[test]
    fn flags_come_before_the_file() {
        let file = Domain::new([0.0; 2], [1.0; 2], [true, false]).unwrap();
        let of = |bounds, periodic| space(bounds, periodic).domain(Some(file)).unwrap();
        assert_eq!(of(None, None), file);
        assert_eq!(of(None, Some([false, true, false])), Domain::new([0.0; 2], [1.0; 2], [false, true]).unwrap());
        assert!(!of(None, Some([false; 3])).has_images());
        let wider = Domain::new([-1.0, -2.0], [3.0, 4.0], [true, false]).unwrap();
        assert_eq!(of(Some(&[-1.0, 3.0, -2.0, 4.0]), None), wider);
    }

    #[test]
    fn slips_of_units_are_seen() {
        let particles =
            System { centers: vec![[5.0, 0.5], [7.0, 0.5], [0.5, 0.5]], radii: vec![0.1; 3], domain: Domain::open() };
        let unit = |periodic| Domain::new([0.0; 2], [1.0; 2], periodic).unwrap();
        let notes = slips(&particles, &unit([true, false]));
        assert_eq!(notes.len(), 1);
        assert!(notes[0].starts_with("2 of 3 particles lie outside the periodic box"), "{notes:?}");
        assert!(slips(&particles, &unit([false, true])).is_empty());
        let large = System { radii: vec![0.5; 3], ..particles };
        assert!(slips(&large, &unit([true; 2]))[1].contains("packing fraction of 2.356"));
    }

    #[test]
    fn cells_may_be_sheared() {
        let edges = [[4.0, 0.0], [1.0, 3.0]];
        let of = |cell: &[f64], periodic, file| {
            Space { cell: Some(cell.to_vec()), ..space(None, periodic) }.domain::<2>(file)
        };
        let both = Some([true, true, false]);
        let sheared = Domain::from_cell([0.0; 2], edges, [true; 2]).unwrap();
        assert_eq!(of(&[4.0, 0.0, 1.0, 3.0], both, None).unwrap(), sheared);
        let moved = Domain::from_cell([5.0, 6.0], edges, [true, false]).unwrap();
        assert_eq!(of(&[4.0, 0.0, 1.0, 3.0, 5.0, 6.0], None, Some(moved)).unwrap(), moved);
        let open = space(None, Some([false; 3])).domain(Some(moved)).unwrap();
        assert!(open.is_sheared() && !open.has_images() && open.edges() == edges);
        assert_eq!(space(None, None).domain(Some(moved)).unwrap(), moved);
        let error = of(&[1.0; 9], both, None).unwrap_err();
        assert_eq!(format!("{error:#}"), "--cell has 9 numbers, but the particles have 2 dimensions");
    }

    #[test]
    fn says_what_does_not_fit() {
        let error = |bounds, periodic| format!("{:#}", space(bounds, periodic).domain::<2>(None).unwrap_err());
        assert_eq!(error(None, Some([true, true, false])), "--periodic x,y needs a box, and the file has none");
        assert_eq!(error(None, Some([false, false, true])), "--periodic z, but the particles are in the plane");
        assert_eq!(error(Some(&[0.0; 6]), None), "--box has 6 numbers, but the particles have 2 dimensions");
        assert!(error(Some(&[0.0, 1.0, 2.0, 1.0]), None).starts_with("box along y runs from 2 to 1"));
        assert!(!space(None, None).domain::<3>(None).unwrap().has_images());
    }
}
