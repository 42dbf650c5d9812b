//! Tables with snapshots: statements that remove rows, earlier moments, and what readers see meanwhile.

use crate::oracle::Random;
use crate::stores::counting::Counting;
use crate::support::{Folder, Ran, cells, error, run, session, session_of};
use datafusion::physical_plan::execution_plan::reset_plan_states;
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::prelude::{SessionConfig, SessionContext};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::{ObjectStore, ObjectStoreExt};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};
use trevni::dataset::{Snapshot, WriteId, WriteManifest};
use trevni::{Dataset, DatasetWriter};
use trevni_datafusion::{committed, give_up, remove_uncommitted};
use url::Url;

fn commits() -> SessionContext {
    session_of(trevni_datafusion::with_commits(SessionConfig::new().with_target_partitions(3)))
}

type Rows = Vec<(i64, Option<i64>, Option<String>)>;

/// The rows of a table, sorted, as text.
async fn rows(session: &SessionContext, table: &str) -> Vec<String> {
    let sql = format!(
        "SELECT n, coalesce(CAST(v AS VARCHAR), '-'), coalesce(CAST(day AS VARCHAR), '-') FROM {table} ORDER BY 1, 2, 3"
    );
    cells(session, &sql).await
}

fn shown(rows: &Rows) -> Vec<String> {
    let mut rows: Vec<_> = rows.clone();
    let text = |value: &Option<i64>| value.map_or("-".to_owned(), |value| value.to_string());
    rows.sort_by_key(|(n, v, day)| (*n, text(v), day.clone().unwrap_or("-".to_owned())));
    rows.iter().map(|(n, v, day)| format!("{n} {} {}", text(v), day.as_deref().unwrap_or("-"))).collect()
}

