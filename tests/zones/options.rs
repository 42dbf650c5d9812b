//! Zone maps are written by default, under a key of their own, and take little room.

use crate::check::{check, small, write};
use trevni::{Category, ErrorKind, Reader, Writer};

#[test]
fn zone_maps_can_be_left_out() {
    let rows: Vec<(i32, Vec<&str>)> = (0..100).map(|n| (n, vec!["a"; n as usize % 3])).collect();
    let bytes = write(small().without_zone_maps(), &rows);
    let reader = Reader::from_slice(&bytes).unwrap();
    for (number, column) in reader.columns().iter().enumerate() {
        assert!(!column.metadata().contains("zone_map"));
        assert_eq!(reader.zone_map(number).unwrap(), None);
        assert!(reader.blocks(number).unwrap().iter().all(|block| block.zone.is_none()));
    }
    assert!(reader.zone_map(2).is_err(), "there are two columns");
}

#[test]
fn the_map_stands_behind_the_keys_of_the_user() {
    let bytes = write(small().column_metadata("", "unit", "m"), &[1, 2, 3]);
    check(&bytes);
    let reader = Reader::from_slice(&bytes).unwrap();
    let keys: Vec<&str> = reader.columns()[0].metadata().iter().map(|(key, _)| key).collect();
    assert_eq!(keys, ["trevni.name", "trevni.type", "unit", "zone_map"]);
}

#[test]
fn the_key_is_reserved_in_columns() {
    for builder in [Writer::builder(), Writer::builder().without_zone_maps()] {
        let error = builder.column_metadata("a", "zone_map", "1").build(Vec::new()).map(drop).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::ReservedKey { key } if key == "zone_map"), "{error}");
        assert_eq!(error.category(), Category::Misuse);
    }
    // In the file it is the user's.
    let bytes = write(small().metadata("zone_map", "1"), &[1]);
    check(&bytes);
    assert_eq!(Reader::from_slice(&bytes).unwrap().metadata().get_str("zone_map"), Some("1"));
}

#[test]
fn the_form_is_that_of_the_documentation() {
    let bytes = write(Writer::builder(), &[Some("b"), None, Some("a")]);
    let reader = Reader::from_slice(&bytes).unwrap();
    let map = reader.columns()[0].metadata().get("zone_map").unwrap();
    let (body, sum) = map.split_last_chunk::<4>().unwrap();
    assert_eq!(body, [1, 0, 2, 4, 3, 2, b'a', 2, b'b']);
    // Rows and size of the block, then the map.
    let checked = [&[3, 0, 0, 0, 7, 0, 0, 0][..], body].concat();
    assert_eq!(*sum, crc32fast::hash(&checked).to_be_bytes());
}

#[test]
fn zone_maps_take_less_than_a_hundredth() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/flights.csv.gz");
    let file = flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap());
    let mut csv = csv::Reader::from_reader(file);
    let names = csv.headers().unwrap().clone();
    let value = |text: &str| match text {
        "" | "NA" => serde_json::Value::Null,
        text => text.parse::<i32>().map_or_else(|_| text.into(), Into::into),
    };
    let rows: Vec<serde_json::Value> = csv
        .records()
        .map(|record| {
            let record = record.unwrap();
            names.iter().zip(&record).map(|(name, text)| (name.to_owned(), value(text))).collect()
        })
        .collect();
    assert_eq!(rows.len(), 22_452);
    let with = write(Writer::builder(), &rows);
    let without = write(Writer::builder().without_zone_maps(), &rows);
    check(&with);
    assert!(without.len() < with.len() && (with.len() - without.len()) * 100 < without.len());
}

#[test]
fn the_size_so_far_is_near_what_the_file_has() {
    let row = |n: u64| (n, format!("text {}", n % 1000), vec![n.wrapping_mul(0x9e37_79b9_7f4a_7c15); 3]);
    let mut writer = Writer::builder().build(Vec::new()).unwrap();
    assert_eq!(writer.size(), 0);
    for n in 0..60_000 {
        writer.write(&row(n)).unwrap();
        // Before the first block is full nothing is known of how well the values compress.
        if n > 0 && n % 1000 == 0 {
            let size = writer.size();
            assert!((10 * n..60 * n).contains(&size), "{size} at row {n}");
        }
    }
    let size = writer.size();
    let written = writer.finish().unwrap().len() as u64;
    assert!(size.abs_diff(written) * 20 < written, "{size} for {written}");
}
