//! Compact and plain files in one, and compact files in parts.

use crate::data::{events, read, written};
use serde_json::Value;
use trevni::formats::{Trevni, TrevniInfo};
use trevni::merge::{Merge, Split};
use trevni::verify::Verify;
use trevni::{Codec, Dataset, Dialect, Reader, Writer};

fn merged(merge: Merge, files: &[&Vec<u8>]) -> Vec<u8> {
    let readers: Vec<Reader<'_>> = files.iter().map(|file| Reader::from_slice(file).unwrap()).collect();
    let mut out = Vec::new();
    merge.write(&readers, &mut out).unwrap();
    assert!(Verify::new().source(&out).unwrap().is_ok());
    out
}

#[test]
fn compact_and_plain_files_are_merged() {
    let rows = events(8, 4);
    let builder = || Writer::builder().codec(Codec::Deflate);
    let (plain, compact) =
        (written(&rows, builder()), written(&rows, builder().format(Trevni::new().compact())));
    let twice = [rows.clone(), rows.clone()].concat();
    for (files, is_compact) in
        [([&plain, &compact], false), ([&compact, &plain], true), ([&compact, &compact], true)]
    {
        // As the first file is, or as it is asked for.
        for (merge, is_compact) in [
            (Merge::new(), is_compact),
            (Merge::new().compact(true), true),
            (Merge::new().compact(false), false),
            (Merge::new().compact(false).codec(Codec::Snappy), false),
        ] {
            let file = merged(merge, &files);
            let reader = Reader::from_slice(&file).unwrap();
            assert_eq!(reader.info::<TrevniInfo>().is_some_and(|info| info.is_compact), is_compact);
            assert!(read(&file) == twice);
        }
    }
    // A plain file of a compact one has what the plain file had.
    let again = merged(Merge::new().compact(false), &[&compact]);
    let [one, two] = [&plain, &again].map(|file| Reader::from_slice(file).unwrap());
    for (one, two) in one.columns().iter().zip(two.columns()) {
        assert_eq!((one.codec_name(), one.checksum_name()), (two.codec_name(), two.checksum_name()));
        let keys = |column: &trevni::column::ColumnInfo| {
            column
                .metadata()
                .iter()
                .map(|(key, _)| key.to_owned())
                .filter(|key| key != "zone_map")
                .collect::<Vec<_>>()
        };
        assert_eq!(keys(one), keys(two));
    }
    for dialect in [Dialect::Levels, Dialect::RedElm] {
        let rows: Vec<(i32, String)> = (0..9).map(|n| (n, format!("{n}"))).collect();
        let mut writer = Writer::builder().format(Trevni::new().compact()).build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        let file = merged(Merge::new().dialect(dialect), &[&writer.finish().unwrap()]);
        assert_eq!(trevni::from_slice::<Vec<(i32, String)>>(&file).unwrap(), rows);
    }
}

/// Files whose small columns have no zone maps make a file whose columns have some, where blocks can be skipped.
#[test]
fn zones_of_small_columns_are_found_in_merging() {
    let part = |first: i64| -> Vec<Value> {
        let fields = |row: i64| (0..300).map(move |field| (format!("f{field}"), Value::from(first + row)));
        (0..5).map(|row| Value::Object(fields(row).collect())).collect()
    };
    for format in [Trevni::new(), Trevni::new().compact()] {
        let files: Vec<Vec<u8>> = (0..80)
            .map(|number| written(&part(number * 10), Writer::builder().format(format).codec(Codec::Null)))
            .collect();
        let file = merged(Merge::new().compact(false), &files.iter().collect::<Vec<_>>());
        let reader = Reader::from_slice(&file).unwrap();
        let map = reader.zone_map(7).unwrap().unwrap();
        assert_eq!((map.zones.len(), map.ascending), (80, true));
        let zone = &map.zones[3];
        assert_eq!(
            (zone.values, zone.min.clone(), zone.max.clone()),
            (5, Some(trevni::column::Bound::Integer(30)), Some(trevni::column::Bound::Integer(34)))
        );
        let found = reader.filter(trevni::col("f7").ge(785)).unwrap();
        assert_eq!(found.rows::<Value>().unwrap().count(), 5);
    }
}

#[test]
fn parts_of_a_compact_file_are_compact() {
    let rows = events(4, 5);
    let file = written(&rows, Writer::builder().format(Trevni::new().compact()));
    let folder = std::env::temp_dir().join(format!("trevni-wide-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let files = Split::every(7).create(&Reader::from_slice(&file).unwrap(), &folder).unwrap();
    assert!(
        files
            .iter()
            .all(|file| Reader::open(file).unwrap().info::<TrevniInfo>().is_some_and(|info| info.is_compact))
    );
    let dataset = Dataset::open(&folder).unwrap();
    let found: Vec<Value> = dataset.rows().unwrap().map(Result::unwrap).collect();
    assert!(found == rows);
    std::fs::remove_dir_all(folder).unwrap();
}
