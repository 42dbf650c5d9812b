//! Runs each program as a newcomer would and reads what it prints.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Carrier, flights, flights that departed, mean delay of those in minutes,
/// mean distance in miles; computed from the CSV file by another program.
const CARRIERS: [[&str; 5]; 16] = [
    ["F9", "46", "46", "29.26", "1620.0"],
    ["YV", "44", "41", "25.71", "350.7"],
    ["EV", "3528", "3330", "19.11", "566.5"],
    ["FL", "217", "214", "18.81", "658.7"],
    ["WN", "770", "753", "18.47", "995.3"],
    ["9E", "1248", "1179", "14.00", "523.1"],
    ["B6", "3775", "3743", "13.56", "1072.3"],
    ["VX", "366", "364", "13.13", "2495.0"],
    ["UA", "3959", "3913", "12.54", "1522.9"],
    ["DL", "3103", "3078", "9.02", "1221.8"],
    ["MQ", "1762", "1666", "8.93", "569.5"],
    ["AA", "2185", "2151", "7.98", "1338.2"],
    ["AS", "45", "45", "6.27", "2402.0"],
    ["US", "1378", "1335", "4.36", "551.1"],
    ["HA", "25", "25", "-0.16", "4983.0"],
    ["OO", "1", "1", "-11.00", "419.0"],
];

#[test]
fn flights_answers_the_question_from_three_columns() {
    let path = scratch("flights.trv");
    let printed = run("flights", &[path.as_os_str()]);
    let words = words(&printed);

    let title = format!("{}: 22452 rows", path.display());
    assert_eq!(printed.lines().next(), Some(title.as_str()));
    assert!(words.contains(&vec!["CSV", "file", "2070233", "bytes"]));
    assert!(printed.contains("rows equal"), "{printed}");

    let size = std::fs::metadata(&path).expect("the file stays").len();
    assert_eq!(number_after(&words, ["Trevni", "file"]), size);
    assert!(size < 2_070_233, "{size} bytes are more than the CSV's");
    let all = number_after(&words, ["All", "fields"]);
    let three = number_after(&words, ["Three", "fields"]);
    assert!(all > size * 9 / 10, "{all} of {size} bytes hold all rows");
    assert!(three * 4 < size, "{three} of {size} bytes are too many");

    for row in [["UA", "2", "1400"], ["B6", "0", "187"], ["US", "-8", "2133"]] {
        assert!(words.contains(&row.to_vec()), "{row:?} in\n{printed}");
    }
    let carriers: Vec<_> = words
        .iter()
        .skip_while(|line| line.first() != Some(&"Mean"))
        .filter(|line| line.len() == 5)
        .collect();
    assert_eq!(carriers, CARRIERS.iter().collect::<Vec<_>>());
}

#[test]
fn nested_mail_prints_its_columns_and_the_hosts() {
    let printed = run("nested_mail", &[]);
    let columns = [
        "id: int",
        "date: long",
        "from: string",
        "to[]: string array",
        "content: string",
        "received[]: null array",
        "received[]#date: long, child of received[]",
        "received[]#host: string, child of received[]",
        "received[]#sigs[]: null array, child of received[]",
        "received[]#sigs[]#algo: string, child of received[]#sigs[]",
        "received[]#sigs[]#value: bytes, child of received[]#sigs[]",
    ];
    assert_eq!(block_after(&printed, "The columns:"), columns);
    assert_eq!(
        block_after(&printed, "The way of each message"),
        [" 566  192.168.0.1 -> 192.168.0.2", " 567  192.168.0.3", " 568  (sent to nobody)",]
    );
    let shape = block_after(&printed, "The shape of a row:").join("\n");
    for field in ["id", "to", "received", "host", "sigs", "algo", "value"] {
        assert!(shape.contains(field), "{field} in the shape\n{shape}");
    }
}

#[test]
fn projection_reads_less_in_three_ways() {
    let printed = run("projection", &[]);
    assert_eq!(
        block_after(&printed, "1. A smaller struct"),
        [
            "   19.5 degrees, humidity 60 %",
            "   20.0 degrees, humidity 60 %",
            "   19.5 degrees, humidity unknown",
        ]
    );
    let rows: Vec<serde_json::Value> = block_after(&printed, "2. Paths")
        .iter()
        .map(|line| serde_json::from_str(line).expect("the row is JSON"))
        .collect();
    let expected: Vec<_> = (0..3)
        .map(|n| {
            serde_json::json!({
                "station": format!("station-{n}"),
                "place": {"latitude": 52.5 + f64::from(n)},
            })
        })
        .collect();
    assert_eq!(rows, expected);
    assert_eq!(block_after(&printed, "3. One column"), ["   1440 values, the warmest 20"]);
}

