//! Object stores: how many requests a query takes, stores of several kinds, files that are written whole or not at all.

pub(crate) mod counting;
mod http;
mod s3;

use crate::support::{Folder, Ran, cells, error, run, session_of};
use counting::Counting;
use datafusion::execution::memory_pool::{MemoryPool, PeakRecordingPool, UnboundedMemoryPool};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::{ObjectStoreExt, PutPayload};
use serde::Serialize;
use std::sync::Arc;
use trevni::formats::{RedElm, Trevni};
use trevni::{Dialect, Writer};
use url::Url;

#[derive(Serialize)]
struct Row {
    id: i64,
    noise: [u64; 4],
    text: String,
    last: i32,
}

/// Rows that do not compress well.
fn rows(count: i64) -> impl Iterator<Item = Row> {
    let noise = |id: i64| {
        (id as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xd6e8_feb8_6659_fd93)
    };
    (0..count).map(move |id| {
        let noise = [id, id + 1, id + 2, id + 3].map(noise);
        Row { id, noise, text: format!("{:x}", noise[0]), last: (id % 1000) as i32 }
    })
}

fn file(count: i64, options: trevni::WriterBuilder) -> Vec<u8> {
    let mut writer = options.build(Vec::new()).unwrap();
    writer.write_all(rows(count)).unwrap();
    writer.finish().unwrap()
}

/// A session with a store of one object, whose requests are counted.
async fn remote(bytes: Vec<u8>, config: SessionConfig) -> (SessionContext, Arc<Counting>) {
    let store = Arc::new(Counting::new(Arc::new(InMemory::new())));
    store.put(&"rows.trv".into(), PutPayload::from(bytes)).await.unwrap();
    let session = session_of(config.with_target_partitions(2));
    session.register_object_store(&Url::parse("mem://store").unwrap(), Arc::clone(&store) as _);
    (session, store)
}

const FROM: &str = "'mem://store/rows.trv'";

#[tokio::test]
async fn opening_takes_two_requests_and_a_projection_one_for_each_run_of_columns() {
    let bytes = file(100_000, Writer::builder());
    assert!(bytes.len() > 2 << 20, "{}", bytes.len());
    let mut config = SessionConfig::new();
    config.options_mut().execution.collect_statistics = false;
    let (session, store) = remote(bytes, config).await;
    // The header is fetched while the query is planned, and kept.
    let plan = session.sql(&format!("SELECT id, last FROM {FROM}")).await.unwrap();
    let opened = store.take().len();
    assert!((1..=2).contains(&opened), "{opened}");
    assert_eq!(plan.count().await.unwrap(), 100_000);
    store.take();
    for (columns, runs) in [("id", 1), ("id, last", 2), ("noise, text, last", 1), ("*", 1)] {
        let ran = Ran::new(&session, &format!("SELECT {columns} FROM {FROM}")).await;
        assert_eq!(ran.rows, 100_000);
        let taken = store.take();
        assert!(taken.len() <= 1 + runs, "{columns}: {taken:?}");
        assert_eq!(ran.count("requests"), taken.len());
        assert_eq!(
            ran.count("bytes_scanned") as u64,
            taken.iter().map(|range| range.end - range.start).sum::<u64>()
        );
    }
}

#[tokio::test]
async fn statistics_take_one_request_for_each_run_of_tables() {
    let (session, store) = remote(file(100_000, Writer::builder()), SessionConfig::new()).await;
    assert_eq!(
        cells(&session, &format!("SELECT count(*), min(id), max(id) FROM {FROM}")).await,
        ["100000 0 99999"]
    );
    let taken = store.take();
    let bytes: u64 = taken.iter().map(|range| range.end - range.start).sum();
    assert!(taken.len() <= 3 && bytes < 150_000, "{taken:?}");
}

