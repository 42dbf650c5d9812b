//! Zone maps: those of merged and split files tell of the blocks that are there.

use crate::check::{check, check_column, small, write};
use crate::nested::{Row, rows, written};
use crate::sources::Counting;
use crate::sums::mended;
use crate::{merged, read};
use serde::Serialize;
use trevni::column::ValueType;
use trevni::merge::{Merge, Split};
use trevni::{Checksum, Codec, Reader, WriterBuilder, col};

/// Checks the zones of all columns, which are there or not; returns which columns are said to ascend.
/// Columns may ascend unsaid.
pub(crate) fn check_merged(bytes: &[u8], known: bool) -> Vec<bool> {
    let reader = Reader::from_slice(bytes).unwrap();
    let check = |(number, column): (usize, &trevni::column::ColumnInfo)| {
        let blocks = reader.blocks(number).unwrap();
        let map = reader.zone_map(number).unwrap();
        let nulls = column.value_type() == ValueType::Null && !column.is_array();
        assert_eq!(map.is_some(), known && !blocks.is_empty() && !nulls, "{}", column.name());
        let Some(map) = map else {
            assert!(!column.metadata().contains("zone_map"));
            return false;
        };
        assert_eq!(column.metadata().iter().last().unwrap().0, "zone_map");
        assert!(check_column(&reader, number, &map, &blocks) || !map.ascending, "{}", column.name());
        map.ascending
    };
    reader.columns().iter().enumerate().map(check).collect()
}

#[derive(Serialize)]
struct Mixed {
    id: i64,
    text: String,
    delay: Option<f32>,
    good: bool,
    bytes: Option<serde_bytes::ByteBuf>,
    nothing: (),
    some: Option<()>,
    list: Vec<f64>,
}

fn mixed(count: usize) -> Vec<Mixed> {
    let mix = |n: usize| (n.wrapping_mul(2_654_435_761) >> 9) % 1013;
    let row = |n: usize| Mixed {
        id: n as i64 - 100,
        text: format!("{} {n}", "long".repeat(mix(n) % 14)),
        delay: (mix(n) % 4 > 0).then(|| if mix(n) % 50 == 7 { f32::NAN } else { mix(n) as f32 - 500.0 }),
        good: mix(n) % 2 == 0,
        bytes: (mix(n) % 3 > 0).then(|| vec![255; mix(n) % 40].into()),
        nothing: (),
        some: (mix(n) % 5 > 2).then_some(()),
        list: (0..mix(n) % 4).map(|item| mix(n + item) as f64 / 8.0).collect(),
    };
    (0..count).map(row).collect()
}

#[test]
fn zones_of_copied_recoded_and_cut_blocks_are_those_of_their_values() {
    let rows = mixed(700);
    let (one, two) = (write(small(), &rows[..300]), write(small().block_size(150), &rows[300..]));
    let readers = [&one, &two].map(|bytes| Reader::from_slice(bytes).unwrap());
    let recoded = Merge::new().codec(Codec::Deflate).checksum(Checksum::Null);
    for merge in [Merge::new(), recoded] {
        // They are those of a file that was written at once, but for where blocks end.
        check(&merged(merge, &readers).0);
        let cut = [
            readers[0].select([3..50, 60..61, 200..300]).unwrap(),
            readers[1].select([0..1, 9..14, 17..333]).unwrap(),
        ];
        let (file, report) = merged(merge, &cut);
        assert!(report.blocks_rewritten > 30, "{report:?}");
        check(&file);
        let parts = Split::every(90).stored(merge).readers(&readers[1]).unwrap();
        let parts: Vec<_> = parts.iter().map(|part| merged(merge, std::slice::from_ref(part)).0).collect();
        assert!(parts.iter().all(|part| check_merged(part, true)[0]));
        let parts: Vec<_> = parts.iter().map(|part| Reader::from_slice(part).unwrap()).collect();
        check(&merged(merge, &parts).0);
    }
}

