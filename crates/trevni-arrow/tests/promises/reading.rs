//! Fields, rows and conditions of the reader; batch sizes; metadata; columns.

use super::{column_of, file_of};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type};
use arrow_array::{Array, RecordBatch, RecordBatchReader, StringArray, record_batch};
use arrow_schema::{DataType, Field, Schema};
use std::collections::HashMap;
use std::sync::Arc;
use trevni::{Codec, Dialect, Reader, Writer, col};
use trevni_arrow::{ArrowReader, ArrowWriter, column, schema_of_reader};

#[derive(serde::Serialize)]
struct Row {
    id: i32,
    place: Place,
    notes: Vec<Option<&'static str>>,
}

#[derive(serde::Serialize)]
struct Place {
    name: String,
    height: Option<f64>,
}

fn file() -> Vec<u8> {
    let place = |id: i32| Place { name: format!("place {id}"), height: (id % 3 != 0).then(|| f64::from(id)) };
    let row = |id| Row { id, place: place(id), notes: vec![Some("a"), None][..(id % 3) as usize].to_vec() };
    trevni::to_vec((0..20_000).map(row)).unwrap()
}

#[test]
fn batches_have_the_size_that_was_asked_for() {
    let file = file();
    let reader = Reader::from_slice(&file).unwrap();
    for size in [1000, 8192, 30_000] {
        let batches = ArrowReader::builder(&reader).batch_size(size).build().unwrap();
        let lengths: Vec<usize> = batches.map(|batch| batch.unwrap().num_rows()).collect();
        assert_eq!(lengths.iter().sum::<usize>(), 20_000);
        assert!(lengths[..lengths.len() - 1].iter().all(|length| *length == size), "{lengths:?}");
    }
}

#[test]
fn fields_rows_and_conditions_are_the_readers() {
    let file = file();
    let reader = Reader::from_slice(&file).unwrap();
    let some = reader.project(["place.name", "notes"]).unwrap().select(100..200).unwrap();
    let some = some.filter(col("id").ge(150)).unwrap();
    let rows: Vec<RecordBatch> = ArrowReader::new(&some).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.iter().map(RecordBatch::num_rows).sum::<usize>(), 50);
    let place = rows[0].column_by_name("place").unwrap().as_struct();
    assert_eq!(place.column_names(), ["name"]);
    assert_eq!(place.column(0).as_string::<i32>().value(0), "place 150");
    assert!(rows[0].column_by_name("id").is_none());
}

#[test]
fn a_reader_of_batches_can_go_to_another_thread() {
    let reader = Reader::builder().threads(2).shared(file()).unwrap();
    let batches: Box<dyn RecordBatchReader + Send> = Box::new(ArrowReader::new(&reader).unwrap());
    let rows = std::thread::spawn(move || batches.map(|batch| batch.unwrap().num_rows()).sum::<usize>());
    assert_eq!(rows.join().unwrap(), 20_000);
}

#[test]
fn a_column_is_one_array() {
    let file = file();
    let reader = Reader::from_slice(&file).unwrap();
    let ids = column(&reader, "id").unwrap();
    assert_eq!(ids.as_primitive::<Int32Type>().values(), &(0..20_000).collect::<Vec<i32>>()[..]);
    let heights = column(&reader, "place.height").unwrap();
    assert_eq!((heights.len(), heights.null_count()), (20_000, 6667));
    assert_eq!(heights.as_primitive::<Float64Type>().value(4), 4.0);
    assert_eq!(column(&reader, "notes").unwrap().as_list::<i32>().value(2).len(), 2);
    assert_eq!(column(&reader, "place").unwrap().as_struct().num_columns(), 2);
    assert!(column(&reader, "nothing").is_err());
    let few = reader.select(7..9).unwrap();
    assert_eq!(
        column(&few, "place.name").unwrap().as_string::<i32>(),
        &StringArray::from(vec!["place 7", "place 8"])
    );
    assert_eq!(column(&reader.select(3..3).unwrap(), "id").unwrap().len(), 0);
}

