//! A Trevni file, with levels or without, taken apart and put together with sizes and checksums that are right.

use crate::codec::Codec;
use crate::metadata::{Input, Metadata};

/// A file in parts.
#[derive(Clone)]
pub(crate) struct Container {
    pub(crate) magic: [u8; 4],
    pub(crate) rows: u64,
    pub(crate) metadata: Metadata,
    pub(crate) columns: Vec<Column>,
}

#[derive(Clone)]
pub(crate) struct Column {
    pub(crate) metadata: Metadata,
    pub(crate) blocks: Vec<Block>,
}

#[derive(Clone)]
pub(crate) struct Block {
    pub(crate) rows: u32,
    /// The size before the codec.
    pub(crate) size: u32,
    pub(crate) first: Vec<u8>,
    /// The bytes as they are stored, or before a codec that does not look at values.
    pub(crate) bytes: Vec<u8>,
    /// The codec that they are stored with.
    pub(crate) codec: Option<Codec>,
    sum: Sum,
}

/// The checksum of a block.
#[derive(Clone, Copy, Default)]
struct Sum {
    /// Whether it is of the bytes before the codec.
    of_content: bool,
    /// Whether it is before the block, where its bytes are little-endian.
    is_before: bool,
    is_little: bool,
}

impl Sum {
    fn bytes(self, content: &[u8], stored: &[u8]) -> [u8; 4] {
        let sum = crc32fast::hash(if self.of_content { content } else { stored });
        if self.is_little { sum.to_le_bytes() } else { sum.to_be_bytes() }
    }
}

const CHECKSUM: &str = "trevni.checksum";
const CODEC: &str = "trevni.codec";

impl Container {
    /// Takes a file apart; `None` where it is no such file or is damaged.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let mut input = Input(bytes);
        let magic: [u8; 4] = input.take(4)?.try_into().ok()?;
        if !magic.starts_with(b"Trv") {
            return None;
        }
        let rows = input.fixed64()?;
        let count = usize::try_from(input.fixed32()?).ok().filter(|count| *count <= bytes.len())?;
        let metadata = Metadata::parse(&mut input)?;
        let columns = (0..count).map(|_| Metadata::parse(&mut input)).collect::<Option<Vec<_>>>()?;
        let starts = (0..count).map(|_| input.fixed64()).collect::<Option<Vec<_>>>()?;
        let column = |(own, start): (Metadata, u64)| {
            let sums = own.get(CHECKSUM).or(metadata.get(CHECKSUM)).is_some_and(|name| name == b"crc32");
            let codec = own.get(CODEC).or(metadata.get(CODEC)).unwrap_or(b"null").to_vec();
            Column::parse(bytes.get(usize::try_from(start).ok()?..)?, own, &codec, sums)
        };
        let columns = columns.into_iter().zip(starts).map(column).collect::<Option<_>>()?;
        Some(Self { magic, rows, metadata, columns })
    }

    /// Puts the file together, with new sizes, starts and checksums.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut file = self.clone();
        let has_sums = |own: &Metadata| {
            own.get(CHECKSUM).or(self.metadata.get(CHECKSUM)).is_some_and(|name| name == b"crc32")
        };
        let mut bodies = Vec::new();
        for column in &mut file.columns {
            let (body, sums) = column.body(has_sums(&column.metadata));
            column.metadata.set("crc32_column", &sums);
            bodies.push(body);
        }
        file.metadata.set("crc32_header", &[0; 4]);
        let size = file.header(&bodies, 0).len() as u64;
        file.metadata.set("crc32_header_bytes", &size.to_le_bytes());
        let header = file.header(&bodies, file.header(&bodies, 0).len() as u64);
        file.metadata.set("crc32_header", &crc32fast::hash(&header).to_be_bytes());
        let mut out = file.header(&bodies, header.len() as u64);
        bodies.iter().for_each(|body| out.extend_from_slice(body));
        out
    }

    fn header(&self, bodies: &[Vec<u8>], mut start: u64) -> Vec<u8> {
        let mut out = self.magic.to_vec();
        out.extend_from_slice(&self.rows.to_le_bytes());
        out.extend_from_slice(&(self.columns.len() as u32).to_le_bytes());
        self.metadata.encode(&mut out);
        self.columns.iter().for_each(|column| column.metadata.encode(&mut out));
        for body in bodies {
            out.extend_from_slice(&start.to_le_bytes());
            start += body.len() as u64;
        }
        out
    }
}

impl Block {
    /// A block of n rows and `size` uncompressed bytes; the checksum is of the stored bytes.
    pub(crate) fn new(rows: u32, size: u32, bytes: Vec<u8>, codec: Option<Codec>) -> Self {
        Self { rows, size, first: Vec::new(), bytes, codec, sum: Sum::default() }
    }

