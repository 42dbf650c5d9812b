//! Appends events as fast as it goes and makes them durable each second, each 100 ms, and each row: with a dataset, with
//! SQLite (WAL, `synchronous=NORMAL`, one transaction for as many rows), and with CSV and `fsync`.
//!
//! `cargo run --release [folder] [seconds]`

use rusqlite::Connection;
use serde::Serialize;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use trevni::DatasetWriter;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// What a service writes.
#[derive(Serialize)]
struct Event {
    time: u64,
    level: &'static str,
    service: String,
    host: String,
    message: String,
    trace: Option<String>,
    user: Option<u64>,
    bytes: u32,
    millis: f64,
    region: &'static str,
}

fn event(number: u64) -> Event {
    Event {
        time: 1_700_000_000_000 + number * 37,
        level: ["INFO", "WARN", "ERROR"][(number % 17 / 8) as usize],
        service: format!("svc{}", number % 7),
        host: format!("host-{:03}", number % 113),
        message: format!("request {number} took {} ms, status {}", number * 7919 % 977, 200 + number % 5),
        trace: number
            .is_multiple_of(3)
            .then(|| format!("{:016x}", number.wrapping_mul(0x9E37_79B9_7F4A_7C15))),
        user: number.is_multiple_of(2).then_some(number * 31 % 100_000),
        bytes: (number * 31 % 10_007) as u32,
        millis: (number * 7919 % 977) as f64 / 7.0,
        region: "eu-west-1",
    }
}

/// How often rows are made durable.
#[derive(Clone, Copy, Debug)]
enum Every {
    Time(Duration),
    Row,
}

/// Calls with numbers until the time is over, and whether rows are to be durable now; returns rows a second.
fn run(seconds: u64, every: Every, mut write: impl FnMut(u64, bool) -> Result<()>) -> Result<f64> {
    let (start, time) = (Instant::now(), Duration::from_secs(seconds));
    let (mut rows, mut last) = (0, start);
    loop {
        let now = Instant::now();
        let is_over = now.duration_since(start) >= time;
        let is_due = match every {
            Every::Row => true,
            Every::Time(time) => now.duration_since(last) >= time,
        };
        if is_due {
            last = now;
        }
        write(rows, is_due || is_over)?;
        rows += 1;
        if is_over {
            return Ok(rows as f64 / start.elapsed().as_secs_f64());
        }
    }
}

fn dataset(folder: &Path, seconds: u64, every: Every) -> Result<f64> {
    let mut writer = DatasetWriter::create(folder)?;
    run(seconds, every, |number, is_due| {
        writer.write(&event(number))?;
        if is_due {
            writer.flush()?;
        }
        Ok(())
    })
}

fn sqlite(folder: &Path, seconds: u64, every: Every) -> Result<f64> {
    fs::create_dir_all(folder)?;
    let database = Connection::open(folder.join("log.db"))?;
    database.execute_batch(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
         CREATE TABLE log (time INTEGER, level TEXT, service TEXT, host TEXT, message TEXT, trace TEXT, user INTEGER,
                           bytes INTEGER, millis REAL, region TEXT);
         BEGIN",
    )?;
    let mut insert = database.prepare("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
    run(seconds, every, |number, is_due| {
        let Event { time, level, service, host, message, trace, user, bytes, millis, region } = event(number);
        let (time, user) = (time as i64, user.map(|user| user as i64));
        insert.execute((time, level, service, host, message, trace, user, bytes, millis, region))?;
        if is_due {
            database.execute_batch("COMMIT; BEGIN")?;
        }
        Ok(())
    })
}

fn csv(folder: &Path, seconds: u64, every: Every) -> Result<f64> {
    fs::create_dir_all(folder)?;
    let mut writer = csv::Writer::from_writer(File::create(folder.join("log.csv"))?);
    run(seconds, every, |number, is_due| {
        writer.serialize(event(number))?;
        if is_due {
            writer.flush()?;
            writer.get_ref().sync_data()?;
        }
        Ok(())
    })
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().map_or_else(|| std::env::temp_dir().join("log-bench"), PathBuf::from);
    let seconds = arguments.next().map_or(Ok(4), |seconds| seconds.parse())?;
    type Contestant = fn(&Path, u64, Every) -> Result<f64>;
    let contestants: [(&str, Contestant); 3] = [("trevni", dataset), ("SQLite", sqlite), ("CSV", csv)];
    println!(
        "| durable each | rows a second: trevni | SQLite | CSV | trevni ÷ SQLite |\n|---|--:|--:|--:|--:|"
    );
    for (name, every) in [
        ("second", Every::Time(Duration::from_secs(1))),
        ("100 ms", Every::Time(Duration::from_millis(100))),
        ("row", Every::Row),
    ] {
        let mut rates = [const { Vec::new() }; 3];
        for _ in 0..3 {
            for ((name, contestant), rates) in contestants.iter().zip(&mut rates) {
                let own = folder.join(name);
                let _ = fs::remove_dir_all(&own);
                rates.push(contestant(&own, seconds, every)?);
                fs::remove_dir_all(&own)?;
            }
        }
        let [trevni, sqlite, csv] = rates.map(|mut rates| {
            rates.sort_by(f64::total_cmp);
            rates[rates.len() / 2]
        });
        println!("| {name} | {trevni:.0} | {sqlite:.0} | {csv:.0} | {:.2} |", trevni / sqlite);
    }
    fs::remove_dir_all(folder)?;
    Ok(())
}
