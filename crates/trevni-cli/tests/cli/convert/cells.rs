//! CSV and TSV.

use super::Folder;
use serde_json::json;

#[test]
fn columns_are_numbers_only_where_nothing_is_lost() {
    let folder = Folder::new();
    folder.text(
        "in.csv",
        "int,large,float,flag,zip,plus,dash,mixed,wide,pi,both\n\
         1,18446744073709551615,0.5,true,01234,+1,-0,1,18446744073709551616,3.14159265358979323846,1\n\
         -2,0,-1.50,false,94110,2,3,x,1,2.5,9007199254740993.5\n\
         ,,,,,,,,,,9007199254740993\n",
    );
    let rows = folder.converts(&["in.csv"]);
    let schema = "int int64?; large uint64?; float float64?; flag boolean?; zip string?; plus string?; \
        dash string?; mixed string?; wide string?; pi string?; both string";
    assert_eq!(folder.schema(), schema);
    assert_eq!(rows[1]["float"], json!(-1.5));
    assert_eq!(rows[0]["zip"], json!("01234"));
    assert_eq!(rows[0]["large"], json!(u64::MAX));
    assert_eq!(rows[2]["int"], json!(null));
}

#[test]
fn nulls_are_empty_cells_or_what_is_said() {
    let folder = Folder::new();
    folder.text("in.csv", "a,b\n1,NA\nNA,\n,x\n");
    assert_eq!(folder.converts(&["in.csv"])[0], json!({"a": "1", "b": "NA"}));
    let rows = folder.converts(&["in.csv", "--null", "NA"]);
    assert_eq!(rows, [json!({"a": "1", "b": null}), json!({"a": null, "b": ""}), json!({"a": "", "b": "x"})]);
    let rows = folder.converts(&["in.csv", "--null", "NA", "--null", ""]);
    assert_eq!(
        rows,
        [json!({"a": 1, "b": null}), json!({"a": null, "b": null}), json!({"a": null, "b": "x"})]
    );
    let rows = folder.converts(&["in.csv", "--all-strings", "--null", "-"]);
    assert_eq!(rows[0], json!({"a": "1", "b": "NA"}));
}

#[test]
fn quotes_delimiters_and_ends_of_lines() {
    let folder = Folder::new();
    folder.text("in.csv", "\u{feff}a;b\r\n\"x;\"\"y\"\"\r\nz\";1\r\n5\" pipe;2");
    let rows = folder.converts(&["in.csv", "-d", ";"]);
    assert_eq!(rows, [json!({"a": "x;\"y\"\r\nz", "b": 1}), json!({"a": "5\" pipe", "b": 2})]);
    folder.text("in.tsv", "a\tb\n1,5\tx\n");
    assert_eq!(folder.converts(&["in.tsv"]), [json!({"a": "1,5", "b": "x"})]);
    folder.text("in.txt", "1\t2\n");
    let rows = folder.converts(&["in.txt", "--from", "csv", "-d", "\\t", "--no-header"]);
    assert_eq!(rows, [json!({"column_1": 1, "column_2": 2})]);
}

#[test]
fn names_may_have_dots() {
    let folder = Folder::new();
    folder.text("in.csv", "a.b,c[]\n1,2\n");
    let rows = folder.converts(&["in.csv", "-t", "a.b=string", "-t", "c[]=float64"]);
    assert_eq!(rows, [json!({"a.b": "1", "c[]": 2.0})]);
    assert_eq!(folder.converts(&["in.csv", "-c", "a.b"]), [json!({"a.b": 1})]);
}

#[test]
fn names_of_columns_are_made_unique() {
    let folder = Folder::new();
    folder.text("in.csv", "a,a,,a_2,a\n1,2,3,4,5\n");
    let notes = folder.notes(&["in.csv"]);
    assert!(notes.contains("in.csv: column 2, \"a\", is called a_3\n"), "{notes}");
    assert_eq!(folder.schema(), "a int64; a_3 int64; column_3 int64; a_2 int64; a_4 int64");
}

#[test]
fn rows_of_other_lengths_are_refused_or_left_out() {
    let folder = Folder::new();
    folder.text("in.csv", "a,b\n1,2\n3\n4,5,6\n7,8\n");
    let (code, error) = folder.refuses(&["in.csv"]);
    assert!(code == 1 && error.contains("in.csv line 3: 1 cell for 2 columns\n  To leave"), "{error}");
    let notes = folder.notes(&["in.csv", "--on-error", "skip"]);
    assert!(
        notes.contains("in.csv: 2 rows left out, which cannot be read; the first: in.csv line 3"),
        "{notes}"
    );
    assert_eq!(folder.prints(&["cat", "out.trv"]), "{\"a\":1,\"b\":2}\n{\"a\":7,\"b\":8}\n");
}

