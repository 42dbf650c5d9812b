//! query: rows that are computed and sorted, and groups of rows.

use super::{Folder, flights};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What a query prints as JSON.
#[track_caller]
fn query(folder: &Folder, args: &[&str]) -> Vec<Value> {
    rows(&folder.prints(&[&["query", "-f", "jsonl"], args].concat()))
}

fn of<'r>(rows: &'r [Value], name: &str) -> Vec<&'r Value> {
    rows.iter().map(|row| &row[name]).collect()
}

#[test]
fn groups_come_to_what_their_rows_do() {
    let folder = Folder::with_flights();
    let aggregates = "count(),count(dep_delay),count_distinct(from.gate),sum(flight),sum(dep_delay),mean(dep_delay),\
        min(dep_delay),max(flight),median(dep_delay),quantile(flight,0.9),first(flight),last(dep_delay),\
        stddev(dep_delay),most=max(carrier)";
    let found = query(&folder, &["flights.trv", "-b", "carrier", "-a", aggregates]);
    assert_eq!(of(&found, "carrier"), ["AA", "B6", "DL"]);
    for row in &found {
        let all: Vec<Value> =
            flights(1000).into_iter().filter(|flight| flight["carrier"] == row["carrier"]).collect();
        let numbers: Vec<u64> = all.iter().map(|flight| flight["flight"].as_u64().unwrap()).collect();
        let mut delays: Vec<f64> = all.iter().filter_map(|flight| flight["dep_delay"].as_f64()).collect();
        let gates: BTreeMap<u64, ()> =
            all.iter().map(|flight| (flight["from"]["gate"].as_u64().unwrap(), ())).collect();
        let last = delays[delays.len() - 1];
        let mean = delays.iter().sum::<f64>() / delays.len() as f64;
        let squares: f64 = delays.iter().map(|delay| (delay - mean).powi(2)).sum();
        delays.sort_by(f64::total_cmp);
        let at = |share: f64, values: &[f64]| {
            let at = (values.len() - 1) as f64 * share;
            let (low, high) = (values[at.floor() as usize], values[at.ceil() as usize]);
            low + (high - low) * at.fract()
        };
        let floats: Vec<f64> = numbers.iter().map(|number| *number as f64).collect();
        assert_eq!(row["count"], all.len());
        assert_eq!(row["count_dep_delay"], delays.len());
        assert_eq!(row["count_distinct_from.gate"], gates.len());
        assert_eq!(row["sum_flight"], numbers.iter().sum::<u64>());
        assert_eq!(row["min_dep_delay"], delays[0]);
        assert_eq!(row["max_flight"], numbers[numbers.len() - 1]);
        assert_eq!(row["first_flight"], numbers[0]);
        assert_eq!(row["last_dep_delay"], last);
        assert_eq!(row["most"], row["carrier"]);
        for (name, expected) in [
            ("sum_dep_delay", delays.iter().sum()),
            ("mean_dep_delay", mean),
            ("median_dep_delay", at(0.5, &delays)),
            ("quantile_flight_0.9", at(0.9, &floats)),
            ("stddev_dep_delay", (squares / (delays.len() - 1) as f64).sqrt()),
        ] {
            let value = row[name].as_f64().unwrap();
            assert!((value - expected).abs() < 1e-9, "{name}: {value} {expected}");
        }
    }
}

#[test]
fn groups_may_be_null_computed_and_several() {
    let folder = Folder::with_flights();
    let found = query(&folder, &["flights.trv", "-b", "none=dep_delay is null, n=flight % 2"]);
    let keys: Vec<Value> = found.iter().map(|row| json!([row["none"], row["n"], row["count"]])).collect();
    assert_eq!(keys, [json!([false, 0, 500]), json!([false, 1, 400]), json!([true, 1, 100])]);
    folder.write(
        "nulls.trv",
        [json!({"k": null, "v": 1}), json!({"k": "a", "v": 2.5}), json!({"k": null, "v": 3})],
    );
    let found = query(&folder, &["nulls.trv", "-b", "k", "-a", "sum(v)", "-s", "-sum_v"]);
    assert_eq!(found, [json!({"k": null, "sum_v": 4.0}), json!({"k": "a", "sum_v": 2.5})]);
    // Without rows there is one group of all, and no group by a value.
    let none = ["nulls.trv", "-w", "v > 100", "-a", "count(),sum(v),max(k)"];
    assert_eq!(query(&folder, &none), [json!({"count": 0, "sum_v": null, "max_k": null})]);
    assert_eq!(query(&folder, &[&none[..], &["-b", "k"]].concat()), [] as [Value; 0]);
    folder.write("single.trv", [0.1f32, 0.1]);
    let csv = folder.prints(&["query", "single.trv", "-b", "item", "-a", "max(item),count(*)", "-f", "csv"]);
    assert_eq!(csv, "item,max_item,count\n0.1,0.1,2\n");
    // Sums of integers are exact.
    folder.write("large.trv", [i64::MAX, i64::MAX, 1]);
    let sum = folder.prints(&["query", "large.trv", "-a", "s=sum(item)", "-f", "csv"]);
    assert_eq!(sum, "s\n18446744073709551615\n");
}

