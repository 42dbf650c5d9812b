//! Questions to values of logical types.

use super::{Folder, lines, with_types};
use serde_json::json;

/// Flights of real data, with the instant of each.
fn flights(types: &str) -> Folder {
    let folder = Folder::new();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/flights.csv");
    folder.says(&["convert", source, "--null", "NA", "-t", types, "-o", "f.trv", "--check"]);
    folder
}

#[test]
fn flights_are_grouped_by_their_months() {
    for types in ["*=auto", "time_hour=timestamp", "time_hour=timestamp-nanos"] {
        let folder = flights(types);
        let found = folder.prints(&[
            "query",
            "f.trv",
            "-b",
            "month=date(date_trunc('month', time_hour)),m=month(time_hour)",
            "-a",
            "count(),first=min(time_hour)",
            "-s",
            "month",
            "-n",
            "2",
            "-f",
            "csv",
        ]);
        let expected = "month,m,count,first\n2013-01-01,1,13,2013-01-01T11:00:00Z\n2013-02-01,2,8,2013-02-03T15:00:00Z\n";
        assert_eq!(found, expected, "{types}");
        let count = |condition: &str| folder.prints(&["count", "f.trv", "-w", condition]);
        assert_eq!(
            count("month(time_hour) = 6"),
            count("time_hour >= '2013-06-01' and time_hour < '2013-07-01'")
        );
        assert_eq!(count("year(time_hour) = 2013"), "120\n");
        assert_eq!(count("time_hour between '2013-01-01T11:00:00Z' and '2013-01-01T12:00:00+01:00'"), "1\n");
    }
}

#[test]
fn conditions_skip_blocks() {
    let folder = Folder::new();
    let text: String = (0..4000)
        .map(|n| format!("{{\"when\":\"{}-{:02}-01T00:00:00Z\"}}\n", 2000 + n / 40, n % 12 + 1))
        .collect();
    folder.put("in.jsonl", &text);
    folder.prints(&["-q", "convert", "in.jsonl", "-t", "*=auto", "--block-size", "1000"]);
    for condition in ["when >= '2095-01-01'", "year(when) >= 2095"] {
        let told = folder.prints(&["query", "in.trv", "-w", condition, "-a", "count()", "--explain"]);
        assert!(
            told.contains("skipped (") && told.contains(&format!(": {condition} may hold in ")),
            "{told}"
        );
        assert!(told.trim_end().ends_with("of 4,000 rows, and holds in 200"), "{told}");
    }
    let told = folder.prints(&["query", "in.trv", "-w", "month(when) = 2", "-a", "count()", "--explain"]);
    assert!(told.contains("none skipped") && told.contains("and is computed for 4,000"), "{told}");
}

#[test]
fn results_are_texts_in_all_formats() {
    let folder = with_types();
    let rows =
        |args: &[&str]| lines(&folder.prints(&[&["query", "types.trv", "-f", "jsonl"], args].concat()));
    assert_eq!(
        rows(&[
            "-a",
            "sum(price),mean(price),min(when),max(when),max(day),min(at),max(local),min(key),first(lasts)"
        ]),
        [json!({
            "sum_price": "15.49", "mean_price": 15.49 / 3.0, "min_when": "2013-06-01T05:00:00.250Z",
            "max_when": "+12345-01-01T00:00:00Z", "max_day": "2013-06-01", "min_at": "00:00:00",
            "max_local": "9999-12-31T23:59:59", "min_key": "00000000-0000-0000-0000-000000000000",
            "first_lasts": "P1Y2M",
        })]
    );
    assert_eq!(rows(&["-b", "day", "-s", "day"])[0], json!({"day": "1969-12-31", "count": 1}));
    assert_eq!(
        rows(&[
            "-c",
            "id,price,days,by,x=price*2,next=day+1,d=date_trunc('year',when)",
            "-s",
            "-price",
            "-n",
            "1"
        ]),
        [json!({
            "id": 1, "price": "12.50", "days": ["-0044-03-15", "+10000-01-01"],
            "by": {"a": {"t": "1969-12-31T23:59:59.999Z"}}, "x": "25.00", "next": "2013-06-02", "d": "2013-01-01T00:00:00Z",
        })]
    );
    let by_price: Vec<_> = rows(&["-c", "id", "-s", "price"]);
    assert_eq!(by_price, [json!({"id": 3}), json!({"id": 2}), json!({"id": 1})]);
    assert_eq!(
        folder.prints(&[
            "query",
            "types.trv",
            "--explode",
            "days",
            "-c",
            "id,days",
            "-f",
            "csv",
            "-w",
            "days < '1970-01-02'"
        ]),
        "id,days\n1,-0044-03-15\n3,1970-01-01\n"
    );
    assert_eq!(
        folder.prints(&["query", "types.trv", "-c", "when,price", "-s", "-when"]),
        " when                      price\n 2013-06-01T05:00:00.250Z  12.50\n".replacen(
            "\n 2013",
            "\n +12345-01-01T00:00:00Z    -0.01\n 2013",
            1
        ) + " null                       3.00\n"
    );
    assert_eq!(
        folder.prints(&["query", "types.trv", "--stored", "-c", "day,at", "-f", "csv", "-n", "1"]),
        "day,at\n15857,18000000000\n"
    );
    let error = folder.fails(&["query", "types.trv", "-s", "lasts", "-c", "id"]);
    assert!(error.contains("lasts is a duration, which has no order"), "{error}");
}

