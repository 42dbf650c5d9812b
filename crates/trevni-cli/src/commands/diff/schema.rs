//! What differs between two schemas.

use super::side::Sides;
use std::collections::HashMap;
use trevni_report::schema::flat::types;

/// A field that only one file has, or that has another type.
pub(super) struct SchemaChange {
    pub(super) path: String,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

/// The fields whose types differ, in the order of the first file, then the fields of the second file alone.
pub(super) fn differences(sides: &Sides) -> Vec<SchemaChange> {
    let (before, after) = (types(sides.before.whole.shape()), types(sides.after.whole.shape()));
    let of = |types: &[(String, String)]| types.iter().cloned().collect::<HashMap<_, _>>();
    let (olds, news) = (of(&before), of(&after));
    let mut changes = Vec::new();
    for (path, kind) in before {
        let new = news.get(&path);
        if new != Some(&kind) {
            changes.push(SchemaChange { path, before: Some(kind), after: new.cloned() });
        }
    }
    for (path, kind) in after.into_iter().filter(|(path, _)| !olds.contains_key(path)) {
        changes.push(SchemaChange { path, before: None, after: Some(kind) });
    }
    changes
}
