//! Predicates on zones: what may be true, without decoding values.

use super::comparison::Accepted;
use super::comparison::Intervals;
use super::filter::{Blocks, Step, Variant};
use super::truth::Truths;
use crate::error::Result;
use crate::storage::zone_map::{Bound, Zone};
use crate::tree::Slot;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::ops::Range;

/// The zones of what is stored for nodes, asked for when they are first needed.
pub(super) struct Zones<'z> {
    rows: u64,
    load: &'z mut dyn FnMut(Slot) -> Result<Blocks>,
    loaded: HashMap<Slot, Blocks>,
}

/// Something for each of some ranges of rows: the rows' ends, which ascend from above 0 to the number of
/// rows. Neighbours differ.
pub(super) struct Partition<T>(Vec<(u64, T)>);

/// Whether entries may be there, and whether some may be missing.
#[derive(Clone, Copy, PartialEq)]
struct Presence {
    missing: bool,
    present: bool,
}

impl<'z> Zones<'z> {
    pub(super) fn new(rows: u64, load: &'z mut dyn FnMut(Slot) -> Result<Blocks>) -> Self {
        Self { rows, load, loaded: HashMap::new() }
    }

    /// What `known` makes of each block; `unknown` where nothing is known.
    fn blocks<T: PartialEq>(
        &mut self,
        slot: Slot,
        unknown: T,
        known: impl Fn(&Zone) -> T,
    ) -> Result<Partition<T>> {
        if !self.loaded.contains_key(&slot) {
            let blocks = (self.load)(slot)?;
            let total = |blocks: &[(u64, Zone)]| {
                blocks.iter().try_fold(0u64, |total, (rows, _)| total.checked_add(*rows))
            };
            let rows = self.rows;
            self.loaded.insert(slot, blocks.filter(|blocks| total(blocks) == Some(rows)));
        }
        let mut partition = Partition(Vec::new());
        match self.loaded.get(&slot) {
            Some(Some(blocks)) => {
                let mut end = 0;
                for (rows, zone) in blocks.iter() {
                    end += rows;
                    partition.push(end, known(zone));
                }
            }
            _ => partition.push(self.rows, unknown),
        }
        Ok(partition)
    }

    fn presence(&mut self, slot: Slot) -> Result<Partition<Presence>> {
        let known = |zone: &Zone| Presence { missing: zone.nulls > 0, present: zone.values > 0 };
        self.blocks(slot, Presence { missing: true, present: true }, known)
    }
}

impl<T: PartialEq> Partition<T> {
    /// Adds the rows up to `end`.
    fn push(&mut self, end: u64, value: T) {
        let before = self.0.last().map_or(0, |(before, _)| *before);
        match self.0.last_mut() {
            _ if end <= before => {}
            Some((last, same)) if *same == value => *last = end,
            _ => self.0.push((end, value)),
        }
    }

    fn map<U: PartialEq>(self, change: impl Fn(T) -> U) -> Partition<U> {
        let mut changed = Partition(Vec::new());
        self.0.into_iter().for_each(|(end, value)| changed.push(end, change(value)));
        changed
    }

    /// Joins with another partition of the same rows.
    fn zip<U, V: PartialEq>(&self, other: &Partition<U>, join: impl Fn(&T, &U) -> V) -> Partition<V> {
        let mut joined = Partition(Vec::with_capacity(self.0.len().max(other.0.len())));
        let (mut ones, mut twos) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some((one_end, one)), Some((two_end, two))) = (ones.peek(), twos.peek()) {
            joined.push(*one_end.min(two_end), join(one, two));
            let order = one_end.cmp(two_end);
            if order.is_le() {
                ones.next();
            }
            if order.is_ge() {
                twos.next();
            }
        }
        joined
    }

    pub(super) fn into_ranges(self) -> Vec<(Range<u64>, T)> {
        let mut start = 0;
        let range = |(end, value)| (std::mem::replace(&mut start, end)..end, value);
        self.0.into_iter().map(range).collect()
    }
}

impl Step {
    /// The possible results of the entries that belong to ranges of rows.
    pub(super) fn prune(&self, zones: &mut Zones<'_>) -> Result<Partition<Truths>> {
        match self {
            Self::Constant(truth) => Ok(everywhere(zones.rows, Truths::new(*truth))),
            Self::Values { node, accepted, .. } => {
                let known = |zone: &Zone| accepted.truths(zone);
                zones.blocks(Slot::Own(*node), Truths::FALSE.with(Truths::TRUE), known)
            }
            Self::Field(_, step) => step.prune(zones),
            Self::Optional { slots, missing, item } => {
                let mut present = everywhere(zones.rows, Presence { missing: true, present: false });
                for slot in slots {
                    present = present.zip(&zones.presence(*slot)?, |one, two| Presence {
                        missing: one.missing && two.missing,
                        present: one.present || two.present,
                    });
                }
                let missing = Truths::new(*missing);
                Ok(present.zip(&item.prune(zones)?, |presence, item| presence.truths(missing, *item)))
            }
            Self::Variants { missing, variants } => {
                let mut truths = everywhere(zones.rows, Truths::NONE);
                for variant in variants {
                    let more = variant.prune(zones, Truths::new(*missing))?;
                    truths = truths.zip(&more, |one, two| one.with(*two));
                }
                Ok(truths)
            }
            Self::Any { node, item } => {
                let items = item.prune(zones)?;
                Ok(zones
                    .presence(Slot::Own(*node))?
                    .zip(&items, |presence, items| items.only_if(presence.present).any(presence.missing)))
            }
            Self::And(all) => joined(all, zones, Truths::TRUE, Truths::and),
            Self::Or(all) => joined(all, zones, Truths::FALSE, Truths::or),
            Self::Not(step) => Ok(step.prune(zones)?.map(|truths| !truths)),
        }
    }
}

