//! The tests that `docs/parquet.md` names are there.

use std::path::Path;

#[test]
fn tests_that_the_page_names_are_there() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = crate_folder.join("../..");
    let page = std::fs::read_to_string(root.join("docs/parquet.md")).unwrap();
    let rows: Vec<(usize, &str)> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split_once(" | "))
        .filter_map(|(number, rest)| Some((number.parse().ok()?, rest)))
        .collect();
    let numbers: Vec<usize> = rows.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=60).collect::<Vec<_>>());
    for (number, row) in &rows {
        let shown = row.split_once(" | ").unwrap().1;
        assert!(["::", "as ", "not "].iter().any(|evidence| shown.contains(evidence)), "{number}: {row}");
    }
    let mut found = 0;
    for (file, name) in page.split('`').filter_map(|word| word.split_once("::")) {
        let own = crate_folder.join("tests").join(file);
        let path = if own.exists() { own } else { root.join(file) };
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
        let is_there = [format!("fn {name}("), format!("def {name}(")].iter().any(|test| text.contains(test));
        assert!(is_there, "{file}: {name}");
        found += 1;
    }
    assert!(found > 60, "{found}");
}
