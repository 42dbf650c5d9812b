//! Patterns as they are written.

use crate::error::Error;
use trevni::path::{NamePattern, PathName, Piece, piece};

/// A part of a pattern, between two dots.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PathPart {
    Name(PathName),
    /// The dots beside an exact one separate names.
    Glob {
        symbols: Vec<Symbol>,
        is_exact: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Symbol {
    One(char),
    /// `?`
    AnyOne,
    /// `*`
    Any,
}

/// A path with or without globs, which names fields to take or to exclude.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// As it is written, without the `!`.
    pub text: String,
    pub(crate) parts: Vec<PathPart>,
    /// Whether it begins with `!`: it excludes what it names.
    pub leaves_out: bool,
}

impl Pattern {
    /// Reads lists of patterns, joined by commas.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn all(lists: &[String]) -> Result<Vec<Self>, Error> {
        lists.iter().flat_map(|list| Self::list(list)).map(Self::parse).collect()
    }

    /// The patterns of a list, without the spaces around them.
    pub fn list(list: &str) -> Vec<&str> {
        let (mut patterns, mut bounds, mut at) = (Vec::new(), None::<(usize, usize)>, 0);
        let mut add = |bounds: Option<(usize, usize)>| {
            patterns.extend(bounds.and_then(|(start, end)| list.get(start..end)));
        };
        while let Some((piece, length)) = next_piece(list.get(at..).unwrap_or_default()) {
            match piece {
                Piece::Char(',') => add(bounds.take()),
                Piece::Char(space) if space.is_whitespace() => {}
                _ => bounds = Some((bounds.map_or(at, |(start, _)| start), at + length)),
            }
            at += length;
        }
        add(bounds);
        patterns
    }

    /// Reads one pattern.
    ///
    /// # Errors
    ///
    /// A back quote without an end, a `\` at the end.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let (text, leaves_out) = match text.strip_prefix('!') {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let parts = parts(text).map_err(|error| Error::query(error.to_string()))?;
        Ok(Self { text: text.to_owned(), parts, leaves_out })
    }

    /// The pattern without its `!`.
    pub fn included(&self) -> Self {
        Self { leaves_out: false, ..self.clone() }
    }

    /// Whether a text as a whole fits, dots in it as any other character.
    pub fn fits(&self, text: &str) -> bool {
        PathPart::whole(&self.parts).fits(text)
    }

    /// Whether it has `*` or `?`.
    pub fn has_globs(&self) -> bool {
        self.parts.iter().any(|part| part.is_pattern())
    }
}

impl PathPart {
    /// Several parts as one, the dots between them a part of the name.
    fn whole(parts: &[Self]) -> Self {
        let (mut symbols, mut is_exact) = (Vec::new(), false);
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                symbols.push(Symbol::One('.'));
            }
            match part {
                Self::Name(name) => symbols.extend(name.text().chars().map(Symbol::One)),
                Self::Glob { symbols: own, .. } => symbols.extend(own),
            }
            is_exact |= part.is_exact();
        }
        Self::of(symbols, is_exact)
    }

    fn of(symbols: Vec<Symbol>, is_exact: bool) -> Self {
        let plain = |symbol: &Symbol| match symbol {
            Symbol::One(c) => Some(*c),
            Symbol::AnyOne | Symbol::Any => None,
        };
        match symbols.iter().map(plain).collect::<Option<String>>() {
            Some(name) if is_exact => Self::Name(PathName::exact(name)),
            Some(name) => Self::Name(PathName::plain(name)),
            None => Self::Glob { symbols, is_exact },
        }
    }

    fn is_exact(&self) -> bool {
        match self {
            Self::Name(name) => name.is_exact(),
            Self::Glob { is_exact, .. } => *is_exact,
        }
    }
}

impl NamePattern for PathPart {
    fn fits(&self, name: &str) -> bool {
        match self {
            Self::Name(own) => own.text() == name,
            Self::Glob { symbols, .. } => fits(symbols, &name.chars().collect::<Vec<_>>()),
        }
    }

    fn joined(parts: &[Self]) -> Option<Self> {
        parts.iter().all(|part| !part.is_exact()).then(|| Self::whole(parts))
    }

    fn shown(&self) -> String {
        match self {
            Self::Name(name) => name.text().to_owned(),
            Self::Glob { symbols, .. } => symbols
                .iter()
                .map(|symbol| match symbol {
                    Symbol::One(c) => *c,
                    Symbol::AnyOne => '?',
                    Symbol::Any => '*',
                })
                .collect(),
        }
    }