#[tokio::test]
async fn planning_takes_two_requests_a_file_and_none_the_next_time() {
    let (session, store) = remote(Vec::new(), SessionConfig::new()).await;
    let columns: Vec<String> = (0..100).map(|at| format!("value * {} % 1013 AS c{at}", at * 7 + 3)).collect();
    for file in 0..3 {
        let rows = format!(
            "SELECT value AS id, {} FROM generate_series({file}0001, {file}9999)",
            columns.join(", ")
        );
        run(&session, &format!("COPY ({rows}) TO 'mem://store/wide/{file}.trv'")).await.unwrap();
    }
    store.take();
    let planned = |sql: &'static str| {
        let session = session.clone();
        async move { session.sql(sql).await.unwrap().create_physical_plan().await.unwrap() }
    };
    planned("SELECT c3, c97 FROM 'mem://store/wide/' WHERE c50 > 10").await;
    let taken = store.take();
    assert!((3..=6).contains(&taken.len()), "{taken:?}");
    for sql in [
        "SELECT c3, c97 FROM 'mem://store/wide/' WHERE c50 > 10",
        "SELECT count(c50) FROM 'mem://store/wide/'",
    ] {
        planned(sql).await;
        assert_eq!(store.take(), [], "{sql}");
    }
    // Of other columns, one request for each file; of all, too.
    for sql in
        ["SELECT max(c77) FROM 'mem://store/wide/'", "SELECT * FROM 'mem://store/wide/' WHERE id < 20001"]
    {
        planned(sql).await;
        let taken = store.take();
        assert!(taken.len() <= 3, "{sql}: {taken:?}");
    }
    // They are right, and exclude files.
    assert_eq!(cells(&session, "SELECT max(c77), min(id) FROM 'mem://store/wide/'").await, ["1012 1"]);
    let ran = Ran::new(&session, "SELECT c1 FROM 'mem://store/wide/' WHERE id BETWEEN 15001 AND 15003").await;
    assert_eq!((ran.rows, ran.count("files_pruned")), (3, 2));
}

#[tokio::test]
async fn readers_tell_the_pool_what_they_hold() {
    let bytes = file(300_000, Writer::builder());
    let pool = Arc::new(PeakRecordingPool::new(Arc::new(UnboundedMemoryPool::default())));
    let runtime = RuntimeEnvBuilder::new().with_memory_pool(pool.clone()).build_arc().unwrap();
    let session = SessionContext::new_with_config_rt(SessionConfig::new().with_target_partitions(1), runtime);
    trevni_datafusion::register(&session).unwrap();
    let (store, folder) = (InMemory::new(), Folder::new());
    std::fs::write(folder.join("rows.trv"), &bytes).unwrap();
    store.put(&"rows.trv".into(), PutPayload::from(bytes)).await.unwrap();
    session.register_object_store(&Url::parse("mem://store").unwrap(), Arc::new(store));
    // A file in a store: what is fetched of it, too, which is less than all of it.
    let mut peaks = Vec::new();
    for from in [format!("'{}'", folder.join("rows.trv")), FROM.to_owned()] {
        let before = pool.peak_reserved();
        assert_eq!(run(&session, &format!("SELECT * FROM {from}")).await.unwrap().len(), 37);
        assert_eq!(pool.reserved(), 0);
        peaks.push(pool.peak_reserved());
        assert!(pool.peak_reserved() > before);
    }
    assert!((1 << 20..3 << 20).contains(&peaks[0]), "{peaks:?}");
    assert!((8 << 20..24 << 20).contains(&peaks[1]), "{peaks:?}");
}

#[tokio::test]
async fn filters_fetch_the_blocks_that_may_match() {
    let bytes = file(300_000, Writer::builder().block_size(16 << 10));
    let len = bytes.len() as u64;
    let (session, store) = remote(bytes, SessionConfig::new()).await;
    let sql = format!("SELECT text, last FROM {FROM} WHERE id BETWEEN 150000 AND 150010");
    assert_eq!(cells(&session, &sql).await.len(), 11);
    let taken = store.take();
    let fetched: u64 = taken.iter().map(|range| range.end - range.start).sum();
    assert!(fetched * 20 < len, "{fetched} of {len}: {taken:?}");
    assert!(taken.len() <= 12, "{taken:?}");
}

