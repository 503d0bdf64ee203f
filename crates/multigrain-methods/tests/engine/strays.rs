//! Bodies far away from all others.

use multigrain::{Detector, Pairs, Rng, Snapshot};
use multigrain_methods::{Candidates, Method};

#[test]
fn one_stray_does_not_make_the_search_quadratic() {
    let mut rng = Rng::new(6);
    let mut centers: Vec<[f64; 3]> = (0..20_000).map(|_| [(); 3].map(|()| 30.0 * rng.uniform())).collect();
    let radii = vec![0.5; centers.len()];
    let mut work = |far: f64| {
        centers[777] = [far; 3];
        let now = Snapshot::new(&centers, &radii).unwrap();
        let methods = Method::ALL
            .iter()
            .filter(|method| matches!(method.candidates(), Candidates::OneSize | Candidates::AnySize));
        let count = |&method: &Method| {
            let mut detector: Box<dyn Detector<3>> = method.build(now).unwrap();
            detector.count_work(now, &mut Pairs::new()).candidates
        };
        methods.map(count).collect::<Vec<u64>>()
    };
    let (home, far) = (work(15.0), work(-1e14));
    for (home, far) in home.into_iter().zip(far) {
        assert!(far < home + home / 10 + 25_000, "{home} candidates at home, {far} with a stray");
    }
}
