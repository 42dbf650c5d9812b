//! Writes Avro files.

use super::codec::Compression;
use super::decode::push_varint;
use super::encode::encode;
use super::node::Node;
use super::{CODEC, MAGIC, SCHEMA, SYNC};
use std::io::{self, Write};
use trevni::Batch;

/// Bytes of a block before it is compressed, as Avro's Java has it.
const BLOCK: usize = 64_000;

/// Writes rows to an Avro file.
pub(crate) struct Writer {
    node: Node,
    codec: Compression,
    sync: [u8; SYNC],
    block: Vec<u8>,
    rows: u64,
}

impl Writer {
    /// Writes the head of a file. The outer error says why the schema is none.
    pub(crate) fn new(
        schema: &str,
        codec: Compression,
        metadata: &[(&str, &[u8])],
        out: &mut impl Write,
    ) -> Result<io::Result<Self>, String> {
        let node = Node::parse(schema)?;
        let sync = fastrand::u128(..).to_be_bytes();
        let mut head = MAGIC.to_vec();
        push_varint(metadata.len() as i64 + 2, &mut head);
        let own = [(SCHEMA, schema.as_bytes()), (CODEC, codec.name().as_bytes())];
        for (key, value) in own.iter().chain(metadata) {
            for part in [key.as_bytes(), value] {
                push_varint(part.len() as i64, &mut head);
                head.extend_from_slice(part);
            }
        }
        head.push(0);
        head.extend_from_slice(&sync);
        let done = out.write_all(&head);
        Ok(done.map(|()| Self { node, codec, sync, block: Vec::new(), rows: 0 }))
    }

    /// Appends a row of a batch.
    pub(crate) fn row(&mut self, batch: &Batch, index: usize, out: &mut impl Write) -> io::Result<()> {
        encode(&self.node, batch.vector(), index, &mut self.block).map_err(io::Error::other)?;
        self.rows += 1;
        if self.block.len() >= BLOCK { self.flush(out) } else { Ok(()) }
    }

    fn flush(&mut self, out: &mut impl Write) -> io::Result<()> {
        if self.rows > 0 {
            let bytes = self.codec.compress(&self.block)?;
            let mut head = Vec::with_capacity(20);
            push_varint(self.rows as i64, &mut head);
            push_varint(bytes.len() as i64, &mut head);
            out.write_all(&head)?;
            out.write_all(&bytes)?;
            out.write_all(&self.sync)?;
        }
        self.block.clear();
        self.rows = 0;
        Ok(())
    }

    /// Writes the last block.
    pub(crate) fn finish(mut self, out: &mut impl Write) -> io::Result<()> {
        self.flush(out)
    }
}
