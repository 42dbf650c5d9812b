//! Values of batches in the binary form of messages.

use super::json::{self, sized};
use super::plan::{Content, Put};
use super::scalar::scalar;
use crate::error::Misfit;
use prost_reflect::prost::encoding::{WireType, encode_key};
use trevni::Vector;
use trevni::vector::Offsets;

/// Appends the content of a message.
pub(super) fn content(
    content: &Content,
    vector: &Vector,
    at: usize,
    out: &mut Vec<u8>,
) -> Result<(), Misfit> {
    match (content, vector) {
        (Content::Nothing, _) => Ok(()),
        (Content::Only(only), vector) => put(only, vector, at, out),
        (Content::Record(puts), Vector::Record(record)) => puts.iter().try_for_each(|(place, name, own)| {
            let field = record.fields.get(*place).ok_or_else(Misfit::form)?;
            put(own, field, at, out).map_err(|misfit| misfit.within(name))
        }),
        _ => Err(Misfit::form()),
    }
}

/// Appends a value with its key.
fn put(own: &Put, vector: &Vector, at: usize, out: &mut Vec<u8>) -> Result<(), Misfit> {
    match (own, vector) {
        (Put::Nothing, _) => Ok(()),
        (Put::Scalar { number, scalar: own, skips_default }, vector) => {
            let start = out.len();
            encode_key(*number, own.kind.wire_type(), out);
            if scalar(own, vector, at, out)? && *skips_default {
                out.truncate(start);
            }
            Ok(())
        }
        (Put::Message { number, is_group: true, content: own }, vector) => {
            encode_key(*number, WireType::StartGroup, out);
            content(own, vector, at, out)?;
            encode_key(*number, WireType::EndGroup, out);
            Ok(())
        }
        (Put::Message { number, content: own, .. }, vector) => {
            sized(*number, out, |out| content(own, vector, at, out))
        }
        (Put::Json { number, message }, Vector::String(texts)) => {
            let text = texts.get(at).ok_or_else(Misfit::form)?;
            sized(*number, out, |out| json::content(message, text, out))
        }
        (Put::Packed { number, scalar: own }, Vector::List(list)) => {
            let mut range = range(&list.offsets, at)?;
            if range.is_empty() {
                return Ok(());
            }
            sized(*number, out, |out| range.try_for_each(|at| scalar(own, &list.item, at, out).map(drop)))
        }
        (Put::Repeated(item), Vector::List(list)) => {
            range(&list.offsets, at)?.try_for_each(|at| put(item, &list.item, at, out))
        }
        (Put::Entries { number, key, value }, Vector::Map(map)) => {
            range(&map.offsets, at)?.try_for_each(|at| {
                sized(*number, out, |out| {
                    put(key, &map.key, at, out)?;
                    put(value, &map.value, at, out)
                })
            })
        }
        (Put::Optional { refuses_null, item }, Vector::Optional(list)) => {
            match range(&list.offsets, at)?.next() {
                Some(at) => put(item, &list.item, at, out),
                None if *refuses_null => Err(Misfit::new("null, which the message cannot say here")),
                None => Ok(()),
            }
        }
        (Put::Union(variants), Vector::Union(union)) => {
            let place = union.tags.get(at).zip(union.positions.get(at));
            let (tag, position) = place.ok_or_else(Misfit::form)?;
            let tag = usize::from(*tag);
            let (name, own) = variants.get(tag).ok_or_else(Misfit::form)?;
            let vector = union.variants.get(tag).ok_or_else(Misfit::form)?;
            put(own, vector, *position as usize, out).map_err(|misfit| misfit.within(name))
        }
        (Put::Variant(own), Vector::Record(record)) => {
            put(own, record.fields.first().ok_or_else(Misfit::form)?, at, out)
        }
        _ => Err(Misfit::form()),
    }
}

fn range(offsets: &Offsets, at: usize) -> Result<std::ops::Range<usize>, Misfit> {
    offsets.range(at).ok_or_else(Misfit::form)
}
