//! Each operator on each kind of shape.

use super::super::{Predicate, col, item};
use super::Rows;
use serde::Serialize;
use std::collections::BTreeMap;

fn of_values<T: Serialize>(rows: &[T], predicate: Predicate) -> String {
    Rows::from_rows(rows).truths(predicate)
}

#[test]
fn every_operator_on_integers() {
    let truths = |predicate| of_values(&[-1, 0, 5, 60, i32::MAX], predicate);
    assert_eq!(truths(item().eq(5)), "FFTFF");
    assert_eq!(truths(item().ne(5)), "TTFTT");
    assert_eq!(truths(item().lt(5)), "TTFFF");
    assert_eq!(truths(item().le(5)), "TTTFF");
    assert_eq!(truths(item().gt(5)), "FFFTT");
    assert_eq!(truths(item().ge(5)), "FFTTT");
    assert_eq!(truths(item().between(0, 60)), "FTTTF");
    assert_eq!(truths(item().between(60, 0)), "FFFFF");
    assert_eq!(truths(item().is_in([60, -1, 60, 7])), "TFFTF");
    assert_eq!(truths(item().is_in(Vec::<i32>::new())), "FFFFF");
    assert_eq!(truths(item().is_null()), "FFFFF");
    assert_eq!(truths(item().is_not_null()), "TTTTT");
    assert_eq!(truths(!item().lt(5)), "FFTTT");
    assert_eq!(truths(item().lt(0).or(item().gt(60))), "TFFFT");
    assert_eq!(truths(item().lt(60).and(item().gt(0))), "FFTFF");
    assert_eq!(truths(item().gt(u64::MAX)), "FFFFF");
    assert_eq!(truths(item().lt(u128::MAX)), "TTTTT");
    assert_eq!(truths(item().gt(i128::MIN)), "TTTTT");
}

#[test]
fn integers_compare_with_floats_by_their_exact_values() {
    let truths = |predicate| of_values(&[59, 60, 61], predicate);
    assert_eq!(truths(item().lt(60.5)), "TTF");
    assert_eq!(truths(item().le(60.5)), "TTF");
    assert_eq!(truths(item().gt(60.5)), "FFT");
    assert_eq!(truths(item().ge(60.5)), "FFT");
    assert_eq!(truths(item().eq(60.5)), "FFF");
    assert_eq!(truths(item().eq(60.0)), "FTF");
    assert_eq!(truths(item().between(59.5, 60.5)), "FTF");
    assert_eq!(truths(item().lt(f64::INFINITY)), "TTT");
    assert_eq!(truths(item().gt(f64::INFINITY)), "FFF");
    assert_eq!(truths(item().gt(f64::NEG_INFINITY)), "TTT");
    assert_eq!(truths(item().gt(f64::NAN)), "FFF");
    assert_eq!(truths(item().ne(f64::NAN)), "TTT");
    assert_eq!(truths(item().between(0, f64::NAN)), "FFF");
    let truths = |predicate| of_values(&[i64::MIN, -1, 0, i64::MAX - 1, i64::MAX], predicate);
    // 2 to the power of 63, one more than the greatest.
    assert_eq!(truths(item().lt(i64::MAX as f64)), "TTTTT");
    assert_eq!(truths(item().eq(i64::MAX as f64)), "FFFFF");
    assert_eq!(truths(item().ge(i64::MIN as f64)), "TTTTT");
    assert_eq!(truths(item().gt(i64::MIN as f64)), "FTTTT");
    assert_eq!(truths(item().gt(-0.5)), "FFTTT");
    assert_eq!(truths(item().ge(-0.0)), "FFTTT");
    assert_eq!(truths(item().gt(i64::MAX)), "FFFFF");
    assert_eq!(truths(item().ge(i64::MAX)), "FFFFT");
    assert_eq!(truths(item().le(i64::MIN)), "TFFFF");
}

