//! What is read, by the metrics of the scan.

use crate::support::{Folder, Ran, cells, run, session, session_of, write, write_with};
use datafusion::prelude::SessionConfig;
use serde::Serialize;
use serde_json::json;
use trevni::Writer;

#[derive(Serialize)]
struct Row {
    id: i64,
    text: String,
    half: Option<f64>,
    place: Place,
}

#[derive(Serialize)]
struct Place {
    x: i32,
    y: String,
}

const ROWS: i64 = 20_000;

fn row(id: i64) -> Row {
    let half = (id % 3 > 0).then_some(id as f64 / 2.0);
    Row {
        id,
        text: format!("text {id:>40}"),
        half,
        place: Place { x: (id % 100) as i32, y: format!("{id:>50}") },
    }
}

/// Three files with rows that follow each other, in small blocks.
fn files() -> (Folder, String) {
    let folder = Folder::new();
    for part in 0..3 {
        let options = Writer::builder().block_size(4096);
        let rows = (part * ROWS..(part + 1) * ROWS).map(row);
        write_with(options, folder.join(&format!("part-{part}.trv")), rows);
    }
    let from = folder.join("*.trv");
    (folder, from)
}

#[tokio::test]
async fn only_the_columns_asked_for_are_read() {
    let (folder, from) = files();
    let session = session();
    let all = Ran::new(&session, &format!("SELECT * FROM '{from}'")).await;
    assert_eq!((all.rows, all.count("columns_read")), (3 * ROWS as usize, 3 * 5));
    let id = Ran::new(&session, &format!("SELECT id + 1 FROM '{from}'")).await;
    assert_eq!((id.rows, id.count("columns_read")), (3 * ROWS as usize, 3));
    assert!(id.count("bytes_scanned") * 2 < all.count("bytes_scanned"));
    // A field of a struct, without the others.
    let x = Ran::new(&session, &format!("SELECT place['x'] FROM '{from}'")).await;
    assert_eq!((x.rows, x.count("columns_read")), (3 * ROWS as usize, 3), "{}", x.shown());
    assert!(x.count("bytes_scanned") * 2 < all.count("bytes_scanned"));
    let none = Ran::new(&session, &format!("SELECT 1 FROM '{from}'")).await;
    assert_eq!((none.rows, none.count("columns_read")), (3 * ROWS as usize, 0));
    drop(folder);
}

#[tokio::test]
async fn counts_and_bounds_need_no_scan() {
    let (_folder, from) = files();
    let session = session();
    let sql = format!("SELECT count(*), min(id), max(id), count(half) FROM '{from}'");
    let ran = Ran::new(&session, &sql).await;
    assert!(!ran.shown().contains("DataSourceExec"), "{}", ran.shown());
    let last = 3 * ROWS - 1;
    let halves = (0..3 * ROWS).filter(|id| id % 3 > 0).count();
    assert_eq!(cells(&session, &sql).await, [format!("{} 0 {last} {halves}", 3 * ROWS)]);
    // Bounds of long texts are cut, and zeros have signs: these are looked for.
    for sql in ["SELECT min(text) FROM", "SELECT max(text) FROM", "SELECT min(half) FROM"] {
        let ran = Ran::new(&session, &format!("{sql} '{from}' WHERE id >= 0 OR id < 0 OR id IS NULL")).await;
        assert_eq!(ran.rows, 1);
        let ran = Ran::new(&session, &format!("{sql} '{from}'")).await;
        assert_eq!(ran.shown().contains("DataSourceExec"), !sql.contains("half"), "{}", ran.shown());
    }
    assert_eq!(
        cells(&session, &format!("SELECT max(text) FROM '{from}'")).await,
        [format!("text {last:>40}")]
    );
}

#[tokio::test]
async fn filters_are_exact_where_the_reader_has_them_and_left_otherwise() {
    let (_folder, from) = files();
    let session = session();
    for (condition, rows, in_scan) in [
        ("id = 12345", 1, true),
        ("id BETWEEN 100 AND 199", 100, true),
        ("id IN (1, 20001, 40001, 99999999)", 3, true),
        ("id < 10 OR id >= 59990", 20, true),
        ("NOT (id < 59990)", 10, true),
        ("half IS NULL AND id < 9", 3, true),
        ("place['x'] = 7 AND id < 1000", 10, true),
        ("text LIKE 'text %' AND id < 5", 5, true),
        ("text = 'text                                    12345'", 1, true),
        ("id < 1000 AND half > 490.0", 12, false),
        ("id < 1000 AND id % 100 = 7", 10, false),
        ("id < 1000 AND length(text) = 45 AND text LIKE '%99'", 10, false),
        ("text LIKE '% 9%' AND id < 10", 1, true),
        ("text NOT LIKE '% 9%' AND id < 10", 9, true),
    ] {
        let ran = Ran::new(&session, &format!("SELECT * FROM '{from}' WHERE {condition}")).await;
        let shown = ran.shown();
        assert_eq!(ran.rows, rows, "{condition}: {shown}");
        assert_eq!(!shown.contains("FilterExec"), in_scan, "{condition}: {shown}");
        // Long texts with the same beginning have the same bounds.
        assert!(
            condition.starts_with("text") || ran.count("blocks_skipped") > 0 || ran.count("files_pruned") > 1,
            "{condition}: {shown}"
        );
    }
    let one = Ran::new(&session, &format!("SELECT * FROM '{from}' WHERE id = 12345")).await;
    assert_eq!(one.count("files_pruned"), 2);
    assert!(one.count("blocks_skipped") * 4 > one.count("blocks_total") * 3, "{}", one.shown());
    let all = Ran::new(&session, &format!("SELECT * FROM '{from}'")).await;
    assert!(one.count("bytes_scanned") * 5 < all.count("bytes_scanned"));
}

