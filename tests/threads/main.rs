//! Many threads at once: readers and writers that give way wherever they touch what they share. Whatever comes first, rows and
//! bytes are the same, and nothing waits for ever.

mod datasets;
mod reading;
mod rows;
mod writing;
mod yielding;

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Longer than any test takes, also one that is watched by a sanitizer: then something waits for what does not come.
const FOR_EVER: Duration = Duration::from_secs(600);

/// Runs a test on a thread of its own; one that does not end fails.
fn ends(test: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = channel::<()>();
    let running = thread::spawn(move || {
        let _ends = sender;
        test();
    });
    assert_ne!(
        receiver.recv_timeout(FOR_EVER),
        Err(RecvTimeoutError::Timeout),
        "threads wait for each other"
    );
    running.join().unwrap_or_else(|panic| resume_unwind(panic));
}
