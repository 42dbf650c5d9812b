//! One language of paths: what is written for a place means it everywhere.

use trevni::path::{Found, Root, find, format, parse};
use trevni::shape::{FieldShape, Form, RecordShape};
use trevni::{Reader, Shape, Writer, col};
use trevni_query::paths::{FieldPath, Pattern, chosen};
use trevni_query::{Binder, Condition};

/// Names that mean something in paths, or look as if they did, and some words of conditions.
const NAMES: [&str; 17] =
    ["a", "a.b", "", " ", "`", "\\", "a`b", "[]", "key", "value", "ä", "_0", "0", "item", "null", "*", "!,"];

/// What may be around a value.
const AROUND: [fn(Shape) -> Shape; 5] =
    [|shape| shape, Shape::list, Shape::optional, |shape| Shape::map(Shape::String, shape), of_variant];

fn of_variant(shape: Shape) -> Shape {
    Shape::Union(vec![Shape::Boolean, shape])
}

/// A record of all names.
fn record(field: impl Fn(&str) -> Shape) -> Shape {
    let fields = NAMES.iter().map(|name| FieldShape::new(*name, field(name))).collect();
    Shape::Record(RecordShape::new("R", fields).with_form(Form::StructVariant).with_namespace("E"))
}

/// A union of a record for each of some names.
fn union() -> Shape {
    let variant = |name: &&'static str| {
        let fields = vec![FieldShape::new("a", Shape::Int), FieldShape::new("a.b", Shape::Long)];
        Shape::Record(RecordShape::new(*name, fields).with_form(Form::StructVariant).with_namespace("E"))
    };
    Shape::Union(NAMES.iter().map(variant).chain([Shape::Int, Shape::String]).collect())
}

/// A file without rows; its shape is that of a reader.
fn file(shape: &Shape) -> Vec<u8> {
    Writer::builder().shape(shape).build(Vec::new()).unwrap().finish().unwrap()
}

/// All that has a name.
fn all(shape: &Shape) -> Vec<Found<'_>> {
    let mut all = vec![Found { steps: Vec::new(), root: Root::Shape(shape) }];
    let mut at = 0;
    while let Some(next) = all.get(at).cloned() {
        all.extend(next.root.named().map(|named| next.below(named)));
        at += 1;
    }
    all.split_off(1)
}

fn names(found: &Found<'_>) -> Vec<String> {
    found.steps.iter().map(|step| step.name().into_owned()).collect()
}

fn check(shape: &Shape, every: usize) {
    let bytes = file(shape);
    let reader = Reader::from_slice(&bytes).unwrap();
    let shape = reader.shape();
    let all = all(shape);
    for (number, place) in all.iter().enumerate() {
        let (path, names) = (place.path(), names(place));
        let found = find(Root::Shape(shape), &parse(&path).unwrap()).unwrap();
        assert_eq!(found.iter().map(self::names).collect::<Vec<_>>(), std::slice::from_ref(&names), "{path}");
        if number.is_multiple_of(every) {
            of_library(&reader, &path, &names);
            of_patterns(&all, number, shape);
            of_conditions(&reader, &path, &names);
        }
    }
}

fn of_library(reader: &Reader<'_>, path: &str, names: &[String]) {
    let (one, two) = (reader.project([path]).unwrap(), reader.project_paths([names]).unwrap());
    assert_eq!(one.shape(), two.shape(), "{path}");
    match reader.filter(col(path).is_null()) {
        Ok(_) => {}
        Err(error) => assert!(error.to_string().contains("goes into any"), "{path}: {error}"),
    }
}

fn of_patterns(all: &[Found<'_>], number: usize, shape: &Shape) {
    // Three places, in any order, none within another.
    let three = [number, number * 7 + 3, number * 3 + 1].map(|number| &all[number % all.len()]);
    let paths = three.map(Found::path);
    let patterns = Pattern::all(&[paths.join(" , ")]).unwrap();
    let mut found = chosen(shape, &patterns).unwrap().unwrap().into_iter();
    let mut expected: Vec<Vec<String>> = Vec::new();
    three.iter().map(|place| names(place)).for_each(|names| {
        if !expected.contains(&names) {
            expected.push(names);
        }
    });
    assert!(
        expected.iter().all(|names| found.next().is_some_and(|path| path.names() == *names)),
        "{paths:?}"
    );
}

fn of_conditions(reader: &Reader<'_>, path: &str, names: &[String]) {
    let condition = Condition::parse(&format!("{path} is null")).unwrap_or_else(|error| panic!("{error}"));
    let fields = condition.fields(reader.shape());
    assert_eq!(fields.iter().map(FieldPath::names).collect::<Vec<_>>(), [names], "{path}");
    match condition.check(&Binder::new(reader.shape())) {
        Ok(()) => assert_eq!(condition.filter(reader).unwrap().matching().unwrap().row_count(), 0),
        Err(error) => assert!(error.to_string().contains("test its items with any"), "{path}: {error}"),
    }
}

#[test]
fn a_path_that_is_written_means_its_place_everywhere() {
    for (number, outer) in AROUND.iter().enumerate() {
        for (other, inner) in AROUND.iter().enumerate() {
            let shape = record(|_| outer(record(|_| inner(Shape::Int))));
            check(&shape, 23 + number + other);
        }
    }
}

#[test]
fn so_it_does_three_levels_down_and_in_variants() {
    check(&record(|_| record(|_| record(|_| Shape::Long))), 101);
    check(&record(|_| union()), 17);
    check(&Shape::list(Shape::optional(union())), 1);
    check(&union(), 1);
}

/// Conditions on items: paths begin at the item.
#[test]
fn paths_within_lists_begin_at_the_item() {
    for around in [Shape::list, |shape| Shape::map(Shape::String, shape)] {
        let shape = record(|_| around(record(|_| Shape::Int)));
        let bytes = file(&shape);
        let reader = Reader::from_slice(&bytes).unwrap();
        for name in NAMES {
            let is_map = matches!(around(Shape::Int), Shape::Map(_));
            let item = if is_map { format(["value", name]) } else { format([name]) };
            // The word for the item itself; in quotes it is a name.
            let item = if item == "item" { "`item`".to_owned() } else { item };
            let condition = Condition::parse(&format!("any({}, {item} = 1)", format([name]))).unwrap();
            let binder = Binder::new(reader.shape());
            condition.check(&binder).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}
