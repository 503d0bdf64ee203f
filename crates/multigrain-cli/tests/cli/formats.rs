use super::{Folder, GRAINS, Outcome, without_ids};

/// An NPY file as numpy writes it.
fn npy(version: u8, descr: &str, fortran_order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': {fortran_order}, 'shape': {shape}, }}");
    while (header.len() + 11) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut file = b"\x93NUMPY".to_vec();
    file.extend([version, 0]);
    match version {
        1 => file.extend((header.len() as u16).to_le_bytes()),
        _ => file.extend((header.len() as u32).to_le_bytes()),
    }
    file.extend(header.as_bytes());
    file.extend(data);
    file
}

const ROWS: [f64; 12] = [0.0, 0.0, 1.0, 1.5, 0.0, 1.0, 4.0, 0.0, 0.5, 0.0, 9.5, 1.0];
const COLUMNS: [f64; 12] = [0.0, 1.5, 4.0, 0.0, 0.0, 0.0, 0.0, 9.5, 1.0, 1.0, 0.5, 1.0];

#[test]
fn the_same_grains_in_every_format_have_the_same_contacts() {
    let folder = Folder::new();
    let files: Vec<(&str, Vec<u8>)> = vec![
        ("plain.csv", GRAINS.into()),
        ("dos.csv", "\u{feff}\"r\", name ,\"x\",y\r\n1,\"a, b\",0,0\r\n1,,1.5,0\r\n .5 ,x,4 , 0\r\n1,x,0,9.5\r\n\r\n".into()),
        ("header-by-numpy.csv", GRAINS.replace("x,", "# x,").into()),
        ("no-extension", GRAINS.into()),
        ("table.txt", GRAINS.into()),
        ("f8.npy", npy(1, "<f8", "False", "(4, 3)", &ROWS.map(f64::to_le_bytes).concat())),
        ("big.npy", npy(2, ">f8", "False", "(4, 3)", &ROWS.map(f64::to_be_bytes).concat())),
        ("fortran.npy", npy(1, "<f8", "True", "(4, 3)", &COLUMNS.map(f64::to_le_bytes).concat())),
        ("f4.npy", npy(3, "<f4", "False", "(4, 3)", &ROWS.map(|value| (value as f32).to_le_bytes()).concat())),
        ("f4-fortran.npy", npy(1, ">f4", "True", "(4, 3)", &COLUMNS.map(|value| (value as f32).to_be_bytes()).concat())),
        ("npy-by-content.csv", npy(1, "<f8", "False", "(4, 3)", &ROWS.map(f64::to_le_bytes).concat())),
        (
            "grains.xyz",
            "4\nLattice=\"20 0 0 0 10 0 0 0 1\" Origin=\"-10 0 0\" Properties=species:S:1:pos:R:2:radius:R:1 pbc=\"F F F\"\n\
             A 0 0 1\nA 1.5 0 1\nB 4 0 0.5\nA 0 9.5 1\n"
                .into(),
        ),
        ("xyz-by-content.txt", "4\nProperties=pos:R:2:radii:R:1\n0 0 1\n1.5 0 1\n4 0 0.5\n0 9.5 1\n".into()),
        (
            "grains.dump",
            "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n4\nITEM: BOX BOUNDS ff ff pp\n-10 10\n0 10\n-0.5 0.5\n\
             ITEM: ATOMS id type x y diameter\n3 1 4 0 1\n1 1 0 0 2\n4 1 0 9.5 2\n2 1 1.5 0 2\n"
                .into(),
        ),
        (
            "scaled.lammpstrj",
            "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n4\nITEM: BOX BOUNDS ff ff pp\n-16 16\n0 16\n-0.5 0.5\n\
             ITEM: ATOMS xs ys radius\n0.5 0 1\n0.546875 0 1\n0.625 0 0.5\n0.5 0.59375 1\n"
                .into(),
        ),
        (
            "grains.vtp",
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\">\n<PolyData><Piece NumberOfPoints=\"4\">\n\
             <Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1.5 0 0 4 0 0 0 9.5 0\
             </DataArray></Points>\n<PointData><DataArray type=\"Float32\" Name=\"Diameter\" format=\"ascii\">2 2 1 2\
             </DataArray></PointData>\n</Piece></PolyData></VTKFile>\n"
                .into(),
        ),
    ];
    for (name, content) in files {
        folder.write(name, &content);
        assert_eq!(without_ids(&folder.ok(&format!("detect {name}"))), "i,j,overlap\n0,1,0.5\n", "{name}");
        let mut command = folder.command("detect -");
        command.write_stdin(content);
        let outcome = Outcome::of(command);
        assert_eq!(without_ids(&outcome.text()), "i,j,overlap\n0,1,0.5\n", "{name} on standard input");
    }
}

