//! What the report shows, for figures made up here.

use std::path::Path;
use trevni_bench::alone::Alone;
use trevni_bench::alone::checksums::Checksums;
use trevni_bench::alone::scaling::{Scaling, Size as ScaledSize};
use trevni_bench::alone::ways::Ways;
use trevni_bench::data::NAMES;
use trevni_bench::figures::{Figures, Operation, Size, Times, median};
use trevni_bench::footprint;
use trevni_bench::footprint::projects::{PROJECTS, STRUCTS};
use trevni_bench::report::targets::{self, Show};
use trevni_bench::report::{extras, marks, numbers, tables};

/// Every contestant takes as many nanoseconds as is said here, for everything.
fn figures(peers: &[(&str, f64)]) -> Figures {
    let mut figures = Figures::default();
    for data in NAMES {
        for codec in ["none", "snappy", "zstandard"] {
            for &(peer, cpu) in peers {
                let text = |text: &str| text.to_owned();
                figures.sizes.push(Size {
                    data: text(data),
                    codec: text(codec),
                    peer: text(peer),
                    rows: 1_000,
                    bytes: (1_000.0 * cpu) as usize,
                });
                for operation in [Operation::Write, Operation::Read, Operation::One, Operation::Three] {
                    figures.times.push(Times {
                        data: text(data),
                        codec: text(codec),
                        peer: text(peer),
                        operation,
                        rows: 1_000,
                        iterations: 1,
                        cpu: vec![cpu],
                        wall: vec![cpu],
                        median_cpu: cpu,
                        median_wall: cpu,
                    });
                }
            }
        }
    }
    figures
}

/// The summary of a run with the allocator as it is.
fn summary(figures: &Figures, show: Show) -> String {
    targets::table([figures, &Figures::default()], show)
}

fn row<'t>(table: &'t str, name: &str) -> Vec<&'t str> {
    let line = table.lines().find(|line| line.starts_with(&format!("| {name} |")));
    let line = line.unwrap_or_else(|| panic!("no row {name} in\n{table}"));
    line.trim_matches('|').split('|').map(str::trim).collect()
}

#[test]
fn targets_are_met_or_missed() {
    let table = summary(&figures(&[("trevni", 50.0), ("by hand", 50.0), ("parquet", 100.0)]), Show::Targets);
    assert_eq!(
        row(&table, "write ÷ parquet"),
        [
            "write ÷ parquet",
            "0.50 (0.4) ✗",
            "0.50 (0.6) ✓",
            "0.50 (0.05) ✗",
            "0.50 (0.15) ✗",
            "0.50 (0.07) ✗"
        ]
    );
    assert_eq!(row(&table, "full read ÷ by hand")[1..3], ["1.00 (1) ✓", "1.00 (1) ✓"]);
    assert_eq!(row(&table, "size ÷ parquet, zstandard")[3], "0.50 (0.65) ✓");
}

#[test]
fn an_allocator_that_keeps_memory_is_shown_beside_the_other() {
    let [usual, kept] = [100.0, 200.0].map(|parquet| figures(&[("trevni", 50.0), ("parquet", parquet)]));
    let text = targets::table([&usual, &kept], Show::Targets);
    assert_eq!(
        row(&text, "write ÷ parquet")[1..3],
        ["0.50 (0.4) ✗ · 0.25 (0.4) ✓", "0.50 (0.6) ✓ · 0.25 (0.6) ✓"]
    );
    let text = targets::table([&usual, &kept], Show::Ratios);
    assert_eq!(row(&text, "full read ÷ parquet")[1..], ["0.50 · 0.25"; 5]);
}

#[test]
fn the_code_by_hand_is_compared_too() {
    let table = summary(&figures(&[("trevni", 50.0), ("by hand", 10.0), ("parquet", 100.0)]), Show::Targets);
    let (_, floors) = table.split_once("by hand ÷ other").unwrap();
    assert_eq!(row(floors, "write ÷ parquet")[1..4], ["0.10 (0.4) ✓", "0.10 (0.6) ✓", "0.10 (0.05) ✗"]);
    assert!(!floors.contains("÷ by hand") && !floors.contains("snappy"));
}

