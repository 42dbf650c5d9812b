//! convert from and to Parquet.

use super::super::flights;
use super::{Folder, fails, files, golden};
use serde_json::Value;
use std::fs;
use trevni::{Reader, Writer};
use trevni_parquet::ParquetFile;

/// Files that need an option, or cannot be read.
const ODD: [&str; 2] = ["dict-page-offset-zero", "int96_from_spark"];

#[test]
fn files_of_others_come_and_go() {
    let folder = Folder::new();
    let mut count = 0;
    for path in files("parquet-testing") {
        if ODD.iter().any(|odd| path.contains(odd)) {
            continue;
        }
        folder.prints(&["-q", "convert", &path, "-o", "a.trv", "--force"]);
        folder.prints(&["-q", "convert", "a.trv", "-o", "b.parquet", "--force"]);
        folder.prints(&["-q", "convert", "b.parquet", "-o", "c.trv", "--force"]);
        let rows = folder.prints(&["cat", "a.trv"]);
        assert_eq!(folder.prints(&["cat", "c.trv"]), rows, "{path}");
        assert_eq!(folder.prints(&["convert", &path, "--to", "jsonl", "-o", "-"]), rows, "{path}");
        let schema =
            |name| folder.prints(&["schema", name]).lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(schema("a.trv"), schema("c.trv"), "{path}");
        assert!(folder.prints(&["verify", "c.trv"]).starts_with("ok "), "{path}");
        count += 1;
    }
    assert_eq!(count, 39);
}

#[test]
fn rows_are_those_that_other_readers_see() {
    let folder = Folder::new();
    for name in
        ["alltypes_dictionary", "nested_lists.snappy", "nulls.snappy", "list_columns", "int32_decimal"]
    {
        let rows = folder.prints(&["convert", &golden(name), "--to", "jsonl", "-o", "-"]);
        let expected = fs::read_to_string(super::data("expected").join(format!("{name}.jsonl"))).unwrap();
        assert_eq!(rows.lines().count(), expected.lines().count(), "{name}");
        if name.contains("lists") || name.contains("nulls") || name.contains("list_") {
            let parsed = |text: &str| -> Vec<Value> {
                text.lines().map(|row| serde_json::from_str(row).unwrap()).collect()
            };
            assert_eq!(parsed(&rows), parsed(&expected), "{name}");
        }
    }
}

