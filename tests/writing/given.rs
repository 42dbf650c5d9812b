//! Rows of a schema that was given: defaults of fields, and numbers of other widths.

use serde_json::{Value, json};
use trevni::{Shape, Writer, from_slice};

fn written(schema: &Value, rows: &[Value]) -> trevni::Result<Vec<Value>> {
    let mut writer = Writer::builder().schema(schema.to_string()).without_drop_notice().build(Vec::new())?;
    rows.iter().try_for_each(|row| writer.write(row))?;
    from_slice(&writer.finish()?)
}

fn of_field(kind: &Value, default: &Value) -> Value {
    let fields = json!([{"name": "id", "type": "int"}, {"name": "x", "type": kind, "default": default}]);
    json!({"type": "record", "name": "Row", "namespace": "a.b", "fields": fields})
}

/// Each type, its default as Avro writes it, and as rows show it.
fn kinds() -> Vec<(Value, Value, Value)> {
    let inner = json!({"type": "record", "name": "Inner", "fields": [
        {"name": "b", "type": "bytes", "default": "\u{0}\u{ff}"},
        {"name": "n", "type": "long", "default": 7},
    ]});
    let same = |kind: Value, value: Value| (kind, value.clone(), value);
    vec![
        same(json!("null"), json!(null)),
        same(json!("boolean"), json!(true)),
        same(json!("int"), json!(-3)),
        same(json!("long"), json!(1_i64 << 40)),
        same(json!("float"), json!(0.5)),
        same(json!("double"), json!(0.1)),
        (json!("double"), json!(3), json!(3.0)),
        same(json!("string"), json!("none")),
        (json!("bytes"), json!("a\u{ff}"), json!([97, 255])),
        (json!({"type": "fixed", "name": "F", "size": 2}), json!("\u{0}\u{80}"), json!([0, 128])),
        same(json!({"type": "enum", "name": "E", "symbols": ["A", "B"]}), json!("B")),
        same(json!({"type": "array", "items": "int"}), json!([1, 2])),
        same(json!({"type": "array", "items": "int"}), json!([])),
        same(json!({"type": "map", "values": "int"}), json!({"k": 1})),
        same(json!(["null", "string"]), json!(null)),
        same(json!(["string", "null"]), json!("a")),
        same(json!(["string", "int"]), json!("a")),
        (json!(["bytes", "int"]), json!("\u{1}"), json!([1])),
        (inner.clone(), json!({"b": "\u{2}", "n": 1}), json!({"b": [2], "n": 1})),
        // Defaults within defaults.
        (inner, json!({}), json!({"b": [0, 255], "n": 7})),
    ]
}

#[test]
fn fields_that_do_not_come_have_their_defaults() {
    for (kind, default, shown) in kinds() {
        let schema = of_field(&kind, &default);
        // The first rows take the slow path, later ones the fast path.
        let rows: Vec<Value> = (0..20).map(|id| json!({"id": id})).collect();
        let found = written(&schema, &rows).unwrap_or_else(|error| panic!("{schema}: {error}"));
        for (id, row) in found.iter().enumerate() {
            assert_eq!(*row, json!({"id": id, "x": shown}), "{schema}");
        }
        // Values that come are kept.
        let mixed = [json!({"id": 1, "x": shown}), json!({"id": 2})];
        if !["bytes", "fixed"].iter().any(|name| kind.to_string().contains(name)) {
            assert_eq!(
                written(&schema, &mixed).unwrap(),
                [mixed[0].clone(), json!({"id": 2, "x": shown})],
                "{schema}"
            );
        }
    }
}

#[test]
fn structs_that_skip_fields_have_their_defaults() {
    #[derive(serde::Serialize)]
    struct Row {
        id: i32,
        #[serde(skip_serializing_if = "Option::is_none")]
        x: Option<i64>,
    }
    let schema = of_field(&json!(["long", "null"]), &json!(5));
    let mut writer = Writer::builder().schema(schema.to_string()).build(Vec::new()).unwrap();
    for id in 0..100 {
        writer.write(&Row { id, x: (id % 3 == 0).then_some(1) }).unwrap();
    }
    let rows = from_slice::<Vec<Value>>(&writer.finish().unwrap()).unwrap();
    let expected: Vec<_> =
        (0..100).map(|id| json!({"id": id, "x": if id % 3 == 0 { 1 } else { 5 }})).collect();
    assert_eq!(rows, expected);
}

