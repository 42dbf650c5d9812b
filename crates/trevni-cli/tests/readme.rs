//! The README does what it shows.
//!
//! With `TRYCMD=overwrite` the README gets what the program prints now.
#![cfg(not(feature = "sql"))]

use std::fs;
use std::path::Path;

#[test]
fn the_readme_prints_what_it_shows() {
    prints_what_it_shows(
        "crates/trevni-cli/README.md",
        &[
            "examples/data/flights.csv.gz",
            "crates/trevni-cli/tests/data/bcd.jsonl",
            "crates/trevni-cli/tests/data/movies.jsonl",
        ],
    );
}

#[cfg(feature = "parquet")]
#[test]
fn the_page_on_parquet_prints_what_it_shows() {
    prints_what_it_shows("docs/parquet.md", &["crates/trevni-cli/tests/data/quangle.txt"]);
}

/// Runs the commands of a page with files of the repository.
fn prints_what_it_shows(page: &str, files: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = root.join(page);
    let folder = tempfile::TempDir::new().unwrap();
    // Commands run in the folder of the page's name, as from the root of the repository.
    let within = folder.path().join("README.in");
    for file in files {
        fs::create_dir_all(within.join(file).parent().unwrap()).unwrap();
        fs::copy(root.join(file), within.join(file)).unwrap();
    }
    let copy = folder.path().join("README.md");
    fs::copy(&readme, &copy).unwrap();
    let cases = trycmd::TestCases::new();
    cases.env("LC_ALL", "C.UTF-8").case(&copy);
    cases.run();
    if std::env::var_os("TRYCMD").is_some_and(|mode| mode == "overwrite") {
        fs::copy(copy, readme).unwrap();
    }
}