#[test]
fn untyped_columns_prints_files_by_their_columns() {
    let printed = run("untyped_columns", &[]);
    let (by_hand, rest) = printed.split_once("A file with a schema").expect("the second part has its title");
    let (typed, untyped) = rest.split_once("its schema ignored").expect("the third part has its title");

    assert!(by_hand.contains("id: int\ntags: string array\n"));
    let rows = json_lines(by_hand);
    assert_eq!(
        rows,
        [
            serde_json::json!({"id": 1, "tags": ["a", "bc"]}),
            serde_json::json!({"id": 2, "tags": []}),
            serde_json::json!({"id": 3, "tags": ["d"]}),
        ]
    );

    for column in [
        "name: string\n",
        "weight/double: double array\n",
        "parts[]: null array\n",
        "parts[]#id: int, child of parts[]\n",
        "parts[]#kg: double, child of parts[]\n",
    ] {
        assert!(typed.contains(column), "{column} in\n{typed}");
    }
    let rows = json_lines(typed);
    assert_eq!(
        rows,
        [
            serde_json::json!({
                "name": "desk",
                "weight": 4.5,
                "parts": [{"id": 1, "kg": 2.5}],
            }),
            serde_json::json!({"name": "idea", "weight": null, "parts": []}),
        ]
    );

    // Without the schema the option is a list of no or one value.
    let rows = json_lines(untyped);
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["name"], "desk");
    assert_eq!(rows[0]["weight/double"], serde_json::json!([4.5]));
    assert_eq!(rows[1]["weight/double"], serde_json::json!([]));
}

#[test]
fn unknown_json_gives_back_each_row() {
    let printed = run("unknown_json", &[]);
    assert_eq!(
        json_lines(&printed),
        [
            serde_json::json!({"event": "start", "version": 2}),
            serde_json::json!({"event": "login", "user": {"name": "ada", "admin": true}}),
            serde_json::json!({"event": "click", "at": [120, 45], "user": {"name": "ada"}}),
            serde_json::json!({"event": "click", "at": [], "user": null}),
            serde_json::json!({"event": "stop", "version": "2.1", "seconds": 12.5}),
            serde_json::json!({}),
        ]
    );
    assert!(block_after(&printed, "The columns").contains(&"version/string"));
    assert!(printed.ends_with("Events of ada: 2\n"));
}

#[test]
fn rotating_log_keeps_what_was_flushed_in_few_files() {
    let folder = scratch("rotating_log");
    let printed = run("rotating_log", &[folder.as_os_str()]);
    let lines: Vec<_> = printed.lines().collect();
    // Each run flushes 3,200 events; of earlier runs, whole files go.
    let expected = [
        "after crash 1: 3200 events in 5 files",
        "after crash 2: 4400 events in 8 files",
        "after crash 3: 4600 events in 10 files",
    ];
    assert_eq!(lines[..3], expected[..]);
    assert_eq!(printed.lines().last(), Some("errors: 46"));
}

#[test]
fn simulation_reads_back_what_it_wrote() {
    let path = scratch("simulation.trv");
    let printed = run("simulation", &["50000".as_ref(), path.as_os_str()]);
    let bytes = std::fs::metadata(&path).expect("the file stays").len();
    assert_eq!(printed, format!("50000 rows, {bytes} bytes, energy 25000.0\n"));
    assert!(bytes < 50_000 * 29, "{bytes} bytes are more than the values have");
}

