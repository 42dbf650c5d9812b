//! Reports which blocks are read, and which are skipped.

use super::Reader;
use super::pipeline::found;
use crate::dialect::File;
use crate::error::Result;
use crate::selection::RowSelection;
use std::fmt;

/// The blocks that a reader reads and skips; see
/// [`Reader::explain`](super::Reader::explain).
///
/// Displayed with `{}`, it is a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explain {
    /// Number of files.
    pub files: usize,
    /// Number of files with blocks to read.
    pub files_read: usize,
    /// Number of rows in all files.
    pub rows: u64,
    /// Number of selected rows that zone maps and first values do not exclude.
    pub candidates: u64,
    /// Number of matching rows.
    pub matching: u64,
    /// The columns to read, in file order.
    pub columns: Vec<ExplainColumn>,
}

/// How much of a column is read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExplainColumn {
    /// Name.
    pub name: String,
    /// Whether the predicate needs it.
    pub predicate: bool,
    /// Number of blocks.
    pub blocks: usize,
    /// Number of blocks to read.
    pub blocks_read: usize,
    /// Stored bytes of all blocks, including checksums.
    pub bytes: u64,
    /// Stored bytes of the blocks to read.
    pub bytes_read: u64,
}

impl Explain {
    /// Adds the blocks of another file; columns of the same name are combined.
    pub(crate) fn add(&mut self, other: Self) {
        self.files += other.files;
        self.files_read += other.files_read;
        self.rows += other.rows;
        self.candidates += other.candidates;
        self.matching += other.matching;
        for column in other.columns {
            match self.columns.iter_mut().find(|own| own.name == column.name) {
                Some(own) => {
                    own.predicate |= column.predicate;
                    own.blocks += column.blocks;
                    own.blocks_read += column.blocks_read;
                    own.bytes += column.bytes;
                    own.bytes_read += column.bytes_read;
                }
                None => self.columns.push(column),
            }
        }
    }

    /// Number of skipped blocks.
    #[must_use]
    pub fn blocks_skipped(&self) -> usize {
        self.columns.iter().map(|column| column.blocks - column.blocks_read).sum()
    }

    /// Stored bytes of the blocks to read.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.columns.iter().map(|column| column.bytes_read).sum()
    }

    /// Stored bytes of the skipped blocks.
    #[must_use]
    pub fn bytes_skipped(&self) -> u64 {
        self.columns.iter().map(|column| column.bytes - column.bytes_read).sum()
    }
}

/// The blocks that the rows of a reader need.
pub(super) fn explain(reader: &Reader<'_>) -> Result<Explain> {
    let found = found(reader)?;
    let projected = reader.schema.columns_of(&reader.part);
    let filter = reader.filter.as_ref();
    let compared = filter.map_or(Vec::new(), |filtered| filtered.columns(reader));
    let columns = reader.columns_read().into_iter().map(|number| {
        let predicate = compared.contains(&number);
        let for_rows = projected.contains(&number).then_some(&found.matching);
        let parts = found.evaluated.iter().filter(|(columns, _)| columns.contains(&number));
        let rows = for_rows.into_iter().chain(parts.map(|(_, rows)| rows));
        column(&reader.file, number, predicate, rows)
    });
    Ok(Explain {
        files: 1,
        files_read: usize::from(!found.candidates.is_empty()),
        rows: reader.row_count(),
        candidates: found.candidates.row_count(),
        matching: found.matching.row_count(),
        columns: columns.collect::<Result<_>>()?,
    })
}

fn column<'r>(
    file: &File<'_>,
    number: usize,
    predicate: bool,
    rows: impl Iterator<Item = &'r RowSelection> + Clone,
) -> Result<ExplainColumn> {
    let blocks = file.block_sizes(number)?;
    let mut column = ExplainColumn {
        name: file.column_name(number)?.to_owned(),
        predicate,
        blocks: blocks.len(),
        blocks_read: 0,
        bytes: 0,
        bytes_read: 0,
    };
    let mut first_row = 0;
    for (count, bytes) in blocks {
        let of_block = first_row..first_row + u64::from(count);
        first_row = of_block.end;
        column.bytes += bytes;
        if rows.clone().any(|rows| rows.meets(&of_block)) {
            column.blocks_read += 1;
            column.bytes_read += bytes;
        }
    }
    Ok(column)
}

impl fmt::Display for Explain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { files, files_read, rows, candidates, matching, columns } = self;
        if *files != 1 {
            writeln!(f, "files: {files}, {files_read} may have rows that match")?;
        }
        writeln!(f, "rows: {rows}, {candidates} may match, {matching} match")?;
        let width =
            columns.iter().map(|column| column.name.chars().count()).max().unwrap_or(0).max("column".len());
        writeln!(f, "{:width$}  {:>9}  {:>15}  {:>25}", "column", "for", "blocks read", "bytes read")?;
        for column in columns {
            let blocks = format!("{} of {}", column.blocks_read, column.blocks);
            let bytes = format!("{} of {}", column.bytes_read, column.bytes);
            let role = if column.predicate { "predicate" } else { "rows" };
            writeln!(f, "{:width$}  {role:>9}  {blocks:>15}  {bytes:>25}", column.name)?;
        }
        let all = self.bytes_read() + self.bytes_skipped();
        let skipped = self.blocks_skipped();
        let blocks = if skipped == 1 { "block" } else { "blocks" };
        write!(f, "read: {} of {all} bytes, skipped: {skipped} {blocks}", self.bytes_read())
    }
}
