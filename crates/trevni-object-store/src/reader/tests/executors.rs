//! Any executor waits for a reader, and the source that blocks can be called within one.

use super::*;
use crate::Object;
use crate::place::{Place, Shown};
use futures::StreamExt;
use futures::executor::block_on;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use serde::Deserializer;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use trevni::{Reader, col};

async fn reads(store: Arc<Watched>) {
    let reader = opened(&store).await.unwrap();
    let some = reader.filter(col("last").eq(5)).unwrap();
    assert_eq!(some.rows::<Row>().count().await, 60);
    assert_eq!(reader.row::<Row>(777).await.unwrap(), row(777));
}

#[test]
fn no_runtime_is_needed() {
    block_on(async { reads(store(plain(60_000)).await).await });
}

#[tokio::test]
async fn a_runtime_of_one_thread() {
    reads(store(plain(60_000)).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runtime_of_several_threads_reads_many_streams_at_once() {
    let store = store(plain(60_000)).await;
    let reader = opened(&store).await.unwrap();
    let tasks: Vec<_> = (0..12)
        .map(|number| {
            let reader = reader.filter(col("last").eq(number)).unwrap();
            tokio::spawn(async move {
                reader.rows::<Row>().map(|row| row.unwrap().last).collect::<Vec<_>>().await
            })
        })
        .collect();
    for (number, task) in tasks.into_iter().enumerate() {
        assert_eq!(task.await.unwrap(), vec![number as i32; 60]);
    }
    assert_eq!(reader.fetched.pins(), 0);
}

#[test]
fn a_runtime_without_time_and_network_is_enough() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async { reads(store(plain(60_000)).await).await });
}

#[tokio::test]
async fn other_tasks_run_while_rows_are_fetched_and_read() {
    let store = store(plain(60_000)).await;
    let reader = opened(&store).await.unwrap();
    let turns = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&turns);
    let other = tokio::spawn(async move {
        loop {
            counted.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
        }
    });
    store.answer(false);
    let opener = Arc::clone(&store);
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(20)).await;
        opener.answer(true);
    });
    let mut rows = reader.rows::<Row>();
    rows.next().await.unwrap().unwrap();
    assert!(turns.swap(0, Ordering::Relaxed) > 10, "while a store answers");
    while rows.next().await.is_some() {}
    assert!(turns.load(Ordering::Relaxed) > 50, "while rows are read");
    other.abort();
}

/// A folder is a store.
#[tokio::test]
async fn a_local_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("a folder")).unwrap();
    std::fs::write(folder.path().join("a folder/rows.trv"), plain(60_000)).unwrap();
    let store = Arc::new(LocalFileSystem::new_with_prefix(folder.path()).unwrap());
    let reader = AsyncReader::open_in(store, "a folder/rows.trv").await.unwrap();
    assert_eq!(all(reader.rows::<Row>()).await, (0..60_000).map(row).collect::<Vec<_>>());
    assert_eq!(reader.requests(), 2);
    assert_eq!(reader.url(), "a folder/rows.trv");
}

fn blocking(store: Arc<Watched>) {
    let (path, shown) = (Path::from(NAME), Shown::plain(NAME));
    let object = Object::at(Place { store, path, shown, is_bucket: true }).unwrap();
    let reader = Reader::new(object).unwrap();
    assert_eq!(reader.column::<i64>("id").unwrap().len(), 60_000);
}

#[tokio::test]
async fn the_source_that_blocks_works_in_a_runtime_of_one_thread() {
    blocking(store(plain(60_000)).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_source_that_blocks_works_in_a_runtime_of_several_threads() {
    let store = store(plain(60_000)).await;
    // In more tasks than there are threads.
    let tasks: Vec<_> = (0..6)
        .map(|_| {
            tokio::spawn({
                let store = Arc::clone(&store);
                async move { blocking(store) }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    tokio::task::spawn_blocking(move || blocking(store)).await.unwrap();
}

/// A row that must stay in its thread.
struct Local(PhantomData<*const ()>);

impl<'de> Deserialize<'de> for Local {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Row::deserialize(deserializer).map(|_| Self(PhantomData))
    }
}

#[test]
fn streams_and_futures_are_send() {
    fn is_send<T: Send>(_: &T) {}
    fn is_unpin<T: Unpin>(_: &T) {}
    block_on(async {
        let reader = opened(&store(plain(10)).await).await.unwrap();
        fn is_shared<T: Send + Sync + Clone>(_: &T) {}
        is_shared(&reader);
        let (rows, batches) = (reader.rows::<Local>(), reader.batches());
        is_send(&rows);
        is_unpin(&rows);
        is_send(&batches);
        is_unpin(&batches);
        is_send(&reader.row::<Row>(1));
        is_send(&reader.row::<Local>(1));
        is_send(&reader.take::<Row>(&[1]));
        is_send(&AsyncReader::open("s3://bucket/key"));
        assert_eq!(rows.count().await, 10);
    });
}
