//! Decompresses pages. The Parquet library would go on where there is more than a page's header says, and
//! with the windows of brotli that a stream asks for.

use super::header::Header;
use crate::error::{Error, Result};
use lz4_flex::frame::FrameDecoder;
use parquet::basic::CompressionCodec as Codec;
use std::io::{Error as IoError, Read, Result as IoResult};

/// Bytes of what is compressed that brotli reads at once.
const BROTLI_BUFFER: usize = 1 << 16;

/// Whether pages of this codec are decompressed here.
pub(super) fn is_known(codec: Codec) -> bool {
    use Codec::{BROTLI, GZIP, LZ4, LZ4_RAW, SNAPPY, ZSTD};
    matches!(codec, SNAPPY | GZIP | BROTLI | LZ4 | ZSTD | LZ4_RAW)
}

/// Decompresses pages of any codec.
#[derive(Default)]
pub(super) struct Unpack {
    zstd: Option<zstd::bulk::Decompressor<'static>>,
}

impl Unpack {
    /// A page as it was before it was compressed: as many bytes as its header says.
    pub(super) fn page(&mut self, codec: Codec, header: &Header, stored: Vec<u8>) -> Result<Vec<u8>> {
        if header.is_plain || !is_known(codec) {
            return Ok(stored);
        }
        let size = usize::try_from(header.bytes).unwrap_or(usize::MAX);
        let Some((levels, data)) = stored.split_at_checked(header.levels()) else {
            return Err(Error::Damaged("the levels are longer than the page".to_owned()));
        };
        let mut page = Vec::with_capacity(size);
        page.extend_from_slice(levels);
        // A page without values may have no bytes at all.
        if page.len() < size {
            let done = self.decompress(codec, data, size, &mut page);
            done.map_err(|error| Error::Damaged(format!("{codec}: {error}")))?;
        }
        match page.len() == size {
            true => Ok(page),
            false => Err(Error::Damaged(format!("{codec}: a page of {size} bytes has another length"))),
        }
    }

    /// Appends what is decompressed, until there are `size` bytes; one more where there are more.
    fn decompress(&mut self, codec: Codec, data: &[u8], size: usize, page: &mut Vec<u8>) -> IoResult<()> {
        let start = page.len();
        let most = (size - start) as u64 + 1;
        match codec {
            Codec::GZIP => flate2::bufread::MultiGzDecoder::new(data).take(most).read_to_end(page).map(drop),
            Codec::BROTLI => brotli_pages(data)?.take(most).read_to_end(page).map(drop),
            Codec::LZ4 => lz4(data, size, page),
            _ => {
                page.resize(size, 0);
                let out = page.get_mut(start..).unwrap_or_default();
                let count = match codec {
                    Codec::SNAPPY => snap::raw::Decoder::new().decompress(data, out)?,
                    Codec::ZSTD => self.zstd()?.decompress_to_buffer(data, out)?,
                    _ => lz4_flex::block::decompress_into(data, out).map_err(IoError::other)?,
                };
                page.truncate(start.saturating_add(count));
                Ok(())
            }
        }
    }

    fn zstd(&mut self) -> IoResult<&mut zstd::bulk::Decompressor<'static>> {
        if self.zstd.is_none() {
            self.zstd = Some(zstd::bulk::Decompressor::new()?);
        }
        self.zstd.as_mut().ok_or_else(|| IoError::other("no decompressor"))
    }
}

/// Decompresses brotli. Large windows, of up to 1 GiB, are not Parquet's.
fn brotli_pages(data: &[u8]) -> IoResult<brotli::Decompressor<&[u8]>> {
    if data.first().is_some_and(|first| first & 0x7f == 0x11) {
        return Err(IoError::other("a large window"));
    }
    Ok(brotli::Decompressor::new(data, data.len().clamp(1, BROTLI_BUFFER)))
}

/// LZ4 of Hadoop; or as a frame, or a block, which others have written under this name.
fn lz4(data: &[u8], size: usize, page: &mut Vec<u8>) -> IoResult<()> {
    let start = page.len();
    page.resize(size, 0);
    if hadoop(data, page.get_mut(start..).unwrap_or_default()).is_some() {
        return Ok(());
    }
    page.truncate(start);
    let frame = FrameDecoder::new(data).take((size - start) as u64 + 1).read_to_end(page);
    if frame.is_ok() && page.len() == size {
        return Ok(());
    }
    page.resize(size, 0);
    let out = page.get_mut(start..).unwrap_or_default();
    let count = lz4_flex::block::decompress_into(data, out).map_err(IoError::other)?;
    page.truncate(start.saturating_add(count));
    Ok(())
}

/// Blocks, each after its two sizes. `None` where they are not that, or fill another number of bytes.
fn hadoop(mut data: &[u8], mut out: &mut [u8]) -> Option<()> {
    let size = |bytes: &[u8; 4]| usize::try_from(u32::from_be_bytes(*bytes)).ok();
    while let Some((sizes, rest)) = data.split_at_checked(8) {
        let (bytes, stored) = (size(sizes.first_chunk()?)?, size(sizes.last_chunk()?)?);
        let (block, after) = rest.split_at_checked(stored)?;
        let (now, later) = out.split_at_mut_checked(bytes)?;
        if lz4_flex::block::decompress_into(block, now).ok()? != bytes {
            return None;
        }
        (data, out) = (after, later);
    }
    (data.is_empty() && out.is_empty()).then_some(())
}
