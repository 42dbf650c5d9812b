//! Strings of messages, read, written and as shapes.

use super::{Field, Kind, Message, Primitive, Repetition, parse, write};
use crate::levels::leaves;
use crate::shape::Shape;

const DOCUMENT: &str = "message Document {
  required int64 DocId;
  optional group Links {
    repeated int64 Backward;
    repeated int64 Forward;
  }
  repeated group Name {
    repeated group Language {
      required string Code;
      optional string Country;
    }
    optional string Url;
  }
}
";

#[test]
fn a_printed_message_is_read_and_printed_the_same() {
    assert_eq!(write(&parse(DOCUMENT).unwrap()), DOCUMENT);
    let words = DOCUMENT.replace(['\n', '\t'], " ").replace("required", "REQUIRED").replace("group", "Group");
    assert_eq!(parse(&format!("\t{words} and more")).unwrap(), parse(DOCUMENT).unwrap());
}

#[test]
fn names_are_any_run_of_other_characters() {
    let text = "message b.2 {\n  required int32 a\r;\n  optional group message {\n    repeated binary é-日;\n  }\n}\n";
    let message = parse(text).unwrap();
    assert_eq!(message.name, "b.2");
    assert_eq!(message.fields[0].name, "a\r");
    let below = vec![Field {
        name: "é-日".to_owned(),
        repetition: Repetition::Repeated,
        kind: Kind::Leaf(Primitive::Binary),
    }];
    assert_eq!(message.fields[1].kind, Kind::Group(below));
    assert_eq!(write(&message), text);
}

#[test]
fn errors_say_where() {
    for (text, expected) in [
        ("", "line 1: ends where \"message\" should be"),
        ("massage M {", "line 1: \"massage\" where \"message\" should be"),
        ("message {", "line 1: \"{\" where the name of the message should be"),
        ("message M", "line 1: ends where \"{\" should be"),
        ("message M {\n", "line 2: ends before the group is closed"),
        ("message M {}", "line 1: the group M has no fields"),
        ("message M {\n  required group g { }\n}", "line 2: the group g has no fields"),
        (
            "message M {\n  int32 a;\n}",
            "line 2: \"int32\" where \"required\", \"optional\" or \"repeated\" should",
        ),
        ("message M {\n  required int96 a;\n}", "line 2: \"int96\" is not a type"),
        ("message M {\n  required int32 a }", "line 2: \"}\" where \";\" should be"),
        (
            "message M {\n  required int32 a;\n optional int32 a;\n}",
            "line 3: two fields of M are named \"a\"",
        ),
    ] {
        let message = parse(text).unwrap_err().to_string();
        assert!(message.starts_with(&format!("message schema: {expected}")), "{message}");
    }
}

#[test]
fn deep_groups_are_refused() {
    let text = format!("message M {{ {}", "required group g { ".repeat(100_000));
    assert!(parse(&text).unwrap_err().to_string().starts_with("nested deeper than"));
}

/// Greatest levels of the leaves of a message.
fn levels(fields: &[Field], repetition: u8, definition: u8, found: &mut Vec<(u8, u8)>) {
    for field in fields {
        let (more_r, more_d) = match field.repetition {
            Repetition::Required => (0, 0),
            Repetition::Optional => (0, 1),
            Repetition::Repeated => (1, 1),
        };
        let (repetition, definition) = (repetition + more_r, definition + more_d);
        match &field.kind {
            Kind::Leaf(_) => found.push((repetition, definition)),
            Kind::Group(below) => levels(below, repetition, definition, found),
        }
    }
}

#[test]
fn leaves_of_a_message_are_those_of_the_shape() {
    let text = Shape::String;
    let pair =
        || Shape::record("Pair", [("a", Shape::optional(Shape::Int)), ("b", Shape::list(Shape::Double))]);
    for (shape, expected) in [
        (Shape::list(Shape::optional(Shape::Int)), "repeated group value { optional int32 item; }"),
        (Shape::list(Shape::list(Shape::Int)), "repeated group value { repeated int32 item; }"),
        (Shape::optional(Shape::list(Shape::Int)), "optional group value { repeated int32 item; }"),
        (Shape::optional(Shape::optional(Shape::Long)), "optional group value { optional int64 item; }"),
        (
            Shape::map(text.clone(), pair()),
            "repeated group value { required string key; required group value { optional int32 a; \
             repeated double b; } }",
        ),
        (
            Shape::optional(Shape::map(text, Shape::list(Shape::Float))),
            "optional group value { repeated group map { required string key; repeated float value; } }",
        ),
        (
            Shape::list(Shape::Union(vec![Shape::Int, Shape::list(Shape::Bytes)])),
            "repeated group value { optional int32 int; optional group array { repeated binary item; } }",
        ),
    ] {
        let message = Message::from_shape(&shape);
        let printed = write(&message);
        let words: Vec<&str> = printed.split_whitespace().collect();
        assert_eq!(words.join(" "), format!("message row {{ {expected} }}"));
        assert_eq!(parse(&printed).unwrap(), message);
        let mut found = Vec::new();
        levels(&message.fields, 0, 0, &mut found);
        let of_shape: Vec<_> =
            leaves(&shape).iter().map(|leaf| (leaf.max_repetition, leaf.max_definition)).collect();
        assert_eq!(found, of_shape);
    }
}

#[test]
fn nothing_is_an_optional_that_is_never_there() {
    let shape = Shape::record("R", [("n", Shape::Null), ("l", Shape::list(Shape::Null))]);
    let text =
        "message R {\n  optional boolean n;\n  repeated group l {\n    optional boolean item;\n  }\n}\n";
    assert_eq!(shape.to_message(), text);
    assert_eq!(Shape::Null.to_message(), "message row {\n  optional boolean value;\n}\n");
}

#[test]
fn names_that_cannot_be_in_the_text_are_written_otherwise() {
    let names = ["", "a b", "a;", "{", "a\n", "_", "a%20b"];
    let shape = Shape::record("my row", names.map(|name| (name, Shape::Int)));
    let message = parse(&shape.to_message()).unwrap();
    assert_eq!(message, Message::from_shape(&shape));
    let found: Vec<&str> = message.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(message.name, "my%20row");
    assert_eq!(found, ["_", "a%20b", "a%3b", "%7b", "a%0a", "__", "a%20b_"]);
}

#[test]
fn messages_are_shapes() {
    let shape = Shape::from_message(DOCUMENT).unwrap();
    let language =
        Shape::record("Language", [("Code", Shape::String), ("Country", Shape::optional(Shape::String))]);
    let name = [("Language", Shape::list(language)), ("Url", Shape::optional(Shape::String))];
    let links = [("Backward", Shape::list(Shape::Long)), ("Forward", Shape::list(Shape::Long))];
    let expected = Shape::record(
        "Document",
        [
            ("DocId", Shape::Long),
            ("Links", Shape::optional(Shape::record("Links", links))),
            ("Name", Shape::list(Shape::record("Name", name))),
        ],
    );
    assert_eq!(shape, expected);
    assert_eq!(shape.to_message(), DOCUMENT);
}