#[test]
fn targets_are_shown_only_on_request() {
    let figures = figures(&[("trevni", 50.0), ("by hand", 10.0), ("parquet", 100.0)]);
    let table = summary(&figures, Show::Ratios);
    assert_eq!(row(&table, "write ÷ parquet")[1..], ["0.50"; 5]);
    let ratios = extras::ratios(&figures, None, Show::Ratios);
    assert_eq!(row(&ratios, "1 field ÷ full read, flights")[1], "1.00");
    for text in [table, ratios] {
        assert!(!text.contains(['✓', '✗']) && !text.contains("target"), "{text}");
    }
}

#[test]
fn ratios_are_those_of_the_same_repetition() {
    let mut figures = figures(&[("trevni", 1.0), ("parquet", 1.0)]);
    for times in &mut figures.times {
        // Half of the other's time always, while the machine gets slower.
        times.cpu = if times.peer == "trevni" { vec![1.0, 4.0, 50.0] } else { vec![2.0, 8.0, 100.0] };
        times.median_cpu = if times.peer == "trevni" { 9.0 } else { 1.0 };
    }
    assert_eq!(figures.ratio("log", "none", ["trevni", "parquet"], Operation::Write), Some(0.5));
    assert_eq!(figures.ratio("log", "none", ["trevni", "hand"], Operation::Write), None);
    assert_eq!(row(&summary(&figures, Show::Targets), "write ÷ parquet")[4], "0.50 (0.15) ✗");
}

#[test]
fn the_other_file_formats_are_compared_with_trevni() {
    let peers = [("trevni", 50.0), ("trevni, levels", 55.0), ("trevni, redelm", 70.0)];
    let table = summary(&figures(&peers), Show::Targets);
    let (_, formats) = table.split_once("format ÷ Trevni").unwrap();
    assert_eq!(
        row(formats, "trevni, levels, write")[1..],
        ["1.10 (1.3) ✓", "1.10 (1.3) ✓", "1.10", "1.10", "1.10"]
    );
    assert_eq!(row(formats, "trevni, redelm, full read")[1..4], ["1.40 (1.3) ✗", "1.40 (1.3) ✗", "1.40"]);
    assert_eq!(row(formats, "trevni, redelm, 1 field")[1..4], ["1.40 (1.5) ✓", "1.40 (1.5) ✓", "1.40"]);
    assert!(formats.contains("\n8 of 12 targets are met."), "{formats}");
    let ratios = summary(&figures(&peers[..2]), Show::Ratios);
    assert_eq!(row(&ratios, "trevni, levels, write")[1..], ["1.10"; 5]);
    assert_eq!(row(&ratios, "trevni, redelm, write")[1..], ["–"; 5]);
}

#[test]
fn what_was_not_measured_is_a_dash() {
    let table = summary(&figures(&[("trevni", 50.0), ("parquet", 100.0)]), Show::Targets);
    assert_eq!(row(&table, "write ÷ bitcode")[1..], ["–"; 5]);
    assert!(table.contains(" of 45 targets are met."), "{table}");
    assert!(summary(&Figures::default(), Show::Targets).contains("0 of 0 targets are met."));
}

#[test]
fn a_data_set_shows_times_and_ratios() {
    let text = tables::data_set(&figures(&[("trevni", 50.0), ("parquet", 200.0)]), "mesh");
    assert_eq!(row(&text, "trevni"), ["trevni", "50.0", "50.0", "50.0", "50.0", "50,000"]);
    assert_eq!(row(&text, "parquet")[1], "200 (0.25)");
    assert_eq!(row(&text, "parquet")[5], "200,000 (0.25)");
    assert_eq!(text.matches("Codec ").count(), 3);
}

