//! Files without a schema: the columns alone say what a row is.
//!
//! ```text
//! cargo run -p examples --bin untyped_columns
//! ```

use serde::Serialize;
use serde_json::Value;
use trevni::Reader;
use trevni::column::ColumnInfo;

#[derive(Serialize)]
struct Sample {
    name: String,
    weight: Option<f64>,
    parts: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    id: i32,
    kg: f64,
}

fn main() -> Result<(), trevni::Error> {
    // Fields at the top, array columns as lists.
    println!("A file made by hand\n");
    let bytes = file_by_hand();
    let reader = Reader::from_slice(&bytes)?;
    print_columns(reader.columns());
    for row in reader.rows::<Value>()? {
        println!("{}", row?);
    }

    // This crate keeps a schema in its files. `untyped` looks past it: an
    // option is then a list of at most one value, under the column's full name.
    println!("\nA file with a schema\n");
    let samples = samples();
    let bytes = trevni::to_vec(&samples)?;
    let reader = Reader::from_slice(&bytes)?;
    print_columns(reader.columns());
    for row in reader.rows::<Value>()? {
        println!("{}", row?);
    }

    println!("\nThe same file, its schema ignored\n");
    let reader = Reader::from_slice(&bytes)?.untyped()?;
    println!("{}\n", reader.shape());
    for row in reader.rows::<Value>()? {
        println!("{}", row?);
    }
    Ok(())
}

fn print_columns(columns: &[ColumnInfo]) {
    for column in columns {
        let array = if column.is_array() { " array" } else { "" };
        print!("{}: {}{array}", column.name(), column.value_type());
        match column.parent() {
            Some(parent) => println!(", child of {parent}"),
            None => println!(),
        }
    }
    println!();
}

fn samples() -> Vec<Sample> {
    vec![
        Sample { name: "desk".to_owned(), weight: Some(4.5), parts: vec![Part { id: 1, kg: 2.5 }] },
        Sample { name: "idea".to_owned(), weight: None, parts: vec![] },
    ]
}

/// A whole Trevni file with the columns `id` and `tags`, byte by byte
/// (`docs/format.md` explains them).
fn file_by_hand() -> Vec<u8> {
    let header = [
        &b"Trv\x02"[..],
        &3_u64.to_le_bytes(), // rows
        &2_u32.to_le_bytes(), // columns
        b"\x00",              // no file metadata
        b"\x04\x16trevni.name\x04id\x16trevni.type\x06int",
        b"\x06\x16trevni.name\x08tags\x16trevni.type\x0cstring\x18trevni.array\x00",
    ]
    .concat();
    let id = column(b"\x02\x04\x06"); // 1, 2, 3
    let tags = column(b"\x04\x02a\x04bc\x00\x02\x02d"); // [a, bc], [], [d]

    let first = header.len() as u64 + 16;
    let second = first + id.len() as u64;
    [&header[..], &first.to_le_bytes(), &second.to_le_bytes(), &id, &tags].concat()
}

/// A column of one block of three rows, not compressed.
fn column(block: &[u8]) -> Vec<u8> {
    let size = block.len() as u32;
    [
        &1_u32.to_le_bytes()[..], // blocks
        &3_u32.to_le_bytes(),     // rows
        &size.to_le_bytes(),      // before the codec
        &size.to_le_bytes(),      // after it
        block,
    ]
    .concat()
}
