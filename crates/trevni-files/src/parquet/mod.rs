//! Parquet: what its files begin with, and how they are read and written.

mod columns;
mod options;

pub use columns::chosen;

pub(crate) use options::ParquetReading;
pub use options::{ParquetWriting, reading};

use trevni::{Checksum, WriterBuilder};

/// Whether a file that starts with these bytes is Parquet: plain, or with a footer that is encrypted.
pub fn is_start(start: &[u8]) -> bool {
    start.starts_with(b"PAR1") || start.starts_with(b"PARE")
}

/// Bytes of blocks that a column file without a name keeps in memory.
const KEPT: u64 = 32 << 20;

/// How a column file without a name is written: it is read once, in this process.
pub fn temporary(builder: WriterBuilder) -> WriterBuilder {
    builder.threads(0).checksum(Checksum::Null).memory_limit(KEPT)
}

/// Keeps panics of the Parquet library off standard error: they become errors.
pub fn silence_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !trevni_parquet::is_guarded() {
            usual(panic);
        }
    }));
}
