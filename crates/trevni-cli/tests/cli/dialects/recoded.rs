//! recode between all formats: the rows stay, and what a format has stays within it.

use super::{folder, good};
use crate::{Folder, flights};
use serde_json::{Value, json};

const DIALECTS: [&str; 3] = ["trevni", "levels", "redelm"];

fn info(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.prints(&["info", "--json", name])).unwrap()
}

/// The rows as JSON; floats that are no numbers are told of on standard error.
fn rows(folder: &Folder, name: &str) -> String {
    folder.prints(&["-q", "cat", name])
}

#[test]
fn rows_of_every_file_stay_in_every_format() {
    let folder = folder();
    for golden in good() {
        let expected = folder.prints(&golden.command(&["-q", "cat"]));
        for dialect in DIALECTS {
            let args = ["-q", "recode", "--dialect", dialect, "-o", "other", "--force"];
            folder.prints(&golden.command(&args));
            assert_eq!(rows(&folder, "other"), expected, "{} as {dialect}", golden.name());
            assert_eq!(info(&folder, "other")["format"], dialect);
            folder.prints(&["-q", "recode", "other", "--dialect", golden.dialect, "-o", "back", "--force"]);
            assert_eq!(rows(&folder, "back"), expected, "{} by way of {dialect}", golden.name());
            assert_eq!(folder.prints(&["verify", "back"]).lines().count(), 1);
        }
    }
}