#[tokio::test]
async fn limits_stop_reading() {
    let (_folder, from) = files();
    let session = session_of(SessionConfig::new().with_target_partitions(1));
    let all = Ran::new(&session, &format!("SELECT * FROM '{from}'")).await;
    let ran = Ran::new(&session, &format!("SELECT * FROM '{from}' LIMIT 10")).await;
    assert_eq!(ran.rows, 10);
    assert!(ran.count("bytes_scanned") * 10 < all.count("bytes_scanned"), "{}", ran.shown());
    let ran = Ran::new(&session, &format!("SELECT * FROM '{from}' WHERE id >= 30000 LIMIT 10")).await;
    assert_eq!(ran.rows, 10);
}

#[tokio::test]
async fn dynamic_filters_skip_what_cannot_be_among_the_first() {
    let (_folder, from) = files();
    let session = session_of(SessionConfig::new().with_target_partitions(1).with_batch_size(1000));
    let top =
        Ran::new(&session, &format!("SELECT id, text FROM '{from}' ORDER BY place['x'] + id LIMIT 3")).await;
    assert_eq!(top.rows, 3);
    // Sorted by a column that ascends, downwards: later files exclude earlier ones only if these come after.
    let folder = Folder::new();
    for part in 0..5 {
        let rows =
            (0..ROWS).map(|id| json!({"n": (10 - part) * ROWS - id * 7 % ROWS, "s": format!("{id:>60}")}));
        write(folder.join(&format!("p{part}.trv")), rows);
    }
    let from = folder.join("*.trv");
    let top = Ran::new(&session, &format!("SELECT n, s FROM '{from}' ORDER BY n DESC LIMIT 3")).await;
    assert_eq!(top.rows, 3);
    assert!(top.count("files_pruned") >= 4, "{}", top.shown());
    // Of a join, the side that is scanned later learns what the other has.
    let session = crate::support::session();
    run(&session, "CREATE TABLE few AS VALUES (5), (17)").await.unwrap();
    let (_files, from) = files();
    let sql = format!("SELECT text FROM few JOIN '{from}' AS t ON few.column1 = t.id");
    let joined = Ran::new(&session, &sql).await;
    assert_eq!(joined.rows, 2);
    assert!(joined.count("files_pruned") >= 2 || joined.count("blocks_skipped") > 0, "{}", joined.shown());
}

#[tokio::test]
async fn the_order_of_rows_is_declared_where_it_is_proved() {
    let (folder, _) = files();
    let session = session_of(SessionConfig::new().with_target_partitions(1));
    let one = folder.join("part-1.trv");
    let sorted = Ran::new(&session, &format!("SELECT id FROM '{one}' ORDER BY id")).await;
    assert!(!sorted.shown().contains("SortExec"), "{}", sorted.shown());
    let unsorted = Ran::new(&session, &format!("SELECT place['x'] FROM '{one}' ORDER BY 1")).await;
    assert!(unsorted.shown().contains("SortExec"), "{}", unsorted.shown());
    // Files that overlap are not in order one after the other.
    std::fs::create_dir(folder.join("overlap")).unwrap();
    write(folder.join("overlap/a.trv"), [json!({"n": 1}), json!({"n": 5})]);
    write(folder.join("overlap/b.trv"), [json!({"n": 2}), json!({"n": 3})]);
    let from = folder.join("overlap/*.trv");
    assert_eq!(cells(&session, &format!("SELECT n FROM '{from}' ORDER BY n")).await, ["1", "2", "3", "5"]);
    let three = crate::support::session();
    assert_eq!(cells(&three, &format!("SELECT n FROM '{from}' ORDER BY n DESC")).await, ["5", "3", "2", "1"]);
}

