//! What is said of Parquet files: info, schema, size, layout, dump, verify.

use super::super::flights;
use super::{Folder, fails, files, golden};
use serde_json::{Value, json};
use std::fs;

#[test]
fn info_has_what_the_footer_says() {
    let folder = Folder::new();
    fs::copy(golden("nested_maps.snappy"), folder.path("n.parquet")).unwrap();
    let text = folder.prints(&["info", "n.parquet"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..8],
        [
            "n.parquet  Parquet 1, 6 rows, 5 columns, 1.3 KiB",
            "schema    3 fields, 2 maps, 1 optional",
            "written   by parquet-mr version 1.8.2 (build c6522788629e590a53eb79874b95f6c3ff11f16c)",
            "groups    1 row group, of 6 rows at most",
            "codec     snappy",
            "encoding  BIT_PACKED, PLAIN, PLAIN_DICTIONARY, RLE",
            "bytes     338 B of columns, 325 B before the codec",
            "largest   a.key_value.value.key_value.key 28.1%, a.key_value.key 20.4%, c 20.1%",
        ]
    );
    assert!(lines[8].starts_with("metadata  org.apache.spark.sql.parquet.row.metadata={\"type\":"), "{text}");
    let json: Value = serde_json::from_str(&folder.prints(&["info", "--json", "n.parquet"])).unwrap();
    assert_eq!((&json["format"], &json["rows"], &json["columns"]), (&json!("parquet"), &json!(6), &json!(5)));
    assert_eq!((&json["codecs"], &json["row_groups"]), (&json!({"snappy": 5}), &json!(1)));
    assert_eq!(json["encodings"]["PLAIN"], json!(2));
    let key = "org.apache.spark.sql.parquet.row.metadata";
    assert_eq!(
        json["metadata"][key].as_str().map(|text| format!("{text}\n")),
        Some(folder.prints(&["info", "n.parquet", "--key", key]))
    );
    assert_eq!(fails(&folder, &["info", "n.parquet", "--key", "x"]).0, 1);
    folder.write("f.trv", flights(10));
    let both = folder.prints(&["info", "n.parquet", "f.trv"]);
    assert!(both.contains("\n\nf.trv  Trevni 2, 10 rows"), "{both}");
}

#[test]
fn schemas_are_printed_as_parquets_own_tools_do() {
    let folder = Folder::new();
    assert_eq!(
        folder.prints(&["schema", "-f", "message", &golden("nested_lists.snappy")]),
        "message spark_schema {
  optional group a (LIST) {
    repeated group list {
      optional group element (LIST) {
        repeated group list {
          optional group element (LIST) {
            repeated group list {
              optional binary element (UTF8);
            }
          }
        }
      }
    }
  }
  required int32 b;
}
"
    );
    assert_eq!(
        folder.prints(&["schema", &golden("nested_lists.snappy")]),
        "nested_lists.snappy\n├─ a                 list<list<list<string?>?>?>?\n└─ b                 int32\n"
    );
    #[derive(serde::Serialize)]
    struct StringPair {
        left: &'static str,
        right: &'static str,
    }
    folder.write("pair.trv", [StringPair { left: "L", right: "R" }]);
    folder.prints(&["-q", "convert", "pair.trv", "-o", "pair.parquet"]);
    assert_eq!(
        folder.prints(&["schema", "-f", "message", "pair.parquet"]),
        "message StringPair {\n  required binary left (UTF8);\n  required binary right (UTF8);\n}\n"
    );
    for path in files("parquet-testing") {
        if path.contains("dict-page-offset-zero") {
            continue;
        }
        for format in ["tree", "flat", "json", "avro", "message", "rust", "proto", "thrift"] {
            assert!(!folder.prints(&["schema", "-f", format, &path]).is_empty(), "{path} {format}");
        }
        assert!(folder.prints(&["info", &path]).contains("  Parquet "), "{path}");
        folder.prints(&["size", &path]);
        folder.prints(&["layout", &path]);
    }
}

