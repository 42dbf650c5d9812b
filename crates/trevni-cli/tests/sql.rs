//! `trevni sql`: statements over files of any format, and what they are written to.
#![cfg(feature = "sql")]

use assert_cmd::Command;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn trevni(&self, args: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("trevni"));
        command.current_dir(self.0.path()).args(args).env("LC_ALL", "C.UTF-8").env("HOME", self.0.path());
        command
    }

    /// What is printed; nothing went wrong.
    #[track_caller]
    fn prints(&self, args: &[&str]) -> String {
        let output = self.trevni(args).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {error}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The exit code, and what is said.
    fn fails(&self, args: &[&str]) -> (Option<i32>, String) {
        let output = self.trevni(args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }

    /// The rows of an answer as CSV.
    #[track_caller]
    fn answers(&self, statement: &str) -> String {
        self.prints(&["-q", "sql", "--format", "csv", statement])
    }
}

const ROWS: &str = "id,name,price,day\n1,a,1.5,2024-01-01\n2,b,,2024-01-02\n3,\"c, d\",2.25,2024-01-03\n";

/// The endings of files that can be read and written.
const ENDINGS: [&str; 10] =
    ["csv", "tsv", "jsonl", "json", "avro", "trv", "redelm", "csv.gz", "jsonl.zst", "parquet"];

fn endings() -> impl Iterator<Item = &'static str> {
    ENDINGS.into_iter().filter(|ending| *ending != "parquet" || cfg!(feature = "parquet"))
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("rows.csv", ROWS);
    for ending in endings().filter(|ending| *ending != "csv") {
        folder.prints(&["-q", "convert", "rows.csv", "-o", &format!("rows.{ending}")]);
    }
    folder
}

#[test]
fn files_of_any_format_are_tables() {
    let folder = folder();
    for ending in endings() {
        for quote in ["'", "\""] {
            let table = format!("{quote}rows.{ending}{quote}");
            let sums =
                folder.answers(&format!("select count(*) as n, sum(price) as p, max(id) as m from {table}"));
            assert_eq!(sums, "n,p,m\n3,3.75,3\n", "{table}");
        }
        let joined = format!(
            "select a.name, b.price from 'rows.csv' a join 'rows.{ending}' b using (id) order by a.id"
        );
        assert_eq!(folder.answers(&joined), "name,price\na,1.5\nb,\n\"c, d\",2.25\n", "{ending}");
    }
    // A folder is a table of all of its files.
    fs::create_dir(folder.path("parts")).unwrap();
    fs::copy(folder.path("rows.csv"), folder.path("parts/1.csv")).unwrap();
    fs::copy(folder.path("rows.csv"), folder.path("parts/2.csv")).unwrap();
    assert_eq!(folder.answers("select count(*) as n from 'parts'"), "n\n6\n");
    assert_eq!(folder.answers("select max(day) > '2024-01-02' as late from 'rows.csv'"), "late\ntrue\n");
}

/// What is read back is what the query gives.
#[test]
fn answers_are_written_in_any_format() {
    let folder = folder();
    let query = "select id, name, price from 'rows.trv' where id <> 2 order by id desc; ";
    for ending in endings() {
        let output = format!("out.{ending}");
        let said = folder.trevni(&["sql", query, "-o", &output]).output().unwrap();
        let said = String::from_utf8(said.stderr).unwrap();
        assert_eq!(said, format!("{output}: 2 rows\n"));
        let rows = folder.prints(&["-q", "cat", "-f", "csv", &output]);
        assert_eq!(rows, "id,name,price\n3,\"c, d\",2.25\n1,a,1.5\n", "{ending}");
        let (code, error) = folder.fails(&["sql", query, "-o", &output]);
        assert!(code == Some(1) && error.contains("--force"), "{code:?} {error}");
        folder.prints(&["-q", "sql", "select 1 as one -- a comment", "-o", &output, "--force"]);
        assert_eq!(folder.prints(&["-q", "cat", "-f", "csv", &output]), "one\n1\n", "{ending}");
    }
    let (code, error) = folder.fails(&["sql", query, "-o", "out.xyz"]);
    assert!(code == Some(2) && error.contains("no format has this ending"), "{error}");
    let (code, error) = folder.fails(&["sql", "select nothing from 'rows.csv'", "-o", "none.csv"]);
    assert!(code == Some(2) && !folder.path("none.csv").exists(), "{error}");
}

#[test]
fn statements_come_from_arguments_files_and_streams() {
    let folder = folder();
    assert_eq!(folder.answers("select 1 as a; select 2 as b"), "a\n1\nb\n2\n");
    folder.put("query.sql", "select count(*) as n\nfrom 'rows.jsonl';\n");
    assert_eq!(folder.prints(&["-q", "sql", "--format", "csv", "-f", "query.sql"]), "n\n3\n");
    let output = folder.trevni(&["sql", "--format", "csv"]).write_stdin("select 3 as c;").output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "c\n3\n");
    let help = folder.prints(&["sql", "-h"]);
    assert!(help.contains("  trevni sql ") && help.lines().all(|line| line.chars().count() <= 100), "{help}");
    assert!(folder.prints(&["-h"]).contains("\n  sql "));
}

#[test]
fn temporary_files_go_with_the_program() {
    let folder = folder();
    fs::create_dir(folder.path("tmp")).unwrap();
    for args in [
        &["sql", "select count(*) from 'rows.csv' join 'rows.jsonl' using (id)"][..],
        &["sql", "select * from 'rows.avro'", "-o", "out.csv"],
        &["sql", "select nothing from 'rows.csv'"],
    ] {
        folder.trevni(args).env("TMPDIR", folder.path("tmp")).output().unwrap();
        assert_eq!(fs::read_dir(folder.path("tmp")).unwrap().count(), 0, "{args:?}");
    }
}

#[test]
fn what_is_wrong_is_said_once() {
    let folder = folder();
    folder.put("bad.csv", "a,b\n1\n");
    for (statement, code, words) in [
        ("select * from 'bad.csv'", 1, "bad.csv line 2: 1 cell for 2 columns"),
        ("select nothing from 'rows.csv'", 2, "nothing"),
        ("select * from 'none.csv'", 2, "none.csv"),
        ("selct 1", 2, "selct"),
    ] {
        let (found, error) = folder.fails(&["sql", statement]);
        assert!(error.contains(words) && error.matches("error: ").count() == 1, "{statement}: {error}");
        assert!(found == Some(code) || found == Some(1), "{statement}: {found:?} {error}");
        assert!(!error.contains("panicked"), "{error}");
    }
}
