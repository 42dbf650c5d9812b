//! Types that are found.

use super::{Folder, lines};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

#[test]
fn types_are_found_and_told() {
    let folder = Folder::new();
    folder.put(
        "in.csv",
        "when,day,at,id,lasts,cost,size,name,zip\n\
         2013-06-01T05:00:00Z,2013-06-01,05:00:00,67e55044-10b1-426f-9247-bb680e5fe0c8,P1D,1.50,1.5,x,01234\n\
         ,-0044-03-15,05:00:00.000001,00000000-0000-0000-0000-000000000000,PT0S,-20.00,2.25,2013-06-01,80331\n",
    );
    let told = folder.says(&["convert", "in.csv", "-t", "*=auto", "--check"]);
    let expected = "in.csv: logical types of strings: when timestamp-millis?, day date, at time-micros, id uuid, \
                    lasts duration, cost decimal(4, 2)\n";
    assert!(told.contains(expected), "{told}");
    let source = std::fs::read_to_string(folder.path("in.csv")).unwrap();
    assert_eq!(folder.prints(&["cat", "-f", "csv", "in.trv"]), source);
    assert_eq!(folder.says(&["-q", "convert", "in.csv", "-t", "*=auto", "--force"]), "");
    // One column only, and all without.
    let told = folder.says(&["convert", "in.csv", "-t", "day=auto", "--force"]);
    assert!(told.contains("in.csv: logical types of strings: day date\n"), "{told}");
    let told = folder.says(&["convert", "in.csv", "-t", "name=auto", "--force"]);
    assert!(told.contains("in.csv: no field has strings of one logical type\n"), "{told}");
    let told = folder.says(&["convert", "in.csv", "--force"]);
    assert!(!told.contains("logical"), "{told}");
    // Other types beside it, and what is found without writing.
    let dry = folder.prints(&[
        "convert",
        "in.csv",
        "--dry-run",
        "-t",
        "*=auto",
        "-t",
        "when=string",
        "-t",
        "zip=int64",
    ]);
    assert!(
        dry.contains("when   string?") && dry.contains("day    date ") && dry.contains("zip    int64"),
        "{dry}"
    );
    // Numbers are texts where all cells are.
    let dry = folder.prints(&["convert", "in.csv", "--dry-run", "-t", "*=auto", "--all-strings"]);
    assert!(dry.contains("size   string") && dry.contains("cost   decimal(4, 2)"), "{dry}");
}

