//! Statements of arguments, files and standard input.

use crate::{Folder, texts};
use std::fs;
use std::io::Read;
use std::process::Stdio;

const CSV: [&str; 2] = ["--format", "csv"];

#[test]
fn statements_come_from_arguments_files_and_standard_input() {
    let folder = Folder::with_flights();
    fs::write(folder.path("a.sql"), "-- A comment; no statement\nSELECT 2 AS b;\n\nSELECT 3\n AS c").unwrap();
    let all =
        folder.prints(&["--format", "csv", "-c", "SELECT 1 AS a; ;", "-f", "a.sql", "-c", "SELECT ';' AS d"]);
    assert_eq!(all, "a\n1\nb\n2\nc\n3\nd\n;\n");
    let script = "CREATE EXTERNAL TABLE f STORED AS TREVNI LOCATION 'flights.trv';\nSELECT count(*) AS n FROM f;\n\\d\n";
    for args in [&CSV[..], &["--format", "csv", "-f", "-"]] {
        let (out, told) = texts(&folder.script(args, script));
        assert_eq!(out, "n\n1000\ntable,columns\nf,5\n");
        assert_eq!(told, "table f: 5 columns\n");
    }
    assert_eq!(texts(&folder.script(&CSV, "")), (String::new(), String::new()));
}

#[test]
fn a_session_keeps_tables_views_and_settings() {
    let folder = Folder::with_flights();
    let script = "CREATE TABLE t AS SELECT * FROM 'flights.trv' WHERE flight < 10;
        CREATE VIEW v AS SELECT max(flight) AS m FROM t;
        SET datafusion.execution.batch_size = 3;
        SELECT m FROM v; SHOW datafusion.execution.batch_size; DROP VIEW v; DROP TABLE t; \n\\d";
    let output = folder.script(&CSV, script);
    let (out, told) = texts(&output);
    assert!(output.status.success(), "{told}");
    assert_eq!(out, "m\n9\nname,value\ndatafusion.execution.batch_size,3\ntable,columns\n");
    let lines = [
        "table t: 5 columns",
        "view v: 1 column",
        "datafusion.execution.batch_size is 3",
        "view v is gone",
        "table t is gone",
    ];
    assert_eq!(told.lines().collect::<Vec<_>>(), lines);
    assert_eq!(texts(&folder.script(&["--format", "csv", "-q"], script)), (out, String::new()));
}

#[test]
fn written_rows_are_counted() {
    let folder = Folder::with_flights();
    let script = "COPY (SELECT flight FROM 'flights.trv' WHERE flight < 10) TO 'out/' STORED AS TREVNI;
        CREATE EXTERNAL TABLE t STORED AS TREVNI LOCATION 'out/';
        INSERT INTO t VALUES (10), (11);
        COPY (SELECT flight FROM t WHERE flight < 0) TO 'none.trv'";
    let output = folder.script(&[], script);
    let (out, told) = texts(&output);
    assert_eq!((out.as_str(), output.status.code()), ("", Some(0)), "{told}");
    assert_eq!(told, "10 rows written\ntable t: 1 column\n2 rows written\n0 rows written\n");
    let count =
        folder.prints(&["--format", "csv", "-c", "SELECT count(*) AS n, sum(flight) AS s FROM 'out/*.trv'"]);
    assert_eq!(count, "n,s\n12,66\n");
}

#[test]
fn patterns_and_folders_are_tables() {
    let folder = Folder::with_flights();
    folder.write("more.trv", crate::flights(5));
    let count = |from: &str| {
        folder.prints(&["--format", "csv", "--no-header", "-c", &format!("SELECT count(*) FROM {from}")])
    };
    assert_eq!(count("'flights.trv'"), "1000\n");
    assert_eq!(count("'*.trv'"), "1005\n");
    let whole = format!("'{}/'", folder.path("").display().to_string().trim_end_matches('/'));
    assert_eq!(count(&whole), "1005\n");
}

