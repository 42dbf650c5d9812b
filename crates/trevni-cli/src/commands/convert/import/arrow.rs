//! Arrow IPC to columns: files, Feather and streams. A file is a stream too, between its name and a footer, so it is read
//! from its beginning to its end.
//!
//! The library makes room by what messages say, so it gets no message whose numbers were not compared with its bytes and the
//! limits.

use super::super::args::Convert;
use crate::failure::{DAMAGED, Failure, LIMITED};
use crate::interrupt;
use crate::limits::{limits, named};
use crate::output::{Columns, Target};
use arrow_array::RecordBatch as Rows;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::{CompressionType, RecordBatch, root_as_message};
use lz4_flex::frame::FrameDecoder;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use trevni_arrow::{AVRO_SCHEMA, batch_of_record_batch_as, options_for_schema};
use trevni_parquet::guarded;

/// How a file begins, with bytes up to a border of 8.
const MAGIC: &[u8] = b"ARROW1\0\0";
/// Before the length of a message.
const CONTINUATION: &[u8] = &[0xff; 4];
/// A message that is the end.
const END: &[u8] = &[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];
/// Rows that become vectors at once.
const ROWS: usize = 8192;

/// Writes the first rows, with all fields.
pub(super) fn write(
    args: &Convert,
    name: &str,
    input: impl Read,
    target: Target,
    output: &Path,
) -> Result<u64, Failure> {
    let limit = args.number.unwrap_or(u64::MAX);
    let mut messages = Messages::new(name, input)?;
    let mut rows = messages.next()?;
    let schema = messages.decoder.schema().ok_or_else(|| messages.damaged("there is no schema"))?;
    let failed = |error: trevni_arrow::Error| Failure::of_parquet(name, error.into());
    let unwritten = |error: trevni::Error| Failure::of(output, &error);
    let is_kept = |key: &str| key != AVRO_SCHEMA && !key.starts_with("trevni.");
    let mut own: Vec<(&String, &String)> = schema.metadata().iter().filter(|(key, _)| is_kept(key)).collect();
    own.sort_unstable();
    let (_, shape) = options_for_schema(trevni::Writer::builder(), &schema).map_err(failed)?;
    let target = target.try_with(|builder| {
        let all = own.into_iter().chain(args.meta.iter().map(|(key, value)| (key, value)));
        let builder =
            all.fold(builder, |builder, (key, value)| builder.metadata(key.as_str(), value.as_str()));
        Ok(options_for_schema(builder, &schema)?.0)
    });
    let mut columns = Columns::new(target.map_err(failed)?, output, args.force)?;
    let shape = Arc::new(shape);
    while let Some(batch) = rows
        && columns.row_count() < limit
    {
        for first in (0..batch.num_rows()).step_by(ROWS) {
            interrupt::check().map_err(|error| Failure::io(name, &error))?;
            let part = batch.slice(first, ROWS.min(batch.num_rows() - first));
            let part = batch_of_record_batch_as(&shape, &part).map_err(failed)?;
            columns.write_first(&part, limit - columns.row_count()).map_err(unwritten)?;
        }
        rows = if columns.row_count() < limit { messages.next()? } else { None };
    }
    let count = columns.row_count();
    columns.finish()?;
    Ok(count)
}

/// The messages of a file or stream, one after the other.
struct Messages<'n, R> {
    name: &'n str,
    input: R,
    decoder: StreamDecoder,
    /// Whether an end is to be found.
    is_file: bool,
    /// Bytes of the first length that were taken for the name of the format.
    start: Vec<u8>,
    /// What the decoder has not taken of a message.
    rest: Buffer,
    /// Whether the first message has been looked for.
    has_begun: bool,
    /// Whether the end has been read.
    is_done: bool,
}

impl<'n, R: Read> Messages<'n, R> {
    fn new(name: &'n str, input: R) -> Result<Self, Failure> {
        let decoder = StreamDecoder::new();
        let (start, rest) = (Vec::new(), Buffer::default());
        let mut messages =
            Self { name, input, decoder, is_file: false, start, rest, has_begun: false, is_done: false };
        let mut start = Vec::new();
        messages.take(MAGIC.len() as u64, &mut start)?;
        messages.is_file = start == MAGIC;
        if !messages.is_file {
            messages.start = start;
        }
        Ok(messages)
    }

    /// Appends a number of bytes, or all if there are fewer.
    fn take(&mut self, count: u64, out: &mut Vec<u8>) -> Result<(), Failure> {
        let waiting = self.start.len().min(usize::try_from(count).unwrap_or(usize::MAX));
        out.extend(self.start.drain(..waiting));
        let read = self.input.by_ref().take(count - waiting as u64).read_to_end(out);
        read.map(drop).map_err(|error| Failure::io(self.name, &error))
    }

    fn damaged(&self, what: &str) -> Failure {
        Failure::new(format!("{}: Arrow: {what}", self.name)).with_code(DAMAGED)
    }

