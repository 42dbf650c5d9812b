//! Compares values of an Avro file with those that were written, to the bit.

use super::Wrong;
use super::node::{Node, Union};
use super::value::{Source, Value};
use trevni::{Batch, Offsets, Vector};

impl<S: Source> Value<'_, S> {
    /// Takes the value, and says whether it is that of a row. Where it is not, only a part of it is taken.
    pub(crate) fn equals(&self, batch: &Batch, index: usize) -> Result<bool, Wrong> {
        equal(self.node, self.source, batch.vector(), index)
    }
}

fn equal<S: Source>(node: &Node, source: &S, vector: &Vector, at: usize) -> Result<bool, Wrong> {
    Ok(match (node, vector) {
        (_, Vector::Lazy(lazy)) => match lazy.get() {
            Some(vector) => equal(node, source, vector, at)?,
            None => false,
        },
        (Node::Null, Vector::Null(count)) => at < *count,
        (Node::Boolean, Vector::Boolean(values)) => values.get(at) == Some(&source.boolean()?),
        (Node::Int, Vector::Int(values)) => values.get(at) == Some(&source.int()?),
        (Node::Long | Node::U64, Vector::Long(values)) => values.get(at) == Some(&source.long()?),
        (Node::Float, Vector::Float(values)) => {
            values.get(at).map(|value| value.to_bits()) == Some(source.float()?.to_bits())
        }
        (Node::Double, Vector::Double(values)) => {
            values.get(at).map(|value| value.to_bits()) == Some(source.double()?.to_bits())
        }
        (Node::String, Vector::String(values)) => values.get(at) == Some(&*source.text()?),
        (Node::Bytes, Vector::Bytes(values)) => values.get(at) == Some(&*source.bytes()?),
        (Node::Fixed(size), Vector::Bytes(values)) => values.get(at) == Some(&*source.fixed(*size)?),
        (Node::I128 | Node::U128, Vector::Bytes(values)) => values.get(at) == Some(&*source.fixed(16)?),
        (Node::Enum { symbols, .. }, Vector::Enum(values)) => {
            let number = source.choice(symbols.len())?;
            values.get(at).is_some_and(|value| usize::try_from(*value) == Ok(number))
        }
        (Node::Record(record), Vector::Record(vector)) => {
            for ((_, node), vector) in record.fields.iter().zip(&vector.fields) {
                if !equal(node, source, vector, at)? {
                    return Ok(false);
                }
            }
            record.fields.len() == vector.fields.len()
        }
        (Node::List(item), Vector::List(list)) => {
            items(source, &list.offsets, at, |at| equal(item, source, &list.item, at))?
        }
        (Node::Map(value), Vector::Map(map)) => items(source, &map.offsets, at, |at| {
            Ok(equal(&Node::String, source, &map.key, at)? && equal(value, source, &map.value, at)?)
        })?,
        (Node::Pairs(pair), Vector::Map(map)) => items(source, &map.offsets, at, |at| {
            Ok(equal(&pair.0, source, &map.key, at)? && equal(&pair.1, source, &map.value, at)?)
        })?,
        (Node::Union(union), vector) => branch(union, source, vector, at)?,
        _ => false,
    })
}

/// Compares the items of all blocks of a list.
fn items<S: Source>(
    source: &S,
    offsets: &Offsets,
    at: usize,
    mut equal: impl FnMut(usize) -> Result<bool, Wrong>,
) -> Result<bool, Wrong> {
    let Some(mut range) = offsets.range(at) else {
        return Ok(false);
    };
    let mut first = true;
    loop {
        match source.items(first)? {
            0 => return Ok(range.next().is_none()),
            count => {
                for _ in 0..count {
                    match range.next() {
                        Some(at) if equal(at)? => {}
                        _ => return Ok(false),
                    }
                }
            }
        }
        first = false;
    }
}

fn branch<S: Source>(union: &Union, source: &S, vector: &Vector, at: usize) -> Result<bool, Wrong> {
    let number = source.choice(union.branches.len())?;
    let (vector, at) = match vector {
        Vector::Optional(list) => match list.offsets.range(at).map(|mut range| range.next()) {
            Some(Some(at)) => (&list.item, at),
            Some(None) => return Ok(matches!(union.branches.get(number), Some(None))),
            None => return Ok(false),
        },
        vector => (vector, at),
    };
    let Some(Some(branch)) = union.branches.get(number) else {
        return Ok(false);
    };
    match vector {
        Vector::Union(values) if !union.is_optional() => {
            let tag = union.variants.iter().position(|variant| *variant == number);
            match (values.tags.get(at), values.positions.get(at)) {
                (Some(found), Some(position)) if tag == Some(usize::from(*found)) => {
                    match values.variants.get(usize::from(*found)) {
                        Some(vector) => equal(&branch.node, source, vector, *position as usize),
                        None => Ok(false),
                    }
                }
                _ => Ok(false),
            }
        }
        vector => equal(&branch.node, source, vector, at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avro::decode::Bytes;
    use crate::avro::encode::encode;
    use serde_json::{Value as Json, json};

    /// Whether each row is found equal to itself and to no other.
    #[track_caller]
    fn assert_told_apart(rows: &[Json]) {
        let bytes = trevni::to_vec(rows).unwrap();
        let reader = trevni::Reader::from_slice(&bytes).unwrap();
        let node = Node::parse(reader.metadata().get_str("avro.schema").unwrap()).unwrap();
        let batch = reader.batches().unwrap().next().unwrap().unwrap();
        for one in 0..rows.len() {
            let mut encoded = Vec::new();
            encode(&node, batch.vector(), one, &mut encoded).unwrap();
            for other in 0..rows.len() + 1 {
                let source = Bytes::new(&encoded);
                let found = Value { node: &node, source: &source }.equals(&batch, other).unwrap();
                assert_eq!(found, one == other, "{one} {other}");
                assert!(!found || source.len() == 0);
            }
        }
    }

    #[test]
    fn rows_are_told_apart() {
        let value = |value: Json| json!({"x": value, "y": "same"});
        assert_told_apart(&[json!(1), json!(2), json!(null)].map(value));
        assert_told_apart(&[json!(0.0), json!(-0.0), json!(1)].map(value));
        assert_told_apart(&[json!([]), json!([1]), json!([1, 2]), json!([2, 1]), json!(null)].map(value));
        assert_told_apart(
            &[json!("a"), json!("b"), json!(true), json!(["a"]), json!(7), json!(null)].map(value),
        );
        assert_told_apart(&[json!({"a": 1}), json!({"a": null}), json!({"b": [null]}), json!({})].map(value));
        assert_told_apart(&[json!({}), json!({"x": null})]);
    }
}
