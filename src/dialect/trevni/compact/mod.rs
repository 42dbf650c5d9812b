//! Compact files: header, block tables and small columns compressed together (format.md, "Compact files").
//!
//! To other readers such a file is one of one row and one column, of a type that they do not know. Here it stands for a file
//! without that column: [`read`] makes the beginning of that file, and [`Expanded`] is a source of all of it.
//!
//! What has no bytes of its own is bounded before it is made: columns by the bytes of their sizes, nodes of the schema by the
//! columns, names and entries of metadata by a part of the memory. Rows count by the bytes that are stored, not by those that
//! they become.

mod beginning;
mod derive;
mod read;
mod source;
mod wrapper;
mod write;

pub(crate) use read::open;
pub(in crate::dialect) use source::Compact;
pub(crate) use wrapper::recognize;
pub(in crate::dialect::trevni) use write::{Place, codec_of_beginning, sizer, write};

/// The name of the column, and of its type.
const NAME: &str = "compact";

/// The most bytes before the codec of a column that is in the beginning: a block as it is by default.
pub(in crate::dialect::trevni) const COLUMN_BYTES: usize = 64 << 10;

/// The most bytes of all such columns: who reads one of them decompresses them all.
pub(in crate::dialect::trevni) const COLUMNS_BYTES: usize = 8 << 20;

/// How well the beginning is compressed.
const LEVEL: i32 = 9;

/// A limit that counts by the bytes of a file counts those that a compact file stands for, but at most a multiple
/// its own.
const COUNTED_TIMES: u64 = 64;
