//! Groups of rows, and what they come to.

use serde::Serialize;
use trevni::Reader;
use trevni_query::aggregate::{Aggregate, Groups, State};
use trevni_query::{Binder, ErrorKind, Expression, Scalar, Scope};

#[derive(Serialize)]
struct Sale {
    shop: Option<&'static str>,
    count: Option<i64>,
    price: f32,
    tags: Vec<u8>,
}

fn sales() -> Vec<u8> {
    let sale = |n: i64| Sale {
        shop: [Some("a"), Some("b"), None][n as usize % 3],
        count: (n % 4 != 0).then_some(n),
        price: n as f32 / 2.0,
        tags: vec![1],
    };
    trevni::to_vec((0..30).map(sale)).unwrap()
}

/// What the rows of each group come to, in the order of the groups.
fn grouped(by: &[&str], aggregate: &str) -> Vec<Scalar> {
    let bytes = sales();
    let reader = Reader::from_slice(&bytes).unwrap();
    let binder = Binder::new(reader.shape());
    let keys: Vec<_> = by.iter().map(|by| Expression::parse(by).unwrap().bind(&binder).unwrap()).collect();
    let aggregate = Aggregate::parse(aggregate).unwrap();
    let of = aggregate.of.as_ref().map(|of| of.bind(&binder).unwrap());
    of.iter().for_each(|of| aggregate.check(of).unwrap());
    let (mut groups, mut state): (Groups, State) = (Groups::new(by.len()), aggregate.state());
    for batch in reader.batches().unwrap() {
        let batch = batch.unwrap();
        let scope = Scope::of(&batch);
        let keys: Vec<_> = keys.iter().map(|key| key.evaluate(&scope).unwrap()).collect();
        let numbers = groups.of_rows(&keys, batch.len());
        state.grow(groups.len());
        let column = of.as_ref().map(|of| of.evaluate(&scope).unwrap());
        state.add(&numbers, column.as_ref()).unwrap();
    }
    state.values()
}

#[test]
fn rows_are_grouped_by_expressions() {
    use Scalar::{Float, Integer, Text};
    let counted: Vec<i64> = (0..30).filter(|n| n % 4 != 0).collect();
    let total: i64 = counted.iter().sum();
    assert_eq!(grouped(&[], "count()"), [Integer(30)]);
    assert_eq!(grouped(&[], "count(count)"), [Integer(counted.len() as i128)]);
    assert_eq!(grouped(&[], "sum(count)"), [Integer(total.into())]);
    assert_eq!(grouped(&[], "mean(price)"), [Float(7.25)]);
    assert_eq!(grouped(&["shop"], "count()"), [Integer(10), Integer(10), Integer(10)]);
    assert_eq!(grouped(&["shop"], "min(count)"), [Integer(3), Integer(1), Integer(2)]);
    assert_eq!(grouped(&["shop"], "max(price * 2)"), [Float(27.0), Float(28.0), Float(29.0)]);
    assert_eq!(grouped(&["shop is null", "count is null"], "count()").len(), 4);
    assert_eq!(grouped(&[], "first(shop)"), [Text("a".to_owned())]);
    assert_eq!(grouped(&[], "last(shop)"), [Text("b".to_owned())]);
    assert_eq!(grouped(&[], "count_distinct(shop)"), [Integer(2)]);
    assert_eq!(grouped(&["shop"], "median(price)"), [Float(6.75), Float(7.25), Float(7.75)]);
    assert_eq!(grouped(&[], "quantile(price, 1)"), [Float(14.5)]);
    assert!(matches!(&grouped(&[], "stddev(price)")[..], [Float(value)] if (value - 4.4017).abs() < 1e-3));
    assert_eq!(grouped(&[], "avg(price)"), [Float(7.25)]);
    assert_eq!(grouped(&[], "count(distinct shop)"), [Integer(2)]);
    assert_eq!(grouped(&[], "sum(if(shop = 'a', 1, 0))"), [Integer(10)]);
    assert_eq!(grouped(&["coalesce(shop, 'none')"], "count()"), [Integer(10), Integer(10), Integer(10)]);
    assert_eq!(grouped(&["count"], "sum(1)").len(), counted.len() + 1);
}

#[test]
fn names_are_made_of_functions_and_expressions() {
    for (text, name) in [
        ("count()", "count"),
        ("count(*)", "count"),
        ("mean(a + b)", "mean_a + b"),
        ("late = max(delay)", "late"),
        ("max(delay) as late", "late"),
        ("avg(x)", "avg_x"),
        ("count(distinct x)", "count_distinct_x"),
        ("count(distinct)", "count_distinct"),
        ("quantile(a.b, 0.9)", "quantile_a.b_0.9"),
    ] {
        assert_eq!(Aggregate::parse(text).unwrap().name, name);
    }
}