#[test]
fn wide_integers() {
    let truths = |predicate| of_values(&[0, 1, i64::MAX as u64, 1 << 63, u64::MAX], predicate);
    assert_eq!(truths(item().gt(i64::MAX)), "FFFTT");
    assert_eq!(truths(item().eq(u64::MAX)), "FFFFT");
    assert_eq!(truths(item().gt(-1)), "TTTTT");
    assert_eq!(truths(item().ge(-0.5)), "TTTTT");
    assert_eq!(truths(item().lt(1u128 << 64)), "TTTTT");
    assert_eq!(truths(item().ge(9_223_372_036_854_775_808.0)), "FFFTT");
    let truths = |predicate| of_values(&[i128::MIN, -1, 0, 1 << 100, i128::MAX], predicate);
    assert_eq!(truths(item().lt(0)), "TTFFF");
    assert_eq!(truths(item().is_in([i128::MAX, -1])), "FTFFT");
    assert_eq!(truths(item().lt(u128::MAX)), "TTTTT");
    assert_eq!(truths(item().gt(1e30)), "FFFTT");
    assert_eq!(truths(item().ge(1e38)), "FFFFT");
    assert_eq!(truths(item().ge(1e39)), "FFFFF");
    assert_eq!(truths(item().gt(-1e39)), "TTTTT");
    let truths = |predicate| of_values(&[0, 1 << 127, u128::MAX], predicate);
    assert_eq!(truths(item().gt(i128::MAX)), "FTT");
    assert_eq!(truths(item().eq(u128::MAX)), "FFT");
    assert_eq!(truths(item().gt(2f64.powi(127))), "FFT");
    assert_eq!(truths(item().lt(2f64.powi(128))), "TTT");
    assert_eq!(truths(item().le(-1)), "FFF");
}

#[test]
fn floats_compare_as_in_rust() {
    let truths = |predicate| of_values(&[f64::NAN, -0.0, 0.0, 0.5, f64::INFINITY], predicate);
    assert_eq!(truths(item().eq(0.0)), "FTTFF");
    assert_eq!(truths(item().eq(0)), "FTTFF");
    assert_eq!(truths(item().lt(0.0)), "FFFFF");
    assert_eq!(truths(item().gt(-0.0)), "FFFTT");
    assert_eq!(truths(item().ne(0.0)), "TFFTT");
    assert_eq!(truths(item().le(f64::INFINITY)), "FTTTT");
    assert_eq!(truths(item().eq(f64::INFINITY)), "FFFFT");
    assert_eq!(truths(item().gt(f64::MAX)), "FFFFT");
    assert_eq!(truths(item().eq(f64::NAN)), "FFFFF");
    assert_eq!(truths(item().ne(f64::NAN)), "TTTTT");
    assert_eq!(truths(!item().ge(0.0)), "TFFFF");
    assert_eq!(truths(item().is_in([0.5, f64::NAN, -0.0])), "FTTTF");
    let exact = 9_007_199_254_740_992.0; // 2 to the power of 53: here not every integer is a float.
    let truths = |predicate| of_values(&[exact, exact + 2.0], predicate);
    assert_eq!(truths(item().eq(9_007_199_254_740_993i64)), "FF");
    assert_eq!(truths(item().lt(9_007_199_254_740_993i64)), "TF");
    assert_eq!(truths(item().gt(9_007_199_254_740_993i64)), "FT");
    assert_eq!(truths(item().ge(i128::MAX)), "FF");
    assert_eq!(truths(item().lt(u128::MAX)), "TT");
}

#[test]
fn literals_are_rounded_for_columns_of_f32() {
    let truths = |predicate| of_values(&[0.1f32, f32::MAX, f32::INFINITY], predicate);
    assert_eq!(truths(item().eq(0.1)), "TFF");
    assert_eq!(truths(item().eq(0.1f32)), "TFF");
    assert_eq!(truths(item().gt(0.1)), "FTT");
    assert_eq!(truths(item().is_in([0.1, 0.2])), "TFF");
    assert_eq!(truths(item().eq(1e300)), "FFF");
    assert_eq!(truths(item().lt(1e300)), "TTF");
    assert_eq!(truths(item().gt(1e300)), "FFT");
    assert_eq!(of_values(&[0.1f64, f64::from(0.1f32)], item().eq(0.1f32)), "FT");
    assert_eq!(of_values(&[16_777_216f32], item().eq(16_777_217)), "F");
}