#[test]
fn rows_of_all_kinds_stay_in_every_format() {
    let folder = Folder::new();
    let schema = json!({"type": "record", "name": "R", "fields": [
        {"name": "id", "type": "long"},
        {"name": "u", "type": ["null", "int", "string", {"type": "array", "items": "double"}]},
        {"name": "m", "type": {"type": "map", "values": ["null", {"type": "map", "values": "float"}]}},
        {"name": "when", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        {"name": "e", "type": {"type": "enum", "name": "E", "symbols": ["A", "B"]}},
        {"name": "f", "type": {"type": "fixed", "name": "F", "size": 3}},
        {"name": "l", "type": {"type": "array", "items": {"type": "array", "items": ["null", "boolean"]}}},
        {"name": "r", "type": ["null", {"type": "record", "name": "S", "fields": [{"name": "b", "type": "bytes"}]}]},
    ]});
    std::fs::write(folder.path("r.avsc"), schema.to_string()).unwrap();
    folder.prints(&["-q", "random", "r.avsc", "300", "trevni.trv"]);
    let expected = rows(&folder, "trevni.trv");
    for dialect in DIALECTS {
        folder.prints(&["-q", "recode", "trevni.trv", "--dialect", dialect, "-o", dialect]);
    }
    for (from, to) in DIALECTS.iter().flat_map(|from| DIALECTS.map(|to| (from, to))) {
        folder.prints(&["-q", "recode", from, "--dialect", to, "-o", "out", "--force"]);
        assert_eq!(rows(&folder, "out"), expected, "{from} to {to}");
        // To the letter, logical types too.
        let avro = folder.prints(&["info", "--key", "avro.schema", "out"]);
        assert_eq!(avro, format!("{schema}\n"), "{from} to {to}");
    }
    // Conditions, order and fields are the same in all of them.
    for args in [&["-w", "id > 0 and len(l) > 1"][..], &["--sort-by", "-id"], &["-c", "m,id"]] {
        let of = |dialect: &str| {
            folder.prints(&[&["-q", "recode", dialect, "-o", "part", "--force"], args].concat());
            rows(&folder, "part")
        };
        let expected = of("trevni");
        assert_eq!([of("levels"), of("redelm")], [expected.clone(), expected], "{args:?}");
    }
}

#[test]
fn a_file_keeps_its_format_and_what_that_has() {
    let folder = folder();
    let same = |stem: &str, args: &[&str]| {
        let golden = good().into_iter().find(|golden| golden.stem() == stem).unwrap();
        let before = folder.prints(&golden.command(&["info", "--json"]));
        folder.prints(&golden.command(&[&["-q", "recode", "-o", "same", "--force"], args].concat()));
        let before: Value = serde_json::from_str(&before).unwrap();
        (before, info(&folder, "same"))
    };
    for golden in good() {
        let (before, after) = same(golden.stem(), &[]);
        for key in ["format", "rows", "columns", "layout", "footer", "codecs", "checksums"] {
            // Groups had no columns; columns get the codec and the checksum that most of them had.
            let is_mixed = before[key].as_object().is_some_and(|names| names.len() > 1);
            let is_other = is_mixed || golden.stem() == "leaves_only" && key != "format";
            assert!(is_other || before[key] == after[key], "{} {key}: {before:#}\n{after:#}", golden.name());
        }
        let own = |info: &Value| -> Vec<(String, Value)> {
            let metadata = info["metadata"].as_object().unwrap().clone();
            metadata.into_iter().filter(|(key, _)| !key.starts_with("trevni.")).collect()
        };
        // No schema is added where the format says all.
        let metadata = own(&after);
        let is_read = golden.stem() != "leaves_only";
        assert!(!is_read || own(&before) == metadata, "{}: {metadata:?}", golden.name());
    }
    let columns = |key: &str| -> Vec<Value> {
        let layout: Value = serde_json::from_str(&folder.prints(&["layout", "--json", "same"])).unwrap();
        layout["parts"].as_array().unwrap().iter().skip(1).map(|part| part[key].clone()).collect()
    };
    same("array_width", &[]);
    assert_eq!(columns("array_width"), [3, 2, 5, 2].map(|width| json!(width)));
    same("array_width", &["-c", "bits"]);
    assert_eq!(columns("array_width"), [json!(5)]);
    same("every_type", &["-c", "q_fixed8,o_fixed64,q_int"]);
    assert_eq!(columns("type"), ["fixed8", "fixed64", "int"].map(|name| json!(name)));
    // What is asked for comes first.
    let (_, after) = same("values_first_documents", &["--layout", "levels-first", "-z", "gzip"]);
    assert_eq!((&after["layout"], &after["codecs"]), (&json!("levels-first"), &json!({"gzip": 9})));
    let (_, after) = same("dremel_gzip", &["--footer", "gzip"]);
    assert_eq!((&after["footer"], &after["codecs"]), (&json!("gzip"), &json!({"gzip": 6})));
}

#[test]
fn codecs_and_checksums_are_those_that_the_format_has() {
    let folder = Folder::with_flights();
    for (codec, dialect, expected) in [
        ("zstandard", "levels", "deflate"),
        ("zstandard", "redelm", "deflate"),
        ("lz4", "levels", "snappy"),
        ("lz4", "redelm", "lz4"),
        ("null", "levels", "null"),
        ("null", "redelm", "null"),
        ("bzip2", "redelm", "bzip2"),
    ] {
        folder.prints(&["-q", "recode", "flights.trv", "-z", codec, "-o", "a.trv", "--force"]);
        let args = ["recode", "a.trv", "--dialect", dialect, "-o", "b", "--force"];
        let output = folder.trevni(&args).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let is_other = codec != expected && codec != "null";
        assert_eq!(
            told.contains(&format!("has no codec {codec}; columns have {expected}\n")),
            is_other,
            "{told}"
        );
        let codecs = info(&folder, "b")["codecs"].clone();
        assert_eq!(codecs.as_object().unwrap().keys().collect::<Vec<_>>(), [expected], "{codec} {dialect}");
        let checksums = info(&folder, "b")["checksums"].clone();
        assert_eq!(checksums.as_object().unwrap().keys().collect::<Vec<_>>(), ["crc32"], "{codec} {dialect}");
        // And back, where gzip becomes what is in it.
        folder.prints(&["-q", "recode", "b", "-z", "gzip", "-o", "c", "--force"]);
        assert!(info(&folder, "c")["codecs"].as_object().unwrap().contains_key("gzip"));
        folder.prints(&["-q", "recode", "c", "--dialect", "trevni", "-o", "d", "--force"]);
        let back = info(&folder, "d");
        assert_eq!(back["codecs"], json!({"deflate": back["columns"]}));
        assert_eq!(back["checksums"], json!({"crc32": back["columns"]}));
        assert_eq!(rows(&folder, "d"), rows(&folder, "flights.trv"));
    }
}

#[test]
fn names_of_outputs_say_the_format() {
    let folder = Folder::new();
    folder.write("a.trv", flights(10));
    let format = |args: &[&str], name: &str| {
        folder.prints(&[&["-q"], args, &["-o", name, "--force"]].concat());
        info(&folder, name)["format"].as_str().unwrap().to_owned()
    };
    assert_eq!(format(&["recode", "a.trv"], "b.redelm"), "redelm");
    assert_eq!(format(&["recode", "b.redelm"], "b"), "redelm");
    assert_eq!(format(&["recode", "b.redelm"], "c.trv"), "trevni");
    assert_eq!(format(&["recode", "b.redelm", "--dialect", "levels"], "c.trv"), "levels");
    assert_eq!(format(&["recode", "c.trv"], "d.trv"), "levels");
    assert_eq!(format(&["recode", "c.trv", "--dialect", "trevni"], "e.redelm"), "trevni");
    let output = folder.trevni(&["recode", "c.trv", "-o", "-"]).output().unwrap();
    assert_eq!(trevni::Reader::from_slice(&output.stdout).unwrap().dialect(), trevni::Dialect::Levels);
    std::fs::write(folder.path("r.jsonl"), folder.prints(&["cat", "a.trv"])).unwrap();
    assert_eq!(format(&["convert", "r.jsonl"], "r.redelm"), "redelm");
    assert_eq!(format(&["random", "r.redelm"], "s.redelm"), "redelm");
    // A name that is made up has the ending of the format.
    folder.prints(&["-q", "convert", "r.jsonl", "--dialect", "redelm", "--force"]);
    folder.prints(&["-q", "convert", "r.jsonl", "t.redelm"]);
    assert_eq!(folder.prints(&["cat", "r.redelm"]), folder.prints(&["cat", "t.redelm"]));
    folder.prints(&["-q", "convert", "t.redelm", "-o", "t.avro"]);
    folder.prints(&["-q", "convert", "t.avro", "u.redelm", "-c", "flight,stops"]);
    assert_eq!(folder.prints(&["cat", "u.redelm"]), folder.prints(&["cat", "a.trv", "-c", "flight,stops"]));
    // Files of a folder, whatever their format.
    std::fs::create_dir(folder.path("all")).unwrap();
    for name in ["a.trv", "c.trv", "t.redelm"] {
        std::fs::copy(folder.path(name), folder.path("all").join(name)).unwrap();
    }
    let text = folder.prints(&["count", "all"]);
    assert!(text.ends_with("30  total\n") && text.lines().count() == 4, "{text}");
}

#[test]
fn files_are_merged_and_split_in_every_format() {
    let folder = Folder::with_flights();
    let expected = rows(&folder, "flights.trv");
    for dialect in DIALECTS {
        folder.prints(&["-q", "split", "--rows", "300", "flights.trv", "-o", dialect, "--dialect", dialect]);
        let ending = if dialect == "redelm" { "redelm" } else { "trv" };
        let parts: Vec<String> = (0..4).map(|part| format!("{dialect}/part-0000{part}.{ending}")).collect();
        assert!(parts.iter().all(|part| info(&folder, part)["format"] == dialect), "{dialect}");
        // They are there already.
        let again = ["split", "--parts", "2", "flights.trv", "-o", dialect];
        assert_eq!(folder.trevni(&again).output().unwrap().status.code(), Some(1));
        for to in DIALECTS {
            folder.prints(&["-q", "merge", dialect, "--dialect", to, "-o", "all", "--force"]);
            assert_eq!(
                (rows(&folder, "all"), &info(&folder, "all")["format"]),
                (expected.clone(), &json!(to))
            );
        }
        folder.prints(&["-q", "merge", dialect, "-o", "all", "--force"]);
        assert_eq!(info(&folder, "all")["format"], dialect);
        folder.prints(&["-q", "merge", dialect, "-o", "all.redelm", "--force"]);
        assert_eq!(info(&folder, "all.redelm")["format"], "redelm");
        folder.prints(&["-q", "split", "--parts", "2", "all.redelm", "-o", dialect, "--force"]);
        let names = std::fs::read_dir(folder.path(dialect)).unwrap();
        let mut names: Vec<String> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["part-00000.redelm", "part-00001.redelm"]);
    }
}
