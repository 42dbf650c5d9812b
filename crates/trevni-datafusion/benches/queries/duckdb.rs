//! DuckDB in a process of its own, through its module for Python.

use super::sets::Set;
use datafusion::error::Result;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

const PROGRAM: &str = include_str!("duckdb.py");

pub(crate) struct DuckDb {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl DuckDb {
    /// A process that knows the tables of a set, which are in folders of Parquet files.
    pub(crate) fn start(python: &Path, set: &Set, folder: &Path) -> Result<Self> {
        let tables = set.tables.iter().map(|table| table.name);
        let mut process = Command::new(python)
            .args(["-c", PROGRAM])
            .arg(folder)
            .args(tables)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let pipes = (process.stdin.take(), process.stdout.take());
        let (Some(questions), Some(answers)) = pipes else {
            return Err(std::io::Error::other("a process without pipes").into());
        };
        Ok(Self { process, questions, answers: BufReader::new(answers) })
    }

    /// How long a query takes; `None` if DuckDB does not know what it says.
    pub(crate) fn run(&mut self, sql: &str) -> Result<Option<Duration>> {
        let lines = sql.lines().filter(|line| !line.starts_with("--"));
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        writeln!(self.questions, "{}", words.join(" "))?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        Ok(answer.trim().parse().ok().map(Duration::from_secs_f64))
    }
}

impl Drop for DuckDb {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