#[test]
fn texts_and_bytes_compare_byte_by_byte() {
    let truths = |predicate| of_values(&["", "A", "AA", "AB", "Z", "é", "\u{10ffff}"], predicate);
    assert_eq!(truths(item().eq("AA")), "FFTFFFF");
    assert_eq!(truths(item().eq("AA".to_owned())), "FFTFFFF");
    assert_eq!(truths(item().ne("AA")), "TTFTTTT");
    assert_eq!(truths(item().gt("A")), "FFTTTTT");
    assert_eq!(truths(item().ge("A")), "FTTTTTT");
    assert_eq!(truths(item().lt("AB")), "TTTFFFF");
    assert_eq!(truths(item().le("AB")), "TTTTFFF");
    assert_eq!(truths(item().between("A", "AB")), "FTTTFFF");
    assert_eq!(truths(item().is_in(["é", "A", "B"])), "FTFFFTF");
    assert_eq!(truths(item().starts_with("A")), "FTTTFFF");
    assert_eq!(truths(item().starts_with("")), "TTTTTTT");
    assert_eq!(truths(item().starts_with('é')), "FFFFFTF");
    assert_eq!(truths(item().starts_with('\u{10ffff}')), "FFFFFFT");
    assert_eq!(truths(item().contains("A")), "FTTTFFF");
    assert_eq!(truths(item().contains("B")), "FFFTFFF");
    assert_eq!(truths(item().contains("")), "TTTTTTT");
    assert_eq!(truths(item().contains('é')), "FFFFFTF");
    assert_eq!(truths(item().gt("Z")), "FFFFFTT");
    assert_eq!(of_values(&['a', 'b'], item().eq('b')), "FT");

    let bytes: Vec<&serde_bytes::Bytes> =
        [&[][..], &[1], &[1, 0], &[255], &[255, 255]].map(serde_bytes::Bytes::new).into();
    let truths = |predicate| of_values(&bytes, predicate);
    assert_eq!(truths(item().eq(&[1])), "FTFFF");
    assert_eq!(truths(item().gt(vec![1])), "FFTTT");
    assert_eq!(truths(item().contains(&[1])), "FTTFF");
    assert_eq!(truths(item().contains(&[255, 255])), "FFFFT");
    assert_eq!(truths(item().contains(&[])), "TTTTT");
    assert_eq!(truths(item().starts_with(&[255][..])), "FFFTT");
    assert_eq!(truths(item().starts_with(&[1])), "FTTFF");
    assert_eq!(truths(item().eq("\u{1}")), "FTFFF");
}

#[test]
fn booleans() {
    let truths = |predicate| of_values(&[false, true], predicate);
    assert_eq!(truths(item().eq(true)), "FT");
    assert_eq!(truths(item().ne(true)), "TF");
    assert_eq!(truths(item().lt(true)), "TF");
    assert_eq!(truths(item().le(true)), "TT");
    assert_eq!(truths(item().gt(true)), "FF");
    assert_eq!(truths(item().is_in([true, false])), "TT");
}

#[derive(Serialize)]
enum Status {
    Open,
    Closed,
    Half,
}

#[test]
fn enums_compare_by_their_names() {
    let truths = |predicate| of_values(&[Status::Open, Status::Closed, Status::Half], predicate);
    assert_eq!(truths(item().eq("Open")), "TFF");
    assert_eq!(truths(item().ne("Open")), "FTT");
    assert_eq!(truths(item().is_in(["Half", "Closed", "None"])), "FTT");
    assert_eq!(truths(item().lt("D")), "FTF");
    assert_eq!(truths(item().starts_with("H")), "FFT");
    assert_eq!(truths(item().eq("Other")), "FFF");
}

