//! What the rows so far come to.

use super::Function;
use super::sum::{Spread, Sum};
use crate::error::Error;
use crate::evaluate::{ScalarColumn, ScalarValues};
use crate::scalar::{Scalar, ScalarRef};
use std::cmp::Ordering;
use std::collections::HashSet;
use trevni::{Shape, Vector};

/// What the rows so far come to, for each group.
#[derive(Debug)]
pub struct State(Totals);

#[derive(Debug)]
enum Totals {
    Count(Vec<u64>),
    /// The bytes of values.
    Distinct(Vec<HashSet<Box<[u8]>, foldhash::fast::RandomState>>),
    /// For sums, or for means.
    Sum(Vec<Sum>, bool),
    /// The least value, or the greatest.
    Best(Vec<Scalar>, Ordering),
    /// The first value or the last.
    End(Vec<Scalar>, bool),
    Spread(Vec<Spread>),
    Numbers(Vec<Vec<f64>>, f64),
}

impl State {
    pub(super) fn new(function: Function) -> Self {
        Self(match function {
            Function::Count => Totals::Count(Vec::new()),
            Function::CountDistinct => Totals::Distinct(Vec::new()),
            Function::Sum => Totals::Sum(Vec::new(), false),
            Function::Mean => Totals::Sum(Vec::new(), true),
            Function::Min => Totals::Best(Vec::new(), Ordering::Less),
            Function::Max => Totals::Best(Vec::new(), Ordering::Greater),
            Function::First => Totals::End(Vec::new(), false),
            Function::Last => Totals::End(Vec::new(), true),
            Function::Deviation => Totals::Spread(Vec::new()),
            Function::Quantile(share) => Totals::Numbers(Vec::new(), share),
        })
    }

    /// Makes room for a number of groups.
    pub fn grow(&mut self, groups: usize) {
        match &mut self.0 {
            Totals::Count(counts) => counts.resize(groups, 0),
            Totals::Distinct(sets) => sets.resize_with(groups, HashSet::default),
            Totals::Sum(sums, _) => sums.resize(groups, Sum::default()),
            Totals::Best(values, _) | Totals::End(values, _) => values.resize(groups, Scalar::Null),
            Totals::Spread(spreads) => spreads.resize(groups, Spread::default()),
            Totals::Numbers(numbers, _) => numbers.resize(groups, Vec::new()),
        }
    }

    /// Adds rows: the group of each, and the values that are aggregated; `None` of them where rows are counted. Rows
    /// of groups that there is no room for are skipped.
    ///
    /// # Errors
    ///
    /// A sum of integers gets larger than 128 bits.
    pub fn add(&mut self, groups: &[u32], column: Option<&ScalarColumn<'_>>) -> Result<(), Error> {
        let Some(column) = column else {
            if let Totals::Count(counts) = &mut self.0 {
                for group in groups {
                    if let Some(count) = counts.get_mut(*group as usize) {
                        *count += 1;
                    }
                }
            }
            return Ok(());
        };
        let rows = GroupedRows { groups, column };
        match (&mut self.0, &column.values) {
            (Totals::Count(counts), _) => rows.each(counts, |count, _| *count += 1),
            (Totals::Sum(sums, _), ScalarValues::Integer(values)) => {
                return rows.try_with(sums, values, |sum, value| sum.add_integer(*value));
            }
            (Totals::Sum(sums, _), ScalarValues::Float(values)) => {
                rows.with(sums, values, |sum, value| sum.add_float(*value));
            }
            (Totals::Sum(sums, _), ScalarValues::Decimal(values)) => {
                rows.with(sums, values, Sum::add_decimal)
            }
            (Totals::Spread(spreads), ScalarValues::Decimal(values)) => {
                rows.with(spreads, values, |spread, value| spread.add(value.to_float()));
            }
            (Totals::Numbers(numbers, _), ScalarValues::Decimal(values)) => {
                rows.with(numbers, values, |numbers, value| numbers.push(value.to_float()));
            }
            (Totals::Spread(spreads), ScalarValues::Integer(values)) => {
                rows.with(spreads, values, |spread, value| spread.add(*value as f64));
            }
            (Totals::Spread(spreads), ScalarValues::Float(values)) => {
                rows.with(spreads, values, |spread, value| spread.add(*value));
            }
            (Totals::Numbers(numbers, _), ScalarValues::Integer(values)) => {
                rows.with(numbers, values, |numbers, value| numbers.push(*value as f64));
            }
            (Totals::Numbers(numbers, _), ScalarValues::Float(values)) => {
                rows.with(numbers, values, |numbers, value| numbers.push(*value));
            }
            (Totals::Best(bests, wanted), ScalarValues::Integer(values)) => {
                rows.with(bests, values, |best, value| put_best(best, *wanted, *value));
            }
            (Totals::Best(bests, wanted), _) => rows.each(bests, |best, value| {
                if *best == Scalar::Null || value.order(best.get()) == *wanted {
                    *best = value.to_scalar();
                }
            }),
            (Totals::End(ends, is_last), _) => rows.each(ends, |end, value| {
                if *is_last || *end == Scalar::Null {
                    *end = value.to_scalar();
                }
            }),
            (Totals::Distinct(sets), _) => {
                let mut bytes = Vec::new();
                rows.each(sets, |set, value| {
                    bytes.clear();
                    value.encode(&mut bytes);
                    if !set.contains(&*bytes) {
                        set.insert(bytes.as_slice().into());
                    }
                });
            }
            // Nothing but nulls.
            _ => {}
        }
        Ok(())
    }

