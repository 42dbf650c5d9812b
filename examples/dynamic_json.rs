//! Rows without a type of their own: JSON values of different form.
//!
//! ```text
//! cargo run --example dynamic_json
//! ```

use serde_json::{Value, json};
use trevni::Reader;

fn main() -> Result<(), trevni::Error> {
    // Keys come and go, a value has another type than in the row before, an
    // absent key is not the same as null.
    let rows = vec![
        json!({"event": "start", "version": 2}),
        json!({"event": "login", "user": {"name": "ada", "admin": true}}),
        json!({"event": "click", "at": [120, 45], "user": {"name": "ada"}}),
        json!({"event": "click", "at": [], "user": null}),
        json!({"event": "stop", "version": "2.1", "seconds": 12.5}),
        json!({}),
    ];
    let bytes = trevni::to_vec(&rows)?;

    let reader = Reader::from_slice(&bytes)?;
    println!("The shape that {} rows made:\n", reader.row_count());
    println!("{}\n", reader.shape());

    println!("The rows as they came back:\n");
    let again: Vec<Value> = trevni::from_slice(&bytes)?;
    for row in &again {
        println!("{row}");
    }
    assert_eq!(again, rows);
    println!("\nEqual to what was written: {}", again == rows);
    Ok(())
}
