//! Each block in turn.

use crate::files::{compare, files, is_in, left};
use serde_json::{Value, json};
use std::ops::Range;
use trevni::{Codec, ErrorKind, Reader, Result, Writer, col};

fn salvage(bytes: &[u8]) -> Reader<'_> {
    Reader::builder().salvage().source(bytes).unwrap()
}

/// The rows and the bytes of each block of a column.
fn blocks(reader: &Reader<'_>, column: usize) -> Vec<(Range<u64>, Range<usize>)> {
    let of = |block: &trevni::BlockInfo| {
        let offset = block.offset as usize;
        let rows = block.first_row..block.first_row + u64::from(block.rows);
        (rows, offset..offset + block.compressed_size as usize)
    };
    reader.blocks(column).unwrap().iter().map(of).collect()
}

/// The columns whose lengths say where the values of a column are: those around it, and itself.
fn around(reader: &Reader<'_>, column: usize) -> Vec<usize> {
    let columns = reader.columns();
    let above = |number: &usize| {
        let parent = columns[*number].parent()?;
        columns.iter().position(|column| column.name() == parent)
    };
    std::iter::successors(Some(column), above).collect()
}

/// The rows that are lost where one block is: its own, and in the columns below what comes after them in a block.
fn lost_with(reader: &Reader<'_>, damaged: usize, rows: &Range<u64>) -> Vec<Range<u64>> {
    let mut lost = vec![Vec::new(); reader.columns().len()];
    let mut all = Vec::new();
    for column in 0..lost.len() {
        let mut own = if column == damaged { vec![rows.clone()] } else { Vec::new() };
        let above: Vec<Range<u64>> =
            around(reader, column)[1..].iter().flat_map(|above| lost[*above].clone()).collect();
        for (block, _) in blocks(reader, column) {
            if let Some(first) = block.clone().find(|row| is_in(&above, *row)) {
                own.push(first..block.end);
            }
        }
        all.extend(own.iter().cloned());
        lost[column] = own;
    }
    all
}

#[test]
fn a_damaged_block_costs_its_rows() {
    let mut damaged_blocks = 0;
    for sample in files() {
        let whole = Reader::from_slice(&sample.bytes).unwrap();
        for column in 0..whole.columns().len() {
            for (rows, bytes) in blocks(&whole, column) {
                if bytes.is_empty() || !sample.checked {
                    continue;
                }
                let what = format!("{}, column {column}, rows {rows:?}", sample.name);
                let mut damaged = sample.bytes.clone();
                damaged[bytes.start + bytes.len() / 2] ^= 0x10;
                let reader = salvage(&damaged);
                let left = left(&reader).unwrap_or_else(|error| panic!("{what}: {error}"));
                compare(&left, &sample.rows, &what);
                // Bits that a codec does not look at.
                if Reader::from_slice(&damaged).unwrap().raw_column(column).is_ok() {
                    assert!(left.lost.is_empty(), "{what}");
                    continue;
                }
                let expected = lost_with(&whole, column, &rows);
                let found: Vec<u64> =
                    (0..whole.row_count()).filter(|row| is_in(left.lost.rows().ranges(), *row)).collect();
                let expected: Vec<u64> =
                    (0..whole.row_count()).filter(|row| is_in(&expected, *row)).collect();
                assert_eq!(found, expected, "{what}");
                let damage = left.lost.damage().next().unwrap();
                assert_eq!(damage.rows(), rows, "{what}");
                assert!(
                    matches!(
                        damage.error().kind(),
                        ErrorKind::Checksum { .. } | ErrorKind::Decompress { .. }
                    ),
                    "{what}: {:?}",
                    damage.error()
                );
                let name = Some(whole.columns()[column].name());
                assert_eq!(damage.error().location().column.as_deref(), name, "{what}");
                damaged_blocks += 1;
            }
        }
    }
    assert!(damaged_blocks > 120, "{damaged_blocks}");
}

#[test]
fn blocks_without_checksums_cost_no_other_rows_than_those_that_touch_them() {
    let (mut lossy, mut all) = (0, 0);
    for sample in files().into_iter().filter(|sample| !sample.checked) {
        let whole = Reader::from_slice(&sample.bytes).unwrap();
        for column in 0..whole.columns().len() {
            for (rows, bytes) in blocks(&whole, column) {
                let what = format!("{}, column {column}, rows {rows:?}", sample.name);
                // Continuation bits everywhere: no integers, no lengths.
                let mut damaged = sample.bytes.clone();
                damaged[bytes].fill(0xff);
                let reader = salvage(&damaged);
                let left = left(&reader).unwrap_or_else(|error| panic!("{what}: {error}"));
                // In columns below, what is wrong may show in other blocks.
                let touched = lost_with(&whole, column, &rows);
                let others: Vec<_> = left.rows.iter().filter(|(row, _)| !is_in(&touched, *row)).collect();
                for (number, row) in others {
                    assert_eq!(*row, sample.rows[*number as usize], "{what}, row {number}");
                }
                lossy += usize::from(!left.lost.is_empty());
                all += 1;
            }
        }
    }
    assert!(all > 120 && lossy > all / 2, "{lossy} of {all}");
}

