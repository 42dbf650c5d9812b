//! A log that survives a crash, begins a new file each 1,000 events, and keeps the newest 4,000 events:
//! `cargo run -p examples --bin rotating_log [FOLDER]`
//!
//! With **Parquet**, a file has no rows before its footer is written, so a crash loses all of an open file. **SQLite** makes each
//! commit durable, but a file shrinks only by `VACUUM`, and a filter on one field reads whole rows. Of **CSV**, the last line may
//! be half after a crash, and each read parses everything.

use serde::{Deserialize, Serialize};
use std::{env, error::Error, path::Path, path::PathBuf, process::Command};
use trevni::{Dataset, DatasetWriter, col};

#[derive(Serialize, Deserialize)]
struct Event {
    number: u64,
    level: String,
    message: String,
}

/// Appends events until the program crashes, half of the time after the last flush.
fn run_until_crash(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut log = DatasetWriter::builder().part_rows(1000).append(folder)?;
    for number in 0..3250 {
        let level = if number % 100 == 0 { "ERROR" } else { "INFO" };
        log.write(&Event { number, level: level.into(), message: format!("request {number}") })?;
        if number % 100 == 99 {
            log.flush()?; // these rows are on the disk; `sync_every` does so by time
        }
    }
    std::process::abort() // 50 events were written after the last flush
}

/// Removes the oldest files, while the others have `keep` events.
fn rotate(folder: &Path, keep: u64) -> trevni::Result<()> {
    let log = Dataset::open(folder)?;
    let mut left = log.row_count();
    for (file, part) in Dataset::files(folder)?.iter().zip(log.parts()) {
        left -= part.reader().row_count();
        if left < keep {
            break;
        }
        file.remove()?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args().nth(1).map_or_else(|| env::temp_dir().join("rotating_log"), PathBuf::from);
    if env::var_os("CRASH").is_some() {
        return run_until_crash(&folder);
    }
    for run in 1..=3 {
        Command::new(env::current_exe()?).arg(&folder).env("CRASH", "1").status()?;
        rotate(&folder, 4000)?;
        let log = Dataset::open(&folder)?;
        println!("after crash {run}: {} events in {} files", log.row_count(), log.parts().len());
    }
    let errors = Dataset::open(&folder)?.filter(col("level").eq("ERROR"))?;
    println!("errors: {}", errors.rows::<Event>()?.count());
    Ok(())
}
