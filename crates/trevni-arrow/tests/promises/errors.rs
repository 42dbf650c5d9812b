//! What cannot be carried is an error that names the field.

use super::{column_of, list_of};
use arrow_array::types::Decimal256Type;
use arrow_array::*;
use arrow_buffer::{NullBuffer, ScalarBuffer, i256};
use arrow_schema::{DataType, Field, Fields, Schema, UnionFields, UnionMode};
use std::sync::Arc;
use trevni_arrow::{ArrowReader, ArrowWriter, ErrorKind, batch_of_record_batch, shape_of_schema};

fn refused(data_type: DataType) -> trevni_arrow::Error {
    let inner = Fields::from(vec![Field::new("inner", data_type, true)]);
    shape_of_schema(&Schema::new(vec![Field::new("outer", DataType::Struct(inner), false)])).unwrap_err()
}

#[test]
fn types_that_cannot_be_carried_are_named() {
    let deep = (0..200).fold(DataType::Int8, |inner, _| list_of(Field::new("item", inner, false)));
    let variants = UnionFields::from_fields([Field::new("a", DataType::Int8, true)]);
    let union = DataType::Union(variants, UnionMode::Dense);
    let dictionary = DataType::Dictionary(Box::new(DataType::Int8), Box::new(union));
    let twice =
        Fields::from(vec![Field::new("a", DataType::Int8, true), Field::new("a", DataType::Utf8, true)]);
    let no_union = DataType::Union(UnionFields::empty(), UnionMode::Dense);
    for (data_type, path) in [
        (deep, "outer.inner"),
        (dictionary, "outer.inner"),
        (DataType::Struct(twice), "outer.inner.a"),
        (no_union, "outer.inner"),
        (DataType::FixedSizeBinary(-1), "outer.inner"),
    ] {
        let error = refused(data_type);
        assert_eq!(error.path(), path, "{error}");
    }
}

#[test]
fn seconds_beyond_milliseconds_are_refused() {
    let seconds = TimestampSecondArray::from(vec![Some(1), None, Some(i64::MAX)]);
    let error = batch_of_record_batch(&column_of("when", Arc::new(seconds))).unwrap_err();
    assert_eq!(error.to_string(), "field when: a number of seconds is too large for milliseconds");
    // Under a null it is no value.
    let seconds =
        TimestampSecondArray::new(vec![1, i64::MAX].into(), Some(NullBuffer::from(vec![true, false])));
    assert!(batch_of_record_batch(&column_of("when", Arc::new(seconds))).is_ok());
}

#[test]
fn batches_of_other_columns_are_refused() {
    let batch = column_of("a", Arc::new(Int32Array::from(vec![1])));
    let mut writer = ArrowWriter::new(Vec::new(), batch.schema()).unwrap();
    let other = column_of("a", Arc::new(Int64Array::from(vec![1])));
    let error = writer.write(&other).unwrap_err();
    assert_eq!(error.path(), "a");
    assert!(matches!(error.kind(), ErrorKind::Schema { .. }));
    writer.write(&batch).unwrap();
}

#[test]
fn schemas_that_do_not_fit_are_refused() {
    let file = trevni::to_vec([(1, "a")]).unwrap();
    let reader = trevni::Reader::from_slice(&file).unwrap();
    let schema = |first| {
        let fields = vec![Field::new("_0", first, false), Field::new("_1", DataType::LargeUtf8, false)];
        ArrowReader::builder(&reader).schema(Arc::new(Schema::new(fields))).build()
    };
    assert!(schema(DataType::Int8).is_ok() && schema(DataType::UInt16).is_ok());
    let error = schema(DataType::Utf8).err().unwrap();
    assert_eq!(error.to_string(), "field _0: the file has Int32, not Utf8");
    let few = Arc::new(Schema::new(vec![Field::new("_0", DataType::Int32, false)]));
    assert!(ArrowReader::builder(&reader).schema(few).build().is_err());
}

