//! The names of the files of a dataset, and their order.

use super::part_name::{PartName, Ranges};
use super::replaced::settled;
use crate::dialect::Dialect;
use crate::error::{Error, Result};
use crate::storage::temporary::{TemporaryFile, folder_of};
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The digits that the number of a part has at least.
pub(crate) const PART_DIGITS: usize = 5;

/// What Hadoop adds to the names of files that have a codec within.
const CODECS: [&str; 7] = ["gz", "deflate", "snappy", "bz2", "lz4", "lzo", "lzo_deflate"];

/// The name of a part, whose number has at least this number of digits.
pub(crate) fn part_name(number: u64, digits: usize, dialect: Dialect) -> String {
    format!("part-{number:0digits$}.{}", dialect.extension())
}

/// The number of a part, from its name: the last one, where it stands for several.
pub(super) fn part_number(path: &Path) -> Option<u64> {
    PartName::with_letter(path).map(|name| name.parts.1)
}

/// The path of a part, or that of a later one, whose number no part has, of whatever format. No other writer takes the
/// number before the file is dropped.
///
/// # Errors
///
/// A folder that cannot be read or written to; no number is left.
pub(super) fn free_part(path: &Path) -> Result<(PathBuf, TemporaryFile)> {
    let mut path = path.to_owned();
    loop {
        let number = part_number(&path).ok_or_else(|| Error::internal("a part without a number"))?;
        let claim = TemporaryFile::claim(&path, number)?;
        // What was there before the number was claimed is seen now.
        let taken = numbers(folder_of(&path))?;
        match claim {
            Some(claim) if taken.around(number).is_none() && path.symlink_metadata().is_err() => {
                return Ok((path, claim));
            }
            _ => path = next_part(&path, &taken).ok_or_else(|| last_number(number))?,
        }
    }
}

/// The path of the part after a part whose number is not taken; `None` after the last number.
fn next_part(path: &Path, taken: &Ranges) -> Option<PathBuf> {
    let mut next = part_number(path)?.checked_add(1)?;
    while let Some((_, last)) = taken.around(next) {
        next = last.checked_add(1)?;
    }
    let (_, ending) = path.file_name()?.to_str()?.split_once('.')?;
    Some(path.with_file_name(format!("part-{next:0digits$}.{ending}", digits = PART_DIGITS)))
}

/// The numbers of all parts of a folder.
pub(super) fn numbers(folder: &Path) -> Result<Ranges> {
    Ok(files(folder)?.iter().filter_map(|path| Some(PartName::with_letter(path)?.parts)).collect())
}

#[cold]
pub(super) fn last_number(last: u64) -> Error {
    Error::option(format!("no number follows that of the last part, {last}: rename it to go on"))
}

/// Whether a file has the name of a part.
pub(super) fn is_part(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("part-"))
}

/// Whether a file is data, by its name: what ends in `.trv` or `.redelm`, after which a codec may be named. Hidden files
/// are not parts; of RedElm, names with an underscore are not either.
pub(crate) fn is_data(name: &str) -> bool {
    let dot = |at: usize| name.get(at + 1..).is_some_and(is_ending);
    let is_redelm = || !name.starts_with('_') && name.match_indices('.').any(|(at, _)| dot(at));
    !name.starts_with('.') && (name.ends_with(".trv") || is_redelm())
}

/// Whether a name may end like this, after the dot.
pub(super) fn is_ending(ending: &str) -> bool {
    let codec = ending.strip_prefix("redelm.").is_some_and(|codec| CODECS.contains(&codec));
    codec || ending == "redelm" || ending == "trv"
}

/// The name of a part without the letter that Hadoop has before the number: `part-m-00000.redelm`.
pub(super) fn without_letter(name: &str) -> Cow<'_, str> {
    let number = name.strip_prefix("part-").and_then(|rest| {
        let number = rest.strip_prefix(|letter: char| letter.is_ascii_lowercase())?.strip_prefix('-')?;
        number.starts_with(|digit: char| digit.is_ascii_digit()).then_some(number)
    });
    number.map_or(Cow::Borrowed(name), |number| Cow::Owned(format!("part-{number}")))
}

