//! Where along the rows values lie: the least and the greatest of each part of the rows.

use super::edge::{Edge, Ranks};
use super::histogram::Sample;
use super::spread::{Order, Spread, Stretch};
use super::values::Values;
use trevni::Vector;

/// Parts of the rows.
pub(super) const PARTS: u64 = 64;

/// The least and the greatest of some values.
pub(super) type Edges = (Edge, Edge);

/// What a pass over the rows gathers.
pub(super) struct Along {
    rows: u64,
    /// The part that the values that come are in.
    part: usize,
    parts: Vec<Option<Edges>>,
    last: Option<Edge>,
    ascending: bool,
    descending: bool,
    sample: Sample<Edge>,
}

/// The share of a column's values that a part of its rows may range over on average, where they are clustered.
const CLUSTERED: f64 = 0.5;
/// Values of a sample, of all columns that are read at once.
const SAMPLES: usize = 1 << 15;

impl Along {
    /// For one of some columns, by the number of rows.
    pub(super) fn new(rows: u64, columns: usize) -> Self {
        let parts = vec![None; rows.clamp(1, PARTS) as usize];
        let sample = Sample::of((SAMPLES / columns.max(1)).clamp(64, 1024));
        Self { rows: rows.max(1), part: 0, parts, last: None, ascending: true, descending: true, sample }
    }

    /// Says which rows the values that come belong to.
    pub(super) fn turn_to(&mut self, first: u64, rows: u64) {
        let middle = u128::from(first) + u128::from(rows / 2);
        let part = middle * self.parts.len() as u128 / u128::from(self.rows);
        self.part = (part as usize).min(self.parts.len() - 1);
    }

    pub(super) fn add(&mut self, values: &Values, vector: &Vector) {
        let Some(run) = Run::of(values, vector, &mut self.sample) else {
            return;
        };
        self.ascending &= run.ascending && self.last.as_ref().is_none_or(|last| *last <= run.first);
        self.descending &= run.descending && self.last.as_ref().is_none_or(|last| *last >= run.first);
        self.last = Some(run.last);
        let part = &mut self.parts[self.part];
        *part = Some(match part.take() {
            Some(known) => joined(known, (run.least, run.greatest)),
            None => (run.least, run.greatest),
        });
    }

    /// What is known when all values have come; `None` where there were none.
    pub(super) fn spread(&self, zones: Vec<([f64; 2], Edges)>) -> Option<Spread> {
        self.last.as_ref()?;
        let (ranks, length) = (Ranks::of(self.sample.values().to_vec()), self.parts.len() as f64);
        let stretch =
            |rows, (least, greatest): &Edges| Stretch { rows, values: ranks.places(least, greatest) };
        let parts = self.parts.iter().enumerate();
        let parts = parts.filter_map(|(at, edges)| {
            edges.as_ref().map(|edges| stretch([at as f64 / length, (at + 1) as f64 / length], edges))
        });
        let parts: Vec<Stretch> = parts.collect();
        let blocks = zones.iter().map(|(rows, edges)| stretch(*rows, edges)).collect();
        let range = |(least, greatest): &Edges| ranks.below(greatest) - ranks.below(least);
        let all = self.parts.iter().flatten().cloned().reduce(joined).map_or(0.0, |edges| range(&edges));
        let mean = self.parts.iter().flatten().map(range).sum::<f64>() / parts.len().max(1) as f64;
        let order = match (self.ascending, self.descending) {
            (true, true) => Order::Constant,
            (true, false) => Order::Ascending,
            (false, true) => Order::Descending,
            // What a few rows have says little.
            _ if mean < CLUSTERED * all && self.rows >= PARTS => Order::Clustered,
            _ => Order::Mixed,
        };
        Some(Spread { parts, blocks, order })
    }
}

pub(super) fn joined(one: Edges, two: Edges) -> Edges {
    (if two.0 < one.0 { two.0 } else { one.0 }, if two.1 > one.1 { two.1 } else { one.1 })
}

/// Some values, one after the other.
struct Run {
    least: Edge,
    greatest: Edge,
    first: Edge,
    last: Edge,
    ascending: bool,
    descending: bool,
}

impl Run {
    /// The values of a vector; `None` where no values have an order.
    fn of(values: &Values, vector: &Vector, sample: &mut Sample<Edge>) -> Option<Self> {
        match (values, vector) {
            (Values::Boolean { .. }, Vector::Boolean(own)) => {
                Self::new(sample, own.iter(), |value| Edge::Whole((*value).into()))
            }
            (Values::Int(_), Vector::Int(own)) | (Values::Enum(_), Vector::Enum(own)) => {
                Self::new(sample, own.iter(), |value| Edge::Whole((*value).into()))
            }
            (Values::Long(_), Vector::Long(own)) => {
                Self::new(sample, own.iter(), |value| Edge::Whole((*value).into()))
            }
            (Values::U64(_), Vector::Long(own)) => {
                Self::new(sample, own.iter().map(|value| value.cast_unsigned()), |value| {
                    Edge::Whole(value.into())
                })
            }
            (Values::Float(_), Vector::Float(own)) => {
                Self::new(sample, own.iter().filter(|value| value.is_finite()), |value| {
                    Edge::Float((*value).into())
                })
            }
            (Values::Double(_), Vector::Double(own)) => {
                Self::new(sample, own.iter().filter(|value| value.is_finite()), |value| Edge::Float(*value))
            }
            (Values::Decimal(_), Vector::Bytes(own)) => {
                Self::new(sample, own.iter().filter_map(super::values::unscaled), Edge::Whole)
            }
            (Values::I128(_), Vector::Bytes(own)) => {
                let own = own.iter().filter_map(|bytes| bytes.try_into().ok().map(i128::from_be_bytes));
                Self::new(sample, own, Edge::Whole)
            }
            (Values::Texts(_), Vector::String(own)) => {
                Self::new(sample, own.iter(), |text| Edge::bytes(text.as_bytes()))
            }
            (Values::Texts(_) | Values::U128(_), Vector::Bytes(own)) => {
                Self::new(sample, own.iter(), Edge::bytes)
            }
            (Values::Lengths(_), Vector::List(list)) => {
                Self::new(sample, list.offsets.lengths(), |length| Edge::Whole(length.into()))
            }
            (Values::Lengths(_), Vector::Map(map)) => {
                Self::new(sample, map.offsets.lengths(), |length| Edge::Whole(length.into()))
            }
            _ => None,
        }
    }

    fn new<V: Copy + PartialOrd>(
        sample: &mut Sample<Edge>,
        mut values: impl Iterator<Item = V>,
        edge: impl Fn(V) -> Edge,
    ) -> Option<Self> {
        let first = values.next()?;
        sample.offer(|| edge(first));
        let (mut least, mut greatest, mut last) = (first, first, first);
        let (mut ascending, mut descending) = (true, true);
        for value in values {
            sample.offer(|| edge(value));
            ascending &= last <= value;
            descending &= last >= value;
            least = if value < least { value } else { least };
            greatest = if value > greatest { value } else { greatest };
            last = value;
        }
        let [least, greatest, first, last] = [least, greatest, first, last].map(&edge);
        Some(Self { least, greatest, first, last, ascending, descending })
    }
}
