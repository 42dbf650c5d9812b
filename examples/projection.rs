//! Three ways to read less than the whole file.
//!
//! ```text
//! cargo run -p examples --bin projection
//! ```

use serde::{Deserialize, Serialize};
use serde_json::Value;
use trevni::Reader;

/// What a weather station sends each minute.
#[derive(Debug, Serialize, Deserialize)]
struct Reading {
    minute: u32,
    station: String,
    place: Place,
    temperature: f32,
    humidity: Option<f32>,
    remarks: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Place {
    latitude: f64,
    longitude: f64,
}

/// Fewer fields, in another order; `humidity` becomes `wet`.
#[derive(Debug, Deserialize)]
struct Air {
    #[serde(alias = "humidity")]
    wet: Option<f32>,
    temperature: f32,
}

fn main() -> Result<(), trevni::Error> {
    let readings: Vec<Reading> = (0..1440).map(reading).collect();
    let bytes = trevni::to_vec(&readings)?;

    // 1. A type with fewer fields. serde tells the reader their names.
    println!("1. A smaller struct\n");
    let air: Vec<Air> = trevni::from_slice(&bytes)?;
    for air in &air[719..722] {
        let wet = air.wet.map_or("unknown".to_owned(), |w| format!("{w:.0} %"));
        println!("   {:.1} degrees, humidity {wet}", air.temperature);
    }

    // 2. Paths, for a type that takes whatever comes.
    println!("\n2. Paths\n");
    let reader = Reader::from_slice(&bytes)?;
    let reader = reader.project(["station", "place.latitude"])?;
    for row in reader.rows::<Value>()?.take(3) {
        println!("   {}", row?);
    }

    // 3. One column as a vector.
    println!("\n3. One column\n");
    let reader = Reader::from_slice(&bytes)?;
    let temperatures = reader.column::<f32>("temperature")?;
    let warmest = temperatures.iter().copied().fold(f32::MIN, f32::max);
    println!("   {} values, the warmest {warmest}", temperatures.len());
    Ok(())
}

fn reading(minute: u32) -> Reading {
    // Half degrees: cold at midnight, warm at noon.
    let halves = if minute < 720 { minute } else { 1440 - minute } / 18;
    Reading {
        minute,
        station: format!("station-{}", minute % 3),
        place: Place { latitude: 52.5 + f64::from(minute % 3), longitude: 13.25 },
        temperature: halves as f32 / 2.0,
        humidity: (minute % 3 != 1).then_some(60.0),
        remarks: format!("Sent {minute} minutes after midnight, nothing to report."),
    }
}
