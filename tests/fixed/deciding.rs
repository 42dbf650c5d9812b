//! Which columns get a fixed width, and when that is decided.

use crate::row::rows;
use crate::{fixed, hash, plain, types, write};
use serde_json::{Value, json};
use trevni::column::ValueType;
use trevni::formats::Trevni;
use trevni::{Dataset, DatasetWriter, Reader};

#[test]
fn long_integers_are_fixed_and_short_ones_stay() {
    let rows = rows(3000);
    let bytes = write(fixed(), &rows);
    let reader = Reader::from_slice(&bytes).unwrap();
    let of = |name: &str| reader.columns().iter().find(|column| column.name() == name).unwrap().value_type();
    for (name, value_type) in [
        ("number", ValueType::Long),
        ("small", ValueType::Int),
        ("rank", ValueType::Fixed32),
        ("time", ValueType::Fixed64),
        ("hash", ValueType::Fixed64),
        ("maybe/long", ValueType::Fixed64),
        ("list[]", ValueType::Fixed32),
        ("parts[]", ValueType::Null),
        ("parts[]#id", ValueType::Fixed64),
        ("parts[]#size/int", ValueType::Fixed32),
        ("map>key", ValueType::String),
        ("map>value", ValueType::Fixed64),
        ("kind", ValueType::Int),
    ] {
        assert_eq!(of(name), value_type, "{name}");
    }
    let fixed = |value_type| matches!(value_type, ValueType::Fixed32 | ValueType::Fixed64);
    assert_eq!(reader.columns().iter().filter(|column| fixed(column.value_type())).count(), 11);
    let varints = write(plain(), &rows);
    assert!(!types(&varints).into_iter().any(fixed));
    assert!(bytes.len() < varints.len() * 9 / 10, "{} of {}", bytes.len(), varints.len());
    let schema = |bytes: &[u8]| {
        Reader::from_slice(bytes).unwrap().metadata().get_str("avro.schema").map(str::to_owned)
    };
    assert_eq!(schema(&bytes), schema(&varints));
}

#[test]
fn the_mean_length_counts() {
    // 5 bytes for values from 2^27 on, 3 for those from 2^13 on.
    for (long, short, value_type) in
        [(50, 50, ValueType::Int), (51, 49, ValueType::Fixed32), (49, 51, ValueType::Int)]
    {
        let rows: Vec<i32> = [vec![1 << 27; long], vec![1 << 13; short]].concat();
        assert_eq!(types(&write(fixed(), &rows)), [value_type], "{long}");
        // Lengths are not counted.
        let lists: Vec<Vec<i32>> = rows.chunks(10).map(<[i32]>::to_vec).collect();
        assert_eq!(types(&write(fixed(), &lists)), [value_type], "{long}");
        let options: Vec<Option<i32>> = rows.iter().flat_map(|row| [Some(*row), None, None]).collect();
        let bytes = write(fixed(), &options);
        assert_eq!(types(&bytes), [value_type], "{long}");
        assert_eq!(trevni::from_slice::<Vec<Option<i32>>>(&bytes).unwrap(), options);
    }
}

/// A hash that a long has room for: no union is made of those that show up late.
fn half(number: u64) -> u64 {
    hash(number) >> 1
}

#[test]
fn the_first_block_decides() {
    let (long, short): (Vec<u64>, Vec<u64>) = ((0..400).map(half).collect(), (0..400).collect());
    for (rows, value_type) in [
        ([long.clone(), short.clone(), short.clone()].concat(), ValueType::Fixed64),
        ([short.clone(), long.clone(), long.clone()].concat(), ValueType::Long),
        // Some short ones before do not matter, nor how many rows come at once.
        ([short[..20].to_vec(), long].concat(), ValueType::Fixed64),
    ] {
        let builder = fixed().block_size(1000);
        let bytes = write(builder.clone(), &rows);
        assert_eq!(types(&bytes), [value_type]);
        assert_eq!(trevni::from_slice::<Vec<u64>>(&bytes).unwrap(), rows);
        for batch in [1, 7, 64] {
            assert!(write(builder.clone().batch_rows(batch), &rows) == bytes, "{batch} rows a batch");
        }
    }
}

