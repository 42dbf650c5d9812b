//! The Parquet library panics on some damaged files, and on some types; here that becomes an error.

use crate::error::{Error, Result};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a call of the library gives. After a panic, what the call has worked on must not be used any more.
pub(crate) fn guarded<T, E: Into<Error>>(call: impl FnOnce() -> Result<T, E>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(done) => done.map_err(Into::into),
        Err(panic) => Err(Error::Panic(message(&*panic))),
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}
