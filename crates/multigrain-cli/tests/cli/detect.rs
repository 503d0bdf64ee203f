use super::{Folder, GRAINS};
use multigrain_methods::Method;

const HEADER: &str = "i,j,overlap\n";

#[test]
fn the_list_goes_to_standard_output_as_csv() {
    let folder = Folder::with("grains.csv", GRAINS);
    let outcome = folder.run("detect grains.csv");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    assert_eq!(outcome.text(), "i,j,overlap\n0,1,0.5\n");
    assert_eq!(folder.ok("detect grains.csv -o -"), "i,j,overlap\n0,1,0.5\n");
    assert_eq!(folder.names(), ["grains.csv"]);
}

#[test]
fn a_margin_takes_pairs_with_a_gap() {
    let folder = Folder::with("grains.csv", GRAINS);
    assert_eq!(folder.ok("detect grains.csv --margin 1"), "i,j,overlap\n0,1,0.5\n", "touching exactly is no contact");
    assert_eq!(folder.ok("detect grains.csv --margin 1.01"), "i,j,overlap\n0,1,0.5\n1,2,-1\n");
}

#[test]
fn periodic_axes_add_image_shifts() {
    let folder = Folder::with("grains.csv", GRAINS);
    let list = "i,j,sx,sy,overlap\n0,1,0,0,0.5\n0,3,0,-1,1.5\n1,3,0,-1,0.41886116991581024\n";
    assert_eq!(folder.ok("detect grains.csv --periodic y --box -5,5,0,10"), list);
    assert_eq!(folder.ok("detect grains.csv --periodic x,y --box -50,50,0,10"), list);
    assert_eq!(folder.ok("detect grains.csv --periodic none --box -5,5,0,10"), "i,j,overlap\n0,1,0.5\n");
    assert_eq!(folder.ok("detect grains.csv --box -5,5,0,10"), "i,j,overlap\n0,1,0.5\n");
    folder.write("one.csv", "x,y,z,r\n0.5,0.5,0.5,0.6\n");
    let own_images = "i,j,sx,sy,sz,overlap\n0,0,0,0,1,0.19999999999999996\n";
    assert_eq!(folder.ok("detect one.csv --periodic z --box 0,1,0,1,0,1"), own_images);
}

#[test]
fn cells_may_be_sheared() {
    let folder = Folder::with("two.csv", "x,y,r\n1,0.5,0.5\n4,9.75,0.5\n");
    let list = "i,j,sx,sy,overlap\n0,1,0,-1,0.25\n";
    assert_eq!(folder.ok("detect two.csv --cell 10,0,3,10 --periodic x,y"), list);
    assert_eq!(folder.ok("detect two.csv --cell 10,0,3,10,-7,1 --periodic y"), list);
    assert_eq!(folder.ok("detect two.csv --cell 10,0,3,10"), HEADER);
    for method in Method::ALL {
        assert_eq!(folder.ok(&format!("detect two.csv --cell 10,0,3,10 --periodic x,y --method {method}")), list);
    }
    let xyz = "2\nLattice=\"10 0 0 3 10 0 0 0 1\" pbc=\"T T F\" Properties=pos:R:2:radius:R:1\n1 0.5 0.5\n4 9.75 0.5\n";
    folder.write("two.xyz", xyz);
    assert_eq!(folder.ok("detect two.xyz"), list);
    assert_eq!(folder.ok("detect two.xyz --periodic x"), "i,j,sx,sy,overlap\n");
    let error = folder.fails("detect two.csv --cell 1,2,3,4,5,6,7,8,9 --periodic x");
    assert_eq!(error[0], "error: --cell has 9 numbers, but the particles have 2 dimensions");
    assert!(folder.run("detect two.csv --cell 1,2,3").stderr.contains("3 numbers, must be 9 or 12 in 3D"));
    assert!(folder.run("detect two.csv --cell 1,0,0,1 --box 0,1,0,1").stderr.contains("cannot be used with"));
    assert!(folder.fails("detect two.csv --cell 1,1,2,2 --periodic x,y")[0].contains("lie in one line or plane"));
}

#[test]
fn elements_of_meshes_that_share_no_vertex_are_pairs() {
    let triangle = |[a, b, c]: [[f64; 3]; 3]| {
        let vertex = |[x, y, z]: [f64; 3]| format!("vertex {x} {y} {z}\n");
        format!("facet normal 0 0 1\nouter loop\n{}{}{}endloop\nendfacet\n", vertex(a), vertex(b), vertex(c))
    };
    // Two triangles that share an edge, and a third above the first.
    let (a, b, c) = ([0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 3.0, 0.0]);
    let above = [a, b, c].map(|[x, y, _]| [x, y, 1.0]);
    let text = ["solid\n".to_owned(), triangle([a, b, c]), triangle([b, c, [4.0, 3.0, 0.0]]), triangle(above)].concat();
    let folder = Folder::with("mesh.stl", &text);
    let list = folder.ok("detect mesh.stl");
    let pairs: Vec<&str> = list.lines().skip(1).map(|line| &line[..4]).collect();
    assert_eq!(pairs, ["0,2,", "1,2,"], "{list}");
    assert!(folder.ok("detect mesh.stl --json").contains("\"contacts\":2,"));
    assert_eq!(folder.fails("detect mesh.stl --frame 0")[0], "error: mesh.stl is a mesh, which has no frames");
    folder.write("bad.stl", "solid\nfacet\nvertex 1 2\n");
    assert!(folder.fails("detect bad.stl")[0].ends_with("cannot read bad.stl: line 3: a vertex needs three numbers"));
    folder.ok("convert mesh.stl -o spheres.csv");
    assert_eq!(folder.ok("detect spheres.csv").lines().count(), 4, "as spheres all of them touch");
}

