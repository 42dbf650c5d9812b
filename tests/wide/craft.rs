//! Compact files made by hand, after `docs/format.md`.

use std::io::Write;

/// A zig-zag varint.
pub(crate) fn long(value: i64) -> Vec<u8> {
    let mut rest = ((value << 1) ^ (value >> 63)) as u64;
    let mut out = Vec::new();
    while rest > 0x7f {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
    out
}

pub(crate) fn text(text: &[u8]) -> Vec<u8> {
    [long(text.len() as i64), text.to_vec()].concat()
}

pub(crate) fn metadata(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let each = entries.iter().flat_map(|(key, value)| [text(key.as_bytes()), text(value)]);
    std::iter::once(long(entries.len() as i64)).chain(each).collect::<Vec<_>>().concat()
}

/// What is compressed, before that.
pub(crate) struct Beginning {
    pub(crate) form: u8,
    pub(crate) version: u8,
    pub(crate) rows: i64,
    pub(crate) count: i64,
    pub(crate) file: Vec<u8>,
    pub(crate) columns: Vec<u8>,
    pub(crate) sizes: Vec<i64>,
    pub(crate) blocks: Vec<u8>,
}

impl Beginning {
    /// Of the integers 1, 2 and 3.
    pub(crate) fn small() -> Self {
        Self {
            form: 1,
            version: 2,
            rows: 3,
            count: 1,
            file: metadata(&[("avro.schema", b"\"int\"")]),
            columns: metadata(&[]),
            sizes: vec![3],
            blocks: vec![2, 4, 6],
        }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let Self { form, version, rows, count, file, columns, sizes, blocks } = self;
        let sizes: Vec<u8> = sizes.iter().flat_map(|size| long(*size)).collect();
        [&[*form, *version], &*long(*rows), &*long(*count), file, columns, &sizes, blocks].concat()
    }

    pub(crate) fn file(&self) -> Vec<u8> {
        let bytes = self.bytes();
        compact(&bytes, bytes.len() as u32)
    }
}

/// A compact file of a beginning, which says that it has so many bytes.
pub(crate) fn compact(beginning: &[u8], size: u32) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(beginning).unwrap();
    let compressed = encoder.finish().unwrap();
    let mut file = b"Trv\x02".to_vec();
    file.extend(1u64.to_le_bytes());
    file.extend(1u32.to_le_bytes());
    file.extend(metadata(&[("trevni.codec", b"deflate")]));
    file.extend(metadata(&[("trevni.name", b"compact"), ("trevni.type", b"compact")]));
    file.extend((file.len() as u64 + 8).to_le_bytes());
    for number in [1, 1, size, compressed.len() as u32] {
        file.extend(number.to_le_bytes());
    }
    file.extend(compressed);
    file
}
