//! What the rows of a group come to: counts, sums, means and the like.

use super::sum::{Spread, Sum};
use crate::expression::{Bound, Column, Expression, Type, Value, Values};
use crate::failure::Failure;
use std::cmp::Ordering;
use std::collections::HashSet;

/// What is asked for.
pub(super) struct Aggregate {
    pub(super) name: String,
    /// Of which values; none for rows.
    pub(super) of: Option<Expression>,
    function: Function,
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

const FUNCTIONS: [(&str, Function); 11] = [
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
];

impl Aggregate {
    /// Reads one such as `mean(x)` or `late=mean(x)`.
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        let call = Expression::call(text)?;
        let Some((word, function)) = FUNCTIONS.into_iter().find(|(name, _)| *name == call.function) else {
            let names = FUNCTIONS.map(|(name, _)| name).join(", ");
            return Err(Failure::usage(format!("no aggregate {:?}", call.function))
                .hint(format!("There are {names}")));
        };
        let (of, function, suffix) = match (&call.parts[..], function) {
            ([], Function::Count) => (None, function, String::new()),
            ([of, share], Function::Quantile(asked)) if asked.is_nan() => {
                let literal = match share.literal() {
                    Some(Value::Float(share)) => Some(*share),
                    Some(Value::Integer(share @ 0..=1)) => Some(*share as f64),
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
                let wanted = match word {
                    "count" => "count() or count(x)".to_owned(),
                    "quantile" => "quantile(x, 0.9)".to_owned(),
                    _ => format!("{word}(x)"),
                };
                return Err(Failure::usage(format!("{text:?} is written {wanted}")));
            }
        };
        let name = call.name.unwrap_or_else(|| format!("{word}{suffix}"));
        Ok(Self { name, of, function })
    }

    /// An error where it cannot be computed of such values.
    pub(super) fn check(&self, bound: &Bound) -> Result<(), Failure> {
        let numbers = matches!(
            self.function,
            Function::Sum | Function::Mean | Function::Deviation | Function::Quantile(_)
        );
        let fits = match self.function {
            Function::Count => true,
            _ if numbers => bound.kind.is_number(),
            _ => bound.kind.is_simple(),
        };
        match (&self.of, fits) {
            (Some(of), false) => {
                let wanted = if numbers { "a number" } else { "a single value" };
                Err(of.wrong(&format!("{} is {}, not {wanted}", of.source(), bound.kind.name())))
            }
            _ => Ok(()),
        }
    }

    /// Whether the result is a value of those that go in.
    pub(super) fn keeps(&self) -> bool {
        matches!(self.function, Function::Min | Function::Max | Function::First | Function::Last)
    }

    /// Whether the result is a number, of values of this type.
    pub(super) fn is_number(&self, of: Type) -> bool {
        !self.keeps() || of.is_number()
    }

    pub(super) fn state(&self) -> State {
        match self.function {
            Function::Count => State::Count(Vec::new()),
            Function::CountDistinct => State::Distinct(Vec::new()),
            Function::Sum => State::Sum(Vec::new(), false),
            Function::Mean => State::Sum(Vec::new(), true),
            Function::Min => State::Best(Vec::new(), Ordering::Less),
            Function::Max => State::Best(Vec::new(), Ordering::Greater),
            Function::First => State::End(Vec::new(), false),
            Function::Last => State::End(Vec::new(), true),
            Function::Deviation => State::Spread(Vec::new()),
            Function::Quantile(share) => State::Numbers(Vec::new(), share),
        }
    }
}

/// What the rows so far come to, for each group.
pub(super) enum State {
    Count(Vec<u64>),
    /// The bytes of values.
    Distinct(Vec<HashSet<Box<[u8]>, foldhash::fast::RandomState>>),
    /// For sums, or for means.
    Sum(Vec<Sum>, bool),
    /// The value that comes before, or behind, all others.
    Best(Vec<Value>, Ordering),
    /// The first value or the last.
    End(Vec<Value>, bool),
    Spread(Vec<Spread>),
    Numbers(Vec<Vec<f64>>, f64),
}

impl State {
    /// Makes place for so many groups.
    pub(super) fn grow(&mut self, groups: usize) {
        match self {
            Self::Count(counts) => counts.resize(groups, 0),
            Self::Distinct(sets) => sets.resize_with(groups, HashSet::default),
            Self::Sum(sums, _) => sums.resize(groups, Sum::default()),
            Self::Best(values, _) | Self::End(values, _) => values.resize(groups, Value::Null),
            Self::Spread(spreads) => spreads.resize(groups, Spread::default()),
            Self::Numbers(numbers, _) => numbers.resize(groups, Vec::new()),
        }
    }

