//! info, size, verify, merge and split.

use super::{Folder, flights};
use serde_json::Value;
use std::fs;

#[test]
fn info_says_what_a_file_is() {
    let folder = Folder::with_flights();
    let text = folder.prints(&["info", "flights.trv"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("flights.trv  Trevni 2, 1,000 rows, 6 columns, "), "{text}");
    assert_eq!(lines[1], "schema    5 fields, 7 with those inside, 1 list, 1 optional");
    assert_eq!(lines[2], "codec     snappy");
    assert_eq!(lines[3], "checksum  crc32");
    assert!(lines[4].starts_with("blocks    ") && lines[4].ends_with(" at most before the codec"), "{text}");
    assert!(lines[5].starts_with("largest   ") && lines[5].matches('%').count() == 3, "{text}");
    assert_eq!(lines[6], "metadata  origin=test");
    let json: Value = serde_json::from_str(&folder.prints(&["info", "--json", "flights.trv"])).unwrap();
    assert_eq!((json["rows"].as_u64(), json["metadata"]["origin"].as_str()), (Some(1000), Some("test")));
    assert_eq!(folder.prints(&["info", "--key", "origin", "flights.trv"]), "test\n");
    assert_eq!(folder.prints(&["meta", "flights.trv"]), text);
}

#[test]
fn size_has_all_bytes() {
    let folder = Folder::with_flights();
    let text = folder.prints(&["size", "-n", "2", "flights.trv"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    assert!(lines[0].starts_with("flights.trv  1,000 rows  6 columns  "), "{text}");
    assert!(lines[2].contains("% ") && lines[2].contains('█') && lines[4].starts_with("4 more"), "{text}");
    let json: Value = serde_json::from_str(&folder.prints(&["size", "--json", "flights.trv"])).unwrap();
    let columns = json["columns"].as_array().unwrap();
    let sum: u64 = columns.iter().map(|column| column["bytes"].as_u64().unwrap()).sum();
    assert_eq!((columns.len(), Some(sum)), (6, json["bytes"].as_u64()));
    let whole = fs::metadata(folder.path("flights.trv")).unwrap().len();
    assert!(sum < whole && sum > whole / 2, "{sum} of {whole}");
}

#[test]
fn verify_finds_each_damaged_block() {
    let folder = Folder::with_flights();
    folder.write("good.trv", flights(10));
    let mut bytes = fs::read(folder.path("flights.trv")).unwrap();
    let (offset, first, rows) = {
        let reader = trevni::Reader::from_slice(&bytes).unwrap();
        let number = reader.columns().iter().position(|column| column.name() == "flight").unwrap();
        let block = &reader.blocks(number).unwrap()[1];
        (block.offset as usize, block.first_row, block.rows)
    };
    bytes[offset + 30] ^= 4;
    fs::write(folder.path("bad.trv"), &bytes).unwrap();
    let output = folder.trevni(&["verify", "good.trv", "bad.trv"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("ok       good.trv  ") && lines[0].ends_with(" blocks, 10 rows"), "{text}");
    assert!(lines[1].starts_with("damaged  bad.trv   column \"flight\", block 1"), "{text}");
    let cannot = format!("rows {first} to {} cannot be read", first + u64::from(rows) - 1);
    assert_eq!((lines[2].trim(), lines.len()), (&*cannot, 3));
    let output = folder.trevni(&["verify", "--json", "bad.trv"]).output().unwrap();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((json["ok"].as_bool(), json["damage"][0]["first_row"].as_u64()), (Some(false), Some(first)));
    assert_eq!(folder.prints(&["verify", "good.trv", "flights.trv"]).lines().count(), 2);
}

#[test]
fn verify_lists_all_that_is_wrong() {
    let folder = Folder::with_flights();
    let mut bytes = fs::read(folder.path("flights.trv")).unwrap();
    let place = |column: usize| {
        let reader = trevni::Reader::from_slice(&bytes).unwrap();
        let block = &reader.blocks(column).unwrap()[0];
        (reader.columns()[column].name().to_owned(), block.offset as usize)
    };
    let ((one, first), (two, second)) = (place(0), place(3));
    bytes[20] ^= 1;
    bytes[first + 5] ^= 1;
    bytes[second + 5] ^= 1;
    bytes.extend([0; 9]);
    fs::write(folder.path("bad.trv"), &bytes).unwrap();
    let json = |args: &[&str]| {
        let output = folder.trevni(&[&["verify", "--json", "bad.trv"], args].concat()).output().unwrap();
        (output.status.code(), serde_json::from_slice::<Value>(&output.stdout).unwrap()["damage"].clone())
    };
    let (code, damage) = json(&[]);
    assert_eq!((code, damage.as_array().unwrap().len()), (Some(3), 4), "{damage:#}");
    // A key of the header's checksum: it is not switched off, and the rest is checked.
    assert_eq!(damage[0]["tier"], "structure");
    for (found, column, byte) in [(&damage[1], one, first), (&damage[2], two, second)] {
        let expected = (&Value::from("checksums"), &Value::from(column), &Value::from(0), &Value::from(byte));
        assert_eq!((&found["tier"], &found["column"], &found["block"], &found["byte"]), expected);
        assert!(found["first_row"] == 0 && found["rows"].as_u64() > Some(0));
    }
    assert_eq!(
        (&damage[3]["tier"], damage[3]["byte"].as_u64()),
        (&Value::from("unowned"), Some(bytes.len() as u64 - 9))
    );
    assert_eq!(json(&["--only", "unowned"]).1.as_array().unwrap().len(), 1);
    assert_eq!(json(&["--only", "schema,statistics"]), (Some(0), Value::Array(vec![])));
    assert_eq!(
        folder.trevni(&["verify", "--only", "sums", "bad.trv"]).output().unwrap().status.code(),
        Some(2)
    );
}

#[test]
fn merge_and_split_copy_rows() {
    let folder = Folder::with_flights();
    let output = folder.trevni(&["split", "--rows", "300", "flights.trv", "-o", "parts"]).output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("1,000 rows in 4 parts"));
    let parts =
        ["parts/part-00000.trv", "parts/part-00001.trv", "parts/part-00002.trv", "parts/part-00003.trv"];
    let merge = [&["merge"], &parts[..], &["-o", "all.trv"]].concat();
    assert!(folder.trevni(&merge).output().unwrap().status.success());
    assert_eq!(folder.prints(&["cat", "all.trv"]), folder.prints(&["cat", "flights.trv"]));
    // What is there stays, unless it is to be replaced.
    let output = folder.trevni(&merge).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("all.trv already exists\n  To replace it: --force")
    );
    let some = [&merge[..], &["--force", "-w", "carrier = 'DL'"]].concat();
    assert!(folder.trevni(&some).output().unwrap().status.success());
    assert_eq!(folder.prints(&["count", "all.trv"]), "333\n");
}

#[test]
fn completions_and_the_manual_are_made() {
    let folder = Folder::new();
    assert!(folder.prints(&["completions", "bash"]).contains("_trevni()"));
    assert!(folder.prints(&["man"]).contains(".TH trevni 1"));
}
