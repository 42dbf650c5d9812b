//! A log whose writer is killed at any moment, also while it compacts, or has no room: what it has flushed is there, once and in order.

#![cfg(unix)]

use crate::folder::Folder;
use crate::rows::{Row, row};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use trevni::dataset::Compact;
use trevni::{Dataset, DatasetWriter};

const FOLDER: &str = "TREVNI_TEST_LOG_FOLDER";
const FIRST: &str = "TREVNI_TEST_LOG_FIRST";
/// How many writers are killed, unless the environment says it.
const KILLS: u32 = 20;
/// Rows of a second writer.
const OTHER: u64 = 1 << 20;
/// Rows of a part. Only some of them end with a flush.
const PART: u64 = 95;

/// Appends rows from a number on, without end, and compacts the folder now and then; says how many it has flushed.
fn write_log(folder: &Path, first: u64) -> trevni::Result<()> {
    let mut writer = DatasetWriter::builder().part_rows(PART).append(folder)?;
    for number in first.. {
        writer.write(&row(number))?;
        if number % 7 == 0 {
            writer.flush()?;
            println!("\nflushed {}", number + 1);
        }
        if number % 120 == 60 {
            // In small parts, and the replaced files removed at once; another program may be at it.
            let _ = Compact::new().part_bytes(20_000).keep(Duration::ZERO).folder(folder);
        }
    }
    Ok(())
}

/// Does it where this process is a child that is to do it.
fn serve() {
    let (Some(folder), Ok(first)) = (std::env::var_os(FOLDER), std::env::var(FIRST)) else { return };
    let error = write_log(&PathBuf::from(folder), first.parse().unwrap()).unwrap_err();
    println!("\n{error}");
    std::process::exit(1)
}

fn command(test: &str, folder: &Path, first: u64) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).stdout(Stdio::piped());
    command.env(FOLDER, folder).env(FIRST, first.to_string());
    command
}

/// The last number that a child said.
fn last_flushed(child: &mut Child, first: u64) -> u64 {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let flushed = lines.map_while(Result::ok).filter_map(|line| line.strip_prefix("flushed ")?.parse().ok());
    flushed.last().unwrap_or(first)
}

/// The rows of the first writer and of the second; each is all rows from its first on.
fn rows(folder: &Path) -> (u64, u64) {
    let rows = Dataset::open(folder).unwrap().rows::<Row>().unwrap().map(|row| row.unwrap());
    let (own, others): (Vec<Row>, Vec<Row>) = rows.partition(|row| row.id < OTHER);
    for (rows, first) in [(&own, 0), (&others, OTHER)] {
        let wrong = (first..).zip(rows).find(|(number, own)| row(*number) != **own);
        assert!(wrong.is_none(), "{wrong:?}");
    }
    (own.len() as u64, others.len() as u64)
}

/// Tells the other threads to end, however this one does.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

#[test]
fn killed_writers_lose_no_flushed_row() {
    serve();
    let kills = std::env::var("TREVNI_TEST_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let folder = Folder::new("log");
    // A second appender, which lives, a reader, and a program that compacts.
    let mut other = DatasetWriter::builder().part_rows(PART).sync_rows(5).append(&folder.0).unwrap();
    other.write_all((OTHER..OTHER + 5).map(row)).unwrap();
    let ended = AtomicBool::new(false);
    let (mut first, mut others) = (0, 5);
    std::thread::scope(|scope| {
        let _end = End(&ended);
        scope.spawn(|| {
            let mut seen = (0, 0);
            while !ended.load(Ordering::Acquire) {
                let now = rows(&folder.0);
                assert!(now.0 >= seen.0 && now.1 >= seen.1, "{now:?} after {seen:?}");
                seen = now;
            }
        });
        scope.spawn(|| {
            while !ended.load(Ordering::Acquire) {
                let _ = Compact::new().part_bytes(1 << 20).folder(&folder.0);
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        for kill in 0..kills {
            let mut child =
                command("log::killed_writers_lose_no_flushed_row", &folder.0, first).spawn().unwrap();
            std::thread::sleep(Duration::from_micros(u64::from(kill) * 7919 % 120_000));
            other.write_all((OTHER + others..OTHER + others + 5).map(row)).unwrap();
            others += 5;
            child.kill().unwrap();
            child.wait().unwrap();
            let flushed = last_flushed(&mut child, first);
            let now = rows(&folder.0);
            // What it had flushed without saying so yet, or the end of a part, may be there too.
            assert!((flushed..flushed + 8).contains(&now.0), "{kill}: {now:?} rows, {flushed} flushed");
            assert_eq!(now.1, others, "{kill}");
            first = now.0;
        }
    });
    println!("{kills} killed, {first} rows, 0 lost");
    assert!(first > 0, "none has written anything");
    other.finish().unwrap();
    DatasetWriter::builder().append(&folder.0).unwrap().finish().unwrap();
    Compact::new().keep(Duration::ZERO).folder(&folder.0).unwrap();
    assert_eq!(rows(&folder.0), (first, others));
    // Hidden files of killed writers go when the next process looks.
    let names = std::fs::read_dir(&folder.0).unwrap().map(|file| file.unwrap().file_name());
    assert_eq!(names.filter(|name| !name.to_string_lossy().starts_with('.')).count(), 1);
}

#[test]
fn a_full_disk_loses_no_flushed_row() {
    serve();
    let folder = Folder::new("log-disk");
    let (mut first, mut failed) = (0, 0);
    // In blocks of 512 or of 1024 bytes: no file, not even a merged one, gets larger.
    let limits = [1, 2, 3, 4, 5, 6, 8, 4, 2, 10, 1];
    for (turn, limit) in limits.into_iter().cycle().take(20 * limits.len()).enumerate() {
        // More of them on a busy machine, until one has met its limit.
        if turn >= limits.len() && failed > 0 && first > 0 {
            break;
        }
        let own = command("log::a_full_disk_loses_no_flushed_row", &folder.0, first);
        let mut limited = Command::new("sh");
        limited.args(["-c", r#"trap '' XFSZ; ulimit -f "$LIMIT"; exec "$0" "$@""#]).arg(own.get_program());
        limited.args(own.get_args()).env("LIMIT", limit.to_string()).stdout(Stdio::piped());
        limited.envs(own.get_envs().filter_map(|(key, value)| Some((key, value?))));
        let mut child = limited.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(120));
        child.kill().unwrap();
        failed += u32::from(child.wait().unwrap().code() == Some(1));
        let flushed = last_flushed(&mut child, first);
        let now = if flushed == 0 && Dataset::open(&folder.0).is_err() { 0 } else { rows(&folder.0).0 };
        assert!((flushed..flushed + 8).contains(&now), "{limit}: {now} rows, {flushed} flushed");
        first = now;
    }
    println!("{failed} times without room, {first} rows, 0 lost");
    assert!(failed > 0 && first > 0);
    DatasetWriter::builder().append(&folder.0).unwrap().finish().unwrap();
    assert_eq!(rows(&folder.0).0, first);
}
