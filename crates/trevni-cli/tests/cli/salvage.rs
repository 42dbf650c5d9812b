//! recode --salvage.

use super::Folder;
use std::fs;
use trevni::Reader;

/// Damages a byte of a block of a file; the rows of the block.
fn damage(folder: &Folder, column: usize, block: usize) -> std::ops::Range<u64> {
    let mut bytes = fs::read(folder.path("flights.trv")).unwrap();
    let found = Reader::from_slice(&bytes).unwrap().blocks(column).unwrap()[block].clone();
    bytes[found.offset as usize + 1] ^= 0x10;
    fs::write(folder.path("flights.trv"), bytes).unwrap();
    found.first_row..found.first_row + u64::from(found.rows)
}

/// A file of many blocks, and its rows.
fn folder() -> (Folder, Vec<String>) {
    let folder = Folder::with_flights();
    folder.prints(&["-q", "recode", "flights.trv", "--block-size", "500", "-o", "flights.trv", "--force"]);
    let rows = folder.prints(&["cat", "flights.trv"]).lines().map(str::to_owned).collect();
    (folder, rows)
}

#[test]
fn rows_that_are_whole_are_kept_and_the_others_told() {
    let (folder, rows) = folder();
    let lost = damage(&folder, 0, 1);
    let output =
        folder.trevni(&["-q", "recode", "--salvage", "flights.trv", "-o", "left.trv"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains(&format!("rows {} to {} lost", lost.start, lost.end - 1)), "{told}");
    assert!(told.contains("column \"flight\", block 1"), "{told}");
    let sum = format!("{} of 1,000 rows lost\n", lost.end - lost.start);
    assert!(
        told.ends_with(&format!("{sum}  To keep all rows without these fields: -c '!flight'\n")),
        "{told}"
    );
    let numbers = (0..).filter(|row| !lost.contains(row));
    let kept: Vec<&str> = numbers.map_while(|row: u64| rows.get(row as usize)).map(String::as_str).collect();
    assert_eq!(folder.prints(&["cat", "left.trv"]).lines().collect::<Vec<_>>(), kept);
    folder.prints(&["verify", "left.trv"]);
    // Without it, there is no file.
    let output = folder.trevni(&["recode", "flights.trv", "-o", "none.trv"]).output().unwrap();
    assert!(output.status.code() == Some(3) && !folder.path("none.trv").exists());
}

#[test]
fn columns_that_are_gone_are_left_out() {
    let (folder, _) = folder();
    let bytes = fs::read(folder.path("flights.trv")).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let last = reader.columns().last().unwrap().clone();
    fs::write(folder.path("cut.trv"), &bytes[..last.start() as usize + 2]).unwrap();
    let output = folder.trevni(&["recode", "--salvage", "cut.trv", "-o", "left.trv"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(
        told.contains(&format!("column {:?} is lost", last.name())) && told.contains("1,000 rows"),
        "{told}"
    );
    assert_eq!(folder.prints(&["count", "left.trv"]).trim(), "1000");
}

#[test]
fn whole_files_lose_nothing() {
    let (folder, rows) = folder();
    let output =
        folder.trevni(&["-q", "recode", "--salvage", "flights.trv", "-o", "left.trv"]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    assert_eq!(folder.prints(&["cat", "left.trv"]).lines().count(), rows.len());
    let output = folder
        .trevni(&["recode", "--salvage", "--sort-by", "carrier", "flights.trv", "-o", "x.trv"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// Rows with fields that may be null, within a record too, and others.
fn measurements() -> (Folder, Vec<serde_json::Value>) {
    let folder = Folder::new();
    let row = |number: i64| {
        serde_json::json!({
            "id": number,
            "value": (number % 7 != 0).then_some(number as f64 / 4.0),
            "at": {"place": format!("place {number}"), "height": (number % 5 != 0).then_some(number)},
            "tags": (number % 3 != 0).then(|| vec![number; (number % 4) as usize]),
        })
    };
    let rows: Vec<serde_json::Value> = (0..600).map(row).collect();
    let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
    fs::write(folder.path("rows.jsonl"), text).unwrap();
    folder.prints(&["-q", "convert", "rows.jsonl", "-o", "flights.trv", "--block-size", "400", "-z", "none"]);
    (folder, rows)
}

/// Each block in turn: rows keep all that is not in it, and have nulls in its field where that may be null.
#[test]
fn fields_that_may_be_null_are_null_where_they_are_lost() {
    let (folder, rows) = measurements();
    let whole = fs::read(folder.path("flights.trv")).unwrap();
    let reader = Reader::from_slice(&whole).unwrap();
    let paths: Vec<String> =
        reader.columns().iter().map(|column| column.path().unwrap().to_owned()).collect();
    for (column, path) in paths.iter().enumerate() {
        let blocks = reader.blocks(column).unwrap().len();
        for block in [0, blocks / 2, blocks - 1] {
            fs::write(folder.path("flights.trv"), &whole).unwrap();
            let lost = damage(&folder, column, block);
            let args = ["-q", "recode", "--salvage=nulls", "flights.trv", "-o", "left.trv", "--force"];
            let output = folder.trevni(&args).output().unwrap();
            let told = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(3), "{path} {block}: {told}");
            let printed = folder.prints(&["cat", "left.trv"]);
            let found: Vec<serde_json::Value> =
                printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let field = path.trim_end_matches("[]").replace('.', "/");
            let may_be_null = ["value", "at/height", "tags"].contains(&&*field);
            let mut expected = Vec::new();
            for (number, row) in rows.iter().enumerate() {
                let mut row = row.clone();
                if lost.contains(&(number as u64)) {
                    if !may_be_null {
                        continue;
                    }
                    *row.pointer_mut(&format!("/{field}")).unwrap() = serde_json::Value::Null;
                }
                expected.push(row);
            }
            // The items of a list lie in blocks of their own, which begin within a row.
            let differing = found.iter().zip(&expected).filter(|(found, expected)| found != expected).count();
            assert_eq!(found.len(), expected.len(), "{path} {block}: {told}");
            assert!(differing <= 2 * usize::from(field == "tags"), "{path} {block}: {differing} {told}");
            let count = lost.end - lost.start;
            let sentence = match may_be_null {
                true => format!("{} is null in {count} rows", field.replace('/', ".")),
                false => format!("{count} of 600 rows lost"),
            };
            assert!(told.contains(&sentence) || field == "tags", "{path} {block}: {told}");
            folder.prints(&["verify", "left.trv"]);
        }
    }
}

#[test]
fn whole_columns_of_nulls_are_kept_and_hints_say_so() {
    let (folder, rows) = measurements();
    let bytes = fs::read(folder.path("flights.trv")).unwrap();
    let lost = damage(&folder, 3, 0);
    let output =
        folder.trevni(&["-q", "recode", "--salvage", "flights.trv", "-o", "x.trv"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("To keep all rows without these fields: -c '!"), "{lost:?} {told}");
    // A file that is cut within its last column, which may be null.
    let reader = Reader::from_slice(&bytes).unwrap();
    let last = reader.columns().last().unwrap();
    assert!(last.path() == Some("tags"), "{:?}", last.path());
    fs::write(folder.path("cut.trv"), &bytes[..last.start() as usize + 2]).unwrap();
    let output =
        folder.trevni(&["-q", "recode", "--salvage=nulls", "cut.trv", "-o", "left.trv"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains(": tags is null in 600 rows"), "{told}");
    let printed = folder.prints(&["cat", "left.trv"]);
    assert_eq!(printed.lines().count(), rows.len());
    assert!(printed.lines().all(|line| line.contains("\"tags\":null")), "{printed}");
    let output = folder
        .trevni(&["recode", "--salvage=nulls", "-w", "id > 3", "cut.trv", "-o", "y.trv"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    // Whole files lose nothing.
    fs::write(folder.path("flights.trv"), &bytes).unwrap();
    let args = ["-q", "recode", "--salvage=nulls", "flights.trv", "-o", "again.trv"];
    let output = folder.trevni(&args).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    assert_eq!(folder.prints(&["cat", "again.trv"]), folder.prints(&["cat", "flights.trv"]));
}

/// A name with a dot is not a path, columns have other names than fields, and a column that is left out is a loss.
#[test]
fn messages_name_fields_as_options_do() {
    let folder = Folder::new();
    let row = |number: i64| {
        serde_json::json!({
            "a.b": (number % 3 != 0).then_some(number),
            "a": {"b": (number % 2 == 0).then(|| format!("s{number}"))},
            "list": vec![number; 2],
        })
    };
    let text: String = (0..900).map(|number| format!("{}\n", row(number))).collect();
    fs::write(folder.path("rows.jsonl"), text).unwrap();
    folder.prints(&["-q", "convert", "rows.jsonl", "-o", "flights.trv", "-z", "none", "--block-size", "400"]);
    let whole = fs::read(folder.path("flights.trv")).unwrap();
    let reader = Reader::from_slice(&whole).unwrap();
    let salvage = |option: &str| {
        let args = ["-q", "recode", option, "flights.trv", "-o", "left.trv", "--force"];
        let output = folder.trevni(&args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for (path, shown, field) in [(&["a.b"][..], "`a.b`", "!`a.b`"), (&["a", "b"], "a.b", "!a")] {
        fs::write(folder.path("flights.trv"), &whole).unwrap();
        let is_own = |column: &trevni::column::ColumnInfo| column.path_names().unwrap() == path;
        let lost = damage(&folder, reader.columns().iter().position(is_own).unwrap(), 0);
        let (code, told) = salvage("--salvage=nulls");
        assert!(
            code == Some(3) && told.contains(&format!(": {shown} is null in {} rows", lost.end - lost.start)),
            "{told}"
        );
        let (_, told) = salvage("--salvage");
        let hint = format!("To keep all rows without these fields: -c '{field}'");
        assert!(told.contains(&hint) && told.contains("--salvage=nulls") == (shown == "`a.b`"), "{told}");
        folder.prints(&["-q", "recode", "-c", field, "flights.trv", "-o", "left.trv", "--force"]);
        assert_eq!(folder.prints(&["count", "left.trv"]), "900\n");
    }
    let last = reader.columns().last().unwrap();
    assert_eq!(last.path_names().unwrap(), ["list"]);
    fs::write(folder.path("flights.trv"), &whole[..last.start() as usize + 2]).unwrap();
    let (code, told) = salvage("--salvage=nulls");
    assert!(code == Some(3) && told.contains("is lost"), "{told}");
    // It was all that may not be null.
    assert_eq!(folder.prints(&["count", "left.trv"]), "900\n");
    assert!(!folder.prints(&["schema", "left.trv"]).contains("list"));
}
