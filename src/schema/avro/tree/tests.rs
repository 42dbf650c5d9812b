//! Names mean what Avro says, and no text takes more than a shape does.

use super::{AvroKind, AvroNode, AvroSchema, NodeParts, ShapedNode};
use crate::shape::Shape;
use proptest::prelude::*;
use serde_json::json;
use std::sync::Arc;

fn root(text: &str) -> Arc<AvroNode> {
    AvroSchema::parse(text).unwrap().root
}

fn fields(node: &AvroNode) -> Vec<(&str, &AvroNode)> {
    match &node.kind {
        AvroKind::Record(fields) => fields.iter().map(|field| (&*field.name, &*field.node)).collect(),
        other => panic!("{other:?}"),
    }
}

fn branches(node: &AvroNode) -> Vec<&str> {
    match &node.kind {
        AvroKind::Union(branches) => branches.iter().map(|branch| &*branch.name).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn names_are_found_as_avro_has_it() {
    let root = root(
        r#"{"type": "record", "name": "a.R", "fields": [
            {"name": "x", "type": {"type": {"type": "fixed", "name": "F", "size": 2}}},
            {"name": "y", "type": ["F", "null"]},
            {"name": "z", "type": {"type": "record", "name": "S", "namespace": "b", "fields": [
                {"name": "f", "type": {"type": "fixed", "name": "F", "size": 3}}, {"name": "g", "type": "F"},
                {"name": "h", "type": {"type": "a.F", "serde": "other"}}]}},
            {"name": "e", "type": {"type": "error", "name": "E", "namespace": "", "fields": [
                {"name": "long", "type": {"type": "enum", "name": "long", "symbols": ["A"]}},
                {"name": "own", "type": "long"}, {"name": "far", "type": "b.F"}]}}]}"#,
    );
    let all = fields(&root);
    assert_eq!(all[0].1.kind, AvroKind::Fixed(2));
    assert_eq!(branches(all[1].1), ["a.F", "null"]);
    let inner = fields(all[2].1);
    assert_eq!(all[2].1.name, "b.S");
    let found: Vec<_> = inner.iter().map(|(_, node)| (&*node.name, &node.kind)).collect();
    let (two, three) = (AvroKind::Fixed(2), AvroKind::Fixed(3));
    assert_eq!(found, [("b.F", &three), ("b.F", &three), ("a.F", &two)]);
    assert!(inner[2].1.properties.is_empty());
    let [(_, symbols), (_, own), (_, far)] = fields(all[3].1)[..] else { panic!("three fields") };
    assert_eq!((&*all[3].1.name, &*symbols.name, &*far.name), ("E", "long", "b.F"));
    assert!(matches!(&symbols.kind, AvroKind::Enum { symbols, default: None } if *symbols == ["A"]));
    assert_eq!(own.kind, AvroKind::Primitive(Shape::Long), "no type is called like a primitive one");
}

#[test]
fn branches_have_full_names() {
    let root = root(
        r#"{"type":"record","name":"R","namespace":"a.b","fields":[
            {"name":"x","type":["null",{"type":"enum","name":"E","symbols":["S"]},"long"]},
            {"name":"y","type":["E",{"type":"null","serde":"unseen"},{"type":"array","items":"E"}]},
            {"name":"z","type":{"type":"array","items":["null",{"type":"fixed","name":"F","namespace":"","size":2}]}},
            {"name":"v","type":[{"type":"record","name":"int","namespace":"E","fields":[{"name":"_0","type":"int"}]}]}]}"#,
    );
    let all = fields(&root);
    assert_eq!(branches(all[0].1), ["null", "a.b.E", "long"]);
    assert_eq!(branches(all[1].1), ["a.b.E", "null", "array"]);
    let AvroKind::Array(item) = &all[2].1.kind else { panic!("no array") };
    assert_eq!(branches(item), ["null", "F"]);
    assert_eq!(branches(all[3].1), ["E.int"]);
}

