//! Rows by their numbers: what one of them costs, some ranges, and several threads.
//!
//! ```text
//! cargo run --release -p examples --bin random_access
//! ```

use serde::{Deserialize, Serialize};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use trevni::{Reader, RowSelection, Source, Writer};

const ROWS: u64 = 100_000;

/// A track of a vehicle.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Track {
    id: u64,
    vehicle: String,
    remark: Option<String>,
    points: Vec<Point>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Point {
    second: u32,
    x: i32,
    y: i32,
}

/// The part of a track that says how long it is.
#[derive(Deserialize)]
struct Seconds {
    points: Vec<Second>,
}

#[derive(Deserialize)]
struct Second {
    second: u32,
}

fn main() -> Result<(), trevni::Error> {
    let mut writer = Writer::builder().block_size(16 << 10).build(Vec::new())?;
    writer.write_all((0..ROWS).map(track))?;
    let file = Counting::new(writer.finish()?);
    let reader = Reader::new(&file)?;
    println!("{} rows, {} bytes\n", reader.row_count(), file.bytes.len());
    println!("column          blocks");
    for (number, column) in reader.columns().iter().enumerate() {
        println!("{:<14}  {:>6}", column.name(), reader.blocks(number)?.len());
    }
    file.take();

    // Of each column, only the block that holds the row is read, and the
    // lengths that lead to it. The reader keeps the blocks: a row nearby costs
    // nothing more.
    println!("\nOne row\n");
    for number in [0, 50_000, 50_001, ROWS - 1] {
        let row: Track = reader.row(number)?;
        assert_eq!(row, track(number));
        let Track { vehicle, points, .. } = row;
        println!("   row {number:>5}: {vehicle:<7}  {} points  {:>6} bytes read", points.len(), file.take());
    }

    // A smaller type, fewer columns.
    let row: Seconds = reader.row(75_000)?;
    let last = row.points.last().map_or(0, |point| point.second);
    println!("   row 75000: {last:>3} seconds          {:>5} bytes read", file.take());

    println!("\nSome ranges\n");
    let some = reader.select([10..20, 60_000..60_500, ROWS - 5..ROWS])?;
    let rows = some.rows::<Track>()?.collect::<Result<Vec<_>, _>>()?;
    assert_eq!((rows[10].id, rows[514].id), (60_000, ROWS - 1));
    println!("   {} rows  {:>6} bytes read", rows.len(), file.take());
    let every_second: RowSelection = (40_000..41_000).step_by(2).collect();
    let vehicles = reader.select(every_second)?.column::<String>("vehicle")?;
    println!("   {} rows  {:>6} bytes read, of one column", vehicles.len(), file.take());

    // A reader can be shared by threads; each takes its own rows.
    println!("\nFour threads, a quarter each\n");
    let quarters = (0..4).map(|n| n * ROWS / 4..(n + 1) * ROWS / 4);
    let sums: Vec<u64> = thread::scope(|scope| {
        let reader = &reader;
        let threads: Vec<_> =
            quarters.clone().map(|rows| scope.spawn(move || seconds(&reader.select(rows)?))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect::<Result<_, _>>()
    })?;
    for (rows, sum) in quarters.zip(&sums) {
        println!("   rows {:>5} to {:>5}: {sum} seconds", rows.start, rows.end - 1);
    }
    assert_eq!(sums.iter().sum::<u64>(), seconds(&reader)?);
    Ok(())
}

/// The seconds of all tracks.
fn seconds(reader: &Reader<'_>) -> Result<u64, trevni::Error> {
    let lasts = reader.rows::<Seconds>()?.map(|track| {
        let last = track?.points.last().map_or(0, |point| point.second);
        Ok(u64::from(last))
    });
    lasts.sum()
}

/// A track of one to nine points.
fn track(id: u64) -> Track {
    let mix = id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let point = |n: u64| Point {
        second: n as u32 * 15,
        x: (mix % 5000 + n * 31) as i32,
        y: (mix % 3000 + n * 17) as i32 - 1500,
    };
    Track {
        id,
        vehicle: format!("bus {}", mix % 120),
        remark: mix.is_multiple_of(50).then(|| format!("stopped at {}", mix % 400)),
        points: (0..=mix % 9).map(point).collect(),
    }
}

/// Bytes that are counted when they are read.
struct Counting {
    bytes: Vec<u8>,
    read: AtomicU64,
}

impl Counting {
    fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, read: AtomicU64::new(0) }
    }

    /// The number of bytes read since the last time.
    fn take(&self) -> u64 {
        self.read.swap(0, Ordering::Relaxed)
    }
}

impl Source for Counting {
    fn size(&self) -> io::Result<u64> {
        Source::size(&self.bytes)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.read.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        self.bytes.read_at(offset, buffer)
    }
}
