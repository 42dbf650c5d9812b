//! Damaged Parquet files: an error of one line, or rows, and nothing half done.

use super::{Folder, data, fails, files, golden};
use std::fs;

#[test]
fn files_with_known_faults_are_errors() {
    let folder = Folder::new();
    for path in files("bad") {
        // Damaged in a page's size, which readers do not need.
        if path.contains("ARROW-GH-43605") {
            folder.prints(&["-q", "convert", &path, "-o", "b.trv"]);
            continue;
        }
        for args in
            [&["convert", &path, "-o", "a.trv"][..], &["cat", &path], &["stats", &path], &["query", &path]]
        {
            let (code, error) = fails(&folder, args);
            assert_eq!(code, 3, "{error}");
            assert!(!folder.path("a.trv").exists(), "{path}");
        }
    }
}

#[test]
fn beginnings_of_files_are_errors() {
    let folder = Folder::new();
    let bytes = fs::read(golden("nested_lists.snappy")).unwrap();
    for end in (4..bytes.len()).step_by(97) {
        fs::write(folder.path("a.parquet"), &bytes[..end]).unwrap();
        assert_eq!(fails(&folder, &["convert", "a.parquet", "-o", "a.trv"]).0, 3, "{end}");
    }
    for nothing in [&b""[..], b"PAR", b"text", b"PAR1", b"PAR1PAR1", b"PARE----PARE"] {
        fs::write(folder.path("a.parquet"), nothing).unwrap();
        let (code, _) = fails(&folder, &["convert", "a.parquet", "-o", "a.trv"]);
        assert_eq!(code, 3, "{nothing:?}");
    }
    let (code, error) = fails(&folder, &["convert", "none.parquet", "-o", "a.trv"]);
    assert_eq!((code, error.contains("none.parquet: ")), (1, true), "{error}");
    fs::write(folder.path("f.trv"), trevni::to_vec([1]).unwrap()).unwrap();
    let (code, error) = fails(&folder, &["convert", "f.trv", "--from", "parquet", "-o", "a.trv"]);
    assert_eq!((code, error.contains("f.trv is Trevni, not Parquet")), (2, true), "{error}");
}

#[test]
fn flipped_bits_are_errors_or_rows_and_nothing_is_said_twice() {
    let folder = Folder::new();
    for name in ["alltypes_plain", "nested_maps.snappy", "delta_encoding_optional_column"] {
        let bytes = fs::read(golden(name)).unwrap();
        for bit in (0..bytes.len() * 8).step_by(bytes.len() * 8 / 60) {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(folder.path("a.parquet"), flipped).unwrap();
            let output =
                folder.trevni(&["-q", "convert", "a.parquet", "-o", "a.trv", "--force"]).output().unwrap();
            let (code, error) = (output.status.code(), String::from_utf8(output.stderr).unwrap());
            assert!(matches!(code, Some(0..=3)), "{name} {bit}: {code:?} {error}");
            assert!(error.lines().count() <= 2 && !error.contains("panicked"), "{name} {bit}: {error}");
            assert_eq!(code == Some(0), error.is_empty(), "{name} {bit}: {error}");
        }
    }
}

#[test]
fn reports_on_damaged_footers_are_errors_or_say_what_is_there() {
    let folder = Folder::new();
    let bytes = fs::read(golden("nullable.impala")).unwrap();
    let footer =
        bytes.len() - 8 - u32::from_le_bytes(bytes[bytes.len() - 8..][..4].try_into().unwrap()) as usize;
    let bits = (bytes.len() - 8 - footer) * 8;
    for bit in (0..bits).step_by(bits / 25) {
        let mut flipped = bytes.clone();
        flipped[footer + bit / 8] ^= 1 << (bit % 8);
        fs::write(folder.path("a.parquet"), flipped).unwrap();
        for args in [
            &["info", "a.parquet"][..],
            &["schema", "-f", "message", "a.parquet"],
            &["layout", "a.parquet"],
            &["dump", "a.parquet"],
            &["verify", "a.parquet"],
            &["tail", "a.parquet"],
            &["sample", "--seed", "1", "a.parquet"],
        ] {
            let output = folder.trevni(args).output().unwrap();
            let (code, error) = (output.status.code(), String::from_utf8(output.stderr).unwrap());
            assert!(matches!(code, Some(0..=3)), "{args:?} {bit}: {code:?} {error}");
            assert!(error.lines().count() <= 2 && !error.contains("panicked"), "{args:?} {bit}: {error}");
        }
    }
}

#[test]
fn footers_that_lie_are_damaged_and_end_nothing() {
    let folder = Folder::new();
    let path = data("hostile").join("a_map_has_no_more_children_than_fields.parquet");
    let path = path.to_str().unwrap();
    assert_eq!(folder.trevni(&["verify", path]).output().unwrap().status.code(), Some(3));
    for args in [&["info", path][..], &["cat", path], &["convert", path, "-o", "a.trv"]] {
        let (code, error) = fails(&folder, args);
        assert_eq!((code, error.lines().count()), (3, 1), "{error}");
        assert!(error.contains("Parquet: footer, byte 38: an integer has more than 32 bits"), "{error}");
    }
}

#[test]
fn limits_have_the_names_of_options() {
    let folder = Folder::new();
    let path = golden("alltypes_plain");
    for (option, value, message) in [
        ("--max-memory", "1KiB", "the memory for the footer is "),
        ("--max-block", "8B", "column id, row group 0: the size of a page after decompression is 32, above"),
    ] {
        for args in [&["cat", option, value, &path][..], &["convert", option, value, &path, "-o", "a.trv"]] {
            let (code, error) = fails(&folder, args);
            assert_eq!(code, 1, "{error}");
            assert!(error.contains(message), "{error}");
            assert!(error.trim_end().ends_with(&format!("(to raise it: {option})")), "{error}");
        }
    }
}
