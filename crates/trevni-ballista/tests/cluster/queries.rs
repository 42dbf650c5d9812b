//! Queries of a cluster answer as those of one process.

use crate::processes::Cluster;
use crate::support::{files, local, rows, run, write_kinds, write_numbers};
use std::time::Duration;

/// How long a test waits for anything: long, for machines that have much else to do.
const PATIENCE: Duration = Duration::from_secs(300);

/// Waits until something is so.
pub(crate) async fn until(mut is_so: impl FnMut() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("what never came");
}

#[tokio::test(flavor = "multi_thread")]
async fn queries_answer_as_in_one_process() {
    let cluster = Cluster::start(2);
    let at = cluster.folder.join("numbers");
    write_numbers(&at, 5, 2000).await;
    let (one, many) = (local(), trevni_ballista::client::connect(&cluster.address).await.unwrap());
    for session in [&one, &many] {
        rows(session, &format!("CREATE EXTERNAL TABLE numbers STORED AS TREVNI LOCATION '{at}/'")).await;
    }
    for sql in [
        "SELECT count(*), sum(n), min(price), max(name) FROM numbers",
        "SELECT day, count(*), sum(price) FROM numbers GROUP BY day ORDER BY day",
        "SELECT name, count(DISTINCT day) FROM numbers WHERE n > 777 AND name LIKE 'name 1%' GROUP BY name ORDER BY name",
        "SELECT n, name FROM numbers WHERE price > 100 ORDER BY price DESC, n LIMIT 7",
        "SELECT a.day, count(*), max(b.n) FROM numbers a JOIN numbers b ON a.n = b.n + 3 WHERE b.day = 2 GROUP BY a.day ORDER BY 1",
        "SELECT n FROM numbers WHERE n IN (SELECT n * 2 FROM numbers WHERE n < 10) ORDER BY n",
        "SELECT n, rank() OVER (PARTITION BY day ORDER BY n) AS r FROM numbers WHERE n < 20 ORDER BY n",
        "SELECT count(*), sum(day) FROM (SELECT day FROM numbers WHERE n < 3 UNION ALL SELECT n FROM numbers WHERE n < 5)",
        "SELECT n FROM numbers WHERE n < 0",
        "SELECT 1 + 1",
    ] {
        assert_eq!(rows(&many, sql).await, rows(&one, sql).await, "{sql}");
    }
    let by_path = format!("SELECT count(*), sum(n) FROM '{at}/*-3.trv'");
    assert_eq!(rows(&many, &by_path).await, rows(&one, &by_path).await);
    // Written by the cluster, read by both.
    let to = cluster.folder.join("copied");
    for sql in [
        format!(
            "COPY (SELECT * FROM numbers WHERE day <> 3) TO '{to}/' STORED AS TREVNI PARTITIONED BY (day) OPTIONS ('format.codec' 'zstandard')"
        ),
        format!("COPY (SELECT n, name FROM numbers ORDER BY name, n) TO '{to}.trv'"),
    ] {
        rows(&many, &sql).await;
    }
    for sql in [
        format!("SELECT day, count(*), sum(n) FROM '{to}/' GROUP BY day ORDER BY day"),
        format!("SELECT count(*), min(name), sum(n) FROM '{to}.trv'"),
    ] {
        let found = rows(&many, &sql).await;
        assert!(!found.is_empty() && found == rows(&one, &sql).await, "{sql}: {found:?}");
    }
    let part = files(&to).into_iter().find(|name| name.ends_with(".trv")).unwrap();
    assert!(part.starts_with("day="), "{part}");
    assert_eq!(trevni::Reader::open(format!("{to}/{part}")).unwrap().columns()[0].codec_name(), "zstandard");
    let wrong = run(&many, "SELECT nothing FROM numbers").await.unwrap_err().to_string();
    assert!(wrong.contains("nothing"), "{wrong}");
}

