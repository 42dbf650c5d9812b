//! Reads Avro files, block by block.

use super::codec::{Compression, Failed};
use super::decode::{Bytes, varint};
use super::value::Value;
use super::{CODEC, Error, MAGIC, SCHEMA, SYNC, Schema};
use std::io::{self, BufRead, BufReader, Read};
use trevni::{ErrorKind, Limits};

/// Reads the rows of an Avro file from its start to its end.
///
/// ```
/// # fn print(file: std::fs::File) -> Result<(), trevni_avro::Error> {
/// let mut rows = trevni_avro::Reader::new(file)?;
/// println!("{}", rows.schema());
/// rows.each(|row| {
///     println!("{}", serde_json::to_string(row)?);
///     Ok::<_, serde_json::Error>(true)
/// })
/// # }
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    input: BufReader<R>,
    text: String,
    schema: Schema,
    codec: Compression,
    metadata: Vec<(String, Vec<u8>)>,
    sync: Vec<u8>,
    blocks: u64,
    rows: u64,
    limits: Limits,
    /// Bytes of the blocks so far, as they are stored, and the values in them.
    bytes: u64,
    work: u64,
}

/// A row, where it lies in its block.
pub type Row<'r, 'd> = Value<'r, Bytes<'d>>;

/// The most bytes that the metadata of a file, or a block before it is decompressed, may have.
const LARGEST: i64 = 1 << 29;

/// The most bytes that the metadata of a file may take in memory, and what an entry takes besides its own.
const METADATA_MAX: usize = 1 << 26;
const ENTRY_BYTES: usize = 64;

/// As how many values a row counts that has no bytes: it takes as long to hand it over.
const EMPTY_ROW: u64 = 64;

impl<R: Read> Reader<R> {
    /// Reads the head of a file.
    ///
    /// # Errors
    ///
    /// It is no Avro file, is damaged, has a codec that is not known, or a schema that columns cannot hold.
    pub fn new(input: R) -> Result<Self, Error> {
        let mut input = Input(BufReader::with_capacity(1 << 16, input));
        if input.bytes(MAGIC.len() as i64)? != MAGIC {
            return Err(Error::NotAvro);
        }
        let metadata = input.metadata()?;
        let sync = input.bytes(SYNC as i64)?;
        let value = |key: &str| {
            let found = metadata.iter().rev().find(|(other, _)| other == key);
            found.map(|(_, value)| String::from_utf8_lossy(value).into_owned())
        };
        let text = value(SCHEMA).ok_or_else(|| Error::damaged("there is no schema in it"))?;
        let schema = Schema::parse(&text)?;
        let codec = value(CODEC).unwrap_or_else(|| "null".to_owned());
        let codec = Compression::named(&codec).ok_or(Error::Codec(codec))?;
        let metadata = metadata.into_iter().filter(|(key, _)| !key.starts_with("avro.")).collect();
        Ok(Self {
            input: input.0,
            text,
            schema,
            codec,
            metadata,
            sync,
            blocks: 0,
            rows: 0,
            limits: Limits::DEFAULT,
            bytes: 0,
            work: 0,
        })
    }

    /// Sets the limits: a block takes [`memory`](Limits::memory) and no more than [`block_bytes`](Limits::block_bytes) once it is
    /// decompressed, and values are limited by the bytes of the file, and by [`rows_without_bytes`](Limits::rows_without_bytes).
    ///
    /// ```
    /// use trevni::Limits;
    /// use trevni_avro::{Compression, Error, Reader, Writer};
    ///
    /// let columns = trevni::to_vec(["a string".repeat(100)])?;
    /// let columns = trevni::Reader::from_slice(&columns)?;
    /// let mut writer = Writer::new(&columns.shape().to_avro(), Compression::Deflate, &[], Vec::new())?;
    /// for batch in columns.batches()? {
    ///     writer.write_batch(&batch?)?;
    /// }
    /// let avro = writer.finish()?;
    /// let mut rows = Reader::new(&*avro)?.limits(Limits::default().memory(100));
    /// let error = rows.each(|_| Ok::<_, trevni::Error>(true)).unwrap_err();
    /// assert!(matches!(error, Error::Limit { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The text of the schema, as it is in the file.
    pub fn schema(&self) -> &str {
        &self.text
    }

    /// What else the file says of itself, without the keys of Avro.
    pub fn metadata(&self) -> &[(String, Vec<u8>)] {
        &self.metadata
    }

