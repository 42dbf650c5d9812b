//! What is written, in all formats.

use serde::{Deserialize, Serialize};
use trevni::formats::RedElm;
use trevni::{Checksum, Codec, Dialect, WriterBuilder};

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct Row {
    pub(crate) id: u64,
    text: String,
    numbers: Vec<u32>,
    last: Option<bool>,
}

pub(crate) fn row(id: u64) -> Row {
    Row {
        id,
        text: format!("row {}", id * id % 1000),
        numbers: (0..id % 4).map(|at| (id * at) as u32).collect(),
        last: (!id.is_multiple_of(5)).then_some(id.is_multiple_of(2)),
    }
}

pub(crate) const DIALECTS: [Dialect; 3] = [Dialect::Trevni, Dialect::Levels, Dialect::RedElm];

/// A writer of small blocks, row groups and batches.
pub(crate) fn builder(dialect: Dialect) -> WriterBuilder {
    let builder = WriterBuilder::new().dialect(dialect).block_size(300).batch_rows(16);
    match dialect {
        Dialect::Trevni => builder.codec(Codec::Deflate),
        Dialect::RedElm => {
            let builder = builder.format(RedElm::new().row_group_size(1500));
            builder.codec(Codec::Null).checksum(Checksum::Null)
        }
        // What these formats have.
        _ => builder.codec(Codec::Null).checksum(Checksum::Null),
    }
}

/// A file of so many rows.
pub(crate) fn file(dialect: Dialect, count: u64) -> Vec<u8> {
    let mut writer = builder(dialect).build(Vec::new()).unwrap();
    writer.write_all((0..count).map(row)).unwrap();
    writer.finish().unwrap()
}
