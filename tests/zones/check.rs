//! Compares the zones of a file with zones that are computed from its values.

use std::cmp::Ordering;
use trevni::column::{Bound, ValueType, Zone, ZoneMap};
use trevni::{BlockInfo, Reader, Vector, Writer, WriterBuilder};

/// Small blocks and batches, so that there are several of each.
pub(crate) fn small() -> WriterBuilder {
    Writer::builder().block_size(64).batch_rows(16)
}

pub(crate) fn write<T: serde::Serialize>(builder: WriterBuilder, rows: &[T]) -> Vec<u8> {
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

/// Writes rows and checks the zones of all columns.
pub(crate) fn check_rows<T: serde::Serialize>(rows: &[T]) -> Vec<u8> {
    let bytes = write(small(), rows);
    check(&bytes);
    bytes
}

/// Checks all zones of a file; each column has some that ought to.
pub(crate) fn check(bytes: &[u8]) {
    let reader = Reader::from_slice(bytes).unwrap();
    for (number, column) in reader.columns().iter().enumerate() {
        let name = column.name();
        let blocks = reader.blocks(number).unwrap();
        let map = reader.zone_map(number).unwrap();
        let none = blocks.is_empty() || column.value_type() == ValueType::Null && !column.is_array();
        assert_eq!(map.is_none(), none, "{name}");
        assert_eq!(column.metadata().contains("zone_map"), !none, "{name}");
        if let Some(map) = map {
            let ascending = check_column(&reader, number, &map, &blocks);
            assert_eq!(map.ascending, ascending, "{name}");
        }
    }
}

/// Checks the zones of a column; returns whether its values ascend.
pub(crate) fn check_column(reader: &Reader<'_>, number: usize, map: &ZoneMap, blocks: &[BlockInfo]) -> bool {
    let column = &reader.columns()[number];
    let batch = reader.raw_column(number).unwrap();
    assert_eq!(map.zones.len(), blocks.len());
    let mut ascending = column.value_type() != ValueType::Null;
    let mut last: Option<Bound> = None;
    for (block, found) in blocks.iter().zip(&map.zones) {
        assert_eq!(block.zone.as_ref(), Some(found));
        let rows = block.first_row as usize..block.first_row as usize + block.rows as usize;
        let (nulls, values) = values(batch.vector(), rows, column.is_array());
        let bounds = values.bounds();
        for bound in &bounds {
            ascending &= match &last {
                Some(last) => last.compare(bound).is_some_and(|order| order != Ordering::Greater),
                None => bound.compare(bound).is_some(),
            };
            last = Some(bound.clone());
        }
        let expected = zone(nulls, values.count as u64, &bounds);
        assert_eq!(*found, expected, "{} rows {}..", column.name(), block.first_row);
    }
    ascending
}

/// Values of one type, in part.
struct Values<'v> {
    vector: &'v Vector,
    start: usize,
    count: usize,
}

/// Lengths of 0 in these rows, and their values.
fn values(vector: &Vector, rows: std::ops::Range<usize>, array: bool) -> (u64, Values<'_>) {
    let (mut vector, mut range) = (vector, rows);
    let mut nulls = 0;
    while let Vector::List(list) = vector {
        let lengths = list.offsets.lengths().skip(range.start).take(range.len());
        nulls = lengths.filter(|length| *length == 0).count() as u64;
        let ends = list.offsets.as_slice();
        range = ends[range.start] as usize..ends[range.end] as usize;
        vector = &list.item;
    }
    (if array { nulls } else { 0 }, Values { vector, start: range.start, count: range.len() })
}

impl Values<'_> {
    fn bounds(&self) -> Vec<Bound> {
        let range = self.start..self.start + self.count;
        match self.vector {
            Vector::Null(_) => Vec::new(),
            Vector::Boolean(values) => values[range].iter().map(|value| Bound::Boolean(*value)).collect(),
            Vector::Int(values) => {
                values[range].iter().map(|value| Bound::Integer(i64::from(*value))).collect()
            }
            Vector::Long(values) => values[range].iter().map(|value| Bound::Integer(*value)).collect(),
            Vector::Float(values) => {
                values[range].iter().map(|value| Bound::Float(f64::from(*value))).collect()
            }
            Vector::Double(values) => values[range].iter().map(|value| Bound::Float(*value)).collect(),
            Vector::String(values) => {
                range.map(|at| Bound::Bytes(values.get(at).unwrap().as_bytes().to_vec())).collect()
            }
            Vector::Bytes(values) => range.map(|at| Bound::Bytes(values.get(at).unwrap().to_vec())).collect(),
            other => panic!("{other:?} is not a raw column"),
        }
    }
}

fn zone(nulls: u64, values: u64, bounds: &[Bound]) -> Zone {
    let mut zone = Zone::default();
    (zone.nulls, zone.values) = (nulls, values);
    let numbers = bounds.iter().filter(|bound| bound.compare(bound).is_some());
    zone.nan = numbers.clone().count() < bounds.len();
    zone.min = numbers
        .clone()
        .cloned()
        .reduce(|one, two| if two.compare(&one) == Some(Ordering::Less) { two } else { one });
    zone.max = numbers
        .cloned()
        .reduce(|one, two| if two.compare(&one) == Some(Ordering::Greater) { two } else { one });
    if let Some(Bound::Bytes(min)) = &mut zone.min {
        min.truncate(32);
    }
    zone.max = match zone.max {
        Some(Bound::Bytes(max)) => upper(max).map(Bound::Bytes),
        other => other,
    };
    zone
}

/// At most 32 bytes that are not less than these.
fn upper(mut value: Vec<u8>) -> Option<Vec<u8>> {
    if value.len() <= 32 {
        return Some(value);
    }
    value.truncate(32);
    while let Some(last) = value.pop() {
        if last < 0xff {
            value.push(last + 1);
            return Some(value);
        }
    }
    None
}
