//! Files of many columns: what a terminal shows of them, and that nothing is missing elsewhere.

use super::terminal::run;
use super::{Folder, flights};
use serde_json::{Map, Value, json};

const COLUMNS: usize = 3_591;

/// A file of many columns, and one of as many that lie deep.
fn wide() -> Folder {
    let folder = Folder::new();
    let fields = |count: usize| (0..count).map(|n| (format!("c{n}"), json!(n))).collect::<Map<_, _>>();
    folder.write("wide.trv", [fields(COLUMNS), fields(COLUMNS)]);
    let group = |group: usize| (format!("g{group}"), json!({"inner": fields(COLUMNS / 10), "n": group}));
    folder.write("deep.trv", [(0..10).map(group).collect::<Map<_, _>>()]);
    folder
}

/// What a terminal shows.
#[track_caller]
fn seen(folder: &Folder, args: &[&str]) -> String {
    let (text, code) = run(folder, 100, args);
    assert_eq!(code, Some(0), "{args:?}: {text}");
    text
}

#[test]
fn terminals_show_the_first_and_the_last_columns() {
    let folder = wide();
    for (args, header, more, all) in [
        (&["schema", "wide.trv"][..], 1, "… 3,491 more fields", "all 3,591: -n 3591"),
        (&["schema", "-f", "flat", "wide.trv"], 0, "… 3,491 more", "all 3,591: -n 3591"),
        (&["stats", "--recorded", "wide.trv"], 1, "… 3,491 more", "all 3,591: -n 3591"),
        // The header is a part too.
        (&["layout", "wide.trv"], 0, "… 3,492 more", "all 3,592: -n 3592"),
    ] {
        let text = seen(&folder, args);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), header + 100 + 2, "{text}");
        let at = lines.iter().position(|line| line.contains(more)).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((at, lines.last()), (header + 75, Some(&all)), "{text}");
        assert!(text.contains("c0 ") && text.contains("c3590 ") && !text.contains("c1800 "), "{text}");
        // As many as are asked for, and no word of more.
        let all = seen(&folder, &[args, &["-n", "4000"]].concat());
        assert!(all.contains("c1800 ") && !all.contains('…') && !all.contains("-n "), "{args:?}");
    }
}

#[test]
fn files_and_pipes_get_all_columns() {
    let folder = wide();
    for (args, lines) in [
        (&["schema"][..], 1 + COLUMNS),
        (&["schema", "-f", "flat"], COLUMNS),
        (&["stats"], 1 + COLUMNS),
        (&["stats", "--recorded"], 1 + COLUMNS),
        (&["layout"], 1 + COLUMNS),
        (&["size"], 2 + COLUMNS),
        (&["head", "-f", "lines", "-n", "1"], COLUMNS),
    ] {
        let text = folder.prints(&[args, &["wide.trv"]].concat());
        assert!(text.lines().filter(|line| !line.is_empty()).count() == lines, "{args:?}");
        assert!(text.contains("c1800 ") && text.contains("c3590 "), "{args:?}");
        let cut = text.lines().filter(|line| line.starts_with('…') || line.starts_with("all "));
        assert_eq!(cut.count(), 0, "{args:?}");
    }
    // But for the lines that are asked for.
    assert_eq!(folder.prints(&["stats", "-n", "4", "wide.trv"]).lines().count(), 1 + 4 + 1);
    let some = folder.prints(&["schema", "-n", "4", "wide.trv"]);
    assert_eq!(
        some.lines().map(|line| line.trim_start_matches(['├', '└', '─', ' '])).collect::<Vec<_>>(),
        [
            "wide",
            "c0                int64",
            "c1                int64",
            "c2                int64",
            "… 3,587 more fields",
            "c3590             int64"
        ]
    );
    let columns = |args: &[&str]| {
        let report: Value =
            serde_json::from_str(&folder.prints(&[args, &["--json", "wide.trv"]].concat())).unwrap();
        report["columns"].as_array().or(report["parts"].as_array()).unwrap().len()
    };
    assert_eq!((columns(&["stats"]), columns(&["layout"])), (COLUMNS, COLUMNS + 1));
}

#[test]
fn trees_show_the_outermost_fields_first() {
    let folder = wide();
    let text = seen(&folder, &["schema", "deep.trv"]);
    assert_eq!(text.lines().count(), 1 + 10 + 20 + 1, "{text}");
    assert!(text.contains("├─ inner  struct … 359 fields") && text.contains("all 3,620: -n 3620"), "{text}");
    let text = folder.prints(&["schema", "-n", "10", "deep.trv"]);
    assert!(text.lines().count() == 11 && text.contains("└─ g9  struct … 2 fields"), "{text}");
    // Elsewhere there is all of it, and it can be asked for.
    let whole = folder.prints(&["schema", "deep.trv"]);
    assert_eq!((whole.lines().count(), whole.contains('…')), (1 + 3_620, false));
    assert_eq!(seen(&folder, &["schema", "-n", "3620", "deep.trv"]), whole);
}

#[test]
fn few_lines_are_shown_whole() {
    let folder = Folder::with_flights();
    for args in [&["schema"][..], &["stats"], &["layout"], &["layout", "-c", "flight"], &["info"]] {
        let args = [args, &["flights.trv"]].concat();
        let text = seen(&folder, &args);
        let text = text.split('\r').next_back().unwrap_or_default();
        assert!(!text.contains(" more") && !text.contains("-n "), "{args:?}: {text}");
    }
}

#[test]
fn blocks_are_cut_on_a_terminal_only() {
    let folder = Folder::new();
    folder.write("long.trv", flights(60_000));
    let blocks = folder.prints(&["layout", "-c", "carrier", "long.trv"]).lines().count() - 1;
    assert!(blocks > 120);
    let text = seen(&folder, &["layout", "-c", "carrier", "long.trv"]);
    assert_eq!(text.lines().count(), 1 + 100 + 2, "{text}");
    assert!(
        text.contains(&format!("… {} more", blocks - 100)) && text.ends_with(&format!(": -n {blocks}\n")),
        "{text}"
    );
}

#[test]
fn long_metadata_do_not_flood_a_terminal() {
    let folder = Folder::new();
    let value = "value ".repeat(10_000);
    let mut writer =
        trevni::Writer::builder().metadata("long", &value).create(folder.path("meta.trv")).unwrap();
    writer.write(&1).unwrap();
    writer.finish().unwrap();
    let text = seen(&folder, &["info", "meta.trv"]);
    assert!(text.len() < 1000 && text.contains("… (58.6 KiB; all: --key)"), "{text}");
    assert!(folder.prints(&["info", "meta.trv"]).contains(&format!("metadata  long={value}\n")));
    assert_eq!(seen(&folder, &["info", "meta.trv", "--key", "long"]), value + "\n");
}

#[test]
fn a_folder_is_told_by_one_of_its_files() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("parts")).unwrap();
    folder.write("parts/b.trv", flights(1));
    folder.write("parts/a.trv", flights(1));
    for command in ["schema", "layout", "dump"] {
        let output = folder.trevni(&[command, "parts"]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error, "error: parts is a folder\n  One of its files: parts/a.trv\n");
    }
}