#[test]
fn rows_are_sorted_and_cut() {
    let folder = Folder::with_flights();
    let numbers = |args: &[&str]| -> Vec<u64> {
        let found = query(&folder, &[&["flights.trv", "-c", "flight,carrier,dep_delay"], args].concat());
        found.iter().map(|row| row["flight"].as_u64().unwrap()).collect()
    };
    assert_eq!(numbers(&["-s", "-flight", "-n", "3"]), [999, 998, 997]);
    assert_eq!(numbers(&["-s", "-flight", "-n", "2", "--skip", "997"]), [2, 1]);
    // Ties by first appearance, nulls last.
    assert_eq!(numbers(&["-s", "-carrier,-dep_delay", "-n", "2"]), [998, 995]);
    assert_eq!(numbers(&["-s", "-carrier", "-n", "3"]), [2, 5, 8]);
    assert_eq!(numbers(&["-s", "dep_delay"])[898..902], [997, 998, 9, 19]);
    assert_eq!(numbers(&["-s", "-dep_delay"])[898..902], [1, 0, 9, 19]);
    // By something that is no column of the result.
    assert_eq!(numbers(&["-s", "-from.gate,flight", "-n", "2"]), [39, 79]);
    assert_eq!(numbers(&["-n", "2", "--skip", "998"]), [998, 999]);
    let counts = query(&folder, &["flights.trv", "-b", "carrier", "-s", "count,-carrier"]);
    assert_eq!(of(&counts, "carrier"), ["DL", "B6", "AA"]);
}

#[test]
fn the_first_of_many_rows_are_found() {
    let folder = Folder::new();
    let row = |n: u64| json!({"n": n, "key": n * 7919 % 50_021, "list": [n, n + 1]});
    folder.write("many.trv", (0..50_000).map(row));
    let mut all: Vec<Value> = (0..50_000).map(row).collect();
    all.sort_by_key(|row| std::cmp::Reverse(row["key"].as_u64()));
    assert_eq!(query(&folder, &["many.trv", "-s", "-key", "-n", "20"]), all[..20]);
    let found =
        query(&folder, &["many.trv", "--explode", "list", "-s", "-key,-list", "-n", "4", "-c", "n,list"]);
    let items = all[..2].iter().flat_map(|row| [row["list"][1].clone(), row["list"][0].clone()]);
    assert_eq!(of(&found, "list"), items.collect::<Vec<_>>().iter().collect::<Vec<_>>());
}

#[test]
fn columns_are_fields_patterns_and_values() {
    let folder = Folder::with_flights();
    let first = |columns: &str| {
        folder.prints(&["query", "flights.trv", "-n", "1", "--skip", "1", "-f", "jsonl", "-c", columns])
    };
    assert_eq!(
        first("carrier,late=dep_delay*2,flight"),
        "{\"carrier\":\"B6\",\"late\":-9.75,\"flight\":1}\n"
    );
    assert_eq!(first("dep_*,stops"), "{\"dep_delay\":-4.875,\"stops\":[\"S0\"]}\n");
    assert_eq!(first("!from,!dep_*"), "{\"flight\":1,\"carrier\":\"B6\",\"stops\":[\"S0\"]}\n");
    assert_eq!(
        first("from,from.gate,len(stops)"),
        "{\"from\":{\"airport\":\"JFK\",\"gate\":1},\"from.gate\":1,\"len(stops)\":1}\n"
    );
    assert_eq!(first("a=`from`.gate, b='x, y', c=lower(carrier)"), "{\"a\":1,\"b\":\"x, y\",\"c\":\"b6\"}\n");
    let csv =
        folder.prints(&["query", "flights.trv", "-n", "1", "-f", "csv", "-c", "from,flight,x=dep_delay>0"]);
    assert_eq!(csv, "from.airport,from.gate,flight,x\nJFK,0,0,false\n");
    let table = folder.prints(&[
        "query",
        "flights.trv",
        "-b",
        "carrier",
        "-a",
        "sum(flight),mean(flight)",
        "-n",
        "1",
    ]);
    let cells: Vec<&str> = table.split_whitespace().collect();
    assert_eq!(cells, ["carrier", "sum_flight", "mean_flight", "AA", "166,833", "499.5"]);
    let all = query(&folder, &["flights.trv"]);
    assert_eq!(all, flights(1000));
}

