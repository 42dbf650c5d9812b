//! Parts have about the size that was asked for.

use super::Folder;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use trevni::{Codec, DatasetWriter, Writer, WriterBuilder};

#[derive(Serialize)]
struct Flight {
    year: u16,
    month: u8,
    day: u8,
    dep_time: Option<u16>,
    dep_delay: Option<f32>,
    arr_delay: Option<f32>,
    carrier: &'static str,
    flight: u32,
    tailnum: Option<String>,
    origin: &'static str,
    dest: &'static str,
    distance: f32,
    time_hour: String,
}

fn flights(count: u32) -> impl Iterator<Item = Flight> {
    let mut seed = 1u64;
    let mut random = move |below: u32| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as u32 % below
    };
    (0..count).map(move |n| {
        let hour = n / 38;
        let gone = random(40) > 0;
        Flight {
            year: 2013,
            month: (hour / 720 % 12) as u8 + 1,
            day: (hour / 24 % 30) as u8 + 1,
            dep_time: gone.then(|| (hour % 24 * 100 + random(60)) as u16),
            dep_delay: gone.then(|| random(120) as f32 - 15.0),
            arr_delay: gone.then(|| random(150) as f32 - 30.0),
            carrier: ["AA", "B6", "UA", "DL", "EV", "MQ", "US", "9E"][random(8) as usize],
            flight: random(6000),
            tailnum: gone.then(|| format!("N{}UA", 10_000 + random(4000))),
            origin: ["JFK", "LGA", "EWR"][random(3) as usize],
            dest: ["IAH", "MIA", "BQN", "ATL", "ORD", "FLL", "IAD", "MCO", "PBI"][random(9) as usize],
            distance: random(2500) as f32,
            time_hour: format!(
                "2013-{:02}-{:02} {:02}:00:00",
                hour / 720 % 12 + 1,
                hour / 24 % 30 + 1,
                hour % 24
            ),
        }
    })
}

#[track_caller]
fn check(name: &str, options: WriterBuilder, target: u64, rows: u32) {
    let folder = Folder::new(name);
    let mut writer = DatasetWriter::builder().part_bytes(target).writer(options).create(&folder.0).unwrap();
    writer.write_all(flights(rows)).unwrap();
    let parts = writer.finish().unwrap();
    let sizes: Vec<u64> = parts.iter().map(|part| fs::metadata(part).unwrap().len()).collect();
    let (_, whole) = sizes.split_last().unwrap();
    assert!(whole.len() >= 2, "{sizes:?}");
    for size in whole {
        assert!((target * 85 / 100..=target * 115 / 100).contains(size), "{target} in {sizes:?}");
    }
}

#[test]
fn parts_of_flights_have_the_size_asked_for() {
    check("snappy", Writer::builder(), 1 << 20, 125_000);
}

#[test]
fn parts_without_a_codec_have_the_size_asked_for() {
    check("null", Writer::builder().codec(Codec::Null), 256 << 10, 30_000);
}

#[test]
fn parts_of_other_codecs_have_the_size_asked_for() {
    check("deflate", Writer::builder().codec(Codec::Deflate).block_size(16 << 10), 256 << 10, 60_000);
}

#[test]
fn wide_rows_do_not_make_a_part_each() {
    let folder = Folder::new("wide");
    let columns: Vec<String> = (0..300).map(|n| format!("c{n:03}")).collect();
    let target = 256 << 10;
    let mut writer = DatasetWriter::builder().part_bytes(target).create(&folder.0).unwrap();
    for n in 0..3000u64 {
        let row: BTreeMap<&str, u64> = columns
            .iter()
            .zip(0..)
            .map(|(name, c)| (name.as_str(), n.wrapping_mul(c * 7919) % 100_000))
            .collect();
        writer.write(&row).unwrap();
    }
    let sizes: Vec<u64> =
        writer.finish().unwrap().iter().map(|part| fs::metadata(part).unwrap().len()).collect();
    // No column fills a block, so that how they compress shows at the end of a part only.
    assert!((5..20).contains(&sizes.len()), "{sizes:?}");
    let (_, whole) = sizes.split_last().unwrap();
    assert!(whole.iter().all(|size| (target / 2..target * 3 / 2).contains(size)), "{sizes:?}");
}

#[test]
fn a_row_larger_than_a_part_is_a_part() {
    let folder = Folder::new("large");
    let mut writer = DatasetWriter::builder()
        .part_bytes(1000)
        .writer(Writer::builder().codec(Codec::Null))
        .create(&folder.0)
        .unwrap();
    for n in 0..3u8 {
        writer.write(&vec![n; 5000]).unwrap();
    }
    assert_eq!(writer.finish().unwrap().len(), 3);
}
