//! Rows of a batch as separated values.

use super::plain::Cells;
use std::io;
use trevni::ValueRef;
use trevni_print::rows::Separated;

/// Rows, whose cells are found already where they are plain, in a buffer that is taken over.
pub(super) fn rows<'b>(
    separated: &Separated,
    cells: &[Cells<'b>],
    rows: impl Iterator<Item = ValueRef<'b>>,
    out: Vec<u8>,
) -> io::Result<Vec<u8>> {
    let mut lines = separated.lines(out);
    for (number, row) in rows.enumerate() {
        for (place, cells) in cells.iter().enumerate() {
            lines.begin(place);
            match cells {
                Cells::Plain(None, plain) => lines.cell(plain.get(number))?,
                Cells::Plain(Some(offsets), plain) => {
                    let entry = offsets.range(number).and_then(|mut range| range.next());
                    lines.cell(entry.and_then(|entry| plain.get(entry)))?;
                }
                Cells::Others(field) => lines.cell(field.of(row))?,
            }
        }
        lines.out.push(b'\n');
    }
    Ok(lines.out)
}