#[test]
fn lists_are_taken_apart() {
    let folder = Folder::with_flights();
    let found = query(&folder, &["flights.trv", "--explode", "stops", "-c", "flight,stops", "-n", "3"]);
    assert_eq!(
        found,
        [
            json!({"flight": 1, "stops": "S0"}),
            json!({"flight": 2, "stops": "S0"}),
            json!({"flight": 2, "stops": "S1"})
        ]
    );
    let found =
        query(&folder, &["flights.trv", "--explode", "stops", "-b", "stops", "-a", "count(),min(flight)"]);
    assert_eq!(
        found,
        [
            json!({"stops": "S0", "count": 666, "min_flight": 1}),
            json!({"stops": "S1", "count": 333, "min_flight": 2})
        ]
    );
    let found = query(
        &folder,
        &["flights.trv", "--explode", "stops", "-w", "stops = 'S1' and flight < 6", "-c", "flight"],
    );
    assert_eq!(of(&found, "flight"), [2, 5]);
    let hops =
        |n: u64| (0..n).map(|hop| json!({"host": format!("h{hop}"), "ms": hop * n})).collect::<Vec<_>>();
    folder.write(
        "mails.trv",
        (0..4).map(|n| json!({"id": n, "hops": if n == 2 { Value::Null } else { hops(n).into() }})),
    );
    let found = query(
        &folder,
        &["mails.trv", "--explode", "hops", "-b", "hops.host", "-a", "ms=sum(hops.ms)", "-s", "-ms"],
    );
    assert_eq!(
        found,
        [
            json!({"hops.host": "h2", "ms": 6}),
            json!({"hops.host": "h1", "ms": 3}),
            json!({"hops.host": "h0", "ms": 0})
        ]
    );
    let csv =
        folder.prints(&["query", "mails.trv", "--explode", "hops", "-f", "csv", "-n", "2", "-s", "-id"]);
    assert_eq!(csv, "id,hops.host,hops.ms\n3,h0,0\n3,h1,3\n");
}

#[test]
fn names_may_be_odd() {
    let folder = Folder::new();
    let row = json!({"a.b": 1, "item": 2, "and": 3, "it`s": 4, "c": {"d.e": 5}});
    folder.write("odd.trv", [row.clone()]);
    assert_eq!(query(&folder, &["odd.trv"]), [row]);
    let csv = folder.prints(&["query", "odd.trv", "-f", "csv", "-s", "a.b"]);
    assert_eq!(csv, "a.b,item,and,it`s,c.d.e\n1,2,3,4,5\n");
    let csv = folder.prints(&["query", "odd.trv", "-f", "csv", "-c", "!c,!item"]);
    assert_eq!(csv, "a.b,and,it`s\n1,3,4\n");
    let condition = "a.b = 1 and item = 2 and `and` + 0 = 3 and `it``s` = 4 and c.`d.e` * 1 = 5";
    assert_eq!(folder.prints(&["count", "odd.trv", "-w", condition]), "1\n");
}

#[test]
fn rows_need_not_be_records() {
    let folder = Folder::new();
    folder.write("plain.trv", [json!(3), json!(1.5), json!(null)]);
    assert_eq!(
        folder.prints(&["query", "plain.trv", "-f", "csv", "--null", "-", "-s", "value"]),
        "value\n1.5\n3\n-\n"
    );
    assert_eq!(
        folder.prints(&["query", "plain.trv", "-f", "csv", "-c", "item,twice=item*2"]),
        "item,twice\n3,6.0\n1.5,3.0\n,\n"
    );
    assert_eq!(
        folder.prints(&["query", "plain.trv", "-f", "csv", "-a", "sum(item),n=count()"]),
        "sum_item,n\n4.5,3\n"
    );
}