    /// Hands out the rows that are left, until one is not wanted any more: `take` returns whether to go on. It takes
    /// each value whole, by serializing it.
    ///
    /// # Errors
    ///
    /// The file cannot be read or is damaged, or `take` fails.
    pub fn each<E>(&mut self, mut take: impl FnMut(&Row<'_, '_>) -> Result<bool, E>) -> Result<(), Error>
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        let (values, item) = (self.schema.0.count(), self.schema.0.item_count());
        while let Some((count, bytes)) = self.block()? {
            let source = Bytes::new(&bytes, item, self.work, self.limits.entries(self.bytes));
            for _ in 0..count {
                let before = source.len();
                let taken = take(&self.schema.value(&source));
                source.count(if before > source.len() { values } else { values.saturating_mul(EMPTY_ROW) });
                if source.is_too_much() {
                    return Err(self.too_much(source.work()));
                }
                match taken {
                    Ok(true) => self.rows += 1,
                    Ok(false) => return Ok(()),
                    Err(error) if source.is_wrong() => return Err(Error::damaged(error)),
                    Err(error) => return Err(Error::Refused(Box::new(error))),
                }
            }
            if source.len() > 0 {
                return Err(self.damaged("there are bytes behind its rows"));
            }
            self.work = source.work();
        }
        Ok(())
    }

    /// Number and bytes of the rows of the next block; `None` at the end of the file.
    fn block(&mut self) -> Result<Option<(u64, Vec<u8>)>, Error> {
        let mut input = Input(&mut self.input);
        if input.0.fill_buf()?.is_empty() {
            return Ok(None);
        }
        self.blocks += 1;
        let (rows, bytes) = (input.long()?, input.long()?);
        let (most, option) = match self.limits {
            limits if limits.block_bytes < limits.memory => (limits.block_bytes, "block_bytes"),
            limits => (limits.memory, "memory"),
        };
        let (what, value) = ("the size of a block", bytes.unsigned_abs());
        if (0..=LARGEST).contains(&bytes) && value > most {
            return Err(self.limit(ErrorKind::Limit { what, value, limit: most, option }));
        }
        let bytes = input.bytes(bytes)?;
        let sync = input.bytes(SYNC as i64)?;
        let rows = u64::try_from(rows).map_err(|_| self.damaged("a negative number of rows"))?;
        if sync != self.sync {
            return Err(self.damaged("it does not end where it says"));
        }
        self.bytes += bytes.len() as u64;
        let what = "the size of a decompressed block";
        let bytes = self.codec.decompress(bytes, most).map_err(|failed| match failed {
            Failed::TooLarge(value) => self.limit(ErrorKind::Limit { what, value, limit: most, option }),
            Failed::Damaged(error) => self.damaged(error),
        })?;
        self.work = self.work.saturating_add(bytes.len() as u64);
        Ok(Some((rows, bytes)))
    }

    /// The error of a file with more values than its bytes allow.
    #[cold]
    fn too_much(&self, value: u64) -> Error {
        let limit = self.limits.entries(self.bytes);
        let what = "the number of rows and values, those without bytes included,";
        self.limit(ErrorKind::Limit { what, value, limit, option: "rows_without_bytes" })
    }

    #[cold]
    fn limit(&self, kind: ErrorKind) -> Error {
        Error::Limit { at: self.place(), error: kind.into() }
    }

    /// The block that was read last.
    fn place(&self) -> String {
        format!("block {}, after row {}", self.blocks.saturating_sub(1), self.rows)
    }

    /// What is wrong with the block that was read last.
    #[cold]
    fn damaged(&self, what: impl std::fmt::Display) -> Error {
        Error::Damaged(format!("{}: {what}", self.place()))
    }
}

/// A stream of integers and bytes.
struct Input<B>(B);

impl<B: BufRead> Input<B> {
    fn bytes(&mut self, count: i64) -> Result<Vec<u8>, Error> {
        if !(0..=LARGEST).contains(&count) {
            return Err(Error::damaged(format_args!("a part of {count} bytes")));
        }
        // What is claimed is not there yet.
        let mut out = Vec::new();
        match (&mut self.0).take(count.unsigned_abs()).read_to_end(&mut out) {
            Ok(read) if read as u64 == count.unsigned_abs() => Ok(out),
            Ok(_) => Err(Error::damaged("it ends too early")),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(Error::damaged("it ends too early"))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn long(&mut self) -> Result<i64, Error> {
        let mut bytes = Vec::with_capacity(10);
        loop {
            bytes.extend(self.bytes(1)?);
            match varint(&bytes) {
                Some((value, _)) => return Ok(value),
                None if bytes.len() < 10 => {}
                None => return Err(Error::damaged("an integer without end")),
            }
        }
    }

    /// A map of bytes.
    fn metadata(&mut self) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let (mut out, mut size) = (Vec::new(), 0);
        loop {
            let count = self.long()?;
            if count == 0 {
                return Ok(out);
            }
            if count < 0 {
                self.long()?;
            }
            for _ in 0..count.unsigned_abs() {
                let length = self.long()?;
                let key = String::from_utf8_lossy(&self.bytes(length)?).into_owned();
                let length = self.long()?;
                let value = self.bytes(length)?;
                size += ENTRY_BYTES + key.len() + value.len();
                if size > METADATA_MAX {
                    let (what, value, limit) = ("the metadata", size as u64, METADATA_MAX as u64);
                    let error = ErrorKind::Limit { what, value, limit, option: "" }.into();
                    return Err(Error::Limit { at: "the head of the file".to_owned(), error });
                }
                out.push((key, value));
            }
        }
    }
}
