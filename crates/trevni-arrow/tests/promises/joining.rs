//! Schemas that differ: the one that has the rows of all, and these rows.

use arrow_array::builder::{Int32Builder, ListBuilder, StringDictionaryBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Decimal128Type, DurationMicrosecondType, Int8Type, Int64Type, TimestampMicrosecondType,
};
use arrow_array::{
    Array, ArrayRef, Decimal128Array, DurationSecondArray, FixedSizeBinaryArray, Int32Array, Int64Array,
    RecordBatch, StringArray, StructArray, TimestampSecondArray, UInt64Array, UnionArray, new_null_array,
};
use arrow_schema::{DataType, Field, Fields, IntervalUnit, Schema, TimeUnit, UnionFields};
use std::collections::HashMap;
use std::sync::Arc;
use trevni_arrow::{ErrorKind, cast_record_batch, join_schemas};

use super::{batch_of, column_of};

fn schema(data_type: &DataType) -> Schema {
    Schema::new(vec![Field::new("v", data_type.clone(), false)])
}

fn joined(one: &DataType, two: &DataType) -> Option<DataType> {
    let (one, two) = (schema(one), schema(two));
    match join_schemas(&[&one, &two]) {
        Ok(joined) => Some(joined.field(0).data_type().clone()),
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::Differ { first: 0, second: 1, .. }), "{error}");
            assert_eq!(error.path().split('.').next(), Some("v"));
            None
        }
    }
}

fn list(item: DataType) -> DataType {
    DataType::List(Arc::new(Field::new("item", item, true)))
}

fn record(fields: &[(&str, DataType)]) -> DataType {
    DataType::Struct(fields.iter().map(|(name, kind)| Field::new(*name, kind.clone(), true)).collect())
}

fn dictionary(key: DataType, value: DataType) -> DataType {
    DataType::Dictionary(Box::new(key), Box::new(value))
}

fn map(value: DataType) -> DataType {
    let entry =
        Fields::from(vec![Field::new("key", DataType::Utf8, false), Field::new("value", value, true)]);
    DataType::Map(Arc::new(Field::new("entries", DataType::Struct(entry), false)), false)
}

/// A batch of one column of an extension type.
fn addresses(extension: &str, values: &[&[u8]]) -> RecordBatch {
    let array = FixedSizeBinaryArray::try_from_iter(values.iter()).unwrap();
    let metadata = HashMap::from([("ARROW:extension:name".to_owned(), extension.to_owned())]);
    let field = Field::new("v", array.data_type().clone(), false).with_metadata(metadata);
    RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![Arc::new(array)]).unwrap()
}

#[test]
fn addresses_of_two_families_are_of_any() {
    let v4 = addresses("trevni.ipv4-address", &[&[10, 0, 0, 9]]);
    let v6 = addresses("trevni.ipv6-address", &[&[1; 16]]);
    let any = addresses("trevni.ip-address", &[&[6; 17]]);
    for (one, two) in [(&v4, &v6), (&v6, &v4), (&v4, &any), (&any, &v6)] {
        let joined: Arc<Schema> = join_schemas(&[&one.schema(), &two.schema()]).unwrap().into();
        assert_eq!(*joined, *any.schema());
        let value = |batch| {
            let batch = cast_record_batch(batch, &joined).unwrap();
            batch.column(0).as_fixed_size_binary().value(0).to_vec()
        };
        assert_eq!(value(&v4), [&[4, 10, 0, 0, 9][..], &[0; 12]].concat());
        assert_eq!(value(&v6), [&[6][..], &[1; 16]].concat());
        assert_eq!(value(&any), [6; 17]);
    }
    let networks = [
        addresses("trevni.ipv4-network", &[&[10, 0, 0, 0, 8]]),
        addresses("trevni.ipv6-network", &[&[1; 17]]),
    ];
    let joined: Arc<Schema> = join_schemas(&[&networks[0].schema(), &networks[1].schema()]).unwrap().into();
    assert_eq!(*joined, *addresses("trevni.ip-network", &[&[0; 18]]).schema());
    let cast = cast_record_batch(&networks[0], &joined).unwrap();
    let expected = [&[4, 10, 0, 0, 0][..], &[0; 12], &[8]].concat();
    assert_eq!(cast.column(0).as_fixed_size_binary().value(0), expected);
    // Networks are no addresses, though both have 17 bytes.
    let error = join_schemas(&[&any.schema(), &networks[1].schema()]).unwrap_err().to_string();
    assert!(error.contains("ip-address") && error.contains("ipv6-network"), "{error}");
}

