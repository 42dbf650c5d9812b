//! Sources: bytes that can be read at given positions.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex};

/// Bytes that can be read at any position: a file, a slice, an object store.
///
/// # Examples
///
/// A source that counts the bytes read:
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use trevni::{Reader, Source};
///
/// struct Counting<S>(S, AtomicU64);
///
/// impl<S: Source> Source for Counting<S> {
///     fn size(&self) -> std::io::Result<u64> {
///         self.0.size()
///     }
///     fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
///         self.1.fetch_add(buffer.len() as u64, Ordering::Relaxed);
///         self.0.read_at(offset, buffer)
///     }
/// }
///
/// let bytes = trevni::to_vec(&[(1, "one"), (2, "two")])?;
/// let source = Counting(bytes, AtomicU64::new(0));
/// let reader = Reader::new(&source)?;
/// assert_eq!(reader.row_count(), 2);
/// assert!(source.1.load(Ordering::Relaxed) > 0);
/// # Ok::<(), trevni::Error>(())
/// ```
pub trait Source: Send + Sync {
    /// Number of bytes.
    ///
    /// # Errors
    ///
    /// Any failure of the source.
    fn size(&self) -> io::Result<u64>;

    /// Whether there are no bytes.
    ///
    /// # Errors
    ///
    /// Any failure of the source.
    fn is_empty(&self) -> io::Result<bool> {
        self.size().map(|size| size == 0)
    }

    /// Fills the buffer with the bytes that start at `offset`.
    ///
    /// # Errors
    ///
    /// Any failure of the source; [`io::ErrorKind::UnexpectedEof`] if it ends within the range, [`io::ErrorKind::WouldBlock`] if it has
    /// not fetched all of it. In the latter case readers do without bytes that they read ahead, see
    /// [`Reader::ranges`](crate::Reader::ranges).
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// Fills several buffers, each with the bytes that start at its offset, for several columns. The default
    /// calls [`Source::read_at`], once for neighbouring ranges. A remote source may fetch all ranges in one
    /// request.
    ///
    /// # Errors
    ///
    /// As [`Source::read_at`]; the contents of the buffers are then not used.
    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        read_joined(self, ranges)
    }

    /// The `len` bytes that start at `offset`, if they are in memory; `None` for other sources and ranges that
    /// end after the source. Saves copying each block.
    fn slice(&self, offset: u64, len: usize) -> Option<&[u8]> {
        let _ = (offset, len);
        None
    }
}

/// The largest gap between ranges that are read together: cheaper than another read.
const JOINED_READ_GAP_BYTES: u64 = 4096;
/// The largest combined read.
const JOINED_READ_BYTES: u64 = 1 << 20;

/// Fills buffers in order, neighbouring ranges with one read.
fn read_joined<S: Source + ?Sized>(source: &S, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
    let mut rest = ranges;
    while let Some(((start, first), more)) = rest.split_first() {
        let end_of = |offset: u64, buffer: &[u8]| offset.saturating_add(buffer.len() as u64);
        let (mut end, mut count) = (end_of(*start, first), 1);
        for (offset, buffer) in more {
            let next = end_of(*offset, buffer).max(end);
            if *offset < *start || *offset > end + JOINED_READ_GAP_BYTES || next - start > JOINED_READ_BYTES {
                break;
            }
            (end, count) = (next, count + 1);
        }
        let start = *start;
        let (together, after) = rest.split_at_mut(count);
        match together {
            [(offset, buffer)] => source.read_at(*offset, buffer)?,
            several => {
                let mut joined = vec![0; (end - start) as usize];
                source.read_at(start, &mut joined)?;
                for (offset, buffer) in several {
                    let at = (*offset - start) as usize;
                    let part = joined.get(at..at + buffer.len()).ok_or_else(beyond_the_end)?;
                    buffer.copy_from_slice(part);
                }
            }
        }
        rest = after;
    }
    Ok(())
}

fn beyond_the_end() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "read beyond the end")
}

impl Source for [u8] {
    fn size(&self) -> io::Result<u64> {
        Ok(<[u8]>::len(self) as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).map_err(|_| beyond_the_end())?;
        let end = start.checked_add(buffer.len()).ok_or_else(beyond_the_end)?;
        buffer.copy_from_slice(self.get(start..end).ok_or_else(beyond_the_end)?);
        Ok(())
    }

    fn slice(&self, offset: u64, len: usize) -> Option<&[u8]> {
        self.get(usize::try_from(offset).ok()?..)?.get(..len)
    }
}

impl Source for Vec<u8> {
    fn size(&self) -> io::Result<u64> {
        Source::size(self.as_slice())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        Source::read_at(self.as_slice(), offset, buffer)
    }

    fn slice(&self, offset: u64, len: usize) -> Option<&[u8]> {
        Source::slice(self.as_slice(), offset, len)
    }
}

impl Source for File {
    fn size(&self) -> io::Result<u64> {
        self.metadata().map(|metadata| metadata.len())
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }

    /// Where files have one position only: other threads must not read at the same time.
    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = self;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }

    #[cfg(windows)]
    fn read_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(self, buffer, offset)? {
                0 => return Err(beyond_the_end()),
                read => {
                    buffer = &mut buffer[read..];
                    offset += read as u64;
                }
            }
        }
        Ok(())
    }
}

/// Pointers to a source are sources.
macro_rules! sources {
    ($($pointer:ty)*) => {
        $(impl<S: Source + ?Sized> Source for $pointer {
            fn size(&self) -> io::Result<u64> {
                (**self).size()
            }

            fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
                (**self).read_at(offset, buffer)
            }

            fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
                (**self).read_ranges(ranges)
            }

            fn slice(&self, offset: u64, len: usize) -> Option<&[u8]> {
                (**self).slice(offset, len)
            }
        })*
    };
}

sources! { &S Box<S> Arc<S> }

/// A [`Source`] over any reader that seeks. Reads are serialized by a lock.
#[derive(Debug)]
pub struct Seekable<R>(Mutex<R>);

impl<R: Read + Seek> Seekable<R> {
    /// Wraps a reader. Positions count from its start, regardless of its current position.
    pub fn new(reader: R) -> Self {
        Self(Mutex::new(reader))
    }
}

impl<R: Read + Seek + Send> Source for Seekable<R> {
    fn size(&self) -> io::Result<u64> {
        self.0.lock().map_err(|_| poisoned())?.seek(SeekFrom::End(0))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut reader = self.0.lock().map_err(|_| poisoned())?;
        reader.seek(SeekFrom::Start(offset))?;
        reader.read_exact(buffer)
    }
}

fn poisoned() -> io::Error {
    io::Error::other("another thread panicked while reading")
}