    /// The next rows. The schema is known then.
    fn next(&mut self) -> Result<Option<Rows>, Failure> {
        loop {
            if self.rest.is_empty() {
                if self.is_done {
                    return Ok(None);
                }
                let message = self.message()?;
                self.is_done = message.is_none();
                // The decoder takes a message without bytes of its own when it sees what follows.
                self.rest = message.unwrap_or_else(|| Buffer::from(END));
            }
            let decoded = guarded(|| self.decoder.decode(&mut self.rest));
            let decoded =
                decoded.map_err(|error| Failure::of_parquet(self.name, error).with_code(DAMAGED))?;
            if let Some(rows) = decoded {
                return Ok(Some(rows));
            }
        }
    }

    /// The next message; none at the end.
    fn message(&mut self) -> Result<Option<Buffer>, Failure> {
        let mut bytes = Vec::new();
        self.take(4, &mut bytes)?;
        // Some pad the name up to a border of 64.
        while self.is_file && !self.has_begun && bytes == [0; 4] {
            bytes.clear();
            self.take(4, &mut bytes)?;
        }
        if bytes == CONTINUATION {
            self.take(4, &mut bytes)?;
        }
        self.has_begun = true;
        let size = match bytes.last_chunk() {
            None if bytes.is_empty() && !self.is_file => return Ok(None),
            Some(size) if bytes.len() % 4 == 0 && *size != [0xff; 4] => u64::from(u32::from_le_bytes(*size)),
            _ => return Err(self.damaged("it ends before its end")),
        };
        if size == 0 {
            return Ok(None);
        }
        let header = bytes.len();
        self.within_memory("a message", size)?;
        self.take(size, &mut bytes)?;
        let end = bytes.len();
        let read = |bytes: &[u8]| {
            let message = root_as_message(bytes.get(header..end).unwrap_or_default());
            message.map(|message| message.bodyLength()).map_err(|error| error.to_string())
        };
        let body = read(&bytes).map_err(|error| self.damaged(&error))?;
        let body = u64::try_from(body).map_err(|_| self.damaged("a message of a negative length"))?;
        self.within_memory("a message", body)?;
        self.take(body, &mut bytes)?;
        if (end - header) as u64 != size || (bytes.len() - end) as u64 != body {
            return Err(self.damaged("it ends within a message"));
        }
        self.check(&bytes, header, end)?;
        Ok(Some(Buffer::from_vec(bytes)))
    }

    /// An error where the rows of a message are not its bytes.
    fn check(&self, bytes: &[u8], header: usize, end: usize) -> Result<(), Failure> {
        let (header, body) =
            (bytes.get(header..end).unwrap_or_default(), bytes.get(end..).unwrap_or_default());
        let message = root_as_message(header).map_err(|error| self.damaged(&error.to_string()))?;
        let dictionary = message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
        let Some(rows) = message.header_as_record_batch().or(dictionary) else {
            return Ok(());
        };
        // As the library counts them of a block.
        let most = limits().rows_without_bytes.saturating_add(1024 * bytes.len() as u64);
        let nodes = rows.nodes().into_iter().flatten().map(|node| node.length());
        for length in nodes.chain([rows.length()]) {
            if u64::try_from(length).is_ok_and(|length| length <= most) {
                continue;
            }
            let message = format!(
                "{}: Arrow: {length} values in a message, above the limit of {most} (see Limits::rows_without_bytes)",
                self.name
            );
            return Err(Failure::new(named(&message, "rows_without_bytes")).with_code(LIMITED));
        }
        self.within_memory("a message after decompression", self.unpacked(rows, body)?)
    }

    /// Bytes of compressed buffers when they are unpacked.
    fn unpacked(&self, rows: RecordBatch<'_>, body: &[u8]) -> Result<u64, Failure> {
        let Some(codec) = rows.compression().map(|compression| compression.codec()) else {
            return Ok(0);
        };
        let mut all = 0u64;
        for buffer in rows.buffers().into_iter().flatten() {
            let range = || {
                let start = usize::try_from(buffer.offset()).ok()?;
                body.get(start..start.checked_add(usize::try_from(buffer.length()).ok()?)?)
            };
            let packed = range().ok_or_else(|| self.damaged("a buffer is not within its message"))?;
            // An empty one has no length before it, and one that is as it is -1.
            let Some((size, packed)) = packed.split_first_chunk() else { continue };
            let Ok(size) = u64::try_from(i64::from_le_bytes(*size)) else { continue };
            all = all.saturating_add(size);
            self.within_memory("a message after decompression", all)?;
            // The library goes on beyond what is said.
            if codec == CompressionType::LZ4_FRAME && size > 0 {
                let mut bytes = FrameDecoder::new(packed).take(size + 1);
                if io::copy(&mut bytes, &mut io::sink()).ok() != Some(size) {
                    return Err(self.damaged("a buffer has another length after decompression"));
                }
            }
        }
        Ok(all)
    }

    fn within_memory(&self, what: &str, bytes: u64) -> Result<(), Failure> {
        let most = limits().memory;
        if bytes <= most {
            return Ok(());
        }
        let message = format!(
            "{}: Arrow: {what} takes {bytes} bytes, above the limit of {most} (see Limits::memory)",
            self.name
        );
        Err(Failure::new(named(&message, "memory")).with_code(LIMITED))
    }
}
