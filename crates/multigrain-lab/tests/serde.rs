//! What is written by serde is read as it was, and checked.

use multigrain::sizes::SizeLaw;
use multigrain::{Direction, Domain, LevelChoice, Levels, Pairs, Settings, Snapshot, System, find_pairs};
use multigrain_methods::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) -> String {
    let text = serde_json::to_string(&value).unwrap();
    assert_eq!(serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    text
}

#[test]
fn what_is_written_comes_back() {
    let unit = Domain::new([0.0; 2], [1.0, 2.0], [true, false]).unwrap();
    let centers = vec![[0.1, 0.5], [0.9, 0.5]];
    let now = Snapshot::new(&centers, &[0.15; 2]).unwrap();
    assert_eq!(comes_back(find_pairs(now)), r#"{"pairs":[]}"#);
    let pairs = find_pairs(now.within(unit).unwrap());
    assert_eq!(comes_back(pairs.clone()), r#"{"pairs":[[0,1]],"shifts":[[-1,0]]}"#);
    comes_back(pairs.iter().next().unwrap());
    comes_back(Domain::<3>::open());
    comes_back(Domain::from_cell([0.5, 0.25], [[4.0, 0.0], [1.0, 3.0]], [true; 2]).unwrap());
    comes_back(System { centers, radii: vec![0.15; 2], domain: unit });
    comes_back(Levels::from_cell_sizes(&[1.0, 4.0]).unwrap());
    assert_eq!(comes_back(SizeLaw::power(-2.0, 10.0).unwrap()), r#""power(-2, 10)""#);
    assert_eq!(comes_back(Method::SortAndUpdate), r#""sort-and-update""#);
    for direction in Direction::ALL {
        assert_eq!(direction.to_string().parse(), Ok(direction));
    }
    assert!("sideways".parse::<Direction>().unwrap_err().to_string().contains("`sideways`"));
    comes_back(Settings::default().with_levels(LevelChoice::Count(3)).with_direction(Direction::BottomUp));
}

#[test]
fn what_cannot_be_is_refused() {
    assert!(serde_json::from_str::<Pairs<2>>(r#"{"pairs":[[1,0]]}"#).is_err());
    assert!(serde_json::from_str::<Pairs<2>>(r#"{"pairs":[[0,1]],"shifts":[[0,0],[0,0]]}"#).is_err());
    assert!(serde_json::from_str::<Levels>(r#"[{"max_radius":2.0,"cell_size":1.0}]"#).is_err());
    assert!(serde_json::from_str::<SizeLaw>(r#""power(1)""#).is_err());
    assert!(serde_json::from_str::<Method>(r#""magic""#).is_err());
    let flat = r#"{"space":[[0.0,0.0],[[1.0,1.0],[2.0,2.0]]],"periodic":[true,true]}"#;
    assert!(serde_json::from_str::<Domain<2>>(flat).is_err());
}