#[test]
fn tables_are_described() {
    let folder = Folder::with_flights();
    for command in ["\\d 'flights.trv'", "\\d f"] {
        let script = format!("CREATE EXTERNAL TABLE f STORED AS TREVNI LOCATION 'flights.trv';\n{command}\n");
        let (out, told) = texts(&folder.script(&["-q"], &script));
        let mut types: Vec<&str> = out.lines().collect();
        // Columns are in the order of the fields, which a map of serde_json sorts, or not, by its features.
        types.sort_unstable();
        let expected = [
            " carrier    string",
            " column     type",
            " dep_delay  float64?",
            " flight     int64",
            " from       struct",
            " stops      list<string>",
        ];
        assert_eq!(types, expected, "{told}");
    }
}

#[test]
fn the_shell_ends_where_it_is_asked_to() {
    let folder = Folder::new();
    for end in ["\\q\n", "quit;", "EXIT ;"] {
        let output = folder.script(&CSV, &format!("SELECT 1 AS a;\n{end}\nSELECT 2 AS b;"));
        assert_eq!(texts(&output), ("a\n1\n".to_owned(), String::new()), "{end}");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = Folder::new();
    for format in ["csv", "json"] {
        let sql = "SELECT value AS n FROM generate_series(1, 1000000000)";
        let mut child = folder
            .sql(&["--format", format, "-c", sql])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 10];
        child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
    }
}

/// Ten million rows, whose texts alone would need more.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_rows() {
    let folder = Folder::new();
    let sql =
        "SELECT value AS n, 'a text that is the same in all rows' AS t FROM generate_series(1, 10000000)";
    let mut child =
        folder.sql(&["--format", "csv", "--threads", "2", "-c", sql]).stdout(Stdio::piped()).spawn().unwrap();
    let (mut out, mut buffer) = (child.stdout.take().unwrap(), vec![0; 1 << 20]);
    let (mut lines, mut most) = (0, 0);
    loop {
        let count = out.read(&mut buffer).unwrap();
        if count == 0 {
            break;
        }
        lines += buffer[..count].iter().filter(|byte| **byte == b'\n').count();
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse::<usize>().ok());
        most = peak.unwrap_or(most);
    }
    assert!(child.wait().unwrap().success());
    assert_eq!(lines, 10_000_001);
    // The rows have 400 MB.
    assert!(most > 0 && most < 400 << 10, "{most} KiB");
}

#[test]
fn what_does_not_fit_the_memory_is_an_error_or_goes_to_files() {
    let folder = Folder::new();
    let sql =
        "SELECT count(*) AS n FROM (SELECT value % 900000 AS k FROM generate_series(1, 1000000) GROUP BY 1)";
    assert_eq!(folder.prints(&["--format", "csv", "--memory-limit", "64MiB", "-c", sql]), "n\n900000\n");
    // Of several threads, each may wait for memory that another one has: seldom, the engine waits for ever then.
    let output = folder.sql(&["--threads", "1", "--memory-limit", "1KiB", "-c", sql]).output().unwrap();
    let (_, told) = texts(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(told.starts_with("error: there is not enough memory: "), "{told}");
}

#[test]
fn commands_need_no_semicolon() {
    let folder = Folder::with_flights();
    std::fs::write(folder.path("more.sql"), "SELECT 2 AS b;\n.mode json\nSELECT 3 AS c").unwrap();
    let script = "CREATE VIEW v AS SELECT 1 AS a;\n.tables\n.mode csv\nSELECT a FROM v;\n\\i more.sql\n.read 'more.sql'\n.quit\nSELECT 4";
    let (out, told) = texts(&folder.script(&["--quiet"], script));
    assert_eq!(told, "");
    assert!(out.contains(" v ") && out.contains(" 1"), "{out}");
    let rest = out.split_once("a\n1\n").unwrap().1;
    assert_eq!(rest, "b\n2\n{\"c\":3}\n{\"b\":2}\n{\"c\":3}\n");
    let output = folder.script(&[], "\\i nowhere.sql\n");
    assert!(texts(&output).1.starts_with("error: nowhere.sql: "), "{output:?}");
}

#[test]
fn rows_are_printed_over_several_lines() {
    let folder = Folder::with_flights();
    let script = "\\x\nSELECT flight, carrier, dep_delay FROM 'flights.trv' WHERE flight IN (0, 9) ORDER BY flight;\n\\x off\nSELECT 1 AS one;";
    let (out, _) = texts(&folder.script(&["--quiet"], script));
    let expected = "-- row 1\nflight    | 0\ncarrier   | AA\ndep_delay | -5.0\n-- row 2\nflight    | 9\ncarrier   | AA\ndep_delay | null\n";
    assert!(out.starts_with(expected) && out.contains("one"), "{out}");
}

#[test]
fn times_are_told_and_columns_summarized() {
    let folder = Folder::with_flights();
    let (_, told) = texts(&folder.script(&[], "\\timing\nSELECT 1;\n.timer off\nSELECT 2;"));
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines.len() == 3 && lines[0] == "timing is on" && lines[1].ends_with(" s"), "{told}");
    for what in ["'flights.trv'", "SELECT flight, carrier FROM 'flights.trv'"] {
        let out = folder.prints(&["--format", "csv", "-c", &format!("SUMMARIZE {what}")]);
        let max = out.lines().find(|line| line.starts_with("max,")).unwrap();
        assert!(max.contains("999") && max.contains("DL"), "{out}");
    }
}

