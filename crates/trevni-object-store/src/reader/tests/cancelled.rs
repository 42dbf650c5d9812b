//! Futures and streams that are dropped while they wait.

use super::*;
use futures::StreamExt;
use futures::executor::block_on;
use serde_json::Value;
use std::pin::pin;
use std::task::Poll;
use trevni::col;

/// After how many polls a future is dropped.
const POLLS: [usize; 10] = [0, 1, 2, 3, 4, 5, 7, 10, 15, 25];

/// Polls a future that often, waiting in between, and drops it; what it has given, if it was done.
async fn dropped_after<T>(polls: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    for _ in 0..polls {
        let polled = std::future::poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await;
        if let Poll::Ready(done) = polled {
            return Some(done);
        }
        std::thread::sleep(std::time::Duration::from_micros(300));
    }
    None
}

#[test]
fn dropped_futures_leave_a_reader_that_reads_and_no_request() {
    block_on(async {
        let store = store(plain(1000)).await;
        for polls in POLLS {
            dropped_after(polls, tiny(2000).open_in(Arc::clone(&store) as _, NAME)).await;
        }
        store.wait_for(0);
        let reader = tiny(2000).open_in(Arc::clone(&store) as _, NAME).await.unwrap();
        for polls in POLLS {
            // Nothing is kept from one to the next but what is kept anyway.
            let fresh = tiny(2000).open_in(Arc::clone(&store) as _, NAME).await.unwrap();
            dropped_after(polls, fresh.row::<Row>(234)).await;
            dropped_after(polls, fresh.take::<Row>(&[900, 5, 900])).await;
            dropped_after(polls, all(fresh.filter(col("last").lt(5)).unwrap().rows::<Row>())).await;
            assert_eq!(fresh.fetched.pins(), 0);
            assert_eq!(fresh.row::<Row>(234).await.unwrap(), row(234));
            assert_eq!(fresh.take::<Row>(&[900, 5, 900]).await.unwrap(), [900, 5, 900].map(row));
            assert!(dropped_after(0, reader.row::<Row>(1)).await.is_none());
        }
        assert_eq!(all(reader.rows::<Row>()).await, (0..1000).map(row).collect::<Vec<_>>());
        drop(reader);
        store.wait_for(0);
    });
}

#[test]
fn dropped_streams_end_their_requests_and_others_go_on() {
    block_on(async {
        let store = store(plain(3000)).await;
        let reader = tiny(3000).open_in(Arc::clone(&store) as _, NAME).await.unwrap();
        let mut other = reader.rows::<Row>();
        let mut found = Vec::new();
        for polls in 0..40 {
            let mut rows = reader.batches();
            let mut taken = 0;
            while taken < polls
                && let Some(Some(batch)) = dropped_after(4, rows.next()).await
            {
                batch.unwrap();
                taken += 1;
            }
            found.extend(dropped_after(polls, other.next()).await.flatten().map(Result::unwrap));
            drop(rows);
        }
        found.extend(all(other).await);
        assert_eq!(found, (0..3000).map(row).collect::<Vec<_>>());
        assert_eq!(reader.fetched.pins(), 0);
        store.wait_for(0);
    });
}

#[test]
fn requests_that_are_never_answered_end_with_their_stream() {
    block_on(async {
        let store = store(plain(60_000)).await;
        let reader = opened(&store).await.unwrap();
        store.answer(false);
        let mut rows = reader.rows::<Value>();
        assert!(dropped_after(5, rows.next()).await.is_none());
        store.wait_for(1);
        // Another call waits for the same request.
        assert!(dropped_after(5, rows.next()).await.is_none());
        assert_eq!(store.under_way(), 1);
        drop(rows);
        store.wait_for(0);
        let mut rows = reader.rows::<Row>();
        assert!(dropped_after(5, rows.next()).await.is_none());
        store.answer(true);
        assert_eq!(all(rows).await.len(), 60_000);
    });
}
