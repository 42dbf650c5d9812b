//! Expressions as they are written: a tree, each part with its place in the text.

use super::functions::Function;
use super::reference::{Reference, Segment};
use crate::scalar::Scalar;
use regex::Regex;

/// A part of an expression.
#[derive(Clone, Debug)]
pub(crate) struct Syntax {
    pub(crate) kind: Operator,
    /// Where it is in the text.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Levels of parts within it.
    pub(crate) depth: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Operator {
    Literal(Scalar),
    Path(Reference),
    /// What lies at a path in an item of a list, or in an entry of a map.
    Place(Reference, Vec<Segment>),
    Not(Box<Syntax>),
    Negate(Box<Syntax>),
    And(Vec<Syntax>),
    Or(Vec<Syntax>),
    Compare(Comparison, Box<[Syntax; 2]>),
    Compute(Operation, Box<[Syntax; 2]>),
    In(Box<Syntax>, Vec<Syntax>),
    Between(Box<[Syntax; 3]>),
    IsNull(Box<Syntax>),
    StartsWith(Box<[Syntax; 2]>),
    Matches(Box<Syntax>, TextPattern),
    Call(Function, Vec<Syntax>),
    /// A condition on some item of a list or map, or on every one.
    Items {
        every: bool,
        list: Box<Syntax>,
        condition: Box<Syntax>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// What a text must be like.
#[derive(Clone, Debug)]
pub(crate) struct TextPattern {
    pub(crate) regex: Regex,
    /// The same in fewer words, where there are any.
    pub(crate) plain: Option<Plain>,
}

/// Patterns that need no regular expression.
#[derive(Clone, Debug)]
pub(crate) enum Plain {
    /// One string.
    Whole(String),
    /// What a string begins with.
    Start(String),
    /// What it has in it.
    Part(String),
}

impl Comparison {
    /// The same comparison with its sides exchanged.
    pub(crate) fn turned(self) -> Self {
        match self {
            Self::Equal | Self::Unequal => self,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }

    /// Whether it holds for values of this order; `None` where they have no order, as NaN.
    pub(crate) fn holds(self, order: Option<std::cmp::Ordering>) -> bool {
        match self {
            Self::Equal => order.is_some_and(|order| order.is_eq()),
            Self::Unequal => order.is_none_or(|order| order.is_ne()),
            Self::Less => order.is_some_and(|order| order.is_lt()),
            Self::LessOrEqual => order.is_some_and(|order| order.is_le()),
            Self::Greater => order.is_some_and(|order| order.is_gt()),
            Self::GreaterOrEqual => order.is_some_and(|order| order.is_ge()),
        }
    }
}

impl TextPattern {
    /// `%` matches any text, `_` any character; a character after `\` has no special meaning.
    pub(crate) fn like(pattern: &str) -> Result<Self, regex::Error> {
        Self::like_with(pattern, "(?s)")
    }

    /// As [`like`](Self::like), small and capital letters alike.
    pub(crate) fn like_in_any_case(pattern: &str) -> Result<Self, regex::Error> {
        Ok(Self { plain: None, ..Self::like_with(pattern, "(?si)")? })
    }

    fn like_with(pattern: &str, flags: &str) -> Result<Self, regex::Error> {
        let (mut regex, mut plain, mut wild) = (format!("{flags}^"), String::new(), Vec::new());
        let mut chars = pattern.chars();
        while let Some(next) = chars.next() {
            match next {
                '%' => regex.push_str(".*"),
                '_' => regex.push('.'),
                _ => {
                    let escaped = if next == '\\' { chars.next().unwrap_or(next) } else { next };
                    regex.push_str(&regex::escape(escaped.encode_utf8(&mut [0; 4])));
                    plain.push(escaped);
                    continue;
                }
            }
            wild.push((next, plain.len()));
        }
        regex.push('$');
        let plain = match wild[..] {
            [] => Some(Plain::Whole(plain)),
            [('%', at)] if at == plain.len() => Some(Plain::Start(plain)),
            [('%', 0), ('%', at)] if at == plain.len() => Some(Plain::Part(plain)),
            _ => None,
        };
        Ok(Self { regex: Regex::new(&regex)?, plain })
    }

    pub(crate) fn regex(pattern: &str) -> Result<Self, regex::Error> {
        Ok(Self { regex: Regex::new(pattern)?, plain: None })
    }

    pub(crate) fn matches(&self, text: &str) -> bool {
        match &self.plain {
            Some(Plain::Whole(whole)) => text == whole,
            Some(Plain::Start(start)) => text.starts_with(start.as_str()),
            Some(Plain::Part(part)) => text.contains(part.as_str()),
            None => self.regex.is_match(text),
        }
    }
}

impl Syntax {
    /// The parts directly within this one.
    pub(crate) fn parts(&self) -> Vec<&Syntax> {
        match &self.kind {
            Operator::Literal(_) | Operator::Path(_) | Operator::Place(..) => Vec::new(),
            Operator::Not(part)
            | Operator::Negate(part)
            | Operator::IsNull(part)
            | Operator::Matches(part, _) => vec![part],
            Operator::And(parts) | Operator::Or(parts) | Operator::Call(_, parts) => parts.iter().collect(),
            Operator::Compare(_, parts) | Operator::Compute(_, parts) | Operator::StartsWith(parts) => {
                parts.iter().collect()
            }
            Operator::Between(parts) => parts.iter().collect(),
            Operator::In(part, parts) => std::iter::once(&**part).chain(parts).collect(),
            Operator::Items { list, condition, .. } => vec![list, condition],
        }
    }

    /// The parts that must all be true where this is to be.
    pub(crate) fn conjuncts(self) -> Vec<Syntax> {
        match self.kind {
            Operator::And(parts) => parts.into_iter().flat_map(Syntax::conjuncts).collect(),
            _ => vec![self],
        }
    }
}
