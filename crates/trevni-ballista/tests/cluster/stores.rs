//! Tables in a store, of which scheduler, executors and client know by their environment.

use crate::processes::{Cluster, Environment};
use crate::support::Folder;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use std::process::{Command, Stdio};
use tokio::net::TcpListener;

/// Serves a folder, which has a bucket; gives what names the server.
async fn serve(folder: &str) -> Environment {
    std::fs::create_dir(format!("{folder}/bucket")).unwrap();
    let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder).unwrap());
    service.set_auth(SimpleAuth::from_single("key", "secret"));
    let service = service.build();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let service = service.clone();
            tokio::spawn(async move {
                let _ = Builder::new().serve_connection(TokioIo::new(socket), service).await;
            });
        }
    });
    [
        ("AWS_ENDPOINT", address.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
    ]
    .map(|(name, value)| (name, value.to_owned()))
    .to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_of_a_store_are_written_changed_and_read() {
    let folder = Folder::new();
    let environment = serve(&folder.join("")).await;
    let cluster = Cluster::with_environment(2, 6, environment.clone());
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
        let output = command.envs(environment.iter().cloned()).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{sql}: {output:?}");
        let printed = String::from_utf8(output.stdout).unwrap();
        if !expected.is_empty() {
            assert_eq!(printed, expected, "{sql}");
        }
    }
}
