//! Rows that cannot be read: one line that says where and why, and what to do.

use super::Folder;
use serde_json::json;

#[test]
fn what_is_wrong_has_a_line_and_a_column() {
    let folder = Folder::new();
    let deep =
        |open: &str, close: &str, levels: usize| format!("{}1{}", open.repeat(levels), close.repeat(levels));
    for (name, text, message) in [
        (
            "a.jsonl",
            "{\"a\":1}\n\n{\"a\":\n",
            "a.jsonl line 3 column 5: EOF while parsing a value\n  Where a value takes several lines: --from json",
        ),
        ("a.jsonl", "{\"a\":1}\n{\"a\":tru}\n", "a.jsonl line 2 column 9: expected ident"),
        (
            "a.jsonl",
            "{\"a\":1} {\"a\":2}\n",
            "a.jsonl line 1 column 9: trailing characters\n  Where a line has several values: --from json",
        ),
        (
            "a.jsonl",
            "{\"a\":1,\"b\":{\"x\":1,\"x\":2}}\n",
            "a.jsonl line 1 column 21: key \"x\" comes twice in one object",
        ),
        (
            "a.jsonl",
            "{\"a\":1e400}\n",
            "a.jsonl line 1 column 10: number out of range\n  To read strings: -t PATH=string",
        ),
        (
            "a.jsonl",
            "{\"a\":{\"b\":1234567890123456789012345678901234567890}}",
            "a.jsonl line 1: a.b: integer 1234567890123456789012345678901234567890 has more than 128 bits\n  To read strings: -t a.b=string; rounded numbers: -t a.b=float64",
        ),
        (
            "a.jsonl",
            "{\"a\":340282366920938463463374607431768211455}\n{\"a\":-1}",
            "a.jsonl: no integer type can hold both the smallest and the largest a",
        ),
        (
            "a.jsonl",
            &deep("[", "]", 5000),
            "a.jsonl line 1 column 128: nested too deep\n  To keep an outer value as JSON: -t PATH=json",
        ),
        (
            "a.jsonl",
            &deep("{\"a\":", "}", 96),
            "nested deeper than 96 levels\n  To keep an outer value as JSON: -t PATH=json",
        ),
        ("a.json", "[{\"a\":1},\n", "a.json line 1: the JSON array that begins here is not closed"),
        (
            "a.json",
            "[{\"a\":1}\n{\"a\":2}]",
            "a.json line 2: a comma or the end of the array expected, not '{'",
        ),
        ("a.json", "[{\"a\":\n1x}]", "a.json line 2 column 2: expected `,` or `}`"),
        ("a.json", "{\"a\":[[[[", "a.json line 1: the JSON value that begins here is not closed"),
        ("a.csv", "a,b\n1,\"x\n", "a.csv line 2: a quoted cell that begins here or later is not closed"),
    ] {
        folder.text(name, text);
        let (code, error) = folder.refuses(&[name]);
        assert_eq!(code, 1, "{error}");
        assert!(error.contains(message), "{error}\n{message}");
    }
    for (name, text, message) in [
        ("a.jsonl", &b"{\"a\":1}\n{\"a\":\"\xff\"}\n"[..], "a.jsonl line 2 column 7: not UTF-8"),
        ("a.csv", b"a,b\n1,\xff\n", "a.csv line 2, cell 2: not UTF-8"),
        ("a.jsonl.gz", b"\x1f\x8b\x08garbage", "a.jsonl.gz: "),
    ] {
        folder.text(name, text);
        let (code, error) = folder.refuses(&[name]);
        assert!(code == 1 && error.contains(message), "{error}");
    }
}

#[test]
fn rows_that_cannot_be_read_may_be_left_out() {
    let folder = Folder::new();
    folder.text("a.jsonl", b"{\"a\":1}\n{\"a\":\xff}\n{\"a\":\n{\"a\":2,\"a\":3}\n{\"a\":4}\nnope\n");
    let notes = folder.notes(&["a.jsonl", "--on-error", "skip"]);
    assert!(
        notes.contains("a.jsonl: 4 rows could not be read and left out; the first: a.jsonl line 2"),
        "{notes}"
    );
    assert_eq!(folder.prints(&["cat", "out.trv"]), "{\"a\":1}\n{\"a\":4}\n");
}