#[test]
fn a_column_without_values_is_not_decided() {
    // Some blocks of nothing but absent values, and then hashes.
    let row = |at: u64| match at {
        0..2000 => json!({ "x": null, "y": [], "z": [[], []], "w": null }),
        _ => json!({ "x": half(at), "y": [half(at), half(at)], "z": [[half(at)], []], "w": null }),
    };
    let rows: Vec<Value> = (0..3000).map(row).collect();
    for builder in [fixed(), fixed().batch_rows(64).block_size(50), fixed().batch_rows(1).block_size(1)] {
        let bytes = write(builder, &rows);
        let reader = Reader::from_slice(&bytes).unwrap();
        let types: Vec<_> = reader.columns().iter().map(|c| (c.name(), c.value_type())).collect();
        for name in ["x/long", "y[]", "z[][]"] {
            assert!(types.contains(&(name, ValueType::Fixed64)), "{types:?}");
        }
        assert_eq!(trevni::from_slice::<Vec<Value>>(&bytes).unwrap(), rows);
    }
    // The shape is known here, so the columns have lengths before they have values.
    let schema = reader_schema(&write(plain(), &rows));
    for builder in [
        fixed(),
        fixed().batch_rows(64).block_size(5),
        fixed().format(Trevni::new().version(trevni::formats::Version::V1)),
    ] {
        let bytes = write(builder.schema(&*schema), &rows);
        let fixed = types(&bytes).into_iter().filter(|found| *found == ValueType::Fixed64).count();
        assert_eq!(fixed, 3, "{:?}", types(&bytes));
        assert_eq!(trevni::from_slice::<Vec<Value>>(&bytes).unwrap(), rows);
    }
    let none = write(fixed().schema(&*schema), &rows[..2000]);
    assert!(!types(&none).contains(&ValueType::Fixed64));
    assert_eq!(trevni::from_slice::<Vec<Value>>(&none).unwrap(), rows[..2000]);
    assert!(
        write(fixed().schema(&*schema), &[] as &[Value]) == write(plain().schema(&*schema), &[] as &[Value])
    );
}

fn reader_schema(bytes: &[u8]) -> String {
    Reader::from_slice(bytes).unwrap().metadata().get_str("avro.schema").unwrap().to_owned()
}

#[test]
fn batches_of_another_reader_are_decided_too() {
    let rows = rows(500);
    let bytes = write(plain(), &rows);
    let reader = Reader::from_slice(&bytes).unwrap();
    let mut writer = fixed().build(Vec::new()).unwrap();
    for batch in reader.batches().unwrap() {
        writer.write_batch(&batch.unwrap()).unwrap();
    }
    assert_eq!(types(&writer.finish().unwrap()), types(&write(fixed(), &rows)));
}

#[test]
fn each_file_of_a_dataset_decides_for_itself() {
    let folder = std::env::temp_dir().join(format!("trevni-fixed-dataset-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let rows: Vec<(u32, u64)> =
        (0..1000).map(|at| (at, if at < 500 { at.into() } else { hash(at.into()) })).collect();
    let mut writer = DatasetWriter::builder().part_rows(500).writer(fixed()).create(&folder).unwrap();
    writer.write_all(&rows).unwrap();
    let parts = writer.finish().unwrap();
    let types: Vec<_> = parts.iter().map(|part| types(&std::fs::read(part).unwrap())).collect();
    assert_eq!(types, [[ValueType::Long, ValueType::Long], [ValueType::Long, ValueType::Fixed64]]);
    let dataset = Dataset::open(&folder).unwrap();
    let read: Vec<(u32, u64)> = dataset.rows().unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(read, rows);
    let column: Vec<u64> = rows.iter().map(|row| row.1).collect();
    assert_eq!(dataset.column::<u64>("_1").unwrap(), column);
    std::fs::remove_dir_all(&folder).unwrap();
}