#[test]
fn types_have_the_values_of_both() {
    use DataType::*;
    use TimeUnit::*;
    let utc = || Some("UTC".into());
    for (one, two, both) in [
        (Int8, UInt8, Int16),
        (Int32, UInt32, Int64),
        (UInt8, UInt64, UInt64),
        (Int64, UInt64, Decimal128(20, 0)),
        (Int8, UInt64, Decimal128(20, 0)),
        (Int8, Float32, Float64),
        (Float16, Float32, Float32),
        (Decimal128(5, 1), Decimal128(5, 2), Decimal128(6, 2)),
        (Decimal128(38, 0), Decimal128(5, 2), Decimal256(40, 2)),
        (Decimal32(9, 0), Decimal32(9, 4), Decimal64(13, 4)),
        (Decimal128(5, -2), Decimal128(3, 1), Decimal128(8, 1)),
        (Decimal128(5, 1), Int64, Decimal128(20, 1)),
        (Decimal128(5, 1), Float32, Float64),
        (Utf8, LargeUtf8, LargeUtf8),
        (Utf8, Utf8View, Utf8View),
        (Utf8, Binary, Binary),
        (Utf8View, LargeBinary, BinaryView),
        (FixedSizeBinary(3), FixedSizeBinary(4), Binary),
        (Date32, Date64, Date64),
        (Time32(Second), Time32(Millisecond), Time32(Millisecond)),
        (Time32(Millisecond), Time64(Nanosecond), Time64(Nanosecond)),
        (Timestamp(Second, None), Timestamp(Microsecond, None), Timestamp(Microsecond, None)),
        (Timestamp(Second, utc()), Timestamp(Second, Some("Europe/Paris".into())), Timestamp(Second, utc())),
        (Duration(Second), Duration(Nanosecond), Duration(Nanosecond)),
        (
            Interval(IntervalUnit::DayTime),
            Interval(IntervalUnit::YearMonth),
            Interval(IntervalUnit::MonthDayNano),
        ),
        (dictionary(Int8, Utf8), dictionary(Int32, LargeUtf8), dictionary(Int32, LargeUtf8)),
        (dictionary(Int8, Utf8), Utf8, Utf8),
        (dictionary(Int8, Int32), dictionary(Int8, Int64), Int64),
        (list(Int32), list(Int64), list(Int64)),
        (
            list(record(&[("a", Int8)])),
            list(record(&[("b", Int8)])),
            list(record(&[("a", Int8), ("b", Int8)])),
        ),
        (FixedSizeList(Arc::new(Field::new("item", Int8, true)), 2), list(Int8), list(Int8)),
        (map(Int32), map(Int64), map(Int64)),
        (record(&[("a", Int32)]), record(&[("a", Int64)]), record(&[("a", Int64)])),
        // Absent and null are both null beside plain values.
        (record(&[("some", Int32)]), Int64, Int64),
    ] {
        assert_eq!(joined(&one, &two).as_ref(), Some(&both), "{one} and {two}");
        if !one.is_nested() || !matches!(both, List(_)) {
            assert_eq!(joined(&two, &one), Some(both.clone()), "{two} and {one}");
        }
        assert_eq!(joined(&both, &one).as_ref(), Some(&both), "{both} has {one}");
        assert_eq!(joined(&one, &one).as_ref(), Some(&one));
    }
}

