//! The Parquet library panics on some damaged files, and on some types; here that becomes an error.

use crate::error::{Error, Result};
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in a call of the Parquet library, where a panic becomes an error. A panic hook
/// that asks can stay silent:
///
/// ```
/// let usual = std::panic::take_hook();
/// std::panic::set_hook(Box::new(move |panic| {
///     if !trevni_parquet::is_guarded() {
///         usual(panic);
///     }
/// }));
/// ```
#[must_use]
pub fn is_guarded() -> bool {
    IS_GUARDED.try_with(Cell::get).unwrap_or(false)
}

/// What a call of Arrow's or Parquet's library gives, where a panic becomes an error. After a panic, what the call has worked
/// on must not be used any more.
///
/// ```
/// let failed = trevni_parquet::guarded(|| -> trevni_parquet::Result<()> { panic!("a bad file") });
/// assert!(failed.unwrap_err().to_string().contains("a bad file"));
/// ```
///
/// # Errors
///
/// Those of the call, and a panic.
pub fn guarded<T, E: Into<Error>>(call: impl FnOnce() -> Result<T, E>) -> Result<T> {
    let before = IS_GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(call));
    IS_GUARDED.set(before);
    match done {
        Ok(done) => done.map_err(Into::into),
        Err(panic) => Err(Error::Panic(message(&*panic))),
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}
