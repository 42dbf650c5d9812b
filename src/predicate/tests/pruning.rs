//! What zones tell: that it is something, and not too much.

use super::super::truth::Truths;
use super::super::{Predicate, col, item};
use super::{Rows, zones};
use crate::error::Result;
use crate::storage::zone_map::{Bound, Zone};
use crate::tree::Slot;
use serde::Serialize;
use std::ops::Range;

/// Prunes rows whose columns all have blocks of `block` rows.
fn pruned<T: Serialize>(rows: &[T], block: usize, predicate: Predicate) -> Vec<(Range<u64>, String)> {
    let rows = Rows::from_rows(rows);
    let total = rows.batch.len();
    let slots = zones::slots(rows.batch.shape(), &rows.schema.whole.tree, rows.batch.vector());
    let filter = rows.bind(&predicate).unwrap();
    let mut zones = |slot| {
        let starts = (0..total).step_by(block);
        let blocks = starts.map(|start| {
            let end = total.min(start + block);
            ((end - start) as u64, slots[&slot].zone(start..end))
        });
        Ok(Some(blocks.collect()))
    };
    shown(filter.prune(total as u64, &mut zones).unwrap())
}

/// The results that are left, as letters.
fn shown(ranges: Vec<(Range<u64>, Truths)>) -> Vec<(Range<u64>, String)> {
    let letters = |truths: Truths| {
        use super::Truth::{False, True, Unknown};
        [False, Unknown, True]
            .into_iter()
            .filter(|truth| truths.contains(*truth))
            .map(super::letter)
            .collect()
    };
    ranges.into_iter().map(|(range, truths)| (range, letters(truths))).collect()
}

/// Prunes by one zone of a column that is the whole row.
fn by_zone<T: Serialize>(rows: &[T], zone: Zone, predicate: Predicate) -> String {
    let rows = Rows::from_rows(rows);
    let filter = rows.bind(&predicate).unwrap();
    let ranges = filter.prune(4, &mut |_| Ok(Some([(4, zone.clone())].into()))).unwrap();
    let [(range, truths)] = &shown(ranges)[..] else { panic!("one range") };
    assert_eq!(*range, 0..4);
    truths.clone()
}

fn of<const N: usize>(expected: [(Range<u64>, &str); N]) -> Vec<(Range<u64>, String)> {
    expected.map(|(range, truths)| (range, truths.to_owned())).into()
}

#[test]
fn blocks_out_of_range_are_left_out() {
    let rows: Vec<i32> = (0..12).collect();
    assert_eq!(pruned(&rows, 4, item().lt(4)), of([(0..4, "T"), (4..12, "F")]));
    assert_eq!(pruned(&rows, 4, item().lt(5)), of([(0..4, "T"), (4..8, "FT"), (8..12, "F")]));
    assert_eq!(pruned(&rows, 4, item().eq(9)), of([(0..8, "F"), (8..12, "FT")]));
    assert_eq!(pruned(&rows, 4, item().ne(9)), of([(0..8, "T"), (8..12, "FT")]));
    assert_eq!(pruned(&rows, 4, item().is_in([1, 9])), of([(0..4, "FT"), (4..8, "F"), (8..12, "FT")]));
    assert_eq!(pruned(&rows, 4, item().is_in([4, 5, 6, 7])), of([(0..4, "F"), (4..8, "T"), (8..12, "F")]));
    assert_eq!(pruned(&rows, 4, item().gt(7.5)), of([(0..8, "F"), (8..12, "T")]));
    assert_eq!(pruned(&rows, 4, item().gt(3) & item().lt(8)), of([(0..4, "F"), (4..8, "T"), (8..12, "F")]));
    assert_eq!(pruned(&rows, 4, item().is_null()), of([(0..12, "F")]));
}

