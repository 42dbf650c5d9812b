//! What the library does with its default features, without them, and with the formats with levels.
//!
//! `cargo test -p trevni-weight --no-default-features` runs it without, and `--features levels` with levels.

use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use trevni::{Codec, Dialect, Reader, Writer};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    id: i64,
    name: String,
    price: Option<f64>,
    tags: Vec<String>,
}

fn rows() -> Vec<Row> {
    let row = |id: i64| Row {
        id,
        name: format!("row {id}"),
        price: (id % 3 > 0).then_some(id as f64 / 4.0),
        tags: (0..id % 4).map(|tag| tag.to_string()).collect(),
    };
    (0..20_000).map(row).collect()
}

#[test]
fn rows_come_back() {
    let rows = rows();
    let file = trevni::to_vec(&rows).unwrap();
    assert_eq!(trevni::from_slice::<Vec<Row>>(&file).unwrap(), rows);
    for codec in [Codec::Null, Codec::Deflate, Codec::Typed, Codec::Auto] {
        if !codec.is_available() {
            let error = Writer::builder().codec(codec).build(Vec::new()).map(drop).unwrap_err();
            let hint = format!("enable the feature `{}` of trevni", codec.name());
            assert!(error.to_string().contains(&hint), "{error}");
            continue;
        }
        let mut writer = Writer::builder().codec(codec).build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        let file = writer.finish().unwrap();
        assert_eq!(trevni::from_slice::<Vec<Row>>(&file).unwrap(), rows, "{codec:?}");
    }
}

#[test]
#[cfg(feature = "default")]
fn default_features_have_their_codecs() {
    assert!(
        [Codec::Null, Codec::Snappy, Codec::Deflate, Codec::Typed].iter().all(|codec| codec.is_available())
    );
}

/// Files with codecs that the build lacks.
#[test]
#[cfg(not(feature = "default"))]
fn files_with_other_codecs_are_refused() {
    let folder = data().join("own/0.1");
    for (name, feature) in [("orders-trevni-deflate.trv", "deflate"), ("orders-trevni-typed.trv", "typed")] {
        let file = fs::read(folder.join(name)).unwrap();
        let error = Reader::from_slice(&file).and_then(|reader| reader.blocks(0)).map(drop).unwrap_err();
        assert_eq!(error.category(), trevni::Category::Unsupported);
        assert!(error.to_string().contains(&format!("enable the feature `{feature}` of trevni")), "{error}");
    }
}

/// A codec that no default has.
#[test]
fn columns_of_bzip2_are_refused() {
    let file = fs::read(data().join("trevni/old_bzip2_192.trv")).unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    let read = reader.batches().unwrap().next().unwrap().map(drop);
    for error in [read, reader.blocks(0).map(drop), reader.raw_column(0).map(drop)].map(Result::unwrap_err) {
        assert_eq!(error.category(), trevni::Category::Unsupported);
        assert_eq!(error.location().column.as_deref(), Some("ts"));
        assert!(error.to_string().contains("enable the feature `bzip2` of trevni"), "{error}");
    }
    let written = Writer::builder().codec(Codec::Bzip2).build(Vec::new()).map(drop).unwrap_err();
    assert!(written.to_string().contains("enable the feature `bzip2` of trevni"), "{written}");
}

#[test]
fn a_reader_gives_rows_and_columns() {
    let rows = rows();
    let file = trevni::to_vec(&rows).unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    assert_eq!(reader.rows().unwrap().collect::<Result<Vec<Row>, _>>().unwrap(), rows);
    assert_eq!(reader.row::<Row>(12_345).unwrap(), rows[12_345]);
    let prices: Vec<_> = rows.iter().map(|row| row.price).collect();
    assert_eq!(reader.column::<Option<f64>>("price").unwrap(), prices);
}

