//! What is no batch is refused, with its path.

use trevni::shape::{EnumShape, FieldShape, FixedShape, RecordShape};
use trevni::vector::{ListVector, MapVector, Offsets, RecordVector, UnionVector};
use trevni::{Batch, Binaries, Category, Shape, Vector};

/// The message for a field `a` of a row.
#[track_caller]
fn refused(shape: Shape, vector: Vector, message: &str) {
    let row = Shape::record("Row", [("a", shape)]);
    let error = Batch::try_new(row, RecordVector::new(vector.len(), vec![vector]).into()).unwrap_err();
    assert_eq!((error.to_string(), error.category()), (message.to_owned(), Category::Shape));
}

fn offsets<const N: usize>(lengths: [u32; N]) -> Offsets {
    Offsets::from_lengths(lengths).unwrap()
}

#[test]
fn vectors_of_another_form() {
    refused(Shape::Int, vec![1i64].into(), "a: a vector of long for a shape of int");
    refused(Shape::String, Binaries::default().into(), "a: a vector of bytes for a shape of string");
    refused(Shape::list(Shape::Int), vec![1].into(), "a: a vector of int for a shape of list");
    let list = Vector::list(offsets([1]), vec![1]);
    refused(Shape::optional(Shape::Int), list.clone(), "a: a vector of list for a shape of optional");
    refused(Shape::list(Shape::Double), list, "a: a vector of int for a shape of double");
    let inner = Shape::record("Inner", [("b", Shape::Int)]);
    let vector = RecordVector::new(1, vec![vec![true].into()]);
    refused(inner, vector.into(), "a.b: a vector of boolean for a shape of int");
}

#[test]
fn lengths_that_differ() {
    let row = Shape::record("Row", [("a", Shape::Int), ("b", Shape::Int)]);
    let error = |vector: RecordVector| Batch::try_new(row.clone(), vector.into()).unwrap_err().to_string();
    assert_eq!(
        error(RecordVector::new(2, vec![vec![1, 2].into(), vec![1].into()])),
        "b: 1 entries for 2 records"
    );
    assert_eq!(error(RecordVector::new(2, vec![vec![1, 2].into()])), "1 vectors for 2 fields");
    let list = Shape::list(Shape::Int);
    refused(list.clone(), Vector::list(offsets([2]), vec![1]), "a: 1 items where the offsets say 2");
    refused(list, Vector::list(offsets([1]), vec![1, 2]), "a: 2 items where the offsets say 1");
    let map = Shape::map(Shape::String, Shape::Int);
    let keys = || Vector::try_from_iter(["k"]).unwrap();
    let vector = MapVector::new(offsets([1]), keys(), Vector::Int(vec![]));
    refused(map.clone(), vector.into(), "a.value: 0 entries where the offsets say 1");
    let vector = MapVector::new(offsets([2]), keys(), vec![1, 2].into());
    refused(map, vector.into(), "a.key: 1 entries where the offsets say 2");
}

#[test]
fn optionals_of_more_than_one_value() {
    let list = ListVector::new(offsets([1, 2]), vec![1, 2, 3].into());
    let shape = || Shape::optional(Shape::Int);
    refused(shape(), Vector::Optional(Box::new(list)), "a: entry 1 of an optional has more than one value");
    let list = ListVector::new(offsets([1, 0]), vec![1, 2].into());
    refused(shape(), Vector::Optional(Box::new(list)), "a: 2 values where the offsets say 1");
    let error = Vector::try_optional([true, false], vec![1, 2]).unwrap_err();
    assert_eq!(error.to_string(), "2 values for 1 entries that are there");
}

#[test]
fn symbols_and_sizes() {
    let shape = || Shape::Enum(EnumShape::new("E", ["one", "two"]));
    refused(shape(), Vector::Enum(vec![0, 2]), "a: entry 1 is not one of the 2 symbols");
    refused(shape(), Vector::Enum(vec![-1]), "a: entry 0 is not one of the 2 symbols");
    let bytes = || Vector::try_from_iter([&[1u8, 2][..], &[1]]).unwrap();
    refused(Shape::Fixed(FixedShape::new("F", 2)), bytes(), "a: entry 1 is not of 2 bytes");
    refused(Shape::I128, bytes(), "a: entry 0 is not of 16 bytes");
}

#[test]
fn unions() {
    let shape = || Shape::Union(vec![Shape::Int, Shape::Boolean]);
    let union = |tags: Vec<u16>| UnionVector::new(tags, vec![vec![5].into(), vec![true].into()]);
    refused(shape(), union(vec![0, 2]).into(), "a: entry 1 is variant 2 of 2");
    refused(shape(), union(vec![0]).into(), "a.boolean: 1 values where the tags say 0");
    refused(shape(), union(vec![0, 0, 1]).into(), "a.int: 1 values where the tags say 2");
    refused(shape(), UnionVector::new(vec![], vec![Vector::Null(0)]).into(), "a: 1 vectors for 2 variants");
    let mut swapped = UnionVector::new(vec![0, 0], vec![vec![1, 2].into(), vec![true; 0].into()]);
    swapped.positions.swap(0, 1);
    refused(shape(), swapped.into(), "a: entry 0 is at position 1 of its variant, not at 0, the next");
    let mut cut = union(vec![0, 1]);
    cut.positions.clear();
    refused(shape(), cut.into(), "a: 2 tags and 0 positions");
}

#[test]
fn shapes_that_no_file_can_have() {
    let empty = |shape: &Shape| Vector::new(shape);
    let cases = [
        (
            Shape::Union(vec![Shape::Int, Shape::Null]),
            "a variant of a union is null: put an optional around the union",
        ),
        (
            Shape::Union(vec![Shape::optional(Shape::Int)]),
            "a variant of a union is optional: put an optional around the union",
        ),
        (
            Shape::Union(vec![Shape::Union(vec![])]),
            "a variant of a union is union: put an optional around the union",
        ),
        (Shape::Union(vec![Shape::Long, Shape::U64]), "two variants of a union are both long"),
        (
            Shape::Union(vec![Shape::Enum(EnumShape::new("E", ["a"])); 2]),
            "two variants of a union are both E",
        ),
        (
            Shape::Record(RecordShape::new("R", vec![FieldShape::new("b", Shape::Int); 2])),
            "duplicate field \"b\" in one record",
        ),
    ];
    for (shape, message) in cases {
        let vector = empty(&shape);
        refused(shape, vector, &format!("a: {message}"));
    }
    let deep = (0..200).fold(Shape::Int, |shape, _| Shape::list(shape));
    let vector = empty(&deep);
    let error = Batch::try_new(deep, vector).unwrap_err();
    assert_eq!(error.to_string(), "nested deeper than 96 levels");
}

#[test]
fn unknown_parts_are_null() {
    let batch = Batch::try_new(
        Shape::record("R", [("a", Shape::Unknown)]),
        RecordVector::new(2, vec![Vector::Null(2)]).into(),
    );
    assert_eq!(batch.unwrap().shape(), &Shape::record("R", [("a", Shape::Null)]));
    let list = Vector::list(offsets([0, 0]), Vector::Null(0));
    assert_eq!(Batch::try_new(Shape::list(Shape::Unknown), list).unwrap().len(), 2);
}