#[test]
fn texts_and_avro_become_parquet_by_way_of_columns() {
    let folder = Folder::new();
    let rows: Vec<String> = flights(3000).iter().map(|row| format!("{row}\n")).collect();
    fs::write(folder.path("f.jsonl"), rows.concat()).unwrap();
    let output = folder.trevni(&["convert", "f.jsonl", "-o", "f.parquet", "--check"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{told}");
    assert!(told.starts_with("f.jsonl → f.parquet: 3,000 rows, 6 columns, "), "{told}");
    assert!(told.ends_with("checked 3,000 rows: equal\n"), "{told}");
    let parsed =
        |text: &str| -> Vec<Value> { text.lines().map(|row| serde_json::from_str(row).unwrap()).collect() };
    assert_eq!(parsed(&folder.prints(&["cat", "f.parquet"])), flights(3000));

    folder.prints(&["-q", "convert", "f.jsonl", "-o", "f.trv"]);
    folder.prints(&["-q", "convert", "f.trv", "-o", "f.avro"]);
    folder.prints(&["-q", "convert", "f.avro", "-o", "a.parquet", "-c", "carrier,from.gate", "-n", "7"]);
    let expected = folder.prints(&["cat", "f.trv", "-c", "carrier,from.gate", "-n", "7"]);
    let few = folder.prints(&["convert", "a.parquet", "-o", "-", "--to", "jsonl"]);
    assert_eq!(parsed(&few), parsed(&expected));
    folder.prints(&["-q", "convert", "a.parquet", "-o", "a.csv"]);
    assert_eq!(
        fs::read_to_string(folder.path("a.csv")).unwrap(),
        folder.prints(&["cat", "a.parquet", "-f", "csv"])
    );
    folder.prints(&["-q", "convert", "f.parquet", "-o", "b.avro"]);
    folder.prints(&["-q", "convert", "b.avro", "-o", "b.trv"]);
    assert_eq!(parsed(&folder.prints(&["cat", "b.trv"])), flights(3000));
    // Parquet anew.
    folder.prints(&["-q", "convert", "f.parquet", "-o", "g.parquet", "-z", "zstd:3", "-c", "!stops"]);
    let chunk = ParquetFile::open(folder.path("g.parquet")).unwrap().row_groups().next().unwrap().chunks;
    assert!(chunk.iter().all(|chunk| chunk.codec == "ZSTD") && chunk.len() == 5);
    // In a folder: all of them.
    fs::create_dir(folder.path("out")).unwrap();
    folder.prints(&["-q", "convert", "f.parquet", "a.parquet", "-o", "out"]);
    assert!(folder.path("out/f.trv").is_file() && folder.path("out/a.trv").is_file());
    folder.prints(&["-q", "convert", "a.parquet"]);
    assert_eq!(folder.prints(&["cat", "a.trv"]), few);
}

#[test]
fn parquet_is_known_by_its_beginning_and_comes_through_pipes() {
    let folder = Folder::new();
    let bytes = fs::read(golden("nested_maps.snappy")).unwrap();
    fs::write(folder.path("maps.csv"), &bytes).unwrap();
    fs::write(folder.path("maps"), &bytes).unwrap();
    let expected = folder.prints(&["convert", &golden("nested_maps.snappy"), "-o", "-", "--to", "jsonl"]);
    for name in ["maps.csv", "maps"] {
        assert_eq!(folder.prints(&["convert", name, "-o", "-", "--to", "jsonl"]), expected, "{name}");
        assert_eq!(folder.prints(&["cat", name]), expected, "{name}");
    }
    let piped = |args: &[&str], input: &[u8]| {
        let output = folder.trevni(args).write_stdin(input).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let columns = piped(&["-q", "convert", "-", "-o", "-", "--to", "trv"], &bytes);
    assert_eq!(Reader::from_slice(&columns).unwrap().row_count(), 6);
    let parquet = piped(&["-q", "convert", "-", "-o", "-", "--to", "parquet"], &columns);
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    assert_eq!(String::from_utf8(piped(&["cat", "-"], &parquet)).unwrap(), expected);
    assert_eq!(piped(&["count", "-"], &parquet), b"6\n");
}

const AVRO: &str = r#"{"type": "record", "name": "Trip", "namespace": "org.example", "doc": "a trip", "fields": [
    {"name": "day", "type": {"type": "enum", "name": "Day", "symbols": ["SAT", "SUN", "MON"]}, "aliases": ["weekday"]},
    {"name": "km", "type": ["null", "float"], "default": null}]}"#;

#[test]
fn avro_schemas_and_metadata_stay_as_they_are() {
    #[derive(serde::Serialize)]
    struct Trip {
        day: &'static str,
        km: Option<f32>,
    }
    let folder = Folder::new();
    let mut writer =
        Writer::builder().schema(AVRO).metadata("origin", "test").create(folder.path("a.trv")).unwrap();
    writer.write_all([Trip { day: "MON", km: Some(1.5) }, Trip { day: "SAT", km: None }]).unwrap();
    writer.finish().unwrap();
    folder.prints(&["-q", "convert", "a.trv", "-o", "a.parquet"]);
    let file = ParquetFile::open(folder.path("a.parquet")).unwrap();
    let pairs: Vec<_> = file.key_values().collect();
    assert!(pairs.contains(&("parquet.avro.schema", Some(AVRO))), "{pairs:?}");
    assert!(pairs.contains(&("origin", Some("test"))), "{pairs:?}");
    folder.prints(&["-q", "convert", "a.parquet", "-o", "b.trv", "--meta", "more=1"]);
    assert_eq!(
        folder.prints(&["schema", "-f", "avro", "b.trv"]),
        folder.prints(&["schema", "-f", "avro", "a.trv"])
    );
    let back = Reader::open(folder.path("b.trv")).unwrap();
    assert_eq!(back.metadata().get_str("avro.schema"), Some(AVRO));
    assert_eq!(
        (back.metadata().get_str("origin"), back.metadata().get_str("more")),
        (Some("test"), Some("1"))
    );
    assert_eq!(
        folder.prints(&["cat", "b.trv"]),
        "{\"day\":\"MON\",\"km\":1.5}\n{\"day\":\"SAT\",\"km\":null}\n"
    );
    // Fewer fields: symbols stay.
    folder.prints(&["-q", "convert", "a.parquet", "-o", "c.trv", "-c", "day"]);
    assert!(folder.prints(&["schema", "c.trv"]).contains("SUN"));
}

#[test]
fn options_are_those_of_parquet() {
    let folder = Folder::new();
    folder.write("flights.trv", flights(20_000));
    let written = |name: &str| ParquetFile::open(folder.path(name)).unwrap();
    folder.prints(&["-q", "convert", "flights.trv", "-o", "a.parquet"]);
    let usual = written("a.parquet");
    let groups: Vec<_> = usual.row_groups().collect();
    assert_eq!((groups.len(), groups[0].rows, groups[0].chunks.len()), (1, 20_000, 6));
    assert!(groups[0].chunks.iter().all(|chunk| chunk.codec == "SNAPPY"));
    assert_eq!(folder.prints(&["cat", "a.parquet"]), folder.prints(&["cat", "flights.trv"]));
    let size = |name: &str| fs::metadata(folder.path(name)).unwrap().len();
    for codec in ["none", "null", "zstandard"] {
        folder.prints(&["-q", "convert", "flights.trv", "-o", "d.parquet", "--force", "-z", codec]);
        assert_eq!(size("a.parquet") < size("d.parquet"), codec != "zstandard", "{codec}");
    }
    let properties = [
        "parquet.block.size=30000",
        "parquet.page.size=1000",
        "parquet.dictionary.page.size=1000",
        "parquet.enable.dictionary=false",
        "parquet.compression=GZIP",
        "parquet.writer.version=v2",
    ];
    let mut args = vec!["-q", "convert", "flights.trv", "-o", "b.parquet"];
    args.extend(properties.iter().flat_map(|property| ["--property", *property]));
    folder.prints(&args);
    let own = written("b.parquet");
    let chunks: Vec<_> = own.row_groups().flat_map(|group| group.chunks).collect();
    assert!(own.row_group_count() > 1 && own.version() == 2);
    assert!(chunks.iter().all(|chunk| chunk.codec == "GZIP"));
    assert!(!chunks.iter().any(|chunk| chunk.encodings.iter().any(|encoding| encoding.contains("DICT"))));
    assert_eq!(folder.prints(&["cat", "b.parquet"]), folder.prints(&["cat", "flights.trv"]));
    folder.prints(&[
        "-q",
        "convert",
        "flights.trv",
        "-o",
        "c.parquet",
        "--row-group-size",
        "30000B",
        "-z",
        "snappy",
    ]);
    assert!(written("c.parquet").row_group_count() > 1);

    for (args, code, expected) in [
        (&["--property", "parquet.block.size=0"][..], 2, "parquet.block.size cannot be \"0\""),
        (&["--property", "parquet.compression=LZO"], 2, "parquet.compression cannot be \"LZO\""),
        (&["--property", "parquet.pages=1"], 2, "Properties: parquet.block.size, parquet.page.size"),
        (&["--property", "x"], 2, "a name and a value"),
        (&["-z", "lzo"], 2, "Codecs: none, snappy, gzip, zstd, lz4"),
        (&["-z", "carrier=zstd"], 2, "one codec for all columns"),
        (&["-z", "zstd:99"], 2, "no such level"),
        (&["--block-size", "1KiB"], 2, "--block-size is not for Parquet"),
        (&["--dialect", "redelm"], 2, "--dialect is not for Parquet"),
        (&["--meta", "a=b"], 2, "trevni recode --meta"),
        (&["--check"], 2, "--check is not for files that are Trevni"),
        (&["-c", "nothing"], 1, "nothing"),
    ] {
        let all = [&["convert", "flights.trv", "-o", "x.parquet"][..], args].concat();
        let output = folder.trevni(&all).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(expected), "{args:?}: {error}");
        assert!(output.status.code() == Some(code) || code == 1, "{args:?}: {error}");
        assert!(!folder.path("x.parquet").exists(), "{args:?}");
    }
    let only = ["convert", "a.parquet", "-o", "x.trv", "--property", "parquet.page.size=1"];
    assert_eq!(fails(&folder, &only).0, 2);
    let (code, error) = fails(&folder, &["convert", "a.parquet", "-o", "x.trv", "-t", "a=string"]);
    assert_eq!(code, 2);
    assert!(error.contains("--type is not for files that are Parquet"), "{error}");
    let (_, error) = fails(&folder, &["convert", "a.parquet", "-o", "b.parquet"]);
    assert!(error.contains("b.parquet already exists"), "{error}");
    folder.prints(&["-q", "convert", "a.parquet", "-o", "b.parquet", "--force"]);
    assert_eq!(written("b.parquet").row_group_count(), 1);
}

