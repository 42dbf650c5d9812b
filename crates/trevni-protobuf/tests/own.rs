//! Rows as messages of their own type: what is printed for them describes what is written.

mod common;
#[path = "../../trevni-idl/tests/common/mod.rs"]
#[allow(dead_code, reason = "shapes by hand are for others")]
mod shapes;

use common::{lines, read, written};
use proptest::prelude::{ProptestConfig, proptest};
use proptest::test_runner::RngSeed;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::error::Error;
use trevni::shape::EnumShape;
use trevni::{Batch, Reader, Shape, Vector};
use trevni_protobuf::{DescriptorPool, MessageDescriptor, Options, Writer, own_message};

/// Finds one text, under the name `rows.proto`.
struct Text(String);

impl FileResolver for Text {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match name {
            "rows.proto" => File::from_source(name, &self.0),
            name => Err(protox::Error::file_not_found(name)),
        }
    }
}

/// The message that a compiler makes of the printed text.
fn compiled(shape: &Shape) -> MessageDescriptor {
    let definitions = trevni_idl::proto("row", shape);
    let mut resolver = ChainFileResolver::new();
    resolver.add(Text(definitions.to_string()));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_file("rows.proto").unwrap();
    let pool = DescriptorPool::from_file_descriptor_set(compiler.file_descriptor_set()).unwrap();
    pool.get_message_by_name(&definitions.messages[0].name).unwrap()
}

fn fields(message: &MessageDescriptor) -> Vec<String> {
    let file = message.parent_file();
    let messages = file.messages();
    messages
        .flat_map(|message| message.fields().map(|field| format!("{field:?}")).collect::<Vec<_>>())
        .collect()
}

