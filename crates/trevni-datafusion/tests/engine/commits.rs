//! Writes that are committed: they count once and as a whole, whoever does them again.

use crate::support::{Folder, cells, run, session_of};
use datafusion::physical_plan::execution_plan::reset_plan_states;
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::prelude::{SessionConfig, SessionContext};
use object_store::ObjectStore;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use std::sync::Arc;
use std::time::Duration;
use trevni_datafusion::{CommitExec, WritePartsExec, remove_uncommitted};
use url::Url;

fn commits() -> SessionContext {
    session_of(trevni_datafusion::with_commits(SessionConfig::new().with_target_partitions(3)))
}

/// A table of two columns, `n` and `day`; the plan of an `INSERT` of a thousand rows, by several partitions.
async fn insert(session: &SessionContext, at: &str) -> Arc<dyn ExecutionPlan> {
    let create = format!(
        "CREATE EXTERNAL TABLE IF NOT EXISTS t (n BIGINT, day BIGINT) STORED AS TREVNI PARTITIONED BY (day) LOCATION '{at}'"
    );
    run(session, &create).await.unwrap();
    let sql = "INSERT INTO t SELECT max(value) AS n, value % 1000 % 4 AS day FROM generate_series(0, 9999) GROUP BY value % 1000";
    let plan = session.sql(sql).await.unwrap().create_physical_plan().await.unwrap();
    assert!(plan.downcast_ref::<CommitExec>().is_some());
    plan
}

async fn count(session: &SessionContext, at: &str) -> Vec<String> {
    cells(session, &format!("SELECT count(*), count(DISTINCT n), count(DISTINCT day) FROM '{at}'")).await
}

/// The plan of the same write, that has not run.
fn anew(plan: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
    reset_plan_states(plan).unwrap()
}

/// The half of a plan that writes parts.
fn parts(plan: &Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
    let below = Arc::clone(plan.children()[0]);
    if below.downcast_ref::<WritePartsExec>().is_some() { below } else { parts(&below) }
}

async fn objects(store: &Arc<dyn ObjectStore>) -> Vec<String> {
    use futures::TryStreamExt;
    let mut names: Vec<String> =
        store.list(None).map_ok(|object| object.location.to_string()).try_collect().await.unwrap();
    names.sort();
    names
}

#[tokio::test]
async fn a_write_that_is_done_twice_counts_once() {
    let memory: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let folder = Folder::new();
    let disk: Arc<dyn ObjectStore> = Arc::new(LocalFileSystem::new_with_prefix(folder.path()).unwrap());
    for store in [memory, disk] {
        let session = commits();
        session.register_object_store(&Url::parse("x://y").unwrap(), Arc::clone(&store));
        let at = "x://y/table/";
        let plan = insert(&session, at).await;
        let context = session.task_ctx();
        collect(anew(Arc::clone(&plan)), Arc::clone(&context)).await.unwrap();
        let expected = ["1000 1000 4"];
        assert_eq!(count(&session, at).await, expected);
        let before = objects(&store).await;
        assert!(
            before.iter().filter(|name| name.ends_with(".json")).count() == 1 && before.len() > 4,
            "{before:?}"
        );
        // As an executor that died after it had committed, and another one in its place.
        let again = collect(anew(plan), Arc::clone(&context)).await.unwrap();
        let counted = datafusion::arrow::util::pretty::pretty_format_batches(&again).unwrap().to_string();
        assert!(counted.contains("1000"), "{counted}");
        assert_eq!(
            (count(&session, at).await, objects(&store).await),
            (expected.map(str::to_owned).to_vec(), before)
        );
        // Another INSERT is another write.
        collect(insert(&session, at).await, context).await.unwrap();
        assert_eq!(count(&session, at).await, ["2000 1000 4"]);
    }
}

#[tokio::test]
async fn parts_count_when_they_are_committed() {
    let folder = Folder::new();
    let (session, at) = (commits(), folder.join("table/"));
    let plan = insert(&session, &at).await;
    run(&session, &format!("COPY (SELECT 1 AS n) TO '{at}day=0/other.trv'")).await.unwrap();
    let old = ["1 1 1"];
    assert_eq!(count(&session, &at).await, old);
    let written = collect(parts(&anew(Arc::clone(&plan))), session.task_ctx()).await.unwrap();
    let names = folder.files().into_iter().filter(|name| name.contains("/part-w")).count();
    assert_eq!(names, written.iter().map(|batch| batch.num_rows()).sum::<usize>());
    assert!(names >= 4);
    // Nobody sees them: the table, paths, datasets.
    assert_eq!(count(&session, &at).await, old);
    assert_eq!(cells(&session, "SELECT count(*) FROM t").await, ["1"]);
    assert_eq!(
        cells(&crate::support::session(), &format!("SELECT count(*) FROM '{at}day=0/*.trv'")).await,
        ["1"]
    );
    let dataset = || trevni::Dataset::open(format!("{at}day=0")).unwrap().row_count();
    assert_eq!(dataset(), 1);
    // Who commits removes the parts of this first attempt.
    collect(plan, session.task_ctx()).await.unwrap();
    assert_eq!(count(&session, &at).await, ["1001 1001 4"]);
    assert_eq!(cells(&session, "SELECT count(*) FROM t WHERE day = 3").await, ["250"]);
    assert_eq!(dataset(), 251);
    assert!(folder.files().into_iter().filter(|name| name.contains("/part-w")).count() <= names);
}