#[test]
fn types_that_have_nothing_in_common_are_named() {
    use DataType::*;
    let seconds = |zone: Option<&str>| Timestamp(TimeUnit::Second, zone.map(Into::into));
    for (one, two) in [
        (Boolean, Int8),
        (Int64, Utf8),
        (Date32, seconds(None)),
        (seconds(None), seconds(Some("UTC"))),
        (Duration(TimeUnit::Second), Int64),
        (Decimal256(76, 0), Decimal256(76, 1)),
        (record(&[("a", Int8)]), map(Int8)),
        (list(Int8), Int8),
    ] {
        assert_eq!(joined(&one, &two), None, "{one} and {two}");
        assert_eq!(joined(&two, &one), None, "{two} and {one}");
        assert_eq!(joined(&record(&[("a", one.clone())]), &record(&[("a", two.clone())])), None);
        assert_eq!(joined(&list(one), &list(two)), None);
    }
    let schemas = [schema(&Int8), schema(&Int16), schema(&record(&[("a", list(Utf8))])), schema(&Int8)];
    let error = join_schemas(&schemas.iter().collect::<Vec<_>>()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Differ { first: 0, second: 2, .. }));
    let inner = [schema(&record(&[("a", list(Utf8))])), schema(&record(&[("a", list(Int8))]))];
    let error = join_schemas(&inner.iter().collect::<Vec<_>>()).unwrap_err();
    let text = "field v.a: Utf8 in schema 0 and Int8 in schema 1 have no type in common";
    assert_eq!(error.to_string(), text);
}

/// The rows of batches, as those of the schema of all.
fn rows(batches: &[RecordBatch]) -> Vec<RecordBatch> {
    let schemas: Vec<_> = batches.iter().map(RecordBatch::schema).collect();
    let schema = Arc::new(join_schemas(&schemas.iter().map(AsRef::as_ref).collect::<Vec<_>>()).unwrap());
    let cast = |batch: &RecordBatch| {
        let rows = cast_record_batch(batch, &schema).unwrap();
        rows.column(0).to_data().validate_full().unwrap();
        rows
    };
    batches.iter().map(cast).collect()
}

#[test]
fn values_are_the_same_in_the_finer_unit() {
    let one = column_of("v", Arc::new(DurationSecondArray::from(vec![Some(2), None])));
    let two = column_of("v", Arc::new(new_duration(5)));
    let rows = self::rows(&[one, two]);
    let values: Vec<_> =
        rows.iter().flat_map(|rows| rows.column(0).as_primitive::<DurationMicrosecondType>()).collect();
    assert_eq!(values, [Some(2_000_000), None, Some(5)]);
}

fn new_duration(micros: i64) -> arrow_array::DurationMicrosecondArray {
    vec![micros].into()
}

#[test]
fn values_without_a_place_are_errors() {
    let micros = Schema::new(vec![Field::new("v", DataType::Timestamp(TimeUnit::Microsecond, None), true)]);
    let far = column_of("v", Arc::new(TimestampSecondArray::from(vec![Some(i64::MAX)])));
    let near = column_of("v", Arc::new(TimestampSecondArray::from(vec![Some(1), None])));
    assert!(cast_record_batch(&far, &micros.clone().into()).is_err());
    let rows = cast_record_batch(&near, &micros.into()).unwrap();
    assert_eq!(rows.column(0).as_primitive::<TimestampMicrosecondType>().value(0), 1_000_000);

    let double = Arc::new(Schema::new(vec![Field::new("v", list(DataType::Float64), true)]));
    let integers = |value: i64| {
        let items = ListBuilder::new(arrow_array::builder::Int64Builder::new());
        let mut items = items.with_field(Field::new("item", DataType::Int64, true));
        items.append_value([Some(value), None]);
        column_of("v", Arc::new(items.finish()))
    };
    for exact in [0, 1 << 53, i64::MIN, 3 << 60, -(1 << 62)] {
        assert!(cast_record_batch(&integers(exact), &double).is_ok(), "{exact}");
    }
    for inexact in [(1 << 53) + 1, i64::MAX, i64::MIN + 1] {
        let error = cast_record_batch(&integers(inexact), &double).unwrap_err();
        assert_eq!(error.to_string(), "field v: an integer above 2⁵³ has no equal in Float64");
    }
}

