//! Reads and writes Trevni column files in object stores (`s3://bucket/key`), and reads them from web servers (`https://…`).
//!
//! [`open`] gives a reader of an object that blocks, [`AsyncReader`] one that does not: its rows are a stream. Opening takes one request, or
//! two if the header is long; after that, the columns that are read are fetched in few ranges, neighbours together and several at a
//! time. [`Upload`] writes an object, which is whole or not there.
//!
//! ```no_run
//! let reader = trevni_object_store::open("s3://bucket/flights.trv")?;
//! let delays = reader.column::<Option<i64>>("dep_delay")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Buckets take credentials, region and endpoint from the environment (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
//! `AWS_REGION`, `AWS_ENDPOINT_URL`, `AWS_SKIP_SIGNATURE`, …), as the crate `object_store` reads them. Errors name the URL
//! without its query and password.
//!
//! Requests that fail for the moment are sent again for up to half a minute. The crate has a runtime of its own, with two
//! threads; its functions may be called from any thread, where blocking is allowed.
//!
//! # Design
//!
//! `trevni-datafusion` does not use this crate: it reads through the stores of its engine. It reads without waiting in the same way as
//! `reader`.
//!
//! * **Waiting** (`runtime`): the crate has a runtime of two threads, and the caller waits on a channel, so it may be
//!   in a runtime of its own.
//! * **The first request asks for bytes**, not for its size: the answer has size and entity tag, which later
//!   requests must match. The answer's tag is compared too, since not all servers mind.
//! * **Reading ahead** (`object/ahead.rs`) knows from the header where columns begin: a block table brings its column,
//!   if that is small, and no other; a column read in order is fetched in steps that double; a jump fetches little. It
//!   need only be good, not right: what is missing is fetched when it is read.
//! * **Threads** that miss the same bytes wait for the one that fetches them; others fetch at the same time.
//! * **URLs of web servers are stores of one object** (`place`), so queries such as signatures stay, and names are not
//!   encoded twice.
//! * **Without waiting** (`reader`): the source of an [`AsyncReader`] has what has been fetched, and answers `WouldBlock` for the rest. What
//!   says where rows are (header, block tables, zone maps) is read in *steps*: plain calls that are taken again after what they
//!   missed has been fetched. Rows are decoded by plain calls, too, once `Reader::ranges` of a window has been fetched. So
//!   there is no asynchronous code below this crate.
//! * **Requests run in the crate's runtime**, and end when what waits for them is dropped. Any executor can wait for them, and a
//!   client's connections do not end with the runtime of the first caller.
//! * **What a stream has fetched is pinned** (`pieces`) until its window is done; streams share it.
//! * **A type says its columns** (`reader/needs.rs`) before the first row: it is asked for its fields without any value.
//! * **Uploads** send parts as they fill; the bytes become an object in `commit`. A dropped one is aborted, its parts
//!   under way first.

mod failure;
mod listing;
mod object;
mod pieces;
mod place;
mod reader;
mod remote;
mod runtime;
mod upload;
mod whole;

pub use listing::{is_pattern, list};
pub use object::{Object, ObjectRead};
pub use object_store;
pub use place::is_url;
pub use reader::{AsyncBatches, AsyncReader, AsyncReaderBuilder, AsyncRows};
pub use upload::Upload;

use trevni::Reader;

/// Opens the column file at a URL.
///
/// # Errors
///
/// A URL without a store, an object that cannot be fetched, and the errors of [`Reader::new`].
pub fn open(url: &str) -> trevni::Result<Reader<'static>> {
    Reader::new(Object::open(url)?)
}

/// The examples of the README and of the guide, which run as tests.
#[cfg(doctest)]
mod examples {
    #[doc = include_str!("../README.md")]
    struct Readme;

    // A link to `docs/async.md`, which is part of the package.
    #[doc = include_str!("../async.md")]
    struct Async;
}
