//! CSV and TSV.

use super::Folder;
use serde_json::json;

const NUMBERS: [(&str, &str, &str); 15] = [
    // The cells of a column, its type, and its type with `--numbers exact`.
    (".097 -.5 5.", "float64", "string"),
    ("1.0E-5 3.2E-7 0.05", "float64", "string"),
    ("5.180000000000000257e-02 1", "float64", "string"),
    ("NaN 0.5 -inf", "float64", "string"),
    ("NaN 1 Infinity", "float64", "string"),
    ("NaN inf nan", "string", "string"),
    ("NaN 1 x", "string", "string"),
    ("-0 3", "float64", "string"),
    ("1 18446744073709551616", "int128", "int128"),
    ("0 340282366920938463463374607431768211455", "uint128", "uint128"),
    ("-1 340282366920938463463374607431768211455", "string", "string"),
    ("340282366920938463463374607431768211456", "string", "string"),
    // A 32-bit float in the shortest text that 64 bits have, which is one of two.
    ("-159.54299926757812 1.5", "float64", "float64"),
    ("00501 10001", "string", "string"),
    ("True false TRUE", "boolean", "string"),
];

#[test]
fn cells_are_numbers_by_value_or_by_their_digits() {
    let folder = Folder::new();
    for (cells, by_value, exact) in NUMBERS {
        folder.text("in.csv", format!("x\n{}\n", cells.replace(' ', "\n")));
        for (option, expected) in [("value", by_value), ("exact", exact)] {
            folder.notes(&["in.csv", "--numbers", option]);
            assert_eq!(folder.schema(), format!("x {expected}"), "{cells}, {option}");
        }
    }
}

#[test]
fn spaces_around_numbers_are_no_part_of_them() {
    let folder = Folder::new();
    folder.text("in.csv", "a,b,c,d\n1 , x , .5,1\n 2,y,\t-1.25 , \n");
    let rows = folder.converts(&["in.csv"]);
    assert_eq!(
        rows,
        [json!({"a": 1, "b": " x ", "c": 0.5, "d": "1"}), json!({"a": 2, "b": "y", "c": -1.25, "d": " "})]
    );
}

#[test]
fn rows_of_numbers_are_no_names() {
    let folder = Folder::new();
    let note = "in.csv: the first row has numbers or dates, so columns are called column_1";
    for (text, has_names) in [
        ("1,2\n3,4\n", false),
        ("0000;<control>;Cc;0;BN;;\n0001;<control>;Cc;0;BN;;\n", false),
        ("alice,30\nbob,25\n", false),
        ("0,1\n0.5,0.25\n", true),
        ("country,2019,2020\nFrance,1.5,2.5\n", true),
        ("a,b\n1,2\n", true),
    ] {
        folder.text("in.csv", text);
        let rows = text.lines().count() - usize::from(has_names);
        assert_eq!(folder.converts(&["in.csv"]).len(), rows, "{text}");
        assert_eq!(folder.notes(&["in.csv"]).contains(note), !has_names, "{text}");
        for (option, rows) in [("--header", text.lines().count() - 1), ("--no-header", text.lines().count())]
        {
            assert_eq!(folder.converts(&["in.csv", option]).len(), rows, "{text}");
            assert!(!folder.notes(&["in.csv", option]).contains(note), "{text}");
        }
    }
}

#[test]
fn short_rows_are_padded_where_that_is_asked_for() {
    let folder = Folder::new();
    folder.text("in.csv", "a,b\n1,2,\n4\n5,6,,\n");
    let (_, error) = folder.refuses(&["in.csv"]);
    assert!(error.contains("line 2: 3 cells for 2 columns") && error.contains("--pad"), "{error}");
    let rows = folder.converts(&["in.csv", "--pad"]);
    assert_eq!(rows, [json!({"a": 1, "b": 2}), json!({"a": 4, "b": null}), json!({"a": 5, "b": 6})]);
    let rows = folder.converts(&["in.csv", "--pad", "--null", "NA"]);
    assert_eq!(rows[1], json!({"a": 4, "b": null}));
    folder.text("in.csv", "a,b\n1,2,3\n4\n");
    let (_, error) = folder.refuses(&["in.csv", "--pad"]);
    assert!(error.contains("line 2: 3 cells for 2 columns\n  Extra cells"), "{error}");
    assert_eq!(folder.converts(&["in.csv", "--pad", "--on-error", "skip"]), [json!({"a": 4, "b": null})]);
}