#[test]
fn all_that_a_text_says_is_kept() {
    let root = root(
        r#"{"type": "record", "name": "R", "namespace": "n", "aliases": ["A", "m.B", 7], "doc": "Rows.", "x": [1], "fields": [
            {"name": "a_b", "serde.name": "a-b", "aliases": ["c"], "doc": "D", "order": "ignore", "default": null,
             "type": {"type": "enum", "name": "E", "symbols": ["_1"], "default": "_1", "serde.name": ["1"]}},
            {"serde.name": "d", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "doc": "no"}}]}"#,
    );
    assert_eq!(
        (&*root.aliases, root.doc.as_deref()),
        (&["n.A".to_owned(), "m.B".to_owned()][..], Some("Rows."))
    );
    assert_eq!(json!(root.properties), json!({"x": [1]}));
    let AvroKind::Record(fields) = &root.kind else { panic!("no record") };
    let [one, two] = &fields[..] else { panic!("two fields") };
    assert_eq!((&*one.name, &*one.aliases, one.doc.as_deref()), ("a_b", &["c".to_owned()][..], Some("D")));
    assert_eq!((&one.default, &two.default), (&Some(json!(null)), &None));
    assert_eq!(json!(one.properties), json!({"serde.name": "a-b", "order": "ignore"}));
    assert!(matches!(&one.node.kind, AvroKind::Enum { default: Some(symbol), .. } if symbol == "_1"));
    assert_eq!(json!(one.node.properties), json!({"serde.name": ["1"]}));
    assert_eq!(two.name, "d");
    assert_eq!(json!(two.node.properties), json!({"logicalType": "decimal", "precision": 9, "doc": "no"}));
}

/// The kinds of the shapes of a tree, with `-` for null in a union.
fn kinds(text: &str) -> String {
    fn add(node: super::ShapedNode<'_>, out: &mut String) {
        out.push_str(node.shape.kind());
        let parts = match node.parts() {
            NodeParts::Leaf => return,
            NodeParts::Record(fields) => fields.into_iter().map(|(_, part)| Some(part)).collect(),
            NodeParts::Items(part) => vec![Some(part)],
            NodeParts::Entries(parts) => parts.map(Some).to_vec(),
            NodeParts::Union(branches) => branches,
        };
        out.push('(');
        for part in parts {
            match part {
                Some(part) => add(part, out),
                None => out.push('-'),
            }
            out.push(' ');
        }
        out.push(')');
    }
    let mut out = String::new();
    add(AvroSchema::parse(text).unwrap().shaped(), &mut out);
    out.replace(" )", ")")
}