    /// Adds rows: the group of each, and its value.
    pub(super) fn add(&mut self, groups: &[u32], column: Option<&Column<'_>>) -> Result<(), Failure> {
        let rows = || groups.iter().map(|group| *group as usize).enumerate();
        let there = || rows().filter(|(row, _)| column.is_none_or(|column| column.is_present(*row)));
        match (self, column.map(|column| &column.values)) {
            (Self::Count(counts), _) => there().for_each(|(_, group)| counts[group] += 1),
            (Self::Sum(sums, _), Some(Values::Integer(values))) => {
                return there().try_for_each(|(row, group)| sums[group].add_integer(values[row]));
            }
            (Self::Sum(sums, _), Some(Values::Float(values))) => {
                there().for_each(|(row, group)| sums[group].add_float(values[row]));
            }
            (Self::Spread(spreads), Some(Values::Integer(values))) => {
                there().for_each(|(row, group)| spreads[group].add(values[row] as f64));
            }
            (Self::Spread(spreads), Some(Values::Float(values))) => {
                there().for_each(|(row, group)| spreads[group].add(values[row]));
            }
            (Self::Numbers(numbers, _), Some(Values::Integer(values))) => {
                there().for_each(|(row, group)| numbers[group].push(values[row] as f64));
            }
            (Self::Numbers(numbers, _), Some(Values::Float(values))) => {
                there().for_each(|(row, group)| numbers[group].push(values[row]));
            }
            (Self::Best(bests, wanted), Some(Values::Integer(values))) => {
                for (row, group) in there() {
                    match &mut bests[group] {
                        Value::Integer(best) if values[row].cmp(best) != *wanted => {}
                        best => *best = Value::Integer(values[row]),
                    }
                }
            }
            (Self::Best(bests, wanted), Some(_)) => {
                for (row, group) in there() {
                    let value = column.map_or(Value::Null.get(), |column| column.get(row));
                    let best = &mut bests[group];
                    if *best == Value::Null || value.order(best.get()) == *wanted {
                        *best = value.to_value();
                    }
                }
            }
            (Self::End(ends, is_last), Some(_)) => {
                for (row, group) in there() {
                    if *is_last || ends[group] == Value::Null {
                        ends[group] = column.map_or(Value::Null, |column| column.get(row).to_value());
                    }
                }
            }
            (Self::Distinct(sets), Some(_)) => {
                let mut bytes = Vec::new();
                for (row, group) in there() {
                    bytes.clear();
                    column.map_or(Value::Null.get(), |column| column.get(row)).encode(&mut bytes);
                    if !sets[group].contains(&*bytes) {
                        sets[group].insert(bytes.as_slice().into());
                    }
                }
            }
            // Nothing but nulls.
            _ => {}
        }
        Ok(())
    }

    /// The value of each group.
    pub(super) fn values(self) -> Vec<Value> {
        match self {
            Self::Count(counts) => counts.into_iter().map(|count| Value::Integer(count.into())).collect(),
            Self::Distinct(sets) => sets.iter().map(|set| Value::Integer(set.len() as i128)).collect(),
            Self::Sum(sums, false) => sums.iter().map(Sum::sum).collect(),
            Self::Sum(sums, true) => sums.iter().map(Sum::mean).collect(),
            Self::Best(values, _) | Self::End(values, _) => values,
            Self::Spread(spreads) => spreads.iter().map(Spread::deviation).collect(),
            Self::Numbers(numbers, share) => {
                numbers.into_iter().map(|numbers| quantile(numbers, share)).collect()
            }
        }
    }
}

/// The value at a share of sorted numbers, between two of them by its distance to both.
fn quantile(mut numbers: Vec<f64>, share: f64) -> Value {
    numbers.sort_unstable_by(f64::total_cmp);
    let at = numbers.len().saturating_sub(1) as f64 * share;
    let near = |at: f64| numbers.get(at as usize).copied();
    match (near(at.floor()), near(at.ceil())) {
        (Some(low), Some(high)) if low == high => Value::Float(low),
        (Some(low), Some(high)) => Value::Float(low + (high - low) * at.fract()),
        _ => Value::Null,
    }
}
