//! A Trevni file, with levels or without, taken apart and put together with sizes and checksums that are right.

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
    /// The bytes as they are stored.
    pub(crate) bytes: Vec<u8>,
}

const CHECKSUM: &str = "trevni.checksum";

impl Container {
    /// Takes a file apart; none where it is no such file or is damaged.
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
            Column::parse(bytes.get(usize::try_from(start).ok()?..)?, own, sums)
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

impl Column {
    fn parse(bytes: &[u8], metadata: Metadata, has_sums: bool) -> Option<Self> {
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
            blocks.push(Block { rows, size, first, bytes: Vec::new() });
        }
        for (block, size) in blocks.iter_mut().zip(sizes) {
            block.bytes = input.take(size)?.to_vec();
            input.take(if has_sums { 4 } else { 0 })?;
        }
        Some(Self { metadata, blocks })
    }

    /// The column as it is in the file, and the checksums of its table and of the sums of its blocks.
    fn body(&self, has_sums: bool) -> (Vec<u8>, [u8; 8]) {
        let mut out = (self.blocks.len() as u32).to_le_bytes().to_vec();
        for block in &self.blocks {
            for number in [block.rows, block.size, block.bytes.len() as u32] {
                out.extend_from_slice(&number.to_le_bytes());
            }
            out.extend_from_slice(&block.first);
        }
        let table = crc32fast::hash(&out);
        let mut sums = Vec::new();
        for block in &self.blocks {
            out.extend_from_slice(&block.bytes);
            if has_sums {
                let sum = crc32fast::hash(&block.bytes).to_be_bytes();
                out.extend_from_slice(&sum);
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
