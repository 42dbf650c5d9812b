//! Writes count once, whatever dies.

use crate::processes::Cluster;
use crate::queries::until;
use crate::support::{files, local, rows, run, write_numbers};
use datafusion::prelude::SessionContext;
use trevni::dataset::WriteId;

/// Files of parts, also those that are being written.
fn parts(folder: &str) -> usize {
    files(folder).iter().filter(|name| name.contains("part-w")).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_insert_counts_once_whenever_an_executor_dies() {
    let mut cluster = Cluster::start(2);
    let (from, to) = (cluster.folder.join("numbers"), cluster.folder.join("table"));
    write_numbers(&from, 8, 10_000).await;
    write_numbers(&to, 1, 10).await;
    let session = trevni_ballista::client::connect(&cluster.address).await.unwrap();
    rows(&session, &format!("CREATE EXTERNAL TABLE t STORED AS TREVNI LOCATION '{to}/'")).await;
    let count = format!("SELECT count(*), sum(n) FROM '{to}/'");
    let (mut inserted, total) = (0_u64, 80_000_u64 * 79_999 / 2);
    // The moments: when there are so many files of parts, from the start of the first one to the end.
    for (number, moment) in [1, 3, 5, 7, 8, 2].into_iter().enumerate() {
        let before = parts(&to);
        let query = tokio::spawn({
            let (session, sql) = (session.clone(), format!("INSERT INTO t SELECT * FROM '{from}/'"));
            async move { run(&session, &sql).await }
        });
        until(|| parts(&to) >= before + moment || query.is_finished()).await;
        cluster.executors[number % 2].kill();
        let done = query.await.unwrap();
        assert_eq!(done.unwrap(), ["80000"], "moment {moment}");
        inserted += 1;
        let expected = [format!("{} {}", 10 + inserted * 80_000, 45 + inserted * total)];
        // A new executor in the place of the dead one.
        cluster.add();
        let new = cluster.executors.pop().unwrap();
        cluster.executors[number % 2] = new;
        assert_eq!(rows(&session, &count).await, expected, "moment {moment}");
        assert_eq!(rows(&local(), &count).await, expected, "moment {moment}");
        let dataset = trevni::Dataset::open(&to).unwrap();
        assert_eq!(dataset.row_count(), 10 + inserted * 80_000, "moment {moment}");
    }
}

/// A session whose next write has an identity.
async fn of_write(cluster: &Cluster, to: &str, write: &WriteId) -> SessionContext {
    let session = trevni_ballista::client::connect(&cluster.address).await.unwrap();
    rows(&session, &format!("CREATE EXTERNAL TABLE t STORED AS TREVNI LOCATION '{to}/'")).await;
    rows(&session, &format!("SET trevni.write = '{write}'")).await;
    session
}

/// The moment in which a write is committed, and its result is not yet with the client.
#[tokio::test(flavor = "multi_thread")]
async fn a_committed_insert_is_told_as_committed_whoever_dies() {
    let mut cluster = Cluster::with_timeout(2, 2);
    let (from, to) = (cluster.folder.join("numbers"), cluster.folder.join("table"));
    write_numbers(&from, 4, 2000).await;
    write_numbers(&to, 1, 10).await;
    let session = trevni_ballista::client::connect(&cluster.address).await.unwrap();
    rows(&session, &format!("CREATE EXTERNAL TABLE t STORED AS TREVNI LOCATION '{to}/'")).await;
    let manifests = || files(&to).iter().filter(|name| name.ends_with(".json")).count();
    for turn in 1..=3 {
        let query = tokio::spawn({
            let (session, sql) = (session.clone(), format!("INSERT INTO t SELECT * FROM '{from}/'"));
            async move { run(&session, &sql).await }
        });
        until(|| manifests() == turn || query.is_finished()).await;
        cluster.executors.drain(..).for_each(|mut executor| executor.kill());
        assert_eq!(query.await.unwrap().unwrap(), ["8000"], "turn {turn}");
        let count = rows(&local(), &format!("SELECT count(*) FROM '{to}/'")).await;
        assert_eq!(count, [(10 + turn * 8000).to_string()]);
        cluster.fill(2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_insert_that_is_given_again_counts_once() {
    let mut cluster = Cluster::with_timeout(1, 2);
    let (from, to) = (cluster.folder.join("numbers"), cluster.folder.join("table"));
    write_numbers(&from, 2, 1000).await;
    write_numbers(&to, 1, 10).await;
    let insert = format!("INSERT INTO t SELECT * FROM '{from}/'");
    let write = WriteId::new();
    let count = || async { rows(&local(), &format!("SELECT count(*) FROM '{to}/'")).await };
    let first = of_write(&cluster, &to, &write).await;
    cluster.executors.drain(..).for_each(|mut executor| executor.kill());
    let error = run(&first, &insert).await.unwrap_err().to_string();
    assert!(error.contains(&format!("the write {write} is not committed: given again")), "{error}");
    assert_eq!(count().await, ["10"]);
    cluster.fill(1);
    for session in [first, of_write(&cluster, &to, &write).await] {
        assert_eq!(rows(&session, &insert).await, ["2000"]);
        assert_eq!(count().await, ["2010"]);
    }
}

/// Not a test of what is right, but of how long it takes: needs two cores that have nothing else to do.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "measures time"]
async fn two_executors_write_faster_than_one() {
    let clusters = [Cluster::start(1), Cluster::start(2)];
    let from = clusters[0].folder.join("numbers");
    write_numbers(&from, 8, 1_000_000).await;
    for how in ["", "OPTIONS ('format.codec' 'zstandard')", "PARTITIONED BY (day)"] {
        let mut times = [Vec::new(), Vec::new()];
        for round in 0..7 {
            for (cluster, times) in clusters.iter().zip(&mut times) {
                let session = trevni_ballista::client::connect(&cluster.address).await.unwrap();
                let to = cluster.folder.join(&format!("copy-{round}"));
                let start = std::time::Instant::now();
                let copy = format!("COPY (SELECT * FROM '{from}/') TO '{to}/' STORED AS TREVNI {how}");
                assert_eq!(rows(&session, &copy).await, ["8000000"]);
                times.push(start.elapsed().as_secs_f64());
                assert_eq!(rows(&session, &format!("SELECT count(*) FROM '{to}/'")).await, ["8000000"]);
                std::fs::remove_dir_all(to).unwrap();
            }
        }
        let [one, two] = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        });
        println!("{how}: one executor {one:.2} s, two {two:.2} s: {:.2} times as fast", one / two);
        assert!(two < one, "{how}: {two} s by two executors, {one} s by one");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn partitions_are_written_by_all_executors() {
    let cluster = Cluster::start(2);
    let (from, to) = (cluster.folder.join("numbers"), cluster.folder.join("table"));
    write_numbers(&from, 4, 3000).await;
    let session = trevni_ballista::client::connect(&cluster.address).await.unwrap();
    let create = format!(
        "CREATE EXTERNAL TABLE t (n BIGINT, name VARCHAR, price DOUBLE, day BIGINT) STORED AS TREVNI \
         PARTITIONED BY (day) LOCATION '{to}/' OPTIONS ('format.codec' 'null')"
    );
    rows(&session, &create).await;
    let insert = format!("INSERT INTO t SELECT n, name, price, day FROM '{from}/'");
    for times in 1..=2 {
        assert_eq!(rows(&session, &insert).await, ["12000"]);
        let found = rows(&session, "SELECT count(*), sum(n), count(DISTINCT day) FROM t WHERE day < 6").await;
        let expected: Vec<u64> = (0..12_000).filter(|n| n % 7 < 6).collect();
        let sum: u64 = expected.iter().sum();
        assert_eq!(found, [format!("{} {} 6", times * expected.len() as u64, times * sum)]);
    }
    // Each of four tasks has written parts of its own.
    let attempts: std::collections::BTreeSet<String> = files(&to)
        .iter()
        .filter_map(|name| Some(name.split("part-w").nth(1)?.rsplit_once('-')?.0.to_owned()))
        .collect();
    assert_eq!(attempts.len(), 8, "{attempts:?}");
    let part = trevni::Dataset::open(format!("{to}/day=3")).unwrap();
    assert_eq!(part.row_count(), 2 * (0..12_000).filter(|n| n % 7 == 3).count() as u64);
    assert_eq!(part.parts()[0].reader().columns()[0].codec_name(), "null");
}
