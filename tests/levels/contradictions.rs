//! Levels that contradict each other: all ways to read a file agree on whether they do.

use proptest::prelude::*;
use serde_json::{Value, json};
use trevni::formats::{Layout, Levels};
use trevni::verify::Verify;
use trevni::{Category, Checksum, Codec, Reader, Result, Shape, Writer};

/// A group column that contradicts the columns below it: a full read took the lengths of those.
const FILE: &[u8] = include_bytes!("../data/levels/bad/contradictory_group.trv");

/// Whether all of the rows can be read: at once, by columns, and by threads. Where they can be read at once, they
/// can be read one by one; the other way round need not be so, since nothing below an empty list is read for one row.
fn ways(bytes: &[u8]) -> Result<Vec<(&'static str, bool)>> {
    let reader = Reader::from_slice(bytes)?;
    let all = reader.rows::<Value>()?.collect::<Result<Vec<_>>>();
    let single: Result<Vec<Value>> = (0..reader.row_count()).map(|row| reader.row(row)).collect();
    let batches = reader.batches()?.collect::<Result<Vec<_>>>();
    let last = reader.select(reader.row_count().saturating_sub(1)..reader.row_count())?;
    if let Ok(rows) = &all {
        assert_eq!(
            last.rows::<Value>()?.collect::<Result<Vec<_>>>().ok().as_deref(),
            rows.get(rows.len() - 1..)
        );
        assert_eq!(single.as_ref().ok(), Some(rows));
    }
    let with_threads = Reader::builder().threads(2).source(bytes)?;
    let threads = with_threads.rows::<Value>()?.all(|row| row.is_ok());
    let Shape::Record(record) = reader.shape() else { panic!("rows are records") };
    let mut projected = true;
    for field in &record.fields {
        projected &= reader.project([&*field.name])?.rows::<Value>()?.all(|row| row.is_ok());
    }
    // It looks at bytes that nobody reads too.
    assert!(all.is_ok() || !Verify::new().source(bytes)?.is_ok());
    Ok(vec![
        ("rows", all.is_ok()),
        ("batches", batches.is_ok()),
        ("threads", threads),
        ("projected", projected),
    ])
}

fn agree(bytes: &[u8]) -> std::result::Result<(), TestCaseError> {
    let Ok(ways) = ways(bytes) else { return Ok(()) };
    prop_assert!(ways.iter().all(|(_, is_read)| *is_read == ways[0].1), "{ways:?}");
    Ok(())
}

#[test]
fn a_group_that_contradicts_its_fields_is_refused_by_all() {
    let found = ways(FILE).unwrap();
    assert!(found.iter().all(|(_, is_read)| !is_read), "{found:?}");
    let reader = Reader::from_slice(FILE).unwrap();
    let error = reader.rows::<Value>().unwrap().find_map(Result::err).unwrap();
    assert_eq!(error.category(), Category::Corrupt);
    assert!(error.to_string().starts_with("column \"items\""), "{error}");
}

fn file(rows: &[Value], layout: Layout) -> Vec<u8> {
    let options = Writer::builder().format(Levels::new().layout(layout));
    let options = options.codec(Codec::Null).checksum(Checksum::Null).block_size(64).without_zone_maps();
    let mut writer = options.build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

fn rows() -> Vec<Value> {
    let row = |number: i64| {
        json!({
            "id": number,
            "items": (0..number % 4).map(|n| json!({
                "count": n,
                "tags": (0..n % 3).collect::<Vec<_>>(),
                "inner": if n % 2 == 0 { Value::Null } else { json!({"a": n, "b": [n]}) },
            })).collect::<Vec<_>>(),
            "deep": (0..number % 3).map(|n| (0..n).map(|n| vec![n; 2]).collect()).collect::<Vec<Vec<_>>>(),
        })
    };
    (0..20).map(row).collect()
}

proptest! {
    #[test]
    fn all_ways_agree_on_any_change(
        first in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0u8..6), 1..3),
    ) {
        let mut bytes = file(&rows(), if first { Layout::LevelsFirst } else { Layout::ValuesFirst });
        let start = bytes.len() / 2;
        for (at, to) in changes {
            let at = start + at.index(bytes.len() - start);
            bytes[at] = to;
        }
        agree(&bytes)?;
    }
}
