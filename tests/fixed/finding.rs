//! Rows that are found by integers of fixed width.

use crate::row::{Choice, Row, rows};
use crate::{fixed, plain, write};
use trevni::column::{Bound, ValueType};
use trevni::{Predicate, Reader, Result, col, item};

#[test]
fn predicates_find_the_same_rows() {
    let rows = rows(2000);
    let (one, other) = (&rows[700], &rows[1500]);
    type Meaning<'a> = Box<dyn Fn(&Row) -> bool + 'a>;
    let cases: Vec<(Predicate, Meaning<'_>)> = vec![
        (col("time").eq(one.time), Box::new(|row| row.time == one.time)),
        (
            col("time").between(one.time, other.time),
            Box::new(|row| (one.time..=other.time).contains(&row.time)),
        ),
        (col("time").lt(one.time - 1), Box::new(|row| row.time < one.time)),
        (col("hash").eq(one.hash), Box::new(|row| row.hash == one.hash)),
        (col("hash").gt(u64::MAX / 2), Box::new(|row| row.hash > u64::MAX / 2)),
        (col("hash").ge(i64::MAX), Box::new(|row| row.hash >= i64::MAX as u64)),
        (
            col("rank").lt(0).and(col("time").gt(one.time)),
            Box::new(|row| row.rank < 0 && row.time > one.time),
        ),
        (col("rank").gt(1e9), Box::new(|row| row.rank > 1_000_000_000)),
        (col("maybe").is_null(), Box::new(|row| row.maybe.is_none())),
        (col("maybe").gt(0), Box::new(|row| row.maybe.is_some_and(|value| value > 0))),
        (
            col("list").any(item().lt(-2_000_000_000)),
            Box::new(|row| row.list.iter().any(|v| *v < -2_000_000_000)),
        ),
        (
            col("parts").any(col("id").gt(u64::MAX - (1 << 58))),
            Box::new(|row| row.parts.iter().any(|part| part.id > u64::MAX - (1 << 58))),
        ),
        (
            col("choice.Pair.one").lt(0),
            Box::new(|row| matches!(row.choice, Choice::Pair { one, .. } if one < 0)),
        ),
    ];
    let builders = [
        fixed(),
        fixed().block_size(300),
        fixed().block_size(300).without_zone_maps(),
        plain().block_size(300),
    ];
    for builder in builders {
        let bytes = write(builder.clone(), &rows);
        let reader = Reader::from_slice(&bytes).unwrap();
        for (predicate, meaning) in &cases {
            let found = reader.filter(predicate.clone()).unwrap();
            let read = found.rows::<Row>().unwrap().collect::<Result<Vec<_>>>().unwrap();
            let expected: Vec<Row> = rows.iter().filter(|row| meaning(row)).cloned().collect();
            assert!(read == expected, "{predicate}, {builder:?}: {} of {}", read.len(), expected.len());
        }
    }
}

#[test]
fn zone_maps_leave_blocks_out() {
    let rows = rows(2000);
    let bytes = write(fixed().block_size(400), &rows);
    let reader = Reader::from_slice(&bytes).unwrap();
    let number = reader.columns().iter().position(|column| column.name() == "time").unwrap();
    assert_eq!(reader.columns()[number].value_type(), ValueType::Fixed64);
    let map = reader.zone_map(number).unwrap().unwrap();
    assert!(map.ascending);
    let blocks = reader.blocks(number).unwrap();
    assert!(blocks.len() > 30);
    for (zone, block) in map.zones.iter().zip(&blocks) {
        let (first, rows) =
            (block.first_row as usize, &rows[block.first_row as usize..][..block.rows as usize]);
        let bound = |time| Some(Bound::Integer(time));
        assert_eq!(
            (&zone.min, &zone.max),
            (&bound(rows[0].time), &bound(rows[rows.len() - 1].time)),
            "{first}"
        );
    }
    let found = reader.filter(col("time").eq(rows[999].time)).unwrap();
    assert_eq!(found.first_matching().unwrap(), Some(999));
    let explained = found.project(["time"]).unwrap().explain().unwrap();
    let read: usize = explained.columns.iter().map(|column| column.blocks_read).sum();
    assert!(read <= 1, "{explained:?}");
}

#[test]
fn first_values_are_of_fixed_width() {
    let times: Vec<i64> = rows(500).iter().map(|row| row.time).collect();
    let bytes = write(fixed().without_zone_maps().block_size(80).first_values([""]), &times);
    let reader = Reader::builder().sorted([""]).source(&bytes[..]).unwrap();
    let firsts: Vec<_> =
        reader.blocks(0).unwrap().into_iter().map(|block| (block.first_row, block.first_value)).collect();
    assert!(firsts.len() > 40);
    for (row, first) in firsts {
        assert_eq!(first, Some(trevni::column::FirstValue::Long(times[row as usize])));
    }
    for row in [0, 1, 250, 499] {
        let found = reader.filter(col("").ge(times[row])).unwrap();
        assert_eq!(found.first_matching().unwrap(), Some(row as u64));
    }
    assert_eq!(reader.column::<i64>("").unwrap(), times);
}