#[test]
fn whole_files_lose_nothing() {
    for sample in files() {
        let left = left(&salvage(&sample.bytes)).unwrap();
        assert!(left.lost.is_empty(), "{}: {:?}", sample.name, left.lost);
        assert_eq!(left.rows.len(), sample.rows.len());
        compare(&left, &sample.rows, &sample.name);
    }
}

fn numbers() -> (Vec<u8>, Vec<Range<u64>>) {
    let mut writer = Writer::builder().codec(Codec::Null).block_size(400).build(Vec::new()).unwrap();
    writer
        .write_all((0..1000).map(|n| json!({"a": n, "b": f64::from(n), "c": format!("text {n}")})))
        .unwrap();
    let whole = writer.finish().unwrap();
    let mut bytes = whole.clone();
    let whole = Reader::from_slice(&whole).unwrap();
    let of = |column: usize| blocks(&whole, column);
    let places = [of(0)[1].clone(), of(1)[3].clone(), of(2)[9].clone()];
    for (_, place) in &places {
        bytes[place.start + 1] ^= 1;
    }
    (bytes, places.into_iter().map(|(rows, _)| rows).collect())
}

#[test]
fn of_a_projection_only_its_columns_count() {
    let (bytes, lost) = numbers();
    let reader = salvage(&bytes);
    assert_eq!(reader.lost().unwrap().damage().count(), 3);
    for (field, rows) in ["a", "b", "c"].into_iter().zip(&lost) {
        let part = reader.project([field]).unwrap();
        assert_eq!(part.lost().unwrap().rows().ranges(), std::slice::from_ref(rows));
        assert_eq!(part.rows::<Value>().unwrap().count() as u64, 1000 - (rows.end - rows.start));
    }
    let column = reader.column::<i32>("a").unwrap();
    let kept: Vec<i32> = (0..1000).filter(|n| !lost[0].contains(&(*n as u64))).collect();
    assert_eq!(column, kept);
    // A selection has no more than what is there.
    let selected = reader.select(lost[0].start - 1..lost[0].end + 1).unwrap().project(["a"]).unwrap();
    assert_eq!(selected.column::<i32>("a").unwrap(), [lost[0].start as i32 - 1, lost[0].end as i32]);
    assert!(reader.row::<Value>(lost[0].start).unwrap_err().to_string().contains("lost"));
}

#[test]
fn filters_find_the_rows_that_are_left() {
    let (bytes, lost) = numbers();
    let reader = salvage(&bytes);
    // Zone maps tell of blocks that are lost.
    let predicates = [
        col("a").between(lost[0].start as i64 - 5, lost[0].end as i64 + 5),
        col("b").ge(lost[1].start as f64),
        col("a").ge(0),
        col("c").eq(format!("text {}", lost[2].start)),
        col("c").eq("text 7"),
    ];
    for predicate in predicates {
        for part in [reader.clone(), reader.project(["a"]).unwrap(), reader.project(["b", "c"]).unwrap()] {
            let found = part.filter(predicate.clone()).unwrap();
            let all = part.select(found.lost().unwrap().kept_of(1000)).unwrap();
            let expected = all.filter(predicate.clone()).unwrap().matching().unwrap();
            assert_eq!(found.matching().unwrap(), expected);
            let rows: Vec<Value> = found.rows().unwrap().collect::<Result<_>>().unwrap();
            assert_eq!(rows.len() as u64, expected.row_count());
            assert_eq!(found.first_matching().unwrap(), expected.ranges().first().map(|range| range.start));
        }
    }
}

trait Kept {
    fn kept_of(&self, rows: u64) -> trevni::RowSelection;
}

impl Kept for trevni::reader::Lost {
    fn kept_of(&self, rows: u64) -> trevni::RowSelection {
        (0..rows).filter(|row| !is_in(self.rows().ranges(), *row)).collect()
    }
}

#[test]
fn threads_read_the_same() {
    let (bytes, _) = numbers();
    let one: Vec<Value> = salvage(&bytes).rows().unwrap().collect::<Result<_>>().unwrap();
    let reader = Reader::builder().salvage().threads(3).shared(bytes).unwrap();
    let three: Vec<Value> = reader.rows().unwrap().collect::<Result<_>>().unwrap();
    assert_eq!(one, three);
    assert!(one.len() < 1000);
}

#[test]
fn merging_takes_the_rows_that_are_left() {
    let (bytes, lost) = numbers();
    let reader = salvage(&bytes);
    let mut merged = Vec::new();
    trevni::merge::Merge::new().write(std::slice::from_ref(&reader), &mut merged).unwrap();
    let rows: Vec<Value> =
        Reader::from_slice(&merged).unwrap().rows().unwrap().collect::<Result<_>>().unwrap();
    let kept: Vec<Value> = reader.rows().unwrap().collect::<Result<_>>().unwrap();
    assert_eq!(rows, kept);
    assert_eq!(rows.len() as u64, 1000 - reader.lost().unwrap().rows().row_count());
    assert!(lost.iter().all(|range| !range.is_empty()));
}

#[test]
fn readers_that_do_not_salvage_say_so() {
    let (bytes, _) = numbers();
    let reader = Reader::from_slice(&bytes).unwrap();
    assert!(reader.lost().unwrap_err().to_string().contains("ReaderBuilder::salvage"));
    assert!(reader.rows::<Value>().unwrap().any(|row| row.is_err()));
}
