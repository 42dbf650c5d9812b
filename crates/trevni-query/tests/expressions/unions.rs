//! Paths through unions, and values of their branches.

use super::{evaluated, selected};
use serde_json::{Value, json};
use trevni::Reader;
use trevni_query::paths::{Pattern, chosen};
use trevni_query::{Binder, Condition, Expression};

const ROWS: i64 = 200;

/// Rows whose values are of several types, as documents on the web have them.
fn row(n: i64) -> Value {
    let support = match n % 4 {
        0 => json!([{"version_added": "1"}]),
        1 => json!({"version_added": format!("{}", n % 30), "notes": "x"}),
        2 => json!({"version_added": n % 3 == 0}),
        _ => Value::Null,
    };
    json!({
        "id": n,
        "url": match n % 3 { 0 => json!(format!("{}://x/{n}", if n % 2 == 0 { "https" } else { "ftp" })), 1 => json!([format!("http://y/{n}"), "z"]), _ => Value::Null },
        "mixed": match n % 4 { 0 => json!(n), 1 => json!(n as f64 / 4.0), 2 => json!(format!("t{n}")), _ => json!(true) },
        "support": {"chrome": support},
        "properties": {"mag": n as f64 / 10.0},
    })
}

fn file() -> Vec<u8> {
    let mut writer = trevni::Writer::builder().block_size(256).build(Vec::new()).unwrap();
    writer.write_all((0..ROWS).map(row)).unwrap();
    writer.finish().unwrap()
}

#[test]
fn branches_that_fit_are_taken() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    let at = |row: &Value, path: &str| row.pointer(path).cloned().unwrap_or(Value::Null);
    type Of<'o> = &'o dyn Fn(&Value) -> bool;
    let text = |row: &Value, path: &str| at(row, path).as_str().map(str::to_owned);
    let cases: &[(&str, Of<'_>)] = &[
        ("url like 'https%'", &|row| text(row, "/url").is_some_and(|url| url.starts_with("https"))),
        ("not url like 'https%'", &|row| text(row, "/url").is_some_and(|url| !url.starts_with("https"))),
        ("url starts with 'https'", &|row| text(row, "/url").is_some_and(|url| url.starts_with("https"))),
        ("starts_with(url, 'https') and id > 50", &|row| {
            at(row, "/id").as_i64() > Some(50)
                && text(row, "/url").is_some_and(|url| url.starts_with("https"))
        }),
        ("any(url, item = 'z')", &|row| at(row, "/url").is_array()),
        ("len(mixed) = 2", &|row| text(row, "/mixed").is_some_and(|text| text.len() == 2)),
        ("mixed > 20", &|row| at(row, "/mixed").as_f64().is_some_and(|mixed| mixed > 20.0)),
        ("mixed + 1 > 20", &|row| at(row, "/mixed").as_f64().is_some_and(|mixed| mixed + 1.0 > 20.0)),
        ("mixed = 't6'", &|row| text(row, "/mixed").as_deref() == Some("t6")),
        ("mixed != 't6'", &|row| text(row, "/mixed").is_some_and(|text| text != "t6")),
        ("mixed in ('t6', 't10')", &|row| matches!(text(row, "/mixed").as_deref(), Some("t6" | "t10"))),
        ("mixed in (4, 't10', 0.25)", &|row| {
            text(row, "/mixed").as_deref() == Some("t10")
                || at(row, "/mixed").as_f64().is_some_and(|n| n == 4.0 || n == 0.25)
        }),
        ("mixed between 4 and 9", &|row| {
            at(row, "/mixed").as_f64().is_some_and(|n| (4.0..=9.0).contains(&n))
        }),
        ("mixed = true", &|row| at(row, "/mixed") == true),
        ("support.chrome.version_added = '9'", &|row| {
            text(row, "/support/chrome/version_added").as_deref() == Some("9")
        }),
        ("support.chrome.version_added = true", &|row| at(row, "/support/chrome/version_added") == true),
        ("support.chrome.notes is not null", &|row| at(row, "/support/chrome/notes").is_string()),
    ];
    for (condition, of) in cases {
        let expected: Vec<u64> = (0..ROWS).filter(|n| of(&row(*n))).map(|n| n as u64).collect();
        assert_eq!(evaluated(&reader, condition), expected, "{condition}");
        assert_eq!(selected(&reader, condition), expected, "{condition}");
        assert!(!expected.is_empty(), "{condition}");
    }
}

#[test]
fn patterns_pass_through_records() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    let of = |text: &str| {
        let found = chosen(reader.shape(), &Pattern::all(&[text.to_owned()]).unwrap());
        found.map(|found| found.unwrap().iter().map(|path| path.escaped()).collect::<Vec<_>>())
    };
    let through = of("support.chrome.version_added").unwrap();
    assert_eq!(through.len(), 1);
    assert!(
        through[0].starts_with("support.chrome.") && through[0].ends_with(".version_added"),
        "{through:?}"
    );
    assert_eq!(of("mag").unwrap_err().to_string(), "no field \"mag\"; did you mean \"properties.mag\"?");
    assert!(of("support.chrome.version_aded").unwrap_err().to_string().contains("version_added\"?"));
}

#[test]
fn what_is_not_clear_is_refused() {
    #[derive(serde::Serialize)]
    enum Shape {
        Circle { x: i32, r: i32 },
        Square { x: i32 },
    }
    #[derive(serde::Serialize)]
    struct Row {
        shape: Shape,
    }
    let rows = [Shape::Circle { x: 1, r: 2 }, Shape::Square { x: 3 }].map(|shape| Row { shape });
    let bytes = trevni::to_vec(rows).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!(evaluated(&reader, "shape.r = 2"), [0]);
    assert_eq!(evaluated(&reader, "shape.Square.x = 3"), [1]);
    let error = Condition::parse("shape.x = 3").unwrap().filter(&reader).unwrap_err();
    let message = "character 1: \"shape.x\" is in several branches: shape.Circle.x, shape.Square.x";
    assert!(error.to_string().contains(message), "{error}");
    let error = Expression::parse("shape + 1").unwrap().bind(&Binder::new(reader.shape())).unwrap_err();
    assert!(error.to_string().ends_with("; its branches are Circle, Square"), "{error}");
}
