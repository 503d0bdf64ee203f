//! What campaigns begin with: files as the program itself writes them and as others do, scenes, random bytes; and words that
//! inputs are made of.

mod scenes;

pub use scenes::{SCENE_FILE, SCENE_WORDS, scenes, small_scenes};

use multigrain::{Domain, Rng, System};
use multigrain_files::{Column, ContactLine, Frame, FrameDetails, Mesh, Moment, SystemFormat, Target as File};

pub const CSV_WORDS: &[&str] = &[
    "x",
    "y",
    "z",
    "r",
    "radius",
    "radii",
    "diameter",
    "d",
    "weight",
    "id",
    "i",
    "j",
    "overlap",
    "sx",
    ",",
    ";",
    "\t",
    " ",
    "\"",
    "\n",
    "\r\n",
    "#",
    "# x y z r\n",
    " [m]",
    "(mm)",
    "\u{feff}",
    "x,y,r\n",
    "nan",
    "1e999",
    "vx",
    "omegaz",
    "type",
    "material",
];

pub const NPY_WORDS: &[&str] = &[
    "'descr'",
    "'fortran_order'",
    "'shape'",
    "True",
    "False",
    "(2, 3)",
    "(1, 4)",
    "(0, 3)",
    "'<f8'",
    "'>f8'",
    "'<f4'",
    "'|f4'",
    "'=f8'",
    "{",
    "}",
    ", ",
    ": ",
    "(",
    ")",
    "[",
    "]",
    "L",
];

pub const XYZ_WORDS: &[&str] = &[
    "Properties=",
    "species:S:1",
    ":pos:R:3",
    ":pos:R:2",
    ":radius:R:1",
    ":diameter:R:1",
    ":vel:R:3",
    ":id:I:1",
    ":a:R:1000",
    "Lattice=\"",
    "Origin=\"",
    "pbc=\"T T F\" ",
    "pbc=F",
    "Time=",
    "Step=",
    "\"",
    "{",
    "}",
    "[",
    "]",
    "\n",
    " ",
    "1\n",
    "0\n\n",
    "X",
];

pub const DUMP_WORDS: &[&str] = &[
    "ITEM: TIMESTEP\n",
    "ITEM: TIME\n",
    "ITEM: NUMBER OF ATOMS\n",
    "ITEM: BOX BOUNDS ",
    "ITEM: ATOMS ",
    "xy xz yz ",
    "abc origin ",
    "pp ",
    "ff ",
    "sm ",
    "id ",
    "type ",
    "x ",
    "y ",
    "z ",
    "xs ",
    "ysu ",
    "zu ",
    "radius ",
    "diameter ",
    "vx ",
    "\n",
    "ITEM:",
    "ITEM: UNITS\nlj\n",
];

pub const VTK_WORDS: &[&str] = &[
    "<VTKFile ",
    "type=\"PolyData\" ",
    "type=\"UnstructuredGrid\" ",
    "<PolyData>",
    "<UnstructuredGrid>",
    "<Piece ",
    "NumberOfPoints=\"",
    "NumberOfLines=\"",
    "<Points>",
    "<PointData>",
    "<CellData>",
    "<FieldData>",
    "<Lines>",
    "<Polys>",
    "<Cells>",
    "<DataArray ",
    "type=\"Float64\" ",
    "type=\"UInt8\" ",
    "type=\"Int64\" ",
    "Name=\"radius\" ",
    "Name=\"ids\" ",
    "Name=\"dimension\" ",
    "Name=\"box\" ",
    "Name=\"cell\" ",
    "Name=\"periodic\" ",
    "Name=\"connectivity\" ",
    "Name=\"offsets\" ",
    "Name=\"types\" ",
    "NumberOfComponents=\"",
    "format=\"ascii\"",
    "format=\"binary\"",
    "format=\"appended\" ",
    "offset=\"",
    "<AppendedData encoding=\"raw\">_",
    "encoding=\"base64\"",
    "header_type=\"UInt64\" ",
    "byte_order=\"BigEndian\" ",
    "compressor=\"",
    "/>",
    ">",
    "</",
    "\"",
    "<!--",
    "-->",
    "<?",
    "AAAA",
    "=",
];