#[test]
fn pairs_between_two_files_are_of_one_and_the_other() {
    let folder = Folder::with("a.csv", "x,y,r\n0,0,0.5\n0.5,0,0.5\n9,0,0.5\n");
    folder.write("b.csv", "x,y,r\n9.5,0,0.25\n0.75,0,0.25\n0.75,0,0.25\n");
    let list = "i,j,overlap\n0,1,0\n0,2,0\n1,1,0.5\n1,2,0.5\n2,0,0.25\n";
    assert_eq!(folder.ok("detect a.csv --against b.csv --margin 0.01"), list);
    assert_eq!(folder.ok("detect b.csv --against a.csv").lines().nth(1), Some("0,2,0.25"));
    assert_eq!(
        folder.ok("detect a.csv --against b.csv --periodic x --box 0,9.5,0,9"),
        "i,j,sx,sy,overlap\n0,0,-1,0,0.75\n1,0,-1,0,0.25\n1,1,0,0,0.5\n1,2,0,0,0.5\n2,0,0,0,0.25\n"
    );
    let json = folder.ok("detect a.csv --against b.csv --json -o list.npy");
    assert!(json.contains("\"particles\":6") && json.contains("\"contacts\":3"), "{json}");
    let npy = folder.read("list.npy");
    assert_eq!(npy[128..], [1, 1, 1, 2, 2, 0].map(|index: u32| index.to_le_bytes()).concat());
    folder.write("solid.csv", "x,y,z,r\n0,0,0,1\n");
    assert_eq!(
        folder.fails("detect a.csv --against solid.csv")[0],
        "error: one file has particles in the plane, the other in space"
    );
    assert!(folder.fails("detect a.csv --against b.csv -o b.csv")[0].contains("would replace the particles in b.csv"));
    assert!(folder.fails("detect - --against -")[0].contains("both sets of particles"));
}

#[test]
fn the_factor_of_mmr_changes_no_pair() {
    let folder = Folder::with("grains.csv", GRAINS);
    for factor in ["1.5", "4"] {
        assert_eq!(folder.ok(&format!("detect grains.csv --method mmr --factor {factor}")), "i,j,overlap\n0,1,0.5\n");
    }
    assert_eq!(
        folder.fails("detect grains.csv --method nbs --factor 2")[0],
        "error: method nbs takes no factor between groups of sizes"
    );
}

#[test]
fn every_method_direction_and_thread_count_writes_the_same_bytes() {
    let folder = Folder::new();
    for (dimension, flags) in [(2, ""), (3, ""), (2, "--periodic x,y"), (3, "--periodic x,z")] {
        folder.ok(&format!(
            "pack --law power --exponent -2 --ratio 8 --count 600 --placement random --packing-fraction 0.8 --dimension {dimension} {flags} -o system.xyz"
        ));
        let mut first: Option<[Vec<u8>; 2]> = None;
        for method in Method::ALL {
            for threads in [1, 2, 3, 8] {
                let args = format!("detect system.xyz --method {} --threads {threads} --margin 0.05", method.name());
                folder.ok(&format!("{args} -o list.csv"));
                folder.ok(&format!("{args} -o list.npy"));
                let lists = [folder.read("list.csv"), folder.read("list.npy")];
                assert!(lists[0].len() > 1000, "hardly any contacts");
                let expected = first.get_or_insert_with(|| lists.clone());
                assert!(*expected == lists, "{method:?} with {threads} threads, {dimension}D {flags}");
            }
        }
    }
}

#[test]
fn levels_and_directions_change_nothing_but_the_work() {
    let folder = Folder::new();
    folder.ok(
        "pack --law power --exponent -3 --ratio 10 --count 500 --placement random --packing-fraction 0.7 -o system.csv",
    );
    let expected = folder.ok("detect system.csv --method brute-force");
    for method in ["hgrid", "hgrid-cells", "auto"].iter().filter(|name| Method::from_name(name).is_some()) {
        for direction in ["top-down", "bottom-up"] {
            for levels in ["--levels 1", "--levels 3", "--cell-sizes 4,9,20", ""] {
                let args = format!("detect system.csv --method {method} --direction {direction} {levels}");
                assert_eq!(folder.ok(&args), expected, "{args}");
            }
        }
    }
}