#[test]
fn fields_without_a_default_are_asked_for() {
    let schema = json!({"type": "record", "name": "Row", "fields": [{"name": "id", "type": "int"}, {"name": "x", "type": "int"}]});
    let error = written(&schema, &[json!({"id": 1})]).unwrap_err().to_string();
    assert!(error.contains('x'), "{error}");
    // One that is no value of the type is refused with the row that needs it.
    let error = written(&of_field(&json!("int"), &json!("a")), &[json!({"id": 1})]).unwrap_err().to_string();
    assert!(error.contains("row 0, x"), "{error}");
}

#[test]
fn records_of_one_name_in_two_namespaces_have_their_own_defaults() {
    let inner = |space: &str, default: i32| json!({"type": "record", "name": "In", "namespace": space, "fields": [{"name": "n", "type": "int", "default": default}]});
    let fields = json!([{"name": "a", "type": inner("one", 1)}, {"name": "b", "type": inner("two", 2)}, {"name": "c", "type": "one.In"}]);
    let schema = json!({"type": "record", "name": "Row", "fields": fields});
    let found = written(&schema, &[json!({"a": {}, "b": {}, "c": {}})]).unwrap();
    assert_eq!(found, [json!({"a": {"n": 1}, "b": {"n": 2}, "c": {"n": 1}})]);
}

#[test]
fn doubles_go_into_floats_that_have_their_digits() {
    let schema = json!({"type": "record", "name": "Row", "fields": [{"name": "f", "type": "float"}]});
    for fits in [0.5, 0.1, -1e-7, 3.25e10, 16_777_216.0, 0.0, 3.402_823_5e38] {
        let found = written(&schema, &[json!({"f": fits})]).unwrap();
        assert_eq!(found.len(), 1, "{fits}");
        let mut writer = Writer::builder().schema(schema.to_string()).build(Vec::new()).unwrap();
        (0..50).for_each(|_| writer.write(&json!({"f": fits})).unwrap());
        let file = writer.finish().unwrap();
        let column = trevni::Reader::from_slice(&file).unwrap().column::<f32>("f").unwrap();
        assert_eq!(column, [fits as f32; 50]);
    }
    for refused in [0.123_456_789, 1e39, 16_777_217.0, 1e-60] {
        let error = written(&schema, &[json!({"f": refused})]).unwrap_err().to_string();
        assert!(error.contains("does not fit the given shape float"), "{error}");
    }
}

/// Writes rows with a shape, and reads them.
fn with_shape<T: serde::Serialize>(shape: &trevni::Shape, rows: &[T]) -> trevni::Result<Vec<u8>> {
    let mut writer = Writer::builder().shape(shape).derived().without_drop_notice().build(Vec::new())?;
    rows.iter().try_for_each(|row| writer.write(row))?;
    writer.finish()
}

#[test]
fn the_shape_of_a_tagged_struct_takes_its_rows() {
    #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug, Clone)]
    #[serde(tag = "kind")]
    struct Tagged {
        x: i32,
        inner: Option<Inner>,
    }
    #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug, Clone)]
    #[serde(tag = "t", rename = "in")]
    struct Inner {
        y: String,
    }
    let shape = trevni::Shape::from_type::<Tagged>().unwrap();
    let row = |x: i32| Tagged { x, inner: (x % 2 == 0).then(|| Inner { y: x.to_string() }) };
    let rows: Vec<Tagged> = (0..50).map(row).collect();
    assert_eq!(from_slice::<Vec<Tagged>>(&with_shape(&shape, &rows).unwrap()).unwrap(), rows);

    // Another first field is none.
    #[derive(serde::Serialize)]
    struct Other {
        kind: &'static str,
        x: i32,
    }
    let error = with_shape(&shape, &[Other { kind: "other", x: 1 }]).unwrap_err().to_string();
    assert!(error.contains("field \"kind\""), "{error}");
}

