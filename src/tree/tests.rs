//! Paths and projections: what they mean, and which nodes of the whole they have.

use super::projection::resolve_names;
use super::*;
use crate::convert::Conversion;
use crate::error::{ErrorKind, Result};
use crate::path::{PathName, parse};
use crate::shape::{FieldShape, Form, MapShape, RecordShape};
use proptest::collection::vec;
use proptest::prelude::*;
use std::borrow::Cow;

fn rows(text: &str) -> Projection {
    Projection::whole(crate::schema::avro::parse(text).unwrap())
}

/// The whole number of each node.
fn ids(part: &Projection) -> Vec<Option<NodeId>> {
    (0..).take(part.tree.len()).map(|id| part.in_whole(id)).collect()
}

const EVENT: &str = r#"{"type": "record", "name": "r", "fields": [
    {"name": "a", "type": {"type": "record", "name": "s", "fields": [
        {"name": "b", "type": "int"}, {"name": "c.d", "type": "string"}]}},
    {"name": "a.b", "type": "long"},
    {"name": "m", "type": {"type": "map", "values": ["null", "float"]}},
    {"name": "u", "type": ["int", "string", {"type": "array", "items": "bytes"}]}
]}"#;
// 0 r, 1 a, 2 a/b, 3 c.d, 4 a.b, 5 m, 6 key, 7 value, 8 float, 9 u, 10 int, 11 string, 12 array, 13 bytes

#[test]
fn dots_separate_names_where_they_can() {
    let whole = rows(EVENT);
    let meant = |path: &str| resolve(&whole.shape, &whole.tree, path);
    assert_eq!(meant("").unwrap(), [0]);
    assert_eq!(meant("a.b").unwrap(), [2]);
    assert_eq!(meant("`a.b`").unwrap(), [4]);
    assert_eq!(meant("a.c.d").unwrap(), [3]);
    assert_eq!(meant("m.value").unwrap(), [7]);
    assert_eq!(meant("u.array").unwrap(), [12]);
    // One reading is enough.
    assert!(meant("a.c").is_err() && meant("a.b.x").is_err() && meant("u").unwrap() == [9]);
    let error = meant("m.valeu").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoSuchPath { path, .. } if path == "m.valeu"), "{error}");
    assert!(error.to_string().contains("did you mean \"m.value\"?"), "{error}");
}

