//! Metrics and pages of the scheduler, over HTTP.

use crate::processes::Cluster;
use crate::support::{rows, write_numbers};
use std::io::{Read, Write};
use std::net::TcpStream;

/// The status and body of an answer.
fn get(address: &str, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, body.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_count_queries_and_pages_list_executors() {
    let cluster = Cluster::start(2);
    let at = cluster.folder.join("numbers");
    write_numbers(&at, 2, 100).await;
    let session = trevni_ballista::client::connect(&cluster.address).await.unwrap();
    rows(&session, &format!("CREATE EXTERNAL TABLE numbers STORED AS TREVNI LOCATION '{at}/'")).await;
    let submitted = || {
        let (status, metrics) = get(&cluster.address, "/api/metrics");
        assert_eq!(status, 200, "{metrics}");
        let line = metrics.lines().find_map(|line| line.strip_prefix("job_submitted_total "));
        line.unwrap_or_else(|| panic!("{metrics}")).parse::<f64>().unwrap()
    };
    let before = submitted();
    for _ in 0..3 {
        rows(&session, "SELECT day, sum(n) FROM numbers GROUP BY day").await;
    }
    assert_eq!(submitted(), before + 3.0);
    let (status, executors) = get(&cluster.address, "/api/executors");
    let executors: serde_json::Value = serde_json::from_str(&executors).unwrap();
    assert_eq!((status, executors.as_array().map(Vec::len)), (200, Some(2)), "{executors}");
    let (status, jobs) = get(&cluster.address, "/api/jobs");
    assert!(status == 200 && jobs.contains("Completed"), "{jobs}");
    assert_eq!(get(&cluster.address, "/readyz").0, 200);
    assert_eq!(get(&cluster.address, "/nothing").0, 404);
}