#[test]
fn a_part_without_zone_maps_leaves_none() {
    let rows = mixed(100);
    let (with, without) = (write(small(), &rows), write(small().without_zone_maps(), &rows));
    let [with, without] = [&with, &without].map(|bytes| Reader::from_slice(bytes).unwrap());
    for parts in [[&with, &without], [&without, &with], [&without, &without]] {
        let parts = parts.map(Clone::clone);
        check_merged(&merged(Merge::new(), &parts).0, false);
        check_merged(&merged(Merge::new(), &parts.map(|part| part.select(3..77).unwrap())).0, false);
    }
    // Without rows it does not matter.
    let none = without.select(0..0).unwrap();
    check(&merged(Merge::new(), &[none.clone(), with, none.clone()]).0);
    check_merged(&merged(Merge::new(), &[none]).0, true);
}

#[test]
fn a_damaged_zone_map_costs_that_of_its_column_alone() {
    let rows: Vec<_> = (0..100).map(|n| (n, format!("text {n}"), n % 7)).collect();
    let bytes = write(small(), &rows);
    let mut damaged = bytes.clone();
    let map = Reader::from_slice(&bytes).unwrap().columns()[1].metadata().get("zone_map").unwrap().to_vec();
    let place = bytes.windows(map.len()).position(|part| part == map).unwrap();
    damaged[place + map.len() / 2] ^= 4;
    damaged = mended(&damaged);
    let [good, bad] = [&bytes, &damaged].map(|bytes| Reader::from_slice(bytes).unwrap());
    assert!(bad.zone_map(1).unwrap().is_none());
    for parts in [[good.clone(), bad.clone()], [bad, good]] {
        let (file, _) = merged(Merge::new(), &parts);
        let reader = Reader::from_slice(&file).unwrap();
        assert!(!reader.columns()[1].metadata().contains("zone_map"));
        for number in [0, 2] {
            let map = reader.zone_map(number).unwrap().unwrap();
            check_column(&reader, number, &map, &reader.blocks(number).unwrap());
        }
        assert_eq!(read::<(i32, String, i32)>(&reader), [&rows[..], &rows].concat());
    }
}

#[test]
fn first_values_of_sorted_columns_are_no_zones() {
    let rows: Vec<(i64, bool)> = (0..100).map(|n| (n, n % 3 == 0)).collect();
    let bytes = write(small().without_zone_maps().first_values(["_0"]), &rows);
    let reader = Reader::builder().sorted(["_0"]).source(bytes).unwrap();
    assert!(reader.zone_map(0).unwrap().is_some());
    check_merged(&merged(Merge::new(), &[reader]).0, false);
}

fn schema(bytes: &[u8]) -> String {
    Reader::from_slice(bytes).unwrap().metadata().get_str("avro.schema").unwrap().to_owned()
}

/// Whether the one column of files of these values is said to ascend when they are merged.
fn ascends<T: Serialize>(parts: &[&[T]]) -> bool {
    // A file without rows has learned none.
    let schema = schema(&write(small(), parts[0]));
    let files: Vec<_> =
        parts.iter().map(|part| write(small().block_size(20).schema(&*schema), part)).collect();
    let readers: Vec<_> = files.iter().map(|file| Reader::from_slice(file).unwrap()).collect();
    check_merged(&merged(Merge::new(), &readers).0, true)[0]
}

#[test]
fn a_column_ascends_where_the_parts_and_their_borders_do() {
    let up = |start: i64, end: i64| (start..end).collect::<Vec<_>>();
    assert!(ascends(&[&up(-50, 40), &up(39, 100)]));
    assert!(ascends(&[&up(-50, 40), &[], &up(40, 41), &[40; 30]]));
    assert!(!ascends(&[&up(-50, 40), &up(38, 100)]));
    assert!(!ascends(&[&up(40, 100), &up(0, 40)]));
    assert!(!ascends(&[&up(0, 40), &[50, 49]]));
    assert!(!ascends(&[&[2, 1], &up(2, 40)]));
    assert!(ascends(&[&[-1.0, -0.0], &[0.0, 1.0], &[f64::INFINITY]]));
    assert!(ascends(&[&[-1.0, 0.0], &[-0.0, 1.0]]));
    assert!(!ascends(&[&[1.0, 2.0], &[f64::NAN]]));
    assert!(!ascends(&[&[1.0, f64::NAN], &[3.0]]));
    // Nulls are passed over.
    assert!(ascends(&[&[Some(1), None], &[Some(1), None], &[None, Some(2)]]));
    assert!(!ascends(&[&[Some(3), None], &[Some(1), None]]));
    let (short, long) = (["a", "b"], ["x".repeat(40), "y".repeat(40)]);
    assert!(ascends(&[&short, &["b", "c"]]) && !ascends(&[&["b", "c"], &short]));
    assert!(ascends(&[&long, &["z".to_owned(), "z".repeat(50)]]));
    // The bounds are the same for both, so they do not tell.
    assert!(!ascends(&[&long, &["y".repeat(41)]]));
    assert!(!ascends(&[&[vec![(), ()], vec![]], &[vec![()]]]));
}

