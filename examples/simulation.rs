//! Ten million rows of nested numbers, with a progress bar: `cargo run --release -p examples --bin simulation [ROWS [PATH]]`
//!
//! With **Parquet**, you build arrays of structs and lists column by column, or trace a schema for serde. **SQLite** has no
//! lists: a second table, and a join to read them. **CSV** has no lists either, and prints and parses each number.

use serde::{Deserialize, Serialize};
use std::io::{IsTerminal, stderr};
use std::{env, path::PathBuf};
use trevni::{Codec, Reader, Writer};

#[derive(Serialize)]
struct Particle {
    step: u32,
    position: [f32; 3],
    velocity: Velocity,
    hits: Vec<u16>, // the other particles it met
}

#[derive(Serialize, Deserialize)]
struct Velocity {
    x: f32,
    y: f32,
}

/// The part of a particle that the question needs: two of eight columns.
#[derive(Deserialize)]
struct Speed {
    velocity: Velocity,
}

fn particle(n: u32) -> Particle {
    let (turn, radius) = (n as f32 * 0.001, (n % 1000) as f32);
    let velocity = Velocity { x: turn.cos(), y: turn.sin() };
    let position = [radius * velocity.y, radius * velocity.x, radius];
    Particle { step: n / 1000, position, velocity, hits: (0..n % 3).map(|k| (n + k) as u16).collect() }
}

fn progress(what: &str, done: u32, all: u32) {
    if stderr().is_terminal() && (done == all || done.is_multiple_of(50_000)) {
        let bar = "#".repeat((u64::from(done) * 40 / u64::from(all)) as usize);
        eprint!("\r{what} [{bar:40}] {done} of {all} rows{}", if done == all { "\n" } else { "" });
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows = env::args().nth(1).map_or(Ok(10_000_000), |rows| rows.parse())?;
    let path = env::args().nth(2).map_or_else(|| env::temp_dir().join("simulation.trv"), PathBuf::from);
    let mut writer = Writer::builder().codec(Codec::Typed).create(&path)?;
    (0..rows).try_for_each(|n| writer.write(&particle(n)).map(|()| progress("write", n + 1, rows)))?;
    writer.finish()?;
    let mut energy = 0.0;
    for (n, speed) in (1..).zip(Reader::open(&path)?.rows::<Speed>()?) {
        let Velocity { x, y } = speed?.velocity;
        energy += f64::from(x * x + y * y) / 2.0;
        progress("read ", n, rows);
    }
    println!("{rows} rows, {} bytes, energy {energy:.1}", path.metadata()?.len());
    Ok(())
}
