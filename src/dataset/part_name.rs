//! What the name of a part says: which numbers it stands for, and which other files it replaces.

use super::folder::{PART_DIGITS, is_ending, without_letter};
use std::cmp::Reverse;
use std::path::Path;

/// The name of a part.
///
/// | name | what |
/// |---|---|
/// | `part-00007.trv` | part 7; it replaces the pieces of part 7 |
/// | `part-00003.to-00009.trv` | the parts 3 to 9, which it replaces |
/// | `part-00007.tail-00002.trv` | piece 2 of part 7, which is not complete |
/// | `part-00007.tail-00000-00015.trv` | the pieces 0 to 15, which it replaces |
///
/// Others write `part-2-10.trv` for the second of ten, which replaces nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartName {
    /// The first and the last part.
    pub(super) parts: (u64, u64),
    /// The first and the last piece; `None` where the parts are complete.
    pub(super) pieces: Option<(u64, u64)>,
}

impl PartName {
    /// The name of a file; `None` if it is no part with a number.
    pub(super) fn from_path(path: &Path) -> Option<Self> {
        Self::parse(path.file_name()?.to_str()?)
    }

    /// As [`from_path`](Self::from_path), also with the letter that Hadoop has before the number.
    pub(super) fn with_letter(path: &Path) -> Option<Self> {
        Self::parse(&without_letter(path.file_name()?.to_str()?))
    }

    fn parse(name: &str) -> Option<Self> {
        let (first, rest) = name.strip_prefix("part-")?.split_once('.')?;
        let (last, rest) = match rest.strip_prefix("to-") {
            Some(rest) => rest.split_once('.').filter(|(last, _)| number(last) > number(first))?,
            None => (first, rest),
        };
        let (pieces, ending) = match rest.strip_prefix("tail-") {
            Some(tail) => tail.split_once('.').map(|(pieces, ending)| (Some(pieces), ending))?,
            None => (None, rest),
        };
        let parts = (number(first)?, number(last)?);
        let pieces = match pieces.map(|pieces| pieces.split_once('-').unwrap_or((pieces, pieces))) {
            // Too many to be counted.
            Some((first, last)) => {
                Some((number(first)?, number(last)?)).filter(|(_, last)| *last < PIECES_MAX)
            }
            None => None,
        };
        let ascend = |(first, last): &(u64, u64)| first <= last;
        let is_part = ascend(&parts) && (pieces.is_some() == rest.starts_with("tail-"));
        let is_part = is_part && pieces.is_none_or(|pieces| ascend(&pieces) && parts.0 == parts.1);
        (is_part && is_ending(ending)).then_some(Self { parts, pieces })
    }

    /// The name of a file with an ending.
    pub(super) fn file_name(&self, ending: &str) -> String {
        let number = |number: u64| format!("{number:0digits$}", digits = PART_DIGITS);
        let mut name = format!("part-{}", number(self.parts.0));
        if self.parts.0 != self.parts.1 {
            name += &format!(".to-{}", number(self.parts.1));
        }
        match self.pieces {
            Some((first, last)) if first == last => name += &format!(".tail-{}", number(first)),
            Some((first, last)) => name += &format!(".tail-{}-{}", number(first), number(last)),
            None => {}
        }
        format!("{name}.{ending}")
    }

    /// A key that sorts what replaces before what it replaces.
    pub(super) fn key(&self) -> (Start, Option<Start>) {
        let key = |(first, last)| (first, Reverse(last));
        (key(self.parts), self.pieces.map(key))
    }

    /// Whether no number is between the two: they are sorted.
    pub(super) fn is_before(&self, next: &Self) -> bool {
        let follows = |last: u64, first: u64| last >= first || last + 1 == first;
        match (self.pieces, next.pieces) {
            (Some((_, last)), Some((first, _))) if self.parts == next.parts => follows(last, first),
            (_, pieces) => follows(self.parts.1, next.parts.0) && pieces.is_none_or(|(first, _)| first == 0),
        }
    }