#[test]
fn the_deepest_rows_come_back() {
    let folder = Folder::new();
    folder.text("a.jsonl", format!("{}1{}", "{\"a\":".repeat(95), "}".repeat(95)));
    assert_eq!(folder.converts(&["a.jsonl"]).len(), 1);
    folder.text("a.jsonl", format!("{{\"a\":{}{}}}", "[".repeat(5000), "]".repeat(5000)));
    assert_eq!(folder.converts(&["a.jsonl", "-t", "a=json"]).len(), 1);
}

#[test]
fn outputs_are_not_replaced_unless_asked() {
    let folder = Folder::new();
    folder.text("a.jsonl", "{\"a\":1}\n");
    folder.trevni(&["convert", "a.jsonl"]).assert().success();
    let output = folder.trevni(&["convert", "a.jsonl"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), error.as_str()),
        (Some(1), "error: a.trv already exists\n  To replace it: --force\n")
    );
    folder.trevni(&["convert", "a.jsonl", "--force"]).assert().success();
}

#[test]
fn commands_that_cannot_be() {
    let folder = Folder::with_flights();
    folder.text("a.jsonl", "{\"a\":1}\n");
    folder.text("a.bin", "what is this");
    for (args, code, message) in [
        (&["convert", "-"][..], 2, "the output needs a name, for standard input has no name"),
        (&["convert", "a.bin"], 2, "a.bin: its format is not known\n  To name it: --from jsonl"),
        (&["convert", "a.jsonl", "--check", "-o", "-"], 2, "cannot be read back"),
        (&["convert", "a.jsonl", "-z", "brotli"], 2, "there is no codec \"brotli\""),
        (&["convert", "a.jsonl", "--meta", "trevni.x=1"], 2, "metadata key \"trevni.x\" is reserved"),
        (&["convert", "missing.csv"], 1, "missing.csv: No such file"),
        (&["convert", "a.jsonl", "-s", "x", "-t", "a=json"], 2, "cannot be used with"),
    ] {
        let output = folder.trevni(args).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
    }
}

/// What other programs write as JSON: the error says what JSON has, and its hint works.
#[test]
fn rows_that_are_nearly_json_can_be_left_out() {
    let folder = Folder::new();
    let nan = "JSON has no NaN and no infinity";
    let words = "JSON has true, false and null";
    let half = "half a surrogate pair, which is no character";
    for (bad, column, message) in [
        (r#"{"a":NaN}"#, 6, nan),
        (r#"{"a":[1,-Infinity]}"#, 10, nan),
        (r#"{"a":Infinity}"#, 6, nan),
        (r#"{"a":True}"#, 6, words),
        (r#"{"a":None}"#, 6, words),
        (r#"{"a":undefined}"#, 6, words),
        (r#"{"a":"\ud800x"}"#, 13, half),
        (r#"{"a":"\udc00"}"#, 12, half),
        ("{'a':1}", 2, "a key in double quotes expected"),
    ] {
        folder.text("a.jsonl", format!("{{\"a\":1}}\n{bad}\n{{\"a\":2}}\n"));
        let (_, error) = folder.refuses(&["a.jsonl"]);
        let expected =
            format!("a.jsonl line 2 column {column}: {message}\n  To leave such rows out: --on-error skip");
        assert!(error.contains(&expected), "{bad}: {error}");
        let rows = folder.converts(&["a.jsonl", "--on-error", "skip"]);
        assert_eq!(rows, [json!({"a": 1}), json!({"a": 2})], "{bad}");
    }
    folder.text("a.jsonl", "{\"a\":1} {\"a\":2}\n{\"a\":3}{\"a\":4}\n");
    assert_eq!(folder.converts(&["a.jsonl", "--from", "json"]).len(), 4);
}
