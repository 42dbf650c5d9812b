//! What a codec's own file provides: an algorithm in one framing, as two constructors.

use super::ColumnType;
use crate::storage::values::held::Held;

/// Makes what compresses and decompresses blocks. One algorithm may have several of these, one for each
/// framing of its bytes.
#[derive(Clone, Copy)]
pub(super) struct Algorithm {
    /// A compressor for a level; the algorithm's own default where there is none.
    pub(super) compressor: MakeCompressor,
    pub(super) decompressor: MakeDecompressor,
}

pub(super) type MakeCompressor = fn(Option<i32>) -> Outcome<Box<dyn Compress>>;
pub(super) type MakeDecompressor = fn() -> Outcome<Box<dyn Decompress>>;

/// What an algorithm gives, or what its library says of a failure.
pub(super) type Outcome<T = ()> = Result<T, String>;

/// Compresses blocks; keeps its tables between them.
pub(super) trait Compress: Send {
    /// Puts the compressed form of `block` into `out`, which is empty.
    fn compress(&mut self, block: &[u8], out: &mut Vec<u8>) -> Outcome;

    /// The same for an algorithm that knows of values.
    fn compress_values(&mut self, block: &[u8], _content: ColumnType, out: &mut Vec<u8>) -> Outcome {
        self.compress(block, out)
    }

    /// The same of values that are held for it: for algorithms that encode values.
    fn compress_held(&mut self, _held: &Held, _content: ColumnType, _out: &mut Vec<u8>) -> Outcome {
        Err("it takes bytes".to_owned())
    }
}

/// Decompresses blocks; keeps its tables between them.
pub(super) trait Decompress: Send {
    /// Puts what `stored` holds into `out`, which is empty: `size` bytes, more where the bytes hold more,
    /// fewer only where they hold fewer. Reserves memory as bytes come, never by `size` alone.
    fn decompress(&mut self, stored: &[u8], size: usize, out: &mut Vec<u8>) -> Outcome;
}

/// What a library says of a failure.
#[cold]
pub(super) fn failed(error: impl ToString) -> String {
    error.to_string()
}

/// How many bytes to reserve for `size` bytes, when at most `ratio` can come from one stored byte.
pub(super) fn justified(stored: usize, ratio: usize, size: usize) -> usize {
    stored.saturating_mul(ratio).saturating_add(64).min(size)
}

/// The first piece of a stream that room is made for.
const PIECE_BYTES: usize = 64 << 10;

/// Reads at most `size` bytes of a decompressing stream into `out`, which never gets room for more.
pub(super) fn read_up_to(mut stream: impl std::io::Read, size: usize, out: &mut Vec<u8>) -> Outcome {
    use std::io::Read;
    while out.len() < size {
        let piece = out.len().max(PIECE_BYTES).min(size - out.len());
        out.try_reserve_exact(piece).map_err(failed)?;
        if stream.by_ref().take(piece as u64).read_to_end(out).map_err(failed)? < piece {
            break;
        }
    }
    Ok(())
}

/// Whether a block claims, or turns out, to hold far more bytes than the `size` bytes requested.
pub(super) fn is_far_longer(length: usize, size: usize) -> bool {
    length > size.max(SURPLUS_BYTES)
}

/// The bytes that are decompressed even where fewer are requested.
pub(super) const SURPLUS_BYTES: usize = 1 << 20;