#[test]
fn service_answers_several_at_a_time() {
    let printed = run("service", &[]);
    let lines: Vec<_> = printed.lines().collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0], r#"{"id":17,"name":"user 17","tags":["tag 0"]}"#);
    assert!(lines[1].starts_with(r#"{"id":99999,"#) && lines[2].starts_with(r#"{"id":54321,"#));
    assert_eq!(lines[3], "no such row");
}

#[test]
fn evolution_reads_both_ways() {
    let printed = run("evolution", &[]);
    let users: Vec<_> = printed.lines().filter(|line| line.starts_with("  User")).collect();
    let expected = [
        r#"  User { id: 1, full_name: "Ada", plan: Paid, tags: [] }"#,
        r#"  User { id: 2, full_name: "Brian", plan: Team, tags: ["beta"] }"#,
        r#"  User { id: 1, name: "Ada", plan: Paid, note: Some("since 2024") }"#,
        r#"  User { id: 2, name: "Brian", plan: Free, note: None }"#,
    ];
    assert_eq!(users, expected);
}

#[cfg(feature = "object-store")]
#[test]
fn object_store_fetches_the_errors() {
    let printed = run("object_store", &[]);
    assert_eq!(printed.lines().next(), Some("300000 events"));
    assert_eq!(printed.lines().nth(1), Some("59999: request 59999 took 53 ms"));
    assert_eq!(printed.lines().count(), 6);
}

/// The programs that people start from are short, and say what the others would take.
#[test]
fn programs_to_start_from_are_short() {
    for name in ["rotating_log", "simulation", "service", "unknown_json", "evolution", "object_store"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name).with_extension("rs");
        let program = std::fs::read_to_string(path).expect("the program is beside this file");
        assert!(program.lines().count() <= 60, "{name} has more than 60 lines");
        let header: String = program.lines().take_while(|line| line.starts_with("//!")).collect();
        for other in ["Parquet", "SQLite", "CSV"] {
            assert!(header.contains(&format!("**{other}**")), "{name} does not compare with {other}");
        }
    }
}

#[test]
fn dataset_prints_its_parts_and_reads_them_as_one() {
    let printed = run("dataset", &[]);
    assert_eq!(
        block_after(&printed, "The parts"),
        [
            "   part-00000.trv: rows 0 to 1439, 3 fields",
            "   part-00001.trv: rows 1440 to 2879, 3 fields",
            "   part-00002.trv: rows 2880 to 4319, 4 fields",
        ]
    );
    assert_eq!(
        block_after(&printed, "The shape of all rows"),
        [
            "record Reading",
            "  day: long",
            "  minute: long",
            "  celsius: float",
            "  humidity: absent or optional float",
        ]
    );
    assert_eq!(
        block_after(&printed, "The same minute of each day"),
        [
            "   day 0: 20.0 degrees, humidity unknown",
            "   day 1: 21.0 degrees, humidity unknown",
            "   day 2: 22.0 degrees, humidity 60 %",
        ]
    );
    assert_eq!(block_after(&printed, "One column"), ["   4320 values, 960 of them known"]);
}

#[test]
fn where_reads_the_blocks_that_may_match() {
    let printed = run("where", &[]);
    let words = words(&printed);
    assert_eq!(
        printed.lines().next(),
        Some(r#"month = 7 and carrier = "B6" and (dep_delay > 180 or dep_delay is null)"#)
    );
    let late: Vec<_> = words.iter().filter(|line| line.len() == 6 && line[2] == "B6").collect();
    assert_eq!(late.len(), 16);
    // Computed from the CSV file by another program.
    for row in [["7", "1", "B6", "271", "FLL", "269"], ["7", "18", "B6", "325", "TPA", "cancelled"]] {
        assert!(words.contains(&row.to_vec()), "{row:?} in\n{printed}");
    }

    let filtered = words.iter().find(|line| line.first() == Some(&"Filtered")).expect("a line");
    let (filtered, all) = (number(filtered[1]), number_after(&words, ["All", "rows"]));
    assert!(filtered * 3 < all, "{filtered} of {all} bytes are too many");
    assert!(printed.contains("rows: 22452, 4096 may match, 16 match"), "{printed}");

    let of_order = |order: &str| words.iter().rfind(|line| line.starts_with(&["By", order])).expect("a line");
    let (by_date, by_carrier) = (of_order("date"), of_order("carrier"));
    assert_eq!(by_date[2], "22452");
    assert!(number(by_carrier[6]) * 10 < number(by_date[6]), "{by_carrier:?}, {by_date:?}");

    let days = ["2013-04-10", "2013-07-23", "2013-08-04"];
    assert_eq!(block_after(&printed, "any of flights"), days);
    assert!(printed.ends_with("that late: 48\n"), "{printed}");
}

#[test]
fn random_access_reads_little_for_a_row() {
    let printed = run("random_access", &[]);
    let words = words(&printed);
    let size = number(words[0][2]);
    let rows: Vec<_> = block_after(&printed, "One row").iter().map(|line| bytes_read(line)).collect();
    let [first, middle, neighbour, last, smaller] = rows[..] else { panic!("five rows in\n{printed}") };
    assert_eq!(neighbour, 0);
    for row in [first, middle, last] {
        assert!(row > 0 && row * 10 < size, "{row} of {size} bytes for a row");
    }
    assert!(0 < smaller && smaller < middle, "{smaller} bytes, {middle} for all fields");
    let ranges: Vec<_> = block_after(&printed, "Some ranges").iter().map(|line| bytes_read(line)).collect();
    assert!(ranges[0] * 5 < size && ranges[1] < ranges[0], "{ranges:?} of {size} bytes");
    assert_eq!(
        block_after(&printed, "Four threads"),
        [
            "   rows     0 to 24999: 1500885 seconds",
            "   rows 25000 to 49999: 1499520 seconds",
            "   rows 50000 to 74999: 1500675 seconds",
            "   rows 75000 to 99999: 1499580 seconds",
        ]
    );
}

/// A path for what a program writes, where nothing is.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    let _ = std::fs::remove_file(&path);
    path
}

