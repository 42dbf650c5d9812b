//! Parquet: what its files begin with, and how they are read and written.

mod options;

pub(crate) use options::{ParquetReading, ParquetWriting, reading};

/// Whether a file that starts with these bytes is Parquet: plain, or with a footer that is encrypted.
pub(crate) fn is_start(start: &[u8]) -> bool {
    start.starts_with(b"PAR1") || start.starts_with(b"PARE")
}

/// Keeps panics of the Parquet library off standard error: they become errors.
pub(crate) fn silence_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !trevni_parquet::is_guarded() {
            usual(panic);
        }
    }));
}
