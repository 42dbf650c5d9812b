//! Measurements of several days, a file for each day, read as one.
//!
//! ```text
//! cargo run -p examples --bin dataset
//! ```

use serde::{Deserialize, Serialize};
use trevni::{Codec, Dataset, DatasetWriter, Shape, Writer};

const MINUTES: u64 = 24 * 60;

/// What the station measured at first.
#[derive(Serialize)]
#[serde(rename = "Reading")]
struct FirstReading {
    day: u32,
    minute: u32,
    celsius: f32,
}

/// On the third day the station got another sensor.
#[derive(Serialize, Deserialize)]
struct Reading {
    day: u32,
    minute: u32,
    celsius: f32,
    humidity: Option<f32>,
}

fn main() -> Result<(), trevni::Error> {
    let folder = std::env::temp_dir().join(format!("trevni-example-dataset-{}", std::process::id()));

    // The first two days, a part for each. Without `part_rows` a part
    // ends when it has 128 MiB.
    let options = Writer::builder().codec(Codec::Deflate);
    let builder = DatasetWriter::builder().part_rows(MINUTES).writer(options);
    let mut writer = builder.clone().create(&folder)?;
    for (day, minute) in times(0..2) {
        writer.write(&FirstReading { day, minute, celsius: celsius(day, minute) })?;
    }
    writer.finish()?;

    // The third day goes behind them, with one field more.
    let mut writer = builder.append(&folder)?;
    for (day, minute) in times(2..3) {
        let humidity = (minute % 3 != 1).then_some(60.0);
        writer.write(&Reading { day, minute, celsius: celsius(day, minute), humidity })?;
    }
    writer.finish()?;

    let dataset = Dataset::open(&folder)?;
    println!("The parts\n");
    for part in dataset.parts() {
        let (first, rows) = (part.first_row(), part.reader().row_count());
        let fields = match part.reader().shape() {
            Shape::Record(record) => record.fields.len(),
            _ => 0,
        };
        let name = part.path().file_name().unwrap_or_default().display();
        println!("   {name}: rows {first} to {}, {fields} fields", first + rows - 1);
    }

    println!("\nThe shape of all rows\n");
    println!("{}", dataset.shape());

    // A part without the field gives `None`.
    println!("\nThe same minute of each day\n");
    for reading in dataset.rows::<Reading>()? {
        let Reading { day, minute, celsius, humidity } = reading?;
        if minute == 720 {
            let humidity = humidity.map_or("unknown".to_owned(), |h| format!("{h:.0} %"));
            println!("   day {day}: {celsius:.1} degrees, humidity {humidity}");
        }
    }

    println!("\nOne column\n");
    // Only some parts have it: without `optional`, that is an error.
    let humidity = dataset.optional(["humidity"])?.column::<Option<f32>>("humidity")?;
    println!("   {} values, {} of them known", humidity.len(), humidity.iter().flatten().count());

    let noon: Reading = dataset.row(2 * MINUTES + 720)?;
    println!("\nRow {} is minute {} of day {}", 2 * MINUTES + 720, noon.minute, noon.day);

    std::fs::remove_dir_all(folder)?;
    Ok(())
}

fn times(days: std::ops::Range<u32>) -> impl Iterator<Item = (u32, u32)> {
    days.flat_map(|day| (0..MINUTES as u32).map(move |minute| (day, minute)))
}

/// Half degrees: cold at midnight, warm at noon, each day a degree warmer.
fn celsius(day: u32, minute: u32) -> f32 {
    let halves = if minute < 720 { minute } else { 1440 - minute } / 18;
    halves as f32 / 2.0 + day as f32
}
