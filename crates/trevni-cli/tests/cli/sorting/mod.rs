//! Sorting with little memory gives what sorting in memory gives, and leaves nothing.

#[cfg(target_os = "linux")]
mod limits;

use super::Folder;
use serde_json::{Value, json};
use std::cmp::Ordering;

/// A memory that is less than a row, so that each row is a run; one of some rows; and one of all.
const MEMORIES: [&[&str]; 3] = [&["--sort-memory", "1"], &["--sort-memory", "20kB"], &[]];

/// Rows with values of small pools, so that there are many ties.
fn rows(count: usize, seed: u64) -> Vec<Value> {
    let mut random = fastrand::Rng::with_seed(seed);
    let numbers = [json!(null), json!(2), json!(2.5), json!(-1), json!(0), json!(1_000_000)];
    let texts = ["", "a", "a\u{0}", "ab", "é", "long enough to be no prefix", "long enough to be told"];
    let lists = [json!([]), json!([3, 1]), json!([1]), json!([2, 2, 5])];
    let row = |n| {
        json!({
            "n": n,
            "number": random.choice(&numbers).unwrap(),
            "text": random.choice(texts).unwrap(),
            "list": random.choice(&lists).unwrap(),
            "flag": random.bool(),
        })
    };
    (0..count).map(row).collect()
}

/// The order of values of one key: numbers or texts, nulls last.
fn order(one: &Value, two: &Value, descends: bool) -> Ordering {
    let order = match (one, two) {
        (Value::Null, _) | (_, Value::Null) => return one.is_null().cmp(&two.is_null()),
        (Value::String(one), Value::String(two)) => one.cmp(two),
        (one, two) => one.as_f64().unwrap().total_cmp(&two.as_f64().unwrap()),
    };
    if descends { order.reverse() } else { order }
}

#[test]
fn queries_with_little_memory_give_the_same() {
    let folder = Folder::new();
    let all = rows(1000, 1);
    folder.write("rows.trv", &all);
    for (sort, keys) in [
        ("number,-text", vec![("number", false), ("text", true)]),
        ("-number,text", vec![("number", true), ("text", false)]),
        ("text", vec![("text", false)]),
    ] {
        let mut expected = all.clone();
        expected.sort_by(|one, two| {
            let each = keys.iter().map(|(key, descends)| order(&one[*key], &two[*key], *descends));
            each.fold(Ordering::Equal, Ordering::then)
        });
        let expected: String = expected.iter().map(|row| format!("{}\n", row["n"])).collect();
        for memory in MEMORIES {
            let args = ["query", "rows.trv", "-c", "n", "-f", "csv", "--no-header", "-s", sort];
            assert!(folder.prints(&[&args[..], memory].concat()) == expected, "{sort} {memory:?}");
        }
    }
}

#[test]
fn all_forms_and_questions_give_the_same() {
    let folder = Folder::new();
    folder.write("one.trv", rows(500, 2));
    folder.write(
        "two.trv",
        rows(500, 3).into_iter().map(|row| json!({"n": row["n"], "number": 7, "text": "x"})),
    );
    folder.write("none.trv", [json!({"n": 1, "number": 1, "text": "x"})]);
    for question in [
        &["one.trv", "-s", "flag,-number"][..],
        &["one.trv", "two.trv", "-s", "-number,text"],
        &["one.trv", "-s", "-number", "-n", "40", "--skip", "300"],
        &["one.trv", "-s", "text", "-n", "0"],
        &["one.trv", "--explode", "list", "-c", "n,list,double=list*2", "-s", "-list,n"],
        &["one.trv", "--explode", "list", "-w", "list > 1 and number > 0", "-s", "number", "-n", "100"],
        &["none.trv", "-w", "n > 1", "-s", "n"],
    ] {
        for form in ["table", "csv", "tsv", "json", "jsonl", "lines"] {
            let args = [&["query", "-f", form], question].concat();
            let whole = folder.prints(&args);
            for memory in MEMORIES {
                assert!(folder.prints(&[&args[..], memory].concat()) == whole, "{args:?} {memory:?}");
            }
        }
    }
    let rest = folder.prints(&["query", "one.trv", "-s", "-number", "-n", "40", "--skip", "300", "-c", "n"]);
    let all = folder.prints(&["query", "one.trv", "-s", "-number", "-c", "n"]);
    let (rest, all): (Vec<&str>, Vec<&str>) = (rest.lines().skip(1).collect(), all.lines().skip(1).collect());
    assert_eq!(
        rest.iter().map(|n| n.trim()).collect::<Vec<_>>(),
        all[300..340].iter().map(|n| n.trim()).collect::<Vec<_>>()
    );
}

