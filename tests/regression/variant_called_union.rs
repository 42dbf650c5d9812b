//! An optional around a union took a variant called `union` for its own name: another variant was read.

use serde::{Deserialize, Serialize};
use trevni::{Reader, Writer, from_slice, to_vec};

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
#[serde(rename_all = "lowercase")]
enum Choice {
    Union(i32),
    Optional(i32),
    Null(i32),
    Other(String),
    Empty,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Row {
    choice: Option<Choice>,
    more: Option<Option<Choice>>,
}

#[test]
fn each_variant_comes_back() {
    let choices = [
        Choice::Union(1),
        Choice::Optional(2),
        Choice::Null(3),
        Choice::Other("4".to_owned()),
        Choice::Empty,
    ];
    let some = |choice: &Choice| Row { choice: Some(choice.clone()), more: Some(Some(choice.clone())) };
    let none = [Row { choice: None, more: None }, Row { choice: None, more: Some(None) }];
    let rows: Vec<Row> = choices.iter().map(some).chain(none).collect();
    let file = to_vec(&rows).unwrap();
    let found: Vec<Row> = from_slice(&file).unwrap();
    assert_eq!(found[..5], rows[..5]);
    assert_eq!(found.len(), 7);

    // The schema of another implementation, which has no marks.
    let schema = r#"{"type": "record", "name": "Row", "fields": [{"name": "choice", "type": ["null",
        {"type": "record", "name": "union", "fields": [{"name": "x", "type": "int"}]},
        {"type": "record", "name": "optional", "fields": [{"name": "x", "type": "int"}]}]}]}"#;
    #[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
    #[serde(rename_all = "lowercase")]
    enum Foreign {
        Union { x: i32 },
        Optional { x: i32 },
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
    struct Other {
        choice: Option<Foreign>,
    }
    let rows = [Some(Foreign::Optional { x: 1 }), Some(Foreign::Union { x: 2 }), None]
        .map(|choice| Other { choice });
    let mut writer = Writer::builder().schema(schema).build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    let file = writer.finish().unwrap();
    assert_eq!(Reader::from_slice(&file).unwrap().row_count(), 3);
    assert_eq!(from_slice::<Vec<Other>>(&file).unwrap(), rows);
}