#[test]
fn values_that_a_type_does_not_hold_are_refused() {
    let file = trevni::to_vec([(300, "a")]).unwrap();
    let reader = trevni::Reader::from_slice(&file).unwrap();
    let fields = vec![Field::new("_0", DataType::Int8, false), Field::new("_1", DataType::Utf8, false)];
    let mut batches = ArrowReader::builder(&reader).schema(Arc::new(Schema::new(fields))).build().unwrap();
    let error = batches.next().unwrap().unwrap_err();
    assert!(error.to_string().contains("field _0: a value is not one of Int8"), "{error}");

    let digits = PrimitiveArray::<Decimal256Type>::from(vec![i256::MAX]);
    let batch = column_of("n", Arc::new(digits.with_data_type(DataType::Decimal256(76, 0))));
    let file = super::file_of(&batch);
    assert_eq!(super::read(&file), [batch]);
}

/// Lists that all have the same items are small in memory, however long they are together.
#[test]
fn views_of_too_many_items_are_refused() {
    let count = 1 << 20;
    let field = Arc::new(Field::new("item", DataType::Boolean, false));
    let items = Arc::new(BooleanArray::from(vec![true; 8192]));
    let (starts, sizes) = (ScalarBuffer::from(vec![0_i32; count]), ScalarBuffer::from(vec![8192_i32; count]));
    let lists = ListViewArray::try_new(field, starts, sizes, items, None).unwrap();
    let error = batch_of_record_batch(&column_of("views", Arc::new(lists))).unwrap_err();
    assert_eq!(error.path(), "views");
    assert!(matches!(error.kind(), ErrorKind::TooMany { .. }), "{error}");
}

#[test]
fn errors_of_arrow_stay_what_they_are() {
    let mut writer = ArrowWriter::new(Vec::new(), Arc::new(Schema::empty())).unwrap();
    let failed = arrow_schema::ArrowError::ComputeError("no".to_owned());
    let error = writer.write_all([Err(failed)]).unwrap_err();
    assert!(matches!(arrow_schema::ArrowError::from(error), arrow_schema::ArrowError::ComputeError(_)));
}

/// A file of two rows with these texts, which have been put in place of others of as many bytes.
fn file_of_bytes(texts: [&[u8]; 2]) -> Vec<u8> {
    #[derive(serde::Serialize)]
    struct Row {
        id: i32,
        notes: Vec<Option<String>>,
    }
    let plain = texts.map(|text| "x".repeat(text.len()));
    let mut writer = trevni::Writer::builder()
        .codec(trevni::Codec::Null)
        .checksum(trevni::Checksum::Null)
        .build(Vec::new())
        .unwrap();
    writer
        .write_all((0..).zip(&plain).map(|(id, text)| Row { id, notes: vec![Some(text.clone())] }))
        .unwrap();
    let mut file = writer.finish().unwrap();
    let mut from = file.len();
    for (text, plain) in texts.iter().zip(&plain).rev() {
        let found = file[..from].windows(text.len()).rposition(|bytes| bytes == plain.as_bytes());
        from = found.expect("the text is there");
        file[from..from + text.len()].copy_from_slice(text);
    }
    file
}

#[test]
fn texts_that_are_not_utf_8_are_refused_whatever_they_are_read_as() {
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    for text in [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View, dictionary] {
        let schema = |file: &[u8]| {
            let reader = trevni::Reader::from_slice(file).unwrap();
            let item = Field::new("item", text.clone(), true);
            let fields =
                vec![Field::new("id", DataType::Int32, false), Field::new("notes", list_of(item), false)];
            let read = ArrowReader::builder(&reader).schema(Arc::new(Schema::new(fields))).build().unwrap();
            read.collect::<Result<Vec<_>, _>>()
        };
        assert_eq!(schema(&file_of_bytes([b"one", "é日".as_bytes()])).unwrap()[0].num_rows(), 2);
        // The last one is whole only together: a character lies across the border of two texts.
        for texts in [[b"a\xff", b"bc"], [b"ab", b"\x80c"], [b"ab", b"c\xc3"], [b"a\xc3", b"\xa9b"]] {
            let error = schema(&file_of_bytes(texts.map(|text| &text[..]))).unwrap_err().to_string();
            assert!(error.contains("notes"), "{text}: {error}");
        }
    }
}
