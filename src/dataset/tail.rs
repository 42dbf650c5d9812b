//! The part that a writer has begun: pieces that are on disk and readable, until the part is complete and replaces them.

use super::folder::{files, free_part, named};
use super::part_name::PartName;
use super::replaced::remove_replaced;
use crate::error::{Error, Result};
use crate::merge::Merge;
use crate::reader::Reader;
use crate::storage::temporary::TemporaryFile;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many pieces of about one size become one.
const PIECES_AT_ONCE: usize = 16;
/// Pieces that would be larger together stay as they are until the part is complete.
const PIECE_BYTES_MAX: u64 = 32 << 20;
/// Where files are smaller on average, their rows are encoded again; else their blocks are copied.
const COPIED_BYTES: u64 = 1 << 20;
/// How long a file stays that another one has replaced: who has listed the folder can open it.
pub(super) const REPLACED_KEPT: Duration = Duration::from_secs(60);

/// A file and its size.
#[derive(Debug)]
struct Piece {
    /// The numbers of the pieces that it stands for.
    numbers: (u64, u64),
    rows: u64,
    bytes: u64,
}

/// A part that is not complete. Its number is claimed.
#[derive(Debug)]
pub(super) struct Tail {
    folder: PathBuf,
    ending: String,
    number: u64,
    pieces: Vec<Piece>,
    block_size: Option<usize>,
    _claim: TemporaryFile,
}

impl Tail {
    /// Begins a part, whose number is that of a path or a later one.
    ///
    /// # Errors
    ///
    /// As [`free_part`].
    pub(super) fn begin(path: &Path, block_size: Option<usize>) -> Result<Self> {
        let (path, claim) = free_part(path)?;
        Self::new(&path, claim, block_size).ok_or_else(|| Error::internal("a part without a number"))
    }

    fn new(path: &Path, claim: TemporaryFile, block_size: Option<usize>) -> Option<Self> {
        let (number, _) = PartName::from_path(path)?.parts;
        let (_, ending) = path.file_name()?.to_str()?.rsplit_once('.')?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Some(Self {
            folder,
            ending: ending.to_owned(),
            number,
            pieces: Vec::new(),
            block_size,
            _claim: claim,
        })
    }

    /// The parts of a folder that killed writers have left, by number; those of writers at work are not among them.
    ///
    /// # Errors
    ///
    /// A folder that cannot be read or written to, a piece that cannot be opened.
    pub(super) fn abandoned(folder: &Path, block_size: Option<usize>) -> Result<Vec<Self>> {
        let names = |files: &[PathBuf]| -> Vec<(PartName, PathBuf)> {
            files.iter().filter_map(|path| Some((PartName::from_path(path)?, path.clone()))).collect()
        };
        let is_tail = |(name, _): &&(PartName, PathBuf)| name.pieces.is_some();
        let listed = names(&files(folder)?);
        let numbers: BTreeSet<u64> = listed.iter().filter(is_tail).map(|(name, _)| name.parts.0).collect();
        let mut tails = Vec::new();
        for number in numbers {
            let Some(claim) = TemporaryFile::claim(&folder.join("part"), number)? else { continue };
            // Its writer may have completed it before the number was claimed.
            let mut pieces = names(&files(folder)?);
            pieces.retain(|(name, _)| name.pieces.is_some() && name.parts.0 == number);
            pieces.sort_by_key(|(name, _)| name.key());
            let Some(mut tail) = pieces.first().and_then(|(_, path)| Self::new(path, claim, block_size))
            else {
                continue;
            };
            for (name, path) in &pieces {
                let rows = Reader::open(path).map_err(|error| error.in_file(path))?.row_count();
                tail.pieces.extend(name.pieces.map(|numbers| Piece { numbers, rows, bytes: size(path) }));
            }
            tails.push(tail);
        }
        Ok(tails)
    }

