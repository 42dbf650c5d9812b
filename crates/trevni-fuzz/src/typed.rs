//! Blocks of the codec `typed`, written by their forms and not by the crate: what is right reads back, and what is wrong is an
//! error or other values.

use crate::choices::Choices;
use crate::codec::Codec;
use crate::container::{Block, Column, Container};
use crate::table::forms::Forms;
use crate::table::{self, Named, Table, metadata};

/// In a wrong block, one number in n is changed.
const WILD: usize = 30;

/// Makes a file of typed blocks in the forms that the bytes choose, reads it and compares the rows with the values that it was made of.
///
/// # Panics
///
/// Where a file without a wrong number has other rows or is not whole, and as [`read`](crate::read).
pub fn typed(bytes: &[u8]) {
    table::read(made(bytes));
}

/// The table and the file that bytes choose, and whether no number in it is wrong.
pub(crate) fn made(bytes: &[u8]) -> (Table, Vec<u8>, bool) {
    let mut choices = Choices::new(bytes);
    let rows = choices.pick(&[3, 1, 8, 20, 5, 40, 12, 0, 100, 200, 1024, 1025, 2100]);
    let count = choices.pick(&[1, 1, 2, 3]);
    let table = Table::any(&mut choices, rows, count);
    let wild = if choices.one_in(3) { WILD } else { 0 };
    let after = if choices.one_in(4) { Some(Codec::Zstandard) } else { None };
    let mut forms = Forms::new(&mut choices, wild);
    let columns = table.in_order(false).iter().map(|named| column(named, rows, after, &mut forms)).collect();
    let entries: [(&str, &[u8]); 3] =
        [("crc32_header", &[0; 4]), ("trevni.checksum", b"crc32"), ("crc32_header_bytes", &[0; 8])];
    let file = Container { magic: table.magic(), rows: rows as u64, metadata: metadata(&entries), columns };
    (table, file.encode(), forms.is_right)
}

/// A column in blocks that choices decide.
pub(crate) fn column(
    named: &Named<'_>,
    rows: usize,
    after: Option<Codec>,
    forms: &mut Forms<'_, '_>,
) -> Column {
    let codec: &[u8] = if after.is_some() { b"typed-zstandard" } else { b"typed" };
    let metadata = named.metadata(&[("trevni.codec", codec), ("crc32_column", &[0; 8])]);
    let (mut blocks, mut start) = (Vec::new(), 0);
    while start < rows {
        let end = if forms.choices.one_in(3) { start + 1 + forms.choices.below(rows - start) } else { rows };
        let (plain, typed) = named.column.block(start..end, forms, after.is_some());
        blocks.push(Block::new((end - start) as u32, plain.len() as u32, typed, after));
        start = end;
    }
    Column { metadata, blocks }
}