#[test]
fn what_has_no_contestants_is_compared_with_itself() {
    let checksums = vec![Checksums { data: "log".to_owned(), write: 1.2, read: 1.0 }];
    let size = |rows, write| ScaledSize {
        rows,
        write,
        write_kernel: write - 100.0,
        read: 50.0,
        ..ScaledSize::default()
    };
    let scaling = Scaling { sizes: vec![size(10, 100.0), size(20, 150.0)], column: 3.0, copy: 2.0 };
    let alone = Alone { scaling, checksums, ways: Vec::new() };
    let text = extras::ratios(&figures(&[("trevni", 50.0)]), Some(&alone), Show::Targets);
    assert_eq!(row(&text, "10⁷ rows ÷ 10⁴ rows, write, time a row")[1], "1.50 (1.1) ✗");
    assert_eq!(row(&text, "10⁷ rows ÷ 10⁴ rows, write without the kernel, time a row")[1], "1.00 (1.1) ✓");
    assert_eq!(row(&text, "10⁷ rows ÷ 10⁴ rows, read, time a row")[1], "1.00 (1.1) ✓");
    assert_eq!(row(&text, "a column of `f64` ÷ copying it")[1], "1.50 (2) ✓");
    assert_eq!(row(&text, "checksums ÷ none, full read, log")[1], "1.00 (1.1) ✓");
    assert_eq!(row(&text, "checksums ÷ none, write, log")[1], "1.20 (1.1) ✗");
    assert_eq!(row(&text, "1 field ÷ full read, flights")[1], "1.00 (0.02) ✗");
}

#[test]
fn numbers_have_three_digits_or_more() {
    let shown = [1.234, 12.34, 123.4, 1_234.5, 1_234_567.0].map(numbers::nanoseconds);
    assert_eq!(shown, ["1.23", "12.3", "123", "1,235", "1,234,567"]);
    assert_eq!([0.012_34, 0.5, 12.0].map(numbers::ratio), ["0.012", "0.50", "12.00"]);
}

#[test]
fn medians_are_in_the_middle() {
    assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
    assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.5);
    assert!(median(&[]).is_nan());
}

#[test]
fn text_around_the_marks_stays() {
    let written = marks::replaced("# Title\n\nText.\n", "speed", "one\n").unwrap();
    assert_eq!(written, "# Title\n\nText.\n\n<!-- speed -->\none\n<!-- /speed -->\n");
    let again = marks::replaced(&format!("{written}\nMore.\n"), "speed", "two").unwrap();
    assert_eq!(again, "# Title\n\nText.\n\n<!-- speed -->\ntwo\n<!-- /speed -->\n\nMore.\n");
    assert_eq!(marks::replaced("<!-- speed -->\nno end", "speed", "two"), None);
}

#[test]
fn what_cargo_and_the_kernel_say_is_understood() {
    let tree = "footprint v0.0.0 (/a)\nserde v1.0.0\nserde_derive v1.0.0 (proc-macro)\nsyn v2.0.0\n\
                serde v1.0.0 (*)\nsyn v3.0.0\n";
    assert_eq!(footprint::dependencies(tree), 4);
    let stat = "12 (a ) b) S 1 2 3 4 5 6 7 8 9 10 11 12 30 12 20 0 1 0";
    assert_eq!(footprint::children_ticks(stat), Some(42));
}

#[test]
fn ways_and_structs_have_their_lines() {
    let ways = Ways {
        data: "flights".to_owned(),
        batches: 0.25,
        borrowed: None,
        threads: 0.6,
        write_one: 12_345.0,
        open: 6_000.0,
        read_one: 9_000.0,
    };
    assert_eq!(
        row(&extras::ways(&[ways]), "flights")[1..],
        ["0.25", "–", "0.60", "12,345", "6,000", "9,000"]
    );
    let cost = footprint::StructCost { name: "trevni".to_owned(), seconds: 0.333, bytes: 23_456.7 };
    assert_eq!(row(&footprint::report(&[], &[cost]), "trevni")[1..], ["0.33", "23,456"]);
}

#[test]
fn programs_have_as_many_structs_as_they_are_asked_for() {
    for project in PROJECTS.iter().filter(|project| STRUCTS.contains(&project.name)) {
        let text = project.structs(3);
        assert_eq!((text.matches("struct Row {").count(), text.matches("run()?;").count()), (3, 3));
        assert_eq!(text.matches(": Option<String>,").count(), 3, "{text}");
    }
    assert!(STRUCTS.iter().all(|name| PROJECTS.iter().any(|project| project.name == *name)));
}

#[test]
fn a_report_goes_into_files_only() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    // `/dev/full` would be read for ever.
    for path in [folder, Path::new("/dev/full")].into_iter().filter(|path| path.exists()) {
        let error = marks::write(path, "speed", "one").unwrap_err();
        assert_eq!(error.to_string(), format!("{} is no file", path.display()));
    }
}
