//! Keeps memory that has been freed, so that the clock does not run while the kernel clears pages.

use std::ffi::OsString;
use std::io::Result;
use std::process::Command;

/// What glibc's allocator reads when a process starts: never give back, never map large blocks apart.
pub const SETTINGS: [(&str, &str); 3] = [
    ("MALLOC_TRIM_THRESHOLD_", "1000000000000"),
    ("MALLOC_MMAP_THRESHOLD_", "1000000000000"),
    ("MALLOC_TOP_PAD_", "67108864"),
];

/// Starts this program again with these settings, unless they are there.
///
/// Without them the price of a fresh page, which is the machine's and not a library's, hides much of
/// what is compared. Where the allocator is another one they do nothing.
#[cfg(unix)]
pub fn keep_memory() -> Result<()> {
    use std::os::unix::process::CommandExt;
    if SETTINGS.iter().all(|(name, _)| std::env::var_os(name).is_some()) {
        return Ok(());
    }
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    Err(Command::new(std::env::current_exe()?).args(arguments).envs(SETTINGS).exec())
}

/// Nothing: the settings are those of an allocator that is not here.
#[cfg(not(unix))]
pub fn keep_memory() -> Result<()> {
    Ok(())
}
