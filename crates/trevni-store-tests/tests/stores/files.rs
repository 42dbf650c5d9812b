//! Files of rows.

use serde::{Deserialize, Serialize};
use trevni::{Writer, WriterBuilder};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) id: i64,
    pub(crate) noise: [u64; 4],
    pub(crate) text: String,
    pub(crate) last: i32,
}

pub(crate) fn row(id: i64) -> Row {
    let mix = |id: i64| {
        (id as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xd6e8_feb8_6659_fd93)
    };
    let noise = [id, id + 1, id + 2, id + 3].map(mix);
    Row { id, noise, text: format!("{:x}", noise[0]), last: (id % 1000) as i32 }
}

/// A file of rows that do not compress well.
pub(crate) fn file(count: i64) -> Vec<u8> {
    made(count, Writer::builder())
}

pub(crate) fn made(count: i64, options: WriterBuilder) -> Vec<u8> {
    let mut writer = options.build(Vec::new()).unwrap();
    writer.write_all((0..count).map(row)).unwrap();
    writer.finish().unwrap()
}
