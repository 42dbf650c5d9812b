//! The file formats, all with the same few calls. A contestant holds a file in memory.

mod ours;
mod parquet_file;
mod vortex_file;

use crate::table::Table;
use arrow_array::RecordBatch;
use parquet::basic::{Compression, ZstdLevel};
use std::error::Error;
use trevni::Codec;
use trevni_bench::data::DataSet;
use vortex_file::Schemes;

/// What a contestant gives, or why it does not.
pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// The level of Zstandard, of all.
const LEVEL: i32 = 3;
/// Whom times are divided by.
pub const VORTEX: &str = "vortex";
/// Whose size sizes are divided by.
pub const PARQUET: &str = "parquet, zstandard";

/// A file in memory.
pub trait Contestant {
    /// Bytes of the file.
    fn size(&self) -> usize;

    /// Opens the file and reads some rows, by numbers that ascend.
    ///
    /// # Errors
    ///
    /// Whatever goes wrong.
    fn take(&self, rows: &[u64]) -> Outcome<Vec<RecordBatch>>;

    /// Opens the file and reads all rows.
    ///
    /// # Errors
    ///
    /// Whatever goes wrong.
    fn read(&self) -> Outcome<Vec<RecordBatch>>;
}

/// A contestant under its name.
pub type Named = (&'static str, Box<dyn Contestant>);

/// The files of all contestants, in the order of the report. Those of trevni are written from the rows, through serde.
///
/// # Errors
///
/// Rows that one of them cannot store.
pub fn all<D: DataSet>(rows: &[D::Row], table: &Table) -> Outcome<Vec<Named>> {
    let ours =
        |codec| ours::Ours::write(rows, table, codec).map(|file| Box::new(file) as Box<dyn Contestant>);
    let parquet = |compression| {
        parquet_file::Parquet::write(table, compression).map(|file| Box::new(file) as Box<dyn Contestant>)
    };
    let vortex = |schemes| {
        vortex_file::Vortex::write(table, schemes).map(|file| Box::new(file) as Box<dyn Contestant>)
    };
    Ok(vec![
        ("trevni, typed", ours(Codec::Typed)?),
        ("trevni, typed-zstandard", ours(Codec::TypedZstandard)?),
        ("trevni, zstandard", ours(Codec::Zstandard)?),
        ("trevni, snappy", ours(Codec::Snappy)?),
        ("parquet, snappy", parquet(Compression::SNAPPY)?),
        (PARQUET, parquet(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))?),
        (VORTEX, vortex(Schemes::Default)?),
        ("vortex, compact", vortex(Schemes::Compact)?),
    ])
}
