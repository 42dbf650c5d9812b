//! Random values of a type.

use crate::model::{Body, Fields, Graph, Scalar, Type};
use crate::random::Random;
use crate::value::Value;
use std::cell::Cell;
use std::collections::BTreeMap;

pub struct Values<'a> {
    pub graph: &'a Graph,
    pub pool: &'a [&'static str],
    /// How deep definitions may nest before options are None, lists empty and variants the first.
    pub depth: usize,
    /// Values that a row may still have before the same: arrays of recursive types multiply.
    pub left: Cell<usize>,
}

impl Values<'_> {
    pub fn row(&self, random: &mut Random) -> Value {
        self.value(random, &self.graph.row, self.depth)
    }

    fn value(&self, random: &mut Random, ty: &Type, depth: usize) -> Value {
        self.left.set(self.left.get().saturating_sub(1));
        let depth = if self.left.get() == 0 { 0 } else { depth };
        match ty {
            Type::Scalar(scalar) => self.scalar(random, *scalar),
            Type::Option(_) if depth == 0 || random.one_in(3) => Value::None,
            Type::Option(item) => Value::Some(Box::new(self.value(random, item, depth))),
            Type::List(item) => {
                let count = self.count(random, depth);
                Value::List((0..count).map(|_| self.value(random, item, depth)).collect())
            }
            Type::Tuple(items) => {
                Value::List(items.iter().map(|item| self.value(random, item, depth)).collect())
            }
            Type::Array(item, len) => {
                Value::List((0..*len).map(|_| self.value(random, item, depth)).collect())
            }
            Type::Map(key, item) => {
                let count = self.count(random, depth);
                let entry = |_| (self.value(random, key, depth), self.value(random, item, depth));
                Value::Map((0..count).map(entry).collect::<BTreeMap<_, _>>().into_iter().collect())
            }
            Type::Def(id) | Type::Boxed(id) => {
                let below = depth.saturating_sub(1);
                match &self.graph.defs[*id].body {
                    Body::Struct(fields) => Value::List(self.fields(random, fields, below)),
                    Body::Enum(_, variants) => {
                        let number = if depth == 0 { 0 } else { random.below(variants.len()) };
                        Value::Variant(number, self.fields(random, &variants[number].fields, below))
                    }
                }
            }
        }
    }

    fn fields(&self, random: &mut Random, fields: &Fields, depth: usize) -> Vec<Value> {
        fields.types().iter().map(|ty| self.value(random, ty, depth)).collect()
    }

    fn count(&self, random: &mut Random, depth: usize) -> usize {
        match random.below(40) {
            _ if depth == 0 => 0,
            0 => 12,
            number => number % 4,
        }
    }

    fn scalar(&self, random: &mut Random, scalar: Scalar) -> Value {
        let signed = |random: &mut Random, min: i128, max: i128| {
            Value::Int(match random.below(8) {
                0 => min,
                1 => max,
                2..=4 => random.below(4) as i128 - 1,
                _ => (random.wide().cast_signed() % max).max(min),
            })
        };
        let unsigned = |random: &mut Random, max: u128| {
            Value::Nat(match random.below(8) {
                0 => max,
                1 => max / 2 + 1,
                2..=4 => random.below(3) as u128,
                _ => random.wide() % max,
            })
        };
        match scalar {
            Scalar::Bool => Value::Bool(random.one_in(2)),
            Scalar::I8 => signed(random, i8::MIN.into(), i8::MAX.into()),
            Scalar::I16 => signed(random, i16::MIN.into(), i16::MAX.into()),
            Scalar::I32 => signed(random, i32::MIN.into(), i32::MAX.into()),
            Scalar::I64 => signed(random, i64::MIN.into(), i64::MAX.into()),
            Scalar::I128 => signed(random, i128::MIN, i128::MAX),
            Scalar::U8 => unsigned(random, u8::MAX.into()),
            Scalar::U16 => unsigned(random, u16::MAX.into()),
            Scalar::U32 => unsigned(random, u32::MAX.into()),
            Scalar::U64 => unsigned(random, u64::MAX.into()),
            Scalar::U128 => unsigned(random, u128::MAX),
            Scalar::F32 => {
                let odd = [0.0, -0.0, 1.0, 0.1, f32::MIN_POSITIVE, f32::MAX, f32::INFINITY, 16_777_216.0];
                let any = f32::from_bits(random.next() as u32);
                let float = if any.is_nan() || random.one_in(2) { *random.pick(&odd) } else { any };
                Value::F32(float.to_bits())
            }
            Scalar::F64 => {
                let odd = [0.0, -0.0, 1.0, 0.1, f64::MIN_POSITIVE, f64::MAX, f64::NEG_INFINITY, 1e300];
                let any = f64::from_bits(random.next());
                let float = if any.is_nan() || random.one_in(2) { *random.pick(&odd) } else { any };
                Value::F64(float.to_bits())
            }
            Scalar::Char => Value::Char(*random.pick(&['a', 'b', '1', '\0', 'é', '漢', '🦀', char::MAX])),
            Scalar::Text => Value::Text(match random.below(3) {
                0 => (*random.pick(self.pool)).to_owned(),
                1 => (*random.pick(&["", "a", "b", "1", "true", "1.0", "\0", "é漢🦀", "a.b"])).to_owned(),
                _ => random.below(1000).to_string(),
            }),
            Scalar::Bytes => Value::Bytes((0..random.below(4)).map(|_| random.next() as u8).collect()),
            Scalar::Unit => Value::Unit,
        }
    }
}
