//! Paths and patterns as they are written.

/// A part of a pattern, between two dots.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PathPart {
    Name(String),
    Glob(Vec<Symbol>),
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
    pub fn all(lists: &[String]) -> Vec<Self> {
        lists.iter().flat_map(|list| Self::list(list)).map(Self::parse).collect()
    }

    /// The patterns of a list.
    pub fn list(list: &str) -> Vec<&str> {
        let (mut patterns, mut rest) = (Vec::new(), Some(list));
        while let Some(text) = rest {
            let end = comma(text);
            patterns.push(text.get(..end).unwrap_or(text).trim());
            rest = text.get(end + 1..);
        }
        patterns.retain(|pattern| !pattern.is_empty());
        patterns
    }

    /// Reads one pattern.
    pub fn parse(text: &str) -> Self {
        let (text, leaves_out) = match text.strip_prefix('!') {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        Self { text: text.to_owned(), parts: parts(text), leaves_out }
    }

    /// The pattern without its `!`.
    pub fn included(&self) -> Self {
        Self { leaves_out: false, ..self.clone() }
    }

    /// Whether a text as a whole fits, dots in it as any other character.
    pub fn fits(&self, text: &str) -> bool {
        PathPart::joined(&self.parts).fits(text)
    }

    /// Whether it has `*` or `?`.
    pub fn has_globs(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, PathPart::Glob(_)))
    }
}

impl PathPart {
    /// Names, each for itself.
    pub(crate) fn names<S: AsRef<str>>(names: &[S]) -> Vec<Self> {
        names.iter().map(|name| Self::Name(name.as_ref().to_owned())).collect()
    }

    /// Several parts as one, the dots between them a part of the name.
    pub(super) fn joined(parts: &[Self]) -> Self {
        let mut symbols = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                symbols.push(Symbol::One('.'));
            }
            match part {
                Self::Name(name) => symbols.extend(name.chars().map(Symbol::One)),
                Self::Glob(glob) => symbols.extend(glob),
            }
        }
        Self::of(symbols)
    }

    fn of(symbols: Vec<Symbol>) -> Self {
        let plain = |symbol: &Symbol| match symbol {
            Symbol::One(c) => Some(*c),
            _ => None,
        };
        match symbols.iter().map(plain).collect() {
            Some(name) => Self::Name(name),
            None => Self::Glob(symbols),
        }
    }

    /// Whether a name fits.
    pub(super) fn fits(&self, name: &str) -> bool {
        match self {
            Self::Name(own) => own == name,
            Self::Glob(glob) => fits(glob, &name.chars().collect::<Vec<_>>()),
        }
    }

    /// As it is shown in messages.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Name(name) => name.clone(),
            Self::Glob(glob) => glob
                .iter()
                .map(|symbol| match symbol {
                    Symbol::One(c) => *c,
                    Symbol::AnyOne => '?',
                    Symbol::Any => '*',
                })
                .collect(),
        }
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

/// Splits a path at its dots. Names may be in back quotes; a character after `\` has no special meaning.
fn parts(text: &str) -> Vec<PathPart> {
    let (mut parts, mut symbols) = (Vec::new(), Vec::new());
    let mut chars = text.chars();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '`' => quoted = !quoted,
            _ if quoted => symbols.push(Symbol::One(c)),
            '\\' => symbols.push(Symbol::One(chars.next().unwrap_or(c))),
            '.' => parts.push(PathPart::of(std::mem::take(&mut symbols))),
            '*' => symbols.push(Symbol::Any),
            '?' => symbols.push(Symbol::AnyOne),
            c => symbols.push(Symbol::One(c)),
        }
    }
    parts.push(PathPart::of(symbols));
    parts
}

/// Where the first comma is that parts patterns; the end where there is none.
fn comma(text: &str) -> usize {
    let (mut quoted, mut escaped) = (false, false);
    let parts = |(_, c): &(usize, char)| {
        let is_comma = *c == ',' && !quoted && !escaped;
        quoted ^= *c == '`' && !escaped;
        escaped = *c == '\\' && !quoted && !escaped;
        is_comma
    };
    text.char_indices().find(parts).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_part_names() {
        let names = |text: &str| parts(text).iter().map(PathPart::shown).collect::<Vec<_>>();
        assert_eq!(names("a.b"), ["a", "b"]);
        assert_eq!(names(r"v.5\.5.x"), ["v", "5.5", "x"]);
        assert_eq!(names("`a.b`.c"), ["a.b", "c"]);
        assert_eq!(names(r"a\\.b\"), [r"a\", r"b\"]);
        assert_eq!(parts(r"\*"), [PathPart::Name("*".to_owned())]);
        let all = Pattern::all(&["a, !b*,".to_owned(), r"c\,d,`e,f`".to_owned()]);
        let shown: Vec<(String, bool)> =
            all.iter().map(|pattern| (pattern.parts[0].shown(), pattern.leaves_out)).collect();
        let expected = [("a", false), ("b*", true), ("c,d", false), ("e,f", false)];
        assert_eq!(shown, expected.map(|(text, leaves_out)| (text.to_owned(), leaves_out)));
    }

    #[test]
    fn globs_fit_within_names() {
        let fits = |pattern: &str, name: &str| PathPart::joined(&parts(pattern)).fits(name);
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