#[test]
fn box_and_boundaries_of_the_file_are_used_unless_flags_say_otherwise() {
    let folder = Folder::new();
    folder.write(
        "grains.dump",
        "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n4\nITEM: BOX BOUNDS ff pp pp\n-10 10\n0 10\n-0.5 0.5\n\
         ITEM: ATOMS x y radius\n0 0 1\n1.5 0 1\n4 0 0.5\n0 9.5 1\n",
    );
    folder.write(
        "grains.xyz",
        "4\nLattice=\"20 0 0 0 10 0 0 0 1\" Properties=pos:R:2:radius:R:1 pbc=\"F T F\"\n0 0 1\n1.5 0 1\n4 0 0.5\n0 9.5 1\n",
    );
    for name in ["grains.dump", "grains.xyz"] {
        let wrapped = folder.ok(&format!("detect {name}"));
        assert_eq!(wrapped.lines().next(), Some("i,j,sx,sy,overlap"));
        assert_eq!(wrapped.lines().count(), 4);
        assert_eq!(folder.ok(&format!("detect {name} --periodic none")), "i,j,overlap\n0,1,0.5\n");
        let larger = folder.ok(&format!("detect {name} --box 0,20,-50,50"));
        assert_eq!(larger, "i,j,sx,sy,overlap\n0,1,0,0,0.5\n");
    }
}

#[test]
fn systems_read_back_as_they_were_written() {
    let folder = Folder::new();
    for (dimension, periodic) in [(2, "none"), (2, "y"), (3, "x,z"), (3, "none")] {
        let pack = format!(
            "pack --law power --exponent -3 --ratio 7 --count 500 --placement random --packing-fraction 0.9 --dimension {dimension} --periodic {periodic} --json"
        );
        let mut lists = Vec::new();
        for name in ["a.xyz", "a.dump", "a.lammpstrj", "a.vtp", "a.csv", "a.npy"] {
            let report: serde_json::Value = serde_json::from_str(&folder.ok(&format!("{pack} -o {name}"))).unwrap();
            let bounds = report["box"].to_string().replace(['[', ']'], "");
            let space = if name.starts_with("a.c") || name.starts_with("a.n") {
                format!("--periodic {periodic} --box {bounds}")
            } else {
                String::new()
            };
            lists.push(without_ids(&folder.ok(&format!("detect {name} {space}"))));
        }
        assert!(lists[0].lines().count() > 100);
        assert!(lists.iter().all(|list| *list == lists[0]), "{dimension} {periodic}");
    }
}

#[test]
fn large_tables_are_read_whole_and_in_order() {
    let folder = Folder::new();
    folder.ok("pack --law mono --count 120000 --placement random --packing-fraction 0.2 -o a.csv");
    assert!(folder.read("a.csv").len() > 4 << 20, "several blocks");
    folder.ok("pack --law mono --count 120000 --placement random --packing-fraction 0.2 -o a.npy");
    assert!(folder.ok("detect a.csv --threads 3") == folder.ok("detect a.npy --threads 1"));
}
