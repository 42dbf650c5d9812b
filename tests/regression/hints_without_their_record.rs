//! Of a wrong name within a record, the hint was a name that is no path: `did you mean "x"?`.

use serde_json::json;
use trevni::{Reader, col};

#[test]
fn a_hint_is_a_path_that_exists() {
    let file = trevni::to_vec([json!({"in": {"x": 1, "a b": 2}, "list": [{"deep": {"name": 1}}]})]).unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    for (wrong, right) in [
        ("in.xx", "in.x"),
        ("in.`a c`", "in.`a b`"),
        ("list.deep.nam", "list.deep.name"),
        ("name", "list.deep.name"),
    ] {
        for error in [reader.project([wrong]).unwrap_err(), reader.filter(col(wrong).eq(1)).unwrap_err()] {
            let error = error.to_string();
            let expected = format!("no field {wrong:?}; did you mean {right:?}?");
            assert_eq!(error, expected);
        }
        assert!(reader.project([right]).is_ok());
    }
}
