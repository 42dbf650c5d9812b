//! A server of S3 over a folder, started by the test. Google's stores answer as it does, and Azurite is asked where it runs.

use super::round_trip;
use crate::support::{Folder, cells, error, run, session};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use hyper::Request;
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, HeaderValue, IF_NONE_MATCH};
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use object_store::aws::AmazonS3Builder;
use s3s::Body;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use std::sync::Arc;
use tokio::net::TcpListener;
use trevni_datafusion::NamedStores;
use url::Url;

const BUCKET: &str = "bucket";

/// Serves a folder to who has a key, or to all; gives the address.
async fn serve(folder: &Folder, key: Option<SimpleAuth>) -> String {
    std::fs::create_dir(folder.join(BUCKET)).unwrap();
    let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder.path()).unwrap());
    if let Some(key) = key {
        service.set_auth(key);
    }
    let service = service.build();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let service = service.clone();
            let answer = service_fn(move |request: Request<Incoming>| {
                let (service, request) = (service.clone(), as_s3(request));
                async move { service.call(request).await }
            });
            tokio::spawn(async move {
                let _ = Builder::new().serve_connection(TokioIo::new(socket), answer).await;
            });
        }
    });
    address
}

/// A request as S3 has it: Google's stores name the condition that an object is new by another header, and have tokens.
fn as_s3(mut request: Request<Incoming>) -> Request<Body> {
    let headers = request.headers_mut();
    if headers.remove("x-goog-if-generation-match").is_some_and(|value| value == "0") {
        headers.insert(IF_NONE_MATCH, HeaderValue::from_static("*"));
    }
    if headers.get(AUTHORIZATION).is_some_and(|value| value.as_bytes().starts_with(b"Bearer")) {
        headers.remove(AUTHORIZATION);
    }
    request.map(Body::from)
}

fn key() -> Option<SimpleAuth> {
    Some(SimpleAuth::from_single("key", "secret"))
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_in_s3() {
    let folder = Folder::new();
    let store = AmazonS3Builder::new()
        .with_endpoint(serve(&folder, key()).await)
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

/// A session that knows a server by what the environment would say.
fn of_names(options: &[(&str, &str)]) -> SessionContext {
    let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let stores = Arc::new(NamedStores::with_options(options));
    let runtime = RuntimeEnvBuilder::new().with_object_store_registry(stores).build_arc().unwrap();
    let config = trevni_datafusion::with_commits(SessionConfig::new().with_target_partitions(3));
    let session = SessionContext::new_with_config_rt(config, runtime);
    trevni_datafusion::register(&session).unwrap();
    session
}

/// Writes and reads tables of a bucket, and changes one.
async fn tables(session: &SessionContext, bucket: &str) {
    round_trip(session, &format!("{bucket}/tables/")).await;
    let at = format!("{bucket}/changed/");
    run(session, &format!("CREATE EXTERNAL TABLE c (n BIGINT) STORED AS TREVNI LOCATION '{at}'"))
        .await
        .unwrap();
    run(session, "INSERT INTO c SELECT value FROM generate_series(1, 100)").await.unwrap();
    assert_eq!(cells(session, "DELETE FROM c WHERE n > 40").await, ["60"]);
    run(session, "INSERT INTO c VALUES (1000)").await.unwrap();
    assert_eq!(cells(session, &format!("SELECT count(*), sum(n) FROM '{at}'")).await, ["41 1820"]);
    assert_eq!(cells(session, "INSERT OVERWRITE c VALUES (7)").await, ["1"]);
    run(session, &format!("SELECT * FROM trevni_clean('{at}', 0)")).await.unwrap();
    assert_eq!(cells(session, "SELECT n FROM c").await, ["7"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn stores_are_opened_by_the_names_in_urls() {
    let folder = Folder::new();
    let address = serve(&folder, key()).await;
    let session = of_names(&[
        ("AWS_ENDPOINT", &address),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
    ]);
    tables(&session, "s3://bucket").await;
    let error = error(&session, "SELECT * FROM 'ftp://host/a.trv'").await;
    assert!(error.contains("ftp"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_in_a_store_of_google() {
    let folder = Folder::new();
    let address = serve(&folder, None).await;
    let account = format!(
        r#"{{"gcs_base_url":"{address}","disable_oauth":true,"client_email":"","private_key":"","private_key_id":""}}"#
    );
    let options = [("GOOGLE_SERVICE_ACCOUNT_KEY", account.as_str()), ("GOOGLE_ALLOW_HTTP", "true")];
    tables(&of_names(&options), "gs://bucket").await;
    assert!(folder.files().iter().any(|name| name.ends_with("one.trv")), "{:?}", folder.files());
}

/// Needs Azurite on its port with a new container: `AZURITE_CONTAINER=rows cargo test … tables_in_a_store_of_azure`.
#[tokio::test(flavor = "multi_thread")]
async fn tables_in_a_store_of_azure() {
    let Ok(container) = std::env::var("AZURITE_CONTAINER") else {
        eprintln!("skipped: AZURITE_CONTAINER names no container of Azurite");
        return;
    };
    let options = [("AZURE_STORAGE_USE_EMULATOR", "true"), ("AZURE_ALLOW_HTTP", "true")];
    tables(&of_names(&options), &format!("az://{container}")).await;
}
