//! Fields by patterns: `-c a,b.c`, `dep_*`, `!x`.

use crate::failure::Failure;
use trevni::Shape;

/// The paths of fields that patterns name, in the order given; none where there are no patterns.
///
/// A pattern is a path of names joined by dots, in which `*` stands for any part of a name and `?` for any
/// character. `!pattern` leaves fields out; where no others are named, of all fields.
pub(crate) fn chosen(shape: &Shape, patterns: &[String]) -> Result<Option<Vec<String>>, Failure> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let all = fields(shape);
    let mut chosen: Vec<String> = Vec::new();
    if patterns.iter().all(|pattern| pattern.starts_with('!')) {
        chosen = all.iter().filter(|path| !path.contains('.')).cloned().collect();
    }
    for pattern in patterns {
        if let Some(pattern) = pattern.strip_prefix('!') {
            let before = chosen.len();
            chosen.retain(|path| !matches(pattern, path));
            if chosen.len() == before && !all.iter().any(|path| matches(pattern, path)) {
                return Err(no_field(pattern, &all));
            }
        } else if pattern.contains(['*', '?']) {
            let depth = pattern.matches('.').count();
            let found =
                all.iter().filter(|path| path.matches('.').count() == depth && matches(pattern, path));
            let found: Vec<String> = found.filter(|path| !chosen.contains(path)).cloned().collect();
            if found.is_empty() && !all.iter().any(|path| matches(pattern, path)) {
                return Err(no_field(pattern, &all));
            }
            chosen.extend(found);
        } else if !chosen.contains(pattern) {
            chosen.push(pattern.clone());
        }
    }
    Ok(Some(chosen))
}

pub(crate) fn no_field(pattern: &str, all: &[String]) -> Failure {
    let top: Vec<&str> = all.iter().filter(|path| !path.contains('.')).map(String::as_str).collect();
    Failure::usage(format!("no field matches {pattern:?}")).hint(listed(&top))
}

/// A hint at the first of the names that there are.
pub(crate) fn listed(names: &[&str]) -> String {
    let shown = names.get(..12).unwrap_or(names);
    format!("There are {}{}", shown.join(", "), if names.len() > shown.len() { ", …" } else { "" })
}

/// The paths of all fields, those of records in records after them.
pub(crate) fn fields(shape: &Shape) -> Vec<String> {
    let mut out = Vec::new();
    collect(shape, "", &mut out);
    out
}

fn collect(shape: &Shape, path: &str, out: &mut Vec<String>) {
    match shape {
        Shape::Record(record) => {
            for field in &record.fields {
                let path =
                    if path.is_empty() { field.name.to_string() } else { format!("{path}.{}", field.name) };
                out.push(path.clone());
                collect(&field.shape, &path, out);
            }
        }
        Shape::Optional(optional) => collect(&optional.item, path, out),
        Shape::List(item) => collect(item, path, out),
        _ => {}
    }
}

/// Whether a path is another one, or goes on from there.
pub(crate) fn is_within(path: &str, other: &str) -> bool {
    path.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Whether a path fits a pattern; `*` and `?` do not cross dots.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    fn fits(pattern: &[char], text: &[char]) -> bool {
        match (pattern, text) {
            ([], []) => true,
            (['*', rest @ ..], _) => {
                fits(rest, text)
                    || text
                        .split_first()
                        .is_some_and(|(first, behind)| *first != '.' && fits(pattern, behind))
            }
            (['?', rest @ ..], [first, behind @ ..]) => *first != '.' && fits(rest, behind),
            ([one, rest @ ..], [first, behind @ ..]) => one == first && fits(rest, behind),
            _ => false,
        }
    }
    fits(&pattern.chars().collect::<Vec<_>>(), &path.chars().collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shape() -> Shape {
        let row = json!({"id": 1, "dep_time": 2, "dep_delay": 3, "from": {"host": "a", "port": 1}, "to": [{"host": "b"}]});
        let bytes = trevni::to_vec([row]).unwrap();
        trevni::Reader::from_slice(&bytes).unwrap().shape().clone()
    }

    fn of(patterns: &[&str]) -> Result<Vec<String>, Failure> {
        let patterns: Vec<String> = patterns.iter().map(|pattern| pattern.to_string()).collect();
        chosen(&shape(), &patterns).map(Option::unwrap_or_default)
    }

    #[test]
    fn patterns_choose_and_leave_out() {
        assert_eq!(of(&["dep_*", "id"]).unwrap(), ["dep_time", "dep_delay", "id"]);
        assert_eq!(of(&["!dep_*"]).unwrap(), ["id", "from", "to"]);
        assert_eq!(of(&["*", "!dep_tim?"]).unwrap(), ["id", "dep_delay", "from", "to"]);
        assert_eq!(of(&["*.host"]).unwrap(), ["from.host", "to.host"]);
        assert_eq!(of(&["to.host", "id", "id"]).unwrap(), ["to.host", "id"]);
        assert!(of(&["x*"]).unwrap_err().message().contains("no field matches \"x*\""));
        assert!(of(&["!nothing"]).is_err());
    }
}
