//! Shapes by hand and by chance.

use proptest::prelude::{BoxedStrategy, Just, Strategy, prop, prop_oneof};
use trevni::Shape;
use trevni::shape::{EnumShape, FieldShape, FixedShape, Form, RecordShape};

/// A variant with a value.
pub(crate) fn variant(namespace: &'static str, name: &'static str, shape: Shape) -> Shape {
    let record = RecordShape::new(name, vec![FieldShape::new("_0", shape)]);
    Shape::Record(record.with_form(Form::NewtypeVariant).with_namespace(namespace))
}

/// Names, many of which are those of words, types, each other, or no identifiers.
fn name() -> BoxedStrategy<String> {
    const KNOWN: [&str; 28] = [
        "a", "a_b", "aB", "a-b", "A", "message", "string", "Row", "RowA", "AItems", "_", "1", "", "é", "end",
        "key", "value", "items", "\"", "//", "\n", "[x]", "option", "reserved", "google", "x y", "union",
        "Null",
    ];
    prop_oneof![4 => prop::sample::select(&KNOWN[..]).prop_map(str::to_owned), 1 => "[a-zA-Z_]{1,6}"].boxed()
}

fn distinct(names: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    names.into_iter().filter(|name| seen.insert(name.clone())).collect()
}

fn leaf() -> BoxedStrategy<Shape> {
    let symbols = prop::collection::vec(name(), 0..5).prop_map(distinct);
    let symbols = (name(), symbols).prop_map(|(name, symbols)| Shape::Enum(EnumShape::new(name, symbols)));
    prop_oneof![
        prop::sample::select(vec![
            Shape::Null,
            Shape::Boolean,
            Shape::Int,
            Shape::Long,
            Shape::U64,
            Shape::I128,
            Shape::U128,
            Shape::Float,
            Shape::Double,
            Shape::String,
            Shape::Bytes,
        ]),
        symbols,
        (name(), Just(3)).prop_map(|(name, size)| Shape::Fixed(FixedShape::new(name, size))),
    ]
    .boxed()
}

fn record(item: BoxedStrategy<Shape>) -> impl Strategy<Value = Shape> {
    let fields = (prop::collection::vec(name(), 0..5), prop::collection::vec(item, 5));
    (name(), fields)
        .prop_map(|(name, (names, shapes))| Shape::record(name, distinct(names).into_iter().zip(shapes)))
}

fn union(item: BoxedStrategy<Shape>) -> impl Strategy<Value = Shape> {
    (prop::collection::vec(name(), 1..4), prop::collection::vec(item, 4)).prop_map(|(names, shapes)| {
        let variants = distinct(names).into_iter().zip(shapes).map(|(name, shape)| {
            let record = RecordShape::new(name, vec![FieldShape::new("_0", shape)]);
            Shape::Record(record.with_form(Form::NewtypeVariant).with_namespace("Enum"))
        });
        let plain = [Shape::Int, Shape::list(Shape::String)];
        Shape::Union(variants.chain(plain).collect())
    })
}

/// Any shape.
pub(crate) fn shape() -> BoxedStrategy<Shape> {
    leaf()
        .prop_recursive(4, 40, 5, |item| {
            let key = prop::sample::select(vec![Shape::String, Shape::Int, Shape::U64, Shape::Double]);
            prop_oneof![
                record(item.clone()),
                item.clone().prop_map(Shape::list),
                item.clone().prop_map(Shape::optional),
                (key, item.clone()).prop_map(|(key, value)| Shape::map(key, value)),
                union(item),
            ]
        })
        .boxed()
}

/// A record of all kinds, which names of its own make hard.
pub(crate) fn all_kinds() -> Shape {
    let place = Shape::record("Place", [("lat", Shape::Double), ("long", Shape::Double)]);
    let color = Shape::Enum(EnumShape::new("Color", ["Red", "dark green", "RED"]));
    let contact = Shape::Union(vec![
        variant("Contact", "Mail", Shape::String),
        variant("Contact", "Home", place.clone()),
        variant("Contact", "Calls", Shape::list(Shape::Long)),
        Shape::Enum(EnumShape::new("Contact", ["Nobody"])),
    ]);
    Shape::record(
        "Row",
        [
            ("flag", Shape::Boolean),
            ("count", Shape::Int),
            ("big", Shape::U64),
            ("huge", Shape::I128),
            ("ratio", Shape::Float),
            ("name", Shape::optional(Shape::String)),
            ("raw-bytes", Shape::Bytes),
            ("id", Shape::Fixed(FixedShape::new("Id", 4))),
            ("color", color.clone()),
            ("place", place.clone()),
            ("earlier", Shape::optional(place.clone())),
            ("contact", contact.clone()),
            ("others", Shape::list(contact)),
            ("tags", Shape::list(Shape::String)),
            ("maybe_tags", Shape::optional(Shape::list(Shape::String))),
            ("grid", Shape::list(Shape::list(Shape::Int))),
            ("gaps", Shape::list(Shape::optional(Shape::Int))),
            ("counts", Shape::map(Shape::String, Shape::Long)),
            ("tracks", Shape::map(Shape::Int, Shape::list(place.clone()))),
            ("by_ratio", Shape::map(Shape::Double, color)),
            ("twice", Shape::optional(Shape::optional(Shape::Boolean))),
            ("nothing", Shape::Null),
            ("pair", Shape::tuple([Shape::Int, Shape::String])),
        ],
    )
}
