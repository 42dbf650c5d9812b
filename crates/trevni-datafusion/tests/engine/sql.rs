//! Statements: paths as tables, external tables, writing, partitions, files that differ.

use crate::support::{Folder, cells, error, run, session, session_of, table, write};
use datafusion::prelude::SessionConfig;
use serde::Serialize;
use serde_json::json;

#[derive(Serialize)]
struct Flight {
    carrier: &'static str,
    distance: f32,
    delay: Option<i32>,
}

fn flights() -> [Flight; 4] {
    let flight = |carrier, distance, delay| Flight { carrier, distance, delay };
    [
        flight("AA", 1089.0, Some(2)),
        flight("UA", 2475.0, None),
        flight("B6", 944.0, Some(-5)),
        flight("AA", 733.0, Some(61)),
    ]
}

#[tokio::test]
async fn paths_are_tables() {
    let folder = Folder::new();
    write(folder.join("a.trv"), flights());
    write(folder.join("b.trv"), flights());
    std::fs::write(folder.join("_MANIFEST.json"), "{}").unwrap();
    let session = session();
    for (path, rows) in [("a.trv", 4), ("*.trv", 8), ("", 8), ("[b-z].trv", 4)] {
        let from = folder.join(path);
        let from = if path.is_empty() { format!("{}/", folder.path().display()) } else { from };
        let counted = cells(&session, &format!("SELECT count(*), count(delay) FROM '{from}'")).await;
        assert_eq!(counted, [format!("{rows} {}", rows / 4 * 3)], "{path}");
    }
    let sql = format!(
        "SELECT carrier, sum(delay) FROM '{}' GROUP BY carrier ORDER BY carrier",
        folder.join("a.trv")
    );
    assert_eq!(cells(&session, &sql).await, ["AA 63", "B6 -5", "UA "]);
    // Other formats are found as before.
    std::fs::write(folder.join("c.csv"), "n\n1\n2\n").unwrap();
    assert_eq!(cells(&session, &format!("SELECT sum(n) FROM '{}'", folder.join("c.csv"))).await, ["3"]);
    let missing = error(&session, &format!("SELECT * FROM '{}'", folder.join("missing.trv"))).await;
    assert!(missing.contains("not found"), "{missing}");
}

#[tokio::test]
async fn damaged_files_are_errors_that_name_them() {
    let folder = Folder::new();
    let session = session();
    std::fs::write(folder.join("text.trv"), "no file of this kind").unwrap();
    let found = error(&session, &format!("SELECT * FROM '{}'", folder.join("text.trv"))).await;
    assert!(found.contains("text.trv"), "{found}");
    write(folder.join("cut.trv"), (0..100_000).map(|n| (n, n.to_string())));
    let bytes = std::fs::read(folder.join("cut.trv")).unwrap();
    std::fs::write(folder.join("cut.trv"), &bytes[..bytes.len() - 1000]).unwrap();
    let found =
        error(&session, &format!("SELECT max(\"_1\" || 'x') FROM '{}'", folder.join("cut.trv"))).await;
    assert!(found.contains("cut.trv"), "{found}");
}

#[tokio::test]
async fn external_tables_take_the_files_of_a_folder_with_declared_columns_or_without() {
    let folder = Folder::new();
    write(folder.join("a.trv"), flights());
    std::fs::write(folder.join("_MANIFEST.json"), "{}").unwrap();
    let session = session();
    let at = folder.path().display();
    run(&session, &format!("CREATE EXTERNAL TABLE found STORED AS TREVNI LOCATION '{at}/'")).await.unwrap();
    let declared = "carrier VARCHAR, distance DOUBLE, delay BIGINT, gate VARCHAR";
    run(&session, &format!("CREATE EXTERNAL TABLE declared ({declared}) STORED AS TREVNI LOCATION '{at}/'"))
        .await
        .unwrap();
    assert_eq!(
        cells(&session, "SELECT carrier FROM found WHERE delay > 1 ORDER BY distance").await,
        ["AA", "AA"]
    );
    assert_eq!(
        cells(
            &session,
            "SELECT carrier, distance, delay, gate FROM declared WHERE delay > 60 AND gate IS NULL"
        )
        .await,
        ["AA 733.0 61 "]
    );
    assert_eq!(cells(&session, "SELECT count(*) FROM declared WHERE gate = 'A1'").await, ["0"]);
    run(&session, "INSERT INTO declared VALUES ('DL', 1.5, 7, 'A1')").await.unwrap();
    assert_eq!(cells(&session, "SELECT carrier, distance FROM declared WHERE gate = 'A1'").await, ["DL 1.5"]);
    assert_eq!(cells(&session, "SELECT count(*) FROM declared").await, ["5"]);
    let wrong = error(
        &session,
        &format!(
            "CREATE EXTERNAL TABLE wrong STORED AS TREVNI LOCATION '{at}/' OPTIONS ('format.delimiter' ';')"
        ),
    )
    .await;
    assert!(wrong.contains("codec, level, block_size, alias and as_of"), "{wrong}");
}

