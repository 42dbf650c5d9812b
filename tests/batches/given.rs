//! A writer takes a shape as it is.

use trevni::shape::{EnumShape, FieldShape, Form, Null, OptionalShape, RecordShape};
use trevni::vector::RecordVector;
use trevni::{Batch, Reader, Shape, Vector, Writer};

/// A file of this shape without rows.
fn empty(shape: &Shape) -> Vec<u8> {
    Writer::builder().shape(shape).build(Vec::new()).unwrap().finish().unwrap()
}

#[test]
fn a_file_without_rows_has_its_columns() {
    let shape = Shape::record("Row", [("a", Shape::list(Shape::Int)), ("b", Shape::optional(Shape::String))]);
    let file = empty(&shape);
    let reader = Reader::from_slice(&file).unwrap();
    assert_eq!((reader.shape(), reader.row_count(), reader.columns().len()), (&shape, 0, 2));
}

#[test]
fn the_bytes_are_those_of_the_schema() {
    let enums =
        |namespace: &'static str| Shape::Enum(EnumShape::new("E", ["a b", "c"]).with_namespace(namespace));
    let variant = |name: &'static str, fields| {
        Shape::Record(RecordShape::new(name, fields).with_form(Form::StructVariant).with_namespace("int"))
    };
    let union = Shape::Union(vec![
        variant("string", vec![FieldShape::new("x-y", Shape::Int)]),
        variant("Row", vec![]),
        Shape::map(Shape::Int, Shape::Null),
    ]);
    let absent = Shape::Optional(Box::new(OptionalShape::new(Null::Absent, Shape::U64)));
    let shape = Shape::record(
        "int",
        [
            ("no name", Shape::record("", [("é", enums(""))])),
            ("é", enums("serde")),
            ("union", Shape::optional(union)),
            ("absent", absent),
            ("same", Shape::record("int", [("other", Shape::I128)])),
            ("twice", Shape::optional(Shape::optional(Shape::Null))),
        ],
    );
    let by_schema = Writer::builder().schema(shape.to_avro()).build(Vec::new()).unwrap();
    assert_eq!(empty(&shape), by_schema.finish().unwrap());

    let row = serde_json::json!({
        "no name": {"é": "c"}, "é": "a b", "union": null, "absent": 5, "same": {"other": -1}, "twice": null
    });
    let file = |mut writer: Writer<Vec<u8>>| {
        writer.write_all([&row, &row]).unwrap();
        writer.finish().unwrap()
    };
    let by_shape = file(Writer::builder().shape(&shape).build(Vec::new()).unwrap());
    assert_eq!(by_shape, file(Writer::builder().schema(shape.to_avro()).build(Vec::new()).unwrap()));
    assert_eq!(trevni::from_slice::<Vec<serde_json::Value>>(&by_shape).unwrap()[1]["absent"], 5);
}

#[test]
fn batches_of_the_shape_are_taken_whatever_its_names() {
    let shape = Shape::record("not a name", [("not-a-name", Shape::Int), ("not_a_name", Shape::Int)]);
    let fields = vec![vec![1, 2].into(), vec![3, 4].into()];
    let batch = Batch::try_new(shape.clone(), RecordVector::new(2, fields).into()).unwrap();
    let mut writer = Writer::builder().shape(&shape).build(Vec::new()).unwrap();
    writer.write_batch(&batch).unwrap();
    assert_eq!(writer.shape(), &shape);
    let file = writer.finish().unwrap();
    let rows: Vec<serde_json::Value> = trevni::from_slice(&file).unwrap();
    assert_eq!(rows[1], serde_json::json!({"not-a-name": 2, "not_a_name": 4}));
}

#[test]
fn types_of_one_name_are_told_apart() {
    let enums = |symbol| Shape::Enum(EnumShape::new("", [symbol]));
    let shape = Shape::Union(vec![enums("a"), enums("b"), Shape::record("", [("a", Shape::Int)])]);
    let variants =
        vec![Vector::Enum(vec![0]), Vector::Enum(vec![0]), RecordVector::new(1, vec![vec![7].into()]).into()];
    let vector = trevni::vector::UnionVector::new(vec![2, 1, 0], variants);
    let batch = Batch::try_new(shape, vector.into()).unwrap();
    let mut writer = Writer::new(Vec::new()).unwrap();
    writer.write_batch(&batch).unwrap();
    let rows: Vec<serde_json::Value> = trevni::from_slice(&writer.finish().unwrap()).unwrap();
    assert_eq!(rows, [serde_json::json!({"a": 7}), "b".into(), "a".into()]);
}

#[test]
fn absence_is_for_fields_alone() {
    let absent = |item| Shape::Optional(Box::new(OptionalShape::new(Null::Absent, item)));
    let shape = Shape::list(absent(Shape::Int));
    let vector = Vector::try_from_options([Some(1), None]).unwrap();
    let vector = Vector::list(trevni::vector::Offsets::from_lengths([2]).unwrap(), vector);
    let batch = Batch::try_new(shape.clone(), vector).unwrap();
    assert_eq!(batch.shape(), &Shape::list(Shape::optional(Shape::Int)));
    let mut writer = Writer::builder().shape(&shape).build(Vec::new()).unwrap();
    writer.write_batch(&batch).unwrap();
    let file = writer.finish().unwrap();
    assert_eq!(trevni::from_slice::<Vec<Vec<Option<i32>>>>(&file).unwrap(), [[Some(1), None]]);
}

#[test]
fn shapes_that_no_file_can_have_are_refused_before_the_first_row() {
    let refused = |shape: &Shape| match Writer::builder().shape(shape).build(Vec::new()) {
        Ok(_) => panic!("taken"),
        Err(error) => error.to_string(),
    };
    let union = Shape::record("Row", [("a", Shape::Union(vec![Shape::Union(vec![])]))]);
    assert_eq!(refused(&union), "a: a variant of a union is union: put an optional around the union");
    let deep = (0..200).fold(Shape::Int, |shape, _| Shape::list(shape));
    assert_eq!(refused(&deep), "nested deeper than 96 levels");
}
