//! Laws by the names of their numbers, and what is said of those that cannot be.

use multigrain_dem::{CohesionName, ContactLaw, LawKeys, Material, Resistance, RollingName};

fn keys(numbers: &[(&str, f64)]) -> LawKeys {
    let mut keys = LawKeys::default();
    for (name, value) in numbers {
        *keys.number(name).unwrap() = Some(*value);
    }
    keys
}

#[test]
fn every_number_has_a_name_and_a_place() {
    for name in LawKeys::NAMES {
        assert_eq!(keys(&[(name, 0.5)]).number(name), Some(&mut Some(0.5)));
    }
    assert_eq!(LawKeys::default().number("no_such"), None);
    assert!(CohesionName::NAMES.iter().all(|name| CohesionName::from_name(name).unwrap().name() == *name));
}

#[test]
fn parts_that_do_not_fit_are_reported() {
    let linear = [("stiffness", 1e3)];
    let with = |more: &[(&str, f64)]| keys(&[&linear, more].concat());
    let cases = [
        (with(&[("rolling_stiffness", 1.0)]), "belong to a friction"),
        (LawKeys { rolling: Some(RollingName::Spring), ..with(&[]) }, "not how strongly"),
        (
            LawKeys {
                rolling: Some(RollingName::Constant),
                ..with(&[("rolling_friction", 0.1), ("rolling_damping", 0.1)])
            },
            "neither",
        ),
        (with(&[("adhesion_energy", 0.1)]), "two kinds of cohesion"),
        (with(&[("adhesion_range", 0.1)]), "needs `adhesion`"),
        (with(&[("adhesion", 0.1), ("surface_tension", 0.1)]), "several kinds"),
        (LawKeys { cohesion: Some(CohesionName::Jkr), ..with(&[]) }, "needs `adhesion_energy`"),
        (with(&[("surface_tension", 0.1)]), "`liquid_volume`"),
        (with(&[("cohesive_stiffness", 0.1)]), "Luding's law needs"),
        (with(&[("bond_gap", 0.1)]), "bonds need"),
        (
            keys(&[("modulus", 1.0), ("poisson", 0.3), ("unloading_stiffness", 2.0), ("plastic_depth", 0.1)]),
            "belongs to the linear law",
        ),
    ];
    for (keys, problem) in cases {
        let mistake = keys.law().unwrap_err();
        assert!(mistake.problem.contains(problem), "{mistake:?} in place of {problem}");
    }
}

#[test]
fn numbers_that_cannot_be_are_reported_by_their_names() {
    let linear = [("stiffness", 1e3)];
    let cases: [(&[(&str, f64)], &str); 10] = [
        (&[("rolling_friction", -1.0)], "rolling_friction"),
        (&[("twisting_friction", 0.1), ("twisting_stiffness", 0.0)], "twisting_stiffness"),
        (&[("adhesion", -1.0)], "adhesion"),
        (&[("adhesion", 1.0), ("adhesion_range", f64::NAN)], "adhesion_range"),
        (&[("surface_tension", 0.07), ("contact_angle", 95.0), ("liquid_volume", 1e-9)], "contact_angle"),
        (&[("surface_tension", 0.07), ("liquid_volume", 0.0)], "liquid_volume"),
        (&[("unloading_stiffness", 500.0), ("plastic_depth", 0.1)], "unloading_stiffness"),
        (&[("unloading_stiffness", 5000.0), ("plastic_depth", 1.0)], "plastic_depth"),
        (&[("bond_modulus", 1e6), ("bond_strength", 1e6)], "bond_strength"),
        (&[("bond_modulus", 1e6), ("bond_strength", 1e3), ("bond_radius", 0.0)], "bond_radius"),
    ];
    for (more, named) in cases {
        let law = keys(&[&linear, more].concat()).law().unwrap();
        let error = Material::new(1.0, law).check("material 0").unwrap_err().to_string();
        assert!(error.starts_with(&format!("{named} of material 0 is ")), "{error}");
    }
    let jkr = LawKeys { cohesion: Some(CohesionName::Jkr), ..keys(&[("stiffness", 1.0), ("adhesion_energy", 1.0)]) };
    assert!(jkr.law().unwrap().check("it").unwrap_err().to_string().contains("needs Hertz"));
    let area = ContactLaw::area(1.0).rolling(Resistance::constant(0.1));
    assert!(area.check("it").unwrap_err().to_string().contains("law of areas"));
}
