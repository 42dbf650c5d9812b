//! Arrays that a random test cannot compare by `==`, and what lies under nulls.

use super::{batch_of, column_of, file_of, read, rows};
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::*;
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, Fields, UnionFields, UnionMode};
use std::sync::Arc;

#[test]
fn nulls_among_the_values_of_a_dictionary_are_nulls() {
    let values = StringArray::from(vec![Some("a"), None]);
    let keys = Int8Array::from(vec![Some(0), Some(1), None, Some(0)]);
    let dictionary = DictionaryArray::<Int8Type>::try_new(keys, Arc::new(values)).unwrap();
    let file = file_of(&column_of("d", Arc::new(dictionary)));
    assert_eq!(rows(&file), [r#"{"d":"a"}"#, r#"{"d":null}"#, r#"{"d":null}"#, r#"{"d":"a"}"#]);
    let again = read(&file);
    let again = again[0].column(0).as_any_dictionary_opt().unwrap();
    assert_eq!(again.values().as_ref(), &StringArray::from(vec!["a"]) as &dyn Array);
    assert_eq!(again.keys().nulls().unwrap().null_count(), 2);
}

#[test]
fn a_dictionary_all_of_whose_keys_are_null_has_no_values() {
    let keys = Int32Array::from(vec![None, None]);
    let values = StringArray::from(Vec::<&str>::new());
    let dictionary = DictionaryArray::<Int32Type>::try_new(keys, Arc::new(values)).unwrap();
    let batch = column_of("d", Arc::new(dictionary));
    assert_eq!(read(&file_of(&batch)), [batch]);
}

#[test]
fn slots_of_a_sparse_union_that_are_not_chosen_are_not_stored() {
    let fields = [Field::new("int", DataType::Int32, false), Field::new("string", DataType::Utf8, false)];
    let fields = UnionFields::try_new([0, 1], fields).unwrap();
    let children: Vec<ArrayRef> = vec![
        Arc::new(Int32Array::from(vec![1, 99, 3])),
        Arc::new(StringArray::from(vec!["junk", "two", "junk"])),
    ];
    let union = UnionArray::try_new(fields, vec![0, 1, 0].into(), None, children).unwrap();
    let file = file_of(&batch_of(Field::new("u", union.data_type().clone(), false), Arc::new(union.clone())));
    assert_eq!(rows(&file), [r#"{"u":1}"#, r#"{"u":"two"}"#, r#"{"u":3}"#]);
    let again = read(&file);
    let DataType::Union(_, UnionMode::Sparse) = again[0].column(0).data_type() else { panic!("not sparse") };
    let again = again[0].column(0).as_any().downcast_ref::<UnionArray>().unwrap();
    for row in 0..3 {
        assert_eq!(&again.value(row), &union.value(row));
    }
}

#[test]
fn what_is_under_a_null_is_not_stored() {
    let inner = Field::new("x", DataType::Int32, false);
    let hidden = Int32Array::from(vec![Some(1), None, Some(3)]);
    let nulls = NullBuffer::from(vec![true, false, true]);
    let records =
        StructArray::try_new(Fields::from(vec![inner]), vec![Arc::new(hidden)], Some(nulls)).unwrap();
    let items = Field::new("item", DataType::Utf8, false);
    let texts = StringArray::from(vec!["a", "hidden", "b"]);
    let nulls = NullBuffer::from(vec![true, false, true]);
    let lists = ListArray::try_new(
        Arc::new(items),
        OffsetBuffer::new(vec![0, 1, 2, 3].into()),
        Arc::new(texts),
        Some(nulls),
    );
    let file = file_of(&column_of("r", Arc::new(records)));
    assert_eq!(rows(&file), [r#"{"r":{"x":1}}"#, r#"{"r":null}"#, r#"{"r":{"x":3}}"#]);
    let file = file_of(&column_of("l", Arc::new(lists.unwrap())));
    assert_eq!(rows(&file), [r#"{"l":["a"]}"#, r#"{"l":null}"#, r#"{"l":["b"]}"#]);
    assert!(!file.windows(6).any(|bytes| bytes == b"hidden"));
}

#[test]
fn empty_lists_nulls_and_lists_of_null_are_told_apart() {
    let mut lists = ListBuilder::new(StringBuilder::new());
    lists.append(true);
    lists.append(false);
    lists.values().append_null();
    lists.append(true);
    let batch = column_of("l", Arc::new(lists.finish()));
    let file = file_of(&batch);
    assert_eq!(rows(&file), [r#"{"l":[]}"#, r#"{"l":null}"#, r#"{"l":[null]}"#]);
    assert_eq!(read(&file), [batch]);
}

#[test]
fn numbers_keep_their_buffer() {
    let file = trevni::to_vec((0..1000).map(|number| (number, f64::from(number)))).unwrap();
    let batch = trevni::Reader::from_slice(&file)
        .unwrap()
        .batches()
        .unwrap()
        .batch_rows(1000)
        .next()
        .unwrap()
        .unwrap();
    let trevni::Vector::Record(record) = batch.vector() else { panic!("no record") };
    let trevni::Vector::Double(values) = &record.fields[1] else { panic!("no doubles") };
    let address = values.as_ptr();
    let rows = trevni_arrow::record_batch_of_batch(batch).unwrap();
    assert_eq!(rows.column(1).as_primitive::<types::Float64Type>().values().as_ptr(), address);
}

#[test]
fn batches_are_cut_where_keys_are_too_few() {
    let batch = |first: usize| {
        let texts: Vec<String> = (first..first + 120).map(|number| number.to_string()).collect();
        let texts = texts.iter().map(|text| Some(text.as_str())).collect::<DictionaryArray<Int8Type>>();
        column_of("d", Arc::new(texts))
    };
    let given: Vec<RecordBatch> = (0..10).map(|number| batch(120 * number)).collect();
    let mut writer = trevni_arrow::ArrowWriter::new(Vec::new(), given[0].schema()).unwrap();
    writer.write_all(given.into_iter().map(Ok)).unwrap();
    let again = read(&writer.finish().unwrap());
    assert_eq!(again.iter().map(RecordBatch::num_rows).sum::<usize>(), 1200);
    let mut number = 0;
    for batch in again {
        let column = batch.column(0).as_dictionary::<Int8Type>();
        for text in column.downcast_dict::<StringArray>().unwrap() {
            assert_eq!(text, Some(number.to_string().as_str()));
            number += 1;
        }
    }
}
