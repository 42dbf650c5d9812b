//! Files that Avro's Java implementation wrote: what it prints of them, to the letter.

use super::Folder;
use serde_json::Value;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The files of the library's tests; `tests/data/PROVENANCE.md` tells where they come from.
pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/trevni")
}

/// All files.
fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(data()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "trv"));
    files.sort();
    files
}

/// Files that have a companion of this extension, which may be zipped: path of the file, text of the companion.
pub(crate) fn with_companion(extension: &str) -> Vec<(PathBuf, String)> {
    let text = |path: PathBuf| {
        let zipped = || {
            let file = File::open(path.with_extension(format!("{extension}.gz"))).ok()?;
            std::io::read_to_string(flate2::read::GzDecoder::new(file)).ok()
        };
        let companion = std::fs::read_to_string(path.with_extension(extension)).ok().or_else(zipped)?;
        Some((path, companion))
    };
    files().into_iter().filter_map(text).collect()
}

/// Compares two texts line by line, so that a failure shows the line.
#[track_caller]
pub(crate) fn assert_same(path: &Path, found: &str, expected: &str) {
    for (number, (found, expected)) in found.split('\n').zip(expected.split('\n')).enumerate() {
        assert_eq!(found, expected, "{}, line {}", path.display(), number + 1);
    }
    assert_eq!(found.len(), expected.len(), "{}", path.display());
}

/// Whether two lines are the same but for floats of which the Java that wrote these files, older than 19, has
/// more digits than it takes.
fn is_same_but_digits(found: &str, expected: &str) -> bool {
    let parts = |line: &str| -> Vec<String> {
        line.split_inclusive([',', '[', ']', '{', '}', ':', '"']).map(str::to_owned).collect()
    };
    let (found, expected) = (parts(found), parts(expected));
    let number = |text: &str| text.trim_end_matches([',', '[', ']', '{', '}', ':']).to_owned();
    let is_same = |(found, expected): (&String, &String)| {
        let (one, two) = (number(found), number(expected));
        let as_double = one.parse::<f64>().ok().zip(two.parse::<f64>().ok());
        let as_single = one.parse::<f32>().ok().zip(two.parse::<f32>().ok());
        let few_digits = one.bytes().filter(u8::is_ascii_digit).count() < 12;
        found == expected
            || as_double.is_some_and(|(one, two)| one.to_bits() == two.to_bits())
            || few_digits && as_single.is_some_and(|(one, two)| one.to_bits() == two.to_bits())
    };
    found.len() == expected.len() && found.iter().zip(&expected).all(is_same)
}

#[test]
fn rows_in_avros_json_are_those_of_java() {
    let folder = Folder::new();
    let files = with_companion("jsonl");
    assert_eq!(files.len(), 39);
    let mut other_digits = 0;
    for (path, expected) in files {
        let found = folder.prints(&["cat", "-f", "avro-json", path.to_str().unwrap()]);
        for (found, expected) in found.split('\n').zip(expected.split('\n')) {
            other_digits += usize::from(found != expected);
            assert!(is_same_but_digits(found, expected), "{}:\n{found}\n{expected}", path.display());
        }
        assert_eq!(found.split('\n').count(), expected.split('\n').count(), "{}", path.display());
    }
    assert!(other_digits < 20, "{other_digits}");
}

#[test]
fn every_report_understands_every_file() {
    let folder = Folder::new();
    let files = files();
    assert_eq!(files.len(), 55);
    for path in files {
        let name = path.to_str().unwrap();
        let json = |args: &[&str]| -> Value {
            let text = folder.prints(&[args, &["--json", name]].concat());
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?} {name}: {error}"))
        };
        let sum = |parts: &Value| -> u64 {
            parts.as_array().unwrap().iter().map(|part| part["bytes"].as_u64().unwrap()).sum()
        };
        let bytes = std::fs::metadata(&path).unwrap().len();
        assert_eq!(sum(&json(&["layout"])["parts"]), bytes, "{name}");
        assert_eq!(sum(&json(&["size", "--by", "part"])["parts"]), bytes, "{name}");
        let (read, recorded) = (json(&["stats"]), json(&["stats", "--recorded"]));
        let columns = |report: &Value| report["columns"].as_array().unwrap().clone();
        for (read, recorded) in columns(&read).iter().zip(&columns(&recorded)) {
            for key in ["path", "type", "entries", "nulls", "min", "max"] {
                let known = !recorded[key].is_null();
                assert!(!known || recorded[key] == read[key], "{name} {key}: {recorded:#} {read:#}");
            }
        }
        assert_eq!(columns(&read).len(), columns(&recorded).len(), "{name}");
        for args in
            [&["info"][..], &["schema", "-f", "flat"], &["schema", "-f", "json"], &["dump", "-f", "levels"]]
        {
            folder.prints(&[args, &[name]].concat());
        }
    }
}
