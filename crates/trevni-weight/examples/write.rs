//! Writes rows.

#[derive(serde::Serialize)]
struct Row {
    id: u64,
    name: String,
    price: f64,
    note: Option<String>,
}

fn main() -> trevni::Result<()> {
    let rows = [Row { id: 1, name: "one".to_owned(), price: 0.5, note: None }];
    let file = trevni::to_vec(&rows)?;
    assert!(file.starts_with(b"Trv"));
    Ok(())
}