pub const SURFACE_WORDS: &[&str] = &[
    "v ",
    "f ",
    "l ",
    "vn ",
    "o ",
    "#",
    "\n",
    " 1 2 3",
    " -1",
    "1/2/3",
    "1//2",
    "v 0 0 0\n",
    "solid",
    "facet",
    "vertex ",
    "endfacet",
];

pub const STL_WORDS: &[&str] =
    &["solid", "facet", "normal", "outer loop", "vertex ", "endloop", "endfacet", "endsolid", "\n", " 1 2 3"];

fn systems() -> (Vec<System<2>>, Vec<System<3>>) {
    let flat = System {
        centers: vec![[0.5, -1.25], [1e9, 2.0], [-0.0, 3e-7]],
        radii: vec![1.0, 0.125, 0.0],
        domain: Domain::new([0.0; 2], [4.0, 5.0], [true, false]).expect("a box"),
    };
    let solid = System {
        centers: vec![[0.5, -1.25, 3e-7], [1.0, 2.0, 3.0]],
        radii: vec![1.0, 0.125],
        domain: Domain::new([0.0; 3], [4.0, 5.0, 6.5], [true, false, true]).expect("a box"),
    };
    let edges = [[4.0, 0.0, 0.0], [1.5, 3.0, 0.0], [-0.5, 0.25, 2.0]];
    let sheared = System { domain: Domain::from_cell([0.5; 3], edges, [true; 3]).expect("a cell"), ..solid.clone() };
    let open = System { domain: Domain::open(), ..solid.clone() };
    let empty = System { centers: Vec::new(), radii: Vec::new(), domain: Domain::open() };
    (vec![flat], vec![solid, sheared, open, empty])
}

fn written(format: SystemFormat) -> Vec<Vec<u8>> {
    let (flat, solid) = systems();
    let mut files = Vec::new();
    for system in &flat {
        let mut bytes = Vec::new();
        format.write(&mut bytes, system).expect("memory takes all bytes");
        files.push(bytes);
    }
    for system in &solid {
        let mut bytes = Vec::new();
        format.write(&mut bytes, system).expect("memory takes all bytes");
        files.push(bytes);
    }
    files
}

/// Two frames with ids and columns, where a format may have them.
fn moving(format: SystemFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    for step in 0..2 {
        let system = systems().1.remove(0).checked().expect("it is sound").into();
        let columns = ["vx", "vy", "vz", "type"].map(|name| Column { name: name.to_owned(), values: vec![1.0, 2.0] });
        let moment =
            Moment { time: Some(0.5), step: Some(step), system, ids: Some(vec![9, 4]), columns: columns.into() };
        format.write_moment(&mut bytes, &moment, 0).expect("memory takes all bytes");
    }
    bytes
}

fn frame<const D: usize>() -> Frame<D> {
    Frame {
        step: 40,
        time: 0.5,
        ids: vec![2, 7],
        centers: vec![[0.1; D], [1.3; D]],
        velocities: vec![[0.5; D], [-0.1; D]],
        radii: vec![0.7, 0.3],
        materials: vec![0, 1],
        domain: Domain::new([0.0; D], [2.0; D], [false; D]).expect("a box"),
        outlines: None,
        details: Some(FrameDetails {
            spins: vec![[0.0, 0.0, 1.0]; 2],
            forces: vec![[0.0; D]; 2],
            masses: vec![1.0; 2],
            contacts: vec![0; 2],
            wall_contacts: vec![0; 2],
            stresses: vec![[0.0; 9]; 2],
            ..FrameDetails::default()
        }),
    }
}

fn texts(files: &[&str]) -> Vec<Vec<u8>> {
    files.iter().map(|file| file.as_bytes().to_vec()).collect()
}