#[test]
fn rows_go_to_files_of_the_format_that_their_names_say() {
    let folder = Folder::with_flights();
    let rows = "SELECT flight, carrier FROM 'flights.trv' WHERE flight < 3 ORDER BY flight";
    let script = format!(
        "\\o out.csv\n{rows};\nSELECT 1 AS one;\n\\o 'out.jsonl'\n{rows};\n.output out.parquet\n{rows};\n\\o out.arrow\n{rows};\n\\o\n{rows};"
    );
    let (out, told) = texts(&folder.script(&["--quiet", "--format", "csv"], &script));
    let csv = "flight,carrier\n0,AA\n1,B6\n2,DL\n";
    assert_eq!((out.as_str(), told.as_str()), (csv, ""));
    let read = |name: &str| fs::read_to_string(folder.path(name)).unwrap();
    assert_eq!(read("out.csv"), format!("{csv}one\n1\n"));
    let json = "{\"flight\":0,\"carrier\":\"AA\"}\n{\"flight\":1,\"carrier\":\"B6\"}\n{\"flight\":2,\"carrier\":\"DL\"}\n";
    assert_eq!(read("out.jsonl"), json);
    // They are read again, as are other names of lines of JSON.
    fs::copy(folder.path("out.jsonl"), folder.path("out.ndjson")).unwrap();
    for name in ["out.jsonl", "out.ndjson", "out.parquet", "out.arrow"] {
        let sql = format!("SELECT flight, carrier FROM '{name}' ORDER BY flight");
        assert_eq!(folder.prints(&["--format", "csv", "-c", &sql]), csv, "{name}");
    }
    let copy = format!("COPY ({rows}) TO 'copied.jsonl'");
    folder.prints(&["--quiet", "-c", &copy]);
    assert_eq!(read("copied.jsonl"), json);
    for format in ["parquet", "arrow"] {
        let output = folder.sql(&["--format", format, "-c", rows]).output().unwrap();
        let name = format!("printed.{format}");
        fs::write(folder.path(&name), output.stdout).unwrap();
        let sql = format!("SELECT flight, carrier FROM '{name}' ORDER BY flight");
        assert_eq!(folder.prints(&["--format", "csv", "-c", &sql]), csv, "{format}");
        let output = folder.sql(&["--format", format, "-c", "SELECT 1; SELECT 2"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(texts_of_error(&output).contains("has one result"), "{output:?}");
    }
    let output = folder.script(&[], "\\o nowhere/out.csv\n");
    assert!(texts(&output).1.starts_with("error: nowhere/out.csv: "), "{output:?}");
}

fn texts_of_error(output: &std::process::Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_file_keeps_the_tables_of_sessions() {
    let folder = Folder::with_flights();
    let with = |script: &str| {
        let output = folder.script(&["--format", "csv", "--tables", "tables.sql"], script);
        assert!(output.status.success(), "{output:?}");
        texts(&output)
    };
    with(
        "CREATE EXTERNAL TABLE f STORED AS TREVNI LOCATION 'flights.trv';
        CREATE VIEW v AS SELECT max(flight) AS m FROM f; CREATE TABLE kept_here AS SELECT 1 AS n;
        CREATE EXTERNAL TABLE gone STORED AS TREVNI LOCATION 'flights.trv'; DROP TABLE gone;",
    );
    assert_eq!(
        with("SELECT m FROM v;\n\\d"),
        ("m\n999\ntable,columns\nf,5\nv,1\n".to_owned(), String::new())
    );
    with("DROP VIEW v;");
    assert_eq!(with("\\d").0, "table,columns\nf,5\n");
    // A table whose files have gone is told, and the others are there.
    fs::write(folder.path("more.trv"), fs::read(folder.path("flights.trv")).unwrap()).unwrap();
    with("CREATE EXTERNAL TABLE m STORED AS TREVNI LOCATION 'more.trv'");
    fs::remove_file(folder.path("more.trv")).unwrap();
    let (out, told) = with("\\d");
    assert_eq!(out, "table,columns\nf,5\n");
    assert!(told.starts_with("tables.sql, line ") && told.contains("more.trv"), "{told}");
}

#[test]
fn tables_are_changed_and_shown_as_they_were() {
    let folder = Folder::with_flights();
    let script =
        "COPY (SELECT flight, carrier FROM 'flights.trv') TO 't/' STORED AS TREVNI PARTITIONED BY (carrier);
        CREATE EXTERNAL TABLE t STORED AS TREVNI LOCATION 't/';
        DELETE FROM t WHERE carrier = 'AA' OR flight >= 600;
        INSERT INTO t VALUES (1000, 'ZZ');
        CALL compact('t/');
        SELECT count(*) AS n FROM t;
        SELECT count(*) AS moments, min(rows) AS least FROM trevni_snapshots('t');
        CREATE EXTERNAL TABLE earlier STORED AS TREVNI LOCATION 't/' OPTIONS (as_of '1');
        SELECT count(*) AS n FROM earlier;
        INSERT OVERWRITE t VALUES (1, 'ZZ');
        CALL clean('t/', 0);
        SELECT flight, carrier FROM t;";
    let output = folder.script(&["--format", "csv"], script);
    let (out, told) = texts(&output);
    assert!(output.status.success(), "{told}");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[2..8], ["n", "401", "moments,least", "2,400", "n", "400"], "{out}");
    assert_eq!(lines[lines.len() - 2..], ["flight,carrier", "1,ZZ"], "{out}");
    let told: Vec<&str> = told.lines().collect();
    assert_eq!(told[2], "600 rows removed", "{told:?}");
    let output =
        folder.script(&[], "CREATE EXTERNAL TABLE t STORED AS TREVNI LOCATION 't/' OPTIONS (as_of '77');");
    assert!(texts(&output).1.contains("no snapshot that shows it as of 77"), "{output:?}");
}

#[test]
fn a_copy_that_fails_leaves_nothing_that_counts() {
    let folder = Folder::with_flights();
    let rows =
        "SELECT value AS n, value % 7 AS day, 1 / (value - 199999) AS x FROM generate_series(1, 200000)";
    let output = folder.script(
        &["--threads", "2"],
        &format!("COPY ({rows}) TO 'out/' STORED AS TREVNI PARTITIONED BY (day);"),
    );
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let output = folder.script(&["--format", "csv"], "COPY (SELECT 1 AS n, 2 AS x, 3 AS day) TO 'out/' STORED AS TREVNI PARTITIONED BY (day); SELECT count(*) AS n FROM 'out/'");
    assert_eq!(texts(&output).0, "n\n1\n");
    assert_eq!(trevni::Dataset::open(folder.path("out")).unwrap().row_count(), 1);
}