#[test]
fn bytes_are_added_up_by_column_field_codec_and_part() {
    let folder = Folder::new();
    fs::copy(golden("nullable.impala"), folder.path("n.parquet")).unwrap();
    let whole = fs::metadata(folder.path("n.parquet")).unwrap().len();
    let file = trevni_parquet::ParquetFile::open(folder.path("n.parquet")).unwrap();
    let chunks: Vec<_> = file.row_groups().flat_map(|group| group.chunks).collect();
    let stored: u64 = chunks.iter().map(|chunk| chunk.compressed_bytes).sum();
    let size = |args: &[&str]| -> Value {
        serde_json::from_str(&folder.prints(&[&["size", "n.parquet", "--json"], args].concat())).unwrap()
    };
    let columns = size(&[]);
    assert_eq!((&columns["rows"], &columns["bytes"]), (&json!(7), &json!(stored)));
    assert_eq!(columns["columns"].as_array().unwrap().len(), chunks.len());
    assert_eq!(size(&["--by", "part"])["bytes"], json!(whole));
    let fields = size(&["--by", "field", "--sort", "file"]);
    let names: Vec<&str> =
        fields["fields"].as_array().unwrap().iter().map(|field| field["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["id", "int_array", "int_array_Array", "int_map", "int_Map_Array", "nested_struct"]);
    assert_eq!(size(&["--by", "codec"])["codecs"][0]["name"], "uncompressed");
    let some = size(&["-c", "nested_struct.b,id", "--sort", "file"]);
    assert_eq!(some["columns"].as_array().unwrap().len(), 2, "{some}");
    assert_eq!(size(&["-c", "!nested_struct"])["columns"].as_array().unwrap().len(), 7);
    let (code, error) = fails(&folder, &["size", "n.parquet", "-c", "ids"]);
    assert!(code == 2 && error.contains("no column \"ids\""), "{error}");
    let text = folder.prints(&["size", "n.parquet", "-n", "1"]);
    assert!(text.contains("n.parquet  7 rows  13 columns") && text.contains("12 more"), "{text}");

    let layout: Value = serde_json::from_str(&folder.prints(&["layout", "n.parquet", "--json"])).unwrap();
    assert_eq!(layout["row_groups"][0]["columns"][0]["offset"], json!(chunks[0].start));
    let text = folder.prints(&["layout", "n.parquet", "-c", "id"]);
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(
        text.ends_with("uncompressed  PLAIN, RLE, PLAIN_DICTIONARY\n") || text.contains("PLAIN"),
        "{text}"
    );
}

#[test]
fn dump_prints_levels_as_parquets_own_tools_do() {
    let folder = Folder::new();
    let dashes = "-".repeat(80);
    let expected = format!(
        "BINARY a.list.element.list.element.list.element
{dashes}
*** row group 1 of 1, values 1 to 18 ***
value 1: R:0 D:7 V:a
value 2: R:3 D:7 V:b
value 3: R:2 D:7 V:c
value 4: R:1 D:4 V:<null>
value 5: R:2 D:7 V:d
"
    );
    let text = folder.prints(&["dump", &golden("nested_lists.snappy"), "-c", "a"]);
    assert!(text.starts_with(&expected) && text.lines().count() == 21, "{text}");
    let both = folder.prints(&["dump", "-f", "levels", &golden("nested_lists.snappy")]);
    assert_eq!(
        both.strip_prefix(&text).unwrap(),
        format!(
            "\nINT32 b\n{dashes}\n*** row group 1 of 1, values 1 to 3 ***\nvalue 1: R:0 D:0 V:1\nvalue 2: R:0 D:0 V:1\nvalue 3: R:0 D:0 V:1\n"
        )
    );
    for (name, line) in [
        ("alltypes_plain", "value 1: R:0 D:1 V:0x0025756c0000000000000000"),
        ("alltypes_plain", "value 2: R:0 D:1 V:1.1"),
        ("nulls.snappy", "value 8: R:0 D:1 V:<null>"),
        ("fixed_length_byte_array", "value 1: R:0 D:1 V:000003e8"),
        ("rle_boolean_encoding", "value 1: R:0 D:1 V:true"),
    ] {
        let text = folder.prints(&["dump", &golden(name)]);
        assert!(text.contains(line), "{name}: {text}");
    }
    // Values of several row groups have numbers of their own, and many are written as they are read.
    folder.write("f.trv", (0..20_000).map(|number| (number, "é\n\u{1b}[0m")));
    folder.prints(&[
        "-q",
        "convert",
        "f.trv",
        "-o",
        "f.parquet",
        "--row-group-size",
        "20KiB",
        "--property",
        "parquet.enable.dictionary=false",
    ]);
    folder.prints(&["dump", "f.parquet", "-c", "_0", "-o", "numbers.txt"]);
    let text = fs::read_to_string(folder.path("numbers.txt")).unwrap();
    assert!(
        text.contains("*** row group 2 of 3, values 8193 to 16384 ***\nvalue 8193: R:0 D:0 V:8192\n"),
        "{}",
        &text[..200]
    );
    assert!(text.ends_with("value 20000: R:0 D:0 V:19999\n"));
    let text = folder.prints(&["dump", "f.parquet", "-c", "_1"]);
    assert!(text.contains("value 1: R:0 D:0 V:é\\n\\u001b[0m\n"), "{}", &text[..300]);
    assert_eq!(fails(&folder, &["dump", "f.parquet", "-c", "x"]).0, 2);
}

#[test]
fn verify_names_the_columns_that_are_damaged() {
    let folder = Folder::new();
    folder.write("f.trv", flights(20_000));
    folder.prints(&["-q", "convert", "f.trv", "-o", "f.parquet", "--row-group-size", "50KiB"]);
    let file = trevni_parquet::ParquetFile::open(folder.path("f.parquet")).unwrap();
    let groups: Vec<_> = file.row_groups().collect();
    assert_eq!(
        folder.prints(&["verify", "f.parquet", "f.trv"]).lines().next(),
        Some(format!("ok       f.parquet  {} row groups, 20,000 rows", groups.len()).as_str())
    );
    let mut bytes = fs::read(folder.path("f.parquet")).unwrap();
    for chunk in [&groups[0].chunks[1], &groups[1].chunks[5]] {
        bytes[chunk.start as usize..][..chunk.compressed_bytes as usize].fill(0xff);
    }
    fs::write(folder.path("d.parquet"), &bytes).unwrap();
    let output = folder.trevni(&["verify", "d.parquet", "f.parquet"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((output.status.code(), lines.len()), (Some(3), 3), "{text}");
    assert!(lines[0].starts_with("damaged  d.parquet  column carrier, row group 0: "), "{text}");
    assert!(lines[1].starts_with("damaged  d.parquet  column stops.list.element, row group 1: "), "{text}");
    let output = folder.trevni(&["verify", "--json", "d.parquet"]).output().unwrap();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["ok"], &json["format"]), (&json!(false), &json!("parquet")));
    assert_eq!(
        (&json["damage"][0]["column"], &json["damage"][1]["row_group"]),
        (&json!("carrier"), &json!(1))
    );
    // The footer alone is whole.
    assert!(folder.prints(&["verify", "--only", "structure", "d.parquet"]).starts_with("ok "));
    fs::write(folder.path("d.parquet"), &bytes[..bytes.len() - 1]).unwrap();
    let output = folder.trevni(&["verify", "d.parquet"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.code() == Some(3) && text.starts_with("damaged  d.parquet  Parquet: "), "{text}");
    for path in files("parquet-testing").iter().filter(|path| !path.contains("dict-page-offset-zero")) {
        assert!(folder.prints(&["verify", path]).starts_with("ok "), "{path}");
    }
}

#[test]
fn pages_have_what_the_footer_says() {
    let folder = Folder::new();
    for name in ["nested_maps.snappy", "nested_lists.snappy", "alltypes_plain"] {
        fs::copy(golden(name), folder.path("n.parquet")).unwrap();
        let page = folder.prints(&["report", "n.parquet", "-o", "-"]);
        let info: Value = serde_json::from_str(&folder.prints(&["info", "--json", "n.parquet"])).unwrap();
        assert!(page.contains(&format!("<dd>Parquet {}</dd>", info["version"])), "{page}");
        assert!(page.contains(&format!("<dt>Rows</dt><dd>{}</dd>", info["rows"])), "{page}");
        // The columns of the file, not those that its rows were read from.
        let sizes: Value = serde_json::from_str(&folder.prints(&["size", "--json", "n.parquet"])).unwrap();
        for column in sizes["columns"].as_array().unwrap() {
            let (name, bytes) = (column["name"].as_str().unwrap(), column["bytes"].as_u64().unwrap());
            let line = format!("<th scope=\"row\">{name}</th><td class=\"number\">{bytes} B</td>");
            assert!(page.contains(&line), "{line}: {page}");
        }
    }
    let page = folder.prints(&["report", "n.parquet", "-o", "-", "-c", "id,bool_col"]);
    assert!(page.contains("<h3>bool_<wbr>col</h3>") && !page.contains("double"), "{page}");
    let error = fails(&folder, &["report", "n.parquet", "-o", "-", "-c", "nothing"]);
    assert!(error.0 == 2 && error.1.contains("no field \"nothing\""), "{error:?}");
}
