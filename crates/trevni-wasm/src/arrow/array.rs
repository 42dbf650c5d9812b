//! Vectors as buffers of Arrow.

use super::flat::{At, Field, Flat};
use super::schema::{Column, Type};
use crate::fault::{Fault, Result};
use trevni::shape::EnumShape;
use trevni::vector::{Offsets, UnionVector};
use trevni::{Binaries, Vector};

/// Stands for an entry that is not there.
const MISSING: u32 = u32::MAX;

/// Which entries of a vector an array has.
pub(super) enum Slots {
    /// A number of them, in order.
    All(usize),
    /// These, and [`MISSING`] ones.
    At(Vec<u32>),
}

impl Slots {
    fn len(&self) -> usize {
        match self {
            Self::All(len) => *len,
            Self::At(places) => places.len(),
        }
    }

    /// The place of each entry in the vector; `None` for those that are missing.
    fn places(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        let (len, places) = match self {
            Self::All(len) => (*len, &[][..]),
            Self::At(places) => (0, &places[..]),
        };
        let there = |place: &u32| (*place != MISSING).then_some(*place as usize);
        (0..len).map(Some).chain(places.iter().map(there))
    }

    /// The entries of what is within optionals.
    fn within(&self, offsets: &Offsets) -> Self {
        let item = |place: Option<usize>| {
            let range = place.and_then(|place| offsets.range(place)).filter(|range| !range.is_empty());
            range.map_or(MISSING, |range| range.start as u32)
        };
        Self::At(self.places().map(item).collect())
    }
}

/// The arrays of a record batch.
#[derive(Default)]
pub(super) struct Body {
    pub(super) bytes: Vec<u8>,
    /// Entries and nulls of each array.
    nodes: Vec<[i64; 2]>,
    /// Start and length of each buffer.
    buffers: Vec<[i64; 2]>,
}

impl Body {
    /// Writes what says where the arrays of a number of rows are.
    pub(super) fn write(&self, rows: usize, flat: &mut Flat) -> At {
        let buffers = flat.pairs(&self.buffers);
        let nodes = flat.pairs(&self.nodes);
        flat.table(&[Field::Long(rows as i64), Field::At(nodes), Field::At(buffers)])
    }

    /// The strings of a dictionary.
    pub(super) fn symbols(&mut self, symbols: &EnumShape) -> Result<()> {
        self.nodes.push([symbols.symbols.len() as i64, 0]);
        self.buffer(|_| ());
        self.strings(symbols.symbols.iter().map(|symbol| symbol.as_bytes()))
    }

    /// Adds a column: an array, and those within it.
    pub(super) fn column(&mut self, column: &Column<'_>, vector: &Vector, slots: &Slots) -> Result<()> {
        match (&column.kind, vector) {
            (Type::Null, _) => {
                self.nodes.push([slots.len() as i64, slots.len() as i64]);
                Ok(())
            }
            // Optionals that have no value.
            (_, Vector::Null(len)) if column.is_nullable => {
                let none = Offsets::from_lengths(vec![0; *len])?;
                let of = Vector::list(none, Vector::Null(0));
                let Vector::List(list) = of else { return Err(differs()) };
                self.column(column, &Vector::Optional(list), slots)
            }
            (Type::Union(true), Vector::Optional(list)) => {
                self.union(column, &list.item, &slots.within(&list.offsets))
            }
            (Type::Union(_), vector) => self.union(column, vector, slots),
            (Type::Some, Vector::Optional(list)) => {
                let slots = slots.within(&list.offsets);
                self.head(column, &slots);
                let [some] = &column.children[..] else { return Err(differs()) };
                self.column(some, &list.item, &slots)
            }
            (_, Vector::Optional(list)) => self.values(column, &list.item, &slots.within(&list.offsets)),
            (_, vector) => self.values(column, vector, slots),
        }
    }