#[test]
fn missing_values_are_seen_in_counts() {
    let rows = [None, None, Some(1), Some(2), None, Some(3)];
    assert_eq!(pruned(&rows, 2, item().ge(1)), of([(0..2, "?"), (2..4, "T"), (4..6, "?T")]));
    assert_eq!(pruned(&rows, 2, item().is_null()), of([(0..2, "T"), (2..4, "F"), (4..6, "FT")]));
    assert_eq!(pruned(&rows, 2, item().is_not_null()), of([(0..2, "F"), (2..4, "T"), (4..6, "FT")]));
    assert_eq!(pruned(&rows, 2, !item().ge(1)), of([(0..2, "?"), (2..4, "F"), (4..6, "F?")]));
    let nested = [None, Some(None), Some(Some(1)), Some(Some(2))];
    assert_eq!(pruned(&nested, 2, item().eq(1)), of([(0..2, "?"), (2..4, "FT")]));
    assert_eq!(pruned(&nested, 2, item().is_null()), of([(0..2, "T"), (2..4, "F")]));
}

#[test]
fn items_of_lists_count_for_their_rows() {
    let rows = [vec![], vec![], vec![1, 2], vec![3], vec![5, 6], vec![]];
    assert_eq!(pruned(&rows, 2, item().any(item().gt(4))), of([(0..4, "F"), (4..6, "FT")]));
    assert_eq!(pruned(&rows, 2, item().any(item().gt(0))), of([(0..2, "F"), (2..4, "T"), (4..6, "FT")]));
    assert_eq!(pruned(&rows, 2, !item().any(item().gt(4))), of([(0..4, "T"), (4..6, "FT")]));
}

