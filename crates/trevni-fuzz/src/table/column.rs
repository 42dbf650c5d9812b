//! Columns of random values: as they are in rows, in plain blocks, and in typed ones.

use super::forms::Forms;
use crate::cell::Cell;
use crate::choices::Choices;
use crate::metadata::{put_count, put_text, zigzag};
use fastrand::Rng;
use std::ops::Range;

/// The value types, and the kinds of typed blocks that have them.
const TYPES: [(&str, u8); 10] = [
    ("int", 3),
    ("long", 3),
    ("string", 8),
    ("double", 7),
    ("boolean", 2),
    ("bytes", 8),
    ("float", 6),
    ("fixed32", 4),
    ("fixed64", 5),
    NULL,
];
const NULL: (&str, u8) = ("null", 1);

/// Names of the fields of records.
pub(crate) const CHILDREN: [&str; 2] = ["x", "y"];

/// All values of a column.
enum Values {
    Nulls,
    Booleans(Vec<bool>),
    Integers(Vec<i64>),
    /// Bits.
    Floats(Vec<u64>),
    Texts(Vec<Vec<u8>>),
}

pub(crate) struct Column {
    pub(crate) name: &'static str,
    kind: u8,
    /// Where the values of each row are, in an array column and in a child.
    rows: Option<Vec<Range<usize>>>,
    /// Whether it is a child, which has a value for each element of its parent.
    is_child: bool,
    /// The columns of records that are its elements.
    pub(crate) children: Vec<Column>,
    values: Values,
    /// Whether blocks have runs of lengths.
    joined: bool,
}

