//! Examples of the documents are what the program does: commands, what they print, and scenes.

use super::Folder;
use std::path::Path;

/// A block of code.
struct Block {
    language: String,
    text: String,
    /// Whether nothing stands between it and the block before.
    follows: bool,
}

/// In order, in one folder: later commands read what earlier ones wrote.
#[test]
fn the_commands_of_the_readme_work_as_printed() {
    assert!(run_commands("README.md") >= 8);
}

/// Each page of the book in a folder of its own.
#[test]
fn the_commands_of_the_book_work_as_printed() {
    let seen: usize = pages_of_the_book().iter().map(|page| run_commands(&format!("docs/{page}"))).sum();
    assert!(seen >= 8, "{seen} commands");
}

/// Scenes are whole, or tables that a page shows in pieces: then they say what is read, and no more.
#[test]
fn the_scenes_of_the_book_run() {
    let mut seen = 0;
    for page in pages_of_the_book() {
        for Block { language, text, .. } in blocks_of(&format!("docs/{page}")) {
            if language != "toml" {
                continue;
            }
            let scene = if text.contains("[domain]") { text } else { scene_around(&text) };
            let folder = Folder::with("scene.toml", scene);
            folder.write("blade.stl", MESH);
            folder.ok("simulate scene.toml --duration 0.001");
            seen += 1;
        }
    }
    assert!(seen >= 7, "{seen} scenes");
}

/// A scene of tables that a page shows, with what they need: a box of their dimension, a material, grains.
fn scene_around(tables: &str) -> String {
    let is_solid = ["zz = ", "[0.0, 0.0, "].iter().any(|sign| tables.contains(sign));
    let dimension = if is_solid { 3 } else { 2 };
    let vector = |number: &str| format!("[{}]", vec![number; dimension].join(", "));
    let mut scene =
        format!("dimension = {dimension}\nduration = 0.5\n[domain]\nlo = {}\nhi = {}\n", vector("0.0"), vector("1.0"));
    if tables.contains("[[deform]]") {
        scene += "periodic = [\"x\", \"y\", \"z\"]\n";
    }
    scene += tables;
    if !tables.contains("[[material]]") {
        scene += "\n[[material]]\nname = \"grain\"\ndensity = 2500.0\nstiffness = 1000.0\n";
    }
    let grains = ["[[polygons]]", "[[clumps]]", "[[insert]]"];
    if !grains.iter().any(|table| tables.contains(table)) {
        let (lo, hi) = (vector("0.02"), vector("0.09"));
        scene += &format!("\n[[particles]]\ncount = 20\nradius = 0.004\nlo = {lo}\nhi = {hi}\n");
    }
    scene
}

/// Pages of the table of contents.
fn pages_of_the_book() -> Vec<String> {
    let summary = read("docs/SUMMARY.md");
    let links = summary.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned()));
    links.collect()
}

/// Two triangles that share no vertex.
const MESH: &str = "solid two
facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet
facet normal 0 0 1 outer loop vertex 0 0 0.1 vertex 1 0 0.1 vertex 0 1 0.1 endloop endfacet
endsolid two
";

/// Two tetrahedra likewise.
const BODY: &str = r#"<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian"><UnstructuredGrid>
<Piece NumberOfPoints="8" NumberOfCells="2">
<Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">
0 0 0 1 0 0 0 1 0 0 0 1 0.1 0.1 0.1 1.1 0.1 0.1 0.1 1.1 0.1 0.1 0.1 1.1
</DataArray></Points>
<Cells>
<DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 3 4 5 6 7</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">4 8</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">10 10</DataArray>
</Cells></Piece></UnstructuredGrid></VTKFile>
"#;

/// Runs the commands of a page; where a block of text follows them at once, they must have printed it.
fn run_commands(page: &str) -> usize {
    let folder = Folder::new();
    // Meshes that pages name.
    folder.write("mesh.stl", MESH);
    folder.write("body.vtu", BODY);
    let (mut seen, mut printed) = (0, String::new());
    for Block { language, text, follows } in blocks_of(page) {
        match language.as_str() {
            "sh" => {
                printed.clear();
                for command in commands_of(&text) {
                    let outcome = folder.run(&command);
                    assert_eq!(outcome.code, 0, "{page}: {command}: {}", outcome.stderr);
                    printed += &outcome.stderr;
                    printed += &String::from_utf8_lossy(&outcome.stdout);
                    seen += 1;
                }
            }
            "text" if follows && !printed.is_empty() => {
                // Three dots stand for what differs from run to run.
                for part in text.lines().flat_map(|line| line.split("...")).map(str::trim) {
                    assert!(printed.contains(part), "{page} prints `{part}`, the program prints\n{printed}");
                }
                printed.clear();
            }
            _ => printed.clear(),
        }
    }
    seen
}

/// Lines of a shell block that call the program, without what comments say.
fn commands_of(shell: &str) -> Vec<String> {
    let command = |line: &str| Some(line.strip_prefix("multigrain ")?.split(" #").next()?.trim().to_owned());
    shell.lines().filter_map(command).collect()
}

fn blocks_of(page: &str) -> Vec<Block> {
    let text = read(page);
    let parts: Vec<&str> = text.split("```").collect();
    let block = |pair: &[&str]| {
        let (language, text) = pair.get(1)?.split_once('\n')?;
        let follows = pair[0].trim().is_empty();
        Some(Block { language: language.to_owned(), text: text.to_owned(), follows })
    };
    parts.chunks(2).filter_map(block).collect()
}

fn read(page: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