#[tokio::test]
async fn copies_come_back_with_their_types() {
    let folder = Folder::new();
    let session = session();
    let rows = "SELECT arrow_cast(column1, 'Int8') AS i, column2 AS t, \
         arrow_cast(column3, 'Timestamp(Microsecond, Some(\"Europe/Paris\"))') AS w, \
         arrow_cast(column4, 'Decimal128(10, 2)') AS d, [column1, NULL] AS l, named_struct('a', column1, 'b', column2) AS s \
         FROM (VALUES (1, 'one', '2024-02-29T12:00:00Z', 1.25), (NULL, '', NULL, NULL), (-3, NULL, '1969-12-31T23:59:59.999999Z', -0.5))";
    let to = folder.join("copied.trv");
    run(&session, &format!("COPY ({rows}) TO '{to}' STORED AS TREVNI OPTIONS ('format.codec' 'zstandard')"))
        .await
        .unwrap();
    assert_eq!(table(&session, &format!("SELECT * FROM '{to}'")).await, table(&session, rows).await);
    let types = "SELECT arrow_typeof(i), arrow_typeof(w), arrow_typeof(d) FROM";
    assert_eq!(
        cells(&session, &format!("{types} '{to}' LIMIT 1")).await,
        cells(&session, &format!("{types} ({rows}) LIMIT 1")).await
    );
    let reader = trevni::Reader::open(&to).unwrap();
    assert_eq!(reader.columns()[0].codec_name(), "zstandard");
    // By the ending alone, and into a folder in parts.
    run(&session, &format!("COPY ({rows}) TO '{}'", folder.join("by_name.trv"))).await.unwrap();
    let parts = folder.join("parts/");
    run(
        &session,
        &format!("COPY (SELECT value FROM generate_series(1, 100000)) TO '{parts}' STORED AS TREVNI"),
    )
    .await
    .unwrap();
    assert_eq!(cells(&session, &format!("SELECT sum(value) FROM '{parts}'")).await, ["5000050000"]);
    let files = folder.files();
    assert!(files.contains(&"by_name.trv".to_owned()), "{files:?}");
    assert!(files.iter().filter(|name| name.starts_with("parts/") && name.ends_with(".trv")).count() >= 1);
    let twice =
        error(&session, &format!("COPY (SELECT 1 AS a, 2 AS a) TO '{}'", folder.join("twice.trv"))).await;
    assert!(!twice.is_empty() && !folder.files().contains(&"twice.trv".to_owned()));
}

#[tokio::test]
async fn partitions_are_columns() {
    let folder = Folder::new();
    let session = session();
    let at = format!("{}/", folder.path().display());
    let rows = "SELECT value AS n, value % 3 AS third, CASE WHEN value % 2 = 0 THEN 'even' ELSE 'odd' END AS parity \
                FROM generate_series(1, 600)";
    run(&session, &format!("COPY ({rows}) TO '{at}' STORED AS TREVNI PARTITIONED BY (parity, third)"))
        .await
        .unwrap();
    let files = folder.files();
    assert!(files.len() >= 6 && files.iter().all(|name| name.starts_with("parity=")), "{files:?}");
    run(
        &session,
        &format!("CREATE EXTERNAL TABLE t (n BIGINT, parity VARCHAR, third BIGINT) STORED AS TREVNI PARTITIONED BY (parity, third) LOCATION '{at}'"),
    )
    .await
    .unwrap();
    run(
        &session,
        &format!("CREATE EXTERNAL TABLE u STORED AS TREVNI PARTITIONED BY (parity, third) LOCATION '{at}'"),
    )
    .await
    .unwrap();
    for name in ["t", "u"] {
        let found = cells(
            &session,
            &format!("SELECT parity, third, count(*), min(n) FROM {name} GROUP BY 1, 2 ORDER BY 1, 2"),
        )
        .await;
        assert_eq!(
            found,
            ["even 0 100 6", "even 1 100 4", "even 2 100 2", "odd 0 100 3", "odd 1 100 1", "odd 2 100 5"]
        );
    }
    let mixed = "SELECT sum(n) FROM t WHERE parity = 'even' AND (third = 1 OR n < 3)";
    assert_eq!(
        cells(&session, mixed).await,
        [(((1..=600).filter(|n| n % 2 == 0 && (n % 3 == 1 || *n < 3))).sum::<i64>()).to_string()]
    );
    run(&session, "INSERT INTO t VALUES (-1, 'odd', 9)").await.unwrap();
    assert_eq!(cells(&session, "SELECT n, parity FROM t WHERE third = 9").await, ["-1 odd"]);
    // Paths alone tell the partitions, too.
    assert_eq!(cells(&session, &format!("SELECT count(*) FROM '{at}' WHERE parity = 'odd'")).await, ["301"]);
}

