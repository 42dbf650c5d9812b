//! Bytes of a part: as they are, or as a Zstandard frame without its first four bytes; and the memory that parts may take.

use super::super::section::{Read, count, put_count, take};
use crate::bytes::reader::Bytes;
use crate::storage::codec::algorithm::{Outcome, failed, justified};
use zstd::bulk;
use zstd::zstd_safe::{CParameter, compress_bound};

/// What each frame begins with; it is left out.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// As high as levels go that do not take more memory for it.
const LEVEL: i32 = 19;
/// Logarithms of the bytes that a frame looks back: of all that it has, if it is not longer than the longest.
const WINDOW_LOG: std::ops::RangeInclusive<u32> = 23..=27;
/// About the most bytes that one byte of a frame stands for.
const RATIO: usize = 1 << 16;

/// Packs bytes.
pub(super) struct Packer(bulk::Compressor<'static>);

impl Packer {
    pub(super) fn new() -> Outcome<Self> {
        let mut compressor = bulk::Compressor::new(LEVEL).map_err(failed)?;
        compressor.set_parameter(CParameter::ContentSizeFlag(false)).map_err(failed)?;
        Ok(Self(compressor))
    }

    /// Appends bytes, after their number.
    pub(super) fn put(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Outcome {
        put_count(bytes.len() as u64, out);
        if bytes.is_empty() {
            return Ok(());
        }
        let window = bytes.len().next_power_of_two().ilog2();
        if WINDOW_LOG.contains(&window) {
            self.0.set_parameter(CParameter::WindowLog(window)).map_err(failed)?;
        }
        let mut frame = Vec::with_capacity(compress_bound(bytes.len()));
        self.0.compress_to_buffer(bytes, &mut frame).map_err(failed)?;
        let packed = frame.get(MAGIC.len()..).filter(|packed| packed.len() < bytes.len()).unwrap_or(bytes);
        put_count(packed.len() as u64, out);
        out.extend_from_slice(packed);
        Ok(())
    }
}

/// How many bytes of memory parts may still take.
#[derive(Debug)]
pub(super) struct Memory(pub(super) usize);

impl Memory {
    pub(super) fn take(&mut self, bytes: usize) -> Read<()> {
        self.0 = self.0.checked_sub(bytes).ok_or("it takes more memory than it says")?;
        Ok(())
    }
}

/// Reads what [`Packer::put`] has written.
pub(super) fn unpack(bytes: &mut Bytes<'_>, memory: &mut Memory) -> Read<Vec<u8>> {
    let size = usize::try_from(count(bytes)?).map_err(|_| LENGTH)?;
    if size == 0 {
        return Ok(Vec::new());
    }
    let packed = count(bytes)?;
    let packed = take(bytes, usize::try_from(packed).map_err(|_| LENGTH)?)?;
    memory.take(size)?;
    if packed.len() == size {
        return Ok(packed.to_vec());
    }
    if justified(packed.len(), RATIO, size) < size {
        return Err(LENGTH);
    }
    let mut out = Vec::new();
    out.try_reserve_exact(size).map_err(|_| "there is no memory for it")?;
    let frame = [&MAGIC, packed].concat();
    let read = bulk::Decompressor::new().and_then(|mut frames| frames.decompress_to_buffer(&frame, &mut out));
    match read {
        Ok(read) if read == size => Ok(out),
        Ok(_) => Err("a frame has fewer bytes than it says"),
        Err(_) => Err("a frame is damaged"),
    }
}

const LENGTH: &str = "a part says that it has more bytes than it can";

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        Packer::new().unwrap().put(bytes, &mut out).unwrap();
        out
    }

    proptest! {
        #[test]
        fn bytes_come_back(bytes in prop::collection::vec(0u8..3, 0..500), times in 1usize..300) {
            let bytes = bytes.repeat(times);
            let packed = packed(&bytes);
            prop_assert!(packed.len() <= bytes.len() + 8);
            let mut memory = Memory(bytes.len());
            prop_assert_eq!(unpack(&mut Bytes::new(&packed), &mut memory), Ok(bytes.clone()));
            prop_assert_eq!(memory.0, 0);
            if !bytes.is_empty() {
                prop_assert!(unpack(&mut Bytes::new(&packed), &mut Memory(bytes.len() - 1)).is_err());
            }
        }

        #[test]
        fn damaged_bytes_are_some_or_an_error(
            bytes in prop::collection::vec(0u8..3, 1..500), at in any::<prop::sample::Index>(), byte in any::<u8>(),
        ) {
            let mut packed = packed(&bytes);
            let at = at.index(packed.len());
            packed[at] = byte;
            if let Ok(found) = unpack(&mut Bytes::new(&packed), &mut Memory(1 << 20)) {
                prop_assert!(found.len() <= 1 << 20);
            }
        }
    }

    #[test]
    fn what_claims_to_be_long_is_refused_early() {
        let mut claim = Vec::new();
        put_count(1 << 40, &mut claim);
        claim.extend_from_slice(&[3, 1, 2, 3]);
        assert_eq!(unpack(&mut Bytes::new(&claim), &mut Memory(usize::MAX)), Err(LENGTH));
    }
}
