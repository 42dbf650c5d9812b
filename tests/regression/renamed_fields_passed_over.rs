//! Of a field that has been renamed, filters and columns of a dataset saw the parts with the new name only, without a word.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use trevni::{Dataset, DatasetWriter, ErrorKind, Predicate, Reader, col};

#[derive(Serialize)]
struct Old {
    id: u32,
    user_name: String,
}

#[derive(Serialize, Deserialize)]
struct New {
    id: u32,
    #[serde(alias = "user_name")]
    user: String,
}

#[test]
fn renamed_fields_are_found_or_an_error() {
    let folder = std::env::temp_dir().join(format!("trevni-renamed-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let mut writer = DatasetWriter::create(&folder).unwrap();
    writer.write_all((0..3).map(|id| Old { id, user_name: format!("u{id}") })).unwrap();
    writer.finish().unwrap();
    let mut writer = DatasetWriter::builder().append(&folder).unwrap();
    writer.write_all((0..3).map(|id| New { id, user: format!("u{id}") })).unwrap();
    writer.finish().unwrap();

    let plain = Dataset::open(&folder).unwrap();
    let found = |dataset: &Dataset<'_>, predicate: Predicate| {
        dataset.filter(predicate)?.matching().map(|rows| rows.row_count())
    };
    let one = |user: &New| user.user == "u1";
    assert_eq!(plain.rows::<New>().unwrap().filter(|row| one(row.as_ref().unwrap())).count(), 2);
    let errors = [
        found(&plain, col("user").eq("u1")).unwrap_err(),
        found(&plain, col("user").is_null()).unwrap_err(),
        plain.column::<Option<String>>("user").unwrap_err(),
        plain.project(["user"]).unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error.kind(), ErrorKind::NoSuchPath { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains("part-00000.trv") && text.contains("Dataset::alias"), "{error}");
    }
    let options = Reader::builder().alias("user", "user_name");
    for dataset in
        [plain.alias("user", "user_name").unwrap(), Dataset::builder().reader(options).open(&folder).unwrap()]
    {
        assert_eq!(found(&dataset, col("user").eq("u1")).unwrap(), 2);
        assert_eq!(found(&dataset, col("user").is_null()).unwrap(), 0);
        assert_eq!(dataset.column::<String>("user").unwrap(), ["u0", "u1", "u2", "u0", "u1", "u2"]);
        assert_eq!(dataset.project(["user"]).unwrap().row::<Value>(1).unwrap(), json!({"user": "u1"}));
        assert_eq!(dataset.rows::<New>().unwrap().filter(|row| one(row.as_ref().unwrap())).count(), 2);
    }
    std::fs::remove_dir_all(folder).unwrap();
}
