//! Reads rows.

#[derive(Debug, serde::Deserialize)]
#[allow(dead_code, reason = "they are printed")]
struct Row {
    id: u64,
    name: String,
    price: f64,
    note: Option<String>,
}

fn main() {
    match trevni::from_slice::<Vec<Row>>(b"not a file") {
        Ok(rows) => println!("{rows:?}"),
        Err(error) => println!("{error}"),
    }
}