#[test]
fn files_of_other_units_are_one_table() {
    let folder = Folder::new();
    folder.put("a.jsonl", "{\"when\":\"2013-06-01T05:00:00Z\",\"cost\":\"1.5\"}\n{\"when\":\"1969-12-31T00:00:00Z\",\"cost\":\"0.25\"}\n");
    for (name, types) in [
        ("a.trv", ["when=timestamp-millis", "cost=decimal(9,2)"]),
        ("b.trv", ["when=timestamp-nanos", "cost=decimal(30,4)"]),
    ] {
        folder.prints(&["-q", "convert", "a.jsonl", "-o", name, "-t", types[0], "-t", types[1]]);
    }
    folder.put("c.jsonl", "{\"when\":\"2013-06-01\",\"cost\":2}\n");
    folder.prints(&["-q", "convert", "c.jsonl", "-t", "when=date"]);
    let rows = |args: &[&str]| {
        lines(&folder.prints(&[&["query", "a.trv", "b.trv", "c.trv", "-f", "jsonl"], args].concat()))
    };
    assert_eq!(
        rows(&["-b", "when", "-s", "when", "-a", "count(),sum(cost)"]),
        [
            json!({"when": "1969-12-31T00:00:00Z", "count": 2, "sum_cost": "0.5000"}),
            json!({"when": "2013-06-01", "count": 1, "sum_cost": 2}),
            json!({"when": "2013-06-01T05:00:00Z", "count": 2, "sum_cost": "3.0000"}),
        ]
    );
    assert_eq!(rows(&["-b", "cost", "-s", "cost"])[1], json!({"cost": "1.50", "count": 2}));
    assert_eq!(rows(&["-w", "when > '2013-06-01' or cost = 0.25", "-a", "count(),max(when)"])[0]["count"], 4);
    assert_eq!(
        folder.prints(&["cat", "a.trv", "b.trv", "c.trv", "-f", "csv", "-w", "when >= '2000-01-01'"]),
        "when,cost\n2013-06-01T05:00:00Z,1.50\n2013-06-01T05:00:00Z,1.5000\n2013-06-01,2\n"
    );
}

#[test]
fn rows_are_sorted_by_the_numbers_that_decimals_are() {
    let folder = Folder::new();
    let costs = ["300", "-1", "0.5", "-300.25", "12345678901234567890", "2"];
    let text: String = costs.iter().map(|cost| format!("{{\"cost\":{cost}}}\n")).collect();
    folder.put("in.jsonl", &text);
    folder.prints(&["-q", "convert", "in.jsonl", "-t", "cost=decimal(30,2)"]);
    folder.prints(&["-q", "recode", "in.trv", "--sort-by", "cost", "-o", "sorted.trv"]);
    let sorted = "cost\n-300.25\n-1.00\n0.50\n2.00\n300.00\n12345678901234567890.00\n";
    assert_eq!(folder.prints(&["cat", "-f", "csv", "sorted.trv"]), sorted);
    assert_eq!(folder.prints(&["query", "in.trv", "-c", "cost", "-s", "cost", "-f", "csv"]), sorted);
}