#[test]
fn npy_lists_are_pairs_of_u32_or_rows_of_i64() {
    let folder = Folder::with("grains.csv", GRAINS);
    folder.ok("detect grains.csv -o list.npy");
    let bytes = folder.read("list.npy");
    assert!(bytes.starts_with(b"\x93NUMPY\x01\x00"));
    assert!(
        String::from_utf8_lossy(&bytes[..128]).contains("{'descr': '<u4', 'fortran_order': False, 'shape': (1, 2), }")
    );
    assert_eq!(bytes[128..], [0, 0, 0, 0, 1, 0, 0, 0]);
    folder.ok("detect grains.csv -o list.npy --periodic y --box -5,5,0,10");
    let bytes = folder.read("list.npy");
    assert!(
        String::from_utf8_lossy(&bytes[..128]).contains("{'descr': '<i8', 'fortran_order': False, 'shape': (3, 4), }")
    );
    let values: Vec<i64> = bytes[128..].as_chunks::<8>().0.iter().map(|&bytes| i64::from_le_bytes(bytes)).collect();
    assert_eq!(values, [0, 1, 0, 0, 0, 3, 0, -1, 1, 3, 0, -1]);
}

#[test]
fn no_particles_one_particle_and_points_have_no_contacts() {
    let folder = Folder::new();
    for rows in ["", "1,2,3\n", "0,0,0\n0,0,0\n"] {
        folder.write("few.csv", format!("x,y,r\n{rows}"));
        for method in Method::ALL {
            assert_eq!(folder.ok(&format!("detect few.csv --method {}", method.name())), HEADER);
        }
        folder.ok("detect few.csv -o list.npy");
        assert!(String::from_utf8_lossy(&folder.read("list.npy")).contains("'shape': (0, 2)"));
    }
}

#[test]
fn a_summary_says_where_the_list_went() {
    let folder = Folder::with("grains.csv", GRAINS);
    let outcome = folder.run("detect grains.csv -o list.csv");
    assert_eq!(outcome.stderr, "1 contacts of 4 particles written to list.csv\n");
    assert!(outcome.stdout.is_empty());
}

#[test]
fn counted_work_and_medians_go_to_standard_error() {
    let folder = Folder::with("grains.csv", GRAINS);
    let outcome = folder.run("detect grains.csv --method brute-force --count-work");
    assert_eq!(
        outcome.stderr,
        "work: 6 candidate pairs tested (1.50 per particle) and 0 cells or rows of cells looked up (0.00 per particle) \
         to find 1 contacts (0.25 per particle)\n"
    );
    assert_eq!(outcome.text(), "i,j,overlap\n0,1,0.5\n");
    let outcome = folder.run("detect grains.csv --repeat 5 --threads 1");
    assert!(outcome.stderr.starts_with("time: read "), "{}", outcome.stderr);
    assert!(outcome.stderr.ends_with("on 1 thread (medians of 5 for map and search)\n"), "{}", outcome.stderr);
    assert_eq!(outcome.text(), "i,j,overlap\n0,1,0.5\n");
}

#[test]
fn explain_says_what_was_done() {
    let folder = Folder::with("grains.csv", GRAINS);
    let outcome = folder.run("detect grains.csv --method linked-cell --explain");
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    assert_eq!(lines[0], format!("method: linked-cell. {}", Method::LinkedCell.about()));
    assert_eq!(lines[1], "input: grains.csv, 4 particles in 2 dimensions, radii from 0.5 to 1");
    assert!(lines[2].starts_with("level 1: cells of size "), "{}", lines[2]);
    assert!(lines[2].ends_with(", 4 particles (100 %)"), "{}", lines[2]);
    assert!(lines[3].starts_with("work: "), "{}", lines[3]);
    assert!(lines[4].starts_with("time: read "), "{}", lines[4]);
    assert!(lines[5].starts_with("memory: "), "{}", lines[5]);
    assert_eq!(lines.len(), 6);
    assert_eq!(outcome.text(), "i,j,overlap\n0,1,0.5\n");
}

/// `script` gives it a terminal, as a shell does.
#[cfg(target_os = "linux")]
#[test]
fn a_list_that_passes_by_on_a_terminal_ends_with_its_total() {
    let folder = Folder::with("grains.csv", GRAINS);
    let on_terminal = |args: &str| {
        let mut command = assert_cmd::Command::new("script");
        let line = format!("{} detect grains.csv {args} --threads 1", env!("CARGO_BIN_EXE_multigrain"));
        command.current_dir(folder.path("")).args(["-qec", &line, "/dev/null"]);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        String::from_utf8(output.stdout).unwrap().replace('\r', "")
    };
    let text = on_terminal("");
    assert!(text.ends_with("0,1,0.5\n1 contacts of 4 particles\n"), "{text:?}");
    assert!(!on_terminal("--json").contains(" contacts of "));
    assert_eq!(folder.run("detect grains.csv").stderr, "", "no one reads along");
}
