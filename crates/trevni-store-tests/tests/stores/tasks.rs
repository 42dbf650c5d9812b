//! Reading without waiting in a thread, from servers.

use crate::files::{Row, file, row};
use crate::http::{Manners, Server, changes, tagged};
use crate::s3::Bucket;
use futures::executor::block_on;
use futures::{StreamExt, TryStreamExt};
use std::io::ErrorKind;
use std::sync::Arc;
use trevni::{Category, Writer, col};
use trevni_object_store::AsyncReader;
use trevni_object_store::object_store::aws::AmazonS3Builder;

async fn all(reader: &AsyncReader) -> Vec<Row> {
    reader.rows().try_collect().await.unwrap()
}

fn wanted(count: i64) -> Vec<Row> {
    (0..count).map(row).collect()
}

/// With any executor, and in runtimes of one thread and of several.
fn everywhere(run: impl AsyncFn()) {
    block_on(run());
    for mut builder in
        [tokio::runtime::Builder::new_current_thread(), tokio::runtime::Builder::new_multi_thread()]
    {
        builder.build().unwrap().block_on(run());
    }
}

#[test]
fn web_servers_are_asked_once_to_open_and_once_for_each_run_of_columns() {
    let server = Server::start(file(60_000), tagged());
    everywhere(async || {
        let reader = AsyncReader::open(&server.url()).await.unwrap();
        assert_eq!(server.take().len(), 1);
        for (columns, runs) in [(&["id"][..], 1), (&["id", "noise", "text", "last"], 1), (&["id", "last"], 2)]
        {
            let reader = AsyncReader::open(&server.url()).await.unwrap();
            server.take();
            let batches = reader.project(columns).unwrap().batches();
            let rows = batches.try_fold(0, async |rows, batch| Ok(rows + batch.len())).await.unwrap();
            assert_eq!(rows, 60_000);
            let taken = server.take();
            assert_eq!(taken.len(), runs, "{columns:?}: {taken:#?}");
        }
        assert!(all(&reader).await == wanted(60_000));
        let some = reader.filter(col("last").eq(7)).unwrap();
        assert_eq!(some.rows::<Row>().count().await, 60);
        assert_eq!(reader.take::<Row>(&[59_999, 5]).await.unwrap(), [row(59_999), row(5)]);
        server.take();
    });
}

#[test]
fn long_headers_take_two_requests() {
    let mut writer = Writer::builder().metadata("long", vec![7; 200_000]).build(Vec::new()).unwrap();
    writer.write_all(0..10u8).unwrap();
    let server = Server::start(writer.finish().unwrap(), tagged());
    block_on(async {
        let reader = AsyncReader::open(&server.url()).await.unwrap();
        assert_eq!(reader.rows::<u8>().count().await, 10);
        assert_eq!(server.take().len(), 2);
    });
}

#[test]
fn servers_without_ranges_are_asked_for_all() {
    let server = Server::start(file(60_000), Manners { has_no_ranges: true, ..Manners::default() });
    everywhere(async || {
        let reader = AsyncReader::open(&server.url()).await.unwrap();
        assert!(all(&reader).await == wanted(60_000));
        assert_eq!((server.take().len(), reader.requests()), (2, 2));
    });
}

#[test]
fn requests_that_fail_for_the_moment_are_sent_again() {
    let server = Server::start(file(60_000), Manners { failures: 2, ..tagged() });
    block_on(async {
        let reader = AsyncReader::open(&server.url()).await.unwrap();
        assert_eq!(server.take().len(), 3);
        // Bodies that end too early are gone on with.
        server.behave(Manners { failures: 1, cuts: 2, ..tagged() });
        assert!(all(&reader).await == wanted(60_000));
        assert!(server.take().len() >= 4);
        assert_eq!(reader.requests(), 2);
    });
}

