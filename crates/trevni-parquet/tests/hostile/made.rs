//! Parquet files of one column and one row group that are made by hand, and files that are taken apart.

use super::thrift::{Value, int, ints, long, parse, structs, text, written};

/// What a page is of.
pub(crate) const DATA: i64 = 0;
pub(crate) const DICTIONARY: i64 = 2;

/// Codecs by their numbers.
pub(crate) const PLAIN: i64 = 0;
pub(crate) const GZIP: i64 = 2;
pub(crate) const BROTLI: i64 = 4;

/// A page of version 1: the values that it says, of an encoding, and what is stored. `bytes` is its size as
/// it is said.
pub(crate) fn page(kind: i64, values: i64, encoding: i64, bytes: usize, stored: &[u8]) -> Vec<u8> {
    let of_page = match kind {
        DICTIONARY => (7, Value::Struct(vec![(1, int(values)), (2, int(encoding))])),
        _ => {
            let levels = [(3, int(3)), (4, int(3))];
            let fields = [(1, int(values)), (2, int(encoding))].into_iter().chain(levels);
            (5, Value::Struct(fields.collect()))
        }
    };
    let sizes = [(1, int(kind)), (2, int(bytes as i64)), (3, int(stored.len() as i64))];
    let mut page = written(&Value::Struct(sizes.into_iter().chain([of_page]).collect()));
    page.extend_from_slice(stored);
    page
}

/// A column `c` with its type by Parquet's number.
pub(crate) fn column(physical: i64, repetition: i64) -> Value {
    Value::Struct(vec![(1, int(physical)), (3, int(repetition)), (4, text("c"))])
}

/// A file of one column with these pages.
pub(crate) fn file(column: Value, codec: i64, rows: i64, values: i64, pages: &[Vec<u8>]) -> Vec<u8> {
    let pages = pages.concat();
    let root = Value::Struct(vec![(4, text("root")), (5, int(1))]);
    let chunk = Value::Struct(vec![
        (1, int(column.clone().at(1).number())),
        (2, ints(&[0])),
        (3, Value::List(8, vec![text("c")])),
        (4, int(codec)),
        (5, long(values)),
        (6, long(pages.len() as i64)),
        (7, long(pages.len() as i64)),
        (9, long(4)),
    ]);
    let chunk = Value::Struct(vec![(2, long(0)), (3, chunk)]);
    let group = Value::Struct(vec![(1, structs(vec![chunk])), (2, long(0)), (3, long(rows))]);
    let footer = Value::Struct(vec![
        (1, int(1)),
        (2, structs(vec![root, column])),
        (3, long(rows)),
        (4, structs(vec![group])),
    ]);
    with_footer(&[b"PAR1", pages.as_slice()].concat(), &written(&footer))
}

/// The bytes before the footer of a file, and the footer.
pub(crate) fn apart(file: &[u8]) -> (Vec<u8>, Value) {
    let end = file.len() - 8;
    let start = end - u32::from_le_bytes(file[end..][..4].try_into().unwrap()) as usize;
    (file[..start].to_vec(), parse(&file[start..end]).0)
}

pub(crate) fn with_footer(before: &[u8], footer: &[u8]) -> Vec<u8> {
    [before, footer, &(footer.len() as u32).to_le_bytes(), b"PAR1"].concat()
}

/// A file with another footer.
pub(crate) fn changed(file: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let (before, mut footer) = apart(file);
    change(&mut footer);
    with_footer(&before, &written(&footer))
}

/// The definition levels of values, all of which are one number: a run, after its length.
pub(crate) fn run(values: u64, level: u8) -> Vec<u8> {
    let mut run = varint(values << 1);
    run.push(level);
    [&(run.len() as u32).to_le_bytes(), run.as_slice()].concat()
}

pub(crate) fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}
