//! Folders, sessions, and what queries answer.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::prelude::{SessionConfig, SessionContext};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that goes with the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("trevni-datafusion-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// A path within, for a statement.
    pub(crate) fn join(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// The names of the files below, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.0.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => found.push(path.strip_prefix(&self.0).unwrap().to_str().unwrap().to_owned()),
                }
            }
        }
        found.sort();
        found
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A session with some partitions, whatever the machine.
pub(crate) fn session() -> SessionContext {
    session_of(SessionConfig::new().with_target_partitions(3))
}

pub(crate) fn session_of(config: SessionConfig) -> SessionContext {
    let state = SessionStateBuilder::new().with_config(config).with_default_features().build();
    let session = SessionContext::new_with_state(state);
    trevni_datafusion::register(&session).unwrap();
    session
}

/// Writes rows of serde to a file.
pub(crate) fn write<R: serde::Serialize>(path: impl AsRef<Path>, rows: impl IntoIterator<Item = R>) {
    write_with(trevni::Writer::builder(), path, rows);
}

pub(crate) fn write_with<R: serde::Serialize>(
    options: trevni::WriterBuilder,
    path: impl AsRef<Path>,
    rows: impl IntoIterator<Item = R>,
) {
    let mut writer = options.create(path).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap();
}

/// Runs a statement.
pub(crate) async fn run(session: &SessionContext, sql: &str) -> Result<Vec<RecordBatch>> {
    session.sql(sql).await?.collect().await
}

/// The answer as a table of text.
pub(crate) async fn table(session: &SessionContext, sql: &str) -> String {
    let batches = run(session, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    pretty_format_batches(&batches).unwrap().to_string()
}

/// The cells of the answer, row by row, without frames.
pub(crate) async fn cells(session: &SessionContext, sql: &str) -> Vec<String> {
    rows_of(&table(session, sql).await)
}

/// The rows of a table of text, without its frame and its head.
pub(crate) fn rows_of(table: &str) -> Vec<String> {
    let row = |line: &str| {
        let cells = line.trim_matches('|').split('|').map(str::trim);
        cells.collect::<Vec<_>>().join(" ")
    };
    table.lines().filter(|line| line.starts_with('|')).skip(1).map(row).collect()
}

/// The error of a statement.
pub(crate) async fn error(session: &SessionContext, sql: &str) -> String {
    match run(session, sql).await {
        Ok(batches) => panic!("{sql}: no error but {} batches", batches.len()),
        Err(error) => error.to_string(),
    }
}

/// A plan that has been run, and the answer.
pub(crate) struct Ran {
    pub(crate) plan: Arc<dyn ExecutionPlan>,
    pub(crate) rows: usize,
}

impl Ran {
    pub(crate) async fn new(session: &SessionContext, sql: &str) -> Self {
        let plan = session.sql(sql).await.unwrap().create_physical_plan().await.unwrap();
        let batches = collect(Arc::clone(&plan), session.task_ctx()).await.unwrap();
        Self { plan, rows: batches.iter().map(RecordBatch::num_rows).sum() }
    }

    /// The sum of a count over all nodes of the plan.
    pub(crate) fn count(&self, name: &str) -> usize {
        fn sum(plan: &Arc<dyn ExecutionPlan>, name: &str) -> usize {
            let own = plan
                .metrics()
                .and_then(|metrics| metrics.sum_by_name(name))
                .map_or(0, |value| value.as_usize());
            own + plan.children().into_iter().map(|child| sum(child, name)).sum::<usize>()
        }
        sum(&self.plan, name)
    }

    pub(crate) fn shown(&self) -> String {
        datafusion::physical_plan::displayable(self.plan.as_ref()).indent(false).to_string()
    }
}
