//! Builds files byte by byte, true or not.

/// A file as its header tells it.
#[derive(Clone, Default)]
pub(crate) struct RawFile {
    pub(crate) rows: u64,
    pub(crate) metadata: Vec<(String, Vec<u8>)>,
    pub(crate) columns: Vec<RawColumn>,
}

#[derive(Clone, Default)]
pub(crate) struct RawColumn {
    pub(crate) metadata: Vec<(String, Vec<u8>)>,
    pub(crate) blocks: Vec<RawBlock>,
    /// Where the column is said to begin, if that is not where it does.
    pub(crate) start: Option<u64>,
}

#[derive(Clone, Default)]
pub(crate) struct RawBlock {
    pub(crate) rows: u32,
    /// Bytes before the codec.
    pub(crate) size: u32,
    /// Bytes after the codec, if they are not as many as there are.
    pub(crate) compressed: Option<u32>,
    pub(crate) stored: Vec<u8>,
}

pub(crate) fn pair(key: &str, value: impl AsRef<[u8]>) -> (String, Vec<u8>) {
    (key.to_owned(), value.as_ref().to_vec())
}

/// A zig-zag integer.
pub(crate) fn int(value: i64) -> Vec<u8> {
    let mut rest = ((value << 1) ^ (value >> 63)) as u64;
    let mut out = Vec::new();
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
    out
}

pub(crate) fn ints(values: impl IntoIterator<Item = i64>) -> Vec<u8> {
    values.into_iter().flat_map(int).collect()
}

impl RawBlock {
    /// A block without a codec.
    pub(crate) fn plain(rows: u32, stored: impl Into<Vec<u8>>) -> Self {
        let stored = stored.into();
        Self { rows, size: stored.len() as u32, compressed: None, stored }
    }
}

impl RawColumn {
    pub(crate) fn new(name: &str, kind: &str, blocks: impl IntoIterator<Item = RawBlock>) -> Self {
        let metadata = vec![pair("trevni.name", name), pair("trevni.type", kind)];
        Self { metadata, blocks: blocks.into_iter().collect(), start: None }
    }

    pub(crate) fn with(mut self, key: &str, value: &str) -> Self {
        self.metadata.push(pair(key, value));
        self
    }

    pub(crate) fn array(self) -> Self {
        self.with("trevni.array", "")
    }

    pub(crate) fn child_of(self, parent: &str) -> Self {
        self.with("trevni.parent", parent)
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = (self.blocks.len() as u32).to_le_bytes().to_vec();
        for block in &self.blocks {
            let compressed = block.compressed.unwrap_or(block.stored.len() as u32);
            [block.rows, block.size, compressed].iter().for_each(|n| out.extend(n.to_le_bytes()));
        }
        self.blocks.iter().for_each(|block| out.extend(&block.stored));
        out
    }
}

impl RawFile {
    pub(crate) fn new(rows: u64, columns: impl IntoIterator<Item = RawColumn>) -> Self {
        Self { rows, metadata: Vec::new(), columns: columns.into_iter().collect() }
    }

    pub(crate) fn with(mut self, key: &str, value: &str) -> Self {
        self.metadata.push(pair(key, value));
        self
    }

    /// Magic, row count and column count.
    pub(crate) fn head(&self) -> Vec<u8> {
        let mut out = b"Trv\x02".to_vec();
        out.extend(self.rows.to_le_bytes());
        out.extend((self.columns.len() as u32).to_le_bytes());
        out
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut out = self.head();
        encode(&self.metadata, &mut out);
        self.columns.iter().for_each(|column| encode(&column.metadata, &mut out));
        let mut start = (out.len() + 8 * self.columns.len()) as u64;
        let columns: Vec<_> = self.columns.iter().map(RawColumn::bytes).collect();
        for (column, bytes) in self.columns.iter().zip(&columns) {
            out.extend(column.start.unwrap_or(start).to_le_bytes());
            start += bytes.len() as u64;
        }
        columns.iter().for_each(|bytes| out.extend(bytes));
        out
    }
}

fn encode(metadata: &[(String, Vec<u8>)], out: &mut Vec<u8>) {
    out.extend(int(metadata.len() as i64));
    for (key, value) in metadata {
        out.extend(int(key.len() as i64));
        out.extend(key.as_bytes());
        out.extend(int(value.len() as i64));
        out.extend(value);
    }
}
