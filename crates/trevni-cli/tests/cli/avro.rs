//! Avro files, in and out.

use super::{Folder, flights};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use trevni::Reader;

/// Files that Avro's Java implementation wrote.
fn golden() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/trevni");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let has_schema =
        |path: &PathBuf| path.extension().is_some_and(|e| e == "trv") && path.with_extension("avsc").exists();
    let mut files: Vec<PathBuf> = entries.filter(has_schema).collect();
    files.sort();
    files
}

/// Asserts that two files have equal rows, in the branches of unions too, and the same text of a schema.
#[track_caller]
fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (Reader::open(one).unwrap(), Reader::open(other).unwrap());
    assert_eq!(one.metadata().get("avro.schema"), other.metadata().get("avro.schema"));
    assert_eq!(one.row_count(), other.row_count());
    for (one, other) in one.batches().unwrap().zip(other.batches().unwrap()) {
        // As texts, because NaN is not equal to itself.
        let texts = [one, other].map(|batch| format!("{:?}", batch.unwrap().vector()));
        assert_eq!(texts[0], texts[1]);
    }
}

/// A file that another implementation wrote, and its rows as JSON.
fn foreign() -> (PathBuf, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/avro");
    (folder.join("types.avro"), std::fs::read_to_string(folder.join("types.jsonl")).unwrap())
}

#[test]
fn all_that_columns_hold_goes_to_avro_and_comes_back() {
    let folder = Folder::new();
    let files = golden();
    assert_eq!(files.len(), 39);
    for file in files {
        let name = file.to_str().unwrap();
        folder.prints(&["-q", "convert", name, "-o", "x.avro", "--force"]);
        folder.prints(&["-q", "convert", "x.avro", "-o", "x.trv", "--force", "--check"]);
        assert_eq!(folder.prints(&["cat", "x.trv"]), folder.prints(&["cat", name]), "{name}");
        assert_same(&file, &folder.path("x.trv"));
    }
}

#[test]
fn random_rows_of_all_schemas_go_to_avro_and_come_back() {
    let folder = Folder::new();
    for (number, file) in golden().iter().enumerate() {
        let codec = ["none", "deflate", "snappy", "zstd", "bzip2"][number % 5];
        folder.prints(&["-q", "random", file.to_str().unwrap(), "300", "r.trv", "--force"]);
        folder.prints(&["-q", "convert", "r.trv", "-o", "x.avro", "-z", codec, "--force"]);
        folder.prints(&["-q", "convert", "x.avro", "-o", "x.trv", "--force", "--check"]);
        assert_same(&folder.path("r.trv"), &folder.path("x.trv"));
        folder.prints(&["-q", "recode", "r.trv", "-z", "lz4", "-o", "x.trv", "--force"]);
        assert_same(&folder.path("r.trv"), &folder.path("x.trv"));
    }
}

