//! Ids, frames, compression and slips of units.

use super::{Folder, GRAINS, without_ids};
use serde_json::Value;

/// Two frames: in the first ids 17 and 900 touch, in the second none.
const FRAMES: &str = "\
ITEM: TIMESTEP
0
ITEM: NUMBER OF ATOMS
3
ITEM: ATOMS id x y radius
900 0 0 1
17 1.5 0 1
205 9 9 1
ITEM: TIMESTEP
50
ITEM: NUMBER OF ATOMS
2
ITEM: ATOMS id x y radius
900 0 0 1
17 5 0 1
";

#[test]
fn contacts_of_files_with_ids_name_them() {
    let folder = Folder::with("a.dump", FRAMES);
    let outcome = folder.run("detect a.dump");
    assert_eq!(outcome.stderr, "note: a.dump has 2 frames, the first is read; --frame takes a number, last or all\n");
    assert_eq!(outcome.text(), "i,j,overlap,id_i,id_j\n0,2,0.5,17,900\n");
    folder.write("b.csv", "id,x,y,r\n7,0,0,1\n3,1.5,0,1\n");
    assert_eq!(folder.ok("detect b.csv"), "i,j,overlap,id_i,id_j\n0,1,0.5,7,3\n");
    folder.write("c.csv", "name,x,y,r\n7,0,0,1\n3,1.5,0,1\n");
    assert_eq!(folder.ok("detect c.csv"), "i,j,overlap\n0,1,0.5\n");
}

#[test]
fn any_frame_can_be_chosen_and_all_of_them() {
    let folder = Folder::with("a.dump", FRAMES);
    let header = "i,j,overlap,id_i,id_j\n";
    assert_eq!(folder.ok("detect a.dump --frame 0"), format!("{header}0,2,0.5,17,900\n"));
    assert_eq!(folder.ok("detect a.dump --frame 1"), header);
    assert_eq!(folder.ok("detect a.dump --frame last"), header);
    assert_eq!(folder.ok("detect a.dump --frame all"), format!("frame,{header}0,0,2,0.5,17,900\n"));
    assert_eq!(folder.run("detect a.dump --frame last").stderr, "");
    let lines = folder.fails("detect a.dump --frame 2");
    assert_eq!(lines[0], "error: cannot read a.dump: there is no frame 2: the file has 2 frames");
    assert!(folder.fails("detect a.dump --frame all -o a.npy")[0].contains("one frame"));
    let report: Value = serde_json::from_str(&folder.ok("detect a.dump --frame all --json")).unwrap();
    assert_eq!((report["contacts"].as_u64(), report["particles"].as_u64()), (Some(1), Some(5)));
    assert_eq!(report["frames"][1]["step"], 50);
    assert_eq!(report["frames"][0]["contacts"], 1);
}

#[test]
fn compressed_files_are_read_and_written() {
    let folder = Folder::new();
    folder.ok("pack --law mono --count 200 --packing-fraction 0.4 --periodic x,y,z -o plain.dump");
    let expected = folder.ok("detect plain.dump --margin 0.2");
    assert!(expected.lines().count() > 20);
    for name in ["a.dump.gz", "a.dump.zst", "a.xyz.gz", "a.vtp.zst", "a.lammpstrj.GZ"] {
        folder.ok(&format!("pack --law mono --count 200 --packing-fraction 0.4 --periodic x,y,z -o {name}"));
        assert!(!folder.read(name).starts_with(b"ITEM") && folder.read(name)[0] != b'2', "{name} is not compressed");
        let list = folder.ok(&format!("detect {name} --margin 0.2"));
        assert_eq!(without_ids(&list), without_ids(&expected), "{name}");
    }
    folder.ok("detect a.dump.gz --margin 0.2 -o list.csv.gz");
    assert!(folder.read("list.csv.gz").starts_with(b"\x1f\x8b"));
    folder.write("broken.csv.gz", &folder.read("list.csv.gz")[..40]);
    let lines = folder.fails("detect broken.csv.gz");
    assert!(lines[0].starts_with("error: cannot read broken.csv.gz: its gzip compression is damaged"), "{lines:?}");
}

#[test]
fn slips_of_units_and_two_radii_are_reported() {
    let folder = Folder::with("grains.csv", GRAINS);
    let outcome = folder.run("detect grains.csv --box 0,0.1,0,0.1 --periodic x,y -o a.csv");
    assert_eq!(outcome.code, 0);
    assert!(outcome.stderr.contains("lie outside the periodic box"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("packing fraction of "), "{}", outcome.stderr);
    folder.write("two.csv", "x,y,r,radius\n0,0,1,2\n2.5,0,1,2\n");
    let outcome = folder.run("detect two.csv");
    assert_eq!(outcome.stderr, "note: the columns r and radius both give sizes; r is taken\n");
    assert_eq!(outcome.text(), "i,j,overlap\n");
}

#[test]
fn cell_sizes_that_are_not_used_as_given_are_reported() {
    let folder = Folder::with("grains.csv", GRAINS);
    let message = folder.run("detect grains.csv --method hgrid --cell-sizes 0.1,0.2,7").stderr;
    assert!(message.starts_with("note: hgrid works with the cell sizes "), "{message}");
    assert_eq!(folder.run("detect grains.csv --method hgrid-cells --cell-sizes 1.5,7").stderr, "");
}
