//! Footers as JSON, with the names that the Java implementation gave to it.

use super::Held;
use super::{Chunk, Footer, RowGroup, count, small_count};
use crate::error::{Error, Result};
use crate::metadata::known_values;
use crate::schema::message::Primitive;
use serde_json::{Value, json};
use std::sync::Arc;

/// The keys that are read.
const KEYS: [&str; 18] = [
    "fileMetaData",
    "codecClassName",
    "schema",
    "blocks",
    "startIndex",
    "endIndex",
    "recordCount",
    "columns",
    "path",
    "type",
    "valueCount",
    "repetitionStart",
    "definitionStart",
    "dataStart",
    "dataEnd",
    "repetitionUncompressedLength",
    "definitionUncompressedLength",
    "dataUncompressedLength",
];

/// Reads a text; keys that are not known are not looked at.
pub(super) fn read(bytes: &[u8], held: &mut Held) -> Result<Footer> {
    let text = known_values(bytes, &KEYS, &mut |bytes| held.take::<Value>(bytes))?
        .map_err(|error| Error::metadata(format!("the footer is not JSON: {error}")))?;
    let file = get(&text, "fileMetaData")?;
    let codec = match file.get("codecClassName") {
        None | Some(Value::Null) => None,
        Some(codec) => Some(as_text(codec, "codecClassName")?.to_owned()),
    };
    let schema = as_text(get(file, "schema")?, "schema")?.to_owned();
    held.take_message(&schema)?;
    let groups = list(&text, "blocks")?.iter().map(row_group).collect::<Result<_>>()?;
    Ok(Footer { schema, codec, groups })
}

fn row_group(group: &Value) -> Result<RowGroup> {
    Ok(RowGroup {
        start: position(group, "startIndex")?,
        end: position(group, "endIndex")?,
        rows: small_count("recordCount", number(group, "recordCount")?)?,
        chunks: list(group, "columns")?.iter().map(chunk).collect::<Result<_>>()?,
    })
}

fn chunk(column: &Value) -> Result<Chunk> {
    let path = list(column, "path")?.iter().map(|name| as_text(name, "path").map(Arc::from));
    let length = |key| column.get(key).and_then(Value::as_u64).unwrap_or_default();
    Ok(Chunk {
        path: path.collect::<Result<_>>()?,
        primitive: Primitive::from_footer(as_text(get(column, "type")?, "type")?)?,
        entries: small_count("valueCount", number(column, "valueCount")?)?,
        borders: [
            position(column, "repetitionStart")?,
            position(column, "definitionStart")?,
            position(column, "dataStart")?,
            position(column, "dataEnd")?,
        ],
        uncompressed: [
            length("repetitionUncompressedLength"),
            length("definitionUncompressedLength"),
            length("dataUncompressedLength"),
        ],
    })
}

fn get<'v>(value: &'v Value, key: &'static str) -> Result<&'v Value> {
    value.get(key).ok_or_else(|| Error::metadata(format!("the footer lacks {key:?}")))
}

fn as_text<'v>(value: &'v Value, key: &'static str) -> Result<&'v str> {
    value.as_str().ok_or_else(|| Error::metadata(format!("{key:?} in the footer is not a string")))
}

fn list<'v>(value: &'v Value, key: &'static str) -> Result<&'v [Value]> {
    let list = get(value, key)?.as_array();
    list.map(Vec::as_slice).ok_or_else(|| Error::metadata(format!("{key:?} in the footer is not a list")))
}

fn number(value: &Value, key: &'static str) -> Result<i64> {
    let number = get(value, key)?.as_i64();
    number.ok_or_else(|| Error::metadata(format!("{key:?} in the footer is not a whole number of 64 bits")))
}

fn position(value: &Value, key: &'static str) -> Result<u64> {
    count(key, number(value, key)?)
}

/// The text, without spaces and line breaks.
pub(super) fn write(footer: &Footer) -> String {
    let head = json!({"schema": footer.schema, "codecClassName": footer.codec});
    let mut text = format!("{{\"fileMetaData\":{head},\"blocks\":[");
    for (number, group) in footer.groups.iter().enumerate() {
        if number > 0 {
            text.push(',');
        }
        write_row_group(group, &mut text);
    }
    text.push_str("]}");
    text
}

fn write_row_group(group: &RowGroup, text: &mut String) {
    let RowGroup { start, end, rows, chunks } = group;
    text.push_str(&format!(
        "{{\"startIndex\":{start},\"endIndex\":{end},\"recordCount\":{rows},\"columns\":["
    ));
    for (number, chunk) in chunks.iter().enumerate() {
        if number > 0 {
            text.push(',');
        }
        write_chunk(chunk, text);
    }
    text.push_str("]}");
}

fn write_chunk(chunk: &Chunk, text: &mut String) {
    let path: Vec<&str> = chunk.path.iter().map(|name| &**name).collect();
    let [repetition, definition, data, end] = chunk.borders;
    let [repetition_length, definition_length, data_length] = chunk.uncompressed;
    text.push_str(&format!(
        "{{\"repetitionStart\":{repetition},\"definitionStart\":{definition},\"dataStart\":{data},\"dataEnd\":{end},\
         \"path\":{},\"type\":\"{}\",\"valueCount\":{},\"repetitionUncompressedLength\":{repetition_length},\
         \"definitionUncompressedLength\":{definition_length},\"dataUncompressedLength\":{data_length}}}",
        json!(path),
        chunk.primitive.footer_name(),
        chunk.entries,
    ));
}
