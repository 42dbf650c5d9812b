//! Some fields of all parts.

use super::{all, assert_contains, in_memory};
use serde_json::{Value, json};
use trevni::ErrorKind;

fn files() -> Vec<Vec<u8>> {
    let parts = [
        vec![json!({"id": 1, "place": {"lat": 1.5}, "tags": [{"k": "a"}]})],
        vec![
            json!({"id": 2, "place": {"lat": 2.5, "lon": 3.5}, "tags": [{"k": "b", "v": 1}, {"k": "c", "v": 2}], "note": "x"}),
        ],
        vec![json!({"id": 3}), json!({"id": 4})],
    ];
    parts.iter().map(|rows| trevni::to_vec(rows).unwrap()).collect()
}

#[test]
fn a_part_gives_what_it_has_of_the_paths() {
    let files = files();
    let dataset = in_memory(&files).unwrap().all_optional();
    let project = |paths: &[&str]| all::<Value>(&dataset.project(paths).unwrap()).unwrap();
    assert_eq!(
        project(&["place.lon", "id"]),
        [
            json!({"id": 1, "place": {}}),
            json!({"id": 2, "place": {"lon": 3.5}}),
            json!({"id": 3}),
            json!({"id": 4})
        ]
    );
    assert_eq!(
        project(&["tags.v"]),
        [json!({"tags": [{}]}), json!({"tags": [{"v": 1}, {"v": 2}]}), json!({}), json!({})]
    );
    assert_eq!(project(&["note"]), [json!({}), json!({"note": "x"}), json!({}), json!({})]);
    assert_eq!(project(&[""]), all::<Value>(&dataset).unwrap());
    assert_eq!(dataset.project(["note"]).unwrap().row::<Value>(1).unwrap(), json!({"note": "x"}));
}

#[test]
fn projections_of_projections() {
    let files = files();
    let dataset = in_memory(&files).unwrap().all_optional().project(["place", "id"]).unwrap();
    let again = dataset.project(["place.lat"]).unwrap();
    let rows: Vec<Value> = all(&again).unwrap();
    assert_eq!(rows[..2], [json!({"place": {"lat": 1.5}}), json!({"place": {"lat": 2.5}})]);
    assert_eq!(again.column::<Option<f64>>("place.lat").unwrap(), [Some(1.5), Some(2.5), None, None]);
    assert!(dataset.project(["note"]).is_err());
    assert!(dataset.column::<Option<String>>("note").is_err());
}

#[test]
fn a_path_in_no_part_is_an_error_with_a_near_name() {
    let files = files();
    let dataset = in_memory(&files).unwrap();
    for error in [
        dataset.project(["place.lom"]).map(drop).unwrap_err(),
        dataset.column::<Option<f64>>("place.lom").map(drop).unwrap_err(),
    ] {
        assert!(matches!(error.kind(), ErrorKind::NoSuchPath { .. }), "{error}");
        assert_contains(&error, &["place.lom", r#"did you mean "place.lon"?"#]);
    }
    assert_contains(
        &dataset.project(["elsewhere"]).map(drop).unwrap_err(),
        &["there are id, place, tags, note"],
    );
}

#[test]
fn no_path_at_all() {
    let files = files();
    let dataset = in_memory(&files).unwrap().project::<&str>([]).unwrap();
    assert_eq!(all::<Value>(&dataset).unwrap(), [json!({}), json!({}), json!({}), json!({})]);
}
