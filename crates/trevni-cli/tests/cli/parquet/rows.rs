//! Rows of Parquet files: printed, counted, computed with, summed up.

use super::super::flights;
use super::{Folder, fails, files, golden};
use serde_json::{Value, json};

/// A folder with flights in column files and in Parquet, of several row groups.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("f.trv", flights(30_000));
    let to = ["-q", "convert", "f.trv", "-o", "f.parquet", "--row-group-size", "50KiB"];
    folder.prints(&to);
    assert!(trevni_parquet::ParquetFile::open(folder.path("f.parquet")).unwrap().row_group_count() > 2);
    folder
}

#[test]
fn commands_say_of_parquet_what_they_say_of_columns() {
    let folder = folder();
    for args in [
        &["head", "f.trv"][..],
        &["head", "f.trv", "-n", "3", "--skip", "9000", "-c", "carrier,from.gate"],
        &["head", "f.trv", "-n", "4", "-w", "flight > 20000 and carrier = 'AA'"],
        &["head", "f.trv", "-n", "2", "-c", "!stops,!from"],
        &["tail", "f.trv", "-n", "3", "--skip", "1"],
        &["tail", "f.trv", "-n", "3", "-w", "dep_delay is null", "-c", "flight"],
        &["cat", "f.trv"],
        &["cat", "f.trv", "-f", "csv", "-c", "*_delay,flight"],
        &["cat", "f.trv", "-w", "any(stops, item = 'S1')", "-c", "stops"],
        &["sample", "f.trv", "-n", "20", "--seed", "7"],
        &["sample", "f.trv", "-n", "5", "--seed", "7", "-w", "carrier = 'B6'"],
        &["count", "f.trv"],
        &["count", "f.trv", "-w", "from.gate < 3"],
        &["stats", "f.trv"],
        &["stats", "f.trv", "-c", "carrier,dep_delay", "-w", "flight < 100"],
        &["query", "f.trv", "-b", "carrier", "-a", "count(),mean(dep_delay)", "-s", "carrier"],
        &["query", "f.trv", "-a", "count()"],
        &["query", "f.trv", "-c", "flight,x=dep_delay*2", "-w", "from.gate = 7", "-s", "-x", "-n", "5"],
        &["query", "f.trv", "-n", "2", "-f", "jsonl"],
        &["query", "f.trv", "-c", "!stops", "-n", "2"],
        &["query", "f.trv", "--explode", "stops", "-b", "stops", "-s", "stops"],
        &["schema", "f.trv"],
        &["schema", "f.trv", "-f", "flat"],
        &["schema", "f.trv", "-f", "json"],
        &["schema", "f.trv", "-f", "avro"],
        &["schema", "f.trv", "-f", "proto"],
        &["schema", "f.trv", "-f", "thrift"],
        &["random", "f.trv", "5", "-o", "-", "-q"],
    ] {
        let of_parquet: Vec<&str> =
            args.iter().map(|arg| if *arg == "f.trv" { "f.parquet" } else { arg }).collect();
        if args[0] == "random" {
            let bytes = |args: &[&str]| folder.trevni(args).output().unwrap().stdout;
            assert!(bytes(&of_parquet) == bytes(args) && !bytes(args).is_empty());
            continue;
        }
        assert_eq!(folder.prints(&of_parquet), folder.prints(args), "{args:?}");
    }
    // Both together are one table, in the order of their names.
    assert_eq!(
        folder.prints(&["tail", "f.trv", "f.parquet", "-n", "30001", "-c", "flight", "-f", "csv"]),
        folder.prints(&["tail", "f.trv", "f.trv", "-n", "30001", "-c", "flight", "-f", "csv"])
    );
    assert_eq!(folder.prints(&["count", "f.parquet", "f.trv"]).lines().last(), Some("60,000  total"));
    let differs = folder.trevni(&["diff", "f.parquet", "f.trv"]).output().unwrap();
    assert!(differs.status.success(), "{}", String::from_utf8_lossy(&differs.stdout));
    // Structs read the rows.
    let rust = folder.prints(&["schema", "f.parquet", "-f", "rust"]);
    assert!(rust.contains("pub dep_delay: Option<f64>") && rust.contains("pub stops: Vec<String>"), "{rust}");
}

