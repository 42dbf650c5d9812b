//! Rows on standard input and in pipes, of which no more is read than is needed.

use super::Folder;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

const ROWS: &str = "n,name\n1,a\n2,\"b\nc\"\n3,d\n4,e\n";

/// What a shell prints, in which `trevni` is the program.
#[track_caller]
fn shell(folder: &Folder, script: &str) -> String {
    let trevni = assert_cmd::cargo::cargo_bin("trevni");
    let script = format!("trevni() {{ {} -q \"$@\"; }}; {script}", trevni.display());
    let output = Command::new("bash").current_dir(folder.0.path()).args(["-c", &script]).output().unwrap();
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_is_on_standard_input_is_read_as_a_file_is() {
    let folder = Folder::new();
    fs::write(folder.path("f.csv"), ROWS).unwrap();
    folder.prints(&["-q", "convert", "f.csv"]);
    for name in ["f.jsonl", "f.json", "f.tsv", "f.avro", "f.csv.gz", "f.csv.xz"] {
        folder.prints(&["cat", "f.trv", "-o", name]);
    }
    for name in ["f.csv", "f.trv", "f.jsonl", "f.json", "f.tsv", "f.avro", "f.csv.gz", "f.csv.xz"] {
        for args in [
            "cat",
            "head -n 2",
            "head -n 9 --skip 1",
            "tail -n 1",
            "count",
            "query -b n",
            "stats -c n --json",
        ] {
            let expected = shell(&folder, &format!("trevni {args} f.trv")).replace("f.trv", "standard input");
            assert_eq!(shell(&folder, &format!("cat {name} | trevni {args} -")), expected, "{name}: {args}");
            assert_eq!(
                shell(&folder, &format!("trevni {args} <(cat {name})"))
                    .replace("/dev/fd/63", "standard input"),
                expected
            );
        }
    }
    let (none, garbage) = (
        folder.trevni(&["count", "-"]).write_stdin("").output().unwrap(),
        folder.trevni(&["count", "-"]).write_stdin("garbage").output().unwrap(),
    );
    assert!(String::from_utf8(none.stderr).unwrap().contains("standard input is empty"));
    assert!(String::from_utf8(garbage.stderr).unwrap().contains("standard input is not a Trevni file"));
}

#[test]
fn streams_without_an_end_are_not_waited_for() {
    let folder = Folder::new();
    let begun = Instant::now();
    let says_no_more = "{ echo name,n; for i in 1 2 3; do echo word,7; done; exec sleep 300; }";
    for endless in ["yes 'word,7'", says_no_more] {
        let printed = shell(&folder, &format!("trevni head -n 3 -f csv <({endless} 2> /dev/null)"));
        assert!(printed.ends_with("word,7\nword,7\nword,7\n"), "{printed}");
    }
    let rows = "{ echo '['; for i in 1 2 3 4 5; do echo '{\"a\":'; echo \"$i},\"; done; exec sleep 300; }";
    assert_eq!(shell(&folder, &format!("trevni head -n 2 -f csv <({rows} 2> /dev/null)")), "a\n1\n2\n");
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[test]
fn the_first_rows_of_a_file_need_no_others() {
    let folder = Folder::new();
    let mut rows = String::from("n\n");
    (0..50_000).for_each(|n| rows.push_str(&format!("{n}\n")));
    rows.push_str("text,and,more\n");
    fs::write(folder.path("f.csv"), rows).unwrap();
    let output = folder.trevni(&["head", "-n", "2", "-f", "jsonl", "f.csv"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "{\"n\":0}\n{\"n\":1}\n");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("f.csv: CSV, the first 2 rows converted in "), "{told}");
    // What wants all rows finds the last one.
    assert!(folder.fails(&["tail", "f.csv"]).contains("3 cells for 1 column"));
    assert!(folder.fails(&["head", "f.csv", "-w", "n > 49998"]).contains("3 cells for 1 column"));
}

#[test]
fn cells_are_read_as_is_said() {
    let folder = Folder::new();
    fs::write(folder.path("f.txt"), "x\n1;2\n3;NA\n").unwrap();
    let options = ["--from", "csv", "--delimiter", ";", "--skip-lines", "1"];
    let before = ["--no-header", "--null", "NA"];
    let expected = "column_1,column_2\n1,2\n3,\n";
    for command in [&["cat", "-f", "csv"][..], &["head", "-f", "csv"], &["query", "-f", "csv"]] {
        let args = [&before, command, &["f.txt"], &options].concat();
        assert_eq!(folder.prints(&[&["-q"], &args[..]].concat()), expected, "{command:?}");
        let args = [&before, command, &["-"], &options].concat();
        let output = folder.trevni(&args).write_stdin("x\n1;2\n3;NA\n").output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{command:?}");
    }
    for command in ["stats", "schema", "count"] {
        folder.prints(&[&["-q"], &before[..], &[command, "f.txt"], &options].concat());
    }
    for command in ["head", "stats", "query"] {
        let help = folder.prints(&[command, "--help"]);
        assert!(!help.contains("--delimiter") && !help.contains("--from "), "{help}");
    }
    // What convert says of its own options is its own.
    let error = folder.fails(&["convert", "f.txt", "--delimiter", "\"", "--from", "csv"]);
    assert!(error.contains("--delimiter and --quote are the same character"), "{error}");
}
