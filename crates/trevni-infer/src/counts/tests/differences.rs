//! What was written by a plan, compared with other rows.

use crate::counts::{Counts, RowCounter, Rules, settle};
use crate::numbers::Spelling;
use crate::plan::compare::json;
use crate::plan::{Context, Row};
use serde_json::value::RawValue;

const WRITTEN: &str = r#"{"a":1,"b":"x","c":[1,null],"d":null,"m":{"k":true},"f":0.5}"#;

/// What differs between a row that was written and another.
fn differs(source: &str) -> String {
    let rows = [WRITTEN, r#"{"a":2,"b":"y","c":[],"m":{},"f":0.5}"#];
    let mut node = Counts::default();
    let mut state = RowCounter::new(200);
    rows.iter().for_each(|row| state.add(&mut node, row).unwrap());
    let mut plan = settle(&node, Rules::default()).unwrap();
    plan.ready();
    let mut writer = trevni::Writer::builder().shape(&plan.shape()).build(Vec::new()).unwrap();
    let context = Context::new(false, Spelling::default());
    rows.iter().for_each(|text| writer.write(&Row { text, plan: &plan, context: &context }).unwrap());
    let bytes = writer.finish().unwrap();
    let batch = trevni::Reader::from_slice(&bytes).unwrap().batches().unwrap().next().unwrap().unwrap();
    let raw: &RawValue = serde_json::from_str(source).unwrap();
    match json(&plan, raw, batch.row(0).unwrap()) {
        Ok(()) => "equal".to_owned(),
        Err(difference) => {
            format!("{}: {}, {}", difference.path(), difference.source, difference.written)
        }
    }
}

#[test]
fn every_difference_is_found() {
    assert_eq!(differs(WRITTEN), "equal");
    for (from, to, difference) in [
        ("\"a\":1", "\"a\":1.0", "equal"),
        ("\"a\":1", "\"a\":2", "a: 2, 1"),
        ("\"a\":1", "\"a\":\"1\"", "a: \"1\", 1"),
        ("\"b\":\"x\"", "\"b\":\"\\u0078\"", "equal"),
        ("\"b\":\"x\"", "\"b\":\"y\"", "b: \"y\", \"x\""),
        ("\"b\":\"x\"", "\"b\":null", "b: null, \"x\""),
        ("[1,null]", "[1]", "c: [1], [1,null]"),
        ("[1,null]", "[1,2]", "c[]: 2, null"),
        ("\"d\":null,", "", "d: nothing, null"),
        ("\"d\":null", "\"d\":0", "d: 0, null"),
        ("{\"k\":true}", "{}", "m.k: nothing, true"),
        ("{\"k\":true}", "{\"k\":true,\"l\":1}", "m.l: 1, nothing"),
        ("{\"k\":true}", "{\"k\":false}", "m.k: false, true"),
        ("0.5", "0.5000000000000001", "f: 0.5000000000000001, 0.5"),
    ] {
        assert_eq!(differs(&WRITTEN.replace(from, to)), difference, "{from} {to}");
    }
}
