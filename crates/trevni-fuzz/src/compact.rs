//! Compact files, written by docs/format.md and not by the crate.

use crate::choices::Choices;
use crate::codec::Codec;
use crate::container::{Block, Column, Container};
use crate::metadata::{Metadata, put_text};
use crate::table::column::{self, CHILDREN};
use crate::table::forms::Forms;
use crate::table::{self, NAMES, Named, Table, metadata};
use crate::typed;

/// In a wrong beginning, one number in n is changed.
const WILD: usize = 15;
/// Codecs of beginnings.
const CODECS: [(&str, Option<Codec>); 6] = [
    ("deflate", Some(Codec::Deflate)),
    ("zstandard", Some(Codec::Zstandard)),
    ("null", None),
    ("snappy", Some(Codec::Snappy)),
    ("bzip2", Some(Codec::Bzip2)),
    ("lz4", Some(Codec::Lz4)),
];

/// Makes a compact file of columns that the bytes choose, in its beginning and after it, reads it and compares the rows.
///
/// # Panics
///
/// Where a file without a wrong number has other rows or is not whole, and as [`read`](crate::read).
pub fn compact(bytes: &[u8]) {
    table::read(made(bytes));
}

/// The table and the file that bytes choose, and whether no number in it is wrong.
pub(crate) fn made(bytes: &[u8]) -> (Table, Vec<u8>, bool) {
    let mut choices = Choices::new(bytes);
    let rows = choices.pick(&[3, 1, 8, 100, 0]);
    let count = choices.pick(&[1, 2, 3, NAMES.len()]);
    let table = Table::any(&mut choices, rows, count);
    let wild = if choices.one_in(3) { WILD } else { 0 };
    let mut forms = Forms::new(&mut choices, wild);
    let file = file(&table, &mut forms);
    (table, file, forms.is_right)
}

/// Where a column is, and what its metadata say.
struct Part {
    entries: Metadata,
    size: i64,
    bytes: Vec<u8>,
}

fn file(table: &Table, forms: &mut Forms<'_, '_>) -> Vec<u8> {
    let form = forms.choices.below(2) as u8;
    let has_schema = form == 1 || forms.choices.one_in(2);
    let has_sums = forms.choices.one_in(2);
    let parts: Vec<Part> = table
        .in_order(has_schema)
        .iter()
        .map(|named| part(named, table.rows, form, has_sums, forms))
        .collect();
    let mut beginning = Vec::new();
    forms.byte(form, &mut beginning);
    forms.byte(table.magic()[3], &mut beginning);
    forms.integer(table.rows as i64, &mut beginning);
    forms.integer(parts.len() as i64, &mut beginning);
    let schema = schema(table);
    let mut entries: Vec<(&str, &[u8])> = Vec::new();
    if has_schema {
        entries.push(("avro.schema", schema.as_bytes()));
    }
    if has_sums {
        entries.push(("trevni.checksum", b"crc32"));
    }
    if forms.choices.one_in(2) {
        // Columns of the beginning have no codec all the same.
        entries.push(("trevni.codec", b"deflate"));
    }
    put_metadata(&metadata(&entries), forms, &mut beginning);
    parts.iter().for_each(|part| put_metadata(&part.entries, forms, &mut beginning));
    parts.iter().for_each(|part| forms.integer(part.size, &mut beginning));
    let (here, after): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part.size >= 0);
    here.iter().for_each(|part| beginning.extend_from_slice(&part.bytes));
    let mut out = wrapped(beginning, has_sums, forms);
    after.iter().for_each(|part| out.extend_from_slice(&part.bytes));
    out
}

/// The Trevni file around a beginning: one row of one column.
fn wrapped(beginning: Vec<u8>, has_sums: bool, forms: &mut Forms<'_, '_>) -> Vec<u8> {
    let (name, codec) = forms.choices.pick(&CODECS);
    let block = Block::with_sum_of_content(1, beginning, codec);
    let codec = ("trevni.codec", name.as_bytes());
    let file: &[(&str, &[u8])] = match has_sums {
        true => &[
            ("crc32_header", &[0; 4]),
            codec,
            ("trevni.checksum", b"crc32"),
            ("crc32_header_bytes", &[0; 8]),
        ],
        false => &[codec],
    };
    let mut own: Vec<(&str, &[u8])> = vec![("trevni.name", b"compact"), ("trevni.type", b"compact")];
    if has_sums {
        own.push(("crc32_column", &[0; 8]));
    }
    let columns = vec![Column { metadata: metadata(&own), blocks: vec![block] }];
    Container { magic: *b"Trv\x02", rows: 1, metadata: metadata(file), columns }.encode()
}

fn part(named: &Named<'_>, rows: usize, form: u8, has_sums: bool, forms: &mut Forms<'_, '_>) -> Part {
    let mut entries = named.metadata(&[]);
    if form == 1 {
        // The schema says all but a width that is fixed.
        entries.0.retain(|(key, value)| key == b"trevni.type" && value.starts_with(b"fixed"));
    }
    let is_here = forms.choices.below(4) > 0;
    if is_here {
        let bytes = named.column.plain(0..rows);
        return Part { entries, size: bytes.len() as i64, bytes };
    }
    // Else it is a column as any other.
    let own = typed::column(named, rows, None, forms);
    entries.0.extend(metadata(&[("trevni.codec", b"typed")]).0);
    let (bytes, sums) = own.body(has_sums);
    if has_sums {
        entries.0.extend(metadata(&[("crc32_column", &sums)]).0);
    }
    Part { entries, size: -(bytes.len() as i64), bytes }
}

fn put_metadata(metadata: &Metadata, forms: &mut Forms<'_, '_>, out: &mut Vec<u8>) {
    forms.integer(metadata.0.len() as i64, out);
    metadata.0.iter().flat_map(|(key, value)| [key, value]).for_each(|text| put_text(text, out));
}

fn schema(table: &Table) -> String {
    let field = |(name, column): (&str, &column::Column)| {
        let own = match &column.children[..] {
            [] => column.schema().into(),
            children => {
                let fields = CHILDREN.iter().zip(children);
                let fields =
                    fields.map(|(name, child)| serde_json::json!({"name": name, "type": child.schema()}));
                let fields = fields.collect::<Vec<_>>();
                serde_json::json!({"type": "record", "name": format!("R{name}"), "fields": fields})
            }
        };
        let kind = if column.is_array() { serde_json::json!({"type": "array", "items": own}) } else { own };
        serde_json::json!({"name": name, "type": kind})
    };
    let fields: Vec<_> = table.named().map(field).collect();
    serde_json::json!({"type": "record", "name": "Row", "fields": fields}).to_string()
}
