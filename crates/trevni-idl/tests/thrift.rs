//! The Thrift definitions of a shape: their text, and that a parser takes them.

mod common;

use common::{all_kinds, shape};
use pilota_thrift_parser::{File, FileParser, FileSource, Item, StructLike, Ty, Type};
use proptest::prelude::{ProptestConfig, proptest};
use std::collections::HashSet;
use trevni::Shape;

/// The parsed text.
fn parsed(text: &str) -> File {
    match FileParser::new(FileSource::new(text)).parse() {
        Ok(file) => file,
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// Checks that types are defined once, and before they are mentioned; that fields have names and numbers of their own.
fn check(text: &str) {
    let mut known = HashSet::new();
    for item in parsed(text).items {
        let name = match &item {
            Item::Struct(own) => fields(&own.struct_like, &known),
            Item::Union(own) => fields(&own.struct_like, &known),
            Item::Enum(own) => {
                let values: HashSet<String> = own.values.iter().map(|value| value.name.to_string()).collect();
                assert_eq!(values.len(), own.values.len(), "{text}");
                own.name.to_string()
            }
            other => panic!("{other:?}"),
        };
        assert!(known.insert(name.clone()), "{name} twice in\n{text}");
    }
}

fn fields(own: &StructLike, known: &HashSet<String>) -> String {
    let names: HashSet<String> = own.fields.iter().map(|field| field.name.to_string()).collect();
    assert_eq!(names.len(), own.fields.len());
    for (number, field) in own.fields.iter().enumerate() {
        assert_eq!(field.id as usize, number + 1);
        mentioned(&field.ty, known);
    }
    own.name.to_string()
}

fn mentioned(kind: &Type, known: &HashSet<String>) {
    match &**kind {
        Ty::List { value, .. } => mentioned(value, known),
        Ty::Map { key, value, .. } => {
            mentioned(key, known);
            mentioned(value, known);
        }
        Ty::Path(path) => {
            let name: Vec<&str> = path.segments.iter().map(|part| part.as_str()).collect();
            assert!(known.contains(&name.concat()), "{name:?} is not defined yet");
        }
        _ => {}
    }
}

#[test]
fn all_kinds_are_printed() {
    let text = trevni_idl::thrift("row", &all_kinds());
    assert_eq!(text, include_str!("all_kinds.thrift"));
    check(&text);
}

#[test]
fn rows_that_are_no_records_have_a_field() {
    let text = trevni_idl::thrift("a list", &Shape::list(Shape::list(Shape::Int)));
    assert_eq!(text, "struct AList {\n  1: required list<list<i32>> value\n}\n");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_shape_parses(shape in shape()) {
        check(&trevni_idl::thrift("some-file", &shape));
    }
}
