use super::{Folder, GRAINS, Outcome};

fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(data);
    file
}

fn values(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Every file is refused with one line that names it and the place, and leaves nothing behind.
fn refused(cases: Vec<(&str, Vec<u8>, &str)>) {
    for (name, content, error) in cases {
        let folder = Folder::with(name, &content);
        folder.write("out.csv", "before");
        let lines = folder.fails(&format!("detect {name} -o out.csv"));
        assert_eq!(lines[0], format!("error: cannot read {name}: {error}"), "{:?}", String::from_utf8_lossy(&content));
        assert_eq!(folder.read("out.csv"), b"before");
        let mut names = vec![name, "out.csv"];
        names.sort_unstable();
        assert_eq!(folder.names(), names);
    }
}

#[test]
fn bad_csv() {
    refused(
        [
            ("", "the file is empty"),
            ("\n \r\n", "the file is empty"),
            ("0,0,1\n1,1,1\n", "line 1: there is no header, the first line is '0,0,1'"),
            ("x,y\n0,0\n", "line 1: the header 'x,y' has no column r"),
            ("x|y|r\n0|0|1\n", "line 1: the header 'x|y|r' has no column x, y, r"),
            ("x,y,r,y\n0,0,1,0\n", "line 1: columns 2 and 4 are both named y"),
            ("x,y,r\n0,0,1\n0,0\n", "line 3: the row has 2 values, but there are 3 columns"),
            ("x,y,r\n0,0,1,5\n", "line 2: the row has 4 values, but there are 3 columns"),
            ("x,y,r\n0,zero,1\n", "line 2, column 2 (y): 'zero' is not a number"),
            ("x,y,r\n0,,1\n", "line 2, column 2 (y): the value is missing"),
            ("x,y,r\n0,1 000,1\n", "line 2, column 2 (y): '1 000' is not a number"),
            ("x,y,r\n0,0,1\n1,nan,1\n", "line 3, column 2 (y): y of particle 1 is NaN, must be finite"),
            ("x,y,r\n-inf,0,1\n", "line 2, column 1 (x): x of particle 0 is -inf, must be finite"),
            ("x,y,z,r\n0,0,1e999,1\n", "line 2, column 3 (z): z of particle 0 is inf, must be finite"),
            ("x,y,r\n0,0,NaN\n", "line 2, column 3 (r): radius of particle 0 is NaN, must be finite"),
            ("r,x,y\n1,0,0\n-0.2,0,0\n", "line 3, column 1 (r): radius of particle 1 is -0.2, must not be negative"),
            ("x,y,r\n0,0,inf\n", "line 2, column 3 (r): radius of particle 0 is inf, must be finite"),
            (
                "x,y,r\n0,0,1e-151\n",
                "line 2, column 3 (r): radius of particle 0 is 1e-151, must be 0 or between 1e-150 and 1e150",
            ),
            (
                "x,y,r\n0,0,2e150\n",
                "line 2, column 3 (r): radius of particle 0 is 2e150, must be 0 or between 1e-150 and 1e150",
            ),
        ]
        .map(|(text, error)| ("grains.csv", text.into(), error))
        .into(),
    );
    let folder = Folder::with("grains.csv", "x,y,r\n-1.5e151,0,1\n");
    let lines = folder.fails("detect grains.csv");
    assert!(
        lines[0].starts_with("error: cannot read grains.csv: line 2, column 1 (x): x of particle 0 is -1.5e151, "),
        "{lines:?}"
    );
    assert!(lines[0].ends_with("must lie within ±1e150"), "{lines:?}");
}

#[test]
fn bad_npy() {
    let header = |shape: &str| format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
    let two = header("(2, 3)");
    refused(vec![
        ("a.npy", "x,y,r\n".into(), "this is no NPY file: it does not begin with \\x93NUMPY"),
        (
            "a.npy",
            npy(&two, &values(&[0.0; 5])),
            "the file is cut short: 2 rows need 48 bytes after the header, there are 40",
        ),
        (
            "a.npy",
            npy(&two, &values(&[0.0; 7])),
            "the file is too long: 2 rows need 48 bytes after the header, there are 56",
        ),
        ("a.npy", npy(&two, &[])[..30].into(), "the file is cut short in its header"),
        ("a.npy", npy(&header("(6,)"), &values(&[0.0; 6])), "the array has shape (6)"),
        ("a.npy", npy(&header("(1, 3, 1)"), &values(&[0.0; 3])), "the array has shape (1, 3, 1)"),
        ("a.npy", npy(&header("(1, 2)"), &values(&[0.0; 2])), "the array has shape (1, 2)"),
        ("a.npy", npy(&two.replace("f8", "i8"), &[0; 48]), "the array has dtype <i8"),
        ("a.npy", npy("{'shape': (1, 3)}", &[0; 24]), "the header is not understood: {'shape': (1, 3)}"),
        (
            "a.npy",
            npy(&two, &values(&[0.0, 0.0, 1.0, 0.0, f64::NAN, 1.0])),
            "row 1, column 1 (y): y of particle 1 is NaN, must be finite",
        ),
        (
            "a.npy",
            npy(&two, &values(&[0.0, 0.0, -1.0, 0.0, 0.0, 1.0])),
            "row 0, column 2 (r): radius of particle 0 is -1, must not be negative",
        ),
    ]);
}

#[test]
fn bad_xyz_and_dump() {
    let dump = |bounds: &str, atoms: &str| {
        format!("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS {bounds}\nITEM: ATOMS {atoms}\n")
            .into_bytes()
    };
    let cube = "pp pp pp\n0 1\n0 1\n0 1";
    refused(vec![
        ("a.xyz", GRAINS.into(), "line 1: 'x,y,r' is not a number of particles"),
        ("a.xyz", "1\ncomment\nH 0 0 0\n".into(), "line 2: there is no Properties= that names the columns"),
        ("a.xyz", "1\nProperties=pos:R:3\n0 0 0\n".into(), "line 2: there is no column radius or diameter"),
        ("a.xyz", "2\nProperties=pos:R:2:r:R:1\n0 0 1\n".into(), "the header promises 2 particles, the file has 1"),
        ("a.xyz", "1\nProperties=pos:R:2:r:R:1\n0 0 one\n".into(), "line 3, column 3 (r): 'one' is not a number"),
        ("a.dump", GRAINS.into(), "line 1: this is no LAMMPS dump: it does not begin with ITEM:"),
        ("a.dump", dump(cube, "x y z\n0 0 0"), "line 9: there is no column radius or diameter"),
        ("a.dump", dump(cube, "x y radius\n0 0"), "line 10: the row has 2 values, but there are 3 columns"),
        (
            "a.lammpstrj",
            dump(cube, "x y radius\n0 nan 1"),
            "line 10, column 2 (y): y of particle 0 is NaN, must be finite",
        ),
        (
            "a.lammpstrj",
            dump("xy xz yz pp pp pp\n0 1 0.1\n0 1 0\n0 1 0", "xs y radius\n0 0 1"),
            "in a sheared box either all coordinates are scaled or none",
        ),
    ]);
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::with("a.vtp", "<VTKFile/>");
    std::fs::create_dir(folder.path("folder.csv")).unwrap();
    folder.write("binary", [0xff, 0, 1]);
    folder.write("a.xlsx", b"PK\x03\x04rest");
    folder.write("utf16.csv", b"\xff\xfex\0,\0y\0,\0r\0\n\0");
    for (name, error) in [
        ("gone.csv", "No such file or directory (os error 2)"),
        ("folder.csv", "Is a directory (os error 21)"),
        ("a.vtp", "line 1, <VTKFile>: this is VTK of type ''"),
        ("binary", "line 1: the header is not text in UTF-8"),
        ("a.xlsx", "this is a ZIP archive, as of a spreadsheet or of numpy.savez"),
        ("utf16.csv", "this is text in UTF-16"),
    ] {
        assert_eq!(folder.fails(&format!("detect {name}"))[0], format!("error: cannot read {name}: {error}"));
        assert_eq!(folder.fails(&format!("compare {name}"))[0], format!("error: cannot read {name}: {error}"));
    }
    let mut command = folder.command("detect -");
    command.write_stdin("x,y,r\n0,0\n");
    let lines = Outcome::of(command).failure("standard input");
    assert_eq!(lines[0], "error: cannot read standard input: line 2: the row has 2 values, but there are 3 columns");
}

#[test]
fn scenes_that_are_no_text() {
    let folder = Folder::with("s.toml", b"\xff\xfed\0i\0");
    assert_eq!(folder.fails("simulate s.toml")[0], "error: cannot read s.toml: it is not text in UTF-8");
}

#[test]
fn vtk_files_that_make_no_sense() {
    let file = |attributes: &str, array: &str| {
        format!(
            "<VTKFile type=\"PolyData\"{attributes}>\n<PolyData>\n<Piece NumberOfPoints=\"1\">\n<Points><DataArray \
             NumberOfComponents=\"3\">0 0 0</DataArray></Points>\n<PointData>\n{array}</PointData>\n</Piece>\n</PolyData>\n</VTKFile>"
        )
        .into_bytes()
    };
    refused(vec![
        (
            "a.vtp",
            file(" compressor=\"vtkZLibDataCompressor\"", ""),
            "line 1, <VTKFile>: its arrays are compressed by vtkZLibDataCompressor",
        ),
        ("a.vtp", file("", ""), "line 3, <Piece>: no array of its points is called radius or diameter; it has none"),
        (
            "a.vtp",
            file("", "<DataArray Name=\"radius\">inf</DataArray>"),
            "line 6, <DataArray Name=\"radius\">: size of point 0: radius of particle 0 is inf, must be finite",
        ),
        ("a.vtp", file("", "<DataArray Name=\"radius\">x</DataArray>"), "line 6, array radius: 'x' is not a number"),
        ("a.vtp", "x,y,r\n0,0,1\n".into(), "this is no VTK file: there is no <VTKFile> in its first lines"),
    ]);
}

#[test]
fn names_with_line_breaks_stay_on_one_line() {
    let folder = Folder::new();
    let mut command = folder.command("detect");
    command.arg("a\nb.csv");
    let lines = Outcome::of(command).failure("line break");
    assert_eq!(lines, ["error: cannot read a b.csv: No such file or directory (os error 2)"]);
}

#[test]
fn values_that_the_particles_do_not_allow() {
    let folder = Folder::with("grains.csv", GRAINS);
    let solid = "x,y,z,r\n0,0,0,1\n";
    folder.write("solid.csv", solid);
    for (args, error, hint) in [
        ("grains.csv --margin -1", "margin is -1, must be 0 or between 1e-150 and 1e150", None),
        ("grains.csv --margin nan", "margin is NaN, must be 0 or between 1e-150 and 1e150", None),
        (
            "grains.csv --periodic x",
            "--periodic x needs a box, and the file has none",
            Some("add --box xlo,xhi,ylo,yhi[,zlo,zhi]"),
        ),
        (
            "grains.csv --periodic z --box 0,1,0,1",
            "--periodic z, but the particles are in the plane",
            Some("name only x and y"),
        ),
        (
            "solid.csv --box 0,1,0,1",
            "--box has 4 numbers, but the particles have 3 dimensions",
            Some("give --box xlo,xhi,ylo,yhi,zlo,zhi"),
        ),
        (
            "grains.csv --box 0,1,0,1,0,1",
            "--box has 6 numbers, but the particles have 2 dimensions",
            Some("give --box xlo,xhi,ylo,yhi"),
        ),
        (
            "grains.csv --periodic y --box 0,1,5,5",
            "box along y runs from 5 to 5: it needs finite borders within ±1e150 and a length above 1e-150",
            None,
        ),
        (
            "grains.csv --periodic y --box 0,1,0,1e-9",
            "y of particle 3 is 9.5, more than 2.68435456e8 box lengths of 1e-9 away from the periodic box",
            Some("check --box, or open the axis with --periodic"),
        ),
        (
            "grains.csv --method linked-cell --levels 2",
            "method linked-cell takes no number of levels",
            Some("levels and direction belong to the hierarchical grids; see --method"),
        ),
        (
            "grains.csv --method brute-force --cell-sizes 2",
            "method brute-force takes no cell sizes",
            Some("levels and direction belong to the hierarchical grids; see --method"),
        ),
        (
            "grains.csv --method linked-cell --direction top-down",
            "method linked-cell takes no direction",
            Some("levels and direction belong to the hierarchical grids; see --method"),
        ),
        (
            "grains.csv --method hgrid --cell-sizes 1,1.5",
            "largest cell size is 1.5, but particle 0 has diameter 2 (margin included): the last cell size must be at least that",
            Some("end --cell-sizes with 2 or more, or leave the sizes to --levels"),
        ),
        (
            "grains.csv --method hgrid --cell-sizes 4,2",
            "cell sizes [4.0, 2.0] must be finite, at least 1e-155 and strictly ascending, at least one and at most MOST",
            Some("list them from fine to coarse, as in --cell-sizes 4,7.9,15.1"),
        ),
        ("grains.csv --method hgrid --levels 0", "0 levels asked for: between 1 and MOST are possible", None),
    ] {
        let lines = folder.fails(&format!("detect {args}"));
        let error = error.replace("MOST", &multigrain::limits::MAX_LEVELS.to_string());
        assert_eq!(lines[0], format!("error: {error}"), "{args}");
        assert_eq!(lines.get(1).map(String::as_str), hint.map(|hint| format!("hint: {hint}")).as_deref(), "{args}");
    }
}

#[test]
fn convert_says_what_cannot_be_read_and_not_what_is_then_not_written() {
    let folder = Folder::with("empty.csv", "");
    folder.write("good.csv", "x,y,z,r\n0,0,0,1\n");
    folder.write("bad.csv", "x,y,z,r\n0,0,0,1\n0,0,up,1\n");
    for (args, message) in [
        ("convert empty.csv -o a.xyz", "cannot read empty.csv: the file is empty"),
        ("convert good.csv bad.csv -o a.dump", "cannot read bad.csv: line 3, column 3 (z): 'up' is not a number"),
        ("convert gone.csv -o a.csv", "cannot read gone.csv: No such file or directory (os error 2)"),
    ] {
        assert_eq!(folder.fails(args)[0], format!("error: {message}"), "{args}");
    }
    assert_eq!(folder.names(), ["bad.csv", "empty.csv", "good.csv"], "nothing is left behind");
}
