//! Rows of unknown JSON: keys come and go, and a value has another type than in the row before.
//!
//! ```text
//! cargo run -p examples --bin unknown_json [FILE]     # lines of JSON; without a file, some events
//! ```
//!
//! **Parquet** wants a schema before the first row, and one type for each field. **SQLite** keeps JSON as strings, which each
//! question parses again. **CSV** has neither nesting nor types.

use serde_json::Value;
use std::{env, error::Error, fs};
use trevni::{Reader, col};

const EVENTS: &str = r#"
    {"event": "start", "version": 2}
    {"event": "login", "user": {"name": "ada", "admin": true}}
    {"event": "click", "at": [120, 45], "user": {"name": "ada"}}
    {"event": "click", "at": [], "user": null}
    {"event": "stop", "version": "2.1", "seconds": 12.5}
    {}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let lines = env::args().nth(1).map_or(Ok(EVENTS.to_owned()), fs::read_to_string)?;
    let rows: Vec<Value> =
        serde_json::Deserializer::from_str(&lines).into_iter().collect::<Result<_, _>>()?;
    let bytes = trevni::to_vec(&rows)?;

    let reader = Reader::from_slice(&bytes)?;
    println!("The shape that {} rows have:\n\n{}\n", reader.row_count(), reader.shape());

    println!("The columns, which are read one by one:\n");
    for column in reader.columns() {
        println!("{}", column.name());
    }

    // An absent key is not the same as null: what was written comes back.
    println!("\nThe rows as they come back:\n");
    for row in reader.rows::<Value>()? {
        println!("{}", row?);
    }
    assert_eq!(trevni::from_slice::<Vec<Value>>(&bytes)?, rows);

    if env::args().len() == 1 {
        let ada = reader.filter(col("user.name").eq("ada"))?;
        println!("\nEvents of ada: {}", ada.matching_count()?);
    }
    Ok(())
}
