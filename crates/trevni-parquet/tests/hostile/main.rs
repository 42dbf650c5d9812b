//! Parquet files that lie: whatever they say, reading them ends with rows or an error, in bounded memory and
//! time.

mod bombs;
mod extremes;
mod footers;
mod made;
mod memory;
mod refused;
mod thrift;

use memory::{MIB, within};
use trevni::Limits;
use trevni_parquet::{Entry, Error, ParquetFile, ParquetReader};

/// What reading may take by default.
const MOST: usize = 512 * MIB;

/// Reads all rows.
fn rows(bytes: &[u8], limits: Limits) -> Result<usize, Error> {
    let file = ParquetFile::of_source_with(bytes.to_vec(), limits)?;
    let mut rows = 0;
    for batch in ParquetReader::builder().read(&file)? {
        rows += batch?.num_rows();
    }
    Ok(rows)
}

/// Reads all entries of all columns.
fn entries(bytes: &[u8], limits: Limits) -> Result<usize, Error> {
    let file = ParquetFile::of_source_with(bytes.to_vec(), limits)?;
    let mut entries = 0;
    for group in 0..file.row_group_count() {
        for column in 0..file.columns().len() {
            let count = |_: Entry<'_>| {
                entries += 1;
                Ok::<(), Error>(())
            };
            file.entries(group, column, count)?;
        }
    }
    Ok(entries)
}

/// Reads in every way within the memory that is allowed; gives what failed.
fn read(bytes: &[u8], limits: Limits, most: usize) -> Vec<Error> {
    let mut failed = Vec::new();
    for way in [rows, entries] {
        if let Err(error) = within(most, || way(bytes, limits)) {
            assert!(error.is_damage() || matches!(error, Error::Limit { .. }), "{error:?}");
            failed.push(error);
        }
    }
    failed
}