pub fn csv() -> Vec<Vec<u8>> {
    let by_hand = [
        "# made by hand\n# x,y,r\n1,2,0.5\n3,4,0.25\n",
        "x;y;diameter\n1;2;.5\n3; 4; 0.25\n",
        "x [m] y [m] d [m] name\n1 2 1 a\n3 4 0.5 b\n",
        "\u{feff}\"x\", \"y\" ,r,id,vx,vy\r\n1, 2, 5e-1,3,1,2\r\n3,4,+0.25,1,3,4\r\n\r\n",
        "radius,weight\n1,2\n3,4\n",
        "r,name,y,x\n0.5,a,2,1\n0.25,\"b,c\",4,3",
    ];
    [written(SystemFormat::Csv), texts(&by_hand)].concat()
}

pub fn npy() -> Vec<Vec<u8>> {
    let made = |header: &str, data: &[u8]| {
        let length = (header.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()
    };
    let floats: Vec<u8> = [0.5f32, 1.5, 2.0, 1.0, 3.0, 0.25].iter().flat_map(|x| x.to_be_bytes()).collect();
    let by_hand = [
        made("{'descr': '>f4', 'fortran_order': True, 'shape': (2, 3), }\n", &floats),
        made("{\"shape\": (2L, 3L), \"descr\": \"=f4\", \"fortran_order\": False}", &floats),
    ];
    [written(SystemFormat::Npy), by_hand.into()].concat()
}

pub fn xyz() -> Vec<Vec<u8>> {
    let by_hand = [
        "1\nTime=0.5 Properties=species:S:1:pos:R:3:radius:R:1:vel:R:3:fixed:L:1\nSi 0 0 0 1 1 2 3 T\n",
        "2\nlattice={4 0 0 0 4 0 0 0 4} pbc=[T, T, F] properties=pos:R:2:diameter:R:1:id:I:1\n0 0 1 4\n1 1 2 3\n",
    ];
    [written(SystemFormat::Xyz), vec![moving(SystemFormat::Xyz)], texts(&by_hand)].concat()
}

pub fn dump() -> Vec<Vec<u8>> {
    let by_hand = [
        "ITEM: TIMESTEP\n40\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS xy xz yz pp pp pp\n0 5.5 1.5\n0 3.25 -0.5\n0 2 0.25\nITEM: ATOMS id xs ys zs diameter\n9 0.5 0.5 0 1\n4 1 1 1 1\n",
        "ITEM: TIME\n0.5\nITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS x y radius element\n1 2 3 C\n",
    ];
    let mut simulated = Vec::new();
    frame::<2>().write_dump(&mut simulated).expect("memory takes all bytes");
    [written(SystemFormat::Dump), vec![moving(SystemFormat::Dump), simulated], texts(&by_hand)].concat()
}

pub fn vtp() -> Vec<Vec<u8>> {
    let by_hand = [
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\"><PolyData><Piece NumberOfPoints=\"2\">\n<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 1 1</DataArray></Points>\n<PointData><DataArray type=\"Float64\" Name=\"radius\" format=\"ascii\">1 0.5</DataArray></PointData></Piece></PolyData></VTKFile>",
        "<VTKFile type=\"PolyData\" header_type=\"UInt64\"><PolyData><Piece NumberOfPoints=\"1\"><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"binary\">DAAAAAAAAAAAAAAAAAAAAAAAAAA=</DataArray></Points><PointData><DataArray type=\"UInt8\" Name=\"diameter\" format=\"binary\">AQAAAAAAAAAC</DataArray></PointData></Piece></PolyData></VTKFile>",
    ];
    let mut simulated = Vec::new();
    frame::<3>().write_vtp(&mut simulated).expect("memory takes all bytes");
    let mut outlined = Vec::new();
    let square = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let shaped = Frame { outlines: Some(vec![square, Vec::new()]), ..frame::<2>() };
    shaped.write_vtp(&mut outlined).expect("memory takes all bytes");
    let mesh = Mesh {
        points: vec![[0.0, 0.5, 1e-9], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]],
        lines: vec![vec![0, 1]],
        polygons: vec![vec![0, 1, 2]],
        ..Mesh::default()
    };
    let mut walls = Vec::new();
    mesh.write(&mut walls).expect("memory takes all bytes");
    [written(SystemFormat::Vtp), vec![simulated, outlined, walls], texts(&by_hand)].concat()
}