/// Runs a program and returns what it printed, in lines of 80 columns at most.
fn run(name: &str, args: &[&OsStr]) -> String {
    let output = Command::new(program(name)).args(args).output().expect("the program starts");
    let printed = String::from_utf8(output.stdout).expect("the output is UTF-8");
    assert!(
        output.status.success(),
        "{name}: {}\n{printed}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr),
    );
    let title = usize::from(!args.is_empty()); // names a path of any length
    for line in printed.lines().skip(title) {
        assert!(line.chars().count() <= 80, "too long: {line}");
    }
    printed
}

fn program(name: &str) -> &'static str {
    match name {
        "dataset" => env!("CARGO_BIN_EXE_dataset"),
        "evolution" => env!("CARGO_BIN_EXE_evolution"),
        "flights" => env!("CARGO_BIN_EXE_flights"),
        "nested_mail" => env!("CARGO_BIN_EXE_nested_mail"),
        #[cfg(feature = "object-store")]
        "object_store" => env!("CARGO_BIN_EXE_object_store"),
        "projection" => env!("CARGO_BIN_EXE_projection"),
        "random_access" => env!("CARGO_BIN_EXE_random_access"),
        "rotating_log" => env!("CARGO_BIN_EXE_rotating_log"),
        "service" => env!("CARGO_BIN_EXE_service"),
        "simulation" => env!("CARGO_BIN_EXE_simulation"),
        "unknown_json" => env!("CARGO_BIN_EXE_unknown_json"),
        "untyped_columns" => env!("CARGO_BIN_EXE_untyped_columns"),
        "where" => env!("CARGO_BIN_EXE_where"),
        other => panic!("there is no program {other}"),
    }
}

/// The words of each line.
fn words(printed: &str) -> Vec<Vec<&str>> {
    printed.lines().map(|line| line.split_whitespace().collect()).collect()
}

/// The number in the line that starts with these two words.
fn number_after(lines: &[Vec<&str>], start: [&str; 2]) -> u64 {
    let line = lines
        .iter()
        .find(|line| line.starts_with(&start))
        .unwrap_or_else(|| panic!("no line starts with {start:?}"));
    number(line[2])
}

/// A number, which may be followed by a comma.
fn number(word: &str) -> u64 {
    word.trim_end_matches(',').parse().unwrap_or_else(|_| panic!("{word:?} is no number"))
}

/// The number before `bytes read`.
fn bytes_read(line: &str) -> u64 {
    let (before, _) = line.split_once(" bytes read").unwrap_or_else(|| panic!("bytes in {line:?}"));
    number(before.rsplit(' ').next().unwrap_or_default())
}

/// The lines from the second after the title to the next empty one.
fn block_after<'a>(printed: &'a str, title: &str) -> Vec<&'a str> {
    printed
        .lines()
        .skip_while(|line| !line.starts_with(title))
        .skip(2)
        .take_while(|line| !line.is_empty())
        .collect()
}

/// The lines that are JSON objects.
fn json_lines(printed: &str) -> Vec<serde_json::Value> {
    printed
        .lines()
        .filter(|line| line.starts_with("{\"") || *line == "{}")
        .map(|line| serde_json::from_str(line).expect("the line is JSON"))
        .collect()
}