#[test]
fn files_larger_than_a_chunk() {
    let folder = Folder::new();
    let row = |n: u32| match n {
        20_000 => "20000,\"two\nlines, and \"\"quotes\"\"\",x\n".to_owned(),
        n => format!("{n},text {n} that takes some room in the file,{}\n", f64::from(n) / 8.0),
    };
    let text: String = (0..40_000).map(row).collect();
    folder.text("in.csv", format!("n,text,mixed\n{text}"));
    let notes = folder.notes(&["in.csv"]);
    assert!(notes.contains("40,000 rows, 3 columns"), "{notes}");
    assert_eq!(folder.schema(), "n int64; text string; mixed string");
    let (_, error) = folder.refuses(&["in.csv", "-t", "mixed=float64"]);
    assert!(error.contains("in.csv line 20002: mixed: text \"x\" does not fit float64"), "{error}");
    folder.text("in.csv", format!("n,text,mixed\n{text}1\n"));
    let (_, error) = folder.refuses(&["in.csv"]);
    assert!(error.contains("in.csv line 40003: 1 cell for 3 columns"), "{error}");
}

#[test]
fn a_file_of_names_alone_has_no_rows() {
    let folder = Folder::new();
    folder.text("in.csv", "a,b\n");
    assert!(folder.converts(&["in.csv"]).is_empty());
    assert_eq!(folder.schema(), "a null; b null");
    folder.text("in.csv", "");
    assert!(folder.converts(&["in.csv"]).is_empty());
}

#[test]
fn real_cells_come_back() {
    let folder = Folder::new();
    let file = format!("{}/tests/data/flights.csv", env!("CARGO_MANIFEST_DIR"));
    let rows = folder.converts(&[&file, "--null", "NA"]);
    let schema = "year int64; month int64; day int64; dep_time int64?; sched_dep_time int64; dep_delay int64?; \
        arr_time int64?; sched_arr_time int64; arr_delay int64?; carrier string; flight int64; tailnum string?; \
        origin string; dest string; air_time int64?; distance int64; hour int64; minute int64; time_hour string";
    assert_eq!(folder.schema(), schema);
    assert_eq!(rows.len(), 120);
    let report = folder.prints(&["convert", &file, "--dry-run"]);
    assert!(report.contains("text such as \"NA\": --null NA\n"), "{report}");
    // Without it nothing is lost either.
    folder.converts(&[&file]);
}

#[test]
fn rows_of_cells_are_structs() {
    let folder = Folder::new();
    folder.text("in.csv", "a\n1\n");
    let (code, error) = folder.refuses(&["in.csv", "-t", ".=json"]);
    assert!(code == 2 && error.contains("rows of cells can only be structs"), "{error}");
}

#[test]
fn null_and_the_empty_text_stay_apart() {
    let folder = Folder::new();
    folder.text(
        "in.csv",
        "text,number,both,blank,null,flag\n,,\"\",\"\",,true\n\"\",\"\",,\"\",,\"\"\na,1,NA,\"\",,false\n",
    );
    let rows = folder.converts(&["in.csv"]);
    let expected = [
        json!({"text": null, "number": null, "both": "", "blank": "", "null": null, "flag": true}),
        json!({"text": "", "number": null, "both": null, "blank": "", "null": null, "flag": null}),
        json!({"text": "a", "number": 1, "both": "NA", "blank": "", "null": null, "flag": false}),
    ];
    assert_eq!(rows, expected);
    let report = folder.prints(&["convert", "in.csv", "--dry-run"]);
    let lines: Vec<String> =
        report.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(lines[0], "text string? 2 string, 1 null", "{report}");
    assert_eq!(lines[1], "number int64? 1 int64, 2 null", "{report}");
    assert_eq!(lines[3], "blank string 3 string", "{report}");
    // A text that stands for null takes the place of the empty cell.
    let rows = folder.converts(&["in.csv", "--null", "NA", "-t", "number=string"]);
    assert_eq!(
        (&rows[0]["both"], &rows[0]["text"], &rows[2]["both"]),
        (&json!(""), &json!(""), &json!(null))
    );
    let rows = folder.converts(&["in.csv", "-t", "both=string", "-t", "flag=string", "-t", "number=float64"]);
    assert_eq!(
        (&rows[0]["both"], &rows[1]["both"], &rows[1]["flag"]),
        (&json!(""), &json!(null), &json!(""))
    );
    assert_eq!((&rows[1]["number"], &rows[2]["number"]), (&json!(null), &json!(1.0)));
    let rows = folder.converts(&["in.csv", "--all-strings"]);
    assert_eq!((&rows[0]["number"], &rows[1]["number"]), (&json!(null), &json!("")));
}

