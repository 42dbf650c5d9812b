//! A Trevni file, with levels or without, number by number.

use super::sink::{As, Sink};

/// What puts a part of a file together.
pub(crate) type Fill = Box<dyn Fn(&mut Sink)>;

/// What a file says.
pub(crate) struct File {
    pub(crate) version: u8,
    pub(crate) rows: u64,
    pub(crate) metadata: Vec<(&'static str, Fill)>,
    pub(crate) columns: Vec<Column>,
    /// Whether there are checksums, of blocks and of the header.
    pub(crate) sums: bool,
}

pub(crate) struct Column {
    pub(crate) metadata: Vec<(&'static str, Fill)>,
    pub(crate) blocks: Vec<Block>,
}

pub(crate) struct Block {
    pub(crate) rows: u64,
    /// Uncompressed size in bytes; `None`: the stored size.
    pub(crate) size: Option<u64>,
    /// The first value.
    pub(crate) first: Option<Fill>,
    /// The bytes as they are stored.
    pub(crate) stored: Fill,
    /// The bytes that the checksum is of, where those are not the stored ones.
    pub(crate) content: Option<Vec<u8>>,
}

/// The bytes of a string.
pub(crate) fn text(text: impl Into<String>) -> Fill {
    let text = text.into();
    Box::new(move |sink| sink.raw(&text))
}

impl File {
    pub(crate) fn new(rows: u64, columns: impl IntoIterator<Item = Column>) -> Self {
        let columns = columns.into_iter().collect();
        Self { version: 2, rows, metadata: Vec::new(), columns, sums: false }
    }

    pub(crate) fn with(mut self, key: &'static str, value: impl Into<String>) -> Self {
        self.metadata.push((key, text(value)));
        self
    }

    /// Encodes the file, with valid checksums.
    pub(crate) fn write(&self, sink: &mut Sink) {
        let bodies: Vec<(Vec<u8>, [u8; 8])> =
            self.columns.iter().map(|column| column.body(self.sums, sink)).collect();
        sink.raw("Trv");
        sink.put("version", As::Byte, i64::from(self.version));
        sink.put("rows of the file", As::Little64, self.rows.cast_signed());
        sink.put("columns", As::Little32, self.columns.len() as i64);
        let (mut sum, mut size) = (0, 0);
        sink.put(
            "entries of metadata",
            As::Integer,
            (self.metadata.len() + if self.sums { 3 } else { 0 }) as i64,
        );
        if self.sums {
            sink.text("crc32_header");
            sink.text([0; 4]);
            sum = sink.bytes.len() - 4;
            entry("trevni.checksum", &text("crc32"), sink);
        }
        self.metadata.iter().for_each(|(key, value)| entry(key, value, sink));
        if self.sums {
            sink.text("crc32_header_bytes");
            sink.text([0; 8]);
            size = sink.bytes.len() - 8;
        }
        for (column, (_, sums)) in self.columns.iter().zip(&bodies) {
            let entries = column.metadata.len() + usize::from(self.sums);
            sink.put("entries of metadata", As::Integer, entries as i64);
            column.metadata.iter().for_each(|(key, value)| entry(key, value, sink));
            if self.sums {
                sink.text("crc32_column");
                sink.text(sums);
            }
        }
        let mut start = sink.bytes.len() + 8 * bodies.len();
        let header = start;
        for (body, _) in &bodies {
            sink.put("start of a column", As::Little64, start as i64);
            start += body.len();
        }
        if self.sums {
            sink.bytes[size..size + 8].copy_from_slice(&(header as u64).to_le_bytes());
            let all = crc32fast::hash(&sink.bytes);
            sink.bytes[sum..sum + 4].copy_from_slice(&all.to_be_bytes());
        }
        bodies.iter().for_each(|(body, _)| sink.raw(body));
    }
}

fn entry(key: &str, value: &Fill, sink: &mut Sink) {
    sink.text(key);
    sink.sized("bytes of a text", As::Integer, value);
}

impl Column {
    pub(crate) fn new(name: &str, kind: &'static str, blocks: impl IntoIterator<Item = Block>) -> Self {
        let metadata = vec![("trevni.name", text(name)), ("trevni.type", text(kind))];
        Self { metadata, blocks: blocks.into_iter().collect() }
    }

    pub(crate) fn with(mut self, key: &'static str, value: impl Into<String>) -> Self {
        self.metadata.push((key, text(value)));
        self
    }

    /// With a number, in digits, as metadata.
    pub(crate) fn number(mut self, key: &'static str, value: i64) -> Self {
        self.metadata.push((key, Box::new(move |sink| sink.put(key, As::Digits, value))));
        self
    }

    /// The column as it is stored, and the checksums of its table and of the sums of its blocks.
    fn body(&self, has_sums: bool, sink: &mut Sink) -> (Vec<u8>, [u8; 8]) {
        let stored: Vec<Vec<u8>> = self.blocks.iter().map(|block| sink.apart(&block.stored)).collect();
        let mut body = sink.apart(|sink| {
            sink.put("blocks", As::Little32, self.blocks.len() as i64);
            for (block, stored) in self.blocks.iter().zip(&stored) {
                let size = block.size.unwrap_or(stored.len() as u64);
                sink.put("rows of a block", As::Little32, block.rows.cast_signed());
                sink.put("bytes before the codec", As::Little32, size.min(i32::MAX as u64) as i64);
                sink.put("bytes after the codec", As::Little32, stored.len() as i64);
                block.first.iter().for_each(|first| first(sink));
            }
        });
        let mut sums = [0; 8];
        sums[..4].copy_from_slice(&crc32fast::hash(&body).to_be_bytes());
        let mut all = Vec::new();
        for (block, stored) in self.blocks.iter().zip(&stored) {
            body.extend(stored);
            if has_sums {
                let sum = crc32fast::hash(block.content.as_ref().unwrap_or(stored)).to_be_bytes();
                body.extend(sum);
                all.extend(sum);
            }
        }
        sums[4..].copy_from_slice(&crc32fast::hash(&all).to_be_bytes());
        (body, sums)
    }
}

impl Block {
    pub(crate) fn new(rows: u64, stored: impl Fn(&mut Sink) + 'static) -> Self {
        Self { rows, size: None, first: None, stored: Box::new(stored), content: None }
    }

    pub(crate) fn size(mut self, size: u64) -> Self {
        self.size = Some(size);
        self
    }
}