#[test]
fn logical_values_and_no_numbers_are_in_order() {
    let folder = Folder::new();
    let mut random = fastrand::Rng::with_seed(6);
    let mut csv = "price,when,x,n\n".to_owned();
    for n in 0..2000 {
        let (price, day) = (random.i64(-99..99), random.u32(1..29));
        let when = if random.bool() { format!("2013-06-{day:02}T00:00:00Z") } else { String::new() };
        csv += &format!("{:.2},{when},{},{n}\n", price as f64 / 100.0, random.i32(-9..9) as f64 / 4.0);
    }
    std::fs::write(folder.path("r.csv"), csv).unwrap();
    let types = ["-t", "price=decimal(9,2)", "-t", "when=timestamp-millis"];
    folder.prints(&[&["-q", "convert", "r.csv", "-o", "r.trv"], &types[..]].concat());
    let schema = folder.prints(&["schema", "-f", "flat", "r.trv"]);
    assert!(schema.contains("decimal") && schema.contains("timestamp-millis"), "{schema}");
    for sort in ["price", "-when", "x", "-x,price", "price,-x,when"] {
        let args = ["query", "r.trv", "-f", "jsonl", "-s", sort];
        let whole = folder.prints(&args);
        for memory in MEMORIES {
            assert!(folder.prints(&[&args[..], memory].concat()) == whole, "{sort} {memory:?}");
        }
    }
    let whens = folder.prints(&["query", "r.trv", "-s", "-when", "-c", "when", "-f", "jsonl"]);
    let whens: Vec<Value> =
        whens.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["when"].take()).collect();
    let nulls = whens.iter().filter(|when| when.is_null()).count();
    assert!(nulls > 0 && whens[whens.len() - nulls..].iter().all(Value::is_null));
    folder.write("nan.trv", [f64::NAN, 2.0, -0.0, f64::INFINITY, 0.0, -1.5].map(json_like));
    let sorted = |by: &str| {
        folder.prints(&["query", "nan.trv", "-s", by, "-f", "csv", "--no-header", "--sort-memory", "1"])
    };
    assert_eq!(sorted("x"), "-1.5\n-0.0\n0.0\n2.0\nInfinity\nNaN\n");
    assert_eq!(sorted("-x"), "NaN\nInfinity\n2.0\n-0.0\n0.0\n-1.5\n");
}

/// A row of a float that JSON may have no number for.
fn json_like(x: f64) -> std::collections::BTreeMap<&'static str, f64> {
    [("x", x)].into()
}

#[test]
fn recoding_with_little_memory_gives_the_same() {
    let folder = Folder::new();
    folder.write("rows.trv", rows(700, 4));
    for rest in
        [&["--sort-by", "number,-text"][..], &["--sort-by", "-flag,text", "-w", "n % 3 = 1", "-c", "n,list"]]
    {
        let sorted = |memory: &[&str]| {
            folder.prints(&[&["-q", "recode", "rows.trv", "-o", "x.trv", "--force"], rest, memory].concat());
            folder.prints(&["cat", "x.trv"])
        };
        let whole = sorted(&[]);
        assert!(whole.lines().count() > 200);
        for memory in [&["--sort-memory", "5kB"][..], &["--sort-memory", "100kB"]] {
            assert!(sorted(memory) == whole, "{rest:?} {memory:?}");
        }
    }
}

#[test]
fn memory_is_for_sorting() {
    let folder = Folder::with_flights();
    for args in [
        &["query", "flights.trv", "--sort-memory", "1MB"][..],
        &["query", "flights.trv", "-s", "flight", "--sort-memory", "x"],
    ] {
        assert_eq!(folder.trevni(args).output().unwrap().status.code(), Some(2), "{args:?}");
    }
}
