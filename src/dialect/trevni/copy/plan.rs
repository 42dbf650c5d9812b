//! Which blocks are taken whole, and which are cut.

use crate::dialect::trevni::decode::Block;
use crate::selection::RowSelection;
use std::ops::Range;

/// What is taken of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Blocks that follow each other, all their rows.
    Whole(Range<usize>),
    /// Some rows of a block, counted from its first.
    Cut(usize, Vec<Range<usize>>),
}

/// What is taken of a column for some rows. Blocks without rows are left out.
pub(super) fn pieces(blocks: &[Block], rows: &RowSelection) -> Vec<Piece> {
    let end = |block: &Block| block.first_row + u64::from(block.rows);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut ranges = rows.ranges();
    let Some(start) = ranges.first().map(|first| first.start) else {
        return pieces;
    };
    let skipped = blocks.partition_point(|block| end(block) <= start);
    for (number, block) in blocks.iter().enumerate().skip(skipped).filter(|(_, block)| block.rows > 0) {
        let passed = ranges.iter().take_while(|range| range.end <= block.first_row).count();
        ranges = ranges.get(passed..).unwrap_or_default();
        let Some(range) = ranges.first() else {
            break;
        };
        if range.start <= block.first_row && end(block) <= range.end {
            match pieces.last_mut() {
                Some(Piece::Whole(before)) if before.end == number => before.end += 1,
                _ => pieces.push(Piece::Whole(number..number + 1)),
            }
            continue;
        }
        let within = |row: u64| (row.clamp(block.first_row, end(block)) - block.first_row) as usize;
        let kept = ranges.iter().take_while(|range| range.start < end(block));
        let picks: Vec<Range<usize>> = kept.map(|rows| within(rows.start)..within(rows.end)).collect();
        if !picks.is_empty() {
            pieces.push(Piece::Cut(number, picks));
        }
    }
    pieces
}

/// As `pieces`, with each block by itself and none whole: for blocks that must be encoded otherwise.
pub(super) fn apart(pieces: Vec<Piece>, blocks: &[Block]) -> Vec<Piece> {
    let all = |number: usize| {
        let rows = blocks.get(number).map_or(0, |block| block.rows as usize);
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
    use proptest::prelude::*;

    fn blocks(rows: &[u32]) -> Vec<Block> {
        let mut first_row = 0;
        let mut block = |rows: u32| {
            let block = Block { first_row, rows, size: 0, compressed: 0, offset: 0, first: Vec::new() };
            first_row += u64::from(rows);
            block
        };
        rows.iter().map(|rows| block(*rows)).collect()
    }

    #[test]
    fn blocks_within_a_range_are_whole() {
        let blocks = blocks(&[10, 10, 0, 10, 10]);
        let pieces = |ranges: &[Range<u64>]| pieces(&blocks, &RowSelection::from(ranges));
        assert_eq!(pieces(&[0..40]), [Piece::Whole(0..2), Piece::Whole(3..5)]);
        assert_eq!(pieces(&[10..20]), [Piece::Whole(1..2)]);
        assert_eq!(pieces(&[25..40]), [Piece::Cut(3, vec![5..10]), Piece::Whole(4..5)]);
        assert_eq!(pieces(&[1..2, 4..11]), [Piece::Cut(0, vec![1..2, 4..10]), Piece::Cut(1, vec![0..1])]);
        assert_eq!(pieces(&[]), []);
    }

    proptest! {
        #[test]
        fn pieces_have_the_rows_that_are_selected(
            rows in prop::collection::vec(0u32..9, 0..12),
            parts in prop::collection::vec((0u64..60, 0u64..20), 0..8),
        ) {
            let blocks = blocks(&rows);
            let total: u64 = rows.iter().copied().map(u64::from).sum();
            let selection: RowSelection =
                parts.iter().map(|(start, len)| (*start).min(total)..(start + len).min(total)).collect();
            let mut found = Vec::new();
            for piece in pieces(&blocks, &selection) {
                match piece {
                    Piece::Whole(range) => for block in &blocks[range] {
                        prop_assert!(block.rows > 0);
                        found.extend(block.first_row..block.first_row + u64::from(block.rows));
                    },
                    Piece::Cut(number, picks) => {
                        let count: usize = picks.iter().map(Range::len).sum();
                        prop_assert!(count > 0 && count < blocks[number].rows as usize);
                        found.extend(picks.into_iter().flatten().map(|row| blocks[number].first_row + row as u64));
                    }
                }
            }
            prop_assert_eq!(found, selection.ranges().iter().cloned().flatten().collect::<Vec<_>>());
        }
    }
}