/// Conditions, and which rows they are true for.
type Condition = (&'static str, fn(&(i64, Option<i64>, Option<String>)) -> bool);

const CONDITIONS: [Condition; 14] = [
    ("n % 2 = 0", |row| row.0 % 2 == 0),
    ("n < 20", |row| row.0 < 20),
    ("v = 3", |row| row.1 == Some(3)),
    ("v <> 3", |row| row.1.is_some_and(|v| v != 3)),
    ("v IS NULL", |row| row.1.is_none()),
    ("NOT (v > 2)", |row| row.1.is_some_and(|v| v <= 2)),
    ("day = 'a'", |row| row.2.as_deref() == Some("a")),
    ("day <> 'a'", |row| row.2.as_deref().is_some_and(|day| day != "a")),
    ("day IS NULL", |row| row.2.is_none()),
    ("day = 'b' AND n > 10", |row| row.2.as_deref() == Some("b") && row.0 > 10),
    ("day IS NULL OR v = 1", |row| row.2.is_none() || row.1 == Some(1)),
    ("1 = 0", |_| false),
    ("n = 5 AND n = 6", |_| false),
    ("n IN (1, 2, 3) OR v BETWEEN 2 AND 4", |row| {
        (1..=3).contains(&row.0) || row.1.is_some_and(|v| (2..=4).contains(&v))
    }),
];

fn values(rows: &Rows) -> String {
    let text = |value: &Option<i64>| value.map_or("NULL".to_owned(), |value| value.to_string());
    let mut sql = String::new();
    for (n, v, day) in rows {
        let day = day.as_ref().map_or("NULL".to_owned(), |day| format!("'{day}'"));
        write!(sql, "{}({n}, {}, {day})", if sql.is_empty() { "" } else { ", " }, text(v)).unwrap();
    }
    format!("SELECT * FROM (VALUES {sql}) r(n, v, day)")
}

/// Statements by chance, and what a list of rows makes of them.
async fn statements(seed: u64, has_partitions: bool) {
    let random = &mut Random(seed);
    let folder = Folder::new();
    let (at, sessions) = (folder.join("t/"), [commits(), session()]);
    let partitions = if has_partitions { "PARTITIONED BY (day)" } else { "" };
    for session in &sessions {
        run(session, &format!("CREATE EXTERNAL TABLE t (n BIGINT, v BIGINT, day VARCHAR) STORED AS TREVNI {partitions} LOCATION '{at}'"))
            .await
            .unwrap();
    }
    let (mut model, mut moments, mut next): (Rows, BTreeMap<u64, Rows>, i64) =
        (Vec::new(), BTreeMap::new(), 0);
    let mut log = String::new();
    for step in 0..14 {
        // Without snapshots, writes of the other session are not committed, but count.
        let session = random.pick(&sessions).clone();
        let mut some = || {
            let count = 1 + random.below(30) as i64;
            let row = |n| {
                let v = [None, Some(1), Some(2), Some(3), Some(4)][random.below(5)];
                (n, v, [None, Some("a"), Some("b"), Some("c")][random.below(4)].map(str::to_owned))
            };
            let rows: Rows = (next..next + count).map(row).collect();
            next += count;
            rows
        };
        let new = some();
        let kind = random.below(10);
        let (sql, count) = match kind {
            0..=3 => {
                model.extend(new.clone());
                (format!("INSERT INTO t {}", values(&new)), new.len())
            }
            4..=6 => {
                let (condition, is_true) = random.pick(&CONDITIONS);
                let before = model.len();
                model.retain(|row| !is_true(row));
                (format!("DELETE FROM t WHERE {condition}"), before - model.len())
            }
            7 if !model.is_empty() => {
                model = new.clone();
                (format!("INSERT OVERWRITE t {}", values(&new)), new.len())
            }
            8 => {
                let sql = format!(
                    "INSERT INTO t SELECT n, CAST(1 / (n - {}) AS BIGINT), day FROM ({})",
                    next - 1,
                    values(&new)
                );
                let _ = error(&session, &sql).await;
                (String::new(), 0)
            }
            _ => {
                if !model.is_empty() {
                    run(&session, &format!("SELECT * FROM trevni_compact('{at}')")).await.unwrap();
                }
                (String::new(), 0)
            }
        };
        writeln!(log, "{step}: {kind} {sql}").unwrap();
        if !sql.is_empty() {
            assert_eq!(cells(&session, &sql).await, [count.to_string()], "seed {seed}\n{log}");
        }
        for session in &sessions {
            assert_eq!(rows(session, "t").await, shown(&model), "seed {seed}\n{log}");
            let counts = cells(session, "SELECT count(*), count(v), min(n), max(n) FROM t").await;
            let bound = |bound: Option<i64>| bound.map_or(String::new(), |bound| bound.to_string());
            let (least, greatest) =
                (model.iter().map(|row| row.0).min(), model.iter().map(|row| row.0).max());
            let known = model.iter().filter(|row| row.1.is_some()).count();
            let expected = format!("{} {known} {} {}", model.len(), bound(least), bound(greatest));
            assert_eq!(counts, [expected], "seed {seed}\n{log}");
        }
        if !model.is_empty() {
            let read = Dataset::open(&at).unwrap();
            assert_eq!(read.row_count(), model.len() as u64, "seed {seed}\n{log}");
        }
        let found = cells(&session, &format!("SELECT max(snapshot) FROM trevni_snapshots('{at}')")).await;
        if let (Ok(last), true) = (found[0].parse(), matches!(kind, 4..=7)) {
            // What is appended after a snapshot is not in it.
            moments.insert(last, model.clone());
        }
    }
    for (number, then) in moments {
        let name = format!("as_of_{number}");
        let create = format!(
            "CREATE EXTERNAL TABLE {name} (n BIGINT, v BIGINT, day VARCHAR) STORED AS TREVNI {partitions} LOCATION '{at}' OPTIONS (as_of '{number}')"
        );
        run(&sessions[0], &create).await.unwrap();
        assert_eq!(rows(&sessions[0], &name).await, shown(&then), "seed {seed}, as of {number}\n{log}");
        let error = error(&sessions[0], &format!("DELETE FROM {name}")).await;
        assert!(error.contains("only read"), "{error}");
    }
    // What only earlier moments had goes, and nothing else.
    let clean = format!("SELECT * FROM trevni_clean('{at}', 0)");
    run(&sessions[0], &clean).await.unwrap();
    assert_eq!(rows(&sessions[0], "t").await, shown(&model), "seed {seed}, cleaned\n{log}");
    assert_eq!(cells(&sessions[0], &clean).await, ["0"], "seed {seed}\n{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn statements_by_chance_are_as_those_on_a_list_of_rows() {
    let seeds = std::env::var("TREVNI_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(6);
    for seed in 0..seeds {
        statements(seed, seed % 2 == 0).await;
    }
}

/// A table of some writes of ten rows each.
async fn table(session: &SessionContext, at: &str, writes: i64) {
    run(session, &format!("CREATE EXTERNAL TABLE t (n BIGINT) STORED AS TREVNI LOCATION '{at}'"))
        .await
        .unwrap();
    for write in 0..writes {
        let (first, last) = (write * 10, write * 10 + 9);
        run(session, &format!("INSERT INTO t SELECT value FROM generate_series({first}, {last})"))
            .await
            .unwrap();
    }
}

/// As of a write: what was there when it ended, whether a snapshot has it or not.
#[tokio::test]
async fn moments_are_named_by_writes() {
    let folder = Folder::new();
    let (session, at) = (commits(), folder.join("t/"));
    table(&session, &at, 1).await;
    run(&session, "DELETE FROM t WHERE n < 5").await.unwrap();
    let writes = [(); 3].map(|()| WriteId::new());
    for (write, then) in writes.iter().zip([
        "INSERT INTO t VALUES (100)",
        "DELETE FROM t WHERE n = 7",
        "INSERT INTO t VALUES (200)",
    ]) {
        run(&session, &format!("SET trevni.write = '{write}'")).await.unwrap();
        run(&session, then).await.unwrap();
    }
    run(&session, "SET trevni.write = ''").await.unwrap();
    run(&session, "DELETE FROM t").await.unwrap();
    let create = |as_of: &str| {
        format!(
            "CREATE EXTERNAL TABLE e (n BIGINT) STORED AS TREVNI LOCATION '{at}' OPTIONS (as_of '{as_of}')"
        )
    };
    let moments = [(&writes[0], "6 135"), (&writes[1], "5 128"), (&writes[2], "6 328")];
    for (write, expected) in moments {
        run(&session, &create(&write.to_string())).await.unwrap();
        assert_eq!(cells(&session, "SELECT count(*), sum(n) FROM e").await, [expected], "{write}");
        run(&session, "DROP TABLE e").await.unwrap();
    }
    run(&session, &create(&WriteId::new().to_string())).await.unwrap();
    let unknown = error(&session, "SELECT * FROM e").await;
    assert!(unknown.contains("has no snapshot that shows it"), "{unknown}");
}

async fn plan(session: &SessionContext, sql: &str) -> Arc<dyn ExecutionPlan> {
    session.sql(sql).await.unwrap().create_physical_plan().await.unwrap()
}

async fn ran(session: &SessionContext, plan: &Arc<dyn ExecutionPlan>) -> Result<u64, String> {
    let plan = reset_plan_states(Arc::clone(plan)).unwrap();
    let batches = collect(plan, session.task_ctx()).await.map_err(|error| error.to_string())?;
    let counts = batches[0].column(0).as_any().downcast_ref::<datafusion::arrow::array::UInt64Array>();
    Ok(counts.unwrap().value(0))
}

async fn sum(session: &SessionContext) -> Vec<String> {
    cells(session, "SELECT count(*), sum(n) FROM t").await
}

#[tokio::test]
async fn of_two_changes_at_a_time_one_counts_and_appends_survive() {
    for store in [Arc::new(InMemory::new()) as Arc<dyn ObjectStore>] {
        let session = commits();
        session.register_object_store(&Url::parse("x://y").unwrap(), Arc::clone(&store));
        table(&session, "x://y/t/", 3).await;
        let one = plan(&session, "DELETE FROM t WHERE n < 5").await;
        let two = plan(&session, "DELETE FROM t WHERE n >= 5 AND n < 15").await;
        let overwrite = plan(&session, "INSERT OVERWRITE t VALUES (7)").await;
        run(&session, "INSERT INTO t VALUES (1000)").await.unwrap();
        assert_eq!(ran(&session, &one).await, Ok(5));
        // Done twice, it counts once.
        assert_eq!(ran(&session, &one).await, Ok(5));
        for late in [&two, &overwrite] {
            let error = ran(&session, late).await.unwrap_err();
            assert!(error.contains("has changed nothing"), "{error}");
        }
        assert_eq!(sum(&session).await, ["26 1425"]);
        let again = plan(&session, "DELETE FROM t WHERE n >= 5 AND n < 15").await;
        assert_eq!(ran(&session, &again).await, Ok(10));
        let overwrite = plan(&session, "INSERT OVERWRITE t VALUES (7)").await;
        run(&session, "INSERT INTO t VALUES (3)").await.unwrap();
        assert_eq!(ran(&session, &overwrite).await, Ok(1));
        // What came after it was planned is still there.
        assert_eq!(sum(&session).await, ["2 10"]);
    }
}

#[tokio::test]
async fn conditions_that_say_no_rows_remove_none_and_queries_in_them_are_errors() {
    let folder = Folder::new();
    let session = commits();
    table(&session, &folder.join("t/"), 2).await;
    for nothing in ["false", "1 = 2", "n = 1 AND n = 2", "NULL", "n = NULL", "n > 1000", "n IS NULL"] {
        assert_eq!(cells(&session, &format!("DELETE FROM t WHERE {nothing}")).await, ["0"], "{nothing}");
        assert_eq!(sum(&session).await, ["20 190"], "{nothing}");
    }
    for query in ["n IN (SELECT 1)", "EXISTS (SELECT 1)", "n = (SELECT 1)"] {
        let error = error(&session, &format!("DELETE FROM t WHERE {query}")).await;
        assert!(error.contains("query in its condition"), "{error}");
        assert_eq!(sum(&session).await, ["20 190"]);
    }
    assert_eq!(cells(&session, "DELETE FROM t WHERE CAST(now() AS BIGINT) > 0 AND n < 10").await, ["10"]);
    assert_eq!(cells(&session, "TRUNCATE TABLE t").await, ["10"]);
    assert_eq!(cells(&session, "SELECT count(*) FROM t").await, ["0"]);
    assert_eq!(cells(&session, "INSERT INTO t VALUES (1)").await, ["1"]);
    assert_eq!(cells(&session, "DELETE FROM t").await, ["1"]);
    // Its columns are known without any rows.
    let named = format!("SELECT n FROM '{}'", folder.join("t/"));
    assert_eq!(cells(&session, &named).await, [] as [String; 0]);
    run(&session, &format!("CREATE EXTERNAL TABLE again STORED AS TREVNI LOCATION '{}'", folder.join("t/")))
        .await
        .unwrap();
    assert_eq!(cells(&session, "SELECT count(n) FROM again").await, ["0"]);
}

#[tokio::test]
async fn only_tables_of_one_whole_folder_are_changed() {
    let folder = Folder::new();
    let (session, at) = (commits(), folder.join("t/"));
    let copy = format!(
        "COPY (SELECT value AS n, value * 2 AS m, value % 2 AS day FROM generate_series(1, 10)) TO '{at}' STORED AS TREVNI PARTITIONED BY (day)"
    );
    run(&session, &copy).await.unwrap();
    for (name, columns, place, why) in [
        ("narrow", "(n BIGINT, day VARCHAR)", at.clone(), "the column m"),
        ("part", "(n BIGINT, m BIGINT)", format!("{at}day=1/"), "of a partition"),
        ("pattern", "(n BIGINT, m BIGINT)", format!("{at}day=1/*.trv"), "one folder"),
    ] {
        let partitions = if columns.contains("day") { "PARTITIONED BY (day)" } else { "" };
        run(
            &session,
            &format!(
                "CREATE EXTERNAL TABLE {name} {columns} STORED AS TREVNI {partitions} LOCATION '{place}'"
            ),
        )
        .await
        .unwrap();
        let error = error(&session, &format!("DELETE FROM {name} WHERE n = 1")).await;
        assert!(error.contains(why), "{error}");
    }
    let counted = cells(&session, &format!("SELECT count(*), sum(m) FROM '{at}'")).await;
    assert_eq!(counted, ["10 110"]);
}

#[tokio::test]
async fn after_the_first_snapshot_only_what_it_and_manifests_have_counts() {
    let folder = Folder::new();
    let (session, at) = (session(), folder.join("t/"));
    let mut writer = DatasetWriter::create(&at).unwrap();
    for n in 0..10 {
        writer.write(&Row { n }).unwrap();
    }
    writer.finish().unwrap();
    run(&session, &format!("COPY (SELECT CAST(10 AS BIGINT) AS n) TO '{at}other.trv'")).await.unwrap();
    run(&session, &format!("CREATE EXTERNAL TABLE t STORED AS TREVNI LOCATION '{at}'")).await.unwrap();
    assert_eq!(cells(&session, "DELETE FROM t WHERE n >= 5 AND n < 8").await, ["3"]);
    assert_eq!(sum(&session).await, ["8 37"]);
    // The first files are still there, and do not count.
    assert!(folder.files().contains(&"t/part-00000.trv".to_owned()));
    std::fs::copy(format!("{at}part-00000.trv"), format!("{at}copied.trv")).unwrap();
    assert_eq!(sum(&session).await, ["8 37"]);
    assert_eq!(Dataset::open(&at).unwrap().row_count(), 8);
    // Who would write files that do not count is told.
    let error = error(&session, &format!("COPY (SELECT 1 AS n) TO '{at}one.trv'")).await;
    assert!(error.contains("INSERT into it"), "{error}");
    assert!(DatasetWriter::builder().append(&at).err().unwrap().to_string().contains("table with snapshots"));
    run(&session, "INSERT INTO t VALUES (100)").await.unwrap();
    run(&session, &format!("COPY (SELECT CAST(200 AS BIGINT) AS n) TO '{at}' STORED AS TREVNI"))
        .await
        .unwrap();
    assert_eq!(sum(&session).await, ["10 337"]);
    // A list of the folder above has the rows once.
    assert_eq!(cells(&session, &format!("SELECT count(*) FROM '{}/*'", folder.join("t"))).await, ["10"]);
}

#[derive(serde::Serialize)]
struct Row {
    n: i64,
}

/// As Spark's `overwrite` writes them: parts, a manifest that leaves it to the snapshot, and the snapshot, without what is known of columns.
#[tokio::test]
async fn snapshots_of_others_need_say_nothing_of_columns() {
    #[derive(serde::Serialize)]
    struct Row {
        n: i64,
    }
    #[derive(serde::Serialize)]
    struct Part {
        path: String,
        rows: u64,
        bytes: u64,
    }
    let (folder, session) = (Folder::new(), commits());
    let at = folder.join("t/");
    table(&session, &at, 2).await;
    let before = cells(&session, "SELECT count(*) FROM t").await;
    let write = WriteId::new();
    let (name, bytes) = (write.part_name(7, 0), trevni::to_vec((1..=5).map(|n| Row { n })).unwrap());
    std::fs::write(format!("{at}{name}"), &bytes).unwrap();
    let mut manifest = WriteManifest::default();
    manifest.add(name.clone(), 5, bytes.len() as u64);
    let manifest = manifest.in_snapshot(1, 5).to_vec();
    std::fs::write(format!("{at}{}", write.manifest_name()), manifest).unwrap();
    assert_eq!(cells(&session, "SELECT count(*) FROM t").await, before);
    let shape = trevni::Reader::from_slice(&bytes).unwrap().shape().clone();
    let schema = trevni::Writer::builder().shape(&shape).build(Vec::new()).unwrap().finish().unwrap();
    let mut options = trevni::Writer::builder().metadata(Snapshot::SCHEMA, schema);
    for (key, value) in Snapshot::metadata(write.millis(), [&write]) {
        options = options.metadata(key, value);
    }
    let mut snapshot = options.build(Vec::new()).unwrap();
    snapshot.write(&Part { path: name, rows: 5, bytes: bytes.len() as u64 }).unwrap();
    std::fs::create_dir(format!("{at}_trevni_table")).unwrap();
    std::fs::write(format!("{at}{}", Snapshot::name(1)), snapshot.finish().unwrap()).unwrap();
    assert_eq!(cells(&session, "SELECT count(*), sum(n) FROM t WHERE n > 1").await, ["4 14"]);
    run(&session, "INSERT INTO t (n) VALUES (100)").await.unwrap();
    assert_eq!(cells(&session, "DELETE FROM t WHERE n < 3").await, ["2"]);
    assert_eq!(cells(&session, "SELECT sum(n) FROM t").await, ["112"]);
    let sql = format!("CREATE EXTERNAL TABLE b STORED AS TREVNI LOCATION '{at}' OPTIONS (as_of '{write}')");
    run(&session, &sql).await.unwrap();
    assert_eq!(cells(&session, "SELECT sum(n) FROM b").await, ["15"]);
}

/// Rows that are added after a snapshot and removed by the next one are in neither.
#[tokio::test]
async fn what_was_added_and_removed_between_two_snapshots_is_cleaned() {
    let (folder, session) = (Folder::new(), commits());
    let at = folder.join("t/");
    table(&session, &at, 2).await;
    run(&session, "INSERT OVERWRITE t VALUES (1)").await.unwrap();
    run(&session, "INSERT INTO t VALUES (2)").await.unwrap();
    run(&session, "INSERT OVERWRITE t VALUES (3)").await.unwrap();
    run(&session, "INSERT INTO t VALUES (4)").await.unwrap();
    run(&session, &format!("SELECT * FROM trevni_clean('{at}', 0)")).await.unwrap();
    assert_eq!(cells(&session, "SELECT n FROM t ORDER BY n").await, ["3", "4"]);
    let parts = folder.files().into_iter().filter(|name| name.contains("part-w")).count();
    assert_eq!(parts, 2, "{:?}", folder.files());
}

#[tokio::test]
async fn many_writes_become_a_snapshot_and_planning_reads_it_alone() {
    let store = Arc::new(Counting::new(Arc::new(InMemory::new())));
    let session = commits();
    let shared: Arc<dyn ObjectStore> = store.clone();
    session.register_object_store(&Url::parse("x://y").unwrap(), Arc::clone(&shared));
    table(&session, "x://y/t/", 2).await;
    // From here on there are snapshots.
    run(&session, "DELETE FROM t WHERE n = 0").await.unwrap();
    for n in 100..170 {
        run(&session, &format!("INSERT INTO t VALUES ({n})")).await.unwrap();
    }
    let expected = ["89 9605"];
    assert_eq!(sum(&session).await, expected);
    let folder = object_store::path::Path::from("t");
    let last = store
        .get(&folder.clone().join("_trevni_table").join(Snapshot::name(2).split('/').nth(1).unwrap()))
        .await;
    assert!(last.is_ok(), "the 64th write makes a snapshot");
    run(&session, "SELECT * FROM trevni_compact('x://y/t/')").await.unwrap();
    assert_eq!(sum(&session).await, expected);
    let parts = "SELECT parts FROM trevni_snapshots('x://y/t/') ORDER BY snapshot DESC LIMIT 1";
    assert_eq!(cells(&session, parts).await, ["1"]);
    // Without anything that a session keeps.
    let other = commits();
    other.register_object_store(&Url::parse("x://y").unwrap(), Arc::clone(&shared));
    run(&other, "CREATE EXTERNAL TABLE t STORED AS TREVNI LOCATION 'x://y/t/'").await.unwrap();
    store.take();
    let plan =
        other.sql("SELECT n FROM t WHERE n > 150").await.unwrap().create_physical_plan().await.unwrap();
    assert!(store.take().is_empty(), "the snapshot is known already");
    drop(plan);
    assert_eq!(cells(&other, "SELECT count(*), min(n), max(n) FROM t").await, ["89 1 169"]);
    assert!(store.take().is_empty(), "bounds are those of the snapshot");
    let third = commits();
    third.register_object_store(&Url::parse("x://y").unwrap(), shared);
    assert_eq!(cells(&third, "SELECT count(*), min(n), max(n) FROM 'x://y/t/'").await, ["89 1 169"]);
    assert_eq!(store.take().len(), 1, "one snapshot");
}

#[tokio::test]
async fn files_that_bounds_exclude_are_not_rewritten() {
    let folder = Folder::new();
    let session = commits();
    table(&session, &folder.join("t/"), 4).await;
    run(&session, "DELETE FROM t WHERE n < 0").await.unwrap();
    let parts = || folder.files().into_iter().filter(|name| name.ends_with(".trv")).count();
    let before = parts();
    assert_eq!(cells(&session, "DELETE FROM t WHERE n BETWEEN 11 AND 12").await, ["2"]);
    assert!(parts() <= before + 3, "parts of one write, by at most as many partitions");
    let ran = Ran::new(&session, "SELECT n FROM t WHERE n > 35").await;
    assert!(ran.rows == 4 && ran.count("files_pruned") >= 2, "{}", ran.shown());
}

#[tokio::test]
async fn a_change_whose_process_dies_is_decided_by_who_asks() {
    let folder = Folder::new();
    let (session, at) = (commits(), folder.join("t/"));
    table(&session, &at, 2).await;
    run(&session, "DELETE FROM t WHERE n = 0").await.unwrap();
    let store: Arc<dyn ObjectStore> = Arc::new(LocalFileSystem::new());
    let place = object_store::path::Path::from_absolute_path(&at).unwrap();
    let ask = |id: &str| format!("SET trevni.write = '{id}'");
    for (number, is_there) in [(0, false), (1, true)] {
        let write = WriteId::new();
        run(&session, &ask(&write.to_string())).await.unwrap();
        let delete = plan(&session, &format!("DELETE FROM t WHERE n = {}", 1 + number)).await;
        run(&session, &ask("")).await.unwrap();
        let before = folder.files();
        ran(&session, &delete).await.unwrap();
        if !is_there {
            // As if the process had died before it stored the snapshot.
            let snapshot =
                folder.files().into_iter().find(|name| name.ends_with(".snapshot") && !before.contains(name));
            std::fs::remove_file(folder.join(&snapshot.unwrap())).unwrap();
            assert_eq!(committed(&store, &place, &write).await.unwrap(), None);
        }
        let decided = give_up(&store, &place, &write).await.unwrap();
        assert_eq!(decided.count(), is_there.then_some(1));
        assert_eq!(committed(&store, &place, &write).await.unwrap(), Some(decided));
        if !is_there {
            let error = ran(&session, &delete).await.unwrap_err();
            assert!(error.contains("has changed nothing"), "{error}");
        }
    }
    assert_eq!(sum(&session).await, ["18 188"]);
    let removed = remove_uncommitted(&store, &place, Duration::ZERO).await.unwrap();
    assert_eq!((removed.writes, sum(&session).await), (0, vec!["18 188".to_owned()]));
}

#[tokio::test]
async fn damaged_snapshots_are_errors_that_name_them() {
    let folder = Folder::new();
    let (session, at) = (commits(), folder.join("t/"));
    table(&session, &at, 2).await;
    run(&session, "DELETE FROM t WHERE n = 0").await.unwrap();
    let name = folder.files().into_iter().find(|name| name.ends_with(".snapshot")).unwrap();
    let whole = std::fs::read(folder.join(&name)).unwrap();
    let part = folder.files().into_iter().find(|name| name.ends_with(".trv")).unwrap();
    let mut damaged = vec![Vec::new(), b"x".to_vec(), std::fs::read(folder.join(&part)).unwrap()];
    let random = &mut Random(7);
    for _ in 0..40 {
        damaged.push(whole[..random.below(whole.len())].to_vec());
    }
    // What is damaged may not be needed; what comes is right, or an error.
    for (number, bytes) in damaged.into_iter().enumerate() {
        std::fs::write(folder.join(&name), bytes).unwrap();
        for (sql, right) in
            [(format!("SELECT count(*) FROM '{at}'"), "19"), ("SELECT sum(n) FROM t".to_owned(), "190")]
        {
            match run(&session, &sql).await {
                Ok(_) => assert!(number > 2 && cells(&session, &sql).await == [right], "{number}"),
                Err(error) => assert!(error.to_string().contains("1.snapshot"), "{error}"),
            }
        }
    }
    for _ in 0..200 {
        let mut bytes = whole.clone();
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
        std::fs::write(folder.join(&name), bytes).unwrap();
        let sql = "SELECT count(*), min(n), sum(n) FROM t WHERE n > 0";
        if run(&session, sql).await.is_ok() {
            assert_eq!(cells(&session, sql).await, ["19 1 190"], "a bit of byte {at}");
        }
    }
    std::fs::write(folder.join(&name), whole).unwrap();
    assert_eq!(sum(&session).await, ["19 190"]);
}

/// How long planning takes with many parts: `TREVNI_PARTS=80000 cargo test --release … planning_of_many_parts -- --nocapture`.
#[tokio::test]
async fn planning_of_many_parts() {
    let parts = std::env::var("TREVNI_PARTS").ok().and_then(|parts| parts.parse().ok()).unwrap_or(500);
    let folder = Folder::new();
    let at = folder.join("t/");
    let session = commits();
    let row = "SELECT value AS n, 'text ' || value AS s, value * 0.5 AS f, value % 7 AS a, value % 11 AS b, \
        CAST(value AS TIMESTAMP) AS t, CAST(value AS VARCHAR) AS u, value % 2 = 0 AS c, value AS d, -value AS e";
    run(&session, &format!("COPY ({row} FROM generate_series(1, 100)) TO '{at}part-00000.trv'"))
        .await
        .unwrap();
    let bytes = std::fs::read(format!("{at}part-00000.trv")).unwrap();
    for number in 1..parts {
        std::fs::write(format!("{at}part-{number:05}.trv"), &bytes).unwrap();
    }
    let start = Instant::now();
    run(&session, &format!("CREATE EXTERNAL TABLE t STORED AS TREVNI LOCATION '{at}'")).await.unwrap();
    println!("{parts} parts: CREATE EXTERNAL TABLE without a snapshot {:?}", start.elapsed());
    let start = Instant::now();
    run(&session, "DELETE FROM t WHERE n < 0").await.unwrap();
    println!("the first snapshot {:?}", start.elapsed());
    let other = commits();
    for what in ["at first", "again"] {
        let start = Instant::now();
        let create = format!("CREATE EXTERNAL TABLE IF NOT EXISTS t STORED AS TREVNI LOCATION '{at}'");
        run(&other, &create).await.unwrap();
        println!("{what}: CREATE EXTERNAL TABLE {:?}", start.elapsed());
        for sql in [
            "SELECT count(*), min(n) FROM t",
            "SELECT sum(f) FROM t WHERE n = 50",
            "SELECT sum(f) FROM t WHERE n > 100",
        ] {
            let start = Instant::now();
            let plan = other.sql(sql).await.unwrap().create_physical_plan().await.unwrap();
            println!("{what}: {sql} is planned in {:?}", start.elapsed());
            drop(plan);
        }
    }
    assert_eq!(cells(&other, "SELECT count(*), min(n) FROM t").await, [format!("{} 1", parts * 100)]);
}