#[test]
fn wrong_aggregates_are_refused() {
    for (text, message) in [
        ("total(x)", "no aggregate \"total\""),
        ("maen(x)", "no aggregate \"maen\"; did you mean mean?"),
        ("sum(distinct x)", "distinct is for count(distinct x), not for sum"),
        ("percentile(x)", "is written percentile(x, 0.9)"),
        ("sum()", "\"sum()\" is written sum(x)"),
        ("quantile(x)", "\"quantile(x)\" is written quantile(x, 0.9)"),
        ("quantile(x, 2)", "quantile takes a number from 0 to 1"),
        ("sum(x", "expression, character 6: ) expected"),
    ] {
        let error = Aggregate::parse(text).unwrap_err();
        assert!(error.to_string().contains(message) && matches!(error.kind(), ErrorKind::Query), "{error}");
    }
    let bytes = sales();
    let reader = Reader::from_slice(&bytes).unwrap();
    for (text, message) in [("sum(shop)", "shop is a string, not a number"), ("max(tags)", "tags is a list")]
    {
        let aggregate = Aggregate::parse(text).unwrap();
        let of = aggregate.of.as_ref().unwrap().bind(&Binder::new(reader.shape())).unwrap();
        assert!(aggregate.check(&of).unwrap_err().to_string().contains(message), "{text}");
    }
}

#[test]
fn groups_without_room_are_skipped() {
    let bytes = trevni::to_vec([1, 2, 3]).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let item = Expression::parse("item").unwrap().bind(&Binder::new(reader.shape())).unwrap();
    let batch = reader.batches().unwrap().next().unwrap().unwrap();
    let column = item.evaluate(&Scope::of(&batch)).unwrap();
    for text in ["count(x)", "sum(x)", "max(x)", "last(x)", "count_distinct(x)", "stddev(x)", "median(x)"] {
        let mut state = Aggregate::parse(text).unwrap().state();
        state.add(&[0, 9, 0], Some(&column)).unwrap();
        assert!(state.values().is_empty(), "{text}");
    }
}

#[test]
fn sums_beyond_128_bits_are_refused() {
    let bytes = trevni::to_vec([i128::MAX, i128::MAX]).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let item = Expression::parse("item").unwrap().bind(&Binder::new(reader.shape())).unwrap();
    let batch = reader.batches().unwrap().next().unwrap().unwrap();
    let column = item.evaluate(&Scope::of(&batch)).unwrap();
    let mut state = Aggregate::parse("sum(x)").unwrap().state();
    state.grow(1);
    let error = state.add(&[0, 0], Some(&column)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Value), "{error}");
}

/// What all rows of a file come to.
fn of_all(bytes: &[u8], aggregate: &str) -> Result<Scalar, trevni_query::Error> {
    let reader = Reader::from_slice(bytes).unwrap();
    let aggregate = Aggregate::parse(aggregate)?;
    let of = aggregate.of.as_ref().map(|of| of.bind(&Binder::new(reader.shape()))).transpose()?;
    of.iter().try_for_each(|of| aggregate.check(of))?;
    let [mut state, mut by_vectors] = [aggregate.state(), aggregate.state()];
    state.grow(1);
    by_vectors.grow(1);
    for batch in reader.batches().unwrap() {
        let batch = batch.unwrap();
        let scope = Scope::of(&batch);
        let column = of.as_ref().map(|of| of.evaluate(&scope)).transpose()?;
        state.add(&vec![0; batch.len()], column.as_ref())?;
        let vector = of.as_ref().and_then(|of| scope.all(of.place()?));
        if !vector.is_some_and(|(shape, vector)| by_vectors.add_vector(shape, vector)) {
            by_vectors.add(&vec![0; batch.len()], column.as_ref())?;
        }
    }
    let value = state.values().remove(0);
    assert_eq!(by_vectors.values(), std::slice::from_ref(&value));
    Ok(value)
}

