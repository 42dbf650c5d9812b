//! Trevni column files in object stores (`s3://bucket/key`) and behind web servers (`https://…`), for readers that block.
//!
//! [`open`] gives a reader of an object. Opening takes one request, or two if the header is long; after that, the columns that
//! are read are fetched in few ranges, neighbours together and several at a time. [`Upload`] writes an object, which is whole
//! or not there.
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

mod failure;
mod listing;
mod object;
mod place;
mod runtime;
mod upload;

pub use listing::{is_pattern, list};
pub use object::{Object, ObjectRead};
pub use place::is_url;
pub use upload::Upload;

use trevni::Reader;

/// Opens the column file at a URL.
///
/// # Errors
///
/// A URL that is none of a store, an object that cannot be fetched, and what [`Reader::new`] says of its bytes.
pub fn open(url: &str) -> trevni::Result<Reader<'static>> {
    Reader::new(Object::open(url)?)
}
