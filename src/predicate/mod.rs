//! Conditions on rows: what a [`Predicate`] is made of.
//!
//! A predicate is true, false or unknown for a row, as in SQL. Comparisons with null values are unknown, and a
//! row matches only if the whole predicate is true:
//!
//! * null is `None`, an absent field, anything below these, and the fields of a variant other than the
//!   value's; `not`, `and` and `or` follow Kleene's logic;
//! * [`Col::is_null`] and [`Col::is_not_null`] are always true or false;
//! * [`Col::any`] is the `or` of all items: false for an empty list, unknown for a null one.
//!
//! Numbers of any types compare by their exact values, with one exception: a float that is compared with an
//! `f32` field is rounded to `f32` first, as in Rust `row.x == 0.1` is. NaN compares as in Rust, so only `ne`
//! holds; -0.0 equals 0.0. Strings and bytes compare byte by byte, enum symbols by name.

use crate::error::Result;
use crate::path::{Found, PathName, Root, find, format, no_such, parse};
use crate::shape::Shape;
use std::ops::{BitAnd, BitOr, Not};

mod bind;
mod comparison;
mod display;
mod evaluate;
mod filter;
mod literal;
pub(crate) mod place;
mod prune;
mod task;
mod truth;

#[cfg(test)]
mod tests;

pub(crate) use bind::Known;
pub(crate) use filter::{Blocks, Filter};
pub use literal::Literal;
pub(crate) use place::Predicate;
#[cfg(test)]
pub(crate) use place::{col, item};
pub(crate) use truth::Truth;

/// A field to compare; see [`col`](crate::col).
#[derive(Clone, Debug)]
pub struct Col {
    path: String,
}

#[derive(Clone, Debug)]
enum Expression {
    Compare { path: String, comparison: Comparison },
    Null { path: String, not: bool },
    Any { path: String, predicate: Box<Predicate> },
    And(Vec<Predicate>),
    Or(Vec<Predicate>),
    Not(Box<Predicate>),
}

/// With what something is compared, and how.
#[derive(Clone, Debug)]
enum Comparison {
    Eq(Literal),
    Ne(Literal),
    Lt(Literal),
    Le(Literal),
    Gt(Literal),
    Ge(Literal),
    Between(Literal, Literal),
    In(Vec<Literal>),
    StartsWith(Literal),
    Contains(Literal),
}

impl Col {
    fn compare(self, comparison: Comparison) -> Predicate {
        Predicate(Expression::Compare { path: self.path, comparison })
    }

    /// The value is equal to the literal.
    #[must_use]
    pub fn eq(self, literal: impl Into<Literal>) -> Predicate {
        self.compare(Comparison::Eq(literal.into()))
    }

    /// The value is not null and not equal to the literal.
    #[must_use]
    pub fn ne(self, literal: impl Into<Literal>) -> Predicate {
        self.compare(Comparison::Ne(literal.into()))
    }

    /// The value is less than the literal.
    #[must_use]
    pub fn lt(self, literal: impl Into<Literal>) -> Predicate {
        self.compare(Comparison::Lt(literal.into()))
    }

    /// The value is less than the literal or equal to it.
    #[must_use]
    pub fn le(self, literal: impl Into<Literal>) -> Predicate {
        self.compare(Comparison::Le(literal.into()))
    }

    /// The value is greater than the literal.
    #[must_use]
    pub fn gt(self, literal: impl Into<Literal>) -> Predicate {
        self.compare(Comparison::Gt(literal.into()))
    }

    /// The value is greater than the literal or equal to it.
    #[must_use]
    pub fn ge(self, literal: impl Into<Literal>) -> Predicate {
        self.compare(Comparison::Ge(literal.into()))
    }

    /// The value is within the bounds, both inclusive.
    #[must_use]
    pub fn between(self, low: impl Into<Literal>, high: impl Into<Literal>) -> Predicate {
        self.compare(Comparison::Between(low.into(), high.into()))
    }

    /// The value is equal to one of the literals.
    #[must_use]
    pub fn is_in(self, literals: impl IntoIterator<Item: Into<Literal>>) -> Predicate {
        self.compare(Comparison::In(literals.into_iter().map(Into::into).collect()))
    }

    /// The string, the bytes or the enum symbol start with the literal, a string or bytes.
    #[must_use]
    pub fn starts_with(self, literal: impl Into<Literal>) -> Predicate {
        self.compare(Comparison::StartsWith(literal.into()))
    }

