//! Stores that fail.

use super::*;
use futures::StreamExt;
use futures::executor::block_on;
use trevni::Category;

#[test]
fn failures_are_errors_with_the_path_and_the_reader_goes_on() {
    block_on(async {
        let store = store(file(1000, Writer::builder().block_size(1000))).await;
        let (mut failed, mut whole) = (0, 0);
        for requests in 0.. {
            let reader = tiny(1000).open_in(Arc::clone(&store) as _, NAME).await.unwrap();
            store.fail_after(requests);
            let mut rows = reader.rows::<Row>();
            let mut count = 0;
            let error = loop {
                match rows.next().await {
                    Some(Ok(found)) => assert_eq!(found, row(count)),
                    Some(Err(error)) => break Some(error),
                    None => break None,
                }
                count += 1;
            };
            store.fail_after(usize::MAX);
            let Some(error) = error else {
                whole += 1;
                assert_eq!(count, 1000);
                break;
            };
            failed += 1;
            assert_eq!(error.category(), Category::Io);
            assert!(
                error.to_string().contains("rows.trv") && error.to_string().contains("the line is down"),
                "{error}"
            );
            assert!(rows.next().await.is_none(), "the stream has ended");
            let rest = reader.select(count as u64..1000).unwrap();
            assert_eq!(all(rest.rows::<Row>()).await, (count..1000).map(row).collect::<Vec<_>>());
        }
        assert!(failed > 5 && whole == 1, "{failed}");
        store.fail_after(0);
        let error = opened(&store).await.unwrap_err();
        assert!(error.to_string().contains("rows.trv"), "{error}");
        store.fail_after(usize::MAX);
        let missing = AsyncReader::open_in(Arc::clone(&store) as _, "none.trv").await.unwrap_err();
        assert_eq!(std::io::Error::from(missing).kind(), std::io::ErrorKind::NotFound);
    });
}

#[test]
fn requests_of_others_that_have_failed_are_sent_again() {
    block_on(async {
        let store = store(plain(60_000)).await;
        let reader = opened(&store).await.unwrap();
        store.answer(false);
        let (mut one, mut two) = (reader.rows::<Row>(), reader.rows::<Row>());
        for rows in [&mut one, &mut two] {
            assert!(futures::poll!(rows.next()).is_pending());
        }
        store.wait_for(1);
        store.fail_after(0);
        store.answer(true);
        assert!(one.next().await.unwrap().is_err());
        store.fail_after(usize::MAX);
        assert_eq!(two.next().await.unwrap().unwrap(), row(0));
        assert_eq!(reader.rows::<Row>().count().await, 60_000);
    });
}

#[test]
fn bodies_that_end_too_early_are_errors() {
    block_on(async {
        let store = store(plain(60_000)).await;
        store.cuts.store(1, std::sync::atomic::Ordering::SeqCst);
        assert!(opened(&store).await.is_err());
        let reader = opened(&store).await.unwrap();
        store.cuts.store(1, std::sync::atomic::Ordering::SeqCst);
        let error = reader.rows::<Row>().next().await.unwrap().unwrap_err();
        assert!(error.to_string().contains("fewer bytes were sent than asked for"), "{error}");
        assert_eq!(reader.rows::<Row>().count().await, 60_000);
    });
}

#[test]
fn objects_that_change_are_errors() {
    block_on(async {
        let store = store(plain(60_000)).await;
        let reader = opened(&store).await.unwrap();
        store.put(&NAME.into(), plain(60_001).into()).await.unwrap();
        let error = reader.rows::<Row>().next().await.unwrap().unwrap_err();
        assert!(error.to_string().contains("has changed while it was read"), "{error}");
    });
}