/// Dictionaries may come as plain texts from another executor: on a cluster, enums are plain texts from the start.
#[tokio::test(flavor = "multi_thread")]
async fn enums_are_texts_on_a_cluster() {
    let cluster = Cluster::start(2);
    let at = cluster.folder.join("kinds");
    write_kinds(&at, 6, 500);
    let (one, many) = (local(), trevni_ballista::client::connect(&cluster.address).await.unwrap());
    for session in [&one, &many] {
        rows(session, &format!("CREATE EXTERNAL TABLE kinds STORED AS TREVNI LOCATION '{at}/'")).await;
    }
    for sql in [
        "SELECT kind, count(*), sum(n) FROM kinds GROUP BY kind ORDER BY kind",
        "SELECT kind, within['kind'] AS other, count(*) FROM kinds WHERE kind <> 'Hail' GROUP BY 1, 2 ORDER BY 1, 2",
        "SELECT a.kind, count(*) FROM kinds a JOIN kinds b ON a.kind = b.kind AND a.n = b.n GROUP BY a.kind ORDER BY a.kind",
        "SELECT DISTINCT within['kind'] AS other FROM kinds WHERE kind = 'Snow' ORDER BY other",
    ] {
        let found = rows(&many, sql).await;
        assert!(found.len() > 2 && found == rows(&one, sql).await, "{sql}: {found:?}");
    }
    let table = many.table("kinds").await.unwrap();
    assert_eq!(table.schema().field(0).data_type(), &datafusion::arrow::datatypes::DataType::Utf8);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_outlives_an_executor() {
    let mut cluster = Cluster::start(2);
    let at = cluster.folder.join("numbers");
    write_numbers(&at, 8, 20_000).await;
    let session = trevni_ballista::client::connect(&cluster.address).await.unwrap();
    let sql = format!(
        "SELECT name, count(*), sum(n), sum(price) FROM '{at}/' WHERE sqrt(n * 1.0) + day > 3 GROUP BY name ORDER BY name"
    );
    let expected = rows(&local(), &sql).await;
    for executor in [0, 1] {
        let before = files(cluster.folder.join(&format!("work-{executor}"))).len();
        let query = tokio::spawn({
            let (session, sql) = (session.clone(), sql.clone());
            async move { rows(&session, &sql).await }
        });
        // It has written what later stages read, or the query is done.
        let work = cluster.folder.join(&format!("work-{executor}"));
        until(|| files(&work).len() > before || query.is_finished()).await;
        cluster.executors[executor].kill();
        assert_eq!(query.await.unwrap(), expected, "executor {executor}");
        cluster.add();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_without_executors_is_an_error() {
    let mut cluster = Cluster::start(2);
    let at = cluster.folder.join("numbers");
    write_numbers(&at, 8, 20_000).await;
    let session = trevni_ballista::client::connect(&cluster.address).await.unwrap();
    let sql = format!("SELECT name, sum(sqrt(n * 1.0)) FROM '{at}/' GROUP BY name ORDER BY name");
    let query = tokio::spawn(async move { run(&session, &sql).await });
    let work = [cluster.folder.join("work-0"), cluster.folder.join("work-1")];
    until(|| work.iter().any(|work| !files(work).is_empty()) || query.is_finished()).await;
    for executor in &mut cluster.executors {
        executor.kill();
    }
    // A query that was done already is not what is tested here, and no harm.
    if let Err(error) = tokio::time::timeout(PATIENCE, query).await.expect("an end").unwrap() {
        assert!(error.to_string().to_lowercase().contains("executor"), "{error}");
    }
}

#[tokio::test]
async fn a_scheduler_that_is_not_there_is_an_error() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let error = trevni_ballista::client::connect(&address).await.err().unwrap().to_string();
    assert!(error.contains(&address) && error.contains("trevni-scheduler"), "{error}");
}

#[test]
fn a_port_that_is_taken_is_an_error() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let scheduler = env!("CARGO_BIN_EXE_trevni-scheduler");
    let done = std::process::Command::new(scheduler).args(["--listen", &address]).output().unwrap();
    let error = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert!(error.lines().count() == 1 && error.contains(&address), "{error}");
    let executor = env!("CARGO_BIN_EXE_trevni-executor");
    let port = address.rsplit(':').next().unwrap();
    let args = ["--scheduler", &address, "--port", port];
    let done = std::process::Command::new(executor).args(args).output().unwrap();
    let error = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert!(error.lines().count() == 1 && error.contains(&address), "{error}");
    for program in [scheduler, executor] {
        let help = std::process::Command::new(program).arg("--help").output().unwrap();
        assert!(String::from_utf8(help.stdout).unwrap().contains("Examples:\n  trevni-"), "{program}");
    }
}
