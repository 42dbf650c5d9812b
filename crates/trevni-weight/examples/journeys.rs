//! What is traced, to count the files of the library that run: `write` writes some rows to a file, `filter` reads some of them.

use serde::{Deserialize, Serialize};
use trevni::{Reader, col};

#[derive(Serialize)]
struct Flight {
    carrier: &'static str,
    distance: f32,
    delay: Option<f32>,
}

#[derive(Deserialize)]
struct Leg {
    carrier: String,
    distance: f32,
}

fn main() -> trevni::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (journey, path) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    if journey == "write" {
        let delay = |n: u16| (!n.is_multiple_of(3)).then(|| f32::from(n));
        let flight = |n: u16| Flight { carrier: "AA", distance: f32::from(n), delay: delay(n) };
        return trevni::to_writer(std::fs::File::create(path)?, (0..200).map(flight));
    }
    let rows = Reader::open(path)?.filter(col("distance").gt(20))?.rows::<Leg>()?;
    let legs = rows.collect::<trevni::Result<Vec<Leg>>>()?;
    assert_eq!(legs.len(), 179);
    assert!(legs.iter().all(|leg| leg.carrier == "AA" && leg.distance > 20.0));
    Ok(())
}
