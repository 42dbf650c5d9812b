//! Folders, tables, and what queries answer.

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::Result;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that goes with the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("trevni-ballista-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn join(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The names of the files below a folder, with their folders, sorted.
pub(crate) fn files(folder: impl AsRef<Path>) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.as_ref().to_owned()];
    while let Some(current) = folders.pop() {
        for entry in std::fs::read_dir(current).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned()),
            }
        }
    }
    found.sort();
    found
}

/// A session in this process.
pub(crate) fn local() -> SessionContext {
    let session = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(3));
    trevni_datafusion::register(&session).unwrap();
    session
}

/// Writes `files` files of `rows` rows each to a folder: `n` from 0 on, `name`, `day`, `price`.
pub(crate) async fn write_numbers(folder: &str, files: usize, rows: usize) {
    std::fs::create_dir_all(folder).unwrap();
    let session = local();
    for file in 0..files {
        let (first, last) = (file * rows, (file + 1) * rows - 1);
        let sql = format!(
            "COPY (SELECT value AS n, 'name ' || (value % 97) AS name, value % 7 AS day, value * 0.25 AS price \
             FROM generate_series({first}, {last})) TO '{folder}/numbers-{file}.trv'"
        );
        run(&session, &sql).await.unwrap();
    }
}

/// Runs a statement; gives the rows as text, in their order.
pub(crate) async fn run(session: &SessionContext, sql: &str) -> Result<Vec<String>> {
    let batches = session.sql(sql).await?.collect().await?;
    let table = pretty_format_batches(&batches)?.to_string();
    let rows = table.lines().filter(|line| line.starts_with('|')).skip(1);
    Ok(rows
        .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned())
        .collect())
}

pub(crate) async fn rows(session: &SessionContext, sql: &str) -> Vec<String> {
    run(session, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// Writes files of rows to a folder: `kind`, an enum whose symbols come in another order in each file; `within`, a record that has it
/// too; `n`.
pub(crate) fn write_kinds(folder: &str, files: usize, rows: u32) {
    #[derive(Clone, Copy, serde::Serialize)]
    enum Kind {
        Rain,
        Snow,
        Hail,
    }

    #[derive(serde::Serialize)]
    struct Within {
        kind: Option<Kind>,
    }

    #[derive(serde::Serialize)]
    struct Row {
        kind: Kind,
        within: Within,
        n: u32,
    }

    std::fs::create_dir_all(folder).unwrap();
    for file in 0..files {
        let mut kinds = [Kind::Rain, Kind::Snow, Kind::Hail];
        kinds.rotate_left(file % 3);
        let kind = |n: u32| kinds[n as usize % 3];
        let row = |n| Row { kind: kind(n), within: Within { kind: (n % 5 > 0).then(|| kind(n / 3)) }, n };
        let mut writer = trevni::Writer::create(format!("{folder}/part-{file}.trv")).unwrap();
        writer.write_all((0..rows).map(row)).unwrap();
        writer.finish().unwrap();
    }
}