    /// Adds the values of a vector to the first group, without making a column of them; false, and adds nothing, if it
    /// takes a column, or there is no group.
    #[must_use]
    pub fn add_vector(&mut self, shape: &Shape, vector: &Vector) -> bool {
        match (&mut self.0, shape, vector) {
            // Nulls have no value, and numbers of a union are to be compared first.
            (_, _, Vector::Null(_) | Vector::Union(_)) => false,
            (Totals::Count(counts), ..) => counts.first_mut().is_some_and(|count| {
                *count += vector.len() as u64;
                true
            }),
            (Totals::Sum(sums, _), Shape::Int, Vector::Int(values)) => {
                sums.first_mut().is_some_and(|sum| sum.add_ints(values))
            }
            (Totals::Sum(sums, _), Shape::Long, Vector::Long(values)) => {
                sums.first_mut().is_some_and(|sum| sum.add_longs(values))
            }
            (Totals::Best(bests, wanted), Shape::Int, Vector::Int(values)) => {
                bests.first_mut().is_some_and(|best| put_best_of(best, *wanted, values))
            }
            (Totals::Best(bests, wanted), Shape::Long, Vector::Long(values)) => {
                bests.first_mut().is_some_and(|best| put_best_of(best, *wanted, values))
            }
            _ => false,
        }
    }

    /// The value of each group.
    pub fn values(self) -> Vec<Scalar> {
        match self.0 {
            Totals::Count(counts) => counts.into_iter().map(|count| Scalar::Integer(count.into())).collect(),
            Totals::Distinct(sets) => sets.iter().map(|set| Scalar::Integer(set.len() as i128)).collect(),
            Totals::Sum(sums, false) => sums.iter().map(Sum::sum).collect(),
            Totals::Sum(sums, true) => sums.iter().map(Sum::mean).collect(),
            Totals::Best(values, _) | Totals::End(values, _) => values,
            Totals::Spread(spreads) => spreads.iter().map(Spread::deviation).collect(),
            Totals::Numbers(numbers, share) => {
                numbers.into_iter().map(|numbers| quantile(numbers, share)).collect()
            }
        }
    }
}

/// Rows that are added: the group of each, and its value.
#[derive(Clone, Copy)]
struct GroupedRows<'r, 'b> {
    groups: &'r [u32],
    column: &'r ScalarColumn<'b>,
}

impl GroupedRows<'_, '_> {
    /// Adds to the state of a group each value that is there.
    #[inline]
    fn with<S, T>(self, states: &mut [S], values: &[T], mut add: impl FnMut(&mut S, &T)) {
        for (row, (group, value)) in self.groups.iter().zip(values).enumerate() {
            if self.column.is_present(row)
                && let Some(state) = states.get_mut(*group as usize)
            {
                add(state, value);
            }
        }
    }

    #[inline]
    fn try_with<S, T>(
        self,
        states: &mut [S],
        values: &[T],
        mut add: impl FnMut(&mut S, &T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut done = Ok(());
        self.with(states, values, |state, value| {
            if done.is_ok() {
                done = add(state, value);
            }
        });
        done
    }

    /// As [`with`](Self::with), whatever the type of the values.
    #[inline]
    fn each<S>(self, states: &mut [S], mut add: impl FnMut(&mut S, ScalarRef<'_>)) {
        for (row, group) in self.groups.iter().enumerate() {
            if self.column.is_present(row)
                && let Some(state) = states.get_mut(*group as usize)
            {
                add(state, self.column.get(row));
            }
        }
    }
}

/// Puts an integer in where it is better. Another file may have given a value of another type; an integer is better than an equal
/// float, so that the order of files does not matter.
#[inline]
fn put_best(best: &mut Scalar, wanted: Ordering, value: i128) {
    let is_better = match &*best {
        Scalar::Integer(best) => value.cmp(best) == wanted,
        best => *best == Scalar::Null || ScalarRef::Integer(value).order(best.get()) != wanted.reverse(),
    };
    if is_better {
        *best = Scalar::Integer(value);
    }
}

/// Puts the best of some integers in, where it is better; returns true.
fn put_best_of<T: Ord + Copy + Into<i128>>(best: &mut Scalar, wanted: Ordering, values: &[T]) -> bool {
    let found = if wanted.is_lt() { values.iter().min() } else { values.iter().max() };
    found.into_iter().for_each(|value| put_best(best, wanted, (*value).into()));
    true
}

/// The value at a share of sorted numbers, between two of them by its distance to both.
fn quantile(mut numbers: Vec<f64>, share: f64) -> Scalar {
    numbers.sort_unstable_by(f64::total_cmp);
    let at = numbers.len().saturating_sub(1) as f64 * share;
    let near = |at: f64| numbers.get(at as usize).copied();
    match (near(at.floor()), near(at.ceil())) {
        (Some(low), Some(high)) if low == high => Scalar::Float(low),
        (Some(low), Some(high)) => Scalar::Float(low + (high - low) * at.fract()),
        _ => Scalar::Null,
    }
}
