//! A file keeps the values of its dictionaries; what is kept may be damaged, left over, or not there.

use super::{batch_of, column_of, file_of, read};
use arrow_array::cast::AsArray;
use arrow_array::types::Int8Type;
use arrow_array::*;
use arrow_schema::{DataType, Field, Schema};
use std::sync::Arc;
use trevni::{Reader, Writer};
use trevni_arrow::{
    ARROW_DICTIONARIES, ARROW_SCHEMA, ArrowReader, ArrowWriter, OrderedDictionaries, column, schema_of_reader,
};

fn dictionary(keys: &[Option<i8>], values: &[&str]) -> ArrayRef {
    let values = Arc::new(StringArray::from_iter_values(values));
    Arc::new(DictionaryArray::<Int8Type>::new(Int8Array::from(keys.to_vec()), values))
}

fn ordered(array: ArrayRef) -> RecordBatch {
    let field = Field::new("size", array.data_type().clone(), true).with_dict_is_ordered(true);
    batch_of(field, array)
}

/// The values of the dictionary of a column, and whether they have an order.
fn values(batch: &RecordBatch) -> (Vec<String>, bool) {
    let values = batch.column(0).as_any_dictionary().values().as_string::<i32>();
    let field = batch.schema().field(0).clone();
    (values.iter().flatten().map(str::to_owned).collect(), field.dict_is_ordered() == Some(true))
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn all_values_come_back_in_their_order() {
    let batch = ordered(dictionary(&[Some(2), None, Some(0)], &["lo", "mid", "hi"]));
    let file = file_of(&batch);
    assert_eq!(read(&file), std::slice::from_ref(&batch));
    assert_eq!(values(&read(&file)[0]), (words(&["lo", "mid", "hi"]), true));
    let reader = Reader::from_slice(&file).unwrap();
    let rows = ArrowReader::new(&reader).unwrap();
    assert!(rows.has_dictionaries());
    assert_eq!(values(&rows.empty().unwrap()).0, ["lo", "mid", "hi"]);
    // Rows one by one, and those of conditions, have them too.
    for batch in ArrowReader::builder(&reader).batch_size(1).build().unwrap() {
        assert_eq!(values(&batch.unwrap()).0, ["lo", "mid", "hi"]);
    }
}

#[test]
fn a_dictionary_of_nulls_is_carried() {
    let nulls =
        DictionaryArray::<Int8Type>::new(Int8Array::from(vec![None, None]), Arc::new(NullArray::new(0)));
    let batch = column_of("a", Arc::new(nulls));
    assert_eq!(read(&file_of(&batch)), [batch]);
}

/// A file whose metadata has other values, or none, in place of those that the writer made.
fn with_values(batch: &RecordBatch, kept: Option<&[u8]>) -> Vec<u8> {
    let file = file_of(batch);
    let reader = Reader::from_slice(&file).unwrap();
    let schema = reader.metadata().get_str(ARROW_SCHEMA).unwrap().to_owned();
    let mut writer = Writer::builder().schema(reader.shape().to_avro()).metadata(ARROW_SCHEMA, schema);
    if let Some(kept) = kept {
        writer = writer.metadata(ARROW_DICTIONARIES, kept);
    }
    let mut writer = writer.build(Vec::new()).unwrap();
    for batch in reader.batches().unwrap() {
        writer.write_batch(&batch.unwrap()).unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn values_that_are_not_kept_have_no_order() {
    let batch = ordered(dictionary(&[Some(2), None, Some(0)], &["lo", "mid", "hi"]));
    let file = with_values(&batch, None);
    assert_eq!(values(&read(&file)[0]), (words(&["hi", "lo"]), false));
}

#[test]
fn damaged_values_do_no_harm() {
    let batch = ordered(dictionary(&[Some(2), None, Some(0)], &["lo", "mid", "hi"]));
    let file = file_of(&batch);
    let kept = Reader::from_slice(&file).unwrap().metadata().get(ARROW_DICTIONARIES).unwrap().to_vec();
    let rows = |kept: &[u8]| {
        let batches = read(&with_values(&batch, Some(kept)));
        let strings = arrow_cast_to_strings(&batches[0]);
        assert_eq!(strings, [Some("hi"), None, Some("lo")].map(|word| word.map(str::to_owned)));
    };
    rows(&[]);
    for place in 0..kept.len() {
        rows(&kept[..place]);
        for bit in [1, 0x80] {
            let mut changed = kept.clone();
            changed[place] ^= bit;
            rows(&changed);
        }
    }
    // Those of other columns, of other types, twice the same, and too few.
    rows(&file_of(&column_of("a", Arc::new(Int8Array::from(vec![1])))));
    for list in [vec!["a", "a"], vec!["lo"], vec![], vec!["x"; 300]] {
        let item = Arc::new(Field::new("item", DataType::Utf8, false));
        let texts = Arc::new(StringArray::from_iter_values(&list));
        let offsets = arrow_buffer::OffsetBuffer::from_lengths([list.len()]);
        rows(&file_of(&column_of("_0", Arc::new(ListArray::new(item, offsets, texts, None)))));
    }
}

fn arrow_cast_to_strings(batch: &RecordBatch) -> Vec<Option<String>> {
    let dictionary = batch.column(0).as_dictionary::<Int8Type>().downcast_dict::<StringArray>().unwrap();
    dictionary.into_iter().map(|word| word.map(str::to_owned)).collect()
}

#[test]
fn values_of_rows_that_are_not_kept_follow_the_others() {
    let batch = ordered(dictionary(&[Some(2), None, Some(0)], &["lo", "mid", "hi"]));
    let few = file_of(&ordered(dictionary(&[Some(0)], &["lo", "mid"])));
    let kept = Reader::from_slice(&few).unwrap().metadata().get(ARROW_DICTIONARIES).unwrap().to_vec();
    let batches = read(&with_values(&batch, Some(&kept)));
    assert_eq!(values(&batches[0]).0, ["lo", "mid", "hi"]);
}

#[test]
fn a_column_alone_has_its_values() {
    let keys = Int32Array::from(vec![Some(1), None]);
    let array = DictionaryArray::new(keys, Arc::new(StringArray::from_iter_values(["b", "a", "c"])));
    let batch = column_of("a", Arc::new(array.clone()));
    let file = file_of(&batch);
    let read = column(&Reader::from_slice(&file).unwrap(), "a").unwrap();
    assert_eq!(read.to_data(), array.to_data());
}

#[test]
fn merged_files_have_values_that_are_those_of_all() {
    let one = file_of(&ordered(dictionary(&[Some(1)], &["lo", "hi"])));
    let same = file_of(&ordered(dictionary(&[Some(0)], &["lo", "hi"])));
    let other = file_of(&ordered(dictionary(&[Some(0)], &["hi", "lo"])));
    for (second, wanted) in [(same, (vec!["lo", "hi"], true)), (other, (vec!["hi"], false))] {
        let readers = [&one, &second].map(|file| Reader::from_slice(file).unwrap());
        let mut merged = Vec::new();
        trevni::merge::Merge::new().write(&readers, &mut merged).unwrap();
        let batches = read(&merged);
        assert_eq!(values(&batches[0]), (words(&wanted.0), wanted.1));
    }
}

#[test]
fn ordered_dictionaries_of_files_are_joined() {
    let files = [vec!["lo", "hi"], vec!["lo", "mid", "hi"], vec!["hi", "lo"]]
        .map(|values| file_of(&ordered(dictionary(&[Some(0)], &values))));
    let readers = files.each_ref().map(|file| Reader::from_slice(file).unwrap());
    let schemas = readers.each_ref().map(|reader| schema_of_reader(reader).unwrap());
    let all: Vec<(&Reader<'_>, &Schema)> = readers.iter().zip(&schemas).collect();
    for (count, wanted, has_order) in [(2, ["lo", "mid", "hi"].as_slice(), true), (3, &["lo", "hi"], false)] {
        let mut joined = schemas[0].clone();
        let shared = OrderedDictionaries::join(&all[..count], &mut joined);
        assert_eq!(joined.field(0).dict_is_ordered(), Some(has_order));
        let rows = ArrowReader::builder(&readers[0]).ordered_dictionaries(shared).build().unwrap();
        assert_eq!(values(&rows.map(Result::unwrap).next().unwrap()).0, wanted);
    }
}

#[test]
fn a_dictionary_that_grows_is_kept_with_all_that_it_has() {
    let first = column_of("a", dictionary(&[Some(0)], &["a", "b"]));
    let mut writer = ArrowWriter::new(Vec::new(), first.schema()).unwrap();
    writer.write(&first).unwrap();
    writer.write(&column_of("a", dictionary(&[Some(1)], &["c", "a"]))).unwrap();
    let batches = read(&writer.finish().unwrap());
    assert_eq!(values(&batches[0]).0, ["a", "b", "c"]);
}