#[test]
fn metadata_come_back() {
    let text = |text: &str| text.to_owned();
    let field =
        Field::new("a", DataType::Utf8View, true).with_metadata(HashMap::from([(text("unit"), text("m"))]));
    let schema = Schema::new(vec![field]).with_metadata(HashMap::from([(text("origin"), text("roof"))]));
    let batch = column_of("a", Arc::new(arrow_array::StringViewArray::from(vec!["x"])));
    let batch = RecordBatch::try_new(Arc::new(schema.clone()), batch.columns().to_vec()).unwrap();
    let file = file_of(&batch);
    let reader = Reader::from_slice(&file).unwrap();
    assert_eq!(schema_of_reader(&reader).unwrap(), schema);
    assert_eq!(ArrowReader::new(&reader).unwrap().next().unwrap().unwrap(), batch);
}

#[test]
fn metadata_of_other_files_are_the_schemas() {
    let mut writer =
        Writer::builder().metadata("site", "roof").metadata("raw", [0xff]).build(Vec::new()).unwrap();
    writer.write_all([1]).unwrap();
    let file = writer.finish().unwrap();
    let schema = schema_of_reader(&Reader::from_slice(&file).unwrap()).unwrap();
    let mut keys: Vec<&str> = schema.metadata().keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["avro.schema", "site"]);
}

#[test]
fn a_file_of_no_batches_keeps_its_schema() {
    let batch = record_batch!(("a", UInt8, [1]), ("b", LargeUtf8, ["x"])).unwrap();
    let file = ArrowWriter::new(Vec::new(), batch.schema()).unwrap().finish().unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    assert_eq!(schema_of_reader(&reader).unwrap(), *batch.schema());
    assert_eq!(ArrowReader::new(&reader).unwrap().count(), 0);
}

