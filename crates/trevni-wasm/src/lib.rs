//! Trevni column files in JavaScript: what `js/index.js` calls.
//!
//! # Design
//!
//! * **Nothing waits here.** A reader has the bytes that JavaScript has fetched ([`pieces`]). A call that lacks some returns nothing,
//!   [`File::missing`] says which, and it is called again. So `File.slice` and `fetch` stay asynchronous, and no shared memory is
//!   needed.
//! * **A module for each file.** A fault of this crate ends its module; other files go on, and the memory of a file ends with it.
//! * **Numbers are packed**: a column becomes a typed array. Rows are made of values as `trevni cat` prints them.
//! * **Arrow is written here** ([`arrow`]): the crates of Arrow would be half of the package. Tests compare it with `trevni-arrow`.

mod arrow;
mod cells;
mod column;
mod fault;
mod file;
mod matching;
mod pieces;
mod schema;
mod to_js;

pub use file::File;

use std::sync::Mutex;
use wasm_bindgen::prelude::wasm_bindgen;

/// What the last panic said.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps what a panic says: the trap that follows says nothing.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut last) = LAST_PANIC.try_lock() {
            *last = panic.to_string();
        }
    }));
}

/// The message of the last panic; empty without a panic.
#[wasm_bindgen(js_name = lastPanic)]
#[must_use]
pub fn last_panic() -> String {
    LAST_PANIC.try_lock().map(|last| last.clone()).unwrap_or_default()
}