#[test]
fn a_projection_has_the_nodes_of_its_paths_and_those_above() {
    let whole = rows(EVENT);
    let part = |paths: &[&str]| project(&whole, paths).unwrap();
    assert!(part(&[""]).is_whole() && part(&["a", "`a.b`", "m", "u"]).is_whole());
    assert_eq!(ids(&part(&["a.c.d"])), [0, 1, 3].map(Some));
    // A map keeps both halves.
    assert_eq!(ids(&part(&["m.key"])), [0, 5, 6, 7, 8].map(Some));
    // Rows of other variants have no value: the optional is the union's own node.
    let strings = part(&["u.string"]);
    assert_eq!(ids(&strings), [0, 9, 9, 11].map(Some));
    assert_eq!((strings.tree.kind(1), strings.tree.kind(2)), (Kind::Optional, Kind::Union));
    assert_eq!(ids(&part(&["u.int", "u.string", "u.array"])), [0, 9, 10, 11, 12, 13].map(Some));
    assert_eq!(ids(&part(&[])), [Some(0)]);
    assert_eq!(ids(&project(&rows(r#""int""#), &[]).unwrap()), [None]);
}

#[test]
fn fields_come_in_the_order_of_the_paths() {
    let whole = rows(EVENT);
    let part = |paths: &[&str]| project(&whole, paths).unwrap();
    assert_eq!(ids(&part(&["`a.b`", "a.c.d", "a"])), [0, 4, 1, 3, 2].map(Some));
    // Variants keep their order, and what one path names does.
    assert_eq!(ids(&part(&["u.array", "u.int", "a"])), [0, 9, 9, 10, 12, 13, 1, 2, 3].map(Some));
    // A projection of a projection, and one to nodes in their order.
    let twice = project(&part(&["u", "a"]), &["a.c.d", "u.int"]).unwrap();
    assert_eq!(ids(&twice), [0, 1, 3, 9, 9, 10].map(Some));
    assert_eq!(ids(&whole.only_with([9, 10, 3].map(|id| (id, false)))), [0, 9, 9, 10, 1, 3].map(Some));
}

/// The part that paths name.
fn project(whole: &Projection, paths: &[&str]) -> Result<Projection> {
    whole.project(&paths.iter().map(|path| parse(path)).collect::<Result<Vec<_>>>()?)
}

#[test]
fn a_projection_of_a_projection_speaks_of_the_whole() {
    let twice = project(&project(&rows(EVENT), &["a", "u.array"]).unwrap(), &["a.b", "u.array"]).unwrap();
    assert_eq!(ids(&twice), [0, 1, 2, 9, 9, 12, 13].map(Some));
    assert_eq!(ids(&twice.at(&Shape::Int, 2)), [Some(2)]);
    assert!(project(&twice, &["m"]).is_err());
}

#[test]
fn a_variant_that_is_elsewhere_only_is_missing() {
    let of = |x: &str| {
        rows(&format!(r#"{{"type": "record", "name": "r", "fields": [{{"name": "x", "type": {x}}}]}}"#))
    };
    assert_eq!(ids(&of(r#""int""#).only_with([(1, true)])), [Some(0), None, None]);
    assert_eq!(ids(&of(r#"["int", "bytes"]"#).only_with([(2, false)])), [0, 1, 1, 2].map(Some));
}

#[test]
fn nodes_go_where_a_conversion_puts_their_values() {
    let matches = |one: &str, two: &str| {
        let [one, two] = [one, two].map(|text| crate::schema::avro::parse(text).unwrap());
        let conversion = Conversion::between(&one, &two).unwrap();
        let matches = Matches::new(&conversion, &Tree::new(&one), &Tree::new(&two));
        matches.iter().map(|(own, found)| (own, found.whole, found.is_same, found.union)).collect::<Vec<_>>()
    };
    assert_eq!(matches(r#""int""#, r#""int""#), [(0, 0, true, None)]);
    assert_eq!(matches(r#""int""#, r#""long""#), [(0, 0, false, None)]);
    assert_eq!(matches(r#""int""#, r#"["null", "int"]"#), [(0, 1, true, None)]);
    // 0 optional, 1 union, 2 string, 3 int.
    assert_eq!(matches(r#""int""#, r#"["null", "string", "int"]"#), [(0, 3, true, Some(1))]);
    let list = |item: &str| format!(r#"{{"type": "array", "items": {item}}}"#);
    let variants = [(0, 0, true, None), (1, 1, true, None), (2, 3, true, None), (3, 2, true, None)];
    assert_eq!(matches(&list(r#"["int", "bytes"]"#), &list(r#"["bytes", "int"]"#)), variants);
    let record = |fields: &str| format!(r#"{{"type": "record", "name": "r", "fields": [{fields}]}}"#);
    let (a, b) =
        (r#"{"name": "a", "type": "int"}"#, r#"{"name": "b", "type": ["null", "int"], "serde": "absent"}"#);
    let fields = [(0, 0, true, None), (1, 3, true, None)];
    assert_eq!(matches(&record(a), &record(&format!("{b}, {a}"))), fields);
}

#[test]
fn nodes_are_numbered_depth_first() {
    let text = r#"{"type": "record", "name": "r", "fields": [
        {"name": "a", "type": {"type": "map", "values": ["null", "int"]}},
        {"name": "b", "type": ["null", "long", {"type": "array", "items": "string"}]}
    ]}"#;
    let shape = crate::schema::avro::parse(text).unwrap();
    let tree = Tree::new(&shape);
    // 0 r, 1 a, 2 key, 3 value, 4 int, 5 b, 6 union, 7 long, 8 list, 9 string.
    assert_eq!(tree.len(), shape.node_count());
    assert_eq!(tree.children(0).collect::<Vec<_>>(), [1, 5]);
    assert_eq!(tree.children(1).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(tree.children(6).collect::<Vec<_>>(), [7, 8]);
    assert_eq!(tree.children(9).count(), 0);
    assert_eq!([0, 1, 5, 9].map(|id| tree.span(id)), [10, 4, 5, 1]);
    assert_eq!((tree.parent(0), tree.parent(9), tree.parent(7)), (None, Some(8), Some(6)));
    assert_eq!((tree.kind(3), tree.kind(4)), (Kind::Optional, Kind::Leaf(Leaf::Int)));
    assert_eq!((tree.kind(10), tree.span(10)), (Kind::Unknown, 1));
}

/// Names that mean something in paths, or look as if they did.
const NAMES: [&str; 13] = ["a", "a.b", "", " ", "`", "\\", "a`b", "[]", "key", "value", "ä", "_0", "0"];

fn name() -> impl Strategy<Value = Cow<'static, str>> {
    prop::sample::select(NAMES.to_vec()).prop_map(Cow::Borrowed)
}

/// A record of some fields, whose names differ.
fn record(name: Cow<'static, str>, mut fields: Vec<(Cow<'static, str>, Shape)>) -> Shape {
    fields.sort_by(|(one, _), (two, _)| one.cmp(two));
    fields.dedup_by(|(one, _), (two, _)| one == two);
    let fields = fields.into_iter().map(|(name, shape)| FieldShape { name, shape }).collect();
    Shape::Record(RecordShape { namespace: "".into(), name, form: Form::StructVariant, fields })
}

/// A union of records, whose names differ, in one namespace or in none.
fn union(mut variants: Vec<(Cow<'static, str>, bool, Shape)>) -> Shape {
    variants.sort_by(|(one, ..), (two, ..)| one.cmp(two));
    variants.dedup_by(|(one, ..), (two, ..)| one == two);
    let variant = |(name, is_within, shape): (Cow<'static, str>, bool, Shape)| {
        let Shape::Record(mut record) = record(name, vec![("a".into(), shape)]) else { unreachable!() };
        record.namespace = if is_within { "kinds".into() } else { "".into() };
        Shape::Record(record)
    };
    Shape::Union(variants.into_iter().map(variant).chain([Shape::Int]).collect())
}

fn shape() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![Just(Shape::Null), Just(Shape::Int), Just(Shape::String), Just(Shape::U128)];
    leaf.prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            1 => inner.clone().prop_map(|item| Shape::List(Box::new(item))),
            1 => inner.clone().prop_map(Shape::optional),
            1 => (inner.clone(), inner.clone())
                .prop_map(|(key, value)| Shape::Map(Box::new(MapShape::new(key, value)))),
            1 => vec((name(), any::<bool>(), inner.clone()), 1..4).prop_map(union),
            3 => vec((name(), inner), 0..5).prop_map(|fields| record("r".into(), fields)),
        ]
    })
}

proptest! {
    #[test]
    fn paths_lead_back_to_their_nodes(shape in shape()) {
        let whole = Projection::whole(shape);
        let mut found = Vec::new();
        places::each(&whole.shape, |slot, shape, names| {
            let Slot::Own(id) = slot else { return };
            found.push((id, names.place(), Kind::new(shape)));
        });
        prop_assert_eq!(found.len(), whole.tree.len());
        for (id, place, kind) in found {
            prop_assert_eq!(whole.tree.kind(id), kind);
            let names: Vec<PathName> = place.names.iter().map(PathName::exact).collect();
            // A list or an optional has the path of its item: the path means the outermost of them.
            let exact = resolve_names(&whole.shape, &whole.tree, &names).unwrap();
            prop_assert_eq!(exact.len(), 1);
            prop_assert!((exact[0]..=id).contains(&id));
            let outside = (exact[0]..id).all(|id| matches!(whole.tree.kind(id), Kind::List | Kind::Optional));
            prop_assert!(outside);
            // The path that is written for it means the same, and nothing else.
            prop_assert_eq!(&resolve(&whole.shape, &whole.tree, &place.path).unwrap(), &exact);
            let part = whole.project(&[names]).unwrap();
            let nodes = ids(&part);
            prop_assert!(nodes.contains(&Some(id)));
            check_part(&whole, &part)?;
        }
    }

    #[test]
    fn projections_in_any_order_have_the_nodes_of_the_whole(
        shape in shape(),
        picks in vec(any::<prop::sample::Index>(), 1..6),
    ) {
        let whole = Projection::whole(shape);
        let mut paths = Vec::new();
        places::each(&whole.shape, |_, _, names| paths.push(names.place().path));
        let picked: Vec<&str> = picks.iter().map(|pick| pick.get(&paths).as_str()).collect();
        let part = project(&whole, &picked).unwrap();
        check_part(&whole, &part)?;
        // What the first path names is the first of its record, and so is each record around it.
        let nodes = ids(&part);
        let mut child = resolve(&whole.shape, &whole.tree, picked[0]).unwrap()[0];
        while let Some(parent) = whole.tree.parent(child) {
            if whole.tree.kind(parent) == Kind::Record {
                let record = nodes.iter().position(|node| *node == Some(parent)).unwrap() as NodeId;
                let first = part.tree.children(record).next().unwrap();
                prop_assert_eq!(part.in_whole(first), Some(child));
            }
            child = parent;
        }
    }
}

/// Each node of a part is what it is in the whole, and so are the ways between them.
fn check_part(whole: &Projection, part: &Projection) -> std::result::Result<(), TestCaseError> {
    let nodes = ids(part);
    for (here, there) in (0..).zip(&nodes) {
        let there = there.unwrap();
        // Rows of variants that are left out have no value: an optional around a union is the same node of the whole.
        let is_added = nodes.get(here as usize + 1) == Some(&Some(there));
        let expected = if is_added { Kind::Optional } else { whole.tree.kind(there) };
        prop_assert_eq!(part.tree.kind(here), expected);
        let above = part.tree.parent(here).map(|id| nodes[id as usize].unwrap());
        let is_within = here > 0 && nodes[here as usize - 1] == Some(there);
        prop_assert_eq!(above, if is_within { Some(there) } else { whole.tree.parent(there) });
    }
    Ok(())
}

#[test]
fn many_paths_mean_what_each_does() {
    let field = |number: usize| format!(r#"{{"name": "f{number}", "type": ["null", "int"]}}"#);
    let fields: Vec<String> = (0..60).map(field).collect();
    let nested = r#"{"name": "n", "type": {"type": "record", "name": "s", "fields": [{"name": "f1", "type": "int"}]}}"#;
    let whole =
        rows(&format!(r#"{{"type": "record", "name": "r", "fields": [{}, {nested}]}}"#, fields.join(", ")));
    let mut paths: Vec<String> = (0..60).rev().step_by(2).map(|number| format!("f{number}")).collect();
    paths.extend(["n.f1", "n", "f3"].map(str::to_owned));
    let all: Vec<&str> = paths.iter().map(String::as_str).collect();
    let found: Vec<NodeId> =
        all.iter().flat_map(|path| resolve(&whole.shape, &whole.tree, path).unwrap()).collect();
    let mut expected: Vec<NodeId> = found
        .iter()
        .flat_map(|id| (*id..*id + whole.tree.span(*id)).chain(whole.tree.parent(*id)))
        .chain([0])
        .collect();
    expected.sort_unstable();
    expected.dedup();
    let mut ids: Vec<NodeId> = ids(&project(&whole, &all).unwrap()).into_iter().flatten().collect();
    ids.sort_unstable();
    assert_eq!(ids, expected);
    paths.push("f60".to_owned());
    let all: Vec<&str> = paths.iter().map(String::as_str).collect();
    assert!(matches!(project(&whole, &all).unwrap_err().kind(), ErrorKind::NoSuchPath { .. }));
}