#[tokio::test]
async fn large_files_are_fetched_window_by_window() {
    let bytes = file(700_000, Writer::builder().codec(trevni::Codec::Null));
    let len = bytes.len() as u64;
    assert!(len > 24 << 20, "{len}");
    let (session, store) = remote(bytes, SessionConfig::new()).await;
    let sum: i64 = (0..700_000).map(|id| id % 1000).sum();
    let sql =
        format!("SELECT count(text), sum(last), count(noise) FROM {FROM} WHERE last >= 0 OR id % 2 = 0");
    assert_eq!(cells(&session, &sql).await, [format!("700000 {sum} 700000")]);
    let taken = store.take();
    let fetched: u64 = taken.iter().map(|range| range.end - range.start).sum();
    assert!(taken.iter().all(|range| range.end - range.start < 16 << 20), "{taken:?}");
    assert!(fetched < len + len / 10, "{fetched} of {len}");
}

#[tokio::test]
async fn other_formats_of_the_family_are_fetched_as_they_are_asked_for() {
    for dialect in [Dialect::Levels, Dialect::RedElm] {
        let (session, _) =
            remote(file(20_000, Writer::builder().dialect(dialect)), SessionConfig::new()).await;
        let sql = format!("SELECT count(*), sum(last) FROM {FROM} WHERE id >= 19000");
        assert_eq!(cells(&session, &sql).await, [format!("1000 {}", 999 * 500)], "{dialect:?}");
    }
}

#[derive(Serialize)]
struct Nested {
    id: i64,
    few: Option<bool>,
    lines: Vec<Line>,
    noise: Vec<u64>,
}

#[derive(Serialize)]
struct Line {
    word: String,
    counts: Vec<u16>,
}

