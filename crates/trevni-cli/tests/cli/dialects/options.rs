//! Options that not every format has, and schemas as messages.

use crate::Folder;
use serde_json::{Value, json};

/// Exit code and error of a command that writes nothing.
#[track_caller]
fn fails(folder: &Folder, args: &[&str]) -> (i32, String) {
    let before = std::fs::read_dir(folder.0.path()).unwrap().count();
    let output = folder.trevni(args).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("error: ") && !error.contains("panicked"), "{args:?}: {error}");
    assert_eq!(std::fs::read_dir(folder.0.path()).unwrap().count(), before, "{args:?}");
    (output.status.code().unwrap(), error)
}

fn with_rows(lines: &str) -> Folder {
    let folder = Folder::new();
    std::fs::write(folder.path("r.jsonl"), lines).unwrap();
    folder
}

const ROWS: &str = "{\"a\":5,\"p\":[1,2]}\n{\"a\":300,\"p\":[1,2]}\n";

#[test]
fn options_of_other_formats_are_refused() {
    let folder = with_rows(ROWS);
    for (dialect, option, message) in [
        (
            "trevni",
            &["--layout", "values-first"][..],
            "--layout is not for Trevni\n  It is for Trevni with levels: --dialect levels",
        ),
        ("trevni", &["--array-width", "p=2"], "--array-width is not for Trevni"),
        ("redelm", &["--value-type", "a=fixed16"], "--value-type is not for RedElm"),
        (
            "levels",
            &["--footer", "java"],
            "--footer is not for Trevni with levels\n  It is for RedElm: --dialect redelm",
        ),
        ("trevni", &["--row-group-size", "1MiB"], "--row-group-size is not for Trevni"),
        ("redelm", &["--block-size", "1MiB"], "--block-size is not for RedElm"),
        ("redelm", &["--fixed-integers"], "--fixed-integers is not for RedElm"),
        ("redelm", &["--compact"], "--compact is not for RedElm"),
        ("redelm", &["-z", "a=gzip"], "--codec a=gzip: RedElm has one codec for all columns"),
        (
            "redelm",
            &["-z", "zstd"],
            "RedElm has no codec zstandard\n  Codecs: null, snappy, deflate, gzip, lz4, bzip2",
        ),
        ("levels", &["-z", "lz4:3"], "Trevni with levels has no codec lz4"),
        ("redelm", &["-z", "auto"], "RedElm has no codec auto"),
        ("levels", &["--layout", "x"], "there are levels-first, values-first"),
        ("redelm", &["--footer", "x"], "there are json, gzip and java"),
        ("levels", &["--value-type", "a=int"], "there are fixed8, fixed16, fixed32, fixed64"),
        ("levels", &["--array-width", "a=0"], "a path and a number of values"),
        ("parquet", &[], "there are trevni, levels, redelm"),
        ("redelm", &["--meta", "RedElm=x"], "the metadata block RedElm is the footer's own"),
    ] {
        let args = [&["convert", "r.jsonl", "-o", "x", "--dialect", dialect], option].concat();
        let (code, error) = fails(&folder, &args);
        assert!(code == 2 && error.contains(message), "{args:?}: {error}");
    }
    // An option of a path that has something else, or nothing.
    for (option, message) in [
        (["--array-width", "a=2"], "an array width needs a list of values, which \"a\" is not"),
        (["--array-width", "q=2"], "no field \"q\""),
        (["--value-type", "q=fixed8"], "no field \"q\""),
        (["--value-type", "p=fixed8"], "\"p\" is long, which cannot be written as fixed8"),
    ] {
        let args = [&["convert", "r.jsonl", "-o", "x", "--dialect", "levels"], &option[..]].concat();
        let (code, error) = fails(&folder, &args);
        assert!(code == 2 && error.contains(message), "{args:?}: {error}");
    }
    folder.write("r.trv", crate::flights(3));
    let args = ["recode", "r.trv", "-o", "x", "--dialect", "redelm", "--checksum", "crc32"];
    let (code, error) = fails(&folder, &args);
    assert!(code == 2 && error.contains("--checksum is not for RedElm"), "{error}");
}

