//! A file in an object store, read from tokio by its columns and by a filter.
//!
//! ```text
//! cargo run -p examples --features object-store --bin object_store                             # a store in memory
//! cargo run -p examples --features object-store --bin object_store -- s3://bucket/events.trv   # a bucket, or https://…
//! ```
//!
//! **Parquet** has async readers too; you pass Arrow's batches on, or turn them into structs yourself. **SQLite** needs the whole
//! file on a disk. **CSV** has no columns: each question fetches all bytes.

use futures::TryStreamExt;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::sync::Arc;
use trevni::col;
use trevni_object_store::AsyncReader;
use trevni_object_store::object_store::{ObjectStoreExt, memory::InMemory};

#[derive(Serialize)]
struct Event {
    time: u64,
    level: &'static str,
    message: String,
}

/// The fields that the question needs: `level` is fetched for the filter, `message` where a row matches.
#[derive(Deserialize)]
struct Message {
    time: u64,
    message: String,
}

fn event(time: u64) -> Event {
    let level = if time % 60_000 == 59_999 { "ERROR" } else { "INFO" };
    Event { time, level, message: format!("request {time} took {} ms", time % 97) }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let reader = match std::env::args().nth(1) {
        Some(url) => AsyncReader::open(&url).await?,
        None => {
            let store = InMemory::new();
            let file = trevni::to_vec((0..300_000).map(event))?;
            store.put(&"events.trv".into(), file.into()).await?;
            AsyncReader::open_in(Arc::new(store), "events.trv").await?
        }
    };
    println!("{} events", reader.row_count());
    let mut errors = reader.filter(col("level").eq("ERROR"))?.rows::<Message>();
    while let Some(error) = errors.try_next().await? {
        println!("{}: {}", error.time, error.message);
    }
    Ok(())
}
