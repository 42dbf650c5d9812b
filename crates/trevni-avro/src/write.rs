//! Writes Avro files.

use super::codec::Compression;
use super::decode::push_varint;
use super::encode::encode;
use super::{CODEC, Error, MAGIC, SCHEMA, SYNC, Schema};
use std::io::{self, Write};
use trevni::Batch;

/// Bytes of a block before it is compressed, as Avro's Java has it.
const BLOCK_BYTES: usize = 64_000;

/// Writes rows of batches to an Avro file.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    schema: Schema,
    codec: Compression,
    sync: [u8; SYNC],
    block: Vec<u8>,
    rows: u64,
}

impl<W: Write> Writer<W> {
    /// Writes the head of a file. `metadata` is what else the file says of itself; keys of Avro begin with `avro.`.
    ///
    /// # Errors
    ///
    /// Columns cannot hold rows of the schema, or the file cannot be written.
    pub fn new(
        schema: &str,
        codec: Compression,
        metadata: &[(&str, &[u8])],
        mut out: W,
    ) -> Result<Self, Error> {
        let own = [(SCHEMA, schema.as_bytes()), (CODEC, codec.name().as_bytes())];
        let schema = Schema::parse(schema)?;
        let sync = fastrand::u128(..).to_be_bytes();
        let mut head = MAGIC.to_vec();
        push_varint(metadata.len() as i64 + 2, &mut head);
        for (key, value) in own.iter().chain(metadata) {
            for part in [key.as_bytes(), value] {
                push_varint(part.len() as i64, &mut head);
                head.extend_from_slice(part);
            }
        }
        head.push(0);
        head.extend_from_slice(&sync);
        out.write_all(&head)?;
        Ok(Self { out, schema, codec, sync, block: Vec::new(), rows: 0 })
    }

    /// Appends the rows of a batch.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or the rows do not have the schema.
    pub fn write_batch(&mut self, batch: &Batch) -> io::Result<()> {
        (0..batch.len()).try_for_each(|index| self.write_row(batch, index))
    }

    /// Appends a row of a batch.
    ///
    /// # Errors
    ///
    /// As [`write_batch`](Self::write_batch).
    pub fn write_row(&mut self, batch: &Batch, index: usize) -> io::Result<()> {
        encode(&self.schema.0, batch.vector(), index, &mut self.block).map_err(io::Error::other)?;
        self.rows += 1;
        if self.block.len() >= BLOCK_BYTES { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> io::Result<()> {
        if self.rows > 0 {
            let bytes = self.codec.compress(&self.block)?;
            let mut head = Vec::with_capacity(20);
            push_varint(self.rows as i64, &mut head);
            push_varint(bytes.len() as i64, &mut head);
            self.out.write_all(&head)?;
            self.out.write_all(&bytes)?;
            self.out.write_all(&self.sync)?;
        }
        self.block.clear();
        self.rows = 0;
        Ok(())
    }

    /// Writes the last block and returns what was written to, which is not flushed.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.end_block()?;
        Ok(self.out)
    }
}
