//! The constructors, one by one.

use serde::Deserialize;
use trevni::shape::EnumShape;
use trevni::vector::{Element, MapVector, Offsets, RecordVector, Span, UnionVector};
use trevni::{Batch, Binaries, Reader, Shape, Strings, Vector, Writer};

#[derive(Deserialize, Debug, PartialEq)]
struct Order {
    customer: String,
    paid: Option<f64>,
    items: Vec<Item>,
    state: State,
    tags: std::collections::BTreeMap<String, bool>,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Item {
    count: i32,
}

#[derive(Deserialize, Debug, PartialEq)]
enum State {
    Open,
    Closed,
}

#[test]
fn structs_read_what_was_built() {
    let item = Shape::record("Item", [("count", Shape::Int)]);
    let shape = Shape::record(
        "Order",
        [
            ("customer", Shape::String),
            ("paid", Shape::optional(Shape::Double)),
            ("items", Shape::list(item)),
            ("state", Shape::Enum(EnumShape::new("State", ["Open", "Closed"]))),
            ("tags", Shape::map(Shape::String, Shape::Boolean)),
        ],
    );
    let counts = RecordVector::new(3, vec![vec![1, 2, 3].into()]);
    let tags = MapVector::new(
        Offsets::from_ends([0, 1]).unwrap(),
        Vector::try_from_iter(["new"]).unwrap(),
        vec![true].into(),
    );
    let fields = vec![
        Vector::try_from_iter(["Ada", "Alan"]).unwrap(),
        Vector::try_from_options([None, Some(2.5)]).unwrap(),
        Vector::list(Offsets::from_lengths([2, 1]).unwrap(), counts),
        Vector::Enum(vec![1, 0]),
        tags.into(),
    ];
    let batch = Batch::try_new(shape, RecordVector::new(2, fields).into()).unwrap();
    assert_eq!((batch.len(), batch.first_row(), batch.selection().row_count()), (2, 0, 2));
    let expected = [
        Order {
            customer: "Ada".into(),
            paid: None,
            items: vec![Item { count: 1 }, Item { count: 2 }],
            state: State::Closed,
            tags: [].into(),
        },
        Order {
            customer: "Alan".into(),
            paid: Some(2.5),
            items: vec![Item { count: 3 }],
            state: State::Open,
            tags: [("new".to_owned(), true)].into(),
        },
    ];
    let rows: Vec<Order> = batch.rows().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows, expected);

    let mut writer = Writer::new(Vec::new()).unwrap();
    writer.write_batch(&batch).unwrap();
    let file = writer.finish().unwrap();
    assert_eq!(trevni::from_slice::<Vec<Order>>(&file).unwrap(), expected);
    assert_eq!(Reader::from_slice(&file).unwrap().shape(), batch.shape());
    let (shape, vector) = batch.into_parts();
    assert_eq!((shape.kind(), vector.len()), ("record", 2));
}

#[test]
fn offsets_are_checked() {
    assert_eq!(Offsets::from_lengths([]).unwrap(), Offsets::default());
    assert_eq!(Offsets::try_from(vec![0, 0, 5]).unwrap().lengths().collect::<Vec<_>>(), [0, 5]);
    assert!(Offsets::try_from(vec![]).is_err());
    assert!(Offsets::try_from(vec![1, 2]).is_err());
    let error = Offsets::from_ends([4, 3]).unwrap_err();
    assert_eq!(error.to_string(), "offsets must ascend: list 1 ends before it begins");
    assert!(Offsets::from_lengths([u32::MAX, 1]).is_err());
    assert_eq!(Offsets::from_lengths([u32::MAX]).unwrap().total(), u32::MAX as usize);
}

#[test]
fn texts_are_taken_over_where_they_lie() {
    let span = |start, end| Span { start, end };
    let buffer = String::from("..abécd..");
    let place = buffer.as_ptr();
    let texts =
        Strings::try_from_parts(buffer, vec![span(2, 4), span(4, 4), span(4, 6), span(7, 8)]).unwrap();
    assert_eq!(texts.iter().collect::<Vec<_>>(), ["ab", "", "é", "d"]);
    let file = {
        let batch = Batch::try_new(Shape::String, texts.clone().into()).unwrap();
        let mut writer = Writer::new(Vec::new()).unwrap();
        writer.write_batch(&batch).unwrap();
        writer.finish().unwrap()
    };
    assert_eq!(trevni::from_slice::<Vec<String>>(&file).unwrap(), ["ab", "", "é", "d"]);
    let (buffer, spans) = texts.into_parts();
    assert_eq!((buffer.as_ptr(), spans.len()), (place, 4));

    let refused = |spans| Strings::try_from_parts(buffer.clone(), spans).unwrap_err().to_string();
    assert_eq!(refused(vec![span(0, 5)]), "value 0 begins or ends within a character");
    for spans in
        [vec![span(0, 11)], vec![span(3, 4), span(2, 3)], vec![span(1, 0)], vec![span(0, 2), span(1, 3)]]
    {
        let number = spans.len() - 1;
        assert_eq!(refused(spans), format!("value {number} is out of order, or not in the buffer"));
    }
    let bytes = Binaries::try_from_parts(vec![1, 2, 3], vec![span(1, 3)]).unwrap();
    assert_eq!(bytes.get(0), Some(&[2, 3][..]));
    assert!(Binaries::try_from_parts(vec![1, 2, 3], vec![span(1, 4)]).is_err());
}

#[test]
fn elements_of_other_types_are_what_they_say() {
    struct Day(i32);

    impl Element for Day {
        fn collect(values: impl Iterator<Item = Self>) -> trevni::Result<Vector> {
            Ok(Vector::Int(values.map(|day| day.0).collect()))
        }
    }

    let vector = Vector::try_from_options([Some(Day(3)), None]).unwrap();
    let Vector::Optional(list) = vector else { panic!() };
    assert_eq!((list.validity().collect::<Vec<_>>(), list.item), (vec![true, false], vec![3].into()));
}

#[test]
fn variants_count_their_positions() {
    let union = UnionVector::new(vec![1, 0, 1, 7], vec![Vector::Null(1), vec![true, false].into()]);
    assert_eq!(union.positions, [0, 0, 1, 0]);
}