#[tokio::test]
async fn parts_may_differ() {
    let folder = Folder::new();
    let session = session();
    write(folder.join("a.trv"), [json!({"id": 1, "name": "one", "at": {"x": 1, "y": 2}})]);
    write(
        folder.join("b.trv"),
        [json!({"id": 5_000_000_000_i64, "at": {"y": 4, "z": "far"}, "tags": ["t"]})],
    );
    write(folder.join("c.trv"), [json!({"id": 2, "name": null, "at": null})]);
    let from = folder.join("*.trv");
    assert_eq!(
        cells(
            &session,
            &format!("SELECT id, name, at['x'], at['y'], at['z'], tags FROM '{from}' ORDER BY id")
        )
        .await,
        ["1 one 1 2  ", "2     ", "5000000000   4 far [t]"]
    );
    assert_eq!(
        cells(&session, &format!("SELECT id FROM '{from}' WHERE at['z'] = 'far'")).await,
        ["5000000000"]
    );
    assert_eq!(
        cells(&session, &format!("SELECT id FROM '{from}' WHERE at['y'] < 3 OR name IS NULL ORDER BY id"))
            .await,
        ["1", "2", "5000000000"]
    );
    assert_eq!(
        cells(&session, &format!("SELECT at FROM '{from}' WHERE id = 1")).await,
        ["{x: 1, y: 2, z: }"]
    );
    write(folder.join("d.trv"), [json!({"id": "text"})]);
    // A session lists a folder once.
    let found = error(&crate::support::session(), &format!("SELECT * FROM '{from}'")).await;
    assert!(found.contains("d.trv") && found.contains("field id"), "{found}");
}

#[tokio::test]
async fn renamed_columns_are_one_column() {
    let folder = Folder::new();
    write(folder.join("a.trv"), [json!({"user_name": "ada", "address": {"postcode": "1010"}})]);
    write(folder.join("b.trv"), [json!({"user": "ada", "address": {"zip": "8001"}})]);
    let session = session();
    let at = folder.path().display();
    let create = |table: &str, alias: &str| {
        format!("CREATE EXTERNAL TABLE {table} STORED AS TREVNI LOCATION '{at}/' OPTIONS (alias '{alias}')")
    };
    // A table without aliases first: what a session keeps of files must not be taken for one with aliases.
    run(&session, &format!("CREATE EXTERNAL TABLE plain STORED AS TREVNI LOCATION '{at}/'")).await.unwrap();
    assert_eq!(cells(&session, "SELECT count(\"user\") FROM plain").await, ["1"]);
    run(&session, &create("t", "user=user_name, address.zip=address.postcode")).await.unwrap();
    assert_eq!(
        cells(&session, "SELECT address['zip'] FROM t WHERE \"user\" = 'ada' ORDER BY 1").await,
        ["1010", "8001"]
    );
    assert_eq!(cells(&session, "SELECT count(*) FROM t WHERE \"user\" IS NULL").await, ["0"]);
    assert_eq!(cells(&session, "SELECT count(\"user\"), min(\"user\") FROM t").await, ["2 ada"]);
    assert_eq!(cells(&session, "SELECT count(\"user\") FROM plain").await, ["1"]);
    let lost = error(&session, &create("u", "address.street=address.road")).await;
    assert!(lost.contains("no file has \"address.street\" or \"address.road\""), "{lost}");
    let wrong = error(&session, &create("u", "user")).await;
    assert!(wrong.contains("user=user_name"), "{wrong}");
}

#[derive(Serialize)]
struct Stop {
    id: i32,
    place: Option<Place>,
}

#[derive(Serialize)]
struct Place {
    gate: i32,
    deep: Deep,
}

#[derive(Serialize)]
struct Deep {
    n: i64,
}

