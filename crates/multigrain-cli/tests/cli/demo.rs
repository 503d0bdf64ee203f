use super::Folder;

#[test]
fn the_demo_shows_work_time_and_speed_up() {
    let folder = Folder::new();
    let outcome = folder.run("demo");
    let said = "multigrain-demo.html shows it, with a cut through the sample\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, said));
    let text = outcome.text();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("125,001 spheres, "), "{text}");
    assert!(lines[0].ends_with("size ratio 50, packing fraction 0.62"), "{text}");
    assert!(lines[2].starts_with("method ") && lines[2].ends_with("speed-up"), "{text}");
    assert!(lines[3].starts_with("linked-cell ") && lines[3].ends_with(" 1.00"), "{text}");
    assert!(lines[4].starts_with("hgrid "), "{text}");
    let candidates = |line: &str| line.split_whitespace().nth(2).unwrap().replace(',', "").parse::<f64>().unwrap();
    assert!(candidates(lines[3]) > 100.0 * candidates(lines[4]), "{text}");
    assert!(lines[6].starts_with("Both find the same "), "{text}");
    let page = String::from_utf8(folder.read("multigrain-demo.html")).unwrap();
    assert!(!page.contains("{{") && !page.contains("src=") && !page.contains("NaN"), "something is missing");
    let spheres = page.split("new Uint16Array([").nth(1).unwrap().split(']').next().unwrap();
    assert_eq!(spheres.split_terminator(',').filter(|number| number.parse::<u16>().is_ok()).count(), 4 * 125_001);
    assert_eq!(page.matches("<tr><td>").count(), 2);
}
