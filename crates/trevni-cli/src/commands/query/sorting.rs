//! In which order rows of the result come.

use crate::failure::Failure;
use std::cmp::Ordering;
use trevni_query::Scalar;
use trevni_query::aggregate::Aggregate;
use trevni_query::paths::near;

/// A column that rows are sorted by.
pub(super) struct Sorting {
    pub(super) name: String,
    pub(super) descends: bool,
}

impl Sorting {
    pub(super) fn parse(text: &str) -> Self {
        let word = |word: &str| {
            let (name, last) = text.trim_end().rsplit_once(char::is_whitespace)?;
            last.eq_ignore_ascii_case(word).then_some(name)
        };
        let (name, descends) = match (text.strip_prefix('-'), word("desc"), word("asc")) {
            (Some(name), ..) | (_, Some(name), _) => (name, true),
            (_, _, Some(name)) => (name, false),
            _ => (text, false),
        };
        Self { name: name.trim().to_owned(), descends }
    }

    /// Which of the columns it is.
    pub(super) fn find(&self, names: &[String]) -> Result<usize, Failure> {
        names.iter().position(|name| *name == self.name).ok_or_else(|| {
            let near = near(&self.name, names);
            Failure::usage(format!("the result has no column {:?} to sort by{near}", self.name))
        })
    }

    /// Which of the columns of groups it is: by its name, or as an aggregate is written.
    /// These are the aggregates that are shown, after `keys` keys.
    pub(super) fn find_group(
        &self,
        names: &[String],
        keys: usize,
        aggregates: &[Aggregate],
    ) -> Result<usize, Failure> {
        let aggregate = || {
            let wanted = Aggregate::parse(&self.name).ok()?;
            let at = aggregates.iter().position(|own| own.is_same(&wanted))?;
            Some(at + keys)
        };
        match self.find(names) {
            Err(failure) => aggregate().ok_or(failure),
            found => found,
        }
    }

    /// The order of two values; nulls are last, whichever way it goes.
    pub(super) fn order(&self, one: &Scalar, two: &Scalar) -> Ordering {
        let order = one.get().order(two.get());
        let has_null = *one == Scalar::Null || *two == Scalar::Null;
        if self.descends && !has_null { order.reverse() } else { order }
    }
}

/// The order of rows by what they are sorted by.
pub(super) fn order<'v>(
    sorting: &[Sorting],
    one: impl IntoIterator<Item = &'v Scalar>,
    two: impl IntoIterator<Item = &'v Scalar>,
) -> Ordering {
    let values = one.into_iter().zip(two);
    let mut orders = sorting.iter().zip(values).map(|(by, (one, two))| by.order(one, two));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
