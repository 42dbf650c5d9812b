//! Checksums of this crate: of the parts of columns as they are stored, and of the footer.

use super::MAGIC;
use super::footer::Block;
use crate::error::{Error, ErrorKind, Result};
use crate::metadata::{FOOTER_SUM, PART_SUMS};
use crate::storage::checksum::RunningSum;
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes of a checksum.
const SUM_BYTES: usize = 4;

/// Appends the blocks of checksums, which are the last: those of the parts, and that of the footer, which is zero until
/// it is [filled in](fill).
pub(super) fn add<'a>(parts: &'a [u8], blocks: &mut Vec<Block<'a>>) {
    let block = |name, bytes| Block { name: Cow::Borrowed(name), bytes: Cow::Borrowed(bytes) };
    blocks.extend([block(PART_SUMS, parts), block(FOOTER_SUM, &[0; SUM_BYTES])]);
}

/// Puts the checksum of a footer that is complete into it; `end` is all from the first byte of the footer to the end of
/// the file.
pub(super) fn fill(end: &mut [u8]) {
    let sum = RunningSum::of(end);
    let after = 8 + MAGIC.len();
    let place = end.len().checked_sub(after).and_then(|end| Some(end.checked_sub(SUM_BYTES)?..end));
    if let Some(place) = place.and_then(|place| end.get_mut(place)) {
        place.copy_from_slice(&sum.to_be_bytes());
    }
}

/// Compares a footer, its position, and the magic after it with their checksum. The checksums of the parts of columns,
/// where there are any.
///
/// # Errors
///
/// Another footer, and checksums of which one is missing, is there twice, or is not where it should be.
pub(super) fn check_footer<'b>(
    footer: &[u8],
    blocks: &'b [Block<'_>],
    start: u64,
) -> Result<Option<&'b [u8]>> {
    let of = |name: &'static str| {
        let mut found = blocks.iter().filter(move |block| block.name == name);
        match (found.next(), found.next()) {
            (_, Some(_)) => Err(Error::metadata(format!("the footer has {name} twice"))),
            (found, None) => Ok(found),
        }
    };
    let (parts, own) = match (of(PART_SUMS)?, of(FOOTER_SUM)?) {
        (None, None) => return Ok(None),
        (Some(parts), Some(own)) => (parts, own),
        (Some(_), None) => return Err(alone(PART_SUMS, FOOTER_SUM)),
        (None, Some(_)) => return Err(alone(FOOTER_SUM, PART_SUMS)),
    };
    let Ok(stored) = <[u8; SUM_BYTES]>::try_from(&*own.bytes) else {
        let found = own.bytes.len();
        return Err(Error::metadata(format!("{FOOTER_SUM} has {found} bytes, and should have {SUM_BYTES}")));
    };
    let before = footer.split_last_chunk::<SUM_BYTES>();
    let is_last = blocks.last().is_some_and(|last| last.name == FOOTER_SUM);
    let Some((before, _)) = before.filter(|_| is_last) else {
        return Err(Error::metadata(format!("{FOOTER_SUM} is not the last metadata block of the footer")));
    };
    let mut computed = RunningSum::default();
    for bytes in [before, &[0; SUM_BYTES], &start.to_be_bytes(), &MAGIC] {
        computed.update(bytes);
    }
    let (stored, computed) = (u32::from_be_bytes(stored), computed.value());
    if stored != computed {
        return Err(ErrorKind::PartChecksum { what: "the footer", stored, computed }.into());
    }
    Ok(Some(&parts.bytes))
}

#[cold]
fn alone(found: &str, missing: &str) -> Error {
    Error::metadata(format!("the footer has {found} without {missing}"))
}

/// The checksums of the parts of columns: of repetition levels, definition levels and values, column after column as the
/// footer lists them, row group after row group.
pub(super) struct PartSums {
    sums: Vec<[u8; SUM_BYTES]>,
    /// Parts of a source in memory, which need be compared once.
    compared: Vec<AtomicBool>,
}

impl PartSums {
    /// The checksums of a number of parts.
    ///
    /// # Errors
    ///
    /// Bytes of another number of them.
    pub(super) fn new(bytes: &[u8], count: usize) -> Result<Self> {
        let (sums, rest) = bytes.as_chunks();
        if sums.len() != count || !rest.is_empty() {
            let found = bytes.len();
            let message = format!("{PART_SUMS} has {found} bytes for {count} parts of columns");
            return Err(Error::metadata(message));
        }
        Ok(Self { sums: sums.to_vec(), compared: sums.iter().map(|_| AtomicBool::new(false)).collect() })
    }

    /// Compares a part with its checksum.
    ///
    /// # Errors
    ///
    /// Other bytes.
    pub(super) fn check(&self, number: usize, part: &[u8]) -> Result<()> {
        self.compare(number, RunningSum::of(part))
    }

    /// The same, of bytes that stay as they are.
    pub(super) fn check_once(&self, number: usize, part: &[u8]) -> Result<()> {
        let Some(compared) = self.compared.get(number) else {
            return Err(no_part(number));
        };
        if !compared.load(Ordering::Relaxed) {
            self.check(number, part)?;
            compared.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Compares what has been computed of a part with its checksum.
    pub(super) fn compare(&self, number: usize, computed: u32) -> Result<()> {
        let stored = self.sums.get(number).ok_or_else(|| no_part(number))?;
        match u32::from_be_bytes(*stored) {
            stored if stored == computed => Ok(()),
            stored => Err(ErrorKind::Checksum { stored, computed }.into()),
        }
    }
}

#[cold]
fn no_part(number: usize) -> Error {
    Error::internal(format!("no checksum is known of part {number}"))
}
