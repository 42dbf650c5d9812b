//! Aggregates: what the rows of a group come to, such as counts, sums and means.

mod groups;
mod state;
mod sum;

pub use groups::Groups;
pub use state::State;

use crate::error::Error;
use crate::expression::Expression;
use crate::paths::near_name;
use crate::scalar::Scalar;
use crate::step::BoundExpression;
use crate::types::Type;

/// An aggregate such as `count()`, `mean(delay)` or `late=quantile(delay, 0.9)`.
#[derive(Clone, Debug)]
pub struct Aggregate {
    /// The name before `=`, or one made of the function and the expression.
    pub name: String,
    /// Of which values; `None` for rows.
    pub of: Option<Expression>,
    function: Function,
    source: String,
}

/// The error of an invalid aggregate.
fn missing(name: &str) -> Error {
    let near = near_name(name, Aggregate::names());
    let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
    let names: Vec<&str> = Aggregate::names().collect();
    Error::query(format!("no aggregate {name:?}{near}")).with_hint(format!("There are {}", names.join(", ")))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Function {
    Count,
    CountDistinct,
    Sum,
    Mean,
    Min,
    Max,
    First,
    Last,
    Deviation,
    Quantile(f64),
}

/// The names of aggregates; those of other languages after them.
const FUNCTIONS: [(&str, Function); 22] = [
    ("count", Function::Count),
    ("count_distinct", Function::CountDistinct),
    ("sum", Function::Sum),
    ("mean", Function::Mean),
    ("min", Function::Min),
    ("max", Function::Max),
    ("first", Function::First),
    ("last", Function::Last),
    ("stddev", Function::Deviation),
    ("median", Function::Quantile(0.5)),
    ("quantile", Function::Quantile(f64::NAN)),
    ("avg", Function::Mean),
    ("average", Function::Mean),
    ("minimum", Function::Min),
    ("maximum", Function::Max),
    ("std", Function::Deviation),
    ("stdev", Function::Deviation),
    ("stddev_samp", Function::Deviation),
    ("any_value", Function::First),
    ("percentile", Function::Quantile(f64::NAN)),
    ("percentile_cont", Function::Quantile(f64::NAN)),
    ("quantile_cont", Function::Quantile(f64::NAN)),
];

/// How many of these are names of this language.
const OWN: usize = 11;

impl Aggregate {
    /// Reads an aggregate.
    ///
    /// # Errors
    ///
    /// There is no such aggregate, or it takes something else.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let call = Expression::call(text)?;
        let function = if call.is_distinct { "count_distinct" } else { call.function.as_str() };
        if call.is_distinct && call.function != "count" {
            return Err(Error::query(format!(
                "distinct is for count(distinct x), not for {}",
                call.function
            )));
        }
        let Some((word, function)) = FUNCTIONS.into_iter().find(|(name, _)| *name == function) else {
            return Err(missing(function));
        };
        let (of, function, suffix) = match (&call.parts[..], function) {
            ([], Function::Count) => (None, function, String::new()),
            ([of, share], Function::Quantile(asked)) if asked.is_nan() => {
                let literal = match share.literal() {
                    Some(Scalar::Float(share)) => Some(*share),
                    Some(Scalar::Integer(share @ 0..=1)) => Some(*share as f64),
                    _ => None,
                };
                let Some(share) = literal.filter(|share| (0.0..=1.0).contains(share)) else {
                    return Err(share.wrong("quantile takes a number from 0 to 1, such as 0.9"));
                };
                (Some(of.clone()), Function::Quantile(share), format!("_{}_{share}", of.source()))
            }
            ([of], _) if !matches!(function, Function::Quantile(share) if share.is_nan()) => {
                (Some(of.clone()), function, format!("_{}", of.source()))
            }
            _ => {
                let wanted = match function {
                    Function::Count => "count() or count(x)".to_owned(),
                    Function::Quantile(share) if share.is_nan() => format!("{word}(x, 0.9)"),
                    _ => format!("{word}(x)"),
                };
                return Err(Error::query(format!("{text:?} is written {wanted}")));
            }
        };
        let name = call.name.unwrap_or_else(|| format!("{word}{suffix}"));
        Ok(Self { name, of, function, source: call.source })
    }

    /// Names of all aggregates, without those of other languages.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FUNCTIONS.into_iter().take(OWN).map(|(name, _)| name)
    }

    /// The text without its name, as it is written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether it is the same of the same values as another, whatever their names.
    pub fn is_same(&self, other: &Self) -> bool {
        let of = |all: &Self| all.of.as_ref().map(Expression::source);
        self.function == other.function && of(self) == of(other)
    }

    /// Checks the type of the values that it is computed of.
    ///
    /// # Errors
    ///
    /// It cannot be computed of values of this type.
    pub fn check(&self, bound: &BoundExpression) -> Result<(), Error> {
        let numbers = matches!(
            self.function,
            Function::Sum | Function::Mean | Function::Deviation | Function::Quantile(_)
        );
        let fits = match self.function {
            Function::Count => true,
            _ if numbers => bound.kind.is_number(),
            Function::Min | Function::Max => bound.kind.has_order(),
            _ => bound.kind.is_simple(),
        };
        match (&self.of, fits) {
            (Some(of), false) => {
                let wanted = match bound.kind {
                    _ if numbers => "a number",
                    Type::Duration => "a value with an order",
                    _ => "a single value",
                };
                Err(of.wrong(&format!("{} is {}, not {wanted}", of.source(), bound.kind.name())))
            }
            _ => Ok(()),
        }
    }

    /// Whether the result is one of the values that it is computed of.
    pub fn keeps(&self) -> bool {
        matches!(self.function, Function::Min | Function::Max | Function::First | Function::Last)
    }

    /// Whether the result is a number, of values of this type.
    pub fn is_number(&self, of: Type) -> bool {
        !self.keeps() || of.is_number()
    }

    /// The state that rows are added to. It has no groups yet.
    pub fn state(&self) -> State {
        State::new(self.function)
    }
}
