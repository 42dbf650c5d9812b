//! Detects how the cells of a text are separated, and whether its first row has the names of the columns.

use super::chunk::Chunk;
use super::dialect::Dialect;
use crate::numbers::{Cell, Spelling};
use csv::StringRecord;
use trevni::Shape;
use trevni::shape::{Logical, LogicalShape};

/// What separates cells where commas do not.
const OTHERS: [u8; 3] = [b';', b'\t', b'|'];

/// Integers that may be years.
const YEARS: std::ops::RangeInclusive<i64> = 1500..=2200;

impl Dialect {
    /// What separates the cells of a text that would have one column by commas: what the first row and the second one
    /// have equally often. These are its first rows.
    pub fn other_delimiter(self, start: &Chunk) -> Option<u8> {
        let widths = |delimiter| -> [Option<usize>; 2] {
            let mut reader = Self { delimiter, ..self }.reader(start.text.as_slice());
            let mut record = csv::ByteRecord::new();
            // What is wrong with the text is said where it is read.
            [(); 2].map(|()| reader.read_byte_record(&mut record).ok()?.then(|| record.len()))
        };
        if widths(b',').first() != Some(&Some(1)) {
            return None;
        }
        for other in OTHERS {
            match widths(other) {
                [Some(first), second] if first > 1 && second.is_none_or(|second| second == first) => {
                    return Some(other);
                }
                _ => {}
            }
        }
        None
    }

    /// Whether the first row has the names of the columns, and no values: names are no numbers, unless they count the columns or years.
    pub fn has_header(self, start: &Chunk, spelling: &Spelling) -> bool {
        let mut reader = self.reader(start.text.as_slice());
        let [first, second] = [(); 2].map(|()| {
            let mut record = StringRecord::new();
            // What is wrong with the text is said where it is read.
            let is_there = reader.read_record(&mut record).unwrap_or(false);
            if is_there { record } else { StringRecord::new() }
        });
        are_names(&first, &second, spelling)
    }
}

/// Whether the cells of the first row are names rather than values, such as those of the second one.
fn are_names(first: &StringRecord, second: &StringRecord, spelling: &Spelling) -> bool {
    let number = |cell| number(cell, spelling);
    let numbers: Vec<(usize, Cell<'_>)> =
        first.iter().map(number).enumerate().filter_map(|(at, cell)| Some((at, cell?))).collect();
    let integers: Vec<i64> = numbers
        .iter()
        .filter_map(|(_, cell)| match cell {
            Cell::Integer(value) => Some(*value),
            _ => None,
        })
        .collect();
    let values = first.iter().filter(|cell| !cell.is_empty()).count();
    let has_dates = first.iter().zip(second).any(|(first, second)| is_date(first) && is_date(second));
    match numbers.len() {
        _ if has_dates => false,
        0 => true,
        _ if integers.len() == numbers.len() && count_up(&integers, values == numbers.len()) => true,
        // Cells below numbers that are no numbers are no values of theirs.
        _ => numbers
            .iter()
            .any(|(at, _)| second.get(*at).is_some_and(|below| !below.is_empty() && number(below).is_none())),
    }
}

/// Whether integers are names: the numbers of all columns from 0 on, or years.
fn count_up(integers: &[i64], are_all: bool) -> bool {
    let by_one = integers.windows(2).all(|pair| pair[1].checked_sub(pair[0]) == Some(1));
    let are_years = integers.iter().all(|year| YEARS.contains(year)) && integers.is_sorted();
    integers.len() > 1 && ((by_one && integers[0] == 0) || (!are_all && are_years))
}

/// Whether a cell begins with a date, such as 2024-01-31.
fn is_date(cell: &str) -> bool {
    let date = LogicalShape::new(Logical::Date, Shape::Int);
    let day = cell.get(..10).filter(|_| cell.starts_with(|first: char| first.is_ascii_digit()));
    date.is_ok_and(|date| day.is_some_and(|day| date.parse(day, &mut Vec::new()).is_some()))
}

fn number<'a>(cell: &'a str, spelling: &Spelling) -> Option<Cell<'a>> {
    match Cell::of(cell, spelling) {
        Cell::Text(_) | Cell::Named(..) | Cell::Boolean(_) => None,
        number => Some(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> bool {
        let mut reader = Dialect::default().reader(text.as_bytes());
        let mut rows = reader.records().map(Result::unwrap);
        let [first, second] = [(); 2].map(|()| rows.next().unwrap_or_default());
        are_names(&first, &second, &Spelling::default())
    }

    #[test]
    fn names_are_no_numbers() {
        for text in [
            "",
            "a,b\n1,2",
            "a,b",
            "alice,paris\nbob,rome",
            // As pandas writes columns without names, with and without an index.
            "0,1,2\n0.5,0.25,0.125",
            ",0,1\n0,5,6",
            "country,2019,2020,2021\nFrance,1.5,2.5,3.5",
            "id,2000,2010\n1,5,6",
            "key,5\nx,y",
            "land,2024-01-01,2024-02-01\nFrance,1,2",
            "2024-01-01,a\nx,b",
        ] {
            assert!(names(text), "{text}");
        }
        for text in [
            "1,2\n3,4",
            "2024-01-01,a\n2024-01-02,b",
            "2024-01-01 10:00,a\n2024-01-02,b",
            "1\n2",
            "1,2",
            "0000,<control>,Cc,0,BN,,N\n0001,<control>,Cc,0,BN,,N",
            "alice,30\nbob,25",
            "2013,1,1\n2013,1,2",
            "2019,2020\n1,2",
            "x,0.5,\ny,,1",
            "-1.5e3,a",
        ] {
            assert!(!names(text), "{text}");
        }
    }
}