#[test]
fn cells_come_back_as_they_were() {
    let folder = Folder::new();
    let texts = [
        json!(null),
        json!(""),
        json!("a"),
        json!("\"\""),
        json!("a,\tb"),
        json!("x\r\ny\n"),
        json!("null"),
        json!("\""),
    ];
    let row = |n: usize| {
        json!({
            "one": texts[n % 8], "two": texts[n / 8 % 8], "number": if n.is_multiple_of(3) { json!(null) } else { json!(n) },
            "deep": {"a": texts[n % 7]}, "list": if n.is_multiple_of(5) { json!(null) } else { json!([texts[n % 8]]) },
        })
    };
    let rows: Vec<serde_json::Value> = (0..64).map(row).collect();
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    folder.text("rows.jsonl", lines);
    folder.prints(&["convert", "-q", "rows.jsonl"]);
    for format in ["csv", "tsv"] {
        let (name, back) = (format!("rows.{format}"), format!("{format}.trv"));
        for columns in ["*,!list", "one", "two", "deep", "number", "number,one"] {
            let source = ["convert", "-q", "--force", "rows.trv", "-c", columns, "-o", &name];
            folder.prints(&source);
            folder.prints(&["convert", "-q", "--force", "--check", &name, "-o", &back]);
            // Columns are dotted now, so that rows are compared as tables.
            let table = |file: &str, columns: &str| {
                folder.prints(&["cat", "-f", "csv", "--null", "NULL", "-c", columns, file])
            };
            assert_eq!(table(&back, "*"), table("rows.trv", columns), "{format} {columns}");
        }
    }
    // A column alone, whose first and last rows are null.
    let one = [json!(null), json!(null), json!(""), json!("x"), json!(null), json!(null)];
    let lines: String = one.iter().map(|text| format!("{}\n", json!({"one": text}))).collect();
    folder.text("one.jsonl", lines);
    folder.prints(&["convert", "-q", "one.jsonl"]);
    assert_eq!(folder.prints(&["cat", "-f", "csv", "one.trv"]), "one\n\n\n\"\"\nx\n\n\n");
    for end in ["\n", "\r\n"] {
        folder.text("one.csv", folder.prints(&["cat", "-f", "csv", "one.trv"]).replace('\n', end));
        let rows = folder.converts(&["one.csv"]);
        assert_eq!(rows.iter().map(|row| &row["one"]).collect::<Vec<_>>(), one.iter().collect::<Vec<_>>());
    }
    folder.text("one.csv", "\n\n\"\"\n\n");
    assert_eq!(folder.converts(&["one.csv", "--no-header"]).len(), 4);
    // Empty lines between rows of several cells are none.
    folder.text("two.csv", "a,b\n\n1,2\n\n\n3,4\n\n");
    assert_eq!(folder.converts(&["two.csv"]).len(), 2);
}

#[test]
fn empty_cells_of_many_chunks() {
    let folder = Folder::new();
    let row = |n: u32| match n % 4 {
        0 => format!("{n},,\"\"\n"),
        1 => format!("{n},\"\",\n"),
        2 => format!("{n},\"text \"\"{n}\"\" that takes some room in the file\",\"\"\n"),
        _ => format!("{n},text,more text that takes some room\n"),
    };
    folder.text("in.csv", format!("n,a,b\n{}", (0..60_000).map(row).collect::<String>()));
    folder.notes(&["in.csv"]);
    let counts = |condition| folder.prints(&["count", "-w", condition, "out.trv"]);
    assert_eq!((counts("a is null"), counts("a = ''")), ("15000\n".to_owned(), "15000\n".to_owned()));
    assert_eq!((counts("b is null"), counts("b = ''")), ("15000\n".to_owned(), "30000\n".to_owned()));
    folder.text(
        "one.csv",
        format!(
            "n\n{}",
            (0..90_000)
                .map(|n| if n % 2 == 0 { "\n".to_owned() } else { format!("text that takes room {n}\n") })
                .collect::<String>()
        ),
    );
    folder.notes(&["one.csv"]);
    assert_eq!((counts("n is null"), counts("n is not null")), ("45000\n".to_owned(), "45000\n".to_owned()));
}