#[test]
fn integers_with_and_without_sign_are_all_there() {
    let signed = column_of("v", Arc::new(Int64Array::from(vec![-3, i64::MIN])));
    let unsigned = column_of("v", Arc::new(UInt64Array::from(vec![u64::MAX])));
    let rows = rows(&[unsigned, signed]);
    let values: Vec<_> =
        rows.iter().flat_map(|rows| rows.column(0).as_primitive::<Decimal128Type>()).collect();
    assert_eq!(values, [Some(u64::MAX.into()), Some(-3), Some(i64::MIN.into())]);
}

#[test]
fn decimals_keep_their_values() {
    let decimals = |value, precision, scale| {
        let array = Decimal128Array::from(vec![value]).with_precision_and_scale(precision, scale);
        column_of("v", Arc::new(array.unwrap()))
    };
    let rows = rows(&[decimals(15, 5, 1), decimals(125, 5, 2)]);
    let text = |rows: &RecordBatch| rows.column(0).as_primitive::<Decimal128Type>().value_as_string(0);
    assert_eq!(rows.iter().map(text).collect::<Vec<_>>(), ["1.50", "1.25"]);
}

#[test]
fn nested_fields_that_are_not_there_are_null() {
    let of = |name: &str, values: ArrayRef| {
        let fields = vec![(Arc::new(Field::new(name, values.data_type().clone(), false)), values)];
        StructArray::from(fields)
    };
    let one = of("a", Arc::new(Int32Array::from(vec![1, 2])));
    let two = of("b", Arc::new(StringArray::from(vec!["x", "y"])));
    let lists = |items: StructArray| -> ArrayRef {
        let field = Arc::new(Field::new("item", items.data_type().clone(), true));
        let offsets = arrow_buffer::OffsetBuffer::from_lengths([2]);
        Arc::new(arrow_array::ListArray::new(field, offsets, Arc::new(items), None))
    };
    let rows = rows(&[column_of("v", lists(one)), column_of("v", lists(two))]);
    let items = |rows: &RecordBatch| rows.column(0).as_list::<i32>().value(0).as_struct().clone();
    let (one, two) = (items(&rows[0]), items(&rows[1]));
    assert_eq!(one.column(0).as_ref(), &Int32Array::from(vec![1, 2]) as &dyn Array);
    assert_eq!((one.column(1).null_count(), two.column(0).null_count()), (2, 2));
    assert_eq!(two.column(1).as_string::<i32>().value(1), "y");
}

#[test]
fn unions_have_the_variants_of_both() {
    let union = |name: &str, values: ArrayRef| {
        let fields = UnionFields::from_fields([Field::new(name, values.data_type().clone(), true)]);
        let ids = vec![0; values.len()];
        column_of("v", Arc::new(UnionArray::try_new(fields, ids.into(), None, vec![values]).unwrap()))
    };
    let none = column_of("other", Arc::new(Int32Array::from(vec![7])));
    let rows = rows(&[
        union("a", Arc::new(Int32Array::from(vec![1, 2]))),
        union("b", Arc::new(StringArray::from(vec!["x"]))),
        none,
    ]);
    let at = |batch: &RecordBatch, row| batch.column(0).as_union().value(row);
    assert_eq!(at(&rows[0], 1).as_primitive::<arrow_array::types::Int32Type>().value(0), 2);
    assert_eq!(at(&rows[1], 0).as_string::<i32>().value(0), "x");
    assert_eq!(at(&rows[2], 0).data_type(), &DataType::Null);
}

#[test]
fn categories_are_those_of_both() {
    const CATEGORIES: &str = "_PL_ENUM_VALUES2";
    let of = |categories: &str, value: &str| {
        let mut values = StringDictionaryBuilder::<Int8Type>::new();
        values.append_value(value);
        let array = values.finish();
        let metadata = HashMap::from([(CATEGORIES.to_owned(), categories.to_owned())]);
        batch_of(Field::new("v", array.data_type().clone(), true).with_metadata(metadata), Arc::new(array))
    };
    let rows = rows(&[of("1;x4;é;2", "x"), of("4;é;21;z", "z")]);
    let schema = rows[0].schema();
    assert_eq!(schema.field(0).metadata().get(CATEGORIES).unwrap(), "1;x4;é;21;z");
    let text = |rows: &RecordBatch| {
        rows.column(0).as_dictionary::<Int8Type>().values().as_string::<i32>().value(0).to_owned()
    };
    assert_eq!(rows.iter().map(text).collect::<Vec<_>>(), ["x", "z"]);
    for damaged in ["x", "9;x", "1;é", ";"] {
        let both = self::rows(&[of("1;x", "x"), of(damaged, "x")]);
        assert_eq!(both[0].schema().field(0).metadata().get(CATEGORIES), None, "{damaged}");
    }
}