#[tokio::test]
async fn what_is_left_is_removed_and_no_rows_are_lost_in_silence() {
    let folder = Folder::new();
    let (session, at) = (commits(), folder.join("table/"));
    collect(insert(&session, &at).await, session.task_ctx()).await.unwrap();
    let (before, all) = (folder.files(), count(&session, &at).await);
    let plan = insert(&session, &at).await;
    collect(parts(&anew(Arc::clone(&plan))), session.task_ctx()).await.unwrap();
    let store: Arc<dyn ObjectStore> = Arc::new(LocalFileSystem::new());
    let place = object_store::path::Path::from_absolute_path(&at).unwrap();
    let clean = |age| remove_uncommitted(&store, &place, age);
    let kept = clean(Duration::from_secs(3600)).await.unwrap();
    assert_eq!((kept.parts, kept.writes), (0, 0));
    let left = folder.files().len() - before.len();
    let removed = clean(Duration::ZERO).await.unwrap();
    assert_eq!((removed.parts, removed.writes), (left, 1));
    assert_eq!(folder.files().len(), before.len() + 1, "the manifest that gives the write up");
    // Its process was alive.
    let error = collect(plan, session.task_ctx()).await.unwrap_err().to_string();
    assert!(error.contains("given up"), "{error}");
    assert_eq!(count(&session, &at).await, all);
    assert_eq!(clean(Duration::ZERO).await.unwrap().writes, 0);
    assert_eq!(folder.files().iter().filter(|name| name.contains("/part-w")).count(), before.len() - 1);
}

#[tokio::test]
async fn damaged_manifests_are_errors_that_name_them() {
    let folder = Folder::new();
    let (session, at) = (commits(), folder.join("table/"));
    collect(insert(&session, &at).await, session.task_ctx()).await.unwrap();
    let manifest = folder.files().into_iter().find(|name| name.ends_with(".json")).unwrap();
    let path = folder.join(&manifest);
    let whole = std::fs::read(&path).unwrap();
    let name = manifest.rsplit('/').next().unwrap();
    for damaged in [&b""[..], b"{}", &whole[..whole.len() / 2]] {
        std::fs::write(&path, damaged).unwrap();
        let error = run(&session, &format!("SELECT count(*) FROM '{at}'")).await.unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
        let error = run(&session, "SELECT count(*) FROM t").await.unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
        let error = trevni::Dataset::open(format!("{at}day=1")).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
    std::fs::write(&path, &whole).unwrap();
    assert_eq!(count(&session, &at).await, ["1000 1000 4"]);
}

#[tokio::test]
async fn empty_and_single_writes() {
    let folder = Folder::new();
    let session = commits();
    let (at, one) = (folder.join("none/"), folder.join("one.trv"));
    run(&session, &format!("CREATE EXTERNAL TABLE none (n BIGINT) STORED AS TREVNI LOCATION '{at}'"))
        .await
        .unwrap();
    assert_eq!(
        cells(&session, "INSERT INTO none SELECT value FROM generate_series(1, 5) WHERE value > 9").await,
        ["0"]
    );
    assert_eq!(cells(&session, "SELECT count(*) FROM none").await, ["0"]);
    assert_eq!(cells(&session, "INSERT INTO none VALUES (1), (2)").await, ["2"]);
    run(&session, &format!("COPY (SELECT n FROM none) TO '{one}'")).await.unwrap();
    assert_eq!(cells(&session, &format!("SELECT sum(n) FROM '{one}'")).await, ["3"]);
    assert_eq!(
        folder.files().iter().filter(|name| name.ends_with(".json")).count(),
        2,
        "{:?}",
        folder.files()
    );
}

#[tokio::test]
async fn a_log_counts_once_while_it_is_written_and_compacted() {
    #[derive(serde::Serialize)]
    struct Row {
        n: u32,
    }
    let (folder, session) = (Folder::new(), commits());
    let at = folder.join("log/");
    let mut log = trevni::DatasetWriter::builder().part_rows(40).create(&at).unwrap();
    for n in 0..100 {
        log.write(&Row { n }).unwrap();
        log.flush().unwrap();
        if n % 30 == 29 {
            // Two parts are complete at the end, and what they replace stays for a while.
            trevni::dataset::compact(&at).unwrap();
            let sql = format!("SELECT count(*), count(DISTINCT n), max(n) FROM '{at}'");
            assert_eq!(cells(&session, &sql).await, [format!("{} {} {n}", n + 1, n + 1)]);
        }
    }
}