#[test]
fn several_files_are_one_table() {
    let folder = Folder::new();
    folder.write("old.trv", (0..4).map(|n| json!({"id": n, "kind": "a"})));
    folder.write(
        "new.trv",
        (4..8).map(|n| json!({"id": n as f64 + 0.5, "kind": if n % 2 == 0 { "a" } else { "b" }, "size": n})),
    );
    let both = ["old.trv", "new.trv"];
    let found = query(&folder, &[&both[..], &["-b", "kind", "-a", "count(),sum(id),count(size)"]].concat());
    assert_eq!(
        found,
        [
            json!({"kind": "a", "count": 6, "sum_id": 17.0, "count_size": 2}),
            json!({"kind": "b", "count": 2, "sum_id": 13.0, "count_size": 2}),
        ]
    );
    let found =
        query(&folder, &[&both[..], &["-w", "size > 5 or id < 1", "-s", "-id", "-c", "id,size"]].concat());
    assert_eq!(
        found,
        [json!({"id": 7.5, "size": 7}), json!({"id": 6.5, "size": 6}), json!({"id": 0, "size": null})]
    );
    let csv = folder.prints(&["query", "old.trv", "new.trv", "-f", "csv", "--null", "-", "-n", "5"]);
    assert!(csv.starts_with("id,kind,size\n0,a,-\n") && csv.ends_with("4.5,a,4\n"), "{csv}");
    let output = folder.trevni(&["query", "old.trv", "new.trv", "-w", "sise > 5"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_best_of_integers_and_floats_does_not_depend_on_the_order_of_files() {
    let folder = Folder::new();
    folder.write("integers.trv", (-2..4).map(|n| json!({"id": n, "all": 1})));
    folder.write("floats.trv", [-1.5, 7.5, 0.5].map(|n| json!({"id": n, "all": 1})));
    folder.write("equal.trv", [-2.0, 3.0].map(|n| json!({"id": n, "all": 1})));
    for files in [["integers.trv", "floats.trv"], ["floats.trv", "integers.trv"]] {
        for by in [&[][..], &["-b", "all"]] {
            let found = query(&folder, &[&files[..], by, &["-a", "min(id),max(id)"]].concat());
            let values = (&found[0]["min_id"], &found[0]["max_id"]);
            assert_eq!(values, (&json!(-2), &json!(7.5)), "{files:?} {by:?}");
        }
    }
    for files in [["integers.trv", "equal.trv"], ["equal.trv", "integers.trv"]] {
        let found = query(&folder, &[&files[..], &["-a", "min(id),max(id)"]].concat());
        assert_eq!((&found[0]["min_id"], &found[0]["max_id"]), (&json!(-2), &json!(3)), "{files:?}");
    }
}

#[test]
fn explain_says_what_is_read() {
    let folder = Folder::with_flights();
    let text = folder.prints(&[
        "query",
        "flights.trv",
        "-w",
        "flight >= 900",
        "-b",
        "carrier",
        "-a",
        "mean(dep_delay)",
        "--explain",
    ]);
    assert!(text.starts_with("reads 3 of 6 columns: "), "{text}");
    assert!(text.contains(" % of the file)\nblocks: ") && text.contains(" skipped ("), "{text}");
    assert!(text.contains("flight >= 900 may hold in ") && text.ends_with("and holds in 100\n"), "{text}");
    let text = folder.prints(&["query", "flights.trv", "-a", "count()", "--explain"]);
    assert!(text.starts_with("reads none of 6 columns\n"), "{text}");
}

#[test]
fn explain_is_an_object_for_programs() {
    let folder = Folder::with_flights();
    folder.write("more.trv", flights(10));
    let explain = |args: &[&str]| -> Vec<Value> {
        let text = folder.prints(&[&["query"], args, &["--explain", "--json"]].concat());
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let found = explain(&[
        "flights.trv",
        "more.trv",
        "-w",
        "flight >= 900",
        "-b",
        "carrier",
        "-a",
        "mean(dep_delay)",
    ]);
    assert_eq!(found.len(), 2);
    let one = &found[0];
    let size = std::fs::metadata(folder.path("flights.trv")).unwrap().len();
    assert_eq!((&one["file"], &one["file_bytes"]), (&json!("flights.trv"), &json!(size)));
    assert_eq!((&one["condition"], &one["computed"]), (&json!("flight >= 900"), &json!(false)));
    assert_eq!(
        (&one["rows"], &one["matching"], &one["file_columns"]),
        (&json!(1000), &json!(100), &json!(6))
    );
    let columns = one["columns"].as_array().unwrap();
    assert_eq!(columns.iter().map(|column| column["name"].as_str().unwrap()).collect::<Vec<_>>().len(), 3);
    let flight = columns.iter().find(|column| column["name"] == "flight").unwrap();
    assert_eq!(flight["condition"], json!(true));
    assert!(flight["blocks_read"].as_u64() < flight["blocks"].as_u64(), "{flight}");
    assert!(flight["bytes_read"].as_u64() < flight["bytes"].as_u64(), "{flight}");
    assert_eq!((&found[1]["rows"], &found[1]["matching"]), (&json!(10), &json!(0)));
    let computed = &explain(&["flights.trv", "-w", "len(carrier) = 2", "-c", "flight", "-s", "flight"])[0];
    assert_eq!((&computed["computed"], &computed["candidates"]), (&json!(true), &json!(1000)));
    let all = &explain(&["flights.trv", "-a", "count()"])[0];
    assert_eq!((&all["condition"], &all["columns"]), (&json!(null), &json!([])));
    let output = folder.trevni(&["query", "flights.trv", "--json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn questions_in_sql_are_told_what_to_do() {
    let folder = Folder::with_flights();
    for question in
        ["select * from 'flights.trv'", " SELECT 1", "with a as (select 1) select * from a", "FROM x"]
    {
        let output = folder.trevni(&["query", question]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(
            error.starts_with("error: query takes files and options, not SQL\n  select is -c, "),
            "{error}"
        );
        assert!(error.ends_with("or in SQL: trevni sql\n"), "{error}");
    }
    // A file may be called so.
    std::fs::copy(folder.path("flights.trv"), folder.path("select these")).unwrap();
    assert_eq!(folder.prints(&["query", "select these", "-a", "count()", "-f", "csv"]), "count\n1000\n");
    let output = folder.trevni(&["query", "select"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn wrong_questions_are_told() {
    let folder = Folder::with_flights();
    for (args, message) in [
        (&["-b", "carier"][..], "character 1: no field \"carier\"; did you mean \"carrier\"?"),
        (&["-a", "mean(carrier)"], "character 6: carrier is a string, not a number"),
        (&["-a", "max(stops)"], "character 5: stops is a list, not a single value"),
        (&["-a", "mode(flight)"], "no aggregate \"mode\"\n  There are count, "),
        (&["-a", "maen(flight)"], "no aggregate \"maen\"; did you mean mean?\n  There are count, "),
        (&["-w", "lag(flight) > 3"], "no function \"lag\"\n  lag(flight) > 3\n  ^\n  Windows need"),
        (&["-a", "count"], "character 6: ( expected"),
        (&["-a", "mean()"], "\"mean()\" is written mean(x)"),
        (&["-a", "quantile(flight,1.5)"], "quantile takes a number from 0 to 1"),
        (&["-a", "count(),count()"], "two columns of the result are called count"),
        (&["-b", "stops"], "stops is a list, not a single value to group by"),
        (&["-b", "carrier", "-s", "flight"], "the result has no column \"flight\" to sort by"),
        (&["-s", "carier"], "the result has no column \"carier\" to sort by; did you mean \"carrier\"?"),
        (&["-s", "stops"], "stops is a list, not a single value to sort by"),
        (&["-c", "x=flight +"], "character 11: a field or a value expected\n  x=flight +\n            ^"),
        (&["-c", "carier"], "did you mean \"carrier\"?"),
        (&["-w", "flight > 'x'"], "character 1: flight is a number, 'x' a string"),
        (&["--explode", "carrier"], "carrier is not a list"),
        (&["-c", "flight", "-b", "carrier"], "cannot be used with"),
        (&["-c", "item"], "character 1: item is a record"),
        (&["-c", "flightx*2"], "no field matches \"flightx*2\""),
        (&["-b", ""], "--by is empty"),
        (&["-a", ", "], "--aggregate is empty"),
        (&["-a", "count(*"], "character 8: ) expected"),
    ] {
        let output = folder.trevni(&[&["query", "flights.trv"], args].concat()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn a_result_has_no_avro_schema() {
    let folder = Folder::with_flights();
    let output = folder.trevni(&["query", "flights.trv", "-f", "avro-json"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(error, "error: the result of a query has no Avro schema\n  To print it as JSON: -f jsonl\n");
}

#[test]
fn groups_are_kept_by_conditions_on_them() {
    let folder = Folder::with_flights();
    let rows = |args: &[&str]| folder.prints(&[&["query", "flights.trv", "-f", "csv"], args].concat());
    let by = ["-b", "carrier", "-a", "count(),avg(dep_delay) as late,max(flight)"];
    let all = rows(&by);
    assert_eq!(all.lines().next(), Some("carrier,count,late,max_flight"));
    assert_eq!(all.lines().count(), 4);
    for (having, carriers) in [
        ("count() > 333", &["AA"][..]),
        ("count > 333", &["AA"]),
        ("carrier = 'DL' or count() = 334", &["AA", "DL"]),
        ("max(flight) >= 998", &["AA", "DL"]),
        // What is no column of the result, and is not printed either.
        ("min(flight) > 0 && sum(from.gate) > 0", &["B6", "DL"]),
        ("late > mean(dep_delay) + 1", &[]),
        ("carrier ilike '%l' or carrier[0] is null", &[]),
    ] {
        if having.contains('[') {
            let output = folder
                .trevni(&[&["query", "flights.trv"], &by[..], &["--having", having]].concat())
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(2));
            continue;
        }
        let found = rows(&[&by[..], &["--having", having]].concat());
        let expected: Vec<&str> =
            all.lines().filter(|line| carriers.iter().any(|own| line.starts_with(own))).collect();
        assert_eq!(found.lines().skip(1).collect::<Vec<_>>(), expected, "{having}");
        assert_eq!(found.lines().next(), all.lines().next(), "{having}");
    }
    assert_eq!(rows(&["-a", "sum(flight)", "--having", "count() > 5000"]), "sum_flight\n");
    for (args, message) in [
        (&["--having", "count() > 3"][..], "--having needs groups"),
        (&["-b", "carrier", "--having", "count()"], "this is a number, not a condition"),
        (&["-b", "carrier", "--having", "flight > 3"], "no field \"flight\""),
        (&["-b", "carrier", "--having", "mode(flight) > 3"], "no aggregate \"mode\""),
        (&["-b", "carrier", "--having", "count( > 3"], ") expected"),
    ] {
        let output = folder.trevni(&[&["query", "flights.trv"], args].concat()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
    }
}

#[test]
fn groups_of_dates_and_decimals_are_compared_as_such() {
    let folder = Folder::new();
    let rows: String = (1..=20)
        .map(|n| format!("{{\"day\":\"2013-01-{n:02}\",\"price\":\"{}.50\",\"shop\":{}}}\n", n * 9, n % 3))
        .collect();
    std::fs::write(folder.path("in.jsonl"), rows).unwrap();
    folder.prints(&["-q", "convert", "in.jsonl", "out.trv", "-t", "day=date", "-t", "price=decimal(9,2)"]);
    let rows = |having: &str| {
        folder.prints(&[
            "query",
            "out.trv",
            "-b",
            "shop",
            "-a",
            "max(day),sum(price)",
            "-f",
            "csv",
            "--having",
            having,
        ])
    };
    assert_eq!(rows("max(day) >= '2013-01-20'"), "shop,max_day,sum_price\n2,2013-01-20,696.50\n");
    assert_eq!(rows("sum(price) = 696.5 and max_day < '2014-01-01'").lines().count(), 2);
    assert_eq!(
        rows("sum(price) < 570"),
        "shop,max_day,sum_price\n0,2013-01-18,570.00\n".replace("0,2013-01-18,570.00\n", "")
    );
}

#[test]
fn columns_have_names_as_in_sql() {
    let folder = Folder::with_flights();
    let rows =
        |args: &[&str]| folder.prints(&[&["query", "flights.trv", "-f", "csv", "-n", "2"], args].concat());
    assert_eq!(rows(&["-c", "carrier as c,flight * 2 as double"]), "c,double\nAA,0\nB6,2\n");
    assert_eq!(rows(&["-c", "flight", "-s", "flight desc"]), "flight\n999\n998\n");
    assert_eq!(rows(&["-b", "upper(carrier) as c", "-s", "-count(*)"]), "c,count\nAA,334\nB6,333\n");
    assert_eq!(
        rows(&["-c", "stops[0] as first,stops[-1]", "-w", "len(stops) = 2"]),
        "first,stops[-1]\nS0,S1\nS0,S1\n"
    );
    assert_eq!(
        rows(&["-c", "from.gate", "-w", "gate = 3"].map(|arg| if arg == "gate = 3" {
            "from.gate = 3"
        } else {
            arg
        }))
        .lines()
        .count(),
        3
    );
    let output = folder.trevni(&["count", "flights.trv", "-w", "gate = 3"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("did you mean \"from.gate\"?"), "{error}");
}