fn own(batches: &[Batch]) -> Result<Vec<u8>, trevni_protobuf::Error> {
    let mut writer = Writer::own("row", batches[0].shape(), Vec::new())?;
    batches.iter().try_for_each(|batch| writer.write_batch(batch))?;
    writer.finish()
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(16),
        cases: 300,
        ..ProptestConfig::default()
    })]

    #[test]
    fn descriptors_are_those_of_the_text(shape in shapes::shape()) {
        assert_eq!(fields(&own_message("row", &shape).unwrap()), fields(&compiled(&shape)));
        Writer::own("row", &shape, Vec::new()).unwrap();
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Place {
    lat: f64,
    long: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Color {
    Red,
    #[serde(rename = "dark green")]
    DarkGreen,
    #[serde(rename = "RED")]
    Shout,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Contact {
    Mail(String),
    Home(Place),
    Calls(Vec<i64>),
    Pair(u8, u64),
    Full { first: String },
    Nobody,
}

/// Rows whose messages are these rows again, but for optional structs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    flag: bool,
    small: i8,
    big: u64,
    name: Option<String>,
    #[serde(rename = "with-dash", with = "serde_bytes")]
    bytes: Vec<u8>,
    color: Color,
    place: Place,
    earlier: Option<Place>,
    tags: Vec<String>,
    places: Vec<Place>,
    counts: BTreeMap<String, i64>,
    by_number: BTreeMap<u64, Place>,
    nothing: (),
    #[serde(rename = "aB")]
    other: i32,
    a_b: i32,
}

fn flat() -> Vec<Flat> {
    let place = Place { lat: -0.0, long: f32::MIN_POSITIVE };
    let full = Flat {
        flag: true,
        small: -7,
        big: u64::MAX,
        name: Some(String::new()),
        bytes: vec![0, 255],
        color: Color::DarkGreen,
        place: place.clone(),
        earlier: Some(Place { lat: 0.0, long: 0.0 }),
        tags: vec![String::new(), "t".to_owned()],
        places: vec![place.clone(), place.clone()],
        counts: [("b".to_owned(), 0), ("a".to_owned(), -1)].into(),
        by_number: [(0, place.clone()), (u64::MAX, place)].into(),
        nothing: (),
        other: 1,
        a_b: 2,
    };
    let empty = Flat {
        flag: false,
        small: 0,
        big: 0,
        name: None,
        bytes: Vec::new(),
        color: Color::Red,
        earlier: None,
        tags: Vec::new(),
        places: Vec::new(),
        counts: BTreeMap::new(),
        by_number: BTreeMap::new(),
        ..full.clone()
    };
    let shout = Flat { color: Color::Shout, ..empty.clone() };
    vec![full, empty, shout]
}

fn batches<T: Serialize>(rows: &[T]) -> Result<Vec<Batch>, Box<dyn Error>> {
    let file = trevni::to_vec(rows)?;
    Ok(Reader::from_slice(&file)?.batches()?.collect::<trevni::Result<_>>()?)
}

#[test]
fn flat_rows_come_back() -> Result<(), Box<dyn Error>> {
    let batches = batches(&flat())?;
    let message = compiled(batches[0].shape());
    let bytes = own(&batches)?;
    // A value of an enum whose name had to change comes back by the new one.
    let back = read(&bytes, &message, &Options::new())?;
    let wanted = lines(&batches).into_iter().map(|line| line.replace("dark green", "dark_green"));
    let wanted: Vec<String> = wanted.map(|line| line.replace("\"RED\"", "\"Color_RED_2\"")).collect();
    assert_eq!(lines(&back), wanted);
    // The compiled text serves as well as what was made at once.
    let mut given = Writer::new(batches[0].shape(), &message, Vec::new())?;
    let error = batches.iter().try_for_each(|batch| given.write_batch(batch)).unwrap_err().to_string();
    assert_eq!(error, "row 2: color: enum Flat.Color has no value \"RED\"");
    // The second reading is the first one to the byte.
    assert_eq!(written(&back, &message)?, bytes);
    Ok(())
}

#[derive(Serialize)]
struct Nested {
    contact: Contact,
    maybe: Option<Contact>,
    contacts: Vec<Contact>,
    maybe_tags: Option<Vec<String>>,
    grid: Vec<Vec<i32>>,
    gaps: Vec<Option<i32>>,
    twice: Option<Option<bool>>,
    by_ratio: Vec<(f64, Vec<u8>)>,
    lists: BTreeMap<String, Vec<i32>>,
    huge: i128,
    pair: (i32, String),
}

/// What protocol buffers cannot say directly gets a message of one field.
#[test]
fn nested_rows_have_messages_of_one_field() -> Result<(), Box<dyn Error>> {
    let place = Place { lat: 1.0, long: 2.0 };
    let contacts = [
        Contact::Mail("m".to_owned()),
        Contact::Home(place),
        Contact::Calls(vec![1, -2]),
        Contact::Pair(1, 2),
        Contact::Full { first: "f".to_owned() },
        Contact::Nobody,
    ];
    let rows: Vec<Nested> = (0..contacts.len())
        .map(|number| Nested {
            contact: contacts[number].clone(),
            maybe: contacts.get(number + 1).cloned(),
            contacts: contacts[number..].to_vec(),
            maybe_tags: [None, Some(Vec::new()), Some(vec!["t".to_owned()])][number % 3].clone(),
            grid: vec![vec![1, 2], Vec::new(), vec![3]],
            gaps: vec![Some(0), None, Some(-1)],
            twice: [None, Some(None), Some(Some(false))][number % 3],
            by_ratio: vec![(0.5, vec![1])],
            lists: [("l".to_owned(), vec![1, 2]), ("m".to_owned(), Vec::new())].into(),
            huge: i128::MIN,
            pair: (0, "p".to_owned()),
        })
        .collect();
    let batches = batches(&rows)?;
    let bytes = own(&batches)?;
    let message = compiled(batches[0].shape());
    assert_eq!(written(&batches, &message)?, bytes, "the compiled text serves as well");
    let back = read(&bytes, &message, &Options::new())?;
    assert_eq!(written(&back, &message)?, bytes);
    let wanted = r#"{"contact":{"Home":{"lat":1.0,"long":2.0}},"maybe":{"maybe_Calls":{"items":[1,-2]}},"contacts":[{"value":{"Home":{"lat":1.0,"long":2.0}}},{"value":{"Calls":{"items":[1,-2]}}},{"value":{"Pair":[1,2]}},{"value":{"Full":{"first":"f"}}},{"value":{"Contact":"Nobody"}}],"maybe_tags":{"items":[]},"grid":[{"items":[1,2]},{"items":[]},{"items":[3]}],"gaps":[{"value":0},{"value":null},{"value":-1}],"twice":{"value":null},"by_ratio":[[0.5,[1]]],"lists":{"l":{"items":[1,2]},"m":{"items":[]}},"huge":[128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"pair":[0,"p"]}"#;
    assert_eq!(lines(&back)[1], wanted);
    Ok(())
}

#[test]
fn rows_that_are_no_records() -> Result<(), Box<dyn Error>> {
    let batches = batches(&[Some(vec![1, 2]), None])?;
    let bytes = own(&batches)?;
    assert_eq!(
        lines(&read(&bytes, &compiled(batches[0].shape()), &Options::new())?),
        [r#"{"value":{"items":[1,2]}}"#, r#"{"value":null}"#]
    );
    Ok(())
}

#[test]
fn what_a_message_cannot_hold_is_refused() -> Result<(), Box<dyn Error>> {
    let message = common::descriptor("test.kinds.Kinds");
    let error = |shape: Shape, vector: Vector| {
        let batch = Batch::try_new(shape, vector).unwrap();
        written(&[batch], &message).map(drop).unwrap_err().to_string()
    };
    let row = |name: &'static str, shape: Shape| Shape::record("R", [(name, shape)]);
    let one = |vector: Vector| trevni::vector::RecordVector::new(vector.len(), vec![vector]).into();
    let empty = |shape: &Shape| Vector::new(shape);
    let none = row("no_such", Shape::Int);
    assert_eq!(error(none.clone(), empty(&none)), "no_such: message test.kinds.Kinds has no such field");
    let text = row("int32_", Shape::String);
    assert_eq!(error(text.clone(), empty(&text)), "int32_: a string for field int32_ of type int32");
    let list = row("string_", Shape::list(Shape::String));
    assert_eq!(error(list.clone(), empty(&list)), "string_: a list for field string_ of type string");
    let single = row("packed", Shape::Int);
    assert_eq!(error(single.clone(), empty(&single)), "packed: a int for repeated field packed");
    assert_eq!(
        error(row("int32_", Shape::Long), one(vec![1i64 << 31].into())),
        "row 0: int32_: 2147483648 is no int32"
    );
    assert_eq!(error(row("uint64_", Shape::Int), one(vec![7, -1].into())), "row 1: uint64_: -1 is no uint64");
    assert_eq!(error(row("float_", Shape::Double), one(vec![0.1].into())), "row 0: float_: 0.1 is no float");
    let nulls = Vector::try_from_options([Some(1), None])?;
    let wanted = "row 1: int32_: null, which the message cannot say here";
    assert_eq!(error(row("int32_", Shape::optional(Shape::Int)), one(nulls.clone())), wanted);
    let fits = row("maybe_number", Shape::optional(Shape::Int));
    assert_eq!(written(&[Batch::try_new(fits, one(nulls))?], &message)?, [3, 0x88, 1, 1, 0]);
    let color = row("color", Shape::Enum(EnumShape::new("Color", ["red", "Green"])));
    let wanted = "row 1: color: enum test.kinds.Color has no value \"Green\"";
    assert_eq!(error(color, one(Vector::Enum(vec![0, 1]))), wanted);
    let json = error(row("object", Shape::String), one(Vector::try_from_iter(["{}", "[1]"])?));
    assert_eq!(json, "row 1: object: no JSON for google.protobuf.Struct: not an object or array");
    let legacy = common::descriptor("Legacy");
    let missing = Writer::new(&row("name", Shape::String), &legacy, Vec::new()).unwrap_err().to_string();
    assert_eq!(missing, "field id of message test.legacy.Legacy is required, and rows lack it");
    Ok(())
}
