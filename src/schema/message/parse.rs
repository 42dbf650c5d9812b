//! Reads the text of a message.

use super::{Field, GROUPS_MAX, Kind, Message, Primitive, Repetition, is_separator};
use crate::error::{Error, ErrorKind, Result};
use crate::shape::MAX_DEPTH;
use std::collections::HashSet;

/// The message that a text describes. What follows its closing brace is not looked at.
///
/// # Errors
///
/// Text that is not a message, two fields of one name, groups that are empty or nested too deep.
pub(crate) fn parse(text: &str) -> Result<Message> {
    let mut tokens = Tokens { text, line: 1 };
    let word = tokens.word("\"message\"")?;
    if !word.eq_ignore_ascii_case("message") {
        return Err(tokens.unexpected("\"message\"", word));
    }
    let name = tokens.word("the name of the message")?.to_owned();
    tokens.expect("{")?;
    let fields = fields(&mut tokens, &name, 0)?;
    Ok(Message { name, fields })
}

/// The fields up to the brace that closes their group.
fn fields(tokens: &mut Tokens<'_>, group: &str, depth: usize) -> Result<Vec<Field>> {
    if depth > GROUPS_MAX {
        return Err(ErrorKind::TooDeep { limit: MAX_DEPTH }.into());
    }
    let (mut fields, mut names) = (Vec::new(), HashSet::new());
    loop {
        let word = tokens.next().ok_or_else(|| tokens.error("ends before the group is closed"))?;
        if word == "}" {
            break;
        }
        let field = field(tokens, word, depth)?;
        if !names.insert(field.name.clone()) {
            return Err(tokens.error(&format!("two fields of {group} are named {:?}", field.name)));
        }
        fields.push(field);
    }
    match fields.is_empty() {
        true => Err(tokens.error(&format!("the group {group} has no fields"))),
        false => Ok(fields),
    }
}

/// The field that begins with a word.
fn field(tokens: &mut Tokens<'_>, word: &str, depth: usize) -> Result<Field> {
    let repetition = Repetition::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(word));
    let repetition =
        repetition.ok_or_else(|| tokens.unexpected("\"required\", \"optional\" or \"repeated\"", word))?;
    let kind = tokens.word("a type")?;
    let is_group = kind.eq_ignore_ascii_case("group");
    let leaf = Primitive::from_name(kind);
    let name = tokens.word("the name of a field")?.to_owned();
    let kind = match leaf {
        _ if is_group => {
            tokens.expect("{")?;
            Kind::Group(fields(tokens, &name, depth + 1)?)
        }
        Some(leaf) => {
            tokens.expect(";")?;
            Kind::Leaf(leaf)
        }
        None => return Err(tokens.error(&format!("{kind:?} is not a type"))),
    };
    Ok(Field { name, repetition, kind })
}

/// Words, braces and semicolons.
struct Tokens<'t> {
    text: &'t str,
    line: usize,
}

impl<'t> Tokens<'t> {
    fn next(&mut self) -> Option<&'t str> {
        let rest = self.text.trim_start_matches([' ', '\n', '\t']);
        let passed = self.text.len() - rest.len();
        let space = &self.text[..passed];
        self.line += space.bytes().filter(|byte| *byte == b'\n').count();
        let end = match rest.find(is_separator) {
            Some(0) => 1,
            Some(end) => end,
            None => rest.len(),
        };
        let (token, rest) = rest.split_at(end);
        self.text = rest;
        Some(token).filter(|token| !token.is_empty())
    }

    /// The next token, which is a word.
    fn word(&mut self, what: &str) -> Result<&'t str> {
        match self.next() {
            Some(word) if !word.starts_with(is_separator) => Ok(word),
            Some(other) => Err(self.unexpected(what, other)),
            None => Err(self.error(&format!("ends where {what} should be"))),
        }
    }

    fn expect(&mut self, token: &str) -> Result<()> {
        match self.next() {
            Some(found) if found == token => Ok(()),
            Some(found) => Err(self.unexpected(&format!("{token:?}"), found)),
            None => Err(self.error(&format!("ends where {token:?} should be"))),
        }
    }

    #[cold]
    fn unexpected(&self, what: &str, found: &str) -> Error {
        self.error(&format!("{found:?} where {what} should be"))
    }

    #[cold]
    fn error(&self, what: &str) -> Error {
        Error::message_schema(format!("line {}: {what}", self.line))
    }
}
