//! Files of the Java implementation, and of an independent one.

use crate::render::{folder, golden, levels, rows};
use serde_json::Value;
use trevni::formats::{LevelsInfo, RedElmFooter, RedElmInfo, RedElmSummary};
use trevni::{Dialect, Reader};

#[test]
fn every_file_reads_to_its_rows() {
    for path in golden() {
        let text = std::fs::read_to_string(path.with_extension("jsonl")).unwrap();
        let expected = text.lines().map(|line| as_single(serde_json::from_str(line).unwrap()));
        let reader = Reader::open(&path).unwrap();
        assert_eq!(reader.dialect(), Dialect::RedElm);
        let found = rows(&reader).into_iter().map(as_single).collect::<Vec<_>>();
        assert_eq!(found.len() as u64, reader.row_count());
        for (row, (found, expected)) in found.iter().zip(expected.collect::<Vec<_>>()).enumerate() {
            assert_eq!(*found, expected, "row {row} of {}", path.display());
        }
        assert_eq!(found.len(), text.lines().count(), "{}", path.display());
    }
}

/// Numbers as doubles, and no field that is missing or empty.
fn as_single(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => Value::from(number.as_f64().unwrap() as f32),
        Value::Array(items) => items.into_iter().map(as_single).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, as_single(value))).collect(),
        other => other,
    }
}

#[test]
fn every_file_has_its_levels() {
    for path in golden() {
        let expected = std::fs::read_to_string(path.with_extension("levels.txt")).unwrap();
        let (_, expected) = expected.split_once('\n').unwrap();
        let found = levels(&Reader::open(&path).unwrap());
        for (line, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
            assert_eq!(found, expected, "line {line} of {}", path.display());
        }
        assert_eq!(found.lines().count(), expected.lines().count(), "{}", path.display());
    }
}

#[test]
fn every_file_has_its_message() {
    for path in golden() {
        let expected = std::fs::read_to_string(path.with_extension("schema.txt")).unwrap();
        let reader = Reader::open(&path).unwrap();
        assert_eq!(reader.shape().to_message().trim_end(), expected.trim_end(), "{}", path.display());
    }
}

#[test]
fn every_file_says_how_its_footer_is_written_and_where_it_is() {
    for path in golden() {
        let bytes = std::fs::read(&path).unwrap();
        let reader = Reader::from_slice(&bytes).unwrap();
        let form = match path.file_stem().unwrap().to_str().unwrap() {
            "footer_json" | "footer_json_groups_gzip" => RedElmFooter::Json,
            "footer_json_gz" => RedElmFooter::GzippedJson,
            _ => RedElmFooter::Java,
        };
        assert_eq!(
            (
                reader.info::<RedElmInfo>().map(|info| info.footer),
                reader.info::<LevelsInfo>().map(|info| info.layout)
            ),
            (Some(form), None),
            "{}",
            path.display()
        );
        let range = reader.info::<RedElmInfo>().map(|info| info.footer_range).unwrap();
        let place = &bytes[bytes.len() - 16..bytes.len() - 8];
        assert_eq!(range, u64::from_be_bytes(place.try_into().unwrap())..bytes.len() as u64);
    }
}

#[test]
fn the_summary_is_read_and_written() {
    let folder = folder("extra/summary");
    let bytes = std::fs::read(folder.join(RedElmSummary::FILE_NAME)).unwrap();
    let summary = RedElmSummary::from_slice(&bytes).unwrap();
    assert!(summary.to_vec().unwrap() == bytes);
    let names: Vec<&str> =
        summary.files().iter().map(|file| file.path().rsplit('/').next().unwrap()).collect();
    assert_eq!(names, ["part-m-00000.redelm.gz", "part-m-00001.redelm"]);
    for (file, name) in summary.files().iter().zip(names) {
        let reader = Reader::open(folder.join(name)).unwrap();
        assert_eq!(file.row_count(), reader.row_count());
        assert_eq!(file.shape(), reader.shape());
        assert_eq!(file.metadata(), reader.metadata());
        // Of the files themselves the same, but for the paths.
        let own = RedElmSummary::from_files([folder.join(name)]).unwrap();
        assert_eq!((own.files()[0].row_count(), own.files()[0].shape()), (file.row_count(), file.shape()));
    }
    for end in 0..bytes.len() {
        assert!(RedElmSummary::from_slice(&bytes[..end]).is_err());
    }
    let own = [0x7f, 0xff, 0xff, 0xff];
    assert!(RedElmSummary::from_slice(&own).is_err());
}