#[test]
fn options_make_the_file_that_they_say() {
    let folder = with_rows(ROWS);
    let info = |args: &[&str]| -> Value {
        folder.prints(&[&["-q", "convert", "r.jsonl", "-o", "x", "--force"], args].concat());
        assert_eq!(folder.prints(&["cat", "x"]), ROWS);
        serde_json::from_str(&folder.prints(&["info", "--json", "x"])).unwrap()
    };
    for layout in ["levels-first", "values-first"] {
        assert_eq!(info(&["--dialect", "levels", "--layout", layout])["layout"], layout);
    }
    for footer in ["json", "gzip", "java"] {
        assert_eq!(info(&["--dialect", "redelm", "--footer", footer])["footer"], footer);
    }
    let small = ["--dialect", "redelm", "--row-group-size", "1"];
    assert_eq!(info(&small)["row_groups"], 2);
    assert_eq!(info(&small[..2])["row_groups"], 1);
    let typed = ["-t", "a=int32", "-t", "p[]=int32"];
    let typed = &typed[..2];
    info(&[&["--dialect", "levels", "--value-type", "a=fixed16", "--array-width", "p=2"], typed].concat());
    let layout: Value = serde_json::from_str(&folder.prints(&["layout", "--json", "x"])).unwrap();
    assert_eq!(
        (&layout["parts"][1]["type"], &layout["parts"][2]["array_width"]),
        (&json!("fixed16"), &json!(2))
    );
    // Levels of codecs, and the name of one that has two.
    for (dialect, codec) in [("trevni", "deflate"), ("levels", "gzip"), ("redelm", "gzip")] {
        let info = info(&["--dialect", dialect, "-z", "gzip:9"]);
        assert!(info["codecs"].as_object().unwrap().contains_key(codec), "{info:#}");
    }
}

#[test]
fn schemas_are_given_as_messages() {
    let folder =
        with_rows("{\"id\": 1, \"tags\": [\"x\"]}\n{\"id\": 2, \"tags\": [], \"host\": {\"name\": \"h\"}}\n");
    let message = "message Mail {\n  required int64 id;\n  repeated string tags;\n  optional group host {\n    optional string name;\n    optional binary key;\n  }\n}\n";
    std::fs::write(folder.path("mail.message"), message).unwrap();
    for name in ["a.redelm", "a.trv"] {
        folder.prints(&["-q", "convert", "r.jsonl", "-s", "mail.message", "-o", name, "--check"]);
        assert_eq!(folder.prints(&["schema", "-f", "message", name]), message, "{name}");
        assert_eq!(
            folder.prints(&["cat", name]),
            "{\"id\":1,\"tags\":[\"x\"],\"host\":null}\n{\"id\":2,\"tags\":[],\"host\":{\"name\":\"h\",\"key\":null}}\n"
        );
    }
    // The message says all, so RedElm needs no other schema.
    let info: Value = serde_json::from_str(&folder.prints(&["info", "--json", "a.redelm"])).unwrap();
    assert_eq!(info["metadata"], json!({}));
    folder.prints(&["-q", "random", "mail.message", "20", "b.redelm"]);
    assert_eq!(folder.prints(&["schema", "-f", "message", "b.redelm"]), message);
    folder.prints(&["-q", "random", "b.redelm", "20", "c.redelm"]);
    assert_eq!(folder.prints(&["cat", "c.redelm"]), folder.prints(&["cat", "b.redelm"]));
    std::fs::write(folder.path("bad.message"), "message Mail {\n  required int64 id\n}").unwrap();
    for args in [
        &["convert", "r.jsonl", "-s", "bad.message", "-o", "x"][..],
        &["random", "bad.message", "3", "x"],
        &["cat", "b.redelm", "--read-schema", "bad.message"],
    ] {
        let (_, error) = fails(&folder, args);
        assert!(
            error.starts_with("error: bad.message: message schema: line 3: \"}\" where \";\" should be"),
            "{error}"
        );
    }
    let (_, error) = fails(&folder, &["convert", "r.jsonl", "-s", "missing.message", "-o", "x"]);
    assert!(error.contains("missing.message: No such file"), "{error}");
}

#[test]
fn files_that_do_not_say_all_are_read_as_told() {
    let folder = Folder::new();
    folder.write("a.trv", [json!({"a": 1}), json!({"a": 2})]);
    // Nothing in it tells that values come first.
    let args = [
        "-q",
        "recode",
        "a.trv",
        "--dialect",
        "levels",
        "--layout",
        "values-first",
        "-z",
        "none",
        "-o",
        "b.trv",
    ];
    folder.prints(&args);
    let format = |args: &[&str]| -> Value {
        serde_json::from_str(&folder.prints(&[&["info", "--json"], args].concat())).unwrap()
    };
    assert_eq!(format(&["b.trv", "--read-layout", "values-first"])["layout"], "values-first");
    assert_eq!(folder.prints(&["cat", "--read-layout", "values-first", "b.trv"]), "{\"a\":1}\n{\"a\":2}\n");
    // Options of reading are for no other file.
    assert_eq!(folder.prints(&["--lenient", "cat", "a.trv"]), "{\"a\":1}\n{\"a\":2}\n");
}

#[test]
fn a_layout_is_of_files_with_levels() {
    let folder = Folder::with_flights();
    let output = folder.trevni(&["info", "flights.trv", "--read-layout", "levels-first"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{error}");
    let expected = "error: flights.trv has no levels\n  --read-layout is for files with levels that do not say their layout\n";
    assert_eq!(error, expected);
}