    fn is_pattern(&self) -> bool {
        matches!(self, Self::Glob { .. })
    }
}

/// Whether a text fits a glob: each `*` takes as little as it can, and more where the rest does not fit.
fn fits(glob: &[Symbol], text: &[char]) -> bool {
    let (mut at, mut place) = (0, 0);
    let mut last = None;
    while place < text.len() {
        match glob.get(at) {
            Some(Symbol::Any) => {
                last = Some((at, place));
                at += 1;
                continue;
            }
            Some(Symbol::AnyOne) => {}
            Some(Symbol::One(c)) if text.get(place) == Some(c) => {}
            _ => match last {
                Some((star, taken)) => {
                    last = Some((star, taken + 1));
                    (at, place) = (star + 1, taken + 1);
                    continue;
                }
                None => return false,
            },
        }
        (at, place) = (at + 1, place + 1);
    }
    glob.get(at..).unwrap_or_default().iter().all(|symbol| *symbol == Symbol::Any)
}

/// The parts of a pattern; none for the row itself.
fn parts(text: &str) -> trevni::Result<Vec<PathPart>> {
    let (mut parts, mut symbols, mut is_exact) = (Vec::new(), Vec::new(), false);
    if text.is_empty() {
        return Ok(parts);
    }
    let mut rest = text;
    while let Some((next, length)) = piece(rest)? {
        match next {
            Piece::Dot => {
                parts.push(PathPart::of(std::mem::take(&mut symbols), std::mem::take(&mut is_exact)))
            }
            Piece::Quoted(own) => {
                symbols.extend(own.chars().map(Symbol::One));
                is_exact = true;
            }
            Piece::Char('*') => symbols.push(Symbol::Any),
            Piece::Char('?') => symbols.push(Symbol::AnyOne),
            Piece::Char(own) => symbols.push(Symbol::One(own)),
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    parts.push(PathPart::of(symbols, is_exact));
    Ok(parts)
}

/// The first piece of a text; all of it where that has no end.
fn next_piece(text: &str) -> Option<(Piece<'_>, usize)> {
    piece(text).unwrap_or_else(|_| Some((Piece::Quoted(text.into()), text.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Vec<PathPart> {
        parts(text).unwrap()
    }

    #[test]
    fn dots_separate_names() {
        let names = |text: &str| parsed(text).iter().map(PathPart::shown).collect::<Vec<_>>();
        assert_eq!(names("a.b"), ["a", "b"]);
        assert_eq!(names(r"v.5\.5.x"), ["v", "5.5", "x"]);
        assert_eq!(names("`a.b`.c"), ["a.b", "c"]);
        assert_eq!(names(r"a\\.b"), [r"a\", "b"]);
        assert_eq!(names("`a``*`.``"), ["a`*", ""]);
        assert!(parsed("").is_empty() && parts("`a").is_err() && parts(r"a\").is_err());
        assert_eq!(parsed(r"\*"), [PathPart::Name(PathName::exact("*"))]);
        let all = [r"a, !b*,", r"c\,d,`e,f`, g\ , `` ,, h i "].map(str::to_owned);
        let all = Pattern::all(&all).unwrap();
        let shown: Vec<(String, bool)> =
            all.iter().map(|pattern| (pattern.parts[0].shown(), pattern.leaves_out)).collect();
        let expected = [
            ("a", false),
            ("b*", true),
            ("c,d", false),
            ("e,f", false),
            ("g ", false),
            ("", false),
            ("h i", false),
        ];
        assert_eq!(shown, expected.map(|(text, leaves_out)| (text.to_owned(), leaves_out)));
        assert!(Pattern::all(&["a,`b,c".to_owned()]).is_err());
    }

    #[test]
    fn globs_fit_within_names() {
        let fits = |pattern: &str, name: &str| PathPart::whole(&parsed(pattern)).fits(name);
        for (pattern, name) in [("*", ""), ("*", "a.b"), ("a*c", "abbc"), ("?b*", "abb"), ("*a*a*", "banana")]
        {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("?", ""), ("a*c", "abcd"), ("a", "ab"), ("*x", "xy"), ("a?", "a")] {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
        assert!(!fits(&"*a".repeat(50), &"a".repeat(49)));
    }
}
