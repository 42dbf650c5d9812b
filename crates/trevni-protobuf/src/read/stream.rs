//! Reads messages with their lengths before them.

use super::column::Column;
use super::fill;
use super::mapping::Mapping;
use crate::Error;
use prost_reflect::DynamicMessage;
use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;
use trevni::{Batch, Shape};

/// Rows of a batch.
const BATCH_ROWS: usize = 4096;
/// Bytes of messages after which a batch is full.
const BATCH_BYTES: u64 = 4 << 20;
/// The largest message, by default: that of other implementations.
const LARGEST: u64 = 64 << 20;

/// Reads messages, each with its length before it as a varint (as `writeDelimitedTo`, `encode_length_delimited` and
/// others write them), as batches of rows.
///
/// Fields that the descriptors do not know are skipped and counted. After an error there are no more batches.
///
/// ```
/// use prost_reflect::{DescriptorPool, prost_types};
/// use trevni_protobuf::{Mapping, Options, Reader};
///
/// let pool = DescriptorPool::global();
/// let duration = pool.get_message_by_name("google.protobuf.Duration").unwrap();
/// let mapping = Mapping::new(&duration, &Options::new())?;
/// // Two messages: 5 seconds, and none of the fields.
/// let input = [2, 0x08, 5, 0];
/// let mut batches = Reader::new(&input[..], mapping);
/// let batch = batches.next().unwrap()?;
/// assert_eq!(serde_json::to_string(&batch.row(0)).unwrap(), r#"{"seconds":5,"nanos":0}"#);
/// assert_eq!(batch.len(), 2);
/// # Ok::<(), trevni_protobuf::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    input: BufReader<R>,
    mapping: Mapping,
    largest: u64,
    messages: u64,
    bytes: u64,
    unknown: u64,
    is_done: bool,
    message: Vec<u8>,
}

impl<R: Read> Reader<R> {
    /// Reads messages of a type.
    #[must_use]
    pub fn new(input: R, mapping: Mapping) -> Self {
        Self {
            input: BufReader::with_capacity(1 << 16, input),
            mapping,
            largest: LARGEST,
            messages: 0,
            bytes: 0,
            unknown: 0,
            is_done: false,
            message: Vec::new(),
        }
    }

    /// Refuses messages of more bytes; by default 64 MiB.
    #[must_use]
    pub fn largest(self, bytes: u64) -> Self {
        Self { largest: bytes, ..self }
    }

    /// The shape of the rows.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        self.mapping.shape()
    }

    /// How many messages have been read.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.messages
    }

    /// How many bytes have been read.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many fields were skipped because the descriptors do not know them.
    #[must_use]
    pub fn unknown_fields(&self) -> u64 {
        self.unknown
    }

    fn batch(&mut self) -> Result<Option<Batch>, Error> {
        let mut column = Column::of(&self.mapping.shape);
        let start = self.bytes;
        let mut rows = 0;
        while rows < BATCH_ROWS && self.bytes - start < BATCH_BYTES {
            let offset = self.bytes;
            let wrong = |number, what| Error::Message { number, offset, what };
            if !self.next_message()? {
                break;
            }
            let message = DynamicMessage::decode(self.mapping.descriptor.clone(), &*self.message)
                .map_err(|error| wrong(self.messages, error.to_string()))?;
            self.unknown += fill::row(&self.mapping.message, &message, &mut column)
                .map_err(|misfit| wrong(self.messages, misfit.to_string()))?;
            self.messages += 1;
            rows += 1;
        }
        match rows {
            0 => Ok(None),
            _ => Ok(Some(Batch::try_new(Arc::clone(&self.mapping.shape), column.finish()?)?)),
        }
    }

    /// Reads the next message into the buffer; false at the end of the input.
    fn next_message(&mut self) -> Result<bool, Error> {
        let offset = self.bytes;
        let wrong = |number, what| Err(Error::Message { number, offset, what });
        if self.input.fill_buf()?.is_empty() {
            return Ok(false);
        }
        let Some(length) = self.length()? else {
            return wrong(self.messages, "a length that does not end".to_owned());
        };
        if length > self.largest {
            let what = format!("it is {length} bytes long, and the limit is {}", self.largest);
            return wrong(self.messages, what);
        }
        self.message.clear();
        // What is claimed is not there yet.
        let read = self.input.by_ref().take(length).read_to_end(&mut self.message)? as u64;
        self.bytes += read;
        match read == length {
            true => Ok(true),
            false => wrong(self.messages, format!("it ends after {read} of {length} bytes")),
        }
    }

    /// The length of the next message; `None` where it does not end within ten bytes or the input.
    fn length(&mut self) -> Result<Option<u64>, Error> {
        let mut length = 0u64;
        for place in 0..10 {
            let Some(byte) = self.input.fill_buf()?.first().copied() else {
                return Ok(None);
            };
            self.input.consume(1);
            self.bytes += 1;
            if place == 9 && byte > 1 {
                return Ok(None);
            }
            length |= u64::from(byte & 0x7f) << (place * 7);
            if byte & 0x80 == 0 {
                return Ok(Some(length));
            }
        }
        Ok(None)
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Batch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let batch = self.batch().transpose();
        self.is_done = !matches!(batch, Some(Ok(_)));
        batch
    }
}
