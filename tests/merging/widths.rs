//! Files of which one has integers of fixed width and another has not.

use crate::check::check;
use crate::{merged, read};
use serde::{Deserialize, Serialize};
use trevni::column::ValueType;
use trevni::formats::{Trevni, Version};
use trevni::merge::Merge;
use trevni::{Codec, Reader, Writer, WriterBuilder};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    id: i64,
    name: String,
    rank: Option<i32>,
    list: Vec<Vec<i64>>,
}

/// Rows with numbers from `start` on.
fn rows(start: i64, count: i32) -> Vec<Row> {
    let row = |at: i32| Row {
        id: start + i64::from(at),
        name: format!("row {at}"),
        rank: (at % 3 != 0).then_some((start >> 32) as i32 - at),
        list: (0..at % 4).map(|n| (0..n).map(|n| start - i64::from(n)).collect()).collect(),
    };
    (0..count).map(row).collect()
}

fn write(builder: WriterBuilder, rows: &[Row]) -> Vec<u8> {
    let mut writer = builder.block_size(100).batch_rows(16).fixed_integers().build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

/// Types of the columns of integers.
fn types(bytes: &[u8]) -> Vec<ValueType> {
    let reader = Reader::from_slice(bytes).unwrap();
    let of = |name| reader.columns().iter().find(|column| column.name() == name).unwrap().value_type();
    ["id", "rank/int", "list[][]"].map(of).to_vec()
}

const SHORT: [ValueType; 3] = [ValueType::Long, ValueType::Int, ValueType::Long];
const LONG: [ValueType; 3] = [ValueType::Fixed64, ValueType::Fixed32, ValueType::Fixed64];

#[test]
fn the_first_file_says_how_integers_are_written() {
    let (short, long) = (rows(0, 300), rows(i64::MAX - 1000, 200));
    let builders = [
        Writer::builder().codec(Codec::Null),
        Writer::builder().codec(Codec::Deflate),
        Writer::builder().format(Trevni::new().version(Version::V1)),
    ];
    for builder in builders {
        let [one, two] = [&short, &long].map(|rows| write(builder.clone(), rows));
        assert_eq!((types(&one), types(&two)), (SHORT.to_vec(), LONG.to_vec()));
        for (files, parts, kinds) in
            [([&one, &two], [&short, &long], SHORT), ([&two, &one], [&long, &short], LONG)]
        {
            let readers = files.map(|bytes| Reader::from_slice(bytes).unwrap());
            let (bytes, report) = merged(Merge::new(), &readers);
            check(&bytes);
            assert_eq!(types(&bytes), kinds);
            let reader = Reader::from_slice(&bytes).unwrap();
            assert!(read::<Row>(&reader) == parts.map(Vec::as_slice).concat());
            let differing =
                readers[1].columns().iter().enumerate().filter(|(number, column)| {
                    column.value_type() != readers[0].columns()[*number].value_type()
                });
            let blocks: usize = differing.map(|(number, _)| readers[1].blocks(number).unwrap().len()).sum();
            assert_eq!((report.blocks_rewritten, report.blocks_recoded), (blocks as u64, 0));
            // Some rows of each, and another codec.
            let some = [readers[0].select(7..150).unwrap(), readers[1].select([0..1, 50..199]).unwrap()];
            let (bytes, _) = merged(Merge::new().codec(Codec::Snappy).verify(), &some);
            check(&bytes);
            assert_eq!(types(&bytes), kinds);
            let expected = [&parts[0][7..150], &parts[1][..1], &parts[1][50..199]].concat();
            assert!(read::<Row>(&Reader::from_slice(&bytes).unwrap()) == expected);
        }
    }
}

#[test]
fn first_values_change_with_the_integers() {
    let write = |rows: &[Row]| write(Writer::builder().without_zone_maps().first_values(["id"]), rows);
    let (short, long) = (rows(0, 100), rows(i64::MAX - 1000, 100));
    let (one, two) = (write(&short), write(&long));
    for files in [[&one, &two], [&two, &one]] {
        let readers = files.map(|bytes| Reader::from_slice(bytes).unwrap());
        let (bytes, _) = merged(Merge::new(), &readers);
        let reader = Reader::from_slice(&bytes).unwrap();
        let ids = reader.column::<i64>("id").unwrap();
        assert_eq!(ids.len(), 200);
        for block in reader.blocks(0).unwrap() {
            assert_eq!(
                block.first_value,
                Some(trevni::column::FirstValue::Long(ids[block.first_row as usize]))
            );
        }
    }
}

#[test]
fn integers_of_other_sizes_are_those_of_the_larger() {
    let file = |rows: &[serde_json::Value], schema: &str| {
        let builder = Writer::builder().fixed_integers().schema(schema);
        let mut writer = builder.build(Vec::new()).unwrap();
        writer.write_all(rows).unwrap();
        writer.finish().unwrap()
    };
    let (int, long) = (file(&[i32::MAX.into()], r#""int""#), file(&[i64::MAX.into()], r#""long""#));
    for (files, expected) in
        [([&int, &long], [i32::MAX.into(), i64::MAX]), ([&long, &int], [i64::MAX, i32::MAX.into()])]
    {
        let readers = files.map(|bytes| Reader::from_slice(bytes).unwrap());
        let (bytes, _) = merged(Merge::new(), &readers);
        assert_eq!(Reader::from_slice(&bytes).unwrap().column::<i64>("").unwrap(), expected);
    }
}