    /// Stored rows.
    pub(super) fn rows(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.rows).sum()
    }

    /// Size of the pieces in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.bytes).sum()
    }

    /// The last piece; `None` before the first.
    pub(super) fn last(&self) -> Option<PathBuf> {
        Some(self.path(Some(self.pieces.last()?.numbers)))
    }

    /// Where the next piece goes.
    pub(super) fn next(&self) -> PathBuf {
        let next = self.next_number();
        self.path(Some((next, next)))
    }

    fn next_number(&self) -> u64 {
        self.pieces.last().map_or(0, |piece| piece.numbers.1.saturating_add(1))
    }

    /// The path of a piece, or of the complete part.
    fn path(&self, pieces: Option<(u64, u64)>) -> PathBuf {
        let name = PartName { parts: (self.number, self.number), pieces };
        self.folder.join(name.file_name(&self.ending))
    }

    /// Notes that the next piece has its name. Where many small ones are there, some become one; where that fails, they
    /// stay, for all rows are on disk.
    pub(super) fn add(&mut self, rows: u64) {
        let next = self.next_number();
        let bytes = size(&self.path(Some((next, next))));
        self.pieces.push(Piece { numbers: (next, next), rows, bytes });
        while let Some(first) = self.small() {
            if self.merge_from(first).is_err() {
                break;
            }
        }
    }

    /// The first of the last pieces, which are of one size, if they are to become one.
    fn small(&self) -> Option<usize> {
        let size = |piece: &Piece| (piece.numbers.1 - piece.numbers.0 + 1).ilog(PIECES_AT_ONCE as u64);
        let level = size(self.pieces.last()?);
        let count = self.pieces.iter().rev().take_while(|piece| size(piece) == level).count();
        let first = self.pieces.len() - count;
        let bytes: u64 = self.pieces.iter().skip(first).map(|piece| piece.bytes).sum();
        (count >= PIECES_AT_ONCE && bytes <= PIECE_BYTES_MAX).then_some(first)
    }

    /// Makes one piece of the last ones.
    fn merge_from(&mut self, first: usize) -> Result<()> {
        let Some([one, .., last]) = self.pieces.get(first..) else { return Ok(()) };
        let numbers = (one.numbers.0, last.numbers.1);
        let path = self.path(Some(numbers));
        self.merge(first, &path)?;
        let rows = self.pieces.drain(first..).map(|piece| piece.rows).sum();
        self.pieces.push(Piece { numbers, rows, bytes: size(&path) });
        remove_replaced(&self.folder, REPLACED_KEPT).map(|_| ())
    }

    fn merge(&self, first: usize, path: &Path) -> Result<()> {
        let pieces = self.pieces.get(first..).unwrap_or_default();
        let files: Vec<PathBuf> = pieces.iter().map(|piece| self.path(Some(piece.numbers))).collect();
        merge_files(&files, pieces.iter().map(|piece| piece.bytes).sum(), self.block_size, path)
    }

    /// Completes the part, which replaces the pieces in one step, and returns its path.
    ///
    /// # Errors
    ///
    /// A piece that cannot be read, a folder that cannot be written to; the pieces stay.
    pub(super) fn complete(&self) -> Result<PathBuf> {
        let path = self.path(None);
        match self.pieces.as_slice() {
            // Both names are those of one file.
            [piece] if fs::hard_link(self.path(Some(piece.numbers)), &path).is_ok() => {}
            _ => self.merge(0, &path)?,
        }
        Ok(path)
    }
}

/// Removes what was flushed of parts that are complete.
///
/// # Errors
///
/// A folder that cannot be read.
pub(super) fn remove_pieces(folder: &Path, parts: &[PathBuf]) -> Result<()> {
    let number = |path: &Path| PartName::from_path(path).map(|name| name.parts);
    let complete: BTreeSet<(u64, u64)> = parts.iter().filter_map(|path| number(path)).collect();
    for path in named(folder)? {
        let name = PartName::from_path(&path);
        if name.is_some_and(|name| name.pieces.is_some() && complete.contains(&name.parts)) {
            let _ = fs::remove_file(path);
        }
    }
    Ok(())
}

/// One file of all rows of other files, which have this number of bytes together.
///
/// # Errors
///
/// A file that cannot be read, a path that cannot be written to.
pub(super) fn merge_files(
    files: &[PathBuf],
    bytes: u64,
    block_size: Option<usize>,
    path: &Path,
) -> Result<()> {
    let mut merge = Merge::new();
    if bytes < COPIED_BYTES.saturating_mul(files.len() as u64) {
        merge = merge.refill();
        if let Some(bytes) = block_size {
            merge = merge.block_size(bytes);
        }
    }
    merge.files(files, path).map(|_| ())
}

fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |file| file.len())
}