    /// The string, the bytes or the enum symbol have the literal in them, a string or bytes. Where the values are stored as a list of
    /// different ones, each of these is searched once.
    ///
    /// ```
    /// use trevni::{Reader, col};
    ///
    /// let file = trevni::to_vec(["/docs/rows", "/about", "/docs"])?;
    /// let reader = Reader::from_slice(&file)?.filter(col("").contains("docs"))?;
    /// assert_eq!(reader.matching_count()?, 2);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn contains(self, literal: impl Into<Literal>) -> Predicate {
        self.compare(Comparison::Contains(literal.into()))
    }

    /// The value is `None` or absent, or is inside something that is.
    #[must_use]
    pub fn is_null(self) -> Predicate {
        Predicate(Expression::Null { path: self.path, not: false })
    }

    /// The value is neither `None` nor absent.
    #[must_use]
    pub fn is_not_null(self) -> Predicate {
        Predicate(Expression::Null { path: self.path, not: true })
    }

    /// The predicate is true for at least one item of a list or entry of a map.
    ///
    /// Paths in the predicate start at the item; [`item`](crate::item) is the item itself. Map entries have a `key` and a
    /// `value`.
    ///
    /// ```
    /// use trevni::{Reader, col, item};
    ///
    /// let file = trevni::to_vec([vec![1, 5], vec![2], vec![]])?;
    /// let reader = Reader::from_slice(&file)?.filter(col("").any(item().gt(4)))?;
    /// assert_eq!(reader.matching()?.ranges(), [0..1]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn any(self, predicate: Predicate) -> Predicate {
        Predicate(Expression::Any { path: self.path, predicate: Box::new(predicate) })
    }
}

impl Predicate {
    /// The conjuncts of this predicate.
    pub(crate) fn conjuncts(&self) -> Vec<Self> {
        match &self.0 {
            Expression::And(all) => all.iter().flat_map(Self::conjuncts).collect(),
            _ => vec![self.clone()],
        }
    }

    /// Both predicates are true. The same as `&`.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let mut all = match self.0 {
            Expression::And(all) => all,
            one => vec![Self(one)],
        };
        match other.0 {
            Expression::And(more) => all.extend(more),
            one => all.push(Self(one)),
        }
        Self(Expression::And(all))
    }

    /// At least one of the predicates is true. The same as `|`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let mut all = match self.0 {
            Expression::Or(all) => all,
            one => vec![Self(one)],
        };
        match other.0 {
            Expression::Or(more) => all.extend(more),
            one => all.push(Self(one)),
        }
        Self(Expression::Or(all))
    }
}

impl BitAnd for Predicate {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        self.and(other)
    }
}

impl BitOr for Predicate {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.or(other)
    }
}

/// The predicate is false, neither true nor unknown.
impl Not for Predicate {
    type Output = Self;

    fn not(self) -> Self {
        Self(Expression::Not(Box::new(self)))
    }
}

impl Predicate {
    /// Calls with what each path means in a shape; conditions on items go on from the list.
    ///
    /// # Errors
    ///
    /// A path that is not there; what the call returns.
    pub(crate) fn each_path(
        &self,
        shape: &Shape,
        call: &mut dyn FnMut(&Found<'_>) -> Result<()>,
    ) -> Result<()> {
        self.each_from(&Found { steps: Vec::new(), root: Root::Shape(shape) }, call)
    }

    /// As [`each_path`](Self::each_path), of paths that begin at something.
    fn each_from(&self, from: &Found<'_>, call: &mut dyn FnMut(&Found<'_>) -> Result<()>) -> Result<()> {
        let (path, items) = match &self.0 {
            Expression::Compare { path, .. } | Expression::Null { path, .. } => (path, None),
            Expression::Any { path, predicate } => (path, Some(predicate)),
            Expression::And(all) | Expression::Or(all) => {
                return all.iter().try_for_each(|part| part.each_from(from, call));
            }
            Expression::Not(predicate) => return predicate.each_from(from, call),
        };
        for found in reached(from, &parse(path)?)? {
            call(&found)?;
            if let (Some(predicate), Some(root)) = (items, found.root.items()) {
                predicate.each_from(&Found { root, ..found }, call)?;
            }
        }
        Ok(())
    }
}

/// What a path means that begins at something.
fn reached<'s>(from: &Found<'s>, names: &[PathName]) -> Result<Vec<Found<'s>>> {
    let found = find(from.root, names)
        .map_err(|lost| no_such(&format(names.iter().map(PathName::text)), from.root, &lost))?;
    let whole = |found: Found<'s>| {
        let steps = from.steps.iter().chain(&found.steps).copied().collect();
        Found { steps, root: found.root }
    };
    Ok(found.into_iter().map(whole).collect())
}
