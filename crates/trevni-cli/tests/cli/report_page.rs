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
            None if matches!(&*name, "meta" | "input" | "wbr") || tag.ends_with('/') => {}
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
        "<svg class=\"histogram\" role=\"img\"",
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
    assert!(text.contains("<th scope=\"col\">carrier</th>") && !text.contains("dep_delay"), "{text}");
    let output = folder.trevni(&["report", "flights.trv"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("flights.html already exists"));
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
    assert!(text.contains(">Rows</h2>") && text.matches("<tr><td>").count() == 20, "{text}");
}

/// The cells of a definition list: a card's `nulls`, the file's `Rows`.
fn fact<'p>(text: &'p str, title: &str) -> Option<&'p str> {
    Some(text.split_once(&format!("<dt>{title}</dt><dd>"))?.1.split_once("</dd>")?.0)
}

/// The card of a column.
fn card<'p>(text: &'p str, heading: &str) -> &'p str {
    let after =
        text.split_once(&format!("<h3>{heading}</h3>")).unwrap_or_else(|| panic!("no {heading}: {text}"));
    after.1.split_once("</article>").unwrap().0
}

#[test]
fn cards_tell_how_values_lie_along_the_rows() {
    let folder = Folder::new();
    let row = |n: u64| {
        json!({
            "up": n, "down": 5000 - n, "month": n / 500 * 7 % 10, "any": n * 7919 % 5000, "same": "x",
            "text": format!("2013-{:04}", n), "kind": if n < 4000 { "usual" } else { ["odd", "rare"][(n / 500 % 2) as usize] }, "late": if n < 4000 { Value::Null } else { json!(n) },
            "skewed": if n == 2500 { 1e300 } else { n as f64 },
        })
    };
    folder.write("rows.trv", (0..5000).map(row));
    let text = page(&folder, &["rows.trv"]);
    for (heading, order) in [
        ("up", "ascending"),
        ("down", "descending"),
        ("month", "clustered"),
        ("any", "mixed"),
        ("text", "ascending"),
        ("late", "ascending"),
        ("skewed", "clustered"),
        // Most parts have one value, which most rows have.
        ("kind", "clustered"),
    ] {
        let card = card(&text, heading);
        assert!(card.contains(&format!("{order} along the rows</p>")), "{heading}: {card}");
        // Parts of the rows, and blocks, of which these files have some.
        assert!(card.contains("<path class=\"parts\"") && card.contains("<path class=\"blocks\""), "{card}");
    }
    assert!(!card(&text, "same").contains("along the rows"));
    let parts = |heading| {
        card(&text, heading).split_once("class=\"parts\" d=\"").unwrap().1.split_once('"').unwrap().0
    };
    assert_eq!((parts("up").matches('M').count(), parts("late").matches('M').count()), (64, 13));
    // The first rows have the least values, at the bottom; all parts of mixed values reach from bottom to top.
    assert!(parts("up").starts_with("M0.0 3") && parts("down").starts_with("M0.0 0"), "{}", parts("up"));
    assert_eq!((fact(&text, "Rows"), fact(card(&text, "late"), "nulls")), (Some("5,000"), Some("80.00%")));
    assert!(
        text.contains("<dt>Ascending <b>2</b></dt>") && text.contains("<dt>Mostly null <b>1</b></dt>"),
        "{text}"
    );
    assert!(text.contains("<dt>One value <b>1</b></dt><dd><span>same <small>x</small></span>"), "{text}");
}