    /// Adds the entries and nulls of an array, and the bits that say which is which.
    fn head(&mut self, column: &Column<'_>, slots: &Slots) {
        let nulls = match column.is_nullable {
            true => slots.places().filter(Option::is_none).count(),
            false => 0,
        };
        self.nodes.push([slots.len() as i64, nulls as i64]);
        self.buffer(|out| {
            if nulls > 0 {
                bits(slots.places().map(|place| place.is_some()), out);
            }
        });
    }

    fn values(&mut self, column: &Column<'_>, vector: &Vector, slots: &Slots) -> Result<()> {
        self.head(column, slots);
        match (&column.kind, vector) {
            (_, Vector::Null(_)) => self.nothing(column, slots),
            (Type::Boolean, Vector::Boolean(values)) => {
                let value = |place: Option<usize>| {
                    place.and_then(|place| values.get(place).copied()).unwrap_or(false)
                };
                self.buffer(|out| bits(slots.places().map(value), out));
                Ok(())
            }
            (Type::Int(..) | Type::Date | Type::Time(..) | Type::Timestamp(..), Vector::Int(values)) => {
                self.packed(values, slots, |value| value.to_le_bytes())
            }
            (Type::Int(..) | Type::Time(..) | Type::Timestamp(..), Vector::Long(values)) => {
                self.packed(values, slots, |value| value.to_le_bytes())
            }
            (Type::Float, Vector::Float(values)) => self.packed(values, slots, |value| value.to_le_bytes()),
            (Type::Double, Vector::Double(values)) => self.packed(values, slots, |value| value.to_le_bytes()),
            (Type::Enum { .. }, Vector::Enum(values)) => {
                self.packed(values, slots, |value| value.to_le_bytes())
            }
            (Type::Utf8, Vector::String(values)) => {
                let value =
                    |place: Option<usize>| place.and_then(|place| values.get(place)).unwrap_or_default();
                self.strings(slots.places().map(|place| value(place).as_bytes()))
            }
            (Type::Binary | Type::Utf8, Vector::Bytes(values)) => {
                self.strings(slots.places().map(|place| at(values, place)))
            }
            (Type::Fixed(size), Vector::Bytes(values)) => {
                let zeros = vec![0; *size];
                self.buffer(|out| {
                    for place in slots.places() {
                        let bytes = at(values, place);
                        out.extend_from_slice(if bytes.len() == *size { bytes } else { &zeros });
                    }
                });
                Ok(())
            }
            (Type::Decimal(_, _, bits, is_unsigned), Vector::Bytes(values)) => {
                self.decimals(values, slots, *bits as usize / 8, *is_unsigned)
            }
            (Type::Duration, Vector::Bytes(values)) => self.durations(values, slots),
            (Type::Struct, Vector::Record(record)) => {
                if record.fields.len() != column.children.len() {
                    return Err(differs());
                }
                let parts = column.children.iter().zip(&record.fields);
                parts.into_iter().try_for_each(|(child, vector)| self.column(child, vector, slots))
            }
            (Type::List, Vector::List(list)) => {
                let [item] = &column.children[..] else { return Err(differs()) };
                let items = self.lists(&list.offsets, slots)?;
                self.column(item, &list.item, &items)
            }
            (Type::Map, Vector::Map(map)) => {
                let [entries] = &column.children[..] else { return Err(differs()) };
                let [key, value] = &entries.children[..] else { return Err(differs()) };
                let items = self.lists(&map.offsets, slots)?;
                self.head(entries, &items);
                self.column(key, &map.key, &items)?;
                self.column(value, &map.value, &items)
            }
            _ => Err(differs()),
        }
    }