#[test]
fn vectors_come_to_what_their_columns_come_to() {
    #[derive(Serialize)]
    struct Row {
        int: Option<i32>,
        long: i64,
        unsigned: Option<u64>,
        float: Option<f64>,
        number: Number,
        nothing: Option<()>,
        within: Option<Within>,
        word: &'static str,
        day: &'static str,
    }
    #[derive(Serialize)]
    struct Within {
        int: Option<i32>,
    }
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Number {
        Integer(i64),
        Float(f64),
    }
    let row = |at: i64| Row {
        int: (at % 3 > 0).then_some([i32::MIN, i32::MAX, 0, -1][at as usize % 4]),
        long: [i64::MIN, i64::MAX, 1 << 32, -5, 0][at as usize % 5],
        unsigned: (at % 2 > 0).then_some([u64::MAX, 0][at as usize % 2]),
        float: (at % 4 > 0).then_some(at as f64 / 3.0),
        number: if at % 2 > 0 { Number::Integer(at) } else { Number::Float(0.5) },
        nothing: (at % 2 > 0).then_some(()),
        within: (at % 5 > 0).then_some(Within { int: (at % 7 > 0).then_some(at as i32) }),
        word: ["a", "b"][at as usize % 2],
        day: ["2024-01-01", "2023-01-01"][at as usize % 2],
    };
    let file = |rows: Vec<Row>| {
        let mut writer =
            trevni::Writer::builder().logical("day", trevni::shape::Logical::Date).build(Vec::new()).unwrap();
        rows.iter().for_each(|row| writer.write(row).unwrap());
        writer.finish().unwrap()
    };
    for bytes in [file((0..200).map(row).collect()), file(vec![row(0)])] {
        for field in
            ["int", "long", "unsigned", "float", "number", "nothing", "within", "within.int", "word", "day"]
        {
            for function in Aggregate::names() {
                let share = if function == "quantile" { ", 0.5" } else { "" };
                // It asserts that they agree; what has no sum is an error of both.
                let _ = of_all(&bytes, &format!("{function}({field}{share})"));
            }
        }
    }
    let bytes = file((0..200).map(row).collect());
    assert_eq!(of_all(&bytes, "max(long)").unwrap(), Scalar::Integer(i64::MAX.into()));
    assert_eq!(of_all(&bytes, "count(within.int)").unwrap(), Scalar::Integer(137));
}

#[test]
fn decimals_and_instants_have_aggregates() {
    let mut writer = trevni::Writer::builder()
        .logical("price", trevni::shape::Logical::Decimal { precision: 43, scale: 2 })
        .logical("when", trevni::shape::Logical::TimestampMillis)
        .logical("lasts", trevni::shape::Logical::Duration)
        .build(Vec::new())
        .unwrap();
    #[derive(Serialize)]
    struct Sale {
        price: Option<&'static str>,
        when: &'static str,
        lasts: &'static str,
    }
    let long = "99999999999999999999999999999999999999999.99";
    for (price, when) in [
        (Some(long), "-0044-03-15T12:00:00Z"),
        (None, "+10000-01-01T00:00:00Z"),
        (Some("0.02"), "1969-12-31T23:59:59.999Z"),
        (Some("-0.01"), "1970-01-01T00:00:00Z"),
    ] {
        writer.write(&Sale { price, when, lasts: "P1D" }).unwrap();
    }
    let bytes = writer.finish().unwrap();
    let text = |aggregate: &str| match of_all(&bytes, aggregate).unwrap() {
        Scalar::Decimal(value) => value.to_string(),
        Scalar::Moment(value) => value.to_string(),
        other => format!("{other:?}"),
    };
    for (aggregate, expected) in [
        ("sum(price)", "100000000000000000000000000000000000000000.00"),
        ("sum(price * 2)", "200000000000000000000000000000000000000000.00"),
        ("mean(price)", "Float(3.3333333333333335e40)"),
        ("min(price)", "-0.01"),
        ("max(price)", long),
        ("median(price)", "Float(0.02)"),
        ("count_distinct(price)", "Integer(3)"),
        ("min(when)", "-0044-03-15T12:00:00Z"),
        ("max(when)", "+10000-01-01T00:00:00Z"),
        ("first(date(when))", "-0044-03-15"),
        ("last(year(when))", "Integer(1970)"),
        ("first(lasts)", "Text(\"P1D\")"),
        ("count_distinct(lasts)", "Integer(1)"),
    ] {
        assert_eq!(text(aggregate), expected, "{aggregate}");
    }
    for (aggregate, message) in [
        ("sum(when)", "when is an instant, not a number"),
        ("min(lasts)", "lasts is a duration, not a value with an order"),
        ("mean(lasts)", "lasts is a duration, not a number"),
    ] {
        let error = of_all(&bytes, aggregate).unwrap_err();
        assert!(error.to_string().contains(message), "{aggregate}: {error}");
    }
}

#[test]
fn decimals_and_integers_are_the_same_keys() {
    let mut groups = Groups::new(1);
    let decimal = |text: &str| trevni_query::Decimal::parse(text).unwrap();
    let values = trevni_query::ScalarValues::Decimal(vec![decimal("1.50"), decimal("1.5"), decimal("2.00")]);
    let column = trevni_query::ScalarColumn { values, present: None };
    assert_eq!(groups.of_rows(&[column], 3), [0, 0, 1]);
    let values = trevni_query::ScalarValues::Integer(vec![2, 3]);
    let column = trevni_query::ScalarColumn { values, present: None };
    assert_eq!(groups.of_rows(&[column], 2), [1, 2]);
}
