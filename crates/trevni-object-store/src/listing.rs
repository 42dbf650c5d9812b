//! Objects by the patterns of their names.

use crate::failure::{about, failed};
use crate::place::Place;
use crate::runtime;
use futures::TryStreamExt;
use glob::{MatchOptions, Pattern};
use object_store::path::Path;
use std::io::{self, ErrorKind};

const WILD: [char; 3] = ['*', '?', '['];

/// Whether a URL stands for some objects of a bucket: it has `*`, `?` or `[`, or ends in `/`.
#[must_use]
pub fn is_pattern(url: &str) -> bool {
    let is_bucket = url.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("s3://"));
    is_bucket && (url.contains(WILD) || url.ends_with('/'))
}

/// The URLs of the objects that a pattern stands for, by name: `s3://bucket/dir/*.trv`, or `s3://bucket/dir/` for all files
/// `*.trv` of a folder. `*` stands for any characters but `/`. Names that begin with a dot are left out.
///
/// # Errors
///
/// A pattern that no object is like, and a bucket that cannot be listed.
pub fn list(url: &str) -> io::Result<Vec<String>> {
    let rest = url.get(5..).unwrap_or_default();
    let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
    let place = Place::of(&format!("s3://{bucket}"))?;
    let pattern = if key.is_empty() || key.ends_with('/') { format!("{key}*.trv") } else { key.to_owned() };
    let folder = pattern[..pattern.find(WILD).unwrap_or(pattern.len())]
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder);
    let wanted = Pattern::new(&pattern)
        .map_err(|error| about(&place.shown, ErrorKind::InvalidInput, &format!("{key}: {error}")))?;
    let mut found: Vec<String> = keys(&place, folder)?
        .iter()
        .filter(|key| wanted.matches_with(key.as_ref(), options()) && !is_hidden(key))
        .filter_map(|key| place.url_of(key))
        .collect();
    if found.is_empty() {
        return Err(about(&place.shown, ErrorKind::NotFound, &format!("no object is like {pattern}")));
    }
    found.sort();
    Ok(found)
}

fn options() -> MatchOptions {
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true }
}

fn is_hidden(key: &Path) -> bool {
    key.filename().is_some_and(|name| name.starts_with('.'))
}

fn keys(place: &Place, folder: &str) -> io::Result<Vec<Path>> {
    let (store, folder) = (place.store.clone(), Path::from(folder));
    let list = runtime::wait(async move {
        let objects = store.list(Some(&folder).filter(|folder| !folder.as_ref().is_empty()));
        objects.map_ok(|object| object.location).try_collect::<Vec<_>>().await
    });
    list?.map_err(|error| failed(&place.shown, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_of_buckets() {
        assert!(is_pattern("s3://b/*.trv") && is_pattern("s3://b/d/") && is_pattern("S3://b/[ab].trv"));
        assert!(!is_pattern("s3://b/a.trv") && !is_pattern("https://h/*.trv") && !is_pattern("*.trv"));
    }
}
