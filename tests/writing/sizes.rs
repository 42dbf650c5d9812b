//! Rows that are large, wide, or hardly there.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use trevni::{Codec, Reader, Writer, WriterBuilder};

#[test]
fn one_value_may_be_larger_than_a_block() {
    let large: String = (0..5_000_000u32).map(|i| char::from(b'a' + (i % 23) as u8)).collect();
    let rows = ["small", &large, "", &large[..100_000], "end"];
    for codec in [Codec::Null, Codec::Snappy] {
        let mut writer = WriterBuilder::new().codec(codec).build(Vec::new()).unwrap();
        writer.write_all(rows).unwrap();
        let bytes = writer.finish().unwrap();
        assert!(trevni::from_slice::<Vec<String>>(&bytes).unwrap() == rows);
        assert_eq!(Reader::from_slice(&bytes).unwrap().blocks(0).unwrap().len(), 3);
    }
}

#[test]
fn many_large_rows_are_not_kept_raw() {
    let row = vec![7i64; 100_000];
    let mut writer = Writer::new(Vec::new()).unwrap();
    for _ in 0..60 {
        writer.write(&row).unwrap();
    }
    let bytes = writer.finish().unwrap();
    let mut count = 0;
    for read in Reader::from_slice(&bytes).unwrap().rows::<Vec<i64>>().unwrap() {
        assert!(read.unwrap() == row);
        count += 1;
    }
    assert_eq!(count, 60);
}

#[test]
fn rows_may_be_wide() {
    let wide = |row: i32| (0..2000).map(|i| (format!("field{i}"), i * row)).collect::<BTreeMap<_, _>>();
    let rows: Vec<_> = (0..5).map(wide).collect();
    let bytes = trevni::to_vec(&rows).unwrap();
    assert_eq!(Reader::from_slice(&bytes).unwrap().columns().len(), 2000);
    assert_eq!(trevni::from_slice::<Vec<BTreeMap<String, i32>>>(&bytes).unwrap(), rows);
}

#[test]
fn no_rows_make_a_file() {
    for bytes in [trevni::to_vec([0i32; 0]).unwrap(), Writer::new(Vec::new()).unwrap().finish().unwrap()] {
        let reader = Reader::from_slice(&bytes).unwrap();
        assert_eq!(reader.row_count(), 0);
        assert_eq!(reader.batches().unwrap().count(), 0);
        assert_eq!(reader.rows::<String>().unwrap().count(), 0);
        assert_eq!(trevni::from_slice::<Vec<i32>>(&bytes).unwrap(), [0; 0]);
    }
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}"#;
    let bytes = WriterBuilder::new().schema(schema).build(Vec::new()).unwrap().finish().unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!((reader.columns()[0].name(), reader.blocks(0).unwrap().len()), ("a", 0));
    assert_eq!(reader.column::<i32>("a").unwrap(), [0; 0]);
}

#[test]
fn rows_may_have_no_fields() {
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct Empty {}
    let rows = vec![Empty {}; 5000];
    let bytes = trevni::to_vec(&rows).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!((reader.row_count(), reader.columns().len()), (5000, 0));
    assert_eq!(trevni::from_slice::<Vec<Empty>>(&bytes).unwrap(), rows);
    assert_eq!(reader.batches().unwrap().map(|batch| batch.unwrap().len()).sum::<usize>(), 5000);
    assert_eq!(trevni::from_slice::<Vec<()>>(&trevni::to_vec([(); 3]).unwrap()).unwrap(), [(); 3]);
}

/// A reader holds a block of each column, so long blocks of many columns end before they are full, together.
#[test]
fn long_blocks_end_together() {
    const COLUMNS: usize = 12;
    let text = "x".repeat(1000);
    let rows = vec![[&*text; COLUMNS]; 7000];
    let sizes = |builder: WriterBuilder| {
        let mut writer = builder.codec(Codec::Archive).build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        let file = writer.finish().unwrap();
        let reader = Reader::from_slice(&file).unwrap();
        assert!(reader.rows::<[String; COLUMNS]>().unwrap().map(Result::unwrap).eq(rows.iter().copied()));
        let of = |column| reader.blocks(column).unwrap().iter().map(|block| block.size as usize).collect();
        (0..COLUMNS).map(of).collect::<Vec<Vec<usize>>>()
    };
    let all = sizes(Writer::builder());
    let first: usize = all.iter().map(|blocks| blocks[0]).sum();
    // A batch more than 64 MiB.
    assert!((64 << 20..72 << 20).contains(&first), "{first}");
    assert!(all.iter().all(|blocks| blocks.len() == 2 && blocks[0] < 6 << 20), "{all:?}");
    // A size that is requested is kept.
    let all = sizes(Writer::builder().block_size(13 << 19));
    assert!(all.iter().all(|blocks| blocks[0] >= 13 << 19), "{all:?}");
}