#[derive(Serialize)]
struct Outer {
    id: u32,
    inner: Option<Inner>,
}

#[derive(Serialize)]
struct Inner {
    value: Option<i64>,
    name: &'static str,
}

#[test]
fn what_is_missing_is_neither_true_nor_false() {
    let inner = |value| Some(Inner { value, name: "x" });
    let rows = [None, inner(None), inner(Some(1)), inner(Some(2))];
    let rows: Vec<Outer> = (0..).zip(rows).map(|(id, inner)| Outer { id, inner }).collect();
    let truths = |predicate| of_values(&rows, predicate);
    assert_eq!(truths(col("inner.value").eq(1)), "??TF");
    assert_eq!(truths(!col("inner.value").eq(1)), "??FT");
    assert_eq!(truths(col("inner.value").ne(1)), "??FT");
    assert_eq!(truths(col("inner.value").is_null()), "TTFF");
    assert_eq!(truths(col("inner.value").is_not_null()), "FFTT");
    assert_eq!(truths(col("inner").is_null()), "TFFF");
    assert_eq!(truths(col("inner.name").is_null()), "TFFF");
    assert_eq!(truths(col("inner.name").eq("x")), "?TTT");
    assert_eq!(truths(col("").is_null()), "FFFF");
    assert_eq!(truths(col("inner.value").eq(1) | col("id").eq(0)), "T?TF");
    assert_eq!(truths(col("inner.value").eq(1) & col("id").eq(1)), "F?FF");
    assert_eq!(truths(col("inner.value").is_in(Vec::<i32>::new())), "??FF");
}

#[test]
fn nested_optionals_and_nulls() {
    let truths = |predicate| of_values(&[None, Some(None), Some(Some(3))], predicate);
    assert_eq!(truths(item().is_null()), "TTF");
    assert_eq!(truths(item().eq(3)), "??T");
    assert_eq!(of_values(&[(), ()], item().is_null()), "TT");
    assert_eq!(of_values(&[(), ()], item().eq(3)), "??");
    let truths = |predicate| of_values(&[None::<i32>, None], predicate);
    assert_eq!(truths(item().is_null()), "TT");
    assert_eq!(truths(item().gt(1)), "??");
    assert_eq!(of_values(&[Some(()), None], item().is_null()), "TT");
}

#[derive(Serialize)]
enum Form {
    Circle { radius: f64 },
    Square(f64),
    Text(String),
    Nothing,
}

#[derive(Serialize)]
struct Drawn {
    form: Option<Form>,
    plain: Form,
}

#[test]
fn variants_are_named_by_paths() {
    let form = |number| match number % 4 {
        0 => Form::Circle { radius: f64::from(number) },
        1 => Form::Square(f64::from(number)),
        2 => Form::Text(format!("t{number}")),
        _ => Form::Nothing,
    };
    let drawn = |number| Drawn { form: (number < 5).then(|| form(number)), plain: form(number) };
    let rows: Vec<Drawn> = (0..8).map(drawn).collect();
    let truths = |predicate| of_values(&rows, predicate);
    assert_eq!(truths(col("plain.Circle.radius").gt(1)), "F???T???");
    assert_eq!(truths(col("form.Circle.radius").gt(1)), "F???T???");
    assert_eq!(truths(col("plain.Form.Circle.radius").gt(1)), "F???T???");
    assert_eq!(truths(col("plain.Text._0").starts_with("t")), "??T???T?");
    assert_eq!(truths(col("plain.Circle").is_null()), "FTTTFTTT");
    assert_eq!(truths(col("form.Circle").is_not_null()), "TFFFTFFF");
    assert_eq!(truths(col("form").is_null()), "FFFFFTTT");
    assert_eq!(truths(col("plain").is_null()), "FFFFFFFF");
    assert_eq!(truths(col("form.Square._0").is_null()), "TFTTTTTT");
    assert_eq!(truths(col("plain.Square._0").eq(5) | col("plain.Circle.radius").eq(0)), "T????T??");
}

