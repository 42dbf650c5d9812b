//! Paths and projections: what they mean, and which nodes of the whole they have.

use super::*;
use crate::convert::Conversion;
use crate::error::ErrorKind;
use proptest::collection::vec;
use proptest::prelude::*;

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
fn a_path_means_all_that_it_can_be_read_as() {
    let whole = rows(EVENT);
    let meant = |path: &str| resolve(&whole.shape, &whole.tree, path);
    assert_eq!(meant("").unwrap(), [0]);
    assert_eq!(meant("a.b").unwrap(), [2, 4]);
    assert_eq!(meant("a.c.d").unwrap(), [3]);
    assert_eq!(meant("m.value").unwrap(), [7]);
    assert_eq!(meant("u.array").unwrap(), [12]);
    // One reading is enough.
    assert!(meant("a.c").is_err() && meant("a.b.x").is_err() && meant("u").unwrap() == [9]);
    let names: &[&str] = &["a.b"];
    assert_eq!(resolve(&whole.shape, &whole.tree, names).unwrap(), [4]);
    let error = meant("m.valeu").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoSuchPath { path, .. } if path == "m.valeu"), "{error}");
    assert!(error.to_string().contains("did you mean \"value\"?"), "{error}");
}

#[test]
fn a_projection_has_the_nodes_of_its_paths_and_those_above() {
    let whole = rows(EVENT);
    let part = |paths: &[&str]| whole.project(paths).unwrap();
    assert!(part(&[""]).is_whole() && part(&["a", "a.b", "m", "u"]).is_whole());
    assert_eq!(ids(&part(&["a.c.d"])), [0, 1, 3].map(Some));
    // A map keeps both halves.
    assert_eq!(ids(&part(&["m.key"])), [0, 5, 6, 7, 8].map(Some));
    // Rows of other variants have no value: the optional is the union's own node.
    let strings = part(&["u.string"]);
    assert_eq!(ids(&strings), [0, 9, 9, 11].map(Some));
    assert_eq!((strings.tree.kind(1), strings.tree.kind(2)), (Kind::Optional, Kind::Union));
    assert_eq!(ids(&part(&["u.int", "u.string", "u.array"])), [0, 9, 10, 11, 12, 13].map(Some));
    assert_eq!(ids(&part(&[])), [Some(0)]);
    assert_eq!(ids(&rows(r#""int""#).project::<&str>(&[]).unwrap()), [None]);
}

#[test]
fn a_projection_of_a_projection_speaks_of_the_whole() {
    let twice = rows(EVENT).project(&["a", "u.array"]).unwrap().project(&["u.array", "a.b"]).unwrap();
    assert_eq!(ids(&twice), [0, 1, 2, 9, 9, 12, 13].map(Some));
    assert_eq!(ids(&twice.at(&Shape::Int, 2)), [Some(2)]);
    assert!(twice.project(&["m"]).is_err());
}

#[test]
fn a_variant_that_is_elsewhere_only_is_missing() {
    let of = |x: &str| {
        rows(&format!(r#"{{"type": "record", "name": "r", "fields": [{{"name": "x", "type": {x}}}]}}"#))
    };
    assert_eq!(ids(&of(r#""int""#).only_with(&[], &[1])), [Some(0), None, None]);
    assert_eq!(ids(&of(r#"["int", "bytes"]"#).only_with(&[2], &[])), [0, 1, 1, 2].map(Some));
}

#[test]
fn nodes_go_where_a_conversion_puts_their_values() {
    let matches = |one: &str, two: &str| {
        let [one, two] = [one, two].map(|text| crate::schema::avro::parse(text).unwrap());
        let conversion = Conversion::between(&one, &two).unwrap();
        let matches = Matches::of(&conversion, &Tree::of(&one), &Tree::of(&two));
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
    let tree = Tree::of(&shape);
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

fn shape() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![Just(Shape::Null), Just(Shape::Int), Just(Shape::String), Just(Shape::U128)];
    leaf.prop_recursive(5, 40, 4, |inner| {
        // Few names, so that paths are ambiguous.
        let names = prop_oneof![Just("a"), Just("b"), Just("a.b"), Just("key")];
        prop_oneof![
            inner.clone().prop_map(|item| Shape::List(Box::new(item))),
            inner.clone().prop_map(Shape::optional),
            (inner.clone(), inner.clone())
                .prop_map(|(key, value)| Shape::Map(Box::new(crate::shape::MapShape { key, value }))),
            vec((names, inner), 0..4).prop_map(|mut fields| {
                fields.sort_by_key(|(name, _)| *name);
                fields.dedup_by_key(|(name, _)| *name);
                let fields = fields.into_iter();
                let fields = fields
                    .map(|(name, shape)| crate::shape::FieldShape { name: name.into(), shape })
                    .collect();
                let form = crate::shape::Form::Struct;
                Shape::Record(crate::shape::RecordShape {
                    namespace: "".into(),
                    name: "r".into(),
                    form,
                    fields,
                })
            }),
        ]
    })
}

proptest! {
    #[test]
    fn paths_lead_back_to_their_nodes(shape in shape()) {
        let whole = Projection::whole(shape);
        let mut found = Vec::new();
        places::each(&whole.shape, |slot, shape, place| {
            let Slot::Own(id) = slot else { return };
            found.push((id, place.clone(), Kind::of(shape)));
        });
        prop_assert_eq!(found.len(), whole.tree.len());
        for (id, place, kind) in found {
            prop_assert_eq!(whole.tree.kind(id), kind);
            let names: Vec<&str> = place.names.iter().map(String::as_str).collect();
            // A list or an optional has the path of its item: the path means the outermost of them.
            let exact = resolve(&whole.shape, &whole.tree, &names[..]).unwrap();
            prop_assert_eq!(exact.len(), 1);
            prop_assert!((exact[0]..=id).contains(&id));
            let texts = resolve(&whole.shape, &whole.tree, &*place.path).unwrap();
            prop_assert!(texts.contains(&exact[0]) || place.path.is_empty());
            let part = whole.project(&[&names[..]]).unwrap();
            let nodes = ids(&part);
            prop_assert!(nodes.contains(&Some(id)));
            // Each node of the part is what it is in the whole, and so are the ways between them.
            for (here, there) in (0..).zip(&nodes) {
                let there = there.unwrap();
                prop_assert_eq!(part.tree.kind(here), whole.tree.kind(there));
                let above = part.tree.parent(here).map(|id| nodes[id as usize].unwrap());
                prop_assert_eq!(above, whole.tree.parent(there));
            }
        }
    }
}