#[test]
fn instants_of_96_bits_have_a_policy() {
    let folder = Folder::new();
    let path = golden("int96_from_spark");
    let (code, error) = fails(&folder, &["convert", &path, "-o", "a.trv"]);
    assert_eq!(code, 1);
    assert!(error.contains("row 2, field a") && error.contains("--int96 micros"), "{error}");
    assert!(!folder.path("a.trv").exists());
    folder.prints(&["-q", "convert", &path, "-o", "a.trv", "--int96", "micros"]);
    let rows = folder.prints(&["cat", "a.trv"]);
    assert!(rows.contains("9999-12-31T03:00:00"), "{rows}");
    assert_eq!(folder.prints(&["cat", &path, "--int96", "micros"]), rows);
    assert_eq!(folder.prints(&["convert", &path, "--int96", "micros", "--to", "jsonl", "-o", "-"]), rows);
}

#[test]
fn what_parquet_cannot_hold_is_named() {
    let folder = Folder::new();
    fs::write(folder.path("u.jsonl"), "{\"a\":1,\"b\":2}\n{\"a\":\"x\",\"b\":3}\n").unwrap();
    let (code, error) = fails(&folder, &["convert", "u.jsonl", "-o", "u.parquet"]);
    assert_eq!(code, 1);
    assert!(error.contains("a has values of several types") && error.contains("-c '!NAME'"), "{error}");
    assert!(!folder.path("u.parquet").exists());
    folder.prints(&["-q", "convert", "u.jsonl", "-o", "u.parquet", "-c", "!a"]);
    assert_eq!(folder.prints(&["cat", "u.parquet"]), "{\"b\":2}\n{\"b\":3}\n");
    let left: Vec<_> = fs::read_dir(folder.0.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}
