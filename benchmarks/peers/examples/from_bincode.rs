//! Rows of a bincode file become a Trevni file, with the same types.
//!
//! ```text
//! cargo run --manifest-path benchmarks/Cargo.toml -p trevni-bench --example from_bincode
//! ```

use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fs::{self, File};
use std::io::BufReader;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Flight {
    carrier: String,
    distance: f32,
    dep_delay: Option<i32>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("trevni-from-bincode-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let (bincode_path, path) = (folder.join("flights.bin"), folder.join("flights.trv"));
    let config = bincode::config::standard();
    let row = |n: u16| Flight {
        carrier: ["AA", "UA", "B6"][usize::from(n % 3)].into(),
        distance: f32::from(n),
        dep_delay: (!n.is_multiple_of(5)).then(|| i32::from(n % 90)),
    };
    let rows: Vec<Flight> = (0..1000).map(row).collect();
    bincode::serde::encode_into_std_write(&rows, &mut File::create(&bincode_path)?, config)?;

    let mut old = BufReader::new(File::open(&bincode_path)?);
    let flights: Vec<Flight> = bincode::serde::decode_from_std_read(&mut old, config)?;
    let mut writer = trevni::Writer::create(&path)?;
    writer.write_all(&flights)?;
    writer.finish()?;

    assert_eq!(trevni::from_reader::<_, Vec<Flight>>(File::open(&path)?)?, rows);
    println!(
        "bincode {} bytes, Trevni {} bytes",
        fs::metadata(&bincode_path)?.len(),
        fs::metadata(&path)?.len()
    );
    fs::remove_dir_all(folder)?;
    Ok(())
}
