//! Avro files, in and out. A schema becomes a tree of nodes ([`Node`]), along which values are decoded,
//! encoded or made up; the nodes keep what the rows in columns know beyond Avro.

mod codec;
mod compare;
mod decode;
mod encode;
mod node;
mod read;
mod schema;
mod value;
mod write;

pub(crate) use codec::Compression;

pub(crate) use node::Node;
pub(crate) use read::Rows;
pub(crate) use value::{Source, Value};

pub(crate) use write::Writer;

use trevni::{Reader, Shape};

/// What goes wrong within a value.
pub(crate) type Wrong = &'static str;

/// The first bytes of an Avro file.
pub(crate) const MAGIC: [u8; 4] = *b"Obj\x01";
/// Key of the schema in a file's metadata.
pub(crate) const SCHEMA: &str = "avro.schema";
/// Key of the codec in a file's metadata.
const CODEC: &str = "avro.codec";
/// Bytes of the mark behind each block.
const SYNC: usize = 16;

/// The text of the schema for rows of a file: as it is in the file, as long as it is theirs.
pub(crate) fn schema_of(file: &Reader<'_>, shape: &Shape) -> String {
    match file.metadata().get_str(SCHEMA) {
        Some(text) if Shape::from_avro(text).is_ok_and(|known| known == *shape) => text.to_owned(),
        _ => shape.to_avro(),
    }
}