#[test]
fn failures_are_errors_without_secrets_and_the_reader_goes_on() {
    let server = Server::start(file(60_000), Manners::default());
    block_on(async {
        let url = format!("{}?signature=c0ffee00", server.url());
        let reader = AsyncReader::open(&url).await.unwrap();
        for (manners, part) in [
            (Manners { cuts: usize::MAX / 2, ..Manners::default() }, ""),
            (Manners { status: Some(403), ..Manners::default() }, "access is denied (403)"),
            (Manners { status: Some(404), ..Manners::default() }, "there is no such object (404)"),
        ] {
            server.behave(manners.clone());
            let error = reader.rows::<Row>().next().await.unwrap().unwrap_err();
            assert_eq!(error.category(), Category::Io, "{error}");
            let text = error.to_string();
            assert!(
                text.contains(&server.url()) && text.contains(part) && !text.contains("c0ffee"),
                "{text}"
            );
            if manners.status.is_some() {
                assert!(AsyncReader::open(&url).await.is_err());
            }
        }
        server.behave(Manners::default());
        assert!(all(&reader).await == wanted(60_000));
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let error = AsyncReader::open(&format!("http://{free}/x?signature=c0ffee00")).await.unwrap_err();
        assert!(!error.to_string().contains("c0ffee"), "{error}");
        assert_eq!(std::io::Error::from(error).kind(), ErrorKind::ConnectionRefused);
        assert!(AsyncReader::open("ftp://host/x").await.is_err());
    });
}

#[test]
fn objects_that_change_are_errors() {
    for (before, after) in changes() {
        let server = Server::start(file(60_000), before);
        block_on(async {
            let reader = AsyncReader::open(&server.url()).await.unwrap();
            server.replace(file(60_001));
            server.behave(after);
            let error = reader.row::<Row>(50_000).await.unwrap_err();
            assert!(error.to_string().contains("has changed while it was read"), "{error}");
        });
    }
}

#[test]
fn calls_that_are_dropped_leave_a_reader_that_reads() {
    let server = Server::start(file(60_000), tagged());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        for micros in [0, 50, 200, 500, 1000, 2000, 5000, 20_000] {
            let time = std::time::Duration::from_micros(micros);
            let reader = AsyncReader::open(&server.url()).await.unwrap();
            let _ = tokio::time::timeout(time, AsyncReader::open(&server.url())).await;
            let _ = tokio::time::timeout(time, reader.row::<Row>(40_000)).await;
            let mut rows = reader.rows::<Row>();
            let first = tokio::time::timeout(time, rows.next()).await.ok().flatten();
            let mut found: Vec<Row> = first.into_iter().map(Result::unwrap).collect();
            found.extend(rows.map(Result::unwrap).collect::<Vec<_>>().await);
            assert!(found == wanted(60_000), "{micros}");
        }
    });
}

#[test]
fn buckets() {
    let bucket = Bucket::start();
    bucket.put("dir/rows.trv", file(60_000));
    let store = AmazonS3Builder::new()
        .with_bucket_name("bucket")
        .with_endpoint(&bucket.address)
        .with_region("us-east-1")
        .with_access_key_id("key")
        .with_secret_access_key("the-secret")
        .with_allow_http(true);
    let store = Arc::new(store.build().unwrap());
    everywhere(async || {
        let reader = AsyncReader::open_in(Arc::clone(&store) as _, "dir/rows.trv").await.unwrap();
        assert!(all(&reader).await == wanted(60_000));
        assert_eq!(reader.requests(), 2);
        assert_eq!(reader.row::<Row>(31_415).await.unwrap(), row(31_415));
        let none = AsyncReader::open_in(Arc::clone(&store) as _, "dir/none.trv").await.unwrap_err();
        assert_eq!(std::io::Error::from(none).kind(), ErrorKind::NotFound);
    });
}

#[test]
fn the_source_that_blocks_works_within_a_runtime() {
    let server = Server::start(file(20_000), tagged());
    everywhere(async || {
        let reader = trevni_object_store::open(&server.url()).unwrap();
        assert_eq!(reader.column::<i64>("id").unwrap().len(), 20_000);
    });
    // In more tasks than there are threads.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    runtime.block_on(async {
        let read = |url: String| async move {
            trevni_object_store::open(&url).unwrap().rows::<Row>().unwrap().count()
        };
        let tasks: Vec<_> = (0..6).map(|_| tokio::spawn(read(server.url()))).collect();
        for task in tasks {
            assert_eq!(task.await.unwrap(), 20_000);
        }
    });
}
