//! Files of other programs are whole, but for those that are damaged on purpose.

use std::fs;
use std::path::{Path, PathBuf};
use trevni::verify::{Tier, Verify, VerifyReport};
use trevni::{Reader, Shape};

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, out),
            false if path.extension().is_some_and(|kind| kind == "trv" || kind == "redelm") => out.push(path),
            false => {}
        }
    }
}

fn all() -> Vec<PathBuf> {
    let mut all = Vec::new();
    files(Path::new("data"), &mut all);
    all
}

fn is_bad(path: &Path) -> bool {
    let text = path.to_str().unwrap();
    text.contains("/bad_") || text.contains("/bad/")
}

/// Checks a file as it must be opened.
fn checked(path: &Path) -> VerifyReport {
    let options = match path.file_stem().and_then(|name| name.to_str()) {
        Some("leaves_only") => Reader::builder().shape(&document()),
        Some("size_limit_lenient") => Reader::builder().lenient(),
        _ => Reader::builder(),
    };
    Verify::new().reader(options).open(path).unwrap()
}

/// The rows of the paper, whose groups have no columns in one file.
fn document() -> Shape {
    let group = |name: &'static str, fields: &[(&'static str, Shape)]| Shape::record(name, fields.to_vec());
    let links =
        group("Links", &[("Backward", Shape::list(Shape::Long)), ("Forward", Shape::list(Shape::Long))]);
    let language = group("Language", &[("Code", Shape::String), ("Country", Shape::optional(Shape::String))]);
    let name = group("Name", &[("Language", Shape::list(language)), ("Url", Shape::optional(Shape::String))]);
    let fields = [("DocId", Shape::Long), ("Links", Shape::optional(links)), ("Name", Shape::list(name))];
    group("Document", &fields)
}

#[test]
fn whole_files_have_no_findings() {
    let mut whole = 0;
    for path in all().into_iter().filter(|path| !is_bad(path)) {
        let report = checked(&path);
        // A codec that this build lacks is no fault of the file.
        let faults = report
            .findings
            .iter()
            .filter(|finding| finding.error().category() != trevni::Category::Unsupported);
        let faults: Vec<String> =
            faults.map(|finding| format!("{}: {}", finding.tier(), finding.error())).collect();
        assert!(faults.is_empty(), "{}: {faults:?}", path.display());
        assert!(report.dialect.is_some() || !report.findings.is_empty(), "{}", path.display());
        whole += 1;
    }
    assert!(whole > 90, "{whole}");
}

#[test]
fn damaged_files_have_some() {
    let mut tiers = Vec::new();
    for path in all().into_iter().filter(|path| is_bad(path)) {
        let report = checked(&path);
        assert!(!report.is_ok(), "{}", path.display());
        tiers.extend(report.findings.iter().map(|finding| finding.tier()));
    }
    for tier in [Tier::Structure, Tier::Checksums, Tier::Decoding, Tier::Lengths] {
        assert!(tiers.contains(&tier), "{tier}");
    }
}