#[tokio::test]
async fn fields_of_records_that_are_null_are_null() {
    let folder = Folder::new();
    let session = session();
    let stop =
        |id| Stop { id, place: (id % 2 == 0).then_some(Place { gate: 0, deep: Deep { n: id.into() } }) };
    write(folder.join("stops.trv"), (0..10).map(stop));
    let from = folder.join("stops.trv");
    let count = |condition: &str| format!("SELECT count(*) FROM '{from}' WHERE {condition}");
    for (condition, rows) in [
        ("place['gate'] = 0", "5"),
        ("place['gate'] IS NULL", "5"),
        ("place['gate'] + 0 = 0", "5"),
        ("NOT (place['gate'] > 0)", "5"),
        ("place['deep']['n'] >= 4", "3"),
        ("abs(place['deep']['n']) < 3", "2"),
        ("place IS NULL AND id > 4", "3"),
    ] {
        assert_eq!(cells(&session, &count(condition)).await, [rows], "{condition}");
    }
    let sql = format!("SELECT id, place['deep']['n'] FROM '{from}' ORDER BY id LIMIT 3");
    assert_eq!(cells(&session, &sql).await, ["0 0", "1 ", "2 2"]);
}

#[tokio::test]
async fn files_of_the_whole_family_and_odd_rows() {
    let folder = Folder::new();
    let session = session();
    for (name, dialect) in [("levels", trevni::Dialect::Levels), ("redelm", trevni::Dialect::RedElm)] {
        let path = folder.join(&format!("{name}.trv"));
        crate::support::write_with(trevni::Writer::builder().dialect(dialect), &path, flights());
        assert_eq!(
            cells(
                &session,
                &format!("SELECT carrier, delay FROM '{path}' WHERE distance < 1000 ORDER BY delay")
            )
            .await,
            ["B6 -5", "AA 61"]
        );
        assert_eq!(cells(&session, &format!("SELECT count(*), min(delay) FROM '{path}'")).await, ["4 -5"]);
    }
    // Rows that are no records, none at all, and names that need quotes.
    write(folder.join("numbers.trv"), 0..10);
    assert_eq!(
        cells(
            &session,
            &format!("SELECT sum(value), count(*) FROM '{}' WHERE value > 3", folder.join("numbers.trv"))
        )
        .await,
        ["39 6"]
    );
    write(folder.join("none.trv"), flights().into_iter().take(0));
    assert_eq!(cells(&session, &format!("SELECT count(*) FROM '{}'", folder.join("none.trv"))).await, ["0"]);
    write(
        folder.join("names.trv"),
        [json!({"a.b": 1, "a": {"b": 2}, "": 3, "ü ": 4}), json!({"a.b": 5, "a": {"b": 6}, "": 7, "ü ": 8})],
    );
    let from = folder.join("names.trv");
    assert_eq!(cells(&session, &format!("SELECT \"a.b\", a['b'], \"\", \"ü \" FROM '{from}' WHERE a['b'] = 6 AND \"a.b\" = 5 AND \"\" = 7 AND \"ü \" = 8")).await, ["5 6 7 8"]);
    assert_eq!(cells(&session, &format!("SELECT count(*) FROM '{from}' WHERE a['b'] = 5")).await, ["0"]);
}

#[tokio::test]
async fn sessions_of_one_thread_work() {
    let folder = Folder::new();
    write(folder.join("a.trv"), flights());
    let session = session_of(SessionConfig::new().with_target_partitions(1).with_batch_size(1));
    assert_eq!(
        cells(
            &session,
            &format!("SELECT carrier FROM '{}' WHERE delay IS NOT NULL LIMIT 2", folder.join("a.trv"))
        )
        .await,
        ["AA", "B6"]
    );
    assert_eq!(
        cells(&session, &format!("SELECT 1 FROM '{}' LIMIT 3", folder.join("a.trv"))).await,
        ["1", "1", "1"]
    );
}

/// A session keeps schemas of files by place, size and time. A file that is replaced by one that has all three may be refused, but its
/// values do not come under other names.
#[tokio::test]
async fn a_file_that_is_replaced_unseen_gives_no_wrong_rows() {
    #[derive(serde::Serialize)]
    struct Former {
        one: String,
        two: i64,
    }
    #[derive(serde::Serialize)]
    struct Latter {
        two: String,
        one: i64,
    }
    let (folder, session) = (Folder::new(), session());
    let path = folder.join("rows.trv");
    let sql = format!("SELECT one FROM '{path}'");
    write(&path, (0..10).map(|two| Former { one: format!("text {two}"), two }));
    assert_eq!(cells(&session, &sql).await[0], "text 0");
    let before = std::fs::metadata(&path).unwrap();
    write(&path, (0..10).map(|one| Latter { two: format!("text {one}"), one }));
    assert_eq!(std::fs::metadata(&path).unwrap().len(), before.len());
    std::fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(before.modified().unwrap())
        .unwrap();
    match run(&session, &sql).await {
        Ok(_) => assert_eq!(cells(&session, &sql).await[0], "0"),
        Err(error) => assert!(error.to_string().contains("rows.trv"), "{error}"),
    }
    // A session that does not know it reads it.
    assert_eq!(cells(&crate::support::session(), &sql).await[0], "0");
}
