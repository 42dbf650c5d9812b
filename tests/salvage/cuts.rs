//! Files that end too early, at each byte.

use crate::files::{compare, files, left};
use trevni::{Category, Codec, Dialect, Reader, Writer};

#[test]
fn what_is_there_of_a_file_that_is_cut_is_read() {
    let (mut opened, mut rows) = (0, 0);
    for sample in files() {
        let whole = Reader::from_slice(&sample.bytes).unwrap();
        let header = whole.columns().iter().map(|column| column.start()).min().unwrap() as usize;
        // All bytes of columns, and some of the header.
        for end in (0..header).step_by(11).chain(header..sample.bytes.len()) {
            let what = format!("{}, {end} bytes", sample.name);
            let reader = match Reader::builder().salvage().source(&sample.bytes[..end]) {
                Ok(reader) => reader,
                Err(error) => {
                    assert_eq!(error.category(), Category::Corrupt, "{what}: {error}");
                    assert!(end < header || whole.dialect() == Dialect::RedElm, "{what}: {error}");
                    continue;
                }
            };
            opened += 1;
            let left = left(&reader).unwrap_or_else(|error| panic!("{what}: {error}"));
            compare(&left, &sample.rows, &what);
            // Without the columns that are not there, others give their rows.
            let part = reader.without_lost_columns().unwrap();
            for (number, column) in whole.columns().iter().enumerate() {
                let blocks = whole.blocks(number).unwrap();
                let kept = blocks.iter().take_while(|block| {
                    let sum = if column.checksum_name() == "null" { 0 } else { 4 };
                    block.offset as usize + block.compressed_size as usize + sum <= end
                });
                let whole_rows: u64 = kept.map(|block| u64::from(block.rows)).sum();
                if number == 0 && column.parent().is_none() && whole_rows > 0 {
                    assert!(!reader.lost().unwrap().columns().contains(&number), "{what}");
                }
            }
            rows += part.batches().unwrap().map(|batch| batch.unwrap().len()).sum::<usize>();
        }
    }
    assert!(opened > 3000 && rows > 10_000, "{opened}, {rows}");
}

#[test]
fn rows_up_to_the_cut_are_there() {
    let mut writer = Writer::builder().codec(Codec::Null).block_size(400).build(Vec::new()).unwrap();
    writer.write_all((0..1000).map(|n| (n, f64::from(n)))).unwrap();
    let file = writer.finish().unwrap();
    let whole = Reader::from_slice(&file).unwrap();
    let (first, second) = (whole.blocks(0).unwrap(), whole.blocks(1).unwrap());
    // Within the second column: the rows of its blocks before the cut.
    let cut = &file[..second[4].offset as usize + 3];
    let reader = Reader::builder().salvage().source(cut).unwrap();
    let rows: Vec<(i32, f64)> = reader.rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(rows, (0..second[4].first_row as i32).map(|n| (n, f64::from(n))).collect::<Vec<_>>());
    assert_eq!(reader.column::<i32>("_0").unwrap().len(), 1000);
    assert!(reader.lost().unwrap().columns().is_empty());
    // Within the first: the second is not there at all.
    let cut = &file[..first[2].offset as usize];
    let reader = Reader::builder().salvage().source(cut).unwrap();
    let lost = reader.lost().unwrap();
    assert_eq!((lost.rows().row_count(), lost.columns()), (1000, [1].as_slice()));
    let part = reader.without_lost_columns().unwrap();
    assert_eq!(part.column::<i32>("_0").unwrap().len() as u64, first[2].first_row);
    assert!(part.column::<f64>("_1").is_err());
    // From a source that is not in memory, too.
    let source = trevni::Seekable::new(std::io::Cursor::new(cut.to_vec()));
    let reader = Reader::builder().salvage().source(source).unwrap().project(["_0"]).unwrap();
    assert_eq!(reader.rows::<(i32,)>().unwrap().map(Result::unwrap).count() as u64, first[2].first_row);
}
