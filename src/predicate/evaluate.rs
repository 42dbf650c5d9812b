//! Predicates on decoded rows: the result for each.

use super::comparison::{Accepted, Interval, Intervals, contains};
use super::filter::{Known, Step, Variant};
use super::truth::Truth;
use crate::error::{Error, Result};
use crate::vector::{Binaries, DictionaryVector, MapVector, Offsets, Span, UnionVector, Vector};
use std::sync::{Arc, PoisonError};

/// What a condition is on.
#[derive(Clone, Copy)]
enum Scope<'v> {
    Values(&'v Vector),
    /// The entries of maps, as records of a key and a value.
    Entries(&'v MapVector),
}

impl Step {
    pub(super) fn evaluate_rows(&self, vector: &Vector) -> Result<Vec<Truth>> {
        let vector = decoded(vector)?;
        self.evaluate(Scope::Values(vector), vector.len())
    }

    /// The result for each of `len` entries.
    fn evaluate(&self, scope: Scope<'_>, len: usize) -> Result<Vec<Truth>> {
        let truths = match (self, scope) {
            (Self::Constant(truth), _) => vec![*truth; len],
            (Self::And(all), _) => joined(all, scope, len, Truth::min, Truth::False)?,
            (Self::Or(all), _) => joined(all, scope, len, Truth::max, Truth::True)?,
            (Self::Not(step), _) => {
                let mut truths = step.evaluate(scope, len)?;
                truths.iter_mut().for_each(|truth| *truth = !*truth);
                truths
            }
            (Self::Field(0, step), Scope::Entries(map)) => step.evaluate(Scope::Values(&map.key), len)?,
            (Self::Field(1, step), Scope::Entries(map)) => step.evaluate(Scope::Values(&map.value), len)?,
            (_, Scope::Entries(_)) => return Err(other_form()),
            (step, Scope::Values(vector)) => step.evaluate_below(decoded(vector)?, len)?,
        };
        if truths.len() == len { Ok(truths) } else { Err(other_length()) }
    }

    /// The condition where all entries have this value, of which the vector has one.
    pub(super) fn of_value(self, value: &Vector) -> Result<Self> {
        let truths = self.evaluate(Scope::Values(value), 1)?;
        truths.first().map(|truth| Self::Constant(*truth)).ok_or_else(other_length)
    }

    fn evaluate_below(&self, vector: &Vector, len: usize) -> Result<Vec<Truth>> {
        match (self, vector) {
            (Self::Values { accepted, known, .. }, Vector::Dictionary(vector)) => {
                known.truths(accepted, vector)
            }
            (Self::Values { accepted, .. }, vector) => accepted.evaluate(vector),
            (Self::Field(number, step), Vector::Record(record)) => {
                let field = record.fields.get(*number).ok_or_else(other_form)?;
                step.evaluate(Scope::Values(field), len)
            }
            (Self::Optional { missing, item, .. }, Vector::Optional(list)) => {
                let truths = item.evaluate(Scope::Values(&list.item), list.offsets.total())?;
                spread(&list.offsets, truths, *missing)
            }
            (Self::Variants { missing, variants }, Vector::Union(union)) => {
                let mut truths = vec![*missing; union.tags.len()];
                variants.iter().try_for_each(|variant| variant.evaluate(union, &mut truths))?;
                Ok(truths)
            }
            (Self::Any { item, .. }, Vector::List(list)) => {
                greatest(&list.offsets, &item.evaluate(Scope::Values(&list.item), list.offsets.total())?)
            }
            (Self::Any { item, .. }, Vector::Map(map)) => {
                greatest(&map.offsets, &item.evaluate(Scope::Entries(map), map.offsets.total())?)
            }
            _ => Err(other_form()),
        }
    }
}

impl Variant {
    /// Puts in the results of the entries that are this variant.
    fn evaluate(&self, union: &UnionVector, truths: &mut [Truth]) -> Result<()> {
        let values = union.variants.get(usize::from(self.tag)).ok_or_else(other_form)?;
        let count = union.tags.iter().filter(|tag| **tag == self.tag).count();
        let found = self.item.evaluate(Scope::Values(values), count)?;
        for ((truth, tag), position) in truths.iter_mut().zip(&union.tags).zip(&union.positions) {
            if *tag == self.tag {
                *truth = *found.get(*position as usize).ok_or_else(other_length)?;
            }
        }
        Ok(())
    }
}

/// The results of several conditions, combined; `last` is the result that is final.
fn joined(
    all: &[Step],
    scope: Scope<'_>,
    len: usize,
    combine: impl Fn(Truth, Truth) -> Truth,
    last: Truth,
) -> Result<Vec<Truth>> {
    let mut truths = vec![!last; len];
    for step in all {
        for (truth, more) in truths.iter_mut().zip(step.evaluate(scope, len)?) {
            *truth = combine(*truth, more);
        }
        if truths.iter().all(|truth| *truth == last) {
            break;
        }
    }
    Ok(truths)
}

/// The results for optionals, from the results of the items that are present.
fn spread(offsets: &Offsets, items: Vec<Truth>, missing: Truth) -> Result<Vec<Truth>> {
    if !offsets.is_optional() {
        return Err(other_form());
    }
    if offsets.total() == offsets.len() {
        return Ok(items);
    }
    match items.len() == offsets.total() {
        true => Ok(offsets.spread(&items, missing)),
        false => Err(other_length()),
    }
}

/// The results for lists, from the results of their items.
fn greatest(offsets: &Offsets, items: &[Truth]) -> Result<Vec<Truth>> {
    let ends = offsets.as_slice();
    let ranges = ends.iter().zip(&ends[1..]);
    let truths = ranges.map(|(start, end)| {
        let items = items.get(*start as usize..*end as usize)?;
        Some(items.iter().fold(Truth::False, |greatest, truth| greatest.max(*truth)))
    });
    truths.collect::<Option<_>>().ok_or_else(other_length)
}

impl Accepted {
    /// Whether each value is accepted: true or false.
    fn evaluate(&self, vector: &Vector) -> Result<Vec<Truth>> {
        Ok(match (self, vector) {
            (Self::Boolean(set), Vector::Boolean(values)) => numbers(set, values.iter().copied()),
            (Self::Integer(set), Vector::Int(values)) => ints(set, values),
            (Self::Integer(set), Vector::Long(values)) => numbers(set, values.iter().copied()),
            (Self::U64(set), Vector::Long(values)) => {
                numbers(set, values.iter().map(|value| value.cast_unsigned()))
            }
            (Self::I128(set), Vector::Bytes(values)) => {
                numbers(set, sixteen(values)?.map(i128::from_be_bytes))
            }
            (Self::U128(set), Vector::Bytes(values)) => {
                numbers(set, sixteen(values)?.map(u128::from_be_bytes))
            }
            (Self::Decimal(set), Vector::Bytes(values)) => numbers(set, values.iter().map(unscaled)),
            (Self::Float(set), Vector::Float(values)) => numbers(set, values.iter().copied().map(f64::from)),
            (Self::Float(set), Vector::Double(values)) => numbers(set, values.iter().copied()),
            (Self::Bytes(set), Vector::String(values)) => bytes(set, values.data(), values.spans()),
            (Self::Bytes(set), Vector::Bytes(values)) => bytes(set, values.data(), values.spans()),
            (Self::Containing(part), Vector::String(values)) => having(part, values.data(), values.spans()),
            (Self::Containing(part), Vector::Bytes(values)) => having(part, values.data(), values.spans()),
            (Self::Texts(texts, set), values) => {
                let mut truths = Vec::with_capacity(values.len());
                let is_in = |text: Option<&str>| text.is_some_and(|text| set.contains(text.as_bytes()));
                let known = texts.each(values, |text| truths.push(is_in(text).into()));
                return if known { Ok(truths) } else { Err(other_form()) };
            }
            (Self::Symbols(symbols), Vector::Enum(ordinals)) => return by_symbol(symbols, ordinals),
            _ => return Err(other_form()),
        })
    }
}

impl Known {
    /// The result for each entry: the result of the value at its key. Each value is compared once.
    fn truths(&self, accepted: &Accepted, vector: &DictionaryVector) -> Result<Vec<Truth>> {
        let dictionary = vector.dictionary();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = match &mut *known {
            Some((of, truths)) if Arc::ptr_eq(of, dictionary) => truths,
            other => {
                let values = dictionary.vector(vector.is_text).ok_or_else(other_form)?;
                &other.insert((Arc::clone(dictionary), accepted.evaluate(values)?)).1
            }
        };
        // Each is the position of a value.
        let truth = |key: &u32| known.get(*key as usize).copied().unwrap_or(Truth::False);
        Ok(vector.keys().iter().map(truth).collect())
    }
}

fn numbers<T: PartialOrd + Copy>(set: &Intervals<T>, values: impl Iterator<Item = T>) -> Vec<Truth> {
    match set.as_slice() {
        [Interval { start, end: None }] => values.map(|value| (*start <= value).into()).collect(),
        [Interval { start, end: Some(end) }] => {
            values.map(|value| ((*start <= value) & (value < *end)).into()).collect()
        }
        _ => values.map(|value| set.contains(&value).into()).collect(),
    }
}

/// As [`numbers`], of 32 bits, of which machines compare several at once: an interval is a least number and how many more there are.
fn ints(set: &Intervals<i64>, values: &[i32]) -> Vec<Truth> {
    let (start, end) = match set.as_slice() {
        [Interval { start, end }] => (*start, end.unwrap_or(i64::MAX)),
        _ => return numbers(set, values.iter().copied().map(i64::from)),
    };
    let (least, greatest) = (start.max(i32::MIN.into()), end.saturating_sub(1).min(i32::MAX.into()));
    let (Ok(least), Ok(more)) = (i32::try_from(least), u32::try_from(greatest.saturating_sub(least))) else {
        return vec![Truth::False; values.len()];
    };
    values.iter().map(|value| (value.wrapping_sub(least).cast_unsigned() <= more).into()).collect()
}

fn bytes(set: &Intervals<Vec<u8>>, data: &[u8], spans: &[Span]) -> Vec<Truth> {
    let values = spans.iter().map(|span| &data[span.range()]);
    match set.as_slice() {
        [Interval { start, end: Some(end) }] if end.strip_suffix(&[0]) == Some(start.as_slice()) => {
            values.map(|value| (value == start.as_slice()).into()).collect()
        }
        _ => values.map(|value| set.contains(value).into()).collect(),
    }
}

fn having(part: &[u8], data: &[u8], spans: &[Span]) -> Vec<Truth> {
    spans.iter().map(|span| contains(&data[span.range()], part).into()).collect()
}

/// The unscaled value of a decimal. One of more than 16 bytes is less or greater than all others.
fn unscaled(bytes: &[u8]) -> i128 {
    let sign = bytes.first().is_some_and(|first| first >> 7 == 1);
    let (head, tail) = bytes.split_at(bytes.len().saturating_sub(16));
    let fill = if sign { u8::MAX } else { 0 };
    let mut value = [fill; 16];
    if let Some(end) = value.get_mut(16 - tail.len()..) {
        end.copy_from_slice(tail);
    }
    let value = i128::from_be_bytes(value);
    match head.iter().all(|byte| *byte == fill) && (value < 0) == sign {
        true => value,
        false if sign => i128::MIN,
        false => i128::MAX,
    }
}

/// Values of 16 bytes.
fn sixteen(values: &Binaries) -> Result<impl Iterator<Item = [u8; 16]>> {
    if values.iter().any(|value| value.len() != 16) {
        return Err(Error::value("an integer of 128 bits does not have 16 bytes"));
    }
    Ok(values.iter().map(|value| value.try_into().unwrap_or_default()))
}

fn by_symbol(symbols: &[bool], ordinals: &[i32]) -> Result<Vec<Truth>> {
    let accepted = |ordinal: &i32| {
        let accepted = usize::try_from(*ordinal).ok().and_then(|ordinal| symbols.get(ordinal));
        match accepted {
            Some(accepted) => Ok(Truth::from(*accepted)),
            None => {
                Err(Error::value(format!("an enum of {} symbols has no number {ordinal}", symbols.len())))
            }
        }
    };
    ordinals.iter().map(accepted).collect()
}

/// A vector that has been read.
fn decoded(vector: &Vector) -> Result<&Vector> {
    match vector {
        Vector::Unread(_) => Err(Error::internal("values to compare are not decoded")),
        vector => Ok(vector),
    }
}

#[cold]
fn other_form() -> Error {
    Error::internal("values to compare do not have the form of their shape")
}

#[cold]
fn other_length() -> Error {
    Error::internal("values to compare are not as many as their parents need")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ints_are_compared_as_integers(
            ends in prop::array::uniform2(prop_oneof![
                -3_i64..4,
                any::<i64>(),
                prop::sample::select(vec![i64::MIN, i64::MAX, i32::MIN.into(), i32::MAX.into()]),
                (-3_i64..4).prop_map(|more| i64::from(i32::MAX) + more),
                (-3_i64..4).prop_map(|more| i64::from(i32::MIN) + more),
            ]),
            is_open in any::<bool>(),
            values in vec(prop_oneof![-4_i32..5, prop::sample::select(vec![i32::MIN, i32::MIN + 1, i32::MAX - 1, i32::MAX])], 0..40),
        ) {
            let [start, end] = ends;
            let set = Intervals::new(vec![Interval { start, end: (!is_open).then_some(end) }]);
            let expected: Vec<Truth> =
                values.iter().map(|value| set.contains(&i64::from(*value)).into()).collect();
            prop_assert_eq!(ints(&set, &values), expected);
        }

        #[test]
        fn truths_are_spread_over_the_optionals_that_are_there(
            runs in vec((any::<bool>(), 1_usize..70), 0..9),
            missing in prop::sample::select(vec![Truth::False, Truth::Unknown, Truth::True]),
        ) {
            let present: Vec<bool> = runs.iter().flat_map(|(is, count)| vec![*is; *count]).collect();
            let offsets = Offsets::from_lengths(present.iter().map(|is| u32::from(*is))).unwrap();
            let item = |at: usize| [Truth::True, Truth::False, Truth::Unknown][at % 3];
            let items: Vec<Truth> = (0..offsets.total()).map(item).collect();
            let mut next = items.iter().copied();
            let expected: Vec<Truth> =
                present.iter().map(|is| if *is { next.next().unwrap() } else { missing }).collect();
            prop_assert_eq!(spread(&offsets, items, missing).unwrap(), expected);
        }
    }
}
