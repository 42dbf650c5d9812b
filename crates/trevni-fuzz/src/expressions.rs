//! The language of conditions and values: any text, for the rows of one file.

use crate::done;
use std::sync::OnceLock;
use trevni::shape::{IpFamily, Logical};
use trevni::{Batch, Reader, Shape, Writer};
use trevni_query::aggregate::Aggregate;
use trevni_query::paths::{Pattern, chosen};
use trevni_query::{Binder, Condition, Error, ErrorKind, Expression, Scope};

/// A file with values of many types, and its rows.
fn file() -> &'static (Vec<u8>, Vec<Batch>) {
    static FILE: OnceLock<(Vec<u8>, Vec<Batch>)> = OnceLock::new();
    FILE.get_or_init(|| {
        let rows = (0..20).map(|n| {
            serde_json::json!({
                "id": n, "x": f64::from(n) / 4.0, "flag": n % 3 == 0, "text": format!("text {n}"),
                "tags": vec!["a"; n as usize % 3], "maybe": (n % 2 == 0).then_some(i64::MAX - i64::from(n)),
                "in": {"name": "b", "deep": {"n": [n, 1]}}, "mixed": if n % 2 == 0 { serde_json::json!(n) } else { "t".into() },
                "when": n * 40_000_000 - 100_000_000, "day": (n % 3 > 0).then_some(n - 5), "at": n * 4000,
                "cost": format!("{}.25", n * 1000 - 3), "key": format!("67e55044-10b1-426f-9247-bb680e5fe0{n:02x}"),
                "lasts": format!("P{n}DT{n}H"),
                "ip": if n % 2 == 0 { format!("10.0.0.{n}") } else { format!("::{n:x}") }, "network": format!("10.0.{n}.0/24"),
            })
        });
        let mut writer = Writer::builder()
            .logical("when", Logical::TimestampMillis)
            .logical("day", Logical::Date)
            .logical("at", Logical::TimeMillis)
            .logical("cost", Logical::Decimal { precision: 9, scale: 3 })
            .logical("key", Logical::Uuid)
            .logical("lasts", Logical::Duration)
            .logical("ip", Logical::IpAddress(IpFamily::Any))
            .logical("network", Logical::IpNetwork(IpFamily::V4))
            .build(Vec::new())
            .expect("types are taken");
        writer.write_all(rows).expect("rows are written");
        let bytes = writer.finish().expect("rows are written");
        let batches = Reader::from_slice(&bytes).and_then(|reader| reader.batches()?.collect());
        (bytes.clone(), batches.expect("rows are read"))
    })
}

/// Parses text as a condition, an expression, an aggregate and a pattern, and computes it.
///
/// # Panics
///
/// Where parts disagree, or an error says that the crate is at fault.
pub fn expressions(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let (bytes, batches) = file();
    let reader = Reader::from_slice(bytes).expect("the file is opened");
    condition(text, &reader);
    for expression in [Expression::parse(text), Expression::named(text).map(|(_, expression)| expression)] {
        if let Some(expression) = checked(expression) {
            let _ = (expression.source(), expression.path(), expression.fields(reader.shape()));
            evaluate(&expression, batches);
        }
    }
    if let Some(aggregate) = checked(Aggregate::parse(text)) {
        aggregated(&aggregate, batches);
    }
    let _ = checked(Expression::call(text));
    let lists = [text.to_owned()];
    let _ = Pattern::all(&lists)
        .and_then(|patterns| chosen(reader.shape(), &patterns))
        .map_err(|error| error.to_string());
    let shapes = [Shape::from_avro(text), Shape::from_message(text)];
    for shape in shapes.into_iter().filter_map(done) {
        let _ = (shape.to_string(), shape.to_message());
        assert!(
            Shape::from_avro(&shape.to_avro()).is_ok(),
            "a schema that is written is no schema: {}",
            shape.to_avro()
        );
    }
}

fn checked<T>(result: Result<T, Error>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            if let ErrorKind::Read(error) = error.kind() {
                assert!(error.category() != trevni::Category::Internal, "{error}");
            }
            None
        }
    }
}

/// A condition selects the same rows, whether the file decides or each row does.
fn condition(text: &str, reader: &Reader<'_>) {
    let Some(condition) = checked(Condition::parse(text)) else {
        return;
    };
    let Some(filtered) = checked(condition.filter(reader)) else {
        return;
    };
    let Some(matching) = done(filtered.matching()) else {
        return;
    };
    let Some(bound) =
        checked(Expression::parse(text)).and_then(|it| checked(it.bind(&Binder::new(reader.shape()))))
    else {
        return;
    };
    let mut found = Vec::new();
    for batch in &file().1 {
        let Some(rows) = checked(trevni_query::Residual::rows(&bound, &Scope::of(batch))) else {
            return;
        };
        found.extend(rows.into_iter().map(|row| batch.first_row() + u64::from(row)));
    }
    assert_eq!(matching, found.into_iter().collect(), "{text}");
}

fn evaluate(expression: &Expression, batches: &[Batch]) {
    for batch in batches {
        if let Some(bound) = checked(expression.bind(&Binder::new(batch.shape()))) {
            let _ = checked(bound.evaluate(&Scope::of(batch)));
        }
    }
}

fn aggregated(aggregate: &Aggregate, batches: &[Batch]) {
    let mut state = aggregate.state();
    state.grow(1);
    for batch in batches {
        let of = aggregate.of.as_ref().map(|of| of.bind(&Binder::new(batch.shape()))).transpose();
        let Some(of) = checked(of) else {
            return;
        };
        if of.as_ref().is_some_and(|of| checked(aggregate.check(of)).is_none()) {
            return;
        }
        let column = of.as_ref().map(|of| of.evaluate(&Scope::of(batch))).transpose();
        let Some(column) = checked(column) else {
            return;
        };
        if checked(state.add(&vec![0; batch.len()], column.as_ref())).is_none() {
            return;
        }
    }
    let _ = state.values();
}
