//! Tables in a store, of which scheduler, executors and client know by their environment.

use crate::processes::{Cluster, Environment};
use crate::support::Folder;
use futures::StreamExt;
use hyper::body::{Bytes, Incoming};
use hyper::header::CONTENT_LENGTH;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use s3s::Body;
use s3s::auth::SimpleAuth;
use s3s::dto::StreamingBlob;
use s3s::service::{S3Service, S3ServiceBuilder};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;

type Error = Box<dyn std::error::Error + Send + Sync>;

/// Serves a folder, which has a bucket; gives what names the server. Of `faults` requests, one is not answered as it should be.
async fn serve(folder: &str, faults: Option<usize>) -> (Environment, Arc<AtomicUsize>) {
    std::fs::create_dir(format!("{folder}/bucket")).unwrap();
    let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder).unwrap());
    service.set_auth(SimpleAuth::from_single("key", "secret"));
    let service = service.build();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&requests);
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let (service, requests) = (service.clone(), Arc::clone(&requests));
            let answer = service_fn(move |request| {
                let number = requests.fetch_add(1, Ordering::Relaxed);
                let fault = faults.filter(|every| number % every == every - 1).map(|every| number / every);
                answer(service.clone(), request, fault)
            });
            tokio::spawn(async move {
                let _ = Builder::new().serve_connection(TokioIo::new(socket), answer).await;
            });
        }
    });
    let environment = [
        ("AWS_ENDPOINT", address.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
    ];
    (environment.map(|(name, value)| (name, value.to_owned())).to_vec(), counted)
}

/// Answers a request, or does with it what stores and networks do on bad days; one kind after the other.
async fn answer(
    service: S3Service,
    request: Request<Incoming>,
    fault: Option<usize>,
) -> Result<Response<Body>, Error> {
    let request = request.map(Body::from);
    let refuse = |status| Ok(Response::builder().status(status).body(Body::empty())?);
    match fault.map(|fault| fault % 7) {
        Some(0) => refuse(StatusCode::SERVICE_UNAVAILABLE),
        Some(1) => refuse(StatusCode::INTERNAL_SERVER_ERROR),
        Some(2) => refuse(StatusCode::TOO_MANY_REQUESTS),
        Some(3) => Err("the connection ends before the request is done".into()),
        Some(4) => {
            let _ = service.call(request).await;
            Err("the connection ends after the request is done".into())
        }
        Some(5) => {
            let (mut parts, mut body) = service.call(request).await?.into_parts();
            let mut bytes = Vec::new();
            while let Some(piece) = body.next().await {
                bytes.extend_from_slice(&piece?);
            }
            // All of it is promised, and half of it comes.
            parts.headers.insert(CONTENT_LENGTH, bytes.len().into());
            bytes.truncate(bytes.len() / 2);
            let half = [Ok(Bytes::from(bytes)), Err(std::io::ErrorKind::BrokenPipe.into())];
            let half = StreamingBlob::wrap::<_, std::io::Error>(futures::stream::iter(half));
            Ok(Response::from_parts(parts, Body::from(half)))
        }
        Some(_) => {
            tokio::time::sleep(Duration::from_secs(2)).await;
            Ok(service.call(request).await?)
        }
        None => Ok(service.call(request).await?),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_of_a_store_are_written_changed_and_read() {
    let folder = Folder::new();
    let (environment, _) = serve(&folder.join(""), None).await;
    run(&Cluster::with_environment(2, 6, environment.clone()), &environment, 1);
}

/// Every third request fails, in one of seven ways. What the store's client does not send again is an error, and then the statement has done nothing.
#[tokio::test(flavor = "multi_thread")]
async fn tables_of_a_store_that_fails_now_and_then() {
    let folder = Folder::new();
    let (environment, requests) = serve(&folder.join(""), Some(3)).await;
    run(&Cluster::with_environment(2, 6, environment.clone()), &environment, 8);
    assert!(requests.load(Ordering::Relaxed) > 3 * 14, "each fault twice");
}

/// Writes, changes and reads a table.
fn run(cluster: &Cluster, environment: &Environment, tries: usize) {
    let table = "CREATE EXTERNAL TABLE t (n BIGINT, s VARCHAR) STORED AS TREVNI LOCATION 's3://bucket/t/';";
    let rows = "SELECT value AS n, 'name ' || (value % 7) AS s FROM generate_series(0, 999)";
    for (sql, expected) in [
        (format!("COPY ({rows}) TO 's3://bucket/source.trv'"), ""),
        (format!("{table} INSERT INTO t SELECT * FROM 's3://bucket/source.trv'"), ""),
        (format!("{table} SELECT count(*) AS c, sum(n) AS n FROM t"), "c,n\n1000,499500\n"),
        (format!("{table} DELETE FROM t WHERE n >= 10"), ""),
        (
            format!("{table} SELECT s, count(*) AS c FROM t GROUP BY s HAVING count(*) > 1 ORDER BY s"),
            "s,c\nname 0,2\nname 1,2\nname 2,2\n",
        ),
        (
            "COPY (SELECT * FROM 's3://bucket/t/' WHERE n < 5) TO 's3://bucket/few/' STORED AS TREVNI"
                .to_owned(),
            "",
        ),
        ("SELECT count(*) AS c FROM 's3://bucket/few/'".to_owned(), "c\n5\n"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trevni-sql"));
        command.args(["--no-history", "--format", "csv", "--scheduler", &cluster.address, "-c", &sql]);
        command.envs(environment.iter().cloned()).stdin(Stdio::null());
        let mut output = command.output().unwrap();
        for _ in 1..tries {
            if !output.status.success() {
                eprintln!("again: {}", String::from_utf8_lossy(&output.stderr));
                output = command.output().unwrap();
            }
        }
        assert!(output.status.success(), "{sql}: {output:?}");
        let printed = String::from_utf8(output.stdout).unwrap();
        if !expected.is_empty() {
            assert_eq!(printed, expected, "{sql}");
        }
    }
}