#[test]
fn a_reader_selects_rows() {
    let rows = rows();
    let file = trevni::to_vec(&rows).unwrap();
    let reader = Reader::from_slice(&file).unwrap().select([10..12, 19_000..20_000]).unwrap();
    let expected = [&rows[10..12], &rows[19_000..]].concat();
    assert_eq!(reader.rows().unwrap().collect::<Result<Vec<Row>, _>>().unwrap(), expected);
    let explain = reader.explain().unwrap();
    assert_eq!((explain.candidates, explain.matching), (1_002, 1_002));
}

/// Files of the formats with levels.
fn files_with_levels() -> [(Vec<u8>, Dialect); 2] {
    let files = [
        ("levels/dremel_documents.trv", Dialect::Levels),
        ("redelm/public/dremel_gzip.redelm", Dialect::RedElm),
    ];
    files.map(|(name, dialect)| (fs::read(data().join(name)).unwrap(), dialect))
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data")
}

#[test]
#[cfg(feature = "levels")]
fn files_with_levels_are_read() {
    for (file, dialect) in files_with_levels() {
        let reader = Reader::from_slice(&file).unwrap();
        assert_eq!(reader.dialect(), dialect);
        let rows = reader.rows::<serde::de::IgnoredAny>().unwrap().map(Result::unwrap);
        assert_eq!(rows.count() as u64, reader.row_count());
    }
}

#[test]
#[cfg(not(feature = "levels"))]
fn files_with_levels_are_refused() {
    for (file, dialect) in files_with_levels() {
        let opened = Reader::from_slice(&file).map(drop);
        let written = Writer::builder().dialect(dialect).build(Vec::new()).map(drop);
        for error in [opened.unwrap_err(), written.unwrap_err()] {
            assert_eq!(error.category(), trevni::Category::Unsupported);
            assert!(error.to_string().contains("enable the feature `levels` of trevni"), "{error}");
        }
    }
}

/// Files of other programs are told by their first bytes in a build without the formats as in one with them.
#[test]
fn files_of_other_programs_are_told_apart() {
    let mut count = 0;
    for folder in ["levels", "levels/impala-writer", "redelm/public", "trevni"] {
        for entry in fs::read_dir(data().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let is_damaged = path.file_name().unwrap().to_string_lossy().starts_with("bad");
            if is_damaged || !path.extension().is_some_and(|end| end == "trv" || end == "redelm") {
                continue;
            }
            let opened = Reader::open(&path);
            let has_levels = match &opened {
                Ok(reader) => reader.dialect() != Dialect::Trevni,
                // Some need the shape of their rows.
                Err(_) if cfg!(feature = "levels") => true,
                Err(error) => error.to_string().contains("enable the feature `levels` of trevni"),
            };
            assert_eq!(has_levels, folder != "trevni", "{}: {:?}", path.display(), opened.err());
            count += 1;
        }
    }
    assert!(count > 60, "{count} files");
}

/// A header of version 1 that is larger than what is read of a file at first, which a build without levels looks through for them.
#[test]
fn large_headers_of_version_1_are_read_from_files() {
    use std::collections::BTreeMap;
    use trevni::formats::{Trevni, Version};

    let row: BTreeMap<String, u32> =
        (0..2000).map(|number| (format!("column number {number}"), number)).collect();
    let path = std::env::temp_dir().join(format!("trevni-version-1-{}.trv", std::process::id()));
    let mut writer = Writer::builder().format(Trevni::new().version(Version::V1)).create(&path).unwrap();
    writer.write(&row).unwrap();
    writer.finish().unwrap();
    let opened = Reader::open(&path).and_then(|reader| reader.row::<BTreeMap<String, u32>>(0));
    // One that is cut is no file with levels.
    let file = fs::read(&path).unwrap();
    fs::write(&path, &file[..40_000]).unwrap();
    let cut = Reader::open(&path).map(drop).unwrap_err();
    fs::remove_file(&path).unwrap();
    assert_eq!(opened.unwrap(), row);
    assert_eq!(cut.category(), trevni::Category::Corrupt, "{cut}");
}
