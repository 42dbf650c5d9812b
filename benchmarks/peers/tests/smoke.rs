//! The programs run with few rows and write their sections.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn run(program: &str, arguments: &[&str]) {
    let output = Command::new(program).arg("--smoke").args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn everything_runs_and_is_reported() {
    let (report, json, choices) = (scratch("speed.md"), scratch("speed.json"), scratch("choices.md"));
    fs::write(&report, "# By hand\n").unwrap();
    let arguments = [("--report", &report), ("--json", &json), ("--choices", &choices)];
    let arguments: Vec<&str> =
        arguments.into_iter().flat_map(|(option, path)| [option, path.to_str().unwrap()]).collect();
    run(env!("CARGO_BIN_EXE_trevni-bench"), &arguments);

    let text = fs::read_to_string(&choices).unwrap();
    for name in ["trevni, typed-zstandard", "Parquet, snappy", "bitcode, zstandard", "CSV, zstandard"] {
        assert!(text.contains(&format!("\n| {name} | ")), "{name} in\n{text}");
    }
    for question in ["size", "write", "read", "columns", "rows"] {
        let picture = fs::read_to_string(scratch("choices").join(question).with_extension("svg")).unwrap();
        assert!(picture.ends_with("</svg>\n") && picture.contains("<title>trevni, typed: "), "{picture}");
    }

    let text = fs::read_to_string(&report).unwrap();
    assert!(text.starts_with("# By hand\n\n<!-- speed -->\n## Speed and size\n"), "{text}");
    assert!(text.ends_with("<!-- /speed -->\n"), "{text}");
    assert!(text.contains("### Summary\n") && !text.contains("target"), "{text}");
    assert!(text.contains("\n### Scaling\n") && text.contains("| checksums ÷ none, write, log |"), "{text}");
    assert!(
        text.contains("### Batches, borrowed rows, threads, small files\n") && text.contains(" · "),
        "{text}"
    );
    for data in ["flights", "nested", "mesh", "log", "minecraft_savedata"] {
        assert!(text.contains(&format!("### {data}: ")), "{data}");
    }
    for peer in [
        "trevni, levels",
        "trevni, redelm",
        "by hand",
        "bitcode",
        "parquet",
        "arrow-ipc",
        "apache-avro",
        "bincode",
        "postcard",
    ] {
        assert!(text.contains(&format!("| {peer} |")), "{peer}");
    }
    let raw: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    assert!(raw["figures"]["times"][0]["median_wall"].as_f64().unwrap() > 0.0);
    // Nobody but Avro fails at anything, and Avro only at reading some fields.
    for refusal in raw["figures"]["refusals"].as_array().unwrap() {
        let known = refusal["peer"] == "apache-avro" && refusal["operation"] != "read";
        assert!(known || refusal["unexpected"] == false, "{refusal}");
    }
}

#[test]
fn some_contestants_and_codecs_can_be_chosen() {
    let (report, json) = (scratch("few.md"), scratch("few.json"));
    let choice =
        ["--data", "log", "--codec", "lz4", "--checksum", "off", "--peers", "trevni,hand", "--targets"];
    let outputs = ["--json", json.to_str().unwrap(), "--report", report.to_str().unwrap()];
    run(env!("CARGO_BIN_EXE_trevni-bench"), &[&choice[..], &outputs].concat());
    let text = fs::read_to_string(&report).unwrap();
    assert!(text.contains(" targets are met."), "{text}");
    let raw: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    let sizes = raw["figures"]["sizes"].as_array().unwrap();
    let peers: Vec<&str> = sizes.iter().map(|size| size["peer"].as_str().unwrap()).collect();
    assert_eq!(peers, ["trevni", "by hand"]);
    assert_eq!(raw["alone"], serde_json::Value::Null);
}

#[test]
fn memory_is_measured() {
    let report = scratch("memory.md");
    run(env!("CARGO_BIN_EXE_memory"), &["--report", report.to_str().unwrap()]);
    let text = fs::read_to_string(&report).unwrap();
    assert!(text.contains("<!-- memory -->\n## Memory\n\n### Reading\n"), "{text}");
    assert!(text.contains("\n### Writing\n") && text.contains("\n| 16 | none |"), "{text}");
}

#[test]
fn threads_are_measured() {
    let report = scratch("threads.md");
    run(env!("CARGO_BIN_EXE_threads"), &["--report", report.to_str().unwrap()]);
    let text = fs::read_to_string(&report).unwrap();
    assert!(text.contains("<!-- threads -->\n## Threads\n"), "{text}");
    for codec in ["snappy", "deflate", "zstandard"] {
        for operation in ["write", "batches", "rows"] {
            assert!(text.contains(&format!("| {codec} | {operation} |")), "{text}");
        }
    }
}

#[test]
fn single_rows_and_filters_are_measured() {
    let report = scratch("random.md");
    run(env!("CARGO_BIN_EXE_random"), &["--report", report.to_str().unwrap()]);
    let text = fs::read_to_string(&report).unwrap();
    assert!(text.contains("<!-- random -->\n## Single rows and filters\n"), "{text}");
    assert!(text.contains("| end | ") && text.contains("| `carrier = \"HA\"` | "), "{text}");
}

#[test]
fn typed_blocks_are_measured() {
    let (report, file) = (scratch("typed.md"), scratch("words.trv"));
    let rows: Vec<(u32, &str)> = (0..500).map(|at| (at, ["one", "two"][at as usize % 2])).collect();
    fs::write(&file, trevni::to_vec(&rows).unwrap()).unwrap();
    run(env!("CARGO_BIN_EXE_typed"), &[file.to_str().unwrap(), "--report", report.to_str().unwrap()]);
    let text = fs::read_to_string(&report).unwrap();
    assert!(text.contains("<!-- typed -->\n## Typed blocks\n"), "{text}");
    for codec in ["null", "snappy", "zstandard", "typed", "typed-zstandard"] {
        assert!(text.contains(&format!("| words | {codec} |")), "{text}");
    }
}

#[test]
fn encodings_are_measured() {
    let (report, file) = (scratch("encodings.md"), scratch("mixed.trv"));
    let row = |at: i32| (at, 7i64, 0.5f32, (at % 3 == 0).then_some(0.1), ["one", "two"]);
    let rows: Vec<_> = (0..500).map(row).collect();
    fs::write(&file, trevni::to_vec(&rows).unwrap()).unwrap();
    run(env!("CARGO_BIN_EXE_encodings"), &[file.to_str().unwrap(), "--report", report.to_str().unwrap()]);
    let text = fs::read_to_string(&report).unwrap();
    assert!(text.contains("<!-- encodings -->\n## Encodings\n"), "{text}");
    assert!(text.contains("| mixed | fsst-rs | 2 |") && text.contains("| mixed | pco | 4 |"), "{text}");
}

#[test]
fn logical_types_are_measured() {
    let report = scratch("logical.md");
    run(env!("CARGO_BIN_EXE_logical"), &["--report", report.to_str().unwrap()]);
    let text = fs::read_to_string(&report).unwrap();
    assert!(text.contains("<!-- logical -->\n## Logical types\n"), "{text}");
    assert!(text.contains("| flights `time_hour` | timestamp-"), "{text}");
}
