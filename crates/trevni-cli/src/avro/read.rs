//! Reads Avro files, block by block.

use super::codec::Compression;
use super::decode::{Bytes, varint};
use super::node::Node;
use super::value::Value;
use super::{CODEC, MAGIC, SCHEMA, SYNC};
use crate::failure::{DAMAGED, Failure};
use crate::interrupt;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// The rows of an Avro file, which is read from its start to its end.
pub(crate) struct Rows<R> {
    name: String,
    input: BufReader<R>,
    schema: String,
    node: Node,
    codec: Compression,
    metadata: Vec<(String, Vec<u8>)>,
    sync: Vec<u8>,
    blocks: u64,
    rows: u64,
}

/// A row, where it lies in its block.
pub(crate) type Row<'r, 'd> = Value<'r, Bytes<'d>>;

/// The most bytes that the metadata of a file, or a block before it is decompressed, may have.
const LARGEST: i64 = 1 << 29;
/// Rows without bytes between two looks at Ctrl-C.
const MANY: u64 = 1 << 16;

impl<R: Read> Rows<R> {
    /// Reads the head of a file.
    pub(crate) fn new(name: &str, input: R) -> Result<Self, Failure> {
        let mut input = Input { name, input: BufReader::with_capacity(1 << 16, input) };
        if input.bytes(MAGIC.len() as i64)? != MAGIC {
            return Err(Failure::new(format!("{name} is not an Avro file")).with_code(DAMAGED));
        }
        let metadata = input.metadata()?;
        let sync = input.bytes(SYNC as i64)?;
        let input = input.input;
        let value = |key: &str| {
            let found = metadata.iter().rev().find(|(other, _)| other == key);
            found.map(|(_, value)| String::from_utf8_lossy(value).into_owned())
        };
        let schema = value(SCHEMA).ok_or_else(|| damaged(name, "there is no schema in it"))?;
        let node = Node::parse(&schema).map_err(|error| {
            Failure::new(format!("{name}: its schema cannot be that of columns: {error}"))
        })?;
        let codec = value(CODEC).unwrap_or_else(|| "null".to_owned());
        let codec = Compression::named(&codec).ok_or_else(|| {
            let failure = Failure::new(format!("{name}: blocks of codec {codec:?} cannot be read"));
            failure.hint("There are null, deflate, snappy, zstandard and bzip2")
        })?;
        let metadata = metadata.into_iter().filter(|(key, _)| !key.starts_with("avro.")).collect();
        Ok(Self { name: name.to_owned(), input, schema, node, codec, metadata, sync, blocks: 0, rows: 0 })
    }

    /// The text of the schema, as it is in the file.
    pub(crate) fn schema(&self) -> &str {
        &self.schema
    }

    /// What else the file says of itself, without the keys of Avro.
    pub(crate) fn metadata(&self) -> &[(String, Vec<u8>)] {
        &self.metadata
    }

    /// Hands out the rows that are left, until one is not wanted any more.
    pub(crate) fn each(
        &mut self,
        mut take: impl FnMut(&Row<'_, '_>) -> trevni::Result<bool>,
    ) -> Result<(), Failure> {
        while let Some((count, bytes)) = self.block()? {
            let source = Bytes::new(&bytes);
            for _ in 0..count {
                if self.rows.is_multiple_of(MANY) {
                    interrupt::check().map_err(|error| Failure::io(&self.name, &error))?;
                }
                match take(&Value { node: &self.node, source: &source }) {
                    Ok(true) => self.rows += 1,
                    Ok(false) => return Ok(()),
                    Err(error) if source.is_wrong() => return Err(damaged(&self.name, error)),
                    Err(error) => return Err(Failure::of(Path::new(&self.name), &error)),
                }
            }
            if source.len() > 0 {
                return Err(self.damaged_block("there are bytes behind its rows"));
            }
        }
        Ok(())
    }

    /// Number and bytes of the rows of the next block; none at the end of the file.
    fn block(&mut self) -> Result<Option<(u64, Vec<u8>)>, Failure> {
        let mut input = Input { name: &self.name, input: &mut self.input };
        if input.is_at_end()? {
            return Ok(None);
        }
        self.blocks += 1;
        let (rows, bytes) = (input.long()?, input.long()?);
        let bytes = input.bytes(bytes)?;
        let sync = input.bytes(SYNC as i64)?;
        let rows = u64::try_from(rows).map_err(|_| self.damaged_block("a negative number of rows"))?;
        if sync != self.sync {
            return Err(self.damaged_block("it does not end where it says"));
        }
        let bytes = self.codec.decompress(bytes).map_err(|error| self.damaged_block(error))?;
        Ok(Some((rows, bytes)))
    }

    fn damaged_block(&self, what: impl std::fmt::Display) -> Failure {
        damaged(&self.name, format_args!("block {}, behind row {}: {what}", self.blocks - 1, self.rows))
    }
}

fn damaged(name: &str, what: impl std::fmt::Display) -> Failure {
    Failure::new(format!("{name}: {what}")).with_code(DAMAGED)
}

/// A stream of integers and bytes.
struct Input<'n, B> {
    name: &'n str,
    input: B,
}

impl<B: BufRead> Input<'_, B> {
    fn failed(&self, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => damaged(self.name, "it ends too early"),
            _ => Failure::io(self.name, error),
        }
    }

    fn is_at_end(&mut self) -> Result<bool, Failure> {
        match self.input.fill_buf() {
            Ok(bytes) => Ok(bytes.is_empty()),
            Err(error) => Err(self.failed(&error)),
        }
    }

    fn bytes(&mut self, count: i64) -> Result<Vec<u8>, Failure> {
        if !(0..=LARGEST).contains(&count) {
            return Err(damaged(self.name, format_args!("a part of {count} bytes")));
        }
        // What is claimed is not there yet.
        let mut out = Vec::new();
        match (&mut self.input).take(count.unsigned_abs()).read_to_end(&mut out) {
            Ok(read) if read as u64 == count.unsigned_abs() => Ok(out),
            Ok(_) => Err(self.failed(&io::ErrorKind::UnexpectedEof.into())),
            Err(error) => Err(self.failed(&error)),
        }
    }

    fn long(&mut self) -> Result<i64, Failure> {
        let mut bytes = Vec::with_capacity(10);
        loop {
            bytes.extend(self.bytes(1)?);
            match varint(&bytes) {
                Some((value, _)) => return Ok(value),
                None if bytes.len() < 10 => {}
                None => return Err(damaged(self.name, "an integer without end")),
            }
        }
    }

    /// A map of bytes.
    fn metadata(&mut self) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        let mut out = Vec::new();
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
                out.push((key, self.bytes(length)?));
            }
        }
    }
}
