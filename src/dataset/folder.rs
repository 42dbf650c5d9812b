//! The names of the files of a dataset, and their order.

use crate::error::{Error, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The name of a part.
pub(super) fn part_name(number: u64) -> String {
    format!("part-{number:05}.trv")
}

/// The number of a part, from its name.
pub(super) fn part_number(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    let digits = name.strip_prefix("part-")?.strip_suffix(".trv")?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

/// The path of the part after a part; none after the last number.
pub(super) fn next_part(path: &Path) -> Option<PathBuf> {
    let next = part_number(path)?.checked_add(1)?;
    Some(path.with_file_name(part_name(next)))
}

/// Whether a file has the name of a part.
pub(super) fn is_part(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("part-"))
}

/// All files of a folder that end in `.trv` and are not hidden, sorted by name; numbers in names sort as
/// numbers.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| Error::from(error).in_file(folder))? {
        let path = entry.map_err(|error| Error::from(error).in_file(folder))?.path();
        let hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
        if !hidden && path.extension().is_some_and(|extension| extension == "trv") && !path.is_dir() {
            files.push(path);
        }
    }
    files.sort_by_cached_key(|path| order(path));
    Ok(files)
}

/// A piece of a name.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    /// Digits without leading zeros: their number, and the digits.
    Number(usize, String),
    Text(String),
}

/// The sort key of files: `part-100000` comes after `part-99999`.
fn order(path: &Path) -> (Vec<Piece>, OsString) {
    let name = path.file_name().unwrap_or_default().to_owned();
    let text = name.to_string_lossy();
    let mut pieces = Vec::new();
    let mut rest: &str = &text;
    while let Some(first) = rest.chars().next() {
        let digit = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != digit).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        pieces.push(if digit {
            let number = piece.trim_start_matches('0');
            Piece::Number(number.len(), number.to_owned())
        } else {
            Piece::Text(piece.to_owned())
        });
        rest = behind;
    }
    drop(text);
    (pieces, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_numbers() {
        let mut names =
            ["part-100000.trv", "part-99999.trv", "part-00010.trv", "b.trv", "part-9.trv", "a2", "a10"];
        names.sort_by_cached_key(|name| order(Path::new(name)));
        let sorted =
            ["a2", "a10", "b.trv", "part-9.trv", "part-00010.trv", "part-99999.trv", "part-100000.trv"];
        assert_eq!(names, sorted);
    }

    #[test]
    fn names_and_numbers_of_parts() {
        assert_eq!((part_name(7), part_name(123_456)), ("part-00007.trv".into(), "part-123456.trv".into()));
        let number = |name: &str| part_number(Path::new(name));
        assert_eq!(number("x/part-00007.trv"), Some(7));
        assert_eq!(number("part-0.trv"), Some(0));
        assert_eq!(number("part-123456.trv"), Some(123_456));
        for other in ["part-.trv", "part-+1.trv", "part-x.trv", "part-1.trv.tmp", "q-1.trv", ".."] {
            assert_eq!(number(other), None, "{other}");
        }
    }
}
