//! All of a file, of servers that do not give ranges.

use crate::failure::{about, failed};
use crate::place::Place;
use futures::StreamExt;
use object_store::ObjectStoreExt;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use trevni::Source;

/// Bytes that are kept in memory.
const MEMORY_BYTES: u64 = 64 << 20;

#[derive(Debug)]
pub(crate) enum Whole {
    Memory(Vec<u8>),
    /// A file without a name.
    File(File),
}

/// Fetches all bytes.
pub(crate) async fn fetch(place: &Place) -> io::Result<Whole> {
    let failed = |error: object_store::Error| failed(&place.shown, &error);
    let result = place.store.get(&place.path).await.map_err(failed)?;
    let (size, mut whole, mut fetched) = (result.meta.size, Whole::of(result.meta.size)?, 0);
    let mut stream = result.into_stream();
    while let Some(bytes) = stream.next().await {
        let bytes = bytes.map_err(failed)?;
        fetched += bytes.len() as u64;
        match &mut whole {
            Whole::Memory(memory) => memory.extend_from_slice(&bytes),
            Whole::File(file) => file.write_all(&bytes)?,
        }
    }
    match fetched == size {
        true => Ok(whole),
        false => Err(about(&place.shown, ErrorKind::UnexpectedEof, "fewer bytes were sent than promised")),
    }
}

impl Whole {
    fn of(size: u64) -> io::Result<Self> {
        Ok(if size <= MEMORY_BYTES { Self::Memory(Vec::new()) } else { Self::File(tempfile::tempfile()?) })
    }
}

impl Source for Whole {
    fn size(&self) -> io::Result<u64> {
        match self {
            Self::Memory(bytes) => Source::size(bytes),
            Self::File(file) => file.size(),
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Memory(bytes) => bytes.read_at(offset, buffer),
            Self::File(file) => file.read_at(offset, buffer),
        }
    }
}