#[test]
fn wrong_names_are_told_with_all_that_there_are() {
    let folder = folder();
    for args in [
        &["head", "f.trv", "-c", "fligt"][..],
        &["cat", "f.trv", "-w", "carier = 'AA'"],
        &["count", "f.trv", "-w", "flight + 1"],
        &["stats", "f.trv", "-c", "x"],
        &["query", "f.trv", "-b", "carrie"],
        &["query", "f.trv", "-c", "x=flights*2"],
        &["query", "f.trv", "--explode", "carrier"],
        &["query", "f.trv", "-a", "count()", "-s", "x"],
    ] {
        let of_parquet: Vec<&str> =
            args.iter().map(|arg| if *arg == "f.trv" { "f.parquet" } else { arg }).collect();
        let said = |args: &[&str]| {
            let output = folder.trevni(args).output().unwrap();
            (output.status.code(), String::from_utf8(output.stderr).unwrap())
        };
        assert_eq!(said(&of_parquet), said(args), "{args:?}");
        assert_ne!(said(args).0, Some(0), "{args:?}");
    }
}

#[test]
fn fields_that_only_some_files_have_are_null_in_the_others() {
    let folder = Folder::new();
    std::fs::write(folder.path("a.jsonl"), "{\"a\":1,\"b\":2}\n").unwrap();
    std::fs::write(folder.path("c.jsonl"), "{\"a\":3,\"c\":4}\n").unwrap();
    for name in ["a", "c"] {
        folder.prints(&["-q", "convert", &format!("{name}.jsonl"), "-o", &format!("{name}.parquet")]);
        folder.prints(&["-q", "convert", &format!("{name}.jsonl"), "-o", &format!("{name}.trv")]);
    }
    for args in [
        &["cat", "-c", "a,b,c"][..],
        &["cat", "-w", "c = 4"],
        &["query", "-c", "a,c", "-f", "jsonl"],
        &["query", "-w", "c is null", "-f", "jsonl"],
        &["query", "-b", "b", "-a", "sum(a)"],
    ] {
        let of = |ending: &str| {
            let files = [format!("a.{ending}"), format!("c.{ending}")];
            folder.prints(&[args, &[files[0].as_str(), files[1].as_str()]].concat())
        };
        assert_eq!(of("parquet"), of("trv"), "{args:?}");
    }
}

#[test]
fn files_of_others_are_printed_counted_and_summed_up() {
    let folder = Folder::new();
    for path in files("parquet-testing") {
        if ["dict-page-offset-zero", "int96_from_spark"].iter().any(|odd| path.contains(odd)) {
            continue;
        }
        let rows = folder.prints(&["cat", &path]).lines().count();
        assert_eq!(folder.prints(&["count", &path]).trim(), rows.to_string(), "{path}");
        let report: Value = serde_json::from_str(&folder.prints(&["stats", "--json", &path])).unwrap();
        assert_eq!(report["rows"], json!(rows), "{path}");
        assert_eq!(folder.prints(&["query", &path, "-f", "jsonl"]).lines().count(), rows, "{path}");
        assert_eq!(
            folder.prints(&["head", &path, "-n", "2", "-f", "jsonl"]).lines().count(),
            rows.min(2),
            "{path}"
        );
    }
    // An old writer says that there are no rows; the row groups know better.
    assert_eq!(folder.prints(&["count", &golden("nonnullable.impala")]), "1\n");
}

