//! Readers that do not wait, over stores in memory whose requests are counted, fail or stop.

mod cancelled;
mod damaged;
mod executors;
mod failing;
mod requests;
mod same;
mod store;

use super::{AsyncReader, AsyncReaderBuilder};
use crate::reader::scan::Sizes;
use futures::{Stream, TryStreamExt};
use object_store::ObjectStoreExt;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use store::Watched;
use trevni::{Writer, WriterBuilder};

/// The object of a store.
const NAME: &str = "rows.trv";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    id: i64,
    noise: [u64; 4],
    text: String,
    last: i32,
}

fn row(id: i64) -> Row {
    let mix = |id: i64| {
        (id as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xd6e8_feb8_6659_fd93)
    };
    let noise = [id, id + 1, id + 2, id + 3].map(mix);
    Row { id, noise, text: format!("{:x}", noise[0]), last: (id % 1000) as i32 }
}

fn file(count: i64, options: WriterBuilder) -> Vec<u8> {
    let mut writer = options.build(Vec::new()).unwrap();
    writer.write_all((0..count).map(row)).unwrap();
    writer.finish().unwrap()
}

/// A store of one object.
async fn store(bytes: Vec<u8>) -> Arc<Watched> {
    let store = Arc::new(Watched::default());
    store.put(&NAME.into(), bytes.into()).await.unwrap();
    store
}

async fn opened(store: &Arc<Watched>) -> trevni::Result<AsyncReader> {
    AsyncReader::open_in(Arc::clone(store) as _, NAME).await
}

/// A reader that fetches little at a time, so that small files are read as large ones are.
fn tiny(window: u64) -> AsyncReaderBuilder {
    let sizes = Sizes { head: 64, small: 0, table: 64, window, block: u64::MAX };
    AsyncReaderBuilder { sizes, ..AsyncReaderBuilder::default() }
}

async fn all<T>(rows: impl Stream<Item = trevni::Result<T>>) -> Vec<T> {
    rows.try_collect().await.unwrap()
}

/// A file of `count` rows, with the default options.
fn plain(count: i64) -> Vec<u8> {
    file(count, Writer::builder())
}
