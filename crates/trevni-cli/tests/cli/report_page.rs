//! report: a page of HTML.

use super::{Folder, flights};
use serde_json::{Value, json};

/// The page about a file.
fn page(folder: &Folder, args: &[&str]) -> String {
    folder.prints(&[&["report", "-o", "-"], args].concat())
}

/// The elements that are open at the end, after each tag has been read; none of an attribute may lack its quotes.
fn unclosed(page: &str) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    let mut rest = page.split_once("<!DOCTYPE html>").unwrap().1;
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, after) = after.split_once('>').unwrap();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.trim_start_matches('/').split(|c: char| c.is_whitespace()).next().unwrap().to_owned();
        rest = after;
        match tag.strip_prefix('/') {
            Some(_) => assert_eq!(open.pop().as_deref(), Some(&*name), "{tag}"),
            None if matches!(&*name, "meta" | "input") => {}
            // Scripts and styles are no markup.
            None if matches!(&*name, "script" | "style") => {
                rest = rest.split_once(&format!("</{name}>")).unwrap().1;
            }
            None => open.push(name),
        }
    }
    open
}

#[test]
fn a_page_has_facts_sizes_columns_and_rows() {
    let folder = Folder::with_flights();
    folder.prints(&["report", "flights.trv"]);
    let text = std::fs::read_to_string(folder.path("flights.html")).unwrap();
    assert_eq!(text, page(&folder, &["flights.trv"]));
    assert!(unclosed(&text).is_empty());
    for part in [
        "<title>flights.trv</title>",
        "Trevni 2, 1,000 rows, 6 columns, ",
        ">First 100 rows</h2>",
        "<th scope=\"row\">from.gate</th>",
        "<td>B6</td>",
        "AA <small>334</small>",
        "<td class=\"null\">null</td>",
        "<svg role=\"img\"",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert_eq!(text.matches("<tr><td>").count(), 100);
    // It needs nothing else, and asks for nothing.
    for part in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!text.contains(part), "{part}");
    }
    let text = page(&folder, &["flights.trv", "-n", "3", "-c", "carrier,flight"]);
    assert_eq!(text.matches("<tr><td>").count(), 3);
    assert!(text.contains("<th>carrier</th>") && !text.contains("<th>dep_delay</th>"), "{text}");
    let output = folder.trevni(&["report", "flights.trv"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("flights.html is there already"));
}

#[test]
fn nothing_in_a_file_is_markup() {
    let folder = Folder::new();
    let bad = "</td></table><script>alert(1)</script><img src=x onerror=alert(1)> \"' & \u{202e}\u{0}";
    let rows = (0..5).map(|_| json!({bad: bad, "list": [bad], "in": {bad: {"deep": bad}}}));
    folder.write("<script>x.trv", rows);
    let text = page(&folder, &["<script>x.trv"]);
    assert!(unclosed(&text).is_empty());
    assert_eq!(text.matches("<script>").count(), 1);
    assert!(!text.contains("<img") && !text.contains('\u{202e}') && !text.contains('\0'));
    let escaped = "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; &quot;&#39; &amp; \\u202e\\u0000";
    assert!(text.contains(escaped), "{text}");
}

#[test]
fn odd_files_have_pages() {
    let folder = Folder::new();
    folder.write("empty.trv", Vec::<Value>::new());
    folder.write("fields.trv", [json!({}), json!({})]);
    folder.write("numbers.trv", [1, 2, 3]);
    folder.write("large.trv", [json!({"a": f64::MAX, "b": null}), json!({"a": -f64::MAX, "b": []})]);
    folder.write(
        "wide.trv",
        [(0..500).map(|n| (format!("c{n}"), json!(n))).collect::<serde_json::Map<_, _>>()],
    );
    for name in ["empty.trv", "fields.trv", "numbers.trv", "large.trv", "wide.trv"] {
        let text = page(&folder, &[name]);
        assert!(
            unclosed(&text).is_empty() && !text.contains("NaN") && !text.contains("inf%"),
            "{name}: {text}"
        );
    }
    std::fs::write(folder.path("text"), "no file").unwrap();
    let output = folder.trevni(&["report", "text"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(!folder.path("text.html").exists());
    let output = folder.trevni(&["report", "-"]).write_stdin("x").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_page_is_made_from_a_pipe() {
    let folder = Folder::new();
    folder.write("flights.trv", flights(20));
    let bytes = std::fs::read(folder.path("flights.trv")).unwrap();
    let output = folder.trevni(&["report", "-", "-o", "page.html"]).write_stdin(bytes).output().unwrap();
    assert!(output.status.success());
    let text = std::fs::read_to_string(folder.path("page.html")).unwrap();
    assert!(text.contains("<h2>Rows</h2>") && text.matches("<tr><td>").count() == 20, "{text}");
}
