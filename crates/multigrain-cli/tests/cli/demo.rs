use super::Folder;

#[test]
fn the_demo_shows_work_time_and_speed_up() {
    let folder = Folder::new();
    let outcome = folder.run("demo");
    let said = "multigrain-demo.html shows it in 3D: open it in a browser\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, said));
    let text = outcome.text();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("125,001 spheres, "), "{text}");
    assert!(lines[0].ends_with("size ratio 49.8, packing fraction 0.62"), "{text}");
    assert!(lines[2].starts_with("method ") && lines[2].ends_with("speed-up"), "{text}");
    assert!(lines[3].starts_with("linked-cell ") && lines[3].ends_with(" 1.00"), "{text}");
    assert!(lines[4].starts_with("hgrid "), "{text}");
    let candidates = |line: &str| line.split_whitespace().nth(2).unwrap().replace(',', "").parse::<f64>().unwrap();
    assert!(candidates(lines[3]) > 100.0 * candidates(lines[4]), "{text}");
    assert!(lines[6].starts_with("Both find the same "), "{text}");
    let page = String::from_utf8(folder.read("multigrain-demo.html")).unwrap();
    let meta = page.split("id=\"meta\">").nth(1).unwrap().split("</script>").next().unwrap();
    let meta: serde_json::Value = serde_json::from_str(meta).unwrap();
    assert_eq!(meta["frames"][0]["particles"], 125_001);
    assert!(meta["frames"][0]["contacts"].as_u64().unwrap() > 100_000, "{meta}");
    assert_eq!((meta["start"]["column"].as_str(), meta["start"]["cut"].as_str()), (Some("level"), Some("x")));
    assert_eq!(meta["start"]["contacts"], true, "who touches whom is seen at once");
    assert!(meta["notes"][0].as_str().unwrap().contains("Rods join those that touch"), "{meta}");
    assert_eq!(meta["notes"].as_array().unwrap().len(), 3, "what it is, and a line for each method");
}
