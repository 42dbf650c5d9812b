//! Each number of a footer and of a page's header in turn is the least or the most that it can be.

use super::made::{apart, with_footer};
use super::memory::alone;
use super::thrift::{Value, Written, long, parse, written};
use super::{MOST, read};
use trevni::{Codec, Limits, Reader};
use trevni_parquet::ParquetOptions;

const EXTREMES: [i64; 8] = [0, 1, -1, 100, i32::MAX as i64, i32::MIN as i64, i64::MAX, i64::MIN];

/// Files with columns of all kinds: ours, and some of others.
fn samples() -> Vec<Vec<u8>> {
    let rows = (0..40).map(|row| (row, format!("text {}", row % 3), Some(vec![0.5; row % 4]), row % 2 == 0));
    let column_file = trevni::to_vec(rows).unwrap();
    let write = |options| {
        trevni_parquet::to_parquet(&Reader::from_slice(&column_file).unwrap(), options, Vec::new()).unwrap()
    };
    let mut samples = vec![
        write(ParquetOptions::new().codec(Codec::Snappy).unwrap()),
        write(ParquetOptions::new().property("parquet.writer.version", "v2").unwrap()),
    ];
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/parquet-testing");
    for name in ["nested_maps.snappy", "delta_encoding_optional_column", "hadoop_lz4_compressed"] {
        samples.push(std::fs::read(folder.join(format!("{name}.parquet"))).unwrap());
    }
    samples
}

#[test]
fn numbers_of_footers() {
    let _alone = alone();
    for sample in samples() {
        let (before, mut footer) = apart(&sample);
        // Of many columns, some will do.
        thin(&mut footer);
        let mut whole = Written::default();
        whole.value(&footer);
        for place in 0..whole.numbers {
            for number in EXTREMES {
                let mut wrong = Written { wrong: Some((place, number)), ..Written::default() };
                wrong.value(&footer);
                read(&with_footer(&before, &wrong.bytes), Limits::default(), MOST);
            }
        }
    }
}

/// Without statistics and texts of the writer, which are many bytes, all the same.
fn thin(footer: &mut Value) {
    let Value::Struct(fields) = footer else { return };
    fields.retain(|(field, _)| *field < 5);
    let Value::List(_, groups) = footer.at(4) else { return };
    groups.truncate(1);
}

#[test]
fn numbers_of_page_headers() {
    let _alone = alone();
    let mut refused = 0;
    for sample in samples() {
        let (before, footer) = apart(&sample);
        let columns = match footer.clone().path(&[4, 0, 1]) {
            Value::List(_, columns) => columns.len().min(6),
            _ => 0,
        };
        for column in 0..columns as i16 {
            let chunk = footer.clone();
            let start = first_page(&chunk, column);
            let (header, length) = parse(&before[start..]);
            let mut whole = Written::default();
            whole.value(&header);
            for place in 0..whole.numbers {
                for number in EXTREMES {
                    let mut wrong = Written { wrong: Some((place, number)), ..Written::default() };
                    wrong.value(&header);
                    let file = moved(&before, &footer, column, start, length, &wrong.bytes);
                    refused += read(&file, Limits::default(), MOST).len();
                }
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}

fn first_page(footer: &Value, column: i16) -> usize {
    let mut footer = footer.clone();
    let chunk = footer.path(&[4, 0, 1, column, 3]);
    let Value::Struct(fields) = &*chunk else { panic!("no struct") };
    let at = |number: i16| fields.iter().find(|(known, _)| *known == number).map(|(_, at)| at.number());
    at(11).or(at(9)).unwrap() as usize
}

/// The column alone, with another header of its first page; the other columns are as they were, before it.
fn moved(before: &[u8], footer: &Value, column: i16, start: usize, length: usize, header: &[u8]) -> Vec<u8> {
    let mut footer = footer.clone();
    let chunk = footer.path(&[4, 0, 1, column, 3]);
    let size = chunk.at(7).number();
    let rest = &before[start + length..start + size as usize];
    let moved = before.len() as i64 - start as i64;
    chunk.set(7, long(size + header.len() as i64 - length as i64));
    for offset in [9, 11] {
        let Value::Struct(fields) = &*chunk else { panic!("no struct") };
        if let Some((_, Value::Int(_, at))) = fields.iter().find(|(known, _)| *known == offset) {
            // Data pages after a dictionary move by the length of the header too.
            let longer = if *at as usize > start { header.len() as i64 - length as i64 } else { 0 };
            let at = at + moved + longer;
            chunk.set(offset, long(at));
        }
    }
    with_footer(&[before, header, rest].concat(), &written(&footer))
}