impl Column {
    /// A column of n rows.
    pub(crate) fn any(choices: &mut Choices<'_>, rows: usize, has_runs: bool) -> Self {
        let has_children = choices.one_in(6);
        let (name, kind) = if has_children { NULL } else { choices.pick(&TYPES) };
        let is_array = has_children || choices.one_in(3);
        let (mut end, mut rng) = (0, choices.bulk());
        let most = choices.pick(if rows > 300 { &[1, 2, 5, 3] } else { &[1, 2, 5, 40] });
        let often = choices.pick(&[1, 2, 12]);
        let mut before = 0;
        let mut length = || {
            if rng.usize(..often) == 0 {
                before = if rng.bool() { rng.usize(0..2) } else { rng.usize(0..=most) };
            }
            let start = end;
            end += before;
            start..end
        };
        let places = is_array.then(|| (0..rows).map(|_| length()).collect::<Vec<_>>());
        let count = if is_array { end } else { rows };
        let joined = has_runs && choices.one_in(2);
        let mut column = Self::of(choices, (name, kind), count);
        let child = |choices: &mut Choices<'_>| {
            let kind = choices.pick(&TYPES);
            Self { rows: places.clone(), is_child: true, ..Self::of(choices, kind, count) }
        };
        if has_children {
            column.children = (0..1 + choices.below(2)).map(|_| child(choices)).collect();
        }
        Self { rows: places, joined, ..column }
    }

    /// Random values of a type, without lengths.
    fn of(choices: &mut Choices<'_>, (name, kind): (&'static str, u8), count: usize) -> Self {
        let values = match name {
            "null" => Values::Nulls,
            "boolean" => {
                let mut rng = choices.bulk();
                let part = choices.pick(&[128, 0, 255, 3]);
                Values::Booleans((0..count).map(|_| rng.u8(..) < part).collect())
            }
            "int" | "fixed32" => Values::Integers(
                integers(choices, count).into_iter().map(|value| i64::from(value as i32)).collect(),
            ),
            "long" | "fixed64" => Values::Integers(integers(choices, count)),
            "float" | "double" => Values::Floats(floats(choices, count, name == "double")),
            _ => Values::Texts(texts(choices, count, name == "bytes")),
        };
        Self { name, kind, rows: None, is_child: false, children: Vec::new(), values, joined: false }
    }

    /// The type in a schema.
    pub(crate) fn schema(&self) -> &'static str {
        match self.name {
            "fixed32" => "int",
            "fixed64" => "long",
            name => name,
        }
    }

    pub(crate) fn is_array(&self) -> bool {
        self.rows.is_some() && !self.is_child
    }

    /// Metadata of a column with this name, and that of its parent.
    pub(crate) fn entries<'e>(&self, name: &'e str, parent: Option<&'e str>) -> Vec<(&'e str, &'e [u8])> {
        let mut entries = vec![("trevni.name", name.as_bytes()), ("trevni.type", self.name.as_bytes())];
        if let Some(parent) = parent {
            entries.push(("trevni.parent", parent.as_bytes()));
        }
        if self.is_array() {
            entries.push(("trevni.array", b""));
        }
        entries
    }

    /// The integers, where rows are that.
    pub(crate) fn integers(&self) -> Option<&[i64]> {
        match &self.values {
            Values::Integers(integers) if !self.is_array() => Some(integers),
            _ => None,
        }
    }

    /// What a row has.
    pub(crate) fn cell(&self, row: usize) -> Cell {
        match &self.rows {
            None => self.value(row),
            Some(rows) => Cell::List(rows[row].clone().map(|at| self.element(at)).collect()),
        }
    }

    fn element(&self, at: usize) -> Cell {
        match &self.children[..] {
            [] => self.value(at),
            children => {
                let fields = CHILDREN.into_iter().zip(children);
                Cell::Record(fields.map(|(name, child)| (Cell::text(name), child.value(at))).collect())
            }
        }
    }

    fn value(&self, at: usize) -> Cell {
        match &self.values {
            Values::Nulls => Cell::Null,
            Values::Booleans(values) => Cell::Boolean(values[at]),
            Values::Integers(values) => Cell::Integer(values[at].into()),
            Values::Floats(values) if self.name == "float" => Cell::Single(values[at] as u32),
            Values::Floats(values) => Cell::Double(values[at]),
            Values::Texts(values) if self.name == "string" => {
                Cell::Text(String::from_utf8(values[at].clone()).unwrap_or_default())
            }
            // As lists, which types of rows may be as well.
            Values::Texts(values) => {
                Cell::List(values[at].iter().map(|byte| Cell::Integer((*byte).into())).collect())
            }
        }
    }

    /// The block of some rows before the codec, and in a typed form; a `short` one has at most one byte more than the plain one.
    pub(crate) fn block(
        &self,
        rows: Range<usize>,
        forms: &mut Forms<'_, '_>,
        short: bool,
    ) -> (Vec<u8>, Vec<u8>) {
        let plain = self.plain(rows.clone());
        let mut typed = Vec::new();
        let is_raw = self.name == "null" && !self.is_array() || forms.choices.one_in(16);
        if !is_raw {
            self.put_typed(rows, forms, &mut typed);
        }
        if is_raw || short && typed.len() > plain.len() + 1 {
            typed.clear();
            forms.byte(0, &mut typed);
            typed.extend_from_slice(&plain);
        }
        (plain, typed)
    }

    fn put_typed(&self, rows: Range<usize>, forms: &mut Forms<'_, '_>, typed: &mut Vec<u8>) {
        let flags = if self.is_array() { 0x10 | if self.joined { 0x20 } else { 0 } } else { 0 };
        forms.byte(self.kind | flags, typed);
        if let Some(places) = self.rows.as_ref().filter(|_| self.is_array()) {
            forms.lengths(places[rows.clone()].iter().map(ExactSizeIterator::len), typed);
        }
        let mut range = self.places(rows);
        if !range.is_empty() && forms.is_wild() {
            // Other values than the lengths, or the rows, say.
            range.start += 1;
        }
        match &self.values {
            Values::Nulls => {}
            Values::Booleans(values) => {
                let mut bits: Vec<i64> = values[range].iter().map(|value| (*value).into()).collect();
                if !self.is_array() {
                    bits.resize(bits.len().next_multiple_of(8), 0);
                }
                forms.integers(&bits, typed);
            }
            Values::Integers(values) => {
                let mut values = values[range].to_vec();
                forms.spoil(&mut values, 1 << 40);
                forms.integers(&values, typed);
            }
            Values::Floats(values) => forms.floats(&values[range], self.name == "double", typed),
            Values::Texts(values) => forms.texts(&values[range], typed),
        }
    }

    /// The places of the values of some rows.
    fn places(&self, rows: Range<usize>) -> Range<usize> {
        match &self.rows {
            None => rows,
            Some(places) => match &places[rows] {
                [] => 0..0,
                [first, .., last] => first.start..last.end,
                [one] => one.clone(),
            },
        }
    }

    /// A block before the codec.
    pub(crate) fn plain(&self, rows: Range<usize>) -> Vec<u8> {
        let mut out = Vec::new();
        let Some(places) = self.rows.as_ref().filter(|_| self.is_array()) else {
            self.put(self.places(rows), &mut out);
            return out;
        };
        let mut run = 0;
        let mut rest = &places[rows];
        while let Some((place, others)) = rest.split_first() {
            let length = place.len();
            let joins = self.joined && (length == 0 || length == 1 && self.kind == 1);
            run += 1;
            rest = others;
            if joins && others.first().is_some_and(|next| next.len() == length) {
                continue;
            }
            let number = if run > 1 { 3 - length as i64 - 2 * run } else { length as i64 };
            put_count(zigzag(number), &mut out);
            self.put(place.clone(), &mut out);
            run = 0;
        }
        out
    }

    /// Appends values one after the other; booleans begin a byte.
    fn put(&self, range: Range<usize>, out: &mut Vec<u8>) {
        match &self.values {
            Values::Nulls => {}
            Values::Booleans(values) => out.extend(
                values[range]
                    .chunks(8)
                    .map(|bits| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit))),
            ),
            Values::Integers(values) => values[range].iter().for_each(|value| match self.kind {
                3 => put_count(zigzag(*value), out),
                4 => out.extend_from_slice(&(*value as i32).to_le_bytes()),
                _ => out.extend_from_slice(&value.to_le_bytes()),
            }),
            Values::Floats(values) => values[range].iter().for_each(|bits| match self.kind {
                6 => out.extend_from_slice(&(*bits as u32).to_le_bytes()),
                _ => out.extend_from_slice(&bits.to_le_bytes()),
            }),
            Values::Texts(values) => values[range].iter().for_each(|text| put_text(text, out)),
        }
    }
}

