//! Paths as they are written.

use super::NamePattern;
use crate::error::{Error, ErrorKind, Result};
use std::borrow::Cow;

/// A piece of a path as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
    /// `.`, which ends a name.
    Dot,
    /// A character as it is.
    Char(char),
    /// What has no meaning but itself: a character after `\`, or the text between back quotes, where a doubled one stands for
    /// one.
    Quoted(Cow<'t, str>),
}

/// The first piece of a text, and its length in bytes; `None` at the end.
///
/// ```
/// use trevni::path::{Piece, piece};
///
/// assert_eq!(piece("a.b")?, Some((Piece::Char('a'), 1)));
/// assert_eq!(piece("`a.b`.c")?, Some((Piece::Quoted("a.b".into()), 5)));
/// assert_eq!(piece("")?, None);
/// assert!(piece("`a").is_err());
/// # Ok::<(), trevni::Error>(())
/// ```
///
/// # Errors
///
/// A back quote without an end, a `\` at the end.
pub fn piece(text: &str) -> Result<Option<(Piece<'_>, usize)>> {
    let mut chars = text.chars();
    Ok(match chars.next() {
        None => None,
        Some('.') => Some((Piece::Dot, 1)),
        Some('`') => Some(quoted(text).ok_or_else(|| unfinished(text, "a back quote has no end"))?),
        Some('\\') => {
            let next = chars.next().ok_or_else(|| unfinished(text, "nothing comes after `\\`"))?;
            let end = 1 + next.len_utf8();
            Some((Piece::Quoted(Cow::Borrowed(&text[1..end])), end))
        }
        Some(other) => Some((Piece::Char(other), other.len_utf8())),
    })
}

/// The text in the back quotes that a text begins with.
fn quoted(text: &str) -> Option<(Piece<'_>, usize)> {
    let (mut end, mut doubled) = (1, false);
    loop {
        end += text.get(end..)?.find('`')?;
        if !text.get(end + 1..)?.starts_with('`') {
            break;
        }
        (end, doubled) = (end + 2, true);
    }
    let within = text.get(1..end)?;
    let within = if doubled { Cow::Owned(within.replace("``", "`")) } else { Cow::Borrowed(within) };
    Some((Piece::Quoted(within), end + 1))
}

#[cold]
fn unfinished(text: &str, what: &str) -> Error {
    ErrorKind::NoSuchPath { path: text.to_owned(), hint: what.to_owned() }.into()
}

/// A name of a path as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PathName {
    text: String,
    is_exact: bool,
}

impl PathName {
    /// A name that is no part of another one, whatever is in it.
    #[must_use]
    pub fn exact(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_exact: true }
    }

    /// A name that may be a part of one with dots.
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_exact: false }
    }

    /// The name.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is quoted, as a whole or in part: then it is a whole name, and the dots beside it separate names.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }
}

impl NamePattern for PathName {
    fn fits(&self, name: &str) -> bool {
        self.text == name
    }

    fn joined(names: &[Self]) -> Option<Self> {
        let is_plain = names.iter().all(|name| !name.is_exact);
        is_plain.then(|| {
            let texts: Vec<&str> = names.iter().map(Self::text).collect();
            Self::plain(texts.join("."))
        })
    }

    fn shown(&self) -> String {
        self.text.clone()
    }
}

/// The names of a path, from the outermost; no names for the row itself, whose path is empty.
///
/// ```
/// use trevni::path::parse;
///
/// let names = |path: &str| {
///     let names = parse(path)?;
///     Ok::<_, trevni::Error>(names.iter().map(|name| name.text().to_owned()).collect::<Vec<_>>())
/// };
/// assert_eq!(names("a.b.c")?, ["a", "b", "c"]);
/// assert_eq!(names(r"`a.b`.`it``s`.x\.y")?, ["a.b", "it`s", "x.y"]);
/// assert_eq!(names("``")?, [""]);
/// assert!(names("")?.is_empty());
/// # Ok::<(), trevni::Error>(())
/// ```
///
/// # Errors
///
/// As [`piece`].
pub fn parse(path: &str) -> Result<Vec<PathName>> {
    let (mut names, mut name) = (Vec::new(), PathName::plain(""));
    if path.is_empty() {
        return Ok(names);
    }
    let mut rest = path;
    while let Some((piece, length)) = piece(rest).map_err(|error| in_path(&error, path))? {
        match piece {
            Piece::Dot => names.push(std::mem::replace(&mut name, PathName::plain(""))),
            Piece::Char(own) => name.text.push(own),
            Piece::Quoted(text) => {
                name.text.push_str(&text);
                name.is_exact = true;
            }
        }
        rest = &rest[length..];
    }
    names.push(name);
    Ok(names)
}

