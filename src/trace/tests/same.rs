//! Shapes are those that a writer learns from rows that show everything.

use crate::{Reader, Shape};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Order {
    id: i64,
    items: Vec<Item>,
    paid: Option<Payment>,
    notes: std::collections::BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
struct Item {
    count: u32,
    size: (f32, f64),
    colour: Colour,
}

#[derive(Serialize, Deserialize)]
enum Colour {
    Red,
    Green,
}

#[derive(Serialize, Deserialize)]
enum Payment {
    Card { number: String },
    Transfer(i32, i32),
    Voucher(bool),
    Cash,
}

#[test]
fn a_shape_is_what_rows_show() {
    let row = |paid| Order {
        id: 1,
        items: vec![
            Item { count: 1, size: (1.0, 2.0), colour: Colour::Red },
            Item { count: 1, size: (1.0, 2.0), colour: Colour::Green },
        ],
        paid,
        notes: [("a".to_owned(), "b".to_owned())].into(),
    };
    let rows = [
        row(Some(Payment::Card { number: "1".into() })),
        row(Some(Payment::Transfer(1, 2))),
        row(Some(Payment::Voucher(true))),
        row(Some(Payment::Cash)),
        row(None),
    ];
    let file = crate::to_vec(rows).unwrap();
    let learned = Reader::from_slice(&file).unwrap();
    let file = crate::Writer::builder().shape(&Shape::from_type::<Order>().unwrap()).derived();
    let file = file.build(Vec::new()).unwrap().finish().unwrap();
    assert_eq!(Reader::from_slice(&file).unwrap().shape(), learned.shape());
}