#[test]
fn files_of_another_implementation_are_read_as_they_are() {
    let (folder, (file, rows)) = (Folder::new(), foreign());
    let output = folder.trevni(&["convert", file.to_str().unwrap(), "-o", "types.trv"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.ends_with("types.avro → types.trv: 26 rows, 4.4 KiB → 10.0 KiB\n"), "{told}");
    assert_eq!(folder.prints(&["cat", "--stored", "types.trv"]), rows);
    let schema = folder.prints(&["info", "--key", "avro.schema", "types.trv"]);
    assert!(
        schema.contains(r#""logicalType": "decimal""#) && schema.contains(r#""aliases": ["Post"]"#),
        "{schema}"
    );
    assert_eq!(folder.prints(&["info", "--key", "origin", "types.trv"]), "fastavro\n");
    for codec in ["none", "deflate", "snappy", "zstd", "bzip2"] {
        folder.prints(&["-q", "convert", "types.trv", "-o", "back.avro", "--force", "-z", codec]);
        folder.prints(&["-q", "convert", "back.avro", "-o", "back.trv", "--force"]);
        assert_eq!(folder.prints(&["cat", "--stored", "back.trv"]), rows, "{codec}");
        assert_eq!(folder.prints(&["info", "--key", "avro.schema", "back.trv"]), schema);
        assert_eq!(folder.prints(&["info", "--key", "origin", "back.trv"]), "fastavro\n");
    }
}

#[derive(serde::Serialize)]
struct Odd {
    #[serde(rename = "5.5 %")]
    name: u64,
    wide: (i128, u128),
    counts: BTreeMap<u8, Option<Option<bool>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<i32>,
    unit: Option<()>,
    kinds: Vec<Kind>,
    mixed: serde_json::Value,
}

#[derive(serde::Serialize)]
enum Kind {
    Unit,
    New(i32),
    Tuple(i32, String),
    Fields { a: u8 },
    Map(BTreeMap<i32, i32>),
}

#[test]
fn what_avro_has_no_words_for_comes_back() {
    let folder = Folder::new();
    let row = |n: u64| Odd {
        name: u64::MAX - n,
        wide: (i128::MIN + i128::from(n), u128::MAX),
        counts: BTreeMap::from([(1, None), (2, Some(None)), (3, Some(Some(true)))]),
        absent: (n == 2).then_some(5),
        unit: (n == 1).then_some(()),
        kinds: vec![
            Kind::Unit,
            Kind::New(1),
            Kind::Tuple(2, "two".to_owned()),
            Kind::Fields { a: 3 },
            Kind::Map(BTreeMap::from([(-1, 1)])),
        ],
        mixed: [json!("text"), json!(1), json!({"a": [1.5]}), json!(null), json!([true])][n as usize].clone(),
    };
    folder.write("odd.trv", (0..5).map(row));
    for fields in [&["-c", "kinds,mixed"][..], &["-c", "wide"], &["-c", "!wide,!absent"], &[]] {
        folder.prints(&[&["-q", "convert", "odd.trv", "-o", "x.avro", "--force"], fields].concat());
        folder.prints(&["-q", "convert", "x.avro", "-o", "x.trv", "--force"]);
        let expected = folder.prints(&[&["cat", "odd.trv"], fields].concat());
        assert_eq!(folder.prints(&["cat", "x.trv"]), expected, "{fields:?}");
    }
    let [one, two] = ["odd.trv", "x.trv"].map(|name| Reader::open(folder.path(name)).unwrap());
    assert_eq!(one.shape(), two.shape());
}

#[test]
fn some_rows_and_fields_go_to_avro() {
    let folder = Folder::with_flights();
    let args = ["-c", "!from,!stops", "-n", "20"];
    folder.prints(&[&["-q", "convert", "flights.trv", "-o", "x.avro"], &args[..]].concat());
    folder.prints(&["-q", "convert", "x.avro", "-n", "7", "-o", "x.trv"]);
    let expected = folder.prints(&["cat", "flights.trv", "-c", "!from,!stops", "-n", "7"]);
    assert_eq!(folder.prints(&["cat", "x.trv"]), expected);
    // On the way in as well.
    let args = ["convert", "x.avro", "-o", "y.trv", "-c", "carrier", "-z", "zstd", "--meta", "x=y"];
    folder.prints(&[&["-q"], &args[..]].concat());
    let expected = folder.prints(&["cat", "flights.trv", "-c", "carrier", "-n", "20"]);
    assert_eq!(folder.prints(&["cat", "y.trv"]), expected);
    let info = folder.prints(&["info", "y.trv"]);
    assert!(info.contains("zstandard") && info.contains("x=y") && info.contains("origin=test"), "{info}");
    let bytes =
        folder.trevni(&["convert", "flights.trv", "--to", "avro", "-o", "-"]).output().unwrap().stdout;
    assert!(bytes.starts_with(b"Obj\x01"));
    let output = folder.trevni(&["convert", "-", "-o", "-"]).write_stdin(bytes).output().unwrap();
    let rows: Vec<serde_json::Value> = trevni::from_slice(&output.stdout).unwrap();
    assert_eq!(rows, flights(1000));
}

#[test]
fn what_was_written_is_checked() {
    let (folder, (file, _)) = (Folder::new(), foreign());
    let check = |args: &[&str]| {
        let all = [&["convert", file.to_str().unwrap(), "--force", "--check"], args].concat();
        String::from_utf8(folder.trevni(&all).output().unwrap().stderr).unwrap()
    };
    assert!(check(&["-o", "x.trv"]).ends_with("checked 26 rows: equal\n"));
    assert!(check(&["-o", "x.trv", "-n", "5"]).ends_with("checked 5 rows: equal\n"));
    assert!(check(&["-o", "x.trv", "-c", "id"]).contains("--check is for all fields of a file"));
}

#[test]
fn text_formats_are_told_by_the_name() {
    let folder = Folder::with_flights();
    for name in ["x.jsonl", "x.json", "x.csv", "x.tsv"] {
        folder.prints(&["-q", "convert", "flights.trv", "-o", name, "--null", "NA", "-n", "30"]);
        let format = name.strip_prefix("x.").unwrap();
        let expected = folder.prints(&["cat", "flights.trv", "-f", format, "--null", "NA", "-n", "30"]);
        assert_eq!(std::fs::read_to_string(folder.path(name)).unwrap(), expected, "{name}");
    }
    let (row, args) =
        (["convert", "-o", "-", "flights.trv", "--to", "csv"], ["--no-header", "-c", "carrier"]);
    assert_eq!(folder.prints(&[&row[..], &args, &["-q", "-n", "1"]].concat()), "AA\n");
    // By default it is JSON lines, beside the file.
    folder.prints(&["-q", "convert", "flights.trv"]);
    let lines = std::fs::read_to_string(folder.path("flights.jsonl")).unwrap();
    assert_eq!(lines, folder.prints(&["cat", "flights.trv"]));
    for (args, expected) in [
        #[cfg(not(feature = "parquet"))]
        (&["convert", "flights.trv", "-o", "x.parquet"][..], "cannot be converted to Parquet"),
        (&["convert", "flights.trv", "-o", "z.trv"][..], "To write a file again: trevni recode"),
        (&["convert", "flights.trv", "-o", "z.csv", "--check"], "--check is not for files that are Trevni"),
        (&["convert", "flights.trv", "-o", "y.avro", "-z", "lz4"], "Avro has no codec \"lz4\""),
    ] {
        let output = folder.trevni(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(expected));
    }
    let output = folder.trevni(&["convert", "flights.trv", "-o", "x.csv"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("x.csv already exists"));
}

#[test]
fn damaged_avro_files_are_told() {
    let (folder, (file, _)) = (Folder::new(), foreign());
    let bytes = std::fs::read(file).unwrap();
    let fails = |bytes: &[u8]| {
        std::fs::write(folder.path("x.avro"), bytes).unwrap();
        let output = folder.trevni(&["convert", "x.avro", "-o", "x.trv"]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!folder.path("x.trv").exists() || output.status.success(), "{error}");
        let _ = std::fs::remove_file(folder.path("x.trv"));
        (output.status.code().unwrap(), error)
    };
    assert_eq!(fails(b"id,name\n"), (3, "error: x.avro is not an Avro file\n".to_owned()));
    assert_eq!(fails(b"Obj\x01\x00"), (3, "error: x.avro: it ends too early\n".to_owned()));
    assert_eq!(fails(&bytes[..bytes.len() - 1]).0, 3);
    let mut wrong = bytes.clone();
    let last = wrong.len() - 1;
    wrong[last] ^= 1;
    let (code, error) = fails(&wrong);
    assert_eq!(code, 3);
    assert!(error.contains("x.avro: block 3, after row 21: it does not end where it says"), "{error}");
    let at = bytes.windows(7).position(|window| window == b"deflate").unwrap();
    let mut wrong = bytes.clone();
    wrong[at..at + 7].copy_from_slice(b"brotlii");
    assert!(fails(&wrong).1.contains("blocks of codec \"brotlii\" cannot be read"));
    // Any byte may be wrong; some are only other values.
    for at in (0..bytes.len()).step_by(13) {
        let mut wrong = bytes.clone();
        wrong[at] ^= 0x55;
        let (code, error) = fails(&wrong);
        assert!([0, 1, 2, 3].contains(&code) && !error.contains("panicked"), "byte {at}: {code} {error}");
    }
}

#[test]
fn schemas_that_columns_cannot_hold_are_refused() {
    let folder = Folder::new();
    let schema = br#"{"type":"record","name":"Node","fields":[{"name":"next","type":["null","Node"]}]}"#;
    let mut file = b"Obj\x01\x02\x16avro.schema".to_vec();
    file.extend([(schema.len() * 2) as u8 | 0x80, (schema.len() * 2 / 128) as u8]);
    file.extend_from_slice(schema);
    file.extend([0; 17]);
    std::fs::write(folder.path("x.avro"), file).unwrap();
    let output = folder.trevni(&["convert", "x.avro", "-o", "x.trv"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        error.contains("x.avro: its schema cannot be that of columns") && error.contains("recursive"),
        "{error}"
    );
}

/// The rows of an Avro file, as another implementation reads them.
fn read_by_apache_avro(path: &Path) -> Vec<serde_json::Value> {
    let reader = apache_avro::Reader::new(std::fs::File::open(path).unwrap()).unwrap();
    reader.map(|row| serde_json::Value::try_from(row.unwrap()).unwrap()).collect()
}

#[test]
fn apache_avro_reads_what_is_written_and_writes_what_is_read() {
    let folder = Folder::with_flights();
    for codec in ["none", "deflate", "snappy", "zstd"] {
        folder.prints(&["-q", "convert", "flights.trv", "-o", "x.avro", "-z", codec, "--force"]);
        assert_eq!(read_by_apache_avro(&folder.path("x.avro")), flights(1000), "{codec}");
    }
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"a","type":["null","long"]},
        {"name":"b","type":{"type":"map","values":{"type":"array","items":"string"}}},{"name":"c","type":"double"}]}"#;
    let schema = apache_avro::Schema::parse_str(schema).unwrap();
    #[derive(serde::Serialize)]
    struct R {
        a: Option<i64>,
        b: BTreeMap<String, Vec<String>>,
        c: f64,
    }
    let row = |n: i64| R {
        a: (n % 3 != 0).then_some(n - 500),
        b: BTreeMap::from([("k".to_owned(), vec![format!("t{n}"); n as usize % 4])]),
        c: n as f64 / 4.0,
    };
    let rows: Vec<R> = (0..1000).map(row).collect();
    for codec in [apache_avro::Codec::Null, apache_avro::Codec::Snappy] {
        let mut writer = apache_avro::Writer::with_codec(&schema, Vec::new(), codec).unwrap();
        for row in &rows {
            writer.append_ser(row).unwrap();
        }
        std::fs::write(folder.path("y.avro"), writer.into_inner().unwrap()).unwrap();
        folder.prints(&["-q", "convert", "y.avro", "-o", "y.trv", "--force"]);
        let read: Vec<serde_json::Value> = folder
            .prints(&["cat", "y.trv"])
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(json!(read), json!(rows));
    }
}
