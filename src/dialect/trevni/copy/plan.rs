//! Which blocks are taken whole, and which are cut.

use crate::selection::RowSelection;
use crate::storage::blocks::{Block, BlockTable};
use std::ops::Range;

/// What is taken of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Blocks that follow each other, all their rows.
    Whole(Range<usize>),
    /// Some rows of a block, counted from its first.
    Cut(usize, Vec<Range<usize>>),
}

/// What is taken of a column for some rows. Blocks without rows are skipped.
pub(super) fn pieces(table: &BlockTable, rows: &RowSelection) -> Vec<Piece> {
    let end = |block: &Block| block.first_row + u64::from(block.rows);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut ranges = rows.ranges();
    let Some(start) = ranges.first().map(|first| first.start) else {
        return pieces;
    };
    let (skipped, _) = table.block_of(start);
    let blocks = (skipped..).zip(table.starting_at(skipped));
    for (number, block) in blocks.filter(|(_, block)| block.rows > 0) {
        let passed = ranges.iter().take_while(|range| range.end <= block.first_row).count();
        ranges = &ranges[passed..];
        let Some(range) = ranges.first() else {
            break;
        };
        if range.start <= block.first_row && end(&block) <= range.end {
            match pieces.last_mut() {
                Some(Piece::Whole(before)) if before.end == number => before.end += 1,
                _ => pieces.push(Piece::Whole(number..number + 1)),
            }
            continue;
        }
        let within = |row: u64| (row.clamp(block.first_row, end(&block)) - block.first_row) as usize;
        let kept = ranges.iter().take_while(|range| range.start < end(&block));
        let selected: Vec<Range<usize>> = kept.map(|rows| within(rows.start)..within(rows.end)).collect();
        if !selected.is_empty() {
            pieces.push(Piece::Cut(number, selected));
        }
    }
    pieces
}

/// As `pieces`, with each block by itself and none whole: for blocks that must be encoded otherwise.
pub(super) fn apart(pieces: Vec<Piece>, table: &BlockTable) -> Vec<Piece> {
    let all = |number: usize| {
        let rows = table.rows(number) as usize;
        Piece::Cut(number, std::iter::once(0..rows).collect())
    };
    let each = |piece| match piece {
        Piece::Whole(blocks) => blocks.map(all).collect(),
        cut => vec![cut],
    };
    pieces.into_iter().flat_map(each).collect()
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "these are ranges, not what is in them")]
mod tests {
    use super::*;
    use crate::storage::checksum::Checksum;
    use crate::storage::codec::Codec;
    use proptest::prelude::*;

    fn table(rows: &[u32]) -> BlockTable {
        let blocks: Vec<(u32, u32)> = rows.iter().map(|rows| (*rows, 0)).collect();
        BlockTable::from_codec(Codec::Null, Checksum::Null, &blocks, 0)
    }

    #[test]
    fn blocks_within_a_range_are_whole() {
        let table = table(&[10, 10, 0, 10, 10]);
        let pieces = |ranges: &[Range<u64>]| pieces(&table, &RowSelection::from(ranges));
        assert_eq!(pieces(&[0..40]), [Piece::Whole(0..2), Piece::Whole(3..5)]);
        assert_eq!(pieces(&[10..20]), [Piece::Whole(1..2)]);
        assert_eq!(pieces(&[25..40]), [Piece::Cut(3, vec![5..10]), Piece::Whole(4..5)]);
        assert_eq!(pieces(&[1..2, 4..11]), [Piece::Cut(0, vec![1..2, 4..10]), Piece::Cut(1, vec![0..1])]);
        assert_eq!(pieces(&[]), []);
    }

    proptest! {
        #[test]
        fn pieces_have_the_rows_that_are_selected(
            rows in prop::collection::vec(0u32..9, 0..40),
            parts in prop::collection::vec((0u64..180, 0u64..20), 0..8),
        ) {
            let table = table(&rows);
            let total: u64 = rows.iter().copied().map(u64::from).sum();
            let selection: RowSelection =
                parts.iter().map(|(start, len)| (*start).min(total)..(start + len).min(total)).collect();
            let mut found = Vec::new();
            for piece in pieces(&table, &selection) {
                match piece {
                    Piece::Whole(range) => for block in table.range(range) {
                        prop_assert!(block.rows > 0);
                        found.extend(block.first_row..block.first_row + u64::from(block.rows));
                    },
                    Piece::Cut(number, selected) => {
                        let count: usize = selected.iter().map(Range::len).sum();
                        let block = table.get(number).unwrap();
                        prop_assert!(count > 0 && count < block.rows as usize);
                        found.extend(selected.into_iter().flatten().map(|row| block.first_row + row as u64));
                    }
                }
            }
            prop_assert_eq!(found, selection.ranges().iter().cloned().flatten().collect::<Vec<_>>());
        }
    }
}