#[test]
fn a_table_is_no_map() {
    let folder = Folder::new();
    for columns in [201, 12_000] {
        let join = |cell: &dyn Fn(usize) -> String| (0..columns).map(cell).collect::<Vec<_>>().join(",");
        let text = format!("{}\n{}\n", join(&|at| format!("c{at}")), join(&|_| "1".to_owned()));
        folder.text("in.csv", text);
        let rows = folder.converts(&["in.csv"]);
        assert_eq!(rows[0].as_object().map(serde_json::Map::len), Some(columns));
    }
    // More columns than JSON may have paths.
    let names: Vec<String> = (0..100_001).map(|at| format!("c{at}")).collect();
    folder.text("in.csv", format!("{}\n", names.join(",")));
    let output = folder.trevni(&["convert", "in.csv", "-o", "wide.trv"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && said.contains("0 rows, 100,001 columns"), "{said}");
}

/// What a hint says is done: the cell that it calls null loses nothing that is not null.
#[test]
fn codes_are_not_said_to_be_null() {
    let folder = Folder::new();
    for (cells, hinted) in
        [("00501 10001 94110", false), ("NA 1 2", true), ("- 1 2", true), ("12e5 1 2", false)]
    {
        folder.text("in.csv", format!("x\n{}\n", cells.replace(' ', "\n")));
        let notes = folder.notes(&["in.csv"]);
        assert_eq!(notes.contains("--null"), hinted, "{cells}: {notes}");
    }
    folder.text("in.csv", "x\nNA\n1\n2\n");
    assert_eq!(folder.converts(&["in.csv", "--null", "NA"])[0], json!({"x": null}));
}

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
    let rows = folder.converts(&["in.csv", "--numbers", "exact"]);
    let schema = "int int64?; large uint64?; float float64?; flag boolean?; zip string?; plus string?; \
        dash string?; mixed string?; wide int128?; pi string?; both string";
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
fn cells_are_written_in_many_ways() {
    let folder = Folder::new();
    let expected = [json!({"a": 1, "b": "x,y"}), json!({"a": 2, "b": "it's"})];
    for (text, options) in [
        ("a,b\n1,'x,y'\n2,'it''s'\n", &["--quote", "'"][..]),
        ("a,b\n1,'x,y'\n2,'it\\'s'\n", &["--quote", "'", "--escape", "\\"]),
        ("# what this is\na,b\n#\"\n1,\"x,y\"\n2,it's\n#", &["--comment", "#"]),
        ("A title, \"\n\na,b\n1,\"x,y\"\n2,it's\n", &["--skip-lines", "2"]),
        (" a , b \n 1 , \"x,y\"\n2 ,it's  \n", &["--trim"][..0]),
        (" a\t; b \n 1 ; x,y \n2 ;it's  \n", &["--trim", "-d", ";"]),
    ] {
        folder.text("in.csv", text);
        if options.is_empty() {
            assert!(folder.refuses(&["in.csv"]).1.contains("3 cells for 2 columns"));
            continue;
        }
        assert_eq!(folder.converts(&[&["in.csv"], options].concat()), expected, "{text:?}");
    }
    for options in
        [["-d", "'", "--quote", "'"], ["--quote", "#", "--comment", "#"], ["--escape", ",", "-d", ","]]
    {
        let (code, error) = folder.refuses(&[&["in.csv"][..], &options].concat());
        assert!(code == 2 && error.contains("are the same character"), "{error}");
    }
    folder.text("in.csv", "one\ntwo\na,b\n1,2\n3\n");
    let (_, error) = folder.refuses(&["in.csv", "--skip-lines", "2"]);
    assert!(error.contains("in.csv line 5: 1 cell for 2 columns"), "{error}");
    folder.text("in.jsonl", "a title\n{\"a\": 1}\n{\n");
    let (_, error) = folder.refuses(&["in.jsonl", "--skip-lines", "1"]);
    assert!(error.contains("in.jsonl line 3"), "{error}");
}

#[test]
fn texts_have_encodings() {
    let folder = Folder::new();
    let expected = [json!({"név": "é", "n": 1}), json!({"név": "x", "n": 2})];
    let text = "név,n\né,1\nx,2\n";
    let utf_16 = |bytes: fn(u16) -> [u8; 2], mark: bool| -> Vec<u8> {
        mark.then_some(0xfeff).into_iter().chain(text.encode_utf16()).flat_map(bytes).collect()
    };
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    for (bytes, options) in [
        (utf_16(u16::to_le_bytes, true), &[][..]),
        (utf_16(u16::to_be_bytes, true), &[]),
        (utf_16(u16::to_le_bytes, false), &["--encoding", "utf-16le"]),
        (latin.clone(), &["--encoding", "latin1"]),
        (text.as_bytes().to_vec(), &["--encoding", "utf-8"]),
        ([b"\xef\xbb\xbf", text.as_bytes()].concat(), &[]),
    ] {
        folder.text("in.csv", bytes);
        assert_eq!(folder.converts(&[&["in.csv"], options].concat()), expected, "{options:?}");
    }
    // Half of a pair of surrogates, and half of a character.
    for bad in [&b"\xff\xfea\0\n\0\x00\xd8\n\0"[..], b"\xff\xfea\0\n\0b"] {
        folder.text("in.csv", bad);
        let (_, error) = folder.refuses(&["in.csv"]);
        assert!(error.contains("in.csv: its bytes are not UTF-16LE"), "{error}");
    }
    folder.text("in.csv", latin);
    let (_, error) = folder.refuses(&["in.csv"]);
    assert!(error.contains("in.csv line 1, cell 1: not UTF-8\n  To read it: --encoding latin1"), "{error}");
    let error = folder.fails(&["convert", "in.csv", "--encoding", "klingon"]);
    assert!(error.contains("there is no such encoding"), "{error}");
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
    assert!(code == 1 && error.contains("in.csv line 3: 1 cell for 2 columns\n  To read"), "{error}");
    let notes = folder.notes(&["in.csv", "--on-error", "skip"]);
    assert!(
        notes.contains("in.csv: 2 rows could not be read and left out; the first: in.csv line 3"),
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
    assert!(error.contains("in.csv line 20002: mixed: string \"x\" does not fit float64"), "{error}");
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
        origin string; dest string; air_time int64?; distance int64; hour int64; minute int64; time_hour timestamp-millis";
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
    assert!(code == 2 && error.contains("rows of CSV and TSV can only be structs"), "{error}");
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

/// Also where the first row is looked at for names; what the hint says is followed.
#[test]
fn a_comma_is_the_point_where_that_is_said() {
    let folder = Folder::new();
    folder.text("in.csv", "name;price;count\na;1,5;1.000\nb;-0,25;12\nc;1.234,50;\n");
    let notes = folder.notes(&["in.csv"]);
    assert!(notes.contains("price has strings because of cells such as \"1,5\": --numbers comma"), "{notes}");
    assert_eq!(folder.schema(), "name string; price string; count float64?");
    let rows = folder.converts(&["in.csv", "--numbers", "comma"]);
    assert_eq!(folder.schema(), "name string; price float64; count int64?");
    assert_eq!(rows[0], json!({"name": "a", "price": 1.5, "count": 1000}));
    assert_eq!(rows[2], json!({"name": "c", "price": 1234.5, "count": null}));
    let comma = ["in.csv", "--numbers", "comma", "-t"];
    let rows = folder.converts(&[&comma[..], &["price=decimal(9,2)", "-t", "count=float64"]].concat());
    assert_eq!(rows[2], json!({"name": "c", "price": "1234.50", "count": null}));
    // Cells with commas that are no such numbers have no hint.
    for cells in ["1,5 1.5", "1,5 1,2,3", "1,234,567", "1,5 x"] {
        folder.text("in.csv", format!("x;y\n{};\n", cells.replace(' ', ";\n")));
        let notes = folder.notes(&["in.csv"]);
        assert!(!notes.contains("--numbers"), "{cells}: {notes}");
    }
    folder.text("in.csv", "1,5;2\n2,5;3\n");
    assert_eq!(folder.converts(&["in.csv", "--numbers", "comma"]).len(), 2);
}

#[test]
fn words_are_booleans_where_that_is_said() {
    let folder = Folder::new();
    folder.text("in.csv", "a,b,c,d\nyes,ja,yes,1\nNO,nein,maybe,yes\n,Ja,no,0\n");
    let rows = folder.converts(&["in.csv"]);
    assert_eq!(rows[0], json!({"a": "yes", "b": "ja", "c": "yes", "d": "1"}));
    let rows = folder.converts(&["in.csv", "--booleans", "yes/no", "--booleans", "ja/nein"]);
    assert_eq!(folder.schema(), "a boolean?; b boolean; c string; d string");
    assert_eq!(rows[1], json!({"a": false, "b": false, "c": "maybe", "d": "yes"}));
    let rows = folder.converts(&["in.csv", "-t", "a=boolean", "-t", "d=boolean"]);
    assert_eq!(rows[2], json!({"a": null, "b": "Ja", "c": "no", "d": false}));
    for words in ["yes", "yes/", "/no", "1/0", "x/X", "true/no"] {
        let (code, error) = folder.refuses(&["in.csv", "--booleans", words]);
        assert!(code == 2 && error.contains("words"), "{words}: {error}");
    }
    let printed = folder.prints(&["cat", "in.csv", "--booleans", "yes/no", "-c", "a", "-q"]);
    assert_eq!(printed, "{\"a\":true}\n{\"a\":false}\n{\"a\":null}\n");
}

#[test]
fn spaces_around_names_are_no_part_of_them() {
    let folder = Folder::new();
    folder.text("in.csv", " a,b ,a, ,\" c d \"\n1,2,3,4, x\n");
    let rows = folder.converts(&["in.csv"]);
    assert_eq!(rows, [json!({"a": 1, "b": 2, "a_2": 3, "column_4": 4, "c d": " x"})]);
    folder.text("in.csv", " a,b \n x,y\n");
    let rows = folder.converts(&["in.csv", "--no-header"]);
    assert_eq!(rows[0], json!({"column_1": " a", "column_2": "b "}));
}

/// As R's `write.csv` leaves it where the header is written by hand, and `write.table` by default.
#[test]
fn rows_may_have_names_that_the_header_lacks() {
    let folder = Folder::new();
    folder.text("in.csv", "\"Weight\",\"Cu\"\n\"1\",26.5,\"a\"\n\"2\",27.6,\"b\"\n");
    let notes = folder.notes(&["in.csv"]);
    assert!(notes.contains("as R writes them, called row\n"), "{notes}");
    let first = json!({"row": 1, "Weight": 26.5, "Cu": "a"});
    assert_eq!(folder.converts(&["in.csv"]), [first, json!({"row": 2, "Weight": 27.6, "Cu": "b"})]);
    // Anything else may be a mistake.
    for text in ["a,b\n\"1\",2,\n", "a,b\n1,2,3\n", "a,b\n\"1\",2,3,4\n"] {
        folder.text("in.csv", text);
        let (_, error) = folder.refuses(&["in.csv"]);
        assert!(error.contains("cells for 2 columns"), "{error}");
    }
}
