//! Writes rows and reads them back.

use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    id: u64,
    name: String,
    price: f64,
    note: Option<String>,
}

fn main() -> trevni::Result<()> {
    let rows = [Row { id: 1, name: "one".to_owned(), price: 0.5, note: None }];
    let file = trevni::to_vec(&rows)?;
    let read: Vec<Row> = trevni::from_slice(&file)?;
    assert_eq!(read, rows);
    Ok(())
}