impl Variant {
    fn prune(&self, zones: &mut Zones<'_>, missing: Truths) -> Result<Partition<Truths>> {
        let items = self.item.prune(zones)?;
        Ok(zones
            .presence(Slot::Presence(self.node))?
            .zip(&items, |presence, items| presence.truths(missing, *items)))
    }
}

impl Presence {
    fn truths(self, missing: Truths, item: Truths) -> Truths {
        missing.only_if(self.missing).with(item.only_if(self.present))
    }
}

fn everywhere<T>(rows: u64, value: T) -> Partition<T> {
    Partition(if rows == 0 { Vec::new() } else { vec![(rows, value)] })
}

fn joined(
    all: &[Step],
    zones: &mut Zones<'_>,
    start: Truths,
    combine: impl Fn(Truths, Truths) -> Truths,
) -> Result<Partition<Truths>> {
    let mut truths = everywhere(zones.rows, start);
    for step in all {
        truths = truths.zip(&step.prune(zones)?, |one, two| combine(*one, *two));
    }
    Ok(truths)
}

impl Accepted {
    /// What values of a zone may be: accepted or not.
    fn truths(&self, zone: &Zone) -> Truths {
        if zone.values == 0 {
            return Truths::NONE;
        }
        let (min, max) = (zone.min.as_ref(), zone.max.as_ref());
        match self {
            // Where a part comes, bounds do not say.
            Self::Containing(_) => Truths::FALSE.with(Truths::TRUE),
            // The order of decimals is not that of their bytes.
            Self::Decimal(set) => truths(set, None, None),
            // Nor is that of strings the order of their values.
            Self::Texts(_, set) => of_bounds::<_, [u8]>(set, None, None),
            Self::Boolean(set) => truths(set, min.and_then(boolean), max.and_then(boolean)),
            Self::Integer(set) => truths(set, min.and_then(integer), max.and_then(integer)),
            Self::U64(set) => {
                // Bits are in the order of the values where all have the same sign.
                let bounds = min.and_then(integer).zip(max.and_then(integer));
                let bounds = bounds.filter(|(min, max)| (*min < 0) == (*max < 0));
                let bounds = bounds.map(|(min, max)| (min.cast_unsigned(), max.cast_unsigned()));
                truths(set, bounds.map(|both| both.0), bounds.map(|both| both.1))
            }
            Self::I128(set) => {
                let bounds = min.and_then(sixteen).zip(max.and_then(sixteen));
                let bounds = bounds.map(|(min, max)| (i128::from_be_bytes(min), i128::from_be_bytes(max)));
                let bounds = bounds.filter(|(min, max)| (*min < 0) == (*max < 0));
                truths(set, bounds.map(|both| both.0), bounds.map(|both| both.1))
            }
            Self::U128(set) => {
                let bound = |bound| sixteen(bound).map(u128::from_be_bytes);
                truths(set, min.and_then(bound), max.and_then(bound))
            }
            Self::Float(set) => {
                let (min, max) = (min.and_then(float), max.and_then(float));
                let nan = zone.nan || min.is_none() || max.is_none();
                truths(set, min, max).with(Truths::FALSE.only_if(nan))
            }
            Self::Bytes(set) => of_bounds::<_, [u8]>(set, min.and_then(bytes), max.and_then(bytes)),
            Self::Symbols(symbols) => {
                let position = |bound: &Bound| integer(bound).and_then(|bound| usize::try_from(bound).ok());
                let between = min.and_then(position).zip(max.and_then(position));
                let between = between.and_then(|(min, max)| symbols.get(min..=max)).unwrap_or(symbols);
                Truths::TRUE
                    .only_if(between.contains(&true))
                    .with(Truths::FALSE.only_if(between.contains(&false)))
            }
        }
    }
}

/// Whether values between bounds may be in the set, and whether they may not be.
fn of_bounds<T, V>(set: &Intervals<T>, min: Option<&V>, max: Option<&V>) -> Truths
where
    T: PartialOrd + Borrow<V>,
    V: ?Sized + PartialOrd,
{
    Truths::TRUE.only_if(set.overlaps(min, max)).with(Truths::FALSE.only_if(!set.covers(min, max)))
}

fn truths<T: PartialOrd>(set: &Intervals<T>, min: Option<T>, max: Option<T>) -> Truths {
    of_bounds(set, min.as_ref(), max.as_ref())
}

fn boolean(bound: &Bound) -> Option<bool> {
    match bound {
        Bound::Boolean(value) => Some(*value),
        _ => None,
    }
}

fn integer(bound: &Bound) -> Option<i64> {
    match bound {
        Bound::Integer(value) => Some(*value),
        _ => None,
    }
}

/// A bound that is not NaN.
fn float(bound: &Bound) -> Option<f64> {
    match bound {
        Bound::Float(value) if !value.is_nan() => Some(*value),
        _ => None,
    }
}

fn bytes(bound: &Bound) -> Option<&[u8]> {
    match bound {
        Bound::Bytes(value) => Some(value),
        _ => None,
    }
}

/// A bound of values of 16 bytes, as one of them; what was cut off is 0.
fn sixteen(bound: &Bound) -> Option<[u8; 16]> {
    let value = bytes(bound)?;
    let mut whole = [0; 16];
    whole.get_mut(..value.len())?.copy_from_slice(value);
    Some(whole)
}
