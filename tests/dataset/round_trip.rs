//! What was written into many parts comes back as one.

use super::{Folder, all};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use trevni::reader::Nested;
use trevni::{Codec, Dataset, DatasetWriter, ErrorKind, Writer};

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Row {
    id: u32,
    name: String,
    late: Option<f64>,
    stops: Vec<Stop>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Stop {
    port: String,
    delay: Option<i32>,
}

fn rows(count: u32) -> Vec<Row> {
    let stop = |i: u32| Stop { port: format!("P{i}"), delay: i.is_multiple_of(2).then_some(i as i32) };
    let row = |id: u32| Row {
        id,
        name: format!("row {id}"),
        late: (id > 700 && !id.is_multiple_of(3)).then_some(f64::from(id)),
        stops: (0..id % 4).map(stop).collect(),
    };
    (0..count).map(row).collect()
}

#[track_caller]
fn check(dataset: &Dataset<'_>, rows: &[Row]) {
    assert_eq!(dataset.row_count(), rows.len() as u64);
    assert_eq!(all::<Row>(dataset).unwrap(), rows);
    let ids: Vec<u32> = rows.iter().map(|row| row.id).collect();
    assert_eq!(dataset.column::<u32>("id").unwrap(), ids);
    let late: Vec<Option<f64>> = rows.iter().map(|row| row.late).collect();
    assert_eq!(dataset.column::<Option<f64>>("late").unwrap(), late);
    let ports = dataset.column::<Nested<String>>("stops.port").unwrap();
    assert_eq!(ports.lengths, [rows.iter().map(|row| row.stops.len() as u32).collect::<Vec<_>>()]);
    assert_eq!(ports.values.len(), rows.iter().map(|row| row.stops.len()).sum::<usize>());
    for number in [0, rows.len() / 3, rows.len() / 2, rows.len() - 1] {
        assert_eq!(dataset.row::<Row>(number as u64).unwrap(), rows[number]);
    }
    let mut batches = 0;
    for batch in dataset.batches().unwrap() {
        for row in batch.unwrap().rows::<Row>() {
            assert_eq!(row.unwrap(), rows[batches]);
            batches += 1;
        }
    }
    assert_eq!(batches, rows.len());
}

#[test]
fn by_number_of_rows() {
    let folder = Folder::new("by-rows");
    let rows = rows(1000);
    let mut writer = DatasetWriter::builder().part_rows(300).create(&folder.0).unwrap();
    writer.write_all(&rows[..650]).unwrap();
    assert_eq!((writer.row_count(), writer.parts().len()), (650, 2));
    writer.write_all(&rows[650..]).unwrap();
    let parts = writer.finish().unwrap();
    let names = ["part-00000.trv", "part-00001.trv", "part-00002.trv", "part-00003.trv"];
    assert_eq!(folder.names(), names);
    assert_eq!(parts, names.map(|name| folder.0.join(name)));

    let dataset = folder.open();
    check(&dataset, &rows);
    let found: Vec<_> =
        dataset.parts().iter().map(|part| (part.first_row(), part.reader().row_count())).collect();
    assert_eq!(found, [(0, 300), (300, 300), (600, 300), (900, 100)]);
    check(&Dataset::from_paths(parts).unwrap(), &rows);
}

#[test]
fn by_size() {
    let folder = Folder::new("by-size");
    let rows = rows(20_000);
    let options = Writer::builder().codec(Codec::Deflate).block_size(4096);
    let mut writer = DatasetWriter::builder().part_bytes(32 << 10).writer(options).create(&folder.0).unwrap();
    writer.write_all(&rows).unwrap();
    assert!(writer.finish().unwrap().len() > 3);
    check(&folder.open(), &rows);
}

#[test]
fn a_part_ends_with_what_comes_first() {
    let folder = Folder::new("first");
    let builder = DatasetWriter::builder().part_rows(10).part_bytes(1 << 40);
    let mut writer = builder.create(&folder.0).unwrap();
    writer.write_all(0..25u32).unwrap();
    assert_eq!(writer.finish().unwrap().len(), 3);
    assert_eq!(all::<u32>(&folder.open()).unwrap(), (0..25).collect::<Vec<_>>());
}

#[test]
fn no_part_without_rows_at_the_end() {
    let folder = Folder::new("no-empty");
    let mut writer = DatasetWriter::builder().part_rows(5).create(&folder.0).unwrap();
    writer.write_all(0..10u32).unwrap();
    assert_eq!(folder.names(), ["part-00000.trv", "part-00001.trv"], "no part has begun");
    assert_eq!(writer.finish().unwrap().len(), 2);
    assert_eq!(folder.names().len(), 2);
}

#[test]
fn no_rows_are_one_part() {
    let folder = Folder::new("no-rows");
    assert_eq!(DatasetWriter::create(&folder.0).unwrap().finish().unwrap().len(), 1);
    let dataset = folder.open();
    assert_eq!((dataset.row_count(), dataset.parts().len()), (0, 1));
    assert_eq!(all::<Row>(&dataset).unwrap(), []);
    let error = dataset.row::<Row>(0).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoSuchRow { row: 0, rows: 0 }), "{error}");
}