pub fn stl() -> Vec<Vec<u8>> {
    let text = "solid one\nfacet normal 0 0 1\n  outer loop\n    vertex 0 0 0\n    vertex 1 0 0\n    vertex 0 1e0 0\n  endloop\nendfacet\nendsolid one\n";
    let mut binary = [vec![b'x'; 80], 2u32.to_le_bytes().to_vec()].concat();
    for triangle in 0..2 {
        binary.extend([0; 12]);
        binary.extend((0..9).flat_map(|k| ((k * k + triangle) as f32).to_le_bytes()));
        binary.extend([0; 2]);
    }
    vec![text.as_bytes().to_vec(), binary]
}

/// Surfaces behind a byte for format and dimension.
pub fn surfaces() -> Vec<Vec<u8>> {
    let obj = "# a square and its outline\no square\nv 0 0 1\nv 1 0 1\nv 1 1 1 # corner\nv 0 1 1\nvn 0 0 1\nf 1/1/1 2//1 3 -1\nl 1 2 3 4 1\n";
    let house = include_str!("../../../scenes/parts/chute.obj");
    let flat = stl().into_iter().map(|file| [&[2][..], &file].concat());
    let lines =
        [obj, house].into_iter().flat_map(|file| [0, 1, 3].map(|choice| [&[choice][..], file.as_bytes()].concat()));
    flat.chain(lines).collect()
}

pub fn vtu() -> Vec<Vec<u8>> {
    let array = |kind: &str, name: &str, components: usize, words: &str| {
        format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"ascii\">{words}</DataArray>"
        )
    };
    let points = array("Float64", "Points", 3, "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1");
    let cells = [
        array("Int64", "connectivity", 1, "0 1 2 3 1 2 3 4 0 1"),
        array("Int64", "offsets", 1, "4 8 10"),
        array("UInt8", "types", 1, "10 10 3"),
    ];
    let file = format!(
        "<VTKFile type=\"UnstructuredGrid\" header_type=\"UInt64\"><UnstructuredGrid><Piece NumberOfPoints=\"5\" NumberOfCells=\"3\"><Points>{points}</Points><Cells>{}</Cells></Piece></UnstructuredGrid></VTKFile>",
        cells.concat()
    );
    vec![file.into_bytes()]
}

pub fn contacts() -> Vec<Vec<u8>> {
    let line =
        ContactLine { ids: [2, 7], ends: [[0.1, 0.2], [2.1, 0.2]], force: [3.0, 4.0], overlap: 0.01, bond_load: None };
    let mut simulated = Vec::new();
    frame::<2>().write_contacts_vtp(&mut simulated, &[line, line]).expect("memory takes all bytes");
    let lists = ["i,j,sx,sy,overlap\n0,1,0,-1,0.5\n3,7,0,0,0.25\n", "frame,i,j,overlap,id_i,id_j\n0,0,1,0.5,17,-205\n"];
    [vec![simulated], texts(&lists)].concat()
}

/// Files compressed both ways, behind a byte for their format.
pub fn packed() -> Vec<Vec<u8>> {
    let folder = std::env::temp_dir();
    let mut all = Vec::new();
    for (choice, file) in [(0, csv().remove(0)), (3, moving(SystemFormat::Dump)), (1, npy().remove(0))] {
        for ending in ["gz", "zst"] {
            let path = folder.join(format!("multigrain-seed-{}-{choice}.{ending}", std::process::id()));
            let written = File::File(path.clone()).write(|out| Ok(out.write_all(&file)?));
            let bytes = written.ok().and_then(|()| std::fs::read(&path).ok()).expect("temporary files can be written");
            std::fs::remove_file(&path).expect("it was written");
            all.push([&[choice][..], &bytes].concat());
        }
        all.push([&[choice][..], &file].concat());
    }
    all
}

/// Random bytes, for targets that take any.
pub fn random() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(1);
    (0..16).map(|k| (0..16 << (k % 5)).map(|_| rng.below(256) as u8).collect()).collect()
}
