//! What a query asks for, as far as that is known without the files.

use super::Query;
use super::having::Having;
use super::sorting::Sorting;
use crate::failure::Failure;
use crate::selecting::condition;
use trevni::path::{Piece, piece};
use trevni_query::aggregate::Aggregate;
use trevni_query::paths::Pattern;
use trevni_query::{Condition, Expression, between_commas};

/// What a query asks for.
pub(super) struct QueryPlan {
    pub(super) items: Vec<Item>,
    pub(super) condition: Option<Condition>,
    pub(super) groups: Vec<(String, Expression)>,
    pub(super) aggregates: Vec<Aggregate>,
    /// How many of the aggregates are columns of the result; the others are only of the condition on groups.
    pub(super) shown: usize,
    pub(super) having: Option<Having>,
    pub(super) sorting: Vec<Sorting>,
    pub(super) exploded: Option<Pattern>,
}

/// A column of the result, or several.
pub(super) enum Item {
    /// Fields, or `!` and fields to exclude.
    Pattern(Pattern),
    Value(String, Expression),
}

impl QueryPlan {
    pub(super) fn parse(args: &Query) -> Result<Self, Failure> {
        let items = all(&args.columns).map(item).collect::<Result<_, _>>()?;
        let groups: Vec<(String, Expression)> =
            all(&args.by).map(Expression::named).collect::<Result<_, _>>()?;
        let mut aggregates: Vec<Aggregate> =
            all(&args.aggregate).map(Aggregate::parse).collect::<Result<_, _>>()?;
        if args.aggregate.is_empty() && !groups.is_empty() {
            aggregates.push(Aggregate::parse("count()")?);
        }
        for (given, option, count) in
            [(&args.by, "--by", groups.len()), (&args.aggregate, "--aggregate", aggregates.len())]
        {
            if !given.is_empty() && count == 0 {
                return Err(Failure::usage(format!("{option} is empty")));
            }
        }
        let shown = aggregates.len();
        let having = args.having.as_deref().map(|text| Having::parse(text, &mut aggregates)).transpose()?;
        let plan = Self {
            shown,
            having,
            items,
            condition: condition(args.filter.as_deref())?,
            groups,
            aggregates,
            sorting: all(&args.sort).map(Sorting::parse).collect(),
            exploded: args.explode.as_deref().map(Pattern::parse).transpose()?,
        };
        let mut names = plan.names();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => {
                let failure = Failure::usage(format!("two columns of the result are called {}", pair[0]));
                Err(failure.hint(format!("To name one: other={}", pair[0])))
            }
            None => Ok(plan),
        }
    }

    /// The names of the columns of groups.
    pub(super) fn names(&self) -> Vec<String> {
        let groups = self.groups.iter().map(|(name, _)| name);
        let shown = self.aggregates.iter().take(self.shown).map(|all| &all.name);
        groups.chain(shown).cloned().collect()
    }

    pub(super) fn is_grouped(&self) -> bool {
        !self.aggregates.is_empty()
    }

    /// The patterns among the columns.
    pub(super) fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        self.items.iter().filter_map(|item| match item {
            Item::Pattern(pattern) => Some(pattern),
            Item::Value(..) => None,
        })
    }

    /// All expressions but the condition.
    pub(super) fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let values = self.items.iter().filter_map(|item| match item {
            Item::Value(_, expression) => Some(expression),
            Item::Pattern(_) => None,
        });
        let groups = self.groups.iter().map(|(_, expression)| expression);
        values.chain(groups).chain(self.aggregates.iter().filter_map(|all| all.of.as_ref()))
    }
}

fn all(lists: &[String]) -> impl Iterator<Item = &str> {
    lists.iter().flat_map(|list| between_commas(list))
}

/// Names with globs are patterns, all else are values.
fn item(text: &str) -> Result<Item, Failure> {
    if (is_path(text) && text != "item") || text.starts_with('!') {
        return Ok(Item::Pattern(Pattern::parse(text)?));
    }
    let (name, expression) = Expression::named(text)?;
    Ok(Item::Value(name, expression))
}

/// Whether a text is names and globs only. What begins with a digit is a number.
fn is_path(text: &str) -> bool {
    let mut rest = text;
    while let Ok(Some((piece, length))) = piece(rest) {
        match piece {
            Piece::Dot | Piece::Quoted(_) => {}
            Piece::Char(c) if c.is_alphanumeric() || matches!(c, '_' | '$' | '*' | '?') => {}
            Piece::Char(_) => return false,
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    rest.is_empty() && !text.starts_with(|c: char| c.is_ascii_digit())
}
