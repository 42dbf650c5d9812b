//! Rows with lists, strings that repeat and options, and files of them.

use serde::{Deserialize, Serialize};
use trevni::{Codec, Dialect, WriterBuilder};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) id: u64,
    pub(crate) name: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) cost: f64,
    pub(crate) inner: Vec<Inner>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Inner {
    pub(crate) flag: bool,
    pub(crate) text: String,
}

pub(crate) fn rows(count: usize) -> Vec<Row> {
    let mix = |at: usize| (at.wrapping_mul(2_654_435_761) >> 7) % 1009;
    let inner = |at: usize| Inner { flag: mix(at) % 2 == 0, text: format!("{:x}", mix(at) * 7919) };
    let row = |at: usize| Row {
        id: at as u64,
        name: (mix(at) % 5 > 0).then(|| format!("row {}", at % 40)),
        tags: (0..mix(at) % 3).map(|tag| format!("tag {}", (at + tag) % 7)).collect(),
        cost: (mix(at) as f64) / 100.0,
        inner: (0..mix(at) % 4).map(|item| inner(at + item)).collect(),
    };
    (0..count).map(row).collect()
}

/// Options of files of all dialects, some of them with codecs that keep state.
pub(crate) fn options() -> Vec<WriterBuilder> {
    let builder =
        |dialect, codec| WriterBuilder::new().dialect(dialect).codec(codec).block_size(400).batch_rows(100);
    vec![
        builder(Dialect::Trevni, Codec::Typed),
        builder(Dialect::Trevni, Codec::Deflate),
        builder(Dialect::Levels, Codec::Snappy),
        builder(Dialect::RedElm, Codec::Deflate).format(trevni::formats::RedElm::new().row_group_size(6000)),
    ]
}

pub(crate) fn written(rows: &[Row], builder: WriterBuilder) -> Vec<u8> {
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}