#[tokio::test]
async fn rows_within_lists_are_fetched_before_they_are_decoded() {
    let rows = (0..30_000i64).map(|id| {
        let line =
            |at| Line { word: format!("word {}", (id + at) % 7), counts: vec![at as u16; id as usize % 3] };
        let noise = (0..id as u64 % 4).map(|at| (id as u64 + at).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let few = (id % 5000 == 0).then_some(id % 10_000 == 0);
        Nested { id, few, lines: (0..id % 4).map(line).collect(), noise: noise.collect() }
    });
    let rows: Vec<Nested> = rows.collect();
    let formats = [
        Writer::builder(),
        Writer::builder().block_size(700),
        Writer::builder().format(Trevni::new().compact()),
        Writer::builder().format(Trevni::new().compact()).block_size(3000),
        Writer::builder().dialect(Dialect::Levels).block_size(2000),
        Writer::builder().format(RedElm::new().row_group_size(100_000)),
    ];
    let sum: u64 =
        rows[20_011..20_014].iter().flat_map(|row| &row.lines).map(|line| line.counts.len() as u64).sum();
    for (number, builder) in formats.into_iter().enumerate() {
        let mut writer = builder.build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        let (session, _) = remote(writer.finish().unwrap(), SessionConfig::new()).await;
        let counted = |sql: &'static str| cells(&session, sql);
        assert_eq!(counted("SELECT count(few) FROM 'mem://store/rows.trv'").await, ["6"], "{number}");
        assert_eq!(
            counted("SELECT count(lines), sum(cardinality(noise)) FROM 'mem://store/rows.trv'").await,
            ["30000 45000"],
            "{number}"
        );
        assert_eq!(
            counted("SELECT id, lines FROM 'mem://store/rows.trv' WHERE few").await.len(),
            3,
            "{number}"
        );
        let some = "SELECT sum(cardinality(line['counts'])) FROM (SELECT unnest(lines) AS line \
                    FROM 'mem://store/rows.trv' WHERE id BETWEEN 20011 AND 20013)";
        assert_eq!(counted(some).await, [sum.to_string()], "{number}");
        let last = counted("SELECT id, noise FROM 'mem://store/rows.trv' WHERE id > 29997 OR id = 777").await;
        assert_eq!(last.len(), 3, "{number}");
    }
}

#[tokio::test]
async fn failing_stores_are_errors_and_leave_nothing_behind() {
    let (session, store) = remote(file(200_000, Writer::builder()), SessionConfig::new()).await;
    session.sql(&format!("SELECT * FROM {FROM}")).await.unwrap();
    store.fail_after(0);
    let found = error(&session, &format!("SELECT noise FROM {FROM}")).await;
    assert!(found.contains("the line is down"), "{found}");
    store.fail_after(usize::MAX);
    assert_eq!(cells(&session, &format!("SELECT count(noise) FROM {FROM}")).await, ["200000"]);
    // A query that fails while its rows are written.
    let failing = "COPY (SELECT 1 / (value - 90000) AS v FROM generate_series(1, 100000)) TO 'mem://store/failed.trv' STORED AS TREVNI";
    let found = error(&session, failing).await;
    assert!(found.contains("zero"), "{found}");
    assert!(store.head(&"failed.trv".into()).await.is_err());
    // An object that is replaced between planning and reading.
    let plan = session
        .sql(&format!("SELECT sum(last) FROM {FROM}"))
        .await
        .unwrap()
        .create_physical_plan()
        .await
        .unwrap();
    store.put(&"rows.trv".into(), PutPayload::from(file(10, Writer::builder()))).await.unwrap();
    let replaced = datafusion::physical_plan::collect(plan, session.task_ctx()).await;
    assert!(replaced.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_objects_are_errors_or_rows() {
    let whole = file(300, Writer::builder().block_size(1000));
    let (mut rows, mut errors) = (0, 0);
    for number in 0..120_usize {
        let mut bytes = whole.clone();
        // The header is where most of it matters.
        let at = if number % 2 == 0 { number * 13 % 1500 } else { number * 7919 % bytes.len() };
        match number % 5 {
            0 => bytes.truncate(at),
            1 => bytes[at] = 0xff,
            _ => bytes[at] ^= 1 << (number % 8),
        }
        let (session, _) = remote(bytes, SessionConfig::new()).await;
        for sql in ["SELECT count(*), max(id), sum(last), max(text) FROM", "SELECT sum(noise['_1']) FROM"] {
            match run(&session, &format!("{sql} {FROM} WHERE last < 250 OR text = 'x'")).await {
                Ok(_) => rows += 1,
                Err(_) => errors += 1,
            }
        }
        let _ = run(&session, &format!("SELECT count(*) FROM {FROM}")).await;
    }
    assert!(rows > 5 && errors > 100, "{rows} with rows, {errors} with errors");
}

/// Writes a table, partitioned and not, and reads it back.
pub(crate) async fn round_trip(session: &SessionContext, base: &str) {
    let rows =
        "SELECT value AS id, 'text ' || value AS text, value % 2 AS half FROM generate_series(1, 50000)";
    run(
        session,
        &format!("COPY ({rows}) TO '{base}one.trv' STORED AS TREVNI OPTIONS ('format.codec' 'null')"),
    )
    .await
    .unwrap();
    assert_eq!(
        cells(session, &format!("SELECT count(*), sum(id), max(text) FROM '{base}one.trv'")).await,
        ["50000 1250025000 text 9999"]
    );
    run(session, &format!("CREATE EXTERNAL TABLE parts (id BIGINT, text VARCHAR, half BIGINT) STORED AS TREVNI PARTITIONED BY (half) LOCATION '{base}parts/'"))
        .await
        .unwrap();
    run(session, &format!("INSERT INTO parts {rows}")).await.unwrap();
    run(session, "INSERT INTO parts VALUES (-1, 'more', 1)").await.unwrap();
    let found = cells(session, "SELECT half, count(*), sum(id) FROM parts GROUP BY half ORDER BY half").await;
    assert_eq!(found, ["0 25000 625025000", "1 25001 624999999"]);
    assert_eq!(cells(session, "SELECT text FROM parts WHERE id = 777 AND half = 1").await, ["text 777"]);
}

#[tokio::test]
async fn tables_in_memory_and_in_folders() {
    let (session, _) = remote(Vec::new(), SessionConfig::new()).await;
    round_trip(&session, "mem://store/written/").await;
    let folder = Folder::new();
    let session = crate::support::session();
    round_trip(&session, &folder.join("local/")).await;
    assert!(folder.files().iter().all(|name| name.ends_with(".trv")), "{:?}", folder.files());
    // A store of local files under another name.
    let store = LocalFileSystem::new_with_prefix(folder.path()).unwrap();
    session.register_object_store(&Url::parse("files://here").unwrap(), Arc::new(store));
    assert_eq!(cells(&session, "SELECT count(*) FROM 'files://here/local/one.trv'").await, ["50000"]);
}

/// Whatever number of objects the store takes before it refuses one: an error, and no rows that count.
#[tokio::test]
async fn what_a_store_refuses_in_the_end_does_not_count() {
    let config = trevni_datafusion::with_commits(SessionConfig::new().with_target_partitions(4));
    let (session, store) = remote(Vec::new(), config).await;
    run(&session, "CREATE TABLE few AS SELECT value AS n, value % 3 AS g FROM generate_series(1, 9000)")
        .await
        .unwrap();
    let many = "SELECT value AS n, random() AS a, random() AS b FROM generate_series(1, 400000)";
    run(&session, &format!("CREATE TABLE many AS {many}")).await.unwrap();
    for (table, to) in [
        ("few", "mem://store/NAME.trv' STORED AS TREVNI"),
        ("few", "mem://store/NAME/' STORED AS TREVNI PARTITIONED BY (g)"),
        ("many", "mem://store/NAME/' STORED AS TREVNI OPTIONS ('format.codec' 'null')"),
    ] {
        for objects in 0..20 {
            let name = format!("{table}-{objects}-{}", to.len());
            store.refuse_after(objects);
            let written = run(&session, &format!("COPY {table} TO '{}", to.replace("NAME", &name))).await;
            store.refuse_after(usize::MAX);
            let place = to.replace("NAME", &name);
            let count = format!("SELECT count(*) FROM '{}'", place.split_once('\'').unwrap().0);
            match written {
                Ok(_) => {
                    let rows = if table == "few" { "9000" } else { "400000" };
                    assert_eq!(cells(&session, &count).await, [rows], "{name}");
                    assert!(objects > 0, "{name}");
                    break;
                }
                Err(error) => {
                    assert!(error.to_string().contains("the line is down"), "{name}: {error}");
                    assert!(objects < 19, "{name}: {error}");
                    let found = run(&session, &count).await.unwrap_err().to_string();
                    let why = if found.contains("not found") { "not found" } else { "not committed" };
                    assert!(found.contains(why), "{name}: {found}");
                }
            }
        }
    }
}

#[tokio::test]
async fn large_objects_are_written_in_parts() {
    let (session, store) = remote(Vec::new(), SessionConfig::new()).await;
    let rows = "SELECT random() AS a, random() AS b FROM generate_series(1, 1000000)";
    run(
        &session,
        &format!("COPY ({rows}) TO 'mem://store/large.trv' STORED AS TREVNI OPTIONS ('codec' 'null')"),
    )
    .await
    .unwrap();
    assert!(store.parts() > 1);
    assert_eq!(
        cells(&session, "SELECT count(*) FROM 'mem://store/large.trv' WHERE a < 2 AND b < 2").await,
        ["1000000"]
    );
}
