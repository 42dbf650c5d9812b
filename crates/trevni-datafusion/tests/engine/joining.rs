//! Files whose Arrow types differ, as one table.

use crate::support::{Folder, cells, error, session};
use datafusion::arrow::array::{
    Array, ArrayRef, Decimal128Array, Int32Array, Int64Array, ListArray, MapArray, RecordBatch, StringArray,
    StructArray, TimestampMicrosecondArray, TimestampSecondArray, UInt64Array, UnionArray,
};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field, Fields, Schema, UnionFields};
use std::sync::Arc;
use trevni_arrow::ArrowWriter;

/// A file of one column, `v`.
fn write(folder: &Folder, name: &str, values: ArrayRef) {
    let field = Field::new("v", values.data_type().clone(), true);
    let batch = RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![values]).unwrap();
    let mut writer = ArrowWriter::create(folder.join(name), batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
}

/// The values of files of these, as texts, for a condition.
async fn joined(parts: impl IntoIterator<Item = ArrayRef>, select: &str, condition: &str) -> Vec<String> {
    let folder = Folder::new();
    for (number, values) in parts.into_iter().enumerate() {
        write(&folder, &format!("p{number}.trv"), values);
    }
    let from = folder.join("*.trv");
    let mut found = cells(&session(), &format!("SELECT {select} FROM '{from}' WHERE {condition}")).await;
    found.sort();
    found
}

fn integers(values: &[i32]) -> ArrayRef {
    Arc::new(Int32Array::from(values.to_vec()))
}

fn record(name: &str, values: ArrayRef) -> StructArray {
    let field = Field::new(name, values.data_type().clone(), true);
    StructArray::new(vec![field].into(), vec![values], None)
}

fn list(items: StructArray) -> ArrayRef {
    let field = Arc::new(Field::new("item", items.data_type().clone(), true));
    Arc::new(ListArray::new(field, OffsetBuffer::from_lengths([items.len()]), Arc::new(items), None))
}

fn map(values: ArrayRef) -> ArrayRef {
    let fields = Fields::from(vec![
        Field::new("key", DataType::Utf8, false),
        Field::new("value", values.data_type().clone(), true),
    ]);
    let keys: ArrayRef = Arc::new(StringArray::from(vec!["k"; values.len()]));
    let entries = StructArray::new(fields.clone(), vec![keys, values], None);
    let field = Arc::new(Field::new("entries", DataType::Struct(fields), false));
    Arc::new(MapArray::new(field, OffsetBuffer::from_lengths([entries.len()]), entries, None, false))
}

fn union(name: &str, values: ArrayRef) -> ArrayRef {
    let fields = UnionFields::from_fields([Field::new(name, values.data_type().clone(), true)]);
    let (ids, offsets) = (vec![0; values.len()], (0..values.len() as i32).collect());
    Arc::new(UnionArray::try_new(fields, ids.into(), Some(offsets), vec![values]).unwrap())
}

#[tokio::test]
async fn numbers_have_the_values_of_both() {
    let signed = || Arc::new(Int64Array::from(vec![-3])) as ArrayRef;
    let unsigned = || Arc::new(UInt64Array::from(vec![u64::MAX, 7])) as ArrayRef;
    assert_eq!(joined([signed(), unsigned()], "v", "true").await, ["-3", "18446744073709551615", "7"]);
    assert_eq!(joined([unsigned(), signed()], "v", "v < 8").await, ["-3", "7"]);
    let decimal = |value, scale| {
        let values = Decimal128Array::from(vec![value]).with_precision_and_scale(5, scale);
        Arc::new(values.unwrap()) as ArrayRef
    };
    assert_eq!(joined([decimal(15, 1), decimal(125, 2)], "v", "true").await, ["1.25", "1.50"]);
    assert_eq!(joined([decimal(15, 1), decimal(125, 2)], "v", "v = 1.25 OR v = 1.5").await, ["1.25", "1.50"]);
}

#[tokio::test]
async fn instants_have_the_finer_unit() {
    let parts = || {
        let seconds: ArrayRef = Arc::new(TimestampSecondArray::from(vec![1]));
        let micros: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![1_500_000]));
        [seconds, micros]
    };
    let both = ["1970-01-01T00:00:01", "1970-01-01T00:00:01.500"];
    assert_eq!(joined(parts(), "v", "true").await, both);
    assert_eq!(joined(parts(), "v", "v > '1970-01-01T00:00:01.2'").await, both[1..]);
    assert_eq!(joined(parts(), "max(v)", "true").await, both[1..]);
}

#[tokio::test]
async fn fields_that_a_file_lacks_are_null_at_any_depth() {
    let one = || record("a", integers(&[1]));
    let two = || record("b", Arc::new(record("c", integers(&[2]))));
    let records = || [Arc::new(one()) as ArrayRef, Arc::new(two())];
    assert_eq!(joined(records(), "v", "true").await, ["{a: , b: {c: 2}}", "{a: 1, b: }"]);
    assert_eq!(joined(records(), "v['b']['c']", "v['a'] IS NULL").await, ["2"]);
    assert_eq!(joined(records(), "v['a']", "v['a'] = 1").await, ["1"]);
    let lists = joined([list(one()), list(two())], "v", "true").await;
    assert_eq!(lists, ["[{a: , b: {c: 2}}]", "[{a: 1, b: }]"]);
    let maps = joined([map(Arc::new(one())), map(Arc::new(two()))], "v", "true").await;
    assert_eq!(maps, ["{k: {a: , b: {c: 2}}}", "{k: {a: 1, b: }}"]);
    let nested = |inner: StructArray| Arc::new(record("r", list(inner))) as ArrayRef;
    assert_eq!(joined([nested(one()), nested(two())], "v['r'][1]['a']", "true").await, ["", "1"]);
}

#[tokio::test]
async fn unions_have_the_variants_of_both() {
    let text = || Arc::new(StringArray::from(vec!["x"])) as ArrayRef;
    let found = joined([union("n", integers(&[1])), union("t", text())], "v", "true").await;
    assert_eq!(found, ["{n=1}", "{t=x}"]);
}

#[tokio::test]
async fn files_without_rows_fit_anything_and_others_are_named() {
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["x"]));
    let nothing: ArrayRef = Arc::new(record("a", integers(&[1])).slice(0, 0));
    assert_eq!(joined([nothing, Arc::clone(&texts)], "v", "v = 'x'").await, ["x"]);
    let folder = Folder::new();
    write(&folder, "a.trv", Arc::new(record("s", integers(&[1]))));
    write(&folder, "b.trv", Arc::new(record("s", texts)));
    let found = error(&session(), &format!("SELECT * FROM '{}'", folder.join("*.trv"))).await;
    assert!(found.contains("b.trv: field v.s is Utf8 here and Int32 in"), "{found}");
    assert!(found.contains("a.trv, which have no type in common"), "{found}");
}