#[test]
fn the_schema_is_a_tree_with_logical_types() {
    let folder = Folder::new();
    let text = "id,day,a.b\n1,2013-01-01,x\n2,2013-01-02,y\n";
    std::fs::write(folder.path("days.csv"), text).unwrap();
    folder.trevni(&["convert", "days.csv", "-t", "day=date"]).assert().success();
    let text = page(&folder, &["days.trv"]);
    let line = "<li><b>day</b> <span class=\"type\">date</span> <small>stored as int32</small></li>";
    assert!(text.contains(line), "{text}");
    folder.write("nested.trv", [json!({"a": {"b": [{"c": 1}], "d": "x"}, "e": [1, "x", {"f": null}]})]);
    let text = page(&folder, &["nested.trv"]);
    for part in [
        "<details open><summary><b>a</b> <span class=\"type\">struct</span> <small>2 fields</small></summary>",
        "<summary><b>b</b> <span class=\"type\">list&lt;struct&gt;</span> <small>1 field</small></summary>",
        "<li><b>c</b> <span class=\"type\">int64</span></li>",
        "<p>2 fields, ",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert_eq!(text.matches("<details").count(), text.matches("</details>").count());
}

#[test]
fn the_treemap_has_the_bytes_of_the_table() {
    let folder = Folder::with_flights();
    let text = page(&folder, &["flights.trv"]);
    let sizes = text.split_once("id=\"sizes\"").unwrap().1.split_once("</section>").unwrap().0;
    let (map, table) = sizes.split_once("<details").unwrap();
    assert!(
        map.contains("role=\"img\"") && map.contains("<b>from</b>") && map.contains("<b>airport</b>"),
        "{map}"
    );
    let tiles: Vec<&str> = map.split("class=\"tile ").skip(1).collect();
    assert_eq!((tiles.len(), table.matches("<tr><th scope=\"row\">").count()), (6, 6));
    for tile in tiles {
        // title="NAME: BYTES, SHARE"
        let title = tile.split_once("title=\"").unwrap().1.split_once('"').unwrap().0;
        let (name, rest) = title.split_once(": ").unwrap();
        let (bytes, share) = rest.split_once(", ").unwrap();
        let line = format!(
            "<th scope=\"row\">{name}</th><td class=\"number\">{bytes}</td><td class=\"number\">{share}</td>"
        );
        assert!(table.contains(&line), "{line} is not in {table}");
    }
}

#[test]
fn pages_of_wide_files_are_short_and_say_what_is_more() {
    let folder = Folder::new();
    let row = |n: u64| {
        (0..3_591).map(|field| (format!("c{field}"), json!(n * field))).collect::<serde_json::Map<_, _>>()
    };
    folder.write("wide.trv", (0..100).map(row));
    let text = page(&folder, &["wide.trv"]);
    assert!(text.len() < 1 << 20, "{} bytes", text.len());
    assert!(unclosed(&text).is_empty());
    for part in [
        "… 3,441 more columns; to see them: trevni report -c",
        "… 3,541 more columns are not shown",
        "<th scope=\"row\">… 3,491 more</th>",
        "<b>3,441 more</b>",
        "… 3,261 more fields",
        "<h3>c0</h3>",
        "<h3>c3590</h3>",
        "<th scope=\"col\" class=\"number\">c3590</th>",
    ] {
        assert!(text.contains(part), "{part} is not in the page");
    }
    let some = page(&folder, &["wide.trv", "-c", "c179*,!c1790"]);
    assert!(!some.contains("more columns") && some.contains("<h3>c1799</h3>") && !some.contains(">c1790<"));
    let deep =
        |n: u64| (0..4).map(move |field| (format!("f{field}"), json!({"in": {"deep": row(n + field)}})));
    folder.write("deep.trv", (0..3).map(|n| deep(n).collect::<serde_json::Map<_, _>>()));
    let text = page(&folder, &["deep.trv"]);
    assert!(text.len() < 1 << 20 && text.contains(" more fields") && unclosed(&text).is_empty());
}

#[test]
fn pages_of_many_rows_are_short() {
    let folder = Folder::new();
    let long = "long ".repeat(20_000);
    let row = |n: u64| json!({"n": n, "long": format!("{n} {long}"), "lists": vec![n; 50]});
    folder.write("long.trv", (0..300).map(row));
    let text = page(&folder, &["long.trv"]);
    assert!(text.len() < 100_000, "{} bytes", text.len());
    folder.write("many.trv", (0..200_000u64).map(|n| json!({"n": n, "key": format!("{:x}", n * 31)})));
    let text = page(&folder, &["many.trv"]);
    assert!(text.len() < 50_000 && text.contains("~2"), "{} bytes", text.len());
}

#[test]
fn names_and_metadata_are_no_markup() {
    let folder = Folder::new();
    let bad = "</style><script>alert(1)</script>--> <!-- ]]> \" ' ` & \u{202e}\u{2066}\u{0}\r\n\u{1b}[31m {{x}} url(http://a.b/c)";
    let mut writer = trevni::Writer::builder()
        .metadata(bad, bad)
        .metadata("plain", "x")
        .create(folder.path("-->.trv"))
        .unwrap();
    writer.write(&json!({bad: {bad: [bad], "wide": {bad: 1}}, "n": 1})).unwrap();
    writer.finish().unwrap();
    let text = page(&folder, &["./-->.trv"]);
    assert!(unclosed(&text).is_empty());
    assert_eq!((text.matches("<script").count(), text.matches("</style").count()), (1, 1));
    assert!(!text.contains("<!--") && !text.contains("-->"), "{text}");
    let steers =
        |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c) || c == '\u{2066}';
    assert!(!text.contains(steers));
    assert!(text.contains("<summary>Metadata: "), "{text}");
    // Addresses are text, never what a browser asks for.
    for asks in ["href=\"http", "src=", "@import", "<link", "<img", "<iframe", "style=\"background"] {
        assert!(!text.contains(asks), "{asks}");
    }
    let style = text.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
    assert!(!style.contains("url(") && !style.contains("alert"));
}

#[test]
fn a_page_says_what_the_source_is() {
    let folder = Folder::new();
    std::fs::write(folder.path("in.csv"), "n,s\n1,x\n2,\n9,y\n").unwrap();
    let source = std::fs::File::options().write(true).open(folder.path("in.csv")).unwrap();
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    source.set_modified(time).unwrap();
    let text = page(&folder, &["-q", "in.csv", "--title", "My <rows>"]);
    assert_eq!(fact(&text, "Modified"), Some("2023-11-14 22:13:20 UTC"));
    assert_eq!(fact(&text, "Source"), Some("15 B"));
    assert!(text.contains("<title>My &lt;rows&gt;</title>"), "{text}");
    assert!(
        card(&text, "n").contains("<dt>50%</dt><dd>2</dd>")
            && card(&text, "n").contains("<dt>deviation</dt>")
    );
    assert!(unclosed(&text).is_empty() && !text.contains("Packed"));
}

#[test]
fn a_folder_has_one_page() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("parts/day=1")).unwrap();
    std::fs::write(folder.path("parts/day=1/a.csv"), "n\n1\n2\n").unwrap();
    std::fs::create_dir_all(folder.path("parts/day=2")).unwrap();
    std::fs::write(folder.path("parts/day=2/b.csv"), "n\n7\n").unwrap();
    folder.prints(&["-q", "report", "parts"]);
    let text = std::fs::read_to_string(folder.path("parts.html")).unwrap();
    assert_eq!((fact(&text, "Rows"), fact(&text, "Files")), (Some("3"), Some("2")));
    assert!(text.contains("<title>parts</title>") && text.contains("<th scope=\"col\">day</th>"), "{text}");
}
