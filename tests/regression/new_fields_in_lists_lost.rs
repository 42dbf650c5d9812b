//! A row whose list holds records with a field that the rows before do not have: its values after the first row were null, without an
//! error, where other records of the list lacked the field.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Event {
    Quit,
    Key { code: i32 },
    Click { x: i32, y: Option<String> },
}

fn key(code: i32) -> Event {
    Event::Key { code }
}

fn click(x: i32) -> Event {
    Event::Click { x, y: Some(x.to_string()) }
}

#[test]
fn records_of_lists_keep_their_new_fields() {
    let lists = [
        vec![],
        vec![Event::Quit],
        vec![key(1)],
        vec![click(2)],
        vec![click(3), click(4), key(5)],
        vec![key(6), click(7), Event::Quit, click(8)],
        vec![Event::Quit, key(9), key(10), click(11), key(12)],
    ];
    for first in &lists {
        for second in &lists {
            for third in &lists {
                let rows = [first, second, third].map(Clone::clone);
                let file = trevni::to_vec(&rows).unwrap();
                assert_eq!(trevni::from_slice::<Vec<Vec<Event>>>(&file).unwrap(), rows);
            }
        }
    }
}

#[test]
fn empty_names_are_fields_of_given_shapes() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(rename = "")]
        nothing: (),
        value: Value,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Value {
        Number(u64),
    }
    let rows = [1, u64::MAX, 2].map(|number| Row { nothing: (), value: Value::Number(number) });
    let shape = trevni::Reader::from_slice(&trevni::to_vec(&rows).unwrap()).unwrap().shape().clone();
    let mut writer = trevni::Writer::builder().shape(&shape).build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    assert_eq!(trevni::from_slice::<Vec<Row>>(&writer.finish().unwrap()).unwrap(), rows);
}