#[test]
fn values_of_several_types() {
    let rows = serde_json::json!([{"v": 1}, {"v": "a"}, {"v": null}, {"w": 1}, {"v": "b"}]);
    let truths = |predicate| of_values(rows.as_array().unwrap(), predicate);
    assert_eq!(truths(col("v.string").eq("b")), "?F??T");
    assert_eq!(truths(col("v.long").eq(1)), "T????");
    assert_eq!(truths(col("v").is_null()), "FFTTF");
    assert_eq!(truths(col("w").is_null()), "TTTFT");
}

#[derive(Serialize)]
struct Mail {
    received: Option<Vec<Stop>>,
    tags: BTreeMap<&'static str, Option<i32>>,
    numbers: BTreeMap<u8, &'static str>,
    words: Vec<&'static str>,
    grid: Vec<Vec<i32>>,
}

#[derive(Serialize)]
struct Stop {
    host: &'static str,
    delay: Option<f32>,
}

fn mails() -> Vec<Mail> {
    let stop = |host, delay| Stop { host, delay };
    let mail = |received, tags: &[_], words: &[_], grid| Mail {
        received,
        tags: tags.iter().copied().collect(),
        numbers: words.iter().enumerate().map(|(number, word)| (number as u8, *word)).collect(),
        words: words.to_vec(),
        grid,
    };
    vec![
        mail(None, &[], &[], vec![]),
        mail(Some(vec![]), &[("a", Some(1))], &["x"], vec![vec![]]),
        mail(Some(vec![stop("h", Some(1.0))]), &[("a", None), ("b", Some(2))], &["x", "y"], vec![vec![1]]),
        mail(
            Some(vec![stop("g", Some(2.0)), stop("h", None)]),
            &[("b", Some(1))],
            &["z"],
            vec![vec![], vec![3, 4]],
        ),
    ]
}

#[test]
fn any_item_of_lists() {
    let rows = mails();
    let truths = |predicate| of_values(&rows, predicate);
    assert_eq!(truths(col("words").any(item().eq("x"))), "FTTF");
    assert_eq!(truths(!col("words").any(item().eq("x"))), "TFFT");
    assert_eq!(truths(col("words").any(item().is_not_null())), "FTTT");
    assert_eq!(truths(col("words").is_null()), "FFFF");
    assert_eq!(truths(col("received").any(col("host").eq("h"))), "?FTT");
    assert_eq!(truths(col("received").any(col("delay").gt(1.5))), "?FFT");
    assert_eq!(truths(col("received").any(col("delay").lt(1.5))), "?FT?");
    assert_eq!(truths(col("received").any(col("host").eq("h").and(col("delay").eq(2)))), "?FF?");
    assert_eq!(truths(col("received").any(col("host").eq("h") & col("delay").is_null())), "?FFT");
    assert_eq!(truths(col("received").is_null()), "TFFF");
    assert_eq!(truths(col("grid").any(item().any(item().gt(2)))), "FFFT");
    assert_eq!(truths(col("grid").any(!item().any(item().gt(0)))), "FTFT");
}

#[test]
fn any_entry_of_maps() {
    let rows = mails();
    let truths = |predicate| of_values(&rows, predicate);
    assert_eq!(truths(col("tags").any(col("key").eq("a"))), "FTTF");
    assert_eq!(truths(col("tags").any(col("key").eq("a") & col("value").eq(1))), "FT?F");
    assert_eq!(truths(col("tags").any(col("key").eq("a") & col("value").is_null())), "FFTF");
    assert_eq!(truths(col("tags").any(item().is_null())), "FFFF");
    assert_eq!(truths(col("numbers").any(col("key").ge(1))), "FFTF");
    assert_eq!(truths(col("numbers").any(col("value").eq("z"))), "FFFT");
}

#[test]
fn rows_that_are_lists() {
    let truths = |predicate| of_values(&[vec![1, 2], vec![], vec![3]], predicate);
    assert_eq!(truths(item().any(item().ge(2))), "TFT");
    assert_eq!(truths(item().is_null()), "FFF");
}
