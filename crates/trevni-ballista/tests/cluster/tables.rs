//! Tables that are changed on a cluster, and tables that only the client has.

use crate::processes::Cluster;
use crate::support::{local, rows, run, write_numbers};

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_removed_on_a_cluster() {
    let cluster = Cluster::start(2);
    let at = cluster.folder.join("numbers");
    write_numbers(&at, 4, 700).await;
    let session = trevni_ballista::client::connect(&cluster.address).await.unwrap();
    rows(&session, &format!("CREATE EXTERNAL TABLE t STORED AS TREVNI LOCATION '{at}/'")).await;
    let count = format!("SELECT count(*), min(n), max(n) FROM '{at}/'");
    for (sql, changed, then) in [
        ("DELETE FROM t WHERE n >= 2000", "800", "2000 0 1999"),
        ("DELETE FROM t WHERE 1 = 0", "0", "2000 0 1999"),
        ("DELETE FROM t WHERE day = 3 OR name = 'name 5'", "304", "1696 0 1999"),
        ("INSERT OVERWRITE t SELECT * FROM t WHERE n < 100", "85", "85 0 99"),
        ("TRUNCATE TABLE t", "85", "0  "),
    ] {
        assert_eq!(rows(&session, sql).await, [changed], "{sql}");
        for session in [&session, &local()] {
            assert_eq!(rows(session, &count).await, [then.trim()], "{sql}");
        }
    }
    let error = run(&session, "DELETE FROM t WHERE n IN (SELECT 1)").await.unwrap_err().to_string();
    assert!(error.contains("query in its condition"), "{error}");
    // As it was.
    let earlier = format!("CREATE EXTERNAL TABLE e STORED AS TREVNI LOCATION '{at}/' OPTIONS (as_of '1')");
    rows(&session, &earlier).await;
    assert_eq!(rows(&session, "SELECT count(*), max(n) FROM e").await, ["2000 1999"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_of_the_client_are_read_there() {
    let cluster = Cluster::start(1);
    let at = cluster.folder.join("numbers");
    write_numbers(&at, 3, 100).await;
    let session = trevni_ballista::client::connect(&cluster.address).await.unwrap();
    assert_eq!(rows(&session, "SELECT sum(value) FROM generate_series(1, 4)").await, ["10"]);
    rows(&session, &format!("CREATE TABLE few AS SELECT n, name FROM '{at}/' WHERE n < 5")).await;
    assert_eq!(rows(&session, "SELECT count(*), max(n) FROM few").await, ["5 4"]);
    let both = format!("SELECT count(*) FROM few JOIN '{at}/' f ON few.n = f.n");
    let error = run(&session, &both).await.unwrap_err().to_string();
    assert!(error.contains("few is a table of this process"), "{error}");
    rows(&session, "INSERT INTO few VALUES (7, 'seven')").await;
    rows(&session, &format!("COPY (SELECT * FROM few) TO '{at}-few/' STORED AS TREVNI")).await;
    let both = format!("SELECT count(*) FROM '{at}-few/' few JOIN '{at}/' f ON few.n = f.n");
    assert_eq!(rows(&session, &both).await, ["6"]);
    rows(&session, &format!("SELECT * FROM trevni_compact('{at}/')")).await;
    assert_eq!(
        rows(&session, &format!("SELECT parts, rows FROM trevni_snapshots('{at}/')")).await,
        ["1 300"]
    );
    assert_eq!(rows(&session, &format!("SELECT count(*) FROM '{at}/'")).await, ["300"]);
}
