//! Rows as a stream of Arrow's IPC format, with the types of `docs/arrow.md` that a shape has by itself.

mod array;
mod flat;
mod schema;
#[cfg(test)]
mod tests;

use crate::fault::{Fault, Result};
use array::Body;
use flat::{At, Field, Flat};
use schema::Type;
use trevni::{Reader, Shape, Vector};

/// Version 5 of the metadata.
const V5: i16 = 4;
/// Kinds of messages.
const SCHEMA: u8 = 1;
const DICTIONARY: u8 = 2;
const ROWS: u8 = 3;
/// What begins a message.
const MARK: [u8; 4] = [0xff; 4];
/// The name of the column of rows that are no records.
const VALUE: &str = "value";

/// The columns of rows: their names, shapes and types, and which may be null.
fn columns(shape: &Shape) -> Result<Vec<schema::Column<'_>>> {
    let mut dictionaries = 0;
    match shape {
        Shape::Record(record) => {
            let fields = record.fields.iter();
            fields.map(|field| schema::Column::of(&field.name, &field.shape, &mut dictionaries)).collect()
        }
        shape => Ok(vec![schema::Column::of(VALUE, shape, &mut dictionaries)?]),
    }
}

/// The beginning of a stream: the schema of a reader's rows, and the symbols of enums.
pub(crate) fn begin(reader: &Reader<'_>) -> Result<Vec<u8>> {
    let columns = columns(reader.shape())?;
    let mut flat = Flat::default();
    let fields: Vec<At> = columns.iter().map(|column| column.write(&mut flat)).collect();
    let fields = flat.list(&fields);
    let metadata = schema::metadata(&mut flat, &[("avro.schema", &reader.shape().to_avro())]);
    let schema = flat.table(&[Field::None, Field::At(fields), Field::At(metadata)]);
    let mut out = Vec::new();
    message(flat, SCHEMA, schema, &[], &mut out);
    columns.iter().try_for_each(|column| symbols(column, &mut out))?;
    Ok(out)
}

/// The dictionaries of the enums within a column.
fn symbols(column: &schema::Column<'_>, out: &mut Vec<u8>) -> Result<()> {
    if let Type::Enum { id, symbols } = &column.kind {
        let mut body = Body::default();
        body.symbols(symbols)?;
        let mut flat = Flat::default();
        let rows = body.write(symbols.symbols.len(), &mut flat);
        let dictionary = flat.table(&[Field::Long(*id), Field::At(rows), Field::Byte(0)]);
        message(flat, DICTIONARY, dictionary, &body.bytes, out);
    }
    column.children.iter().try_for_each(|child| symbols(child, out))
}

/// The rows of a reader as record batches.
pub(crate) fn rows(reader: &Reader<'_>) -> Result<Vec<u8>> {
    let columns = columns(reader.shape())?;
    let mut out = Vec::new();
    for batch in reader.batches()? {
        let (shape, vector) = batch?.into_parts();
        let len = vector.len();
        let mut body = Body::default();
        match (&*shape, &vector) {
            (Shape::Record(_), Vector::Record(record)) if record.fields.len() == columns.len() => {
                for (column, vector) in columns.iter().zip(&record.fields) {
                    body.column(column, vector, &array::Slots::All(len))?;
                }
            }
            (_, vector) => match &columns[..] {
                [column] => body.column(column, vector, &array::Slots::All(len))?,
                _ => return Err(Fault::internal("rows and columns differ")),
            },
        }
        let mut flat = Flat::default();
        let rows = body.write(len, &mut flat);
        message(flat, ROWS, rows, &body.bytes, &mut out);
    }
    Ok(out)
}

/// Adds a message: what it is, and its bytes.
fn message(mut flat: Flat, kind: u8, header: At, body: &[u8], out: &mut Vec<u8>) {
    let fields = [Field::Short(V5), Field::Byte(kind), Field::At(header), Field::Long(body.len() as i64)];
    let message = flat.table(&fields);
    let bytes = flat.finish(message);
    out.extend_from_slice(&MARK);
    out.extend_from_slice(&(bytes.len().next_multiple_of(8) as u32).to_le_bytes());
    let end = (out.len() + bytes.len()).next_multiple_of(8);
    out.extend_from_slice(&bytes);
    out.resize(end, 0);
    out.extend_from_slice(body);
}
