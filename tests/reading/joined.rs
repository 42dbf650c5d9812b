//! Neighbours are read together.

use super::sources::Counting;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;
use trevni::{Codec, Reader, Source, WriterBuilder};

/// A row of many small columns.
fn wide(id: u32) -> BTreeMap<String, u32> {
    (0..100).map(|field| (format!("field_{field:02}"), id * field)).collect()
}

fn file() -> Vec<u8> {
    let mut writer = WriterBuilder::new().codec(Codec::Null).build(Vec::new()).unwrap();
    writer.write_all((0..50).map(wide)).unwrap();
    writer.finish().unwrap()
}

#[derive(Debug, Deserialize, PartialEq)]
struct Few {
    field_07: u32,
    field_08: u32,
    field_90: u32,
}

#[test]
fn many_small_columns_take_few_reads() {
    let source = Counting::new(file());
    let reader = Reader::new(&source).unwrap();
    assert_eq!(source.take_reads(), 1);
    let rows: Vec<Value> = reader.rows().unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), 50);
    let reads = source.take_reads();
    assert!(reads <= 6, "{reads} reads for 100 columns of one block each");
}

#[test]
fn a_struct_reads_its_columns_together() {
    let source = Counting::new(file());
    let reader = Reader::new(&source).unwrap();
    source.take_reads();
    let row: Few = reader.row(9).unwrap();
    assert_eq!(row, Few { field_07: 63, field_08: 72, field_90: 810 });
    let reads = source.take_reads();
    assert!(reads <= 4, "{reads} reads: tables and blocks, two neighbours and one further away");
}

/// Keeps a record of what is asked for at once, and checks that each byte is asked for once.
struct Recording {
    bytes: Vec<u8>,
    asked: Mutex<Vec<Vec<(u64, usize)>>>,
}

impl Source for Recording {
    fn size(&self) -> io::Result<u64> {
        Source::size(&self.bytes)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.asked.lock().unwrap().push(vec![(offset, buffer.len())]);
        Source::read_at(&self.bytes, offset, buffer)
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        self.asked
            .lock()
            .unwrap()
            .push(ranges.iter().map(|(offset, buffer)| (*offset, buffer.len())).collect());
        ranges.iter_mut().try_for_each(|(offset, buffer)| Source::read_at(&self.bytes, *offset, buffer))
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Row {
    id: u64,
    text: String,
    list: Vec<u16>,
}

#[test]
fn a_source_far_away_is_asked_for_all_columns_at_once() {
    let row = |id: u64| Row { id, text: format!("text {id:>900}"), list: vec![id as u16; 40] };
    let mut writer = WriterBuilder::new().codec(Codec::Null).build(Vec::new()).unwrap();
    writer.write_all((0..3000).map(row)).unwrap();
    let source = Recording { bytes: writer.finish().unwrap(), asked: Mutex::default() };
    let reader = Reader::new(&source).unwrap();
    for number in [2500, 10, 1200] {
        source.asked.lock().unwrap().clear();
        assert_eq!(reader.row::<Row>(number).unwrap(), row(number));
        let asked = source.asked.lock().unwrap();
        // The ids are all in one block, which the next row finds at hand; so are the tables.
        assert_eq!(asked.last().unwrap().len(), if number == 2500 { 3 } else { 2 }, "{asked:?}");
        assert!(asked.len() <= if number == 2500 { 5 } else { 1 }, "{asked:?}");
    }
}

#[test]
fn the_default_joins_only_neighbours() {
    let source = Counting::new((0..=255).cycle().take(100_000).collect());
    let mut parts = [vec![0; 10], vec![0; 20], vec![0; 5], vec![0; 8], vec![0; 3]];
    // Neighbours; far away; further away, with an overlap.
    let offsets = [100u64, 110, 9000, 50_000, 50_004];
    let mut ranges: Vec<(u64, &mut [u8])> =
        offsets.into_iter().zip(parts.iter_mut().map(Vec::as_mut_slice)).collect();
    source.read_ranges(&mut ranges).unwrap();
    for (offset, part) in offsets.into_iter().zip(&parts) {
        let expected: Vec<u8> = (0..=255).cycle().skip(offset as usize).take(part.len()).collect();
        assert_eq!(*part, expected);
    }
    assert_eq!(source.take_reads(), 3);
    let mut beyond = [0; 10];
    assert!(source.read_ranges(&mut [(99_995, &mut beyond)]).is_err());
}