#[test]
fn a_shape_given_back_takes_maps_beside_records() {
    use std::collections::BTreeMap;
    #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug, Clone)]
    #[serde(untagged)]
    enum Either {
        S { a: i32 },
        M(BTreeMap<i32, u8>),
        T(BTreeMap<String, String>),
    }
    let text = |key: &str| Either::T([(key.to_owned(), "x".to_owned())].into());
    let rows: Vec<Vec<Either>> = (0..40)
        .map(|n| vec![Either::S { a: n }, Either::M([(n, 2)].into()), text("k")].split_off(n as usize % 3))
        .collect();
    let file = trevni::to_vec(&rows).unwrap();
    let shape = trevni::Reader::from_slice(&file).unwrap().shape().clone();
    let again = with_shape(&shape, &rows).unwrap();
    assert_eq!(from_slice::<Vec<Vec<Either>>>(&again).unwrap(), rows);
    assert_eq!(*trevni::Reader::from_slice(&again).unwrap().shape(), shape);
}

#[test]
fn sample_rows_have_the_shape_of_rows_like_them() {
    #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug, Clone)]
    #[serde(tag = "kind")]
    enum Event {
        Login { user: String },
        Click { x: i64, within: Option<Box<Event>> },
        Other { id: u64, of: f32 },
    }
    let click = |x, within| Event::Click { x, within };
    let login = Event::Login { user: "ann".to_owned() };
    let sample = [
        login.clone(),
        click(1, Some(Box::new(login.clone()))),
        click(2, None),
        Event::Other { id: u64::MAX, of: 0.5 },
    ];
    let shape = Shape::from_rows(&sample).unwrap();
    let rows: Vec<Event> = (0..30)
        .flat_map(|n| {
            [click(n, None), Event::Other { id: n as u64, of: 1.0 }, click(n, Some(Box::new(login.clone())))]
        })
        .collect();
    let file = with_shape(&shape, &rows).unwrap();
    assert_eq!(from_slice::<Vec<Event>>(&file).unwrap(), rows);
    assert!(Shape::from_rows([0_i32; 0]).unwrap() == Shape::Null);
}

/// A `u64` is a long until a value needs more: JSON shows all numbers without a sign as such.
#[test]
fn samples_of_unsigned_integers_have_the_shape_of_a_file_of_them() {
    let of_file =
        |rows: &[Value]| trevni::Reader::from_slice(&trevni::to_vec(rows).unwrap()).unwrap().shape().clone();
    for (values, kind) in [
        (vec![json!(1), json!(2)], Shape::Long),
        (vec![json!(1), json!(-2)], Shape::Long),
        (vec![json!(1), json!(u64::MAX)], Shape::U64),
        (vec![json!(u64::MAX), json!(1)], Shape::U64),
        (vec![json!(u64::MAX), json!(-1)], Shape::I128),
        (vec![json!(-1), json!(u64::MAX)], Shape::I128),
    ] {
        assert_eq!(Shape::from_rows(&values).unwrap(), kind, "{values:?}");
        assert_eq!(of_file(&values), kind, "{values:?}");
    }
    // A shape that is too narrow refuses.
    let rows = [1, u64::MAX];
    let error = with_shape(&Shape::from_rows([1_u64]).unwrap(), &rows).unwrap_err().to_string();
    assert!(error.contains("row 1") && error.contains("integer 18446744073709551615"), "{error}");
    for shape in [Shape::from_rows([0, u64::MAX]).unwrap(), Shape::from_type::<u64>().unwrap()] {
        assert_eq!(shape, Shape::U64);
        assert_eq!(from_slice::<Vec<u64>>(&with_shape(&shape, &rows).unwrap()).unwrap(), rows);
    }
}