/// The error of a whole path, of which a part is wrong.
#[cold]
fn in_path(error: &Error, path: &str) -> Error {
    let hint = match error.kind() {
        ErrorKind::NoSuchPath { hint, .. } => hint.clone(),
        other => other.to_string(),
    };
    ErrorKind::NoSuchPath { path: path.to_owned(), hint }.into()
}

/// Words that mean something in conditions where they stand alone.
const WORDS: [&str; 12] =
    ["and", "or", "not", "is", "in", "between", "like", "starts", "with", "true", "false", "null"];

/// The path of these names, so that it means them wherever paths are taken, and nothing else: names are in back quotes where
/// they have to be. The inverse of [`parse`].
///
/// ```
/// use trevni::path::format;
///
/// assert_eq!(format(["sender", "host", "0"]), "sender.host.0");
/// assert_eq!(format(["a.b", "", "it`s"]), "`a.b`.``.`it``s`");
/// assert_eq!(format(["null"]), "`null`");
/// ```
pub fn format<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> String {
    let (mut path, mut count) = (String::new(), 0_usize);
    for name in names {
        push_name(&mut path, name.as_ref());
        count += 1;
    }
    match count == 1 && WORDS.iter().any(|word| path.eq_ignore_ascii_case(word)) {
        true => format!("`{path}`"),
        false => path,
    }
}

/// Appends a name to a path of names that are written as [`format`] has them; to an empty one, the first.
pub(crate) fn push_name(path: &mut String, name: &str) {
    let is_first = path.is_empty();
    if !is_first {
        path.push('.');
    }
    if is_plain(name, is_first) {
        path.push_str(name);
        return;
    }
    path.push('`');
    path.push_str(&name.replace('`', "``"));
    path.push('`');
}

/// Whether a name means itself without quotes, in conditions too: these have numbers and operators.
fn is_plain(name: &str, is_first: bool) -> bool {
    let may_begin =
        |first: char| first == '_' || first.is_alphabetic() || !is_first && first.is_alphanumeric();
    name.starts_with(may_begin)
        && name.chars().all(|part| part.is_alphanumeric() || matches!(part, '_' | '$'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn texts(path: &str) -> Vec<String> {
        parse(path).unwrap().iter().map(|name| name.text().to_owned()).collect()
    }

    #[test]
    fn names_are_told_apart() {
        assert_eq!(texts("."), ["", ""]);
        assert_eq!(texts("a."), ["a", ""]);
        assert_eq!(texts("a`.b`c.d"), ["a.bc", "d"]);
        assert_eq!(texts("````"), ["`"]);
        assert_eq!(texts(r"a\\.\`"), [r"a\", "`"]);
        let exact: Vec<bool> = parse(r"a.`b`.c\d.e").unwrap().iter().map(PathName::is_exact).collect();
        assert_eq!(exact, [false, true, true, false]);
        for wrong in ["`", "a.`b", "```", r"a\"] {
            let error = parse(wrong).unwrap_err();
            assert!(error.to_string().contains(&format!("{wrong:?}")), "{error}");
        }
    }

    #[test]
    fn quotes_are_where_they_have_to_be() {
        for (names, path) in [
            (&["_0", "0", "ä"][..], "_0.0.ä"),
            (&["0"], "`0`"),
            (&["In"], "`In`"),
            (&["in", "x"], "in.x"),
            (&["dep-time"], "`dep-time`"),
            (&["$"], "`$`"),
            (&["", ""], "``.``"),
            (&[], ""),
        ] {
            assert_eq!(format(names), path);
        }
    }

    proptest! {
        #[test]
        fn parsing_is_the_inverse_of_formatting(names in vec("[ab`\\\\. *?!,0_\\[\\]äin]{0,4}|null", 0..5)) {
            prop_assert_eq!(texts(&format(&names)), names);
        }

        #[test]
        fn any_text_has_names_or_an_error(text in ".{0,20}") {
            if let Ok(names) = parse(&text) {
                prop_assert_eq!(names.is_empty(), text.is_empty());
                let names: Vec<String> = names.iter().map(|name| name.text().to_owned()).collect();
                prop_assert_eq!(texts(&format(&names)), names);
            }
        }
    }
}