    /// The buffers of a column in which no entry has a value.
    fn nothing(&mut self, column: &Column<'_>, slots: &Slots) -> Result<()> {
        let zeros = |size: usize| vec![0; size * slots.len()];
        let own = match &column.kind {
            Type::Null | Type::Struct | Type::Some | Type::Union(_) => None,
            Type::Boolean => Some(vec![0; slots.len().div_ceil(8)]),
            Type::Int(bits, _) | Type::Time(_, bits) | Type::Decimal(_, _, bits, _) => {
                Some(zeros(*bits as usize / 8))
            }
            Type::Float | Type::Date | Type::Enum { .. } => Some(zeros(4)),
            Type::Double | Type::Timestamp(..) => Some(zeros(8)),
            Type::Duration => Some(zeros(16)),
            Type::Fixed(size) => Some(zeros(*size)),
            Type::Binary | Type::Utf8 | Type::List | Type::Map => Some(vec![0; 4 * (slots.len() + 1)]),
        };
        if let Some(own) = own {
            self.buffer(|out| out.extend_from_slice(&own));
        }
        if matches!(column.kind, Type::Binary | Type::Utf8) {
            self.buffer(|_| ());
        }
        let children = match column.kind {
            Type::List | Type::Map => Slots::At(Vec::new()),
            _ => Slots::At(vec![MISSING; slots.len()]),
        };
        column.children.iter().try_for_each(|child| self.column(child, &Vector::Null(0), &children))
    }

    /// Adds a dense union: numbers of variants, places among their values, and these.
    fn union(&mut self, column: &Column<'_>, vector: &Vector, slots: &Slots) -> Result<()> {
        let Type::Union(has_null) = column.kind else { return Err(differs()) };
        let first = usize::from(has_null);
        let one;
        let union = match vector {
            Vector::Union(union) => union,
            // A union of one variant.
            other => {
                one = UnionVector::new(vec![0; other.len()], vec![other.clone()]);
                &one
            }
        };
        let mut places: Vec<Vec<u32>> = vec![Vec::new(); column.children.len()];
        let (mut ids, mut within) = (Vec::with_capacity(slots.len()), Vec::with_capacity(4 * slots.len()));
        for place in slots.places() {
            let entry = place.and_then(|place| Some((union.tags.get(place)?, union.positions.get(place)?)));
            // What is not there is null, or any variant.
            let (child, position) =
                entry.map_or((0, MISSING), |(tag, position)| (first + *tag as usize, *position));
            let of = places.get_mut(child).ok_or_else(differs)?;
            ids.push(child as u8);
            within.extend_from_slice(&(of.len() as i32).to_le_bytes());
            of.push(position);
        }
        self.nodes.push([slots.len() as i64, 0]);
        self.buffer(|out| out.append(&mut ids));
        self.buffer(|out| out.append(&mut within));
        for (number, (child, places)) in column.children.iter().zip(places).enumerate() {
            let vector = number.checked_sub(first).and_then(|variant| union.variants.get(variant));
            // The value of a variant that holds one.
            let nothing = Vector::Null(0);
            match vector {
                None => self.column(child, &nothing, &Slots::At(places))?,
                Some(Vector::Record(record)) if child.is_held => {
                    self.column(child, record.fields.first().ok_or_else(differs)?, &Slots::At(places))?;
                }
                Some(vector) => self.column(child, vector, &Slots::At(places))?,
            }
        }
        Ok(())
    }

    /// Adds a buffer.
    fn buffer(&mut self, fill: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        fill(&mut self.bytes);
        self.buffers.push([start as i64, (self.bytes.len() - start) as i64]);
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
    }

    /// Adds numbers.
    fn packed<T: Copy + Default, const N: usize>(
        &mut self,
        values: &[T],
        slots: &Slots,
        bytes: impl Fn(T) -> [u8; N],
    ) -> Result<()> {
        self.buffer(|out| {
            out.reserve(N * slots.len());
            for place in slots.places() {
                let value = place.and_then(|place| values.get(place).copied()).unwrap_or_default();
                out.extend_from_slice(&bytes(value));
            }
        });
        Ok(())
    }