#[test]
fn strings_of_the_time_crate_keep_their_style() {
    let folder = Folder::new();
    let rows = [
        json!({"at": "2013-06-01 05:00:00.0 +00:00:00", "local": "2013-06-01 05:00:00.25", "opens": "05:00:00.123"}),
        json!({"at": "2013-06-01 05:00:00.00025 +00:00:00", "local": "2013-06-01 05:00:00.0", "opens": "05:00:00.0"}),
    ];
    let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
    folder.put("in.jsonl", &text);
    let told = folder.says(&["convert", "in.jsonl", "-t", "*=auto", "--check"]);
    let expected = "at timestamp-micros, local local-timestamp-millis, opens time-millis\n";
    assert!(told.contains(expected), "{told}");
    assert_eq!(folder.prints(&["cat", "in.trv"]), text);
    // Conditions and expressions take both styles, and what they compute is ISO 8601.
    for literal in ["2013-06-01 05:00:00.00025 +00:00:00", "2013-06-01T05:00:00.00025Z"] {
        let where_at = format!("at = '{literal}'");
        assert_eq!(folder.prints(&["cat", "in.trv", "-w", &where_at]), format!("{}\n", rows[1]));
    }
    let rust = folder.prints(&["schema", "-f", "rust", "in.trv"]);
    for own in ["time::OffsetDateTime", "time::PrimitiveDateTime", "time::Time"] {
        assert!(rust.contains(own), "{rust}");
    }
    // A wished type is that of its name.
    folder.prints(&["-q", "convert", "in.jsonl", "-t", "at=timestamp-micros", "-o", "iso.trv"]);
    assert!(folder.prints(&["cat", "iso.trv"]).contains(r#""at":"2013-06-01T05:00:00Z""#));
}

#[test]
fn types_are_found_in_json_at_all_places() {
    let folder = Folder::new();
    let rows = [
        json!({"a": {"b": ["2013-06-01"]}, "m": {"k1": "05:00:00"}, "mixed": "2013-06-01", "n": null, "cost": "1.50", "c": 1.5}),
        json!({"a": {"b": []}, "m": {"k2": "05:00:01"}, "mixed": 5, "n": "PT5M", "cost": "2.00", "c": 2.0}),
        json!({"a": null, "m": {}, "mixed": null, "cost": "0.05", "c": 0.5}),
    ];
    let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
    folder.put("in.jsonl", &text);
    let told = folder.says(&["convert", "in.jsonl", "-t", "*=auto", "--map", "m", "--check"]);
    let expected = "a.b list<date>, m map<time-millis>, n duration?, cost decimal(3, 2)\n";
    assert!(told.contains(expected), "{told}");
    assert_eq!(folder.prints(&["cat", "in.trv"]), text);
    for path in ["a.b", "a.b[]"] {
        let told = folder.says(&["convert", "in.jsonl", "--force", "-t", &format!("{path}=auto")]);
        assert!(told.contains("logical types of strings: a.b list<date>\n"), "{told}");
    }
    let told = folder.says(&["convert", "in.jsonl", "--force", "--map", "m", "-t", "m.value=auto"]);
    assert!(told.contains("logical types of strings: m map<time-millis>\n"), "{told}");
    // What was looked at as fields, before there were too many of them.
    let told =
        folder.says(&["convert", "in.jsonl", "--force", "--map-keys", "1", "--struct", ".", "-t", "*=auto"]);
    assert!(told.contains("m map<time-millis>"), "{told}");
}

#[test]
fn rows_that_were_not_looked_at_are_not_changed() {
    let folder = Folder::new();
    folder.put("in.csv", "a\n2013-06-01T05:00:00Z\n2013-06-01T07:00:00+02:00\n");
    let error = folder.fails(&["convert", "in.csv", "-t", "a=auto", "--infer-rows", "1"]);
    assert!(
        error
            .contains("in.csv line 3: a: string \"2013-06-01T07:00:00+02:00\" does not fit timestamp-millis"),
        "{error}"
    );
    assert!(error.contains("The schema was inferred from the first 1 row"), "{error}");
    let told = folder.says(&["convert", "in.csv", "-t", "a=auto"]);
    assert!(told.contains("no field has strings"), "{told}");
}

#[test]
fn the_last_of_many_rows_counts() {
    let folder = Folder::new();
    // Several pieces, which several threads look at.
    let rows = |last: &str| {
        let mut text = "n,when,cost,day\n".to_owned();
        for n in 0..90_000 {
            text += &format!(
                "{n},2013-06-01T05:{:02}:{:02}Z,{}.{:02},2013-06-{:02}\n",
                n / 60 % 60,
                n % 60,
                n,
                n % 100,
                n % 30 + 1
            );
        }
        text + last
    };
    for (last, found) in [
        ("", "when timestamp-millis, cost decimal(7, 2), day date"),
        (
            "90000,2013-06-01T05:00:00.000000001Z,0.10,-0044-03-15\n",
            "when timestamp-nanos, cost decimal(7, 2), day date",
        ),
        ("90000,2013-06-01T05:00:00.0Z,123456789.01,2013-6-1\n", "cost decimal(11, 2)"),
        ("90000,2013-06-01T05:00:00,-0.00,\"\"\n", ""),
    ] {
        let text = rows(last);
        folder.put("in.csv", &text);
        let told = folder.says(&["convert", "in.csv", "--force", "-t", "*=auto"]);
        assert!(told.contains(found), "{last}: {told}");
        let printed = folder.prints(&["cat", "-f", "csv", "-c", "!cost", "in.trv"]);
        let without = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            format!("{},{},{}", cells[0], cells[1], cells[3])
        };
        assert!(printed.lines().eq(text.lines().map(without)), "{last}");
    }
}

/// Cells that are nearly alike: canonical texts, and others of the same values.
const POOLS: [&[&str]; 8] = [
    &[
        "2013-06-01T05:00:00Z",
        "2013-06-01T05:00:00.250Z",
        "2013-06-01T05:00:00.000001Z",
        "-0044-03-15T12:00:00Z",
        "",
    ],
    &[
        "2013-06-01T05:00:00Z",
        "2013-06-01T05:00:00.25Z",
        "2013-06-01T05:00:00z",
        "2013-06-01 05:00:00Z",
        "2013-06-01T05:00:00+00:00",
    ],
    &["2013-06-01", "-0044-03-15", "+10000-01-01", "2013-06-1", "10000-01-01", "2013-02-29", ""],
    &["05:00:00", "05:00:00.250", "05:00:00.000", "24:00:00", "05:00", "5:00:00"],
    &["1.50", "-0.05", "123.00", "1.5", ".50", "+1.50", "-0.00", "00.50", "1e2", ""],
    &["1.50", "-0.05", "12345678901234567890.12", "0.00", "99999999999999999999999999999999999999.99"],
    &[
        "67e55044-10b1-426f-9247-bb680e5fe0c8",
        "67E55044-10B1-426F-9247-BB680E5FE0C8",
        "67e5504410b1426f9247bb680e5fe0c8",
        "",
    ],
    &["P1D", "P1Y2M", "P14M", "PT0S", "P0D", "PT90S", "P1W"],
];

/// Rows of a cell of each pool, of which each has a few values.
fn cells() -> impl Strategy<Value = Vec<Vec<&'static str>>> {
    let column = |pool: &'static [&'static str]| {
        prop::collection::vec(select(pool), 1..4).prop_flat_map(|few| prop::collection::vec(select(few), 12))
    };
    POOLS
        .map(column)
        .prop_map(|columns| (0..12).map(|row| columns.iter().map(|column| column[row]).collect()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cells_come_back_as_they_were(rows in cells()) {
        let folder = Folder::new();
        let mut text = "a,b,c,d,e,f,g,h\n".to_owned();
        for row in &rows {
            text += &row.join(",");
            text.push('\n');
        }
        folder.put("in.csv", &text);
        folder.prints(&["-q", "convert", "in.csv", "-t", "*=auto", "--check", "-o", "auto.trv"]);
        folder.prints(&["-q", "convert", "in.csv", "-o", "plain.trv"]);
        let (auto, plain) = (folder.prints(&["cat", "-f", "csv", "auto.trv"]), folder.prints(&["cat", "-f", "csv", "plain.trv"]));
        for ((source, auto), plain) in text.lines().zip(auto.lines()).zip(plain.lines()) {
            for ((source, auto), plain) in source.split(',').zip(auto.split(',')).zip(plain.split(',')) {
                // Floats are what they are without it, or come back as they were.
                prop_assert!(auto == source || (auto == plain && source.parse::<f64>().is_ok()), "{source} {auto} {plain}");
            }
        }
        let quoted: String = text.lines().skip(1).map(|line| {
            let cells: Vec<String> = line.split(',').map(|cell| if cell.is_empty() { "null".to_owned() } else { format!("\"{cell}\"") }).collect();
            let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
            let fields: Vec<String> = names.iter().zip(cells).map(|(name, cell)| format!("\"{name}\":{cell}")).collect();
            format!("{{{}}}\n", fields.join(","))
        }).collect();
        folder.put("in.jsonl", &quoted);
        folder.prints(&["-q", "convert", "in.jsonl", "-t", "*=auto", "--check", "-o", "json.trv"]);
        prop_assert_eq!(lines(&folder.prints(&["cat", "json.trv"])), lines(&quoted));
    }
}