#[tokio::test]
async fn ranges_of_a_file_are_read_once() {
    use datafusion::datasource::listing::FileRange;
    use datafusion::datasource::physical_plan::{FileGroup, FileScanConfig, FileScanConfigBuilder};
    use datafusion::datasource::source::DataSourceExec;
    let (folder, _) = files();
    let session = session();
    let sql = format!("SELECT id FROM '{}'", folder.join("part-0.trv"));
    let plan = session.sql(&sql).await.unwrap().create_physical_plan().await.unwrap();
    let scan = plan.downcast_ref::<DataSourceExec>().unwrap();
    let config = scan.data_source().downcast_ref::<FileScanConfig>().unwrap();
    let whole = config.file_groups[0].files()[0].clone();
    let size = whole.object_meta.size as i64;
    let part = |start, end| {
        let mut file = whole.clone();
        file.range = Some(FileRange { start, end });
        FileGroup::new(vec![file])
    };
    let groups = vec![part(0, size / 3), part(size / 3, size / 2), part(size / 2, size)];
    let config = FileScanConfigBuilder::from(config.clone()).with_file_groups(groups).build();
    let plan = DataSourceExec::from_data_source(config);
    let batches = datafusion::physical_plan::collect(plan, session.task_ctx()).await.unwrap();
    assert_eq!(batches.iter().map(|batch| batch.num_rows()).sum::<usize>(), ROWS as usize);
}

#[tokio::test]
async fn one_file_is_read_by_many_partitions() {
    let folder = Folder::new();
    let at = folder.join("one.trv");
    let mut config = SessionConfig::new().with_target_partitions(4);
    config.options_mut().optimizer.repartition_file_min_size = 1;
    let session = session_of(config);
    let rows =
        "SELECT value AS n, 'text ' || (value % 1000) AS s, value % 7 AS d FROM generate_series(1, 300000)";
    run(&session, &format!("COPY ({rows}) TO '{at}'")).await.unwrap();
    let ran =
        Ran::new(&session, &format!("SELECT d, count(*), sum(n) FROM '{at}' WHERE n % 3 = 0 GROUP BY d"))
            .await;
    assert!(ran.shown().contains("file_groups={4 groups:"), "{}", ran.shown());
    for (sql, expected) in [
        (
            "SELECT count(*), count(DISTINCT n), sum(n), min(n), max(n) FROM @",
            "300000 300000 45000150000 1 300000",
        ),
        ("SELECT count(s), max(s) FROM @", "300000 text 999"),
        ("SELECT count(*) FROM (SELECT n FROM @ WHERE n BETWEEN 70000 AND 230000)", "160001"),
        ("SELECT count(*) FROM (SELECT s FROM @ LIMIT 250000)", "250000"),
    ] {
        let sql = sql.replace('@', &format!("'{at}'"));
        assert_eq!(cells(&session, &sql).await, [expected], "{sql}");
    }
    // In order, where an order is asked for.
    let sorted = cells(&session, &format!("SELECT n FROM '{at}' WHERE n % 50000 = 0 ORDER BY n")).await;
    assert_eq!(sorted, ["50000", "100000", "150000", "200000", "250000", "300000"]);
}

#[tokio::test]
async fn sixteen_partitions_are_sixteen_groups() {
    let folder = Folder::new();
    let at = folder.join("one.trv");
    let mut config = SessionConfig::new().with_target_partitions(16);
    config.options_mut().optimizer.repartition_file_min_size = 1;
    let session = session_of(config);
    run(&session, &format!("COPY (SELECT value AS n FROM generate_series(1, 200000)) TO '{at}'"))
        .await
        .unwrap();
    for folder in [at.clone(), format!("{}/", folder.path().display())] {
        let ran = Ran::new(&session, &format!("SELECT n FROM '{folder}' WHERE n % 7 = 0")).await;
        assert!(ran.rows == 28571 && ran.shown().contains("file_groups={16 groups:"), "{}", ran.shown());
        let sum =
            cells(&session, &format!("SELECT count(*), sum(n), count(DISTINCT n) FROM '{folder}'")).await;
        assert_eq!(sum, ["200000 20000100000 200000"]);
    }
}

#[tokio::test]
async fn a_top_k_reads_the_files_with_the_first_rows_first() {
    let folder = Folder::new();
    let session = session_of(SessionConfig::new().with_target_partitions(1));
    for file in 0..8 {
        let (first, last) = (file * 1000, file * 1000 + 999);
        let rows = format!("SELECT value AS n, -value AS m FROM generate_series({first}, {last})");
        // Neither the first nor the last one by name has the least or the greatest rows.
        let name = folder.join(&format!("t/{}.trv", (file + 3) * 5 % 8));
        run(&session, &format!("COPY ({rows}) TO '{name}'")).await.unwrap();
    }
    let at = folder.join("t/");
    for (order, first) in
        [("n", "0"), ("n DESC", "7999"), ("m", "7999"), ("m DESC", "0"), ("n DESC NULLS LAST", "7999")]
    {
        let sql = format!("SELECT n FROM '{at}' ORDER BY {order} LIMIT 3");
        assert_eq!(cells(&session, &sql).await[0], first, "{order}");
        let ran = Ran::new(&session, &sql).await;
        // Of rows that ascend, the order of the files is left as it is, or turned around.
        let is_other = order.starts_with('n');
        assert!(ran.rows == 3 && (is_other || ran.count("files_pruned") >= 5), "{order}: {}", ran.shown());
    }
}