#[test]
fn metadata_are_what_all_say() {
    let of = |pairs: &[(&str, &str)]| {
        let pairs: HashMap<_, _> =
            pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let field = Field::new("v", DataType::FixedSizeBinary(16), true).with_metadata(pairs.clone());
        Schema::new_with_metadata(vec![field], pairs)
    };
    let name = "ARROW:extension:name";
    let one =
        of(&[("unit", "m"), ("by", "me"), (name, "own"), ("ARROW:extension:metadata", "1"), ("pandas", "1")]);
    let two = of(&[
        ("unit", "m"),
        ("by", "you"),
        (name, "own"),
        ("ARROW:extension:metadata", "2"),
        ("pandas", "2"),
    ]);
    let joined = join_schemas(&[&one, &two]).unwrap();
    assert_eq!(joined.field(0).metadata(), &HashMap::from([("unit".to_owned(), "m".to_owned())]));
    assert_eq!(joined.metadata().get("pandas").map(String::as_str), Some("1"));
    assert_eq!(joined.metadata().get("by"), None);
    assert_eq!(join_schemas(&[&one, &one]).unwrap(), one);
    assert_eq!(join_schemas(&[]).unwrap(), Schema::empty());
}

#[test]
fn nulls_that_would_take_too_much_memory_are_refused() {
    let wide = Field::new("wide", DataType::FixedSizeBinary(i32::MAX), true);
    let rows = column_of("v", Arc::new(Int64Array::from(vec![1; 1000])));
    let schema = join_schemas(&[&rows.schema(), &Schema::new(vec![wide])]).unwrap();
    let error = cast_record_batch(&rows, &schema.into()).unwrap_err();
    assert_eq!(error.path(), "wide");
    assert!(matches!(error.kind(), ErrorKind::TooMany { .. }));
}

#[test]
fn columns_of_nulls_take_any_type() {
    let mut items = ListBuilder::new(Int32Builder::new());
    items.append_value([Some(1)]);
    let null = column_of("v", new_null_array(&DataType::Null, 2));
    let rows = rows(&[null, column_of("v", Arc::new(items.finish()))]);
    assert_eq!((rows[0].column(0).null_count(), rows[1].column(0).null_count()), (2, 0));
    assert_eq!(rows[0].column(0).data_type(), rows[1].column(0).data_type());
    let kept: Vec<_> = rows[1]
        .column(0)
        .as_list::<i32>()
        .value(0)
        .as_primitive::<arrow_array::types::Int32Type>()
        .iter()
        .collect();
    assert_eq!(kept, [Some(1)]);
    let integers = column_of("v", Arc::new(Int64Array::from(vec![1])));
    assert_eq!(self::rows(&[integers])[0].column(0).as_primitive::<Int64Type>().value(0), 1);
}

#[test]
fn absent_and_null_are_null_beside_plain_values() {
    // `{}`, `{"v": null}` and `{"v": 1}` in one file, 2 in another.
    let some: ArrayRef = Arc::new(Int32Array::from(vec![None, None, Some(1)]));
    let fields = Fields::from(vec![Field::new("some", DataType::Int32, true)]);
    let absent = arrow_buffer::NullBuffer::from(vec![false, true, true]);
    let both: ArrayRef = Arc::new(StructArray::new(fields, vec![some], Some(absent)));
    let rows = rows(&[column_of("v", both), column_of("v", Arc::new(Int64Array::from(vec![2])))]);
    let values: Vec<_> = rows.iter().flat_map(|rows| rows.column(0).as_primitive::<Int64Type>()).collect();
    assert_eq!(values, [None, None, Some(1), Some(2)]);
}
