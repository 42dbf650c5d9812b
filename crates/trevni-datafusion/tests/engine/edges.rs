//! Truth at the edges: nulls in paths, names with signs of patterns, no rows, no bytes.

use crate::support::{Folder, cells, error, run, session, session_of};
use datafusion::prelude::{SessionConfig, SessionContext};
use trevni::Dataset;
use trevni::dataset::WriteId;

fn sessions() -> [SessionContext; 2] {
    [session(), session_of(trevni_datafusion::with_commits(SessionConfig::new().with_target_partitions(3)))]
}

#[tokio::test]
async fn a_null_is_a_null_in_paths_too() {
    for session in sessions() {
        let folder = Folder::new();
        let at = folder.join("t/");
        let values = "SELECT * FROM (VALUES (1, 'a'), (2, NULL), (3, 'b'), (4, NULL), (5, '')) v(n, p)";
        run(&session, &format!("COPY ({values}) TO '{at}' STORED AS TREVNI PARTITIONED BY (p)"))
            .await
            .unwrap();
        let is_there = |name: &str| folder.files().iter().any(|file| file.contains(name));
        assert!(is_there("p=__HIVE_DEFAULT_PARTITION__/") && is_there("p=a/") && is_there("p=/"));
        let read = |sql: &str| {
            let (session, sql) = (session.clone(), format!("{sql} FROM '{at}'"));
            async move { cells(&session, &sql).await }
        };
        assert_eq!(read("SELECT count(*), count(p), sum(n)").await, ["5 3 15"]);
        for (condition, expected) in [
            ("p IS NULL", "2,4"),
            ("p IS NOT NULL", "1,3,5"),
            ("p = 'a'", "1"),
            ("p <> 'a'", "3,5"),
            ("NOT (p = 'a') OR p IS NULL", "2,3,4,5"),
            ("coalesce(p, 'none') = 'none' AND n > 2", "4"),
            ("p = '__HIVE_DEFAULT_PARTITION__'", ""),
            ("p IS NOT DISTINCT FROM NULL", "2,4"),
        ] {
            let sql = format!(
                "SELECT coalesce(string_agg(CAST(n AS VARCHAR), ',' ORDER BY n), '') FROM '{at}' WHERE {condition}"
            );
            assert_eq!(cells(&session, &sql).await, [expected], "{condition}");
        }
        let grouped = format!("SELECT coalesce(p, 'null') AS q, count(*) FROM '{at}' GROUP BY 1 ORDER BY 1");
        assert_eq!(cells(&session, &grouped).await, [" 1", "a 1", "b 1", "null 2"]);
        // As the library reads them.
        let dataset = Dataset::open(folder.join("t")).unwrap();
        assert_eq!(dataset.row_count(), 5);
    }
}

#[tokio::test]
async fn nulls_in_paths_have_the_types_that_statements_declare() {
    for session in sessions() {
        let folder = Folder::new();
        let at = folder.join("t/");
        let create = format!(
            "CREATE EXTERNAL TABLE t (n BIGINT, p BIGINT, day DATE) STORED AS TREVNI PARTITIONED BY (p, day) LOCATION '{at}'"
        );
        run(&session, &create).await.unwrap();
        let insert = "INSERT INTO t VALUES (1, 10, '2024-02-29'), (2, NULL, '2024-02-29'), (3, 30, NULL), (4, NULL, NULL)";
        run(&session, insert).await.unwrap();
        assert_eq!(
            cells(&session, "SELECT n, p, day FROM t ORDER BY n").await,
            ["1 10 2024-02-29", "2  2024-02-29", "3 30 ", "4  "]
        );
        assert_eq!(cells(&session, "SELECT sum(n), sum(p) FROM t WHERE day IS NULL").await, ["7 30"]);
        assert_eq!(cells(&session, "SELECT sum(n) FROM t WHERE p IS NULL OR p > 20").await, ["9"]);
        assert_eq!(cells(&session, "SELECT min(p), max(day), count(p) FROM t").await, ["10 2024-02-29 2"]);
        assert_eq!(cells(&session, "SELECT n FROM t WHERE p IS NULL LIMIT 1").await.len(), 1);
    }
}

#[tokio::test]
async fn a_file_has_the_name_that_copy_says() {
    let (session, folder) = (session(), Folder::new());
    for name in ["report [final].trv", "what?.trv", "all*.trv"] {
        let at = folder.join(name);
        run(&session, &format!("COPY (SELECT 7 AS a) TO '{at}'")).await.unwrap();
        assert_eq!(folder.files(), [name]);
        assert_eq!(cells(&session, &format!("SELECT a FROM '{at}'")).await, ["7"], "{name}");
        std::fs::remove_file(at).unwrap();
    }
    let at = folder.join("parts [1]/");
    run(&session, &format!("COPY (SELECT 7 AS a) TO '{at}' STORED AS TREVNI")).await.unwrap();
    assert!(folder.files().iter().all(|name| name.starts_with("parts [1]/")), "{:?}", folder.files());
}