#[derive(Serialize)]
enum Kind {
    A(i32),
    B { text: &'static str },
}

#[derive(Serialize)]
enum Symbol {
    C,
    A,
    B,
}

#[test]
fn variants_and_symbols() {
    let rows = [Kind::A(1), Kind::A(2), Kind::B { text: "x" }, Kind::A(5)];
    assert_eq!(pruned(&rows, 2, col("A._0").lt(3)), of([(0..2, "T"), (2..4, "F?")]));
    assert_eq!(pruned(&rows, 2, col("B.text").eq("x")), of([(0..2, "?"), (2..4, "?T")]));
    assert_eq!(pruned(&rows, 2, col("B").is_null()), of([(0..2, "T"), (2..4, "FT")]));
    let rows = [Symbol::C, Symbol::A, Symbol::A, Symbol::B, Symbol::C, Symbol::B];
    assert_eq!(pruned(&rows, 2, item().lt("C")), of([(0..2, "FT"), (2..4, "T"), (4..6, "FT")]));
    assert_eq!(pruned(&rows, 2, item().eq("C")), of([(0..2, "FT"), (2..4, "F"), (4..6, "FT")]));
}

#[test]
fn nan_is_within_no_bounds() {
    let rows = [1.0, 2.0, 1.0, f64::NAN, f64::NAN, f64::NAN];
    assert_eq!(pruned(&rows, 2, item().gt(0)), of([(0..2, "T"), (2..6, "FT")]));
    assert_eq!(pruned(&rows, 2, item().ne(7)), of([(0..4, "T"), (4..6, "FT")]));
    assert_eq!(pruned(&rows, 2, item().gt(3)), of([(0..4, "F"), (4..6, "FT")]));
    assert_eq!(pruned(&[-0.0, 0.0], 2, item().eq(0)), of([(0..2, "T")]));
}

fn zone(min: Option<Bound>, max: Option<Bound>) -> Zone {
    Zone { values: 4, min, max, ..Zone::default() }
}

#[test]
fn bounds_of_texts_may_be_cut_short() {
    let bound = |text: &str| Some(Bound::Bytes(text.into()));
    let by = |min, max, predicate| by_zone(&["a"], zone(min, max), predicate);
    assert_eq!(by(bound("ab"), bound("ab"), item().eq("ab")), "T");
    assert_eq!(by(bound("ab"), bound("ac"), item().eq("ab")), "FT");
    assert_eq!(by(bound("ab"), bound("ac"), item().starts_with("a")), "T");
    assert_eq!(by(bound("ab"), bound("ac"), item().starts_with("b")), "F");
    assert_eq!(by(bound("b"), None, item().lt("b")), "F");
    assert_eq!(by(bound("b"), None, item().ge("b")), "T");
    assert_eq!(by(bound("b"), None, item().gt("b")), "FT");
    assert_eq!(by(None, bound("b"), item().gt("b")), "F");
    assert_eq!(by(None, None, item().gt("b")), "FT");
    assert_eq!(by(None, None, item().is_in(Vec::<&str>::new())), "F");
    assert_eq!(by(Some(Bound::Integer(1)), Some(Bound::Integer(1)), item().gt("b")), "FT");
}

#[test]
fn bits_are_not_in_the_order_of_signs() {
    let bound = |value| Some(Bound::Integer(value));
    let by = |min, max, predicate| by_zone(&[u64::MAX], zone(min, max), predicate);
    assert_eq!(by(bound(-1), bound(1), item().gt(5)), "FT");
    assert_eq!(by(bound(-2), bound(-1), item().gt(5)), "T");
    assert_eq!(by(bound(1), bound(2), item().gt(5)), "F");
    assert_eq!(by(bound(1), None, item().eq(0)), "FT");
    let wide = |value: i128| Some(Bound::Bytes(value.to_be_bytes().into()));
    let by = |min, max, predicate| by_zone(&[i128::MIN], zone(min, max), predicate);
    assert_eq!(by(wide(1), wide(-1), item().gt(5)), "FT");
    assert_eq!(by(wide(-7), wide(-1), item().gt(5)), "F");
    assert_eq!(by(wide(6), Some(Bound::Bytes(vec![1])), item().gt(5)), "T");
    assert_eq!(by(Some(Bound::Bytes(vec![0; 17])), wide(1), item().gt(5)), "FT");
    let by = |min, max, predicate| by_zone(&[u128::MAX], zone(min, max), predicate);
    assert_eq!(by(wide(1), wide(-1), item().gt(0)), "T");
    assert_eq!(by(wide(1), Some(Bound::Bytes(vec![128])), item().gt(1u128 << 127)), "F");
}

#[test]
fn nothing_is_known_without_zones_that_fit() {
    let rows = Rows::from_rows(&[1, 2]);
    let prune = |rows_of_file, zones: Option<Vec<(u64, Zone)>>| {
        let filter = rows.bind(&item().gt(5)).unwrap();
        shown(filter.prune(rows_of_file, &mut |_| Ok(zones.clone().map(Into::into))).unwrap())
    };
    let known = zone(Some(Bound::Integer(1)), Some(Bound::Integer(2)));
    assert_eq!(prune(2, None), of([(0..2, "FT")]));
    assert_eq!(prune(2, Some(vec![(1, known.clone())])), of([(0..2, "FT")]));
    assert_eq!(prune(2, Some(vec![(u64::MAX, known.clone()), (3, known.clone())])), of([(0..2, "FT")]));
    let blocks = vec![(0, known.clone()), (2, known.clone()), (0, Zone::default())];
    assert_eq!(prune(2, Some(blocks)), of([(0..2, "F")]));
    assert_eq!(prune(0, Some(Vec::new())), of([]));
    assert_eq!(prune(0, None), of([]));
}

#[test]
fn borders_of_all_columns_count() -> Result<()> {
    let rows: Vec<(i32, i32)> = (0..12).map(|number| (number, number)).collect();
    let rows = Rows::from_rows(&rows);
    let filter = rows.bind(&(col("_0").lt(6) & col("_1").ge(4)))?;
    let slots = zones::slots(rows.batch.shape(), &rows.schema.whole.tree, rows.batch.vector());
    let mut zones = |slot: Slot| {
        let block = if slot == Slot::Own(1) { 3 } else { 4 };
        let starts = (0..12).step_by(block);
        Ok(Some(starts.map(|start| (block as u64, slots[&slot].zone(start..start + block))).collect()))
    };
    let ranges = shown(filter.prune(12, &mut zones)?);
    assert_eq!(ranges, of([(0..4, "F"), (4..6, "T"), (6..12, "F")]));
    Ok(())
}
