//! Trevni with levels: an array width of a path that does not lead to a list of values was ignored.

use serde_json::{Value, json};
use trevni::formats::Levels;
use trevni::{Error, Reader, Result, Shape, Writer, WriterBuilder};

const FILE: fn(&str) -> WriterBuilder = |path| Writer::builder().format(Levels::new().array_width(path, 2));

fn write(builder: WriterBuilder, rows: &[Value]) -> Result<Vec<u8>> {
    let mut writer = builder.build(Vec::new())?;
    writer.write_all(rows)?;
    writer.finish()
}

fn widths(bytes: &[u8]) -> Vec<Option<usize>> {
    Reader::from_slice(bytes).unwrap().columns().iter().map(|column| column.array_width()).collect()
}

#[track_caller]
fn is_refused(error: &Error, row: Option<u64>, path: &str) {
    let text = error.to_string();
    assert!(
        text.ends_with(&format!("an array width needs a list of values, which {path:?} is not")),
        "{text}"
    );
    assert_eq!(error.location().row, row, "{text}");
}

#[test]
fn what_is_no_list_of_values_has_no_array_width() {
    for value in [
        json!(1),
        json!("text"),
        json!({"x": [1, 2]}),
        json!([{"x": 1}, {"x": 2}]),
        json!([null, 1]),
        json!([[{"x": 1}]]),
        json!({}),
    ] {
        for path in ["p", "in.p"] {
            let row =
                |value: &Value| if path == "p" { json!({"p": value}) } else { json!({"in": {"p": value}}) };
            is_refused(&write(FILE(path), &[row(&value)]).unwrap_err(), Some(0), path);
            // The row is refused, and writing goes on.
            let mut writer = FILE(path).build(Vec::new()).unwrap();
            writer.write(&row(&json!([5, 6]))).unwrap();
            is_refused(&writer.write(&row(&value)).unwrap_err(), Some(1), path);
            writer.write(&row(&json!([7, 8]))).unwrap();
            let bytes = writer.finish().unwrap();
            assert_eq!(widths(&bytes).last(), Some(&Some(2)), "{value}");
            let rows: Vec<Value> = trevni::from_slice(&bytes).unwrap();
            assert_eq!(rows, [row(&json!([5, 6])), row(&json!([7, 8]))]);
        }
    }
}

#[test]
fn the_shape_that_is_given_is_checked_at_once() {
    let shape = Shape::record("R", [("p", Shape::Int), ("q", Shape::list(Shape::Int))]);
    is_refused(&FILE("p").shape(&shape).build(Vec::new()).map(drop).unwrap_err(), None, "p");
    let bytes = write(FILE("q").shape(&shape), &[json!({"p": 1, "q": [2, 3]})]).unwrap();
    assert_eq!(widths(&bytes), [None, Some(2)]);
    let rows = Shape::record("R", [("q", Shape::list(Shape::list(Shape::Int)))]);
    assert!(FILE("q").shape(&rows).build(Vec::new()).is_ok(), "lists of rows of a matrix");
    is_refused(&FILE("").shape(&shape).build(Vec::new()).map(drop).unwrap_err(), None, "");
}

#[test]
fn a_row_that_an_option_refuses_leaves_nothing() {
    let options = Writer::builder().format(Levels::new().value_type("a", trevni::column::ValueType::Fixed64));
    let first = Writer::builder().first_values(["a"]);
    for options in [options, first] {
        let mut writer = options.build(Vec::new()).unwrap();
        writer.write(&json!({"a": 1})).unwrap();
        let error = writer.write(&json!({"a": "text", "b": 5})).unwrap_err();
        assert!(error.to_string().contains("\"a"), "{error}");
        writer.write(&json!({"a": 2})).unwrap();
        let rows: Vec<Value> = trevni::from_slice(&writer.finish().unwrap()).unwrap();
        assert_eq!(rows, [json!({"a": 1}), json!({"a": 2})]);
    }
}

#[test]
fn a_path_that_is_not_there_is_named() {
    for path in ["q", "p.q", "in.p"] {
        let error = write(FILE(path), &[json!({"p": [1, 2]})]).unwrap_err();
        assert!(error.to_string().contains(path), "{error}");
        let same =
            Writer::builder().format(Levels::new().value_type(path, trevni::column::ValueType::Fixed8));
        assert_eq!(write(same, &[json!({"p": [1, 2]})]).unwrap_err().to_string(), error.to_string());
    }
}

#[test]
fn a_list_may_come_late() {
    for rows in [
        [json!({"p": null}), json!({"p": [1, 2]})],
        [json!({}), json!({"p": [1, 2]})],
        [json!({"p": [1, 2]}), json!({"p": null})],
    ] {
        let bytes = write(FILE("p").batch_rows(1), &rows).unwrap();
        assert!(widths(&bytes).contains(&Some(2)));
        assert_eq!(trevni::from_slice::<Vec<Value>>(&bytes).unwrap(), rows);
    }
    // It may also never come.
    let rows = [json!({"p": null, "q": 1}), json!({"p": null, "q": 2})];
    assert_eq!(trevni::from_slice::<Vec<Value>>(&write(FILE("p"), &rows).unwrap()).unwrap(), rows);
}