#[tokio::test]
async fn no_rows_are_written_with_their_columns() {
    for session in sessions() {
        let folder = Folder::new();
        for (name, how) in [("plain/", ""), ("parted/", "PARTITIONED BY (b)")] {
            let at = folder.join(name);
            let rows = "SELECT 1 AS a, 'x' AS b WHERE 1 > 2";
            run(&session, &format!("COPY ({rows}) TO '{at}' STORED AS TREVNI {how}")).await.unwrap();
            assert_eq!(cells(&session, &format!("SELECT count(*) FROM '{at}'")).await, ["0"], "{name}");
            assert!(cells(&session, &format!("SELECT a, b FROM '{at}'")).await.is_empty(), "{name}");
            let table = Dataset::open(at.trim_end_matches('/')).unwrap();
            assert_eq!(table.row_count(), 0);
        }
        // To a table, no rows add nothing.
        let at = folder.join("table/");
        run(&session, &format!("COPY (SELECT 1 AS a) TO '{at}' STORED AS TREVNI")).await.unwrap();
        let before = folder.files().iter().filter(|name| name.ends_with(".trv")).count();
        run(&session, &format!("CREATE EXTERNAL TABLE t STORED AS TREVNI LOCATION '{at}'")).await.unwrap();
        run(&session, "INSERT INTO t SELECT 1 WHERE 1 > 2").await.unwrap();
        assert_eq!(folder.files().iter().filter(|name| name.ends_with(".trv")).count(), before);
    }
}

#[tokio::test]
async fn files_without_bytes_are_errors() {
    let (session, folder) = (session(), Folder::new());
    for name in ["t/a.trv", "t/b.trv"] {
        run(&session, &format!("COPY (SELECT 1 AS a) TO '{}'", folder.join(name))).await.unwrap();
    }
    std::fs::write(folder.join("t/b.trv"), "").unwrap();
    for place in ["t/", "t/*.trv", "t/b.trv"] {
        let found = error(&session, &format!("SELECT * FROM '{}'", folder.join(place))).await;
        assert!(found.contains("b.trv") && found.contains("no bytes"), "{place}: {found}");
    }
    assert_eq!(cells(&session, &format!("SELECT * FROM '{}'", folder.join("t/a*.trv"))).await, ["1"]);
}

#[tokio::test]
async fn a_write_that_has_an_identity_counts_once() {
    let [_, session] = sessions();
    let folder = Folder::new();
    let at = folder.join("t/");
    run(&session, &format!("CREATE EXTERNAL TABLE t (n BIGINT) STORED AS TREVNI LOCATION '{at}'"))
        .await
        .unwrap();
    let insert = "INSERT INTO t SELECT value FROM generate_series(1, 1000)";
    run(&session, &format!("SET trevni.write = '{}'", WriteId::new())).await.unwrap();
    for _ in 0..2 {
        assert_eq!(cells(&session, insert).await, ["1000"]);
        assert_eq!(cells(&session, "SELECT count(*), sum(n) FROM t").await, ["1000 500500"]);
    }
    run(&session, "SET trevni.write = ''").await.unwrap();
    assert_eq!(cells(&session, insert).await, ["1000"]);
    assert_eq!(cells(&session, "SELECT count(*) FROM t").await, ["2000"]);
    run(&session, "SET trevni.write = 'mine'").await.unwrap();
    let found = error(&session, insert).await;
    assert!(found.contains("trevni.write") && found.contains("\"mine\""), "{found}");
}

#[tokio::test]
async fn a_write_that_is_given_up_never_counts() {
    let [_, session] = sessions();
    let folder = Folder::new();
    let at = folder.join("t/");
    run(&session, &format!("CREATE EXTERNAL TABLE t (n BIGINT) STORED AS TREVNI LOCATION '{at}'"))
        .await
        .unwrap();
    let write = WriteId::new();
    run(&session, &format!("SET trevni.write = '{write}'")).await.unwrap();
    let place = trevni_datafusion::place_of_copy(&at).unwrap();
    let store = session.runtime_env().object_store(&place).unwrap();
    let manifest = || trevni_datafusion::committed(&store, place.prefix(), &write);
    assert_eq!(manifest().await.unwrap(), None);
    let given_up = trevni_datafusion::give_up(&store, place.prefix(), &write).await.unwrap();
    assert_eq!(given_up.row_count(), None);
    let found = error(&session, "INSERT INTO t VALUES (1)").await;
    assert!(found.contains("given up"), "{found}");
    // And one that is committed is not given up.
    let write = WriteId::new();
    run(&session, &format!("SET trevni.write = '{write}'")).await.unwrap();
    run(&session, "INSERT INTO t VALUES (1), (2)").await.unwrap();
    let kept = trevni_datafusion::give_up(&store, place.prefix(), &write).await.unwrap();
    assert_eq!(kept.row_count(), Some(2));
    assert_eq!(cells(&session, "SELECT count(*) FROM t").await, ["2"]);
}
