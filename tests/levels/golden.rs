//! Golden files: their rows, their levels, and their bytes.

use crate::{data, json};
use serde_json::Value;
use trevni::formats::{LevelsInfo, RedElmInfo};
use trevni::{Category, Dialect, Reader, ValueRef};

#[test]
fn every_file_reads_to_its_rows() {
    for golden in data::all() {
        let bytes = golden.bytes();
        let reader = golden.reader(&bytes);
        assert_eq!(reader.dialect(), Dialect::Levels, "{}", golden.name);
        let expected = golden.rows();
        let mut found = 0;
        for batch in reader.batches().unwrap() {
            let batch = batch.unwrap_or_else(|error| panic!("{}: {error}", golden.name));
            for row in batch.values() {
                assert!(json::is_same(&expected[found], row), "{}, row {found}: {row:?}", golden.name);
                found += 1;
            }
        }
        assert_eq!(found, expected.len(), "{}", golden.name);
    }
}

#[test]
fn every_file_has_its_layout() {
    for golden in data::all() {
        let bytes = golden.bytes();
        let reader = golden.reader(&bytes);
        let layout = reader.info::<LevelsInfo>().map(|info| info.layout).map(|layout| layout.name());
        assert_eq!(layout, golden.schema()["options"]["layout"].as_str(), "{}", golden.name);
        assert!(
            reader.info::<RedElmInfo>().map(|info| info.footer).is_none()
                && reader.info::<RedElmInfo>().map(|info| info.footer_range).is_none()
        );
    }
}

#[test]
fn every_file_has_its_levels() {
    for golden in data::all() {
        let bytes = golden.bytes();
        let reader = golden.reader(&bytes);
        let text = golden.levels();
        let mut columns = text.split("# column ").skip(1);
        for (number, column) in reader.columns().iter().enumerate() {
            let mut lines = columns.next().unwrap().lines();
            let width = column.array_width().unwrap_or_default();
            let (name, value_type) = (column.name(), column.value_type());
            let (d, r) = (column.max_definition(), column.max_repetition());
            assert_eq!(lines.next().unwrap(), format!("{name} type={value_type} D={d} R={r} width={width}"));
            let batch = reader.raw_column(number).unwrap();
            let leaves = batch.levels().unwrap();
            let [leaf] = leaves.as_slice() else { panic!("{} leaves", leaves.len()) };
            let starts: Vec<u64> =
                reader.blocks(number).unwrap().iter().map(|block| block.first_row).collect();
            check(&golden.name, lines, leaf, &starts, column.array_width());
        }
        assert!(columns.next().is_none());
    }
}

/// Compares the entries of a column with lines of repetition level, definition level and value.
fn check<'t>(
    name: &str,
    lines: impl Iterator<Item = &'t str>,
    leaf: &trevni::levels::LeafColumn<'_>,
    starts: &[u64],
    width: Option<usize>,
) {
    let (mut entry, mut row, mut block, mut value) = (0, 0, 0, 0);
    for line in lines.filter(|line| !line.is_empty()) {
        if let Some(number) = line.strip_prefix("# block ") {
            assert_eq!(number, block.to_string(), "{name}");
            assert!(starts[block] == row || starts[block] == row.saturating_sub(1), "{name}, block {block}");
            block += 1;
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let (r, d) = (leaf.levels.repetition[entry], leaf.levels.definition[entry].min(max(leaf, width)));
        assert_eq!(fields[..2], [r.to_string(), d.to_string()], "{name}, entry {entry}");
        if fields[2] == "-" || fields[2] == "{}" {
            assert_eq!(d < max(leaf, width), fields[2] == "-");
        } else {
            let expected: Value = serde_json::from_str(fields[2]).unwrap();
            for expected in expected.as_array().filter(|_| width.is_some()).unwrap_or(&vec![expected.clone()])
            {
                let found = ValueRef::new(leaf.leaf.shape, leaf.values, value).unwrap();
                assert!(json::is_same(expected, found), "{name}, entry {entry}: {found:?}, not {expected}");
                value += 1;
            }
        }
        row += u64::from(r == 0);
        entry += width.filter(|_| fields[2] != "-").unwrap_or(1);
    }
    assert_eq!(entry, leaf.levels.definition.len(), "{name}");
}

/// The greatest definition level of a column; the lists that are rows of a matrix do not count.
fn max(leaf: &trevni::levels::LeafColumn<'_>, width: Option<usize>) -> u8 {
    leaf.leaf.max_definition - u8::from(width.is_some())
}

#[test]
fn bad_files_are_refused() {
    for golden in data::bad() {
        let bytes = golden.bytes();
        let refused = Reader::builder()
            .source(&*bytes)
            .and_then(|reader| reader.batches()?.try_for_each(|batch| batch.map(|_| ())));
        let error = refused.expect_err(&golden.name);
        assert_eq!(error.category(), Category::Corrupt, "{}: {error}", golden.name);
        eprintln!("{}: {error}", golden.name);
    }
}