#[test]
fn types_have_the_shapes_of_their_places() {
    let kind = |shape: &Shape| shape.kind();
    let (record, list, map) = (
        kind(&Shape::record("", [("a", Shape::Int)])),
        kind(&Shape::List(Box::new(Shape::Int))),
        kind(&Shape::from_avro(r#"{"type":"map","values":"int"}"#).unwrap()),
    );
    let (optional, union) =
        (kind(&Shape::optional(Shape::Int)), kind(&Shape::Union(vec![Shape::Int, Shape::String])));
    let entry = r#"{"type":"record","name":"E","fields":[{"name":"key","type":"int"},{"name":"value","type":"boolean"}]}"#;
    let entries = format!(r#"{{"type":"array","items":{entry},"logicalType":"map"}}"#);
    let some = |inner: &str| {
        format!(
            r#"{{"type":"record","name":"S","serde":"some","fields":[{{"name":"value","type":{inner}}}]}}"#
        )
    };
    let unit = r#"{"type":"record","name":"U","serde":"unit","fields":[]}"#;
    for (text, expected) in [
        (r#"["int","null","string"]"#.to_owned(), format!("{optional}(int - string)")),
        (r#"["string","null"]"#.to_owned(), format!("{optional}(string -)")),
        (r#"["string"]"#.to_owned(), format!("{union}(string)")),
        (r#"["null"]"#.to_owned(), format!("{optional}(-)")),
        (format!(r#"["null",{unit}]"#), format!("{optional}(- null)")),
        (format!(r#"["null",{}]"#, some(r#"["int","null"]"#)), format!("{optional}(- {optional}(int -))")),
        (some("\"int\""), format!("{record}(int)")),
        (entries.clone(), format!("{map}(int boolean)")),
        (format!(r#"["null",{entries}]"#), format!("{optional}(- {map}(int boolean))")),
        (format!(r#"["string",{entries}]"#), format!("{union}(string {list}({record}(int boolean)))")),
        (format!(r#"["string",{}]"#, some(&entries)), format!("{union}(string {map}(int boolean))")),
        (r#"{"type":"map","values":["null","int"]}"#.to_owned(), format!("{map}({optional}(- int))")),
        (
            r#"{"type":"record","name":"R","fields":[{"name":"a","type":["null"],"serde":"unseen"}]}"#
                .to_owned(),
            format!("{record}({optional}(-))"),
        ),
    ] {
        assert_eq!(kinds(&text), expected, "{text}");
    }
}

#[test]
fn types_that_are_repeated_are_one() {
    let mut text = r#"{"type":"fixed","name":"T0","size":1}"#.to_owned();
    for level in 1..12 {
        let fields = format!(r#"{{"name":"a","type":{text}}},{{"name":"b","type":"T{}"}}"#, level - 1);
        text = format!(r#"{{"type":"record","name":"T{level}","fields":[{fields}]}}"#);
    }
    let mut node = root(&text);
    while let AvroKind::Record(fields) = &node.kind {
        assert!(Arc::ptr_eq(&fields[0].node, &fields[1].node));
        node = Arc::clone(&fields[0].node);
    }
}

#[test]
fn what_has_no_shape_has_no_tree() {
    let deep = |depth: usize| {
        format!("{}[\"null\",\"int\"]{}", r#"{"type":"array","items":"#.repeat(depth), "}".repeat(depth))
    };
    for text in [
        String::new(),
        "7".to_owned(),
        "\"F\"".to_owned(),
        "[".repeat(100_000),
        deep(100),
        r#"{"type":"record","name":"R","fields":[{"name":"r","type":["null","R"]}]}"#.to_owned(),
        r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"},{"name":"a","type":"int"}]}"#
            .to_owned(),
    ] {
        let error = AvroSchema::parse(&text).unwrap_err().to_string();
        assert_eq!(error, Shape::from_avro(&text).unwrap_err().to_string());
    }
    let deepest = kinds(&deep(90));
    assert!(deepest.ends_with(&")".repeat(91)), "{deepest}");
    let record = |level| format!(r#"{{"type":"record","name":"R{level}","fields":[{{"name":"a","type":"#);
    let records: String = (0..95).map(record).collect();
    assert!(kinds(&format!("{records}\"int\"{}", "}]}".repeat(95))).ends_with(&")".repeat(95)));
    let default = format!("{}{}", "[".repeat(380), "]".repeat(380));
    root(&format!(
        r#"{{"type":"record","name":"R","fields":[{{"name":"a","type":"int","default":{default}}}]}}"#
    ));
}

/// Checks that each part of the shape is there, in a type of its kind.
fn check_whole(at: ShapedNode<'_>) {
    let inner = if let Shape::Optional(optional) = at.shape { &optional.item } else { at.shape };
    match at.parts() {
        NodeParts::Leaf => assert_eq!(inner.storage().children().count(), 0, "{:?}", at.shape),
        NodeParts::Record(fields) => {
            assert_eq!(fields.len(), inner.children().count());
            fields.into_iter().for_each(|(_, field)| check_whole(field));
        }
        NodeParts::Items(item) => check_whole(item),
        NodeParts::Entries(entry) => entry.into_iter().for_each(check_whole),
        NodeParts::Union(branches) => {
            let nulls = usize::from(matches!(at.shape, Shape::Optional(_)));
            let variants = if let Shape::Union(variants) = inner { variants.len() } else { 1 };
            assert_eq!(branches.iter().filter(|branch| branch.is_none()).count(), nulls, "{:?}", at.shape);
            assert_eq!(branches.len(), variants + nulls, "{:?}", at.shape);
            branches.into_iter().flatten().for_each(check_whole);
        }
    }
}

proptest! {
    #[test]
    fn a_tree_has_all_parts_of_its_shape(shape in crate::shape::join::tests::shape()) {
        let schema = AvroSchema::parse(&shape.to_avro()).unwrap();
        check_whole(schema.shaped());
    }
}
