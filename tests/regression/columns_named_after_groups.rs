//! A column with the levels of the groups around it had the path of the outermost one, not that of its own values.

use serde_json::json;
use trevni::{Dialect, Reader, Writer};

#[test]
fn columns_have_the_paths_of_their_values() {
    let rows = [
        json!({"id": 1, "links": {"back": [1], "to": {"host": "a", "port": null}}}),
        json!({"id": 2, "links": {"back": [], "to": {"host": "b", "port": 80}}}),
        json!({"id": 3, "links": null}),
    ];
    let mut writer = Writer::builder().dialect(Dialect::RedElm).build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    let file = writer.finish().unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    let columns = reader.columns().iter();
    let found: Vec<_> =
        columns.map(|column| (column.path().unwrap(), column.is_array(), column.is_optional())).collect();
    let expected = [
        ("id", false, false),
        ("links.back", true, false),
        ("links.to.host", false, false),
        ("links.to.port", true, true),
    ];
    assert_eq!(found, expected);
}

#[test]
fn so_they_have_where_groups_have_no_columns() {
    let message = "message Document {
        required int64 DocId;
        optional group Links { repeated int64 Backward; repeated int64 Forward; }
        repeated group Name {
          repeated group Language { required string Code; optional string Country; }
          optional string Url;
        }
      }";
    let shape = trevni::Shape::from_message(message).unwrap();
    let file = std::fs::read("data/levels/leaves_only.trv").unwrap();
    let reader = Reader::builder().shape(&shape).source(&*file).unwrap();
    for column in reader.columns() {
        assert_eq!(column.path(), Some(column.name()));
        let expected = matches!(column.name(), "Name.Language.Country" | "Name.Url");
        assert_eq!(column.is_optional(), expected, "{}", column.name());
    }
}