#[test]
fn only_what_is_needed_is_read() {
    let folder = folder();
    // The last row group is damaged, and the column of stops everywhere.
    let bytes = std::fs::read(folder.path("f.parquet")).unwrap();
    let file = trevni_parquet::ParquetFile::open(folder.path("f.parquet")).unwrap();
    let groups: Vec<_> = file.row_groups().collect();
    let mut damaged = bytes.clone();
    let (last, others) = groups.split_last().unwrap();
    // Of records, too, only the fields that are asked for.
    let unwanted = others.iter().flat_map(|group| [&group.chunks[3], &group.chunks[5]]);
    assert_eq!(others[0].chunks[3].path, ["from", "airport"]);
    let chunks = last.chunks.iter().chain(unwanted);
    for chunk in chunks {
        damaged[chunk.start as usize..][..chunk.compressed_bytes as usize].fill(0xff);
    }
    std::fs::write(folder.path("d.parquet"), damaged).unwrap();
    let before: u64 = others.iter().map(|group| group.rows).sum();
    let few = ["-c", "flight,carrier,from.gate", "-f", "csv"];
    let head = |name| folder.prints(&[&["head", name, "-n", "20"], &few[..]].concat());
    assert_eq!(head("d.parquet"), head("f.parquet"));
    assert_eq!(folder.prints(&["count", "d.parquet"]), "30000\n");
    assert_eq!(fails(&folder, &["cat", "d.parquet", "-n", "20", "-c", "stops"]).0, 3);
    assert_eq!(fails(&folder, &["cat", "d.parquet", "-n", "20", "-c", "from"]).0, 3);
    assert_eq!(fails(&folder, &["tail", "d.parquet", "-c", "flight"]).0, 3);
    let all = (before + 1).to_string();
    assert_eq!(fails(&folder, &["head", "d.parquet", "-n", &all, "-c", "flight", "-o", "x.csv"]).0, 3);
    assert!(!folder.path("x.csv").exists());
}

#[test]
fn what_works_on_blocks_refuses_parquet() {
    let folder = folder();
    for (args, expected) in [
        (&["recode", "f.parquet", "-o", "x.trv"][..], "f.parquet is Parquet, not a column file"),
        (&["recode", "--salvage", "f.parquet", "-o", "x.trv"], "f.parquet is Parquet, not a column file"),
        (&["count", "f.parquet", "-w", "flight = 1", "--explain"], "is Parquet, which has no blocks"),
        (&["stats", "f.parquet", "--recorded"], "--recorded is for column files"),
        (&["dump", "f.parquet", "-f", "columns"], "the columns of Parquet have levels"),
    ] {
        let (code, error) = fails(&folder, args);
        assert!(code == 2 && error.contains(expected), "{args:?}: {error}");
        assert!(!folder.path("x.trv").exists() && !folder.path("x").exists());
    }
}

#[test]
fn files_of_rows_are_merged_and_split_too() {
    let folder = folder();
    let rows = folder.prints(&["cat", "f.trv"]);
    folder.prints(&["-q", "merge", "f.parquet", "f.trv", "-o", "x.trv"]);
    assert_eq!(folder.prints(&["cat", "x.trv"]), rows.repeat(2));
    folder.prints(&["-q", "split", "f.parquet", "--parts", "2", "-o", "x"]);
    assert_eq!(folder.prints(&["cat", "x"]), rows);
}

#[test]
fn fields_within_records_are_told_from_names_with_dots() {
    let folder = Folder::new();
    let rows = [
        json!({"a": {"b": 1, "c": {"d": 2}}, "a.b": 7, "e": [{"f": 1, "g": 2}], "m": null}),
        json!({"a": null, "a.b": 8, "e": [], "m": {"x": 1}}),
    ];
    std::fs::write(folder.path("d.jsonl"), rows.map(|row| format!("{row}\n")).concat()).unwrap();
    for name in ["d.trv", "d.parquet"] {
        folder.prints(&["-q", "convert", "d.jsonl", "-o", name]);
    }
    let same = |args: &[&str]| {
        let of = |name| folder.prints(&[&[args[0], name], &args[1..]].concat());
        assert_eq!(of("d.parquet"), of("d.trv"), "{args:?}");
    };
    for columns in ["a.b", r"a\.b", "a.c.d", "a.c", "e.f", "e", "a.b,e.g", "m.x", "*"] {
        same(&["cat", "-c", columns]);
        same(&["stats", "-c", columns]);
    }
    for condition in ["a.c.d = 2", "any(e, g = 2)", "m is null", "`a.b` = 8"] {
        same(&["cat", "-w", condition]);
        same(&["query", "-w", condition, "-a", "count()"]);
    }
}
