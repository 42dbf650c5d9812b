//! Rows that resemble webhook events: of some kinds, each with records of its own, most of whose fields are texts.

use serde_json::{Map, Value, json};
use trevni::{Reader, WriterBuilder};

/// What other fields are called.
const WORDS: [&str; 40] = [
    "url",
    "html_url",
    "events_url",
    "hooks_url",
    "issues_url",
    "keys_url",
    "labels_url",
    "login",
    "name",
    "node_id",
    "full_name",
    "description",
    "created_at",
    "updated_at",
    "pushed_at",
    "type",
    "state",
    "title",
    "body",
    "ref",
    "sha",
    "commits_url",
    "statuses_url",
    "trees_url",
    "tags_url",
    "teams_url",
    "forks_url",
    "owner_id",
    "number",
    "size",
    "watchers",
    "forks",
    "open_issues",
    "private",
    "fork",
    "archived",
    "disabled",
    "site_admin",
    "language",
    "license",
];

/// Records that an event may have.
const RECORDS: [&str; 10] = [
    "repository",
    "sender",
    "organization",
    "issue",
    "comment",
    "release",
    "check_run",
    "deployment",
    "alert",
    "hook",
];

/// An object whose fields look like those of an event.
fn object(owner: &str, number: usize) -> Value {
    let value = |word: &str| match word {
        "number" | "size" | "watchers" | "forks" | "open_issues" | "owner_id" => {
            json!(number * 7919 % 100_003)
        }
        "private" | "fork" | "archived" | "disabled" | "site_admin" => json!(number.is_multiple_of(3)),
        "language" | "license" if number.is_multiple_of(2) => Value::Null,
        word if word.ends_with("url") => {
            json!(format!("https://api.example.org/{owner}/{}/{word}", number % 23))
        }
        word if word.ends_with("_at") => {
            json!(format!("2019-05-15T15:{:02}:{:02}Z", number % 60, number % 47))
        }
        word => json!(format!("{owner} {word} {}", number % 11)),
    };
    Value::Object(WORDS.iter().map(|word| ((*word).to_owned(), value(word))).collect())
}

/// Events of so many kinds, some of each.
pub(crate) fn events(kinds: usize, each: usize) -> Vec<Value> {
    let event = |number: usize| {
        let kind = number % kinds;
        let mut event = Map::new();
        event.insert("action".to_owned(), json!(format!("action {}", kind % 5)));
        let mut own = Map::new();
        for (at, record) in RECORDS.iter().enumerate().filter(|(at, _)| (kind >> (at % 4)) & 1 == at & 1) {
            own.insert((*record).to_owned(), object(record, number * 3 + at));
        }
        event.insert(format!("event_{kind}"), Value::Object(own));
        Value::Object(event)
    };
    (0..kinds * each).map(event).collect()
}

/// A file of rows.
pub(crate) fn written(rows: &[Value], builder: WriterBuilder) -> Vec<u8> {
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

/// The rows of a file.
pub(crate) fn read(file: &[u8]) -> Vec<Value> {
    let rows = Reader::from_slice(file).unwrap();
    rows.rows::<Value>().unwrap().map(Result::unwrap).collect()
}