#[test]
fn rows_of_an_ascending_column_ascend() {
    let rows: Vec<_> = (0..200).map(|n| (format!("{} {n:03}", "long".repeat(10)), n % 9)).collect();
    let bytes = write(small(), &rows);
    check(&bytes);
    let reader = Reader::from_slice(&bytes).unwrap();
    let every_third = (0..200).step_by(3).collect::<trevni::RowSelection>();
    for rows in [every_third, [5..6, 40..160].into()] {
        let (file, _) = merged(Merge::new(), &[reader.select(rows).unwrap()]);
        check(&file);
        assert_eq!(check_merged(&file, true), [true, false]);
    }
    // These do ascend, but are not looked at.
    let (file, _) = merged(Merge::new(), &[reader.select(9..18).unwrap()]);
    assert_eq!(check_merged(&file, true), [true, false]);
}

#[test]
fn a_merged_file_is_filtered_as_its_parts_from_few_blocks() {
    let all = rows(1200);
    let schema = schema(&written(&all, WriterBuilder::new()));
    let builder = || WriterBuilder::new().block_size(200).schema(&*schema);
    let files = [&all[..500], &all[300..900], &all[900..]].map(|rows| written(rows, builder()));
    let parts = files.each_ref().map(|file| Reader::from_slice(file).unwrap());
    let parts = [parts[0].clone(), parts[1].select([33..400, 410..600]).unwrap(), parts[2].clone()];
    let (file, report) = merged(Merge::new(), &parts);
    assert!(report.blocks_copied > 0 && report.blocks_rewritten > 0);
    let source = Counting::new(file);
    let merged = Reader::new(&source).unwrap();
    for column in 0..merged.columns().len() {
        merged.blocks(column).unwrap();
    }
    for (predicate, few) in [
        (col("id").between(340, 350), true),
        (col("id").is_in([7, 705, 1199]), true),
        (col("name").eq("row 711"), true),
        (col("id").lt(0), true),
        (col("id").ge(1190) & col("name").is_null(), true),
        (col("name").is_null(), false),
    ] {
        let filtered = merged.filter(predicate.clone()).unwrap();
        let found: Vec<Row> = read(&filtered);
        let of_parts = parts.iter().flat_map(|part| read(&part.filter(predicate.clone()).unwrap()));
        assert_eq!(found, of_parts.collect::<Vec<Row>>(), "{predicate}");
        let explain = filtered.explain().unwrap();
        assert_eq!((explain.rows, explain.matching), (merged.row_count(), found.len() as u64));
        if few {
            assert!(explain.candidates < 250, "{predicate}: {explain}");
            assert!(explain.bytes_read() * 3 < explain.bytes_skipped(), "{predicate}: {explain}");
            let flat = filtered.project(["id", "name"]).unwrap();
            source.take();
            assert_eq!(read::<serde_json::Value>(&flat).len(), found.len());
            // A block between two that are wanted may be read with them.
            let (bytes, explain) = (source.take(), flat.explain().unwrap());
            assert!(bytes <= 2 * explain.bytes_read(), "{predicate}: {bytes} bytes, {explain}");
        }
    }
}

#[test]
fn merging_asks_for_no_bytes_more_than_without_zone_maps_but_for_long_ones() {
    let rows = mixed(400);
    let asked = |builder: WriterBuilder| {
        let source = Counting::new(write(builder, &rows));
        let reader = Reader::new(&source).unwrap();
        source.take();
        merged(Merge::new(), &[reader.select([7..160, 200..333]).unwrap()]);
        source.take()
    };
    // Those above a kilobyte are not kept with the header.
    let bytes = write(small(), &rows);
    let reader = Reader::from_slice(&bytes).unwrap();
    let maps = reader.columns().iter().filter_map(|column| column.metadata().get("zone_map"));
    let long: u64 = maps.map(|map| map.len() as u64).filter(|len| *len > 1024).sum();
    assert_eq!(asked(small()), asked(small().without_zone_maps()) + long);
}
