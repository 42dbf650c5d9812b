//! A server of S3 over a folder, started by the test.

use super::round_trip;
use crate::support::{Folder, session};
use hyper::server::conn::http1::Builder;
use hyper_util::rt::TokioIo;
use object_store::aws::AmazonS3Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use std::sync::Arc;
use tokio::net::TcpListener;
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