    /// Whether the file of this name has all rows of another one, and more.
    pub(super) fn replaces(&self, other: &Self) -> bool {
        let around = |one: (u64, u64), two: (u64, u64)| one.0 <= two.0 && two.1 <= one.1;
        match (self.pieces, other.pieces) {
            (None, None) => self.parts != other.parts && around(self.parts, other.parts),
            (None, Some(_)) => around(self.parts, other.parts),
            (Some(own), Some(pieces)) => self.parts == other.parts && own != pieces && around(own, pieces),
            (Some(_), None) => false,
        }
    }
}

/// What sorts ranges: the first number, then those that reach farther before others.
type Start = (u64, Reverse<u64>);

/// More pieces than one part can have.
const PIECES_MAX: u64 = 1 << 48;

fn number(digits: &str) -> Option<u64> {
    digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Ranges of numbers.
#[derive(Debug, Default)]
pub(super) struct Ranges(Vec<(u64, u64)>);

impl FromIterator<(u64, u64)> for Ranges {
    fn from_iter<I: IntoIterator<Item = (u64, u64)>>(ranges: I) -> Self {
        Self(ranges.into_iter().collect())
    }
}

impl Ranges {
    /// A range that has a number.
    pub(super) fn around(&self, number: u64) -> Option<(u64, u64)> {
        self.0.iter().copied().find(|(first, last)| (*first..=*last).contains(&number))
    }

    /// The greatest number.
    pub(super) fn last(&self) -> Option<u64> {
        self.0.iter().map(|(_, last)| *last).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for (parts, pieces, name) in [
            ((7, 7), None, "part-00007.trv"),
            ((3, 123_456), None, "part-00003.to-123456.trv"),
            ((7, 7), Some((2, 2)), "part-00007.tail-00002.trv"),
            ((7, 7), Some((0, 15)), "part-00007.tail-00000-00015.trv"),
        ] {
            let part = PartName { parts, pieces };
            assert_eq!(
                (part.file_name("trv").as_str(), PartName::from_path(Path::new(name))),
                (name, Some(part))
            );
        }
        let hadoop = Path::new("x/part-m-00012.redelm.gz");
        assert_eq!(PartName::with_letter(hadoop).unwrap().parts, (12, 12));
        assert_eq!(PartName::from_path(hadoop), None, "no part replaces it");
        for other in [
            "part-7-9.trv",
            "part-2-10.trv",
            "part-01-2024.trv",
            "part-7.to-3.trv",
            "part-7.to-7.trv",
            "part-7.to-.trv",
            "part-3.to-9.tail-1.trv",
            "part-3.tail.trv",
            "part-3.tail-.trv",
            "part-3.tail-2-1.trv",
            "part-3.tail-1.zip",
            "part-3.tail-1.tail-2.trv",
            "part-3.tail-0-18446744073709551615.trv",
            "part-+3.to-4.trv",
            "part-00000-7c1d5e0a.trv",
        ] {
            assert_eq!(PartName::from_path(Path::new(other)), None, "{other}");
        }
    }

    #[test]
    fn what_replaces_has_more() {
        let name = |text: &str| PartName::from_path(Path::new(text)).unwrap();
        let all = ["part-3.to-9.trv", "part-3.trv", "part-3.tail-0-15.trv", "part-3.tail-2.trv"].map(name);
        for (place, one) in all.iter().enumerate() {
            for (other_place, other) in all.iter().enumerate() {
                assert_eq!(one.replaces(other), place < other_place, "{one:?} {other:?}");
                assert_eq!(one.key() < other.key(), place < other_place, "{one:?} {other:?}");
            }
        }
        assert!(!name("part-3.trv").replaces(&name("part-3.redelm")));
        assert!(!name("part-3.to-9.trv").replaces(&name("part-2.trv")));
        assert!(!name("part-3.tail-0-15.trv").replaces(&name("part-4.tail-1.trv")));
    }
}