    /// Adds where strings end, and the strings.
    fn strings<'v>(&mut self, values: impl Iterator<Item = &'v [u8]>) -> Result<()> {
        let (mut ends, mut all) = (vec![0; 4], Vec::new());
        for value in values {
            all.extend_from_slice(value);
            ends.extend_from_slice(&end(all.len())?.to_le_bytes());
        }
        self.buffer(|out| out.append(&mut ends));
        self.buffer(|out| out.append(&mut all));
        Ok(())
    }

    /// Adds where lists end. Returns their items.
    fn lists(&mut self, offsets: &Offsets, slots: &Slots) -> Result<Slots> {
        let (mut ends, mut items) = (vec![0; 4], Vec::new());
        for place in slots.places() {
            let range = place.and_then(|place| offsets.range(place)).unwrap_or(0..0);
            items.extend(range.map(|item| item as u32));
            ends.extend_from_slice(&end(items.len())?.to_le_bytes());
        }
        self.buffer(|out| out.append(&mut ends));
        Ok(Slots::At(items))
    }

    /// Adds integers that are stored with the greatest byte first.
    fn decimals(&mut self, values: &Binaries, slots: &Slots, size: usize, is_unsigned: bool) -> Result<()> {
        let mut all = Vec::with_capacity(size * slots.len());
        for place in slots.places() {
            let bytes = at(values, place);
            let is_negative = !is_unsigned && bytes.first().is_some_and(|byte| *byte >= 0x80);
            let fill = if is_negative { 0xff } else { 0 };
            let (more, kept) = bytes.split_at(bytes.len().saturating_sub(size));
            let fits = more.iter().all(|byte| *byte == fill)
                && (kept.len() < size || kept.first().is_none_or(|byte| (*byte >= 0x80) == is_negative));
            if !fits {
                return Err(Fault::misuse("a decimal has more digits than its type says"));
            }
            all.extend(kept.iter().rev());
            all.resize(all.len() + size - kept.len(), fill);
        }
        self.buffer(|out| out.append(&mut all));
        Ok(())
    }

    /// Adds durations: months, days and milliseconds become months, days and nanoseconds.
    fn durations(&mut self, values: &Binaries, slots: &Slots) -> Result<()> {
        let mut all = Vec::with_capacity(16 * slots.len());
        for place in slots.places() {
            let part = |from: usize| {
                let bytes = at(values, place).get(from..from + 4);
                u32::from_le_bytes(bytes.and_then(|bytes| bytes.try_into().ok()).unwrap_or_default())
            };
            for whole in [part(0), part(4)] {
                let whole = i32::try_from(whole)
                    .map_err(|_| Fault::misuse("a duration has 2³¹ months or days, or more"))?;
                all.extend_from_slice(&whole.to_le_bytes());
            }
            all.extend_from_slice(&(i64::from(part(8)) * 1_000_000).to_le_bytes());
        }
        self.buffer(|out| out.append(&mut all));
        Ok(())
    }
}

fn at(values: &Binaries, place: Option<usize>) -> &[u8] {
    place.and_then(|place| values.get(place)).unwrap_or_default()
}

/// Where something ends, as Arrow has it.
fn end(len: usize) -> Result<i32> {
    i32::try_from(len)
        .map_err(|_| Fault::misuse("more than 2 GiB of strings or 2³¹ items in a batch of a column"))
}

/// Bits, the first one lowest.
fn bits(values: impl Iterator<Item = bool>, out: &mut Vec<u8>) {
    let (mut byte, mut count) = (0, 0);
    for value in values {
        byte |= u8::from(value) << count;
        count += 1;
        if count == 8 {
            out.push(byte);
            (byte, count) = (0, 0);
        }
    }
    if count > 0 {
        out.push(byte);
    }
}

#[cold]
fn differs() -> Fault {
    Fault::internal("a vector of another form than its shape says")
}