    /// As [`new`](Self::new); the checksum is of the uncompressed bytes.
    pub(crate) fn with_sum_of_content(rows: u32, bytes: Vec<u8>, codec: Option<Codec>) -> Self {
        let sum = Sum { of_content: true, ..Sum::default() };
        Self { sum, ..Self::new(rows, bytes.len() as u32, bytes, codec) }
    }

    /// Takes a block of `size` bytes and its checksum, where that is not all, wherever it is.
    fn read(&mut self, all: &[u8], size: usize, codec: &[u8]) {
        let (first, last) = (all.split_at(all.len() - size), all.split_at(size));
        for (is_before, sum, stored) in [(false, last.1, last.0), (true, first.0, first.1)] {
            let opened = Codec::open(codec, stored, self.size);
            let content = opened.as_ref().map_or(stored, |(_, content)| content);
            let forms = [(true, is_before), (false, is_before), (true, true), (false, true)];
            let forms = forms.map(|(of_content, is_little)| Sum { of_content, is_before, is_little });
            let found = forms.into_iter().find(|form| form.bytes(content, stored) == sum);
            if found.is_some() || !is_before {
                self.sum = found.unwrap_or_default();
                self.bytes = content.to_vec();
                self.codec = opened.map(|(codec, _)| codec);
            }
            if found.is_some() {
                return;
            }
        }
    }
}

impl Column {
    fn parse(bytes: &[u8], metadata: Metadata, codec: &[u8], has_sums: bool) -> Option<Self> {
        let mut input = Input(bytes);
        let count = usize::try_from(input.fixed32()?).ok().filter(|count| *count <= bytes.len())?;
        let value_type = metadata.get("trevni.values").and(metadata.get("trevni.type"));
        let mut blocks = Vec::new();
        let mut sizes = Vec::new();
        for _ in 0..count {
            let (rows, size) = (input.fixed32()?, input.fixed32()?);
            sizes.push(input.fixed32()? as usize);
            let before = input.0;
            if let Some(value_type) = value_type {
                skip_value(&mut input, value_type)?;
            }
            let first = before.get(..before.len() - input.0.len())?.to_vec();
            blocks.push(Block { rows, size, first, bytes: Vec::new(), codec: None, sum: Sum::default() });
        }
        for (block, size) in blocks.iter_mut().zip(sizes) {
            block.read(input.take(size + if has_sums { 4 } else { 0 })?, size, codec);
        }
        Some(Self { metadata, blocks })
    }

    /// The column as it is in the file, and the checksums of its table and of the sums of its blocks.
    pub(crate) fn body(&self, has_sums: bool) -> (Vec<u8>, [u8; 8]) {
        let mut out = (self.blocks.len() as u32).to_le_bytes().to_vec();
        let stored = |block: &Block| match block.codec {
            Some(codec) => codec.compress(&block.bytes),
            None => block.bytes.clone(),
        };
        let stored: Vec<Vec<u8>> = self.blocks.iter().map(stored).collect();
        for (block, stored) in self.blocks.iter().zip(&stored) {
            for number in [block.rows, block.size, stored.len() as u32] {
                out.extend_from_slice(&number.to_le_bytes());
            }
            out.extend_from_slice(&block.first);
        }
        let table = crc32fast::hash(&out);
        let mut sums = Vec::new();
        for (block, stored) in self.blocks.iter().zip(&stored) {
            let sum = block.sum.bytes(&block.bytes, stored);
            let own = if has_sums { &sum[..] } else { &[] };
            let parts = if block.sum.is_before { [own, stored] } else { [stored, own] };
            parts.into_iter().for_each(|part| out.extend_from_slice(part));
            if has_sums {
                sums.extend_from_slice(&sum);
            }
        }
        let mut both = [0; 8];
        both[..4].copy_from_slice(&table.to_be_bytes());
        both[4..].copy_from_slice(&crc32fast::hash(&sums).to_be_bytes());
        (out, both)
    }
}

/// Passes over a value.
fn skip_value(input: &mut Input<'_>, value_type: &[u8]) -> Option<()> {
    match value_type {
        b"null" => Some(()),
        b"boolean" | b"fixed8" => input.take(1).map(drop),
        b"fixed16" => input.take(2).map(drop),
        b"float" | b"fixed32" => input.take(4).map(drop),
        b"double" | b"fixed64" => input.take(8).map(drop),
        b"string" | b"bytes" => input.text().map(drop),
        _ => {
            while input.take(1)?[0] >= 0x80 {}
            Some(())
        }
    }
}