#[test]
fn every_format_keeps_what_it_can() {
    let batch = record_batch!(("a", Int16, [Some(1), None]), ("b", Utf8View, ["x", "y"])).unwrap();
    for dialect in [Dialect::Trevni, Dialect::Levels, Dialect::RedElm] {
        let options = Writer::builder().dialect(dialect);
        let mut writer = ArrowWriter::with_options(options, Vec::new(), batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        let file = writer.finish().unwrap();
        let reader = Reader::from_slice(&file).unwrap();
        assert_eq!(reader.dialect(), dialect);
        assert_eq!(ArrowReader::new(&reader).unwrap().next().unwrap().unwrap(), batch, "{dialect:?}");
    }
}

#[test]
fn own_types_are_those_of_the_shape() {
    let batch = record_batch!(("a", UInt8, [1]), ("b", LargeUtf8, ["x"])).unwrap();
    let file = file_of(&batch);
    let reader = Reader::from_slice(&file).unwrap();
    let own = ArrowReader::builder(&reader).own_types().build().unwrap();
    assert_eq!(own.schema().field(0).data_type(), &DataType::Int32);
    assert_eq!(own.schema().field(1).data_type(), &DataType::Utf8);
    assert_eq!(own.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 1);
}

#[test]
fn a_file_is_there_when_it_is_finished() {
    let path = std::env::temp_dir().join(format!("trevni-arrow-{}.trv", std::process::id()));
    let batch = record_batch!(("a", Int32, [1, 2])).unwrap();
    let mut writer = ArrowWriter::create(&path, batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    assert!(!path.exists());
    writer.finish().unwrap();
    let reader = Reader::open(&path).unwrap();
    assert_eq!(ArrowReader::new(&reader).unwrap().next().unwrap().unwrap(), batch);
    std::fs::remove_file(path).unwrap();
}

/// Few different texts at all levels; conditions that leave scattered rows, near ones and far ones.
#[test]
fn views_of_dictionaries_are_the_texts() {
    #[derive(serde::Serialize)]
    struct Message {
        number: i64,
        from: &'static str,
        to: Option<&'static str>,
        labels: Vec<&'static str>,
        head: Option<Head>,
        #[serde(with = "serde_bytes")]
        key: Vec<u8>,
    }
    #[derive(serde::Serialize)]
    struct Head {
        host: &'static str,
        is_new: bool,
    }
    let words = ["", "AA", "é", "a text that is too long for the inside of a view", "UA"];
    let word = |n: usize| words[n * 7919 % 104_729 % words.len()];
    let message = |n: usize| Message {
        number: (n * 7919 % 104_729 % 50) as i64,
        from: word(n),
        to: (!n.is_multiple_of(3)).then(|| word(n + 1)),
        labels: (0..n % 4).map(|at| word(n + at)).collect(),
        head: (!n.is_multiple_of(5)).then(|| Head { host: word(n / 3), is_new: n.is_multiple_of(2) }),
        key: vec![7; n % 2],
    };
    let as_view = |field: &Arc<Field>| -> Arc<Field> {
        fn view(data_type: &DataType) -> DataType {
            let of =
                |field: &Arc<Field>| Arc::new(field.as_ref().clone().with_data_type(view(field.data_type())));
            match data_type {
                DataType::Utf8 => DataType::Utf8View,
                DataType::Binary => DataType::BinaryView,
                DataType::List(item) => DataType::List(of(item)),
                DataType::Struct(fields) => DataType::Struct(fields.iter().map(of).collect()),
                other => other.clone(),
            }
        }
        Arc::new(field.as_ref().clone().with_data_type(view(field.data_type())))
    };
    let shown = |batches: ArrowReader<'_>| -> Vec<String> {
        let batches = batches.map(|batch| trevni_arrow::batch_of_record_batch(&batch.unwrap()).unwrap());
        let rows = |batch: trevni::Batch| {
            let row = |row: serde_json::Value| row.to_string();
            batch.rows::<serde_json::Value>().map(|value| row(value.unwrap())).collect::<Vec<_>>()
        };
        batches.flat_map(rows).collect()
    };
    for codec in [Codec::Typed, Codec::TypedZstandard, Codec::Snappy] {
        for block_size in [500, 1 << 20] {
            let mut writer = Writer::builder().codec(codec).block_size(block_size).build(Vec::new()).unwrap();
            writer.write_all((0..5000).map(message)).unwrap();
            let file = writer.finish().unwrap();
            let whole = Reader::from_slice(&file).unwrap();
            let conditions = [
                None,
                Some(col("number").eq(3)),
                Some(col("from").eq("AA") | col("to").is_null()),
                Some(col("number").ge(40) & col("from").ne("é")),
                Some(col("labels").any(trevni::item().eq("UA"))),
            ];
            for condition in conditions {
                let reader =
                    condition.iter().fold(whole.clone(), |all, one| all.filter(one.clone()).unwrap());
                let schema = schema_of_reader(&reader).unwrap();
                let views = Schema::new(schema.fields().iter().map(as_view).collect::<Vec<_>>());
                let expected: Vec<String> =
                    reader.rows::<serde_json::Value>().unwrap().map(|row| row.unwrap().to_string()).collect();
                assert!(expected.len() > 50);
                let plain = ArrowReader::builder(&reader).batch_size(777).build().unwrap();
                assert_eq!(shown(plain), expected, "{codec:?} {block_size} {condition:?}");
                let views =
                    ArrowReader::builder(&reader).schema(views.into()).batch_size(777).build().unwrap();
                assert_eq!(shown(views), expected, "{codec:?} {block_size} {condition:?}, views");
            }
        }
    }
}

/// Decimals are stored as byte strings, which have dictionaries too where a view is among the columns.
#[test]
fn decimals_beside_views_are_what_they_are() {
    use arrow_array::{ArrayRef, Decimal128Array, StringViewArray};
    let decimals =
        (0..9000).map(|n| (n % 7 != 0).then_some(i128::from(n % 5 - 2) * 100_000_000_000_000_000_000));
    let decimals = Decimal128Array::from_iter(decimals).with_precision_and_scale(38, 2).unwrap();
    let words = StringViewArray::from_iter((0..9000).map(|n| (n % 11 != 0).then(|| ["AA", "", "UA"][n % 3])));
    let columns: [(&str, ArrayRef); 2] = [("decimal", Arc::new(decimals)), ("word", Arc::new(words))];
    let rows =
        RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true))).unwrap();
    let options = Writer::builder().codec(Codec::Typed);
    let mut writer = ArrowWriter::with_options(options, Vec::new(), rows.schema()).unwrap();
    writer.write(&rows).unwrap();
    let file = writer.finish().unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    let batches: Vec<RecordBatch> = ArrowReader::new(&reader).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(
        arrow_select::concat::concat_batches(&rows.schema(), &batches).unwrap().columns(),
        rows.columns()
    );
}
