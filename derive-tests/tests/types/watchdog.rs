//! Says which case never ends, and ends the program.

use crate::checks::Case;
use crate::report::describe_type;
use std::sync::{Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// No case takes a hundredth of this.
const PATIENCE: Duration = Duration::from_secs(60);

static CURRENT: Mutex<Option<(Instant, Case)>> = Mutex::new(None);

/// Watches a case, or nothing.
pub fn watch(case: Option<&Case>) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| drop(thread::spawn(look)));
    *CURRENT.lock().unwrap_or_else(PoisonError::into_inner) = case.map(|case| (Instant::now(), case.clone()));
}

fn look() {
    loop {
        thread::sleep(PATIENCE / 10);
        let current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((since, case)) = &*current
            && since.elapsed() > PATIENCE
        {
            eprintln!("this case never ends:\n{}", describe_type(case));
            std::process::abort();
        }
    }
}