#[test]
fn parts_written_in_one_go_have_one_shape() {
    let folder = Folder::new("one-shape");
    let mut writer = DatasetWriter::builder().part_rows(2).create(&folder.0).unwrap();
    let rows = [
        json!({"a": 1, "b": "x", "c": [1], "d": {"e": 1}}),
        json!({"a": -5_000_000_000i64, "b": null, "c": [], "d": null}),
        json!({"a": 2, "b": null, "c": [], "d": null}),
        json!({"a": 3, "b": null, "c": [], "d": null}),
        json!({"a": 4, "b": null, "c": []}),
    ];
    writer.write_all(&rows).unwrap();
    writer.finish().unwrap();
    let dataset = folder.open();
    let shapes: Vec<_> = dataset.parts().iter().map(|part| part.reader().shape()).collect();
    assert_eq!(shapes[0], shapes[1]);
    // The last part lacks a field.
    assert_eq!(shapes[2], dataset.shape());
    assert_eq!(all::<Value>(&dataset).unwrap(), rows);
    assert_eq!(dataset.column::<i64>("a").unwrap(), [1, -5_000_000_000, 2, 3, 4]);
    assert_eq!(dataset.column::<Option<String>>("b").unwrap(), [Some("x".into()), None, None, None, None]);
}

#[test]
fn a_given_schema_is_that_of_each_part() {
    let folder = Folder::new("schema");
    let schema = r#"{"type": "record", "name": "R", "fields": [{"name": "n", "type": "long"}]}"#;
    let options = Writer::builder().schema(schema);
    let mut writer = DatasetWriter::builder().part_rows(1).writer(options).create(&folder.0).unwrap();
    writer.write(&json!({"n": 1})).unwrap();
    let error = writer.write(&json!({"n": "text"})).unwrap_err();
    super::assert_contains(&error, &["part-00001.trv", "row 0"]);
    writer.write(&json!({"n": 2})).unwrap();
    writer.finish().unwrap();
    let dataset = folder.open();
    assert_eq!(dataset.parts()[0].reader().shape(), dataset.parts()[1].reader().shape());
    assert_eq!(dataset.column::<i64>("n").unwrap(), [1, 2]);
}

#[test]
fn rows_say_how_many_they_are() {
    let files = [trevni::to_vec(0..10u32).unwrap(), trevni::to_vec(0..200u32).unwrap()];
    let dataset = super::in_memory(&files).unwrap();
    let mut rows = dataset.rows::<u32>().unwrap();
    assert_eq!(rows.size_hint().1, Some(210));
    rows.by_ref().take(15).for_each(drop);
    assert_eq!(rows.size_hint().1, Some(195));
    assert_eq!(rows.by_ref().count(), 195);
    assert_eq!((rows.size_hint(), rows.next().is_none()), ((0, Some(0)), true));
    let error = dataset.row::<u32>(210).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoSuchRow { row: 210, rows: 210 }), "{error}");
}

#[test]
fn threads_share_a_dataset() {
    fn shared<T: Send + Sync>(_: &T) {}
    let files = [trevni::to_vec(0..10u32).unwrap()];
    shared(&super::in_memory(&files).unwrap());
}