/// All data files of a folder that count, sorted by name; numbers in names sort as numbers.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = settled(folder, || named(folder), PathBuf::as_path)?;
    files.sort_by_cached_key(|path| order(path));
    Ok(files)
}

/// The data files of a folder, by their names.
pub(super) fn named(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| Error::from(error).in_file(folder))? {
        let path = entry.map_err(|error| Error::from(error).in_file(folder))?.path();
        if path.file_name().is_some_and(|name| is_data(&name.to_string_lossy())) && !path.is_dir() {
            files.push(path);
        }
    }
    Ok(files)
}

/// A piece of a name.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Piece {
    /// Digits without leading zeros: their number, and the digits.
    Number(usize, String),
    Text(String),
}

/// The sort key of files and folders: `part-100000` comes after `part-99999`, and `part-m-00001` after `part-00000`.
pub(super) fn order(path: &Path) -> (Vec<Piece>, OsString) {
    let name = path.file_name().unwrap_or_default().to_owned();
    let text = name.to_string_lossy();
    let text = without_letter(&text);
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
        let name = |number| part_name(number, PART_DIGITS, Dialect::Trevni);
        assert_eq!((name(7), name(123_456)), ("part-00007.trv".into(), "part-123456.trv".into()));
        assert_eq!(part_name(7, PART_DIGITS, Dialect::RedElm), "part-00007.redelm");
        let number = |name: &str| part_number(Path::new(name));
        assert_eq!(number("x/part-00007.trv"), Some(7));
        assert_eq!(number("part-0.trv"), Some(0));
        assert_eq!(number("part-123456.trv"), Some(123_456));
        assert_eq!(number("part-00007.redelm"), Some(7));
        assert_eq!(number("part-m-00012.redelm.gz"), Some(12));
        for other in ["part-7.redelm.zip", "part-m-.redelm", "part-mm-7.redelm", "part-M-7.redelm", "part-7"]
        {
            assert_eq!(number(other), None, "{other}");
        }
        for other in ["part-.trv", "part-+1.trv", "part-x.trv", "part-1.trv.tmp", "q-1.trv", ".."] {
            assert_eq!(number(other), None, "{other}");
        }
    }

    #[test]
    fn the_next_part_has_the_same_ending() {
        for (name, next) in [
            ("a/part-00009.trv", Some("a/part-00010.trv")),
            ("part-99999.redelm", Some("part-100000.redelm")),
            ("part-m-00001.redelm.gz", Some("part-00002.redelm.gz")),
            ("part-18446744073709551615.trv", None),
            ("other.trv", None),
        ] {
            assert_eq!(next_part(Path::new(name), &Ranges::default()), next.map(PathBuf::from));
        }
        let taken = [(5, 5), (2, 3)].into_iter().collect();
        assert_eq!(next_part(Path::new("part-1.trv"), &taken), Some("part-00004.trv".into()));
    }

    #[test]
    fn letters_do_not_count_for_the_order() {
        let mut names =
            ["part-00003.trv", "part-m-00002.redelm", "part-00001.redelm", "part-r-00010.redelm.gz"];
        names.sort_by_cached_key(|name| order(Path::new(name)));
        let sorted = ["part-00001.redelm", "part-m-00002.redelm", "part-00003.trv", "part-r-00010.redelm.gz"];
        assert_eq!(names, sorted);
    }

    #[test]
    fn data_have_known_endings() {
        for name in ["a.trv", "_a.trv", "a.redelm", "a.redelm.gz", "a.b.redelm.lzo_deflate", "part-x.trv"] {
            assert!(is_data(name), "{name}");
        }
        for name in [
            "a",
            "trv",
            "redelm",
            ".a.trv",
            ".a.redelm",
            "_a.redelm",
            "_RedElmSummary",
            "a.redelm.zip",
            "a.trv.gz",
            "a.gz",
        ] {
            assert!(!is_data(name), "{name}");
        }
    }
}