/// Values that are alike in one of some ways.
fn integers(choices: &mut Choices<'_>, count: usize) -> Vec<i64> {
    let (base, step) = (choices.integer(), choices.integer());
    let (mut rng, bits) = (choices.bulk(), choices.below(64) as u32);
    let kind = choices.below(7);
    let few = choices.some(8, Choices::integer);
    let each = |at: usize| match kind {
        0 => rng.i64(..) >> (63 - bits),
        1 => base,
        2 => base.wrapping_add(step.wrapping_mul(at as i64)),
        3 => base.wrapping_add(1000 * rng.i64(-500..500)),
        4 => rng.choice(&few).copied().unwrap_or(base),
        5 if rng.u8(..) < 8 => rng.i64(..),
        _ => base.wrapping_add(rng.i64(0..=1 << (bits % 30))),
    };
    (0..count).map(each).collect()
}

fn floats(choices: &mut Choices<'_>, count: usize, are_double: bool) -> Vec<u64> {
    let (kind, mut rng) = (choices.below(4), choices.bulk());
    let power = 10f64.powi(choices.below(6) as i32);
    let few = [0.0, -0.0, f64::NAN, f64::INFINITY, 1e300, f64::MIN_POSITIVE, 0.1 + 0.2];
    let mut each = |_| {
        let value = match kind {
            0 => f64::from(rng.i32(-50_000..50_000)) / power,
            1 => f64::from_bits(rng.u64(..)),
            2 => *rng.choice(&few).unwrap_or(&0.0),
            _ if rng.u8(..) < 20 => f64::from_bits(rng.u64(..)),
            _ => f64::from(rng.i32(0..100)) / 100.0,
        };
        if are_double { value.to_bits() } else { u64::from((value as f32).to_bits()) }
    };
    (0..count).map(&mut each).collect()
}

fn texts(choices: &mut Choices<'_>, count: usize, are_bytes: bool) -> Vec<Vec<u8>> {
    let (kind, mut rng) = (choices.below(6), choices.bulk());
    let each = |at: usize, rng: &mut Rng| match kind {
        0 => format!("text {}", rng.u8(0..20)).into_bytes(),
        1 => Vec::new(),
        2 => format!("https://example.org/{:04}/{}", at / 3, rng.u8(0..9)).into_bytes(),
        3 if are_bytes => (0..rng.usize(0..30)).map(|_| rng.u8(..)).collect(),
        3 => (0..rng.usize(0..12)).map(|_| rng.char('\0'..='\u{10ffff}')).collect::<String>().into_bytes(),
        4 => "ab".repeat(rng.usize(0..60)).into_bytes(),
        _ => format!("{:08x}", rng.u32(..)).into_bytes(),
    };
    (0..count).map(|at| each(at, &mut rng)).collect()
}
