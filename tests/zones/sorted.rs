//! Zones from first values, where the caller knows that a column is sorted.

use crate::check::write;
use std::fs;
use trevni::column::{Bound, Zone, ZoneMap};
use trevni::{Category, Reader, Writer};

/// A file without zone maps, a few values in each block, that has first values.
fn file<T: serde::Serialize>(rows: &[T], block_size: usize) -> Vec<u8> {
    let builder = Writer::builder().without_zone_maps().block_size(block_size).first_values([""]);
    write(builder, rows)
}

fn zones(bytes: &[u8]) -> trevni::Result<Option<ZoneMap>> {
    let map = Reader::builder().sorted([""]).source(bytes)?.zone_map(0)?;
    Ok(map.map(|map| ZoneMap::clone(&map)))
}

fn bounds(map: &ZoneMap) -> Vec<(Option<Bound>, Option<Bound>)> {
    map.zones.iter().map(|zone| (zone.min.clone(), zone.max.clone())).collect()
}

#[test]
fn first_values_are_bounds() {
    let bytes = file(&(0..100).collect::<Vec<i32>>(), 10);
    let reader = Reader::builder().sorted([""]).source(&bytes[..]).unwrap();
    let map = reader.zone_map(0).unwrap().unwrap();
    assert!(map.ascending);
    let blocks = reader.blocks(0).unwrap();
    assert!(blocks.len() > 5);
    for (number, block) in blocks.iter().enumerate() {
        let mut expected = Zone::default();
        expected.values = u64::from(block.rows);
        expected.min = Some(Bound::Integer(block.first_row as i64));
        expected.max = blocks.get(number + 1).map(|next| Bound::Integer(next.first_row as i64));
        assert_eq!(map.zones[number], expected);
        assert_eq!(block.zone, Some(expected));
    }
    // Nothing is known where nothing has been said.
    assert_eq!(Reader::from_slice(&bytes).unwrap().zone_map(0).unwrap(), None);
    let plain = write(Writer::builder().without_zone_maps(), &[1, 2, 3]);
    assert_eq!(zones(&plain).unwrap(), None);
    // A zone map is better than first values.
    let both = write(Writer::builder().block_size(10).first_values([""]), &[3, 2, 1]);
    assert!(!zones(&both).unwrap().unwrap().ascending);
    assert_eq!(zones(&file::<i32>(&[], 10)).unwrap(), None);
}

#[test]
fn a_column_that_is_not_sorted_is_an_error() {
    let mut rows: Vec<i64> = (0..100).collect();
    rows[95] = -1;
    let bytes = file(&rows, 1);
    let error = zones(&bytes).unwrap_err();
    assert_eq!(error.category(), Category::Misuse);
    let text = error.to_string();
    assert!(text.contains("said to be sorted, but") && text.contains("long"), "{text}");
    // All rows are there for those who do not look for some.
    let reader = Reader::builder().sorted([""]).source(&bytes[..]).unwrap();
    assert_eq!(reader.column::<i64>("").unwrap(), rows);
}

#[test]
fn nan_comes_last() {
    let float = |value| Some(Bound::Float(value));
    let map = zones(&file(&[-1.5, 2.0, f64::NAN, f64::NAN], 1)).unwrap().unwrap();
    assert_eq!(bounds(&map), [(float(-1.5), float(2.0)), (float(2.0), None), (None, None), (None, None)]);
    assert_eq!(map.zones.iter().map(|zone| zone.nan).collect::<Vec<_>>(), [false, true, true, true]);
    assert!(!map.ascending);
    assert!(zones(&file(&[f32::NAN, 1.0], 1)).is_err());
    let map = zones(&file(&[1.0f32], 1)).unwrap().unwrap();
    assert!(map.zones[0].nan, "there may be one behind the first value");
}

#[test]
fn texts_are_in_either_order() {
    let text = |value: &str| Some(Bound::Bytes(value.as_bytes().to_vec()));
    // By UTF-16 the second comes before the third, by bytes it is the other way round.
    let java = ["a", "\u{1f600}", "\u{ff01}"];
    let map = zones(&file(&java, 1)).unwrap().unwrap();
    assert_eq!(bounds(&map), [(text("a"), None), (None, None), (None, None)]);
    let bytewise = ["a", "\u{ff01}", "\u{1f600}"];
    assert_eq!(bounds(&zones(&file(&bytewise, 1)).unwrap().unwrap()), bounds(&map));
    let map = zones(&file(&["", "b", "\u{d7ff}"], 1)).unwrap().unwrap();
    assert_eq!(
        bounds(&map),
        [(text(""), text("b")), (text("b"), text("\u{d7ff}")), (text("\u{d7ff}"), None)]
    );
    assert!(zones(&file(&["b", "a"], 1)).is_err());
    // Java orders bytes with signs.
    let bytes = file(&[serde_bytes::Bytes::new(&[1]), serde_bytes::Bytes::new(&[2])], 1);
    assert_eq!(zones(&bytes).unwrap(), None);
}

#[test]
fn paths_are_single_columns_without_lengths() {
    #[derive(serde::Serialize)]
    struct Row {
        id: i32,
        place: Place,
        list: Vec<i32>,
        items: Vec<Place>,
        maybe: Option<i32>,
    }
    #[derive(serde::Serialize)]
    struct Place {
        x: i32,
        y: i32,
    }
    let place = || Place { x: 1, y: 2 };
    let row = Row { id: 1, place: place(), list: vec![1], items: vec![place()], maybe: Some(1) };
    let bytes = write(Writer::builder(), &[row]);
    Reader::builder().sorted(["id", "place.x"]).source(&bytes[..]).unwrap();
    for path in ["", "place", "list", "items", "items.x", "maybe", "idd"] {
        let error = Reader::builder().sorted([path]).source(&bytes[..]).unwrap_err();
        assert_eq!(error.category(), Category::Misuse, "{path}: {error}");
    }
}

#[test]
fn files_of_java_have_zones_where_they_are_sorted() {
    let mut found = 0;
    for name in ["raw_index_int", "raw_index_string"] {
        let path = format!("{}/data/trevni/{name}.trv", env!("CARGO_MANIFEST_DIR"));
        let bytes = fs::read(path).unwrap();
        let reader = Reader::builder().sorted(["k"]).source(&bytes[..]).unwrap();
        assert_eq!(Reader::from_slice(&bytes).unwrap().zone_map(0).unwrap(), None);
        match reader.zone_map(0) {
            Ok(map) => {
                let map = map.unwrap();
                found += usize::from(map.zones.len() > 1);
                assert!(map.zones.iter().all(|zone| zone.min.is_some()), "{name}");
            }
            Err(error) => panic!("{name}: {error}"),
        }
    }
    assert_eq!(found, 2);
}
