//! Names and values that would steer a terminal are shown.

use super::Folder;
use serde_json::json;
use std::fs;

/// A name or value that clears the screen, begins a line, and writes from the right.
const BAD: &str = "a\x1b[2J\nb\r\u{202e}c\u{9b}1m\u{7f}";
/// How it is shown.
const SHOWN: &str = r"a\u001b[2J\nb\r\u202ec\u009b1m\u007f";

fn folder() -> Folder {
    let folder = Folder::new();
    let row = |n: u64| json!({"id": n, BAD: {BAD: BAD, "list": [{BAD: n}]}, "kind": BAD});
    let mut writer = trevni::Writer::builder().metadata(BAD, BAD).create(folder.path("rows.trv")).unwrap();
    writer.write_all((0..50).map(row)).unwrap();
    writer.finish().unwrap();
    fs::copy(folder.path("rows.trv"), folder.path(&format!("{BAD}.trv"))).unwrap();
    folder
}

#[track_caller]
fn is_clean(args: &[&str], bytes: &[u8]) -> String {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let steers = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
    assert!(!text.contains(steers), "{args:?}: {text:?}");
    text
}

#[test]
fn reports_show_names_and_values() {
    let folder = folder();
    let file = format!("{BAD}.trv");
    let by = format!("`{BAD}`.`{BAD}`");
    for args in [
        &["info"][..],
        &["schema"],
        &["schema", "-f", "flat"],
        &["schema", "-f", "rust"],
        &["size"],
        &["size", "--by", "field"],
        &["layout"],
        &["layout", "-c", "*"],
        &["stats"],
        &["stats", "--recorded"],
        &["head"],
        &["tail", "-n", "1"],
        &["sample"],
        &["cat", "-f", "table"],
        &["query"],
        &["query", "-b", &by],
        &["query", "-s", &by],
        &["query", "-c", &by, "--explain"],
        &["count", "-w", "id > 3", "--explain"],
        &["verify"],
        &["count", "rows.trv"],
    ] {
        let args = [args, &[&file]].concat();
        let output = folder.trevni(&args).output().unwrap();
        let text = is_clean(&args, &output.stdout);
        is_clean(&args, &output.stderr);
        // Rust has its own escapes, and columns in the file have plain names.
        let is_other = args.contains(&"rust") || args.contains(&"--explain");
        assert!(output.status.success() && (is_other || text.contains(SHOWN)), "{args:?}: {text}");
    }
}

#[test]
fn messages_show_names_and_values() {
    let folder = folder();
    let whole = fs::read(folder.path("rows.trv")).unwrap();
    let bad = format!("bad{BAD}.trv");
    let mut broken = whole.clone();
    let end = broken.len();
    broken[end - 20] ^= 1;
    fs::write(folder.path(&bad), broken).unwrap();
    fs::write(folder.path(&format!("{BAD}.csv")), "a,b\n1,2\n").unwrap();
    let csv = format!("{BAD}.csv");
    let missing = format!("{BAD}.missing");
    let condition = format!("`{BAD}` > 3 and 'x\n' < id");
    for args in [
        &["cat", "-c", "idd", "rows.trv"][..],
        &["cat", "-c", "x*", "rows.trv"],
        &["cat", "-c", BAD, "rows.trv", "-w", "id = 'x'"],
        &["size", "-c", "nothing", "rows.trv"],
        &["query", "-s", "nothing", "rows.trv"],
        &["count", "-w", &condition, "rows.trv"],
        &["cat", &bad],
        &["verify", &bad],
        &["size", &csv],
        &["info", &missing],
        &["info", "--key", BAD, &csv],
        &["convert", "rows.trv", "-o", &csv],
        &["merge", "rows.trv", &missing, "-o", "m.trv"],
        &["recode", "rows.trv", "-o", "m.trv", "--sort-by", "kindd"],
    ] {
        let output = folder.trevni(args).output().unwrap();
        assert!(!output.status.success(), "{args:?}");
        is_clean(args, &output.stdout);
        is_clean(args, &output.stderr);
    }
    // Notes, and what would become of a text.
    let jsonl = format!("{BAD}.jsonl");
    folder.prints(&["cat", "rows.trv", "-o", &jsonl]);
    fs::write(folder.path("head.csv"), format!("x,\"{BAD}\",\"{BAD}\"\n1,2,3\n1,NA,4\n2,5,6\n")).unwrap();
    for args in [
        &["convert", &jsonl, "--dry-run"][..],
        &["convert", "head.csv", "--dry-run"],
        &["cat", &csv],
        &["merge", "rows.trv", &csv, "-o", "m.trv"],
        &["convert", "head.csv"],
        &["convert", &jsonl, "-o", "again.trv", "--check"],
        &["recode", &format!("{BAD}.trv"), "-o", "r.trv"],
    ] {
        let output = folder.trevni(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        let both = is_clean(args, &output.stdout) + &is_clean(args, &output.stderr);
        assert!(both.contains(SHOWN), "{args:?}: {both}");
    }
}

#[test]
fn data_stays_exact() {
    let folder = folder();
    let row = json!({"id": 0, BAD: {BAD: BAD, "list": [{BAD: 0}]}, "kind": BAD});
    let json: serde_json::Value =
        serde_json::from_str(&folder.prints(&["cat", "-n", "1", "rows.trv"])).unwrap();
    assert_eq!(json, row);
    let csv = folder.prints(&["cat", "-n", "1", "-f", "csv", "-c", "kind", "rows.trv"]);
    assert_eq!(csv, format!("kind\n\"{BAD}\"\n"));
    let info: serde_json::Value =
        serde_json::from_str(&folder.prints(&["info", "--json", "rows.trv"])).unwrap();
    assert_eq!(info["metadata"][BAD], BAD);
    assert_eq!(folder.prints(&["info", "--key", BAD, "rows.trv"]), format!("{BAD}\n"));
}
