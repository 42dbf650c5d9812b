//! A server of S3 over a folder, started by the test.

use super::round_trip;
use crate::support::{Folder, cells, error, run, session};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use hyper::server::conn::http1::Builder;
use hyper_util::rt::TokioIo;
use object_store::aws::AmazonS3Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use std::sync::Arc;
use tokio::net::TcpListener;
use trevni_datafusion::NamedStores;
use url::Url;

const BUCKET: &str = "bucket";

/// Serves a folder; gives the address.
async fn serve(folder: &Folder) -> String {
    std::fs::create_dir(folder.join(BUCKET)).unwrap();
    let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder.path()).unwrap());
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
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_in_s3() {
    let folder = Folder::new();
    let store = AmazonS3Builder::new()
        .with_endpoint(serve(&folder).await)
        .with_allow_http(true)
        .with_region("us-east-1")
        .with_bucket_name(BUCKET)
        .with_access_key_id("key")
        .with_secret_access_key("secret")
        .build()
        .unwrap();
    let session = session();
    session.register_object_store(&Url::parse("s3://bucket").unwrap(), Arc::new(store));
    round_trip(&session, "s3://bucket/tables/").await;
    assert!(folder.files().iter().any(|name| name.ends_with("one.trv")), "{:?}", folder.files());
}

/// A session that knows the server by what the environment would say.
fn of_names(address: &str) -> SessionContext {
    let options = [
        ("AWS_ENDPOINT", address),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
    ];
    let stores = NamedStores::with_options(options.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let runtime = RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(stores)).build_arc().unwrap();
    let config = trevni_datafusion::with_commits(SessionConfig::new().with_target_partitions(3));
    let session = SessionContext::new_with_config_rt(config, runtime);
    trevni_datafusion::register(&session).unwrap();
    session
}

#[tokio::test(flavor = "multi_thread")]
async fn stores_are_opened_by_the_names_in_urls() {
    let folder = Folder::new();
    let session = of_names(&serve(&folder).await);
    round_trip(&session, "s3://bucket/tables/").await;
    // Tables that change, too.
    let at = "s3://bucket/changed/";
    run(&session, &format!("CREATE EXTERNAL TABLE c (n BIGINT) STORED AS TREVNI LOCATION '{at}'"))
        .await
        .unwrap();
    run(&session, "INSERT INTO c SELECT value FROM generate_series(1, 100)").await.unwrap();
    assert_eq!(cells(&session, "DELETE FROM c WHERE n > 40").await, ["60"]);
    run(&session, "INSERT INTO c VALUES (1000)").await.unwrap();
    assert_eq!(cells(&session, &format!("SELECT count(*), sum(n) FROM '{at}'")).await, ["41 1820"]);
    assert_eq!(cells(&session, "INSERT OVERWRITE c VALUES (7)").await, ["1"]);
    run(&session, &format!("SELECT * FROM trevni_clean('{at}', 0)")).await.unwrap();
    assert_eq!(cells(&session, "SELECT n FROM c").await, ["7"]);
    let error = error(&session, "SELECT * FROM 'ftp://host/a.trv'").await;
    assert!(error.contains("ftp"), "{error}");
}
