//! The header is that of the source, and C and C++ programs compile, link and run with it.

use std::path::PathBuf;
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_header_is_that_of_the_source() {
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).expect("valid settings");
    let bindings = cbindgen::Builder::new().with_crate(root()).with_config(config).generate().expect("a header");
    let mut made = Vec::new();
    bindings.write(&mut made);
    let (made, path) = (String::from_utf8(made).expect("text"), root().join("include/multigrain.h"));
    if std::env::var_os("UPDATE_HEADER").is_some() {
        std::fs::write(&path, &made).expect("writable header");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == made, "include/multigrain.h is not up to date: run this test with UPDATE_HEADER=1");
}

/// The folder of the library, which cargo has built beside this test.
fn library_folder() -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    let deps = test.parent().expect("tests are in folders");
    let name = format!("{}multigrain_c{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let folder = [deps, deps.parent().unwrap_or(deps)].into_iter().find(|folder| folder.join(&name).exists());
    folder.unwrap_or_else(|| panic!("{name} is not beside {}", test.display())).to_owned()
}

fn compile_and_run(compiler: &str, source: &str, flags: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let (program, libraries) = (folder.path().join("program"), library_folder());
    let output = Command::new(compiler)
        .args(flags)
        .args(["-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(root().join("examples").join(source))
        .arg("-I")
        .arg(root().join("include"))
        .arg("-L")
        .arg(&libraries)
        .args(["-lmultigrain_c", "-lm"])
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&program).env("LD_LIBRARY_PATH", &libraries).output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn the_example_in_c_finds_its_pairs() {
    let text = compile_and_run("cc", "pairs.c", &["-std=c99"]);
    assert_eq!(
        text,
        "0 in open space\n1 in a sheared box\n0 1 (-1 0 0)\nstopped: stopped before it was done\nrefused: margin is -1, must be 0 or between 1e-150 and 1e150\nrefused: the periodic box is far smaller than the particles: it makes about 1.2e9 contacts with images, more than 1.3e8\n"
    );
}

#[test]
fn the_example_in_cpp_finds_its_pairs() {
    let text = compile_and_run("c++", "between.cpp", &["-std=c++17"]);
    assert_eq!(
        text,
        "grain 1 touches probe 1\ngrain 2 touches probe 0\nrefused: there is no method `no-such-method`\n"
    );
}
