//! Values of a part of their shape.

use trevni::shape::{FieldShape, OptionalShape};
use trevni::vector::{ListVector, MapVector, RecordVector, UnionVector};
use trevni::{Shape, Vector};

/// The values of a shape as values of a part of it, which a projection has made; `None` where a vector has another
/// form than its shape. Values of a variant that the part lacks are null.
pub fn narrowed(shape: &Shape, vector: &Vector, part: &Shape) -> Option<(Shape, Vector)> {
    Some(match (shape, vector, part) {
        (shape, vector, part) if shape == part => (shape.clone(), vector.clone()),
        (_, Vector::Null(len), part) => (part.clone(), Vector::Null(*len)),
        (Shape::Record(record), Vector::Record(own), Shape::Record(kept)) => {
            let mut fields = Vec::with_capacity(kept.fields.len());
            let mut vector = RecordVector::default();
            vector.len = own.len;
            for field in &kept.fields {
                let at = record.fields.iter().position(|own| own.name == field.name)?;
                let own = (record.fields.get(at)?, own.fields.get(at)?);
                let (shape, values) = narrowed(&own.0.shape, own.1, &field.shape)?;
                fields.push(FieldShape::new(field.name.clone(), shape));
                vector.fields.push(values);
            }
            let mut kept = kept.clone();
            kept.fields = fields;
            (Shape::Record(kept), Vector::Record(vector))
        }
        (Shape::List(item), Vector::List(list), Shape::List(part)) => {
            let (item, values) = narrowed(item, &list.item, part)?;
            let list = ListVector::new(list.offsets.clone(), values);
            (Shape::List(Box::new(item)), Vector::List(Box::new(list)))
        }
        (Shape::Map(map), Vector::Map(own), Shape::Map(part)) => {
            let (key, keys) = narrowed(&map.key, &own.key, &part.key)?;
            let (value, values) = narrowed(&map.value, &own.value, &part.value)?;
            let map = MapVector::new(own.offsets.clone(), keys, values);
            (Shape::map(key, value), Vector::Map(Box::new(map)))
        }
        (Shape::Optional(optional), Vector::Optional(list), Shape::Optional(part)) => {
            let (item, values) = narrowed(&optional.item, &list.item, &part.item)?;
            let list = ListVector::new(list.offsets.clone(), values);
            let optional = OptionalShape::new(optional.null, item);
            (Shape::Optional(Box::new(optional)), Vector::Optional(Box::new(list)))
        }
        (Shape::Union(all), Vector::Union(union), Shape::Union(kept)) => variants(all, union, kept)?,
        (Shape::Union(_), Vector::Union(_), Shape::Optional(part)) => narrowed(shape, vector, &part.item)?,
        _ => return None,
    })
}

/// Values of a union of which some variants are kept, and null for others.
fn variants(all: &[Shape], union: &UnionVector, kept: &[Shape]) -> Option<(Shape, Vector)> {
    let place = |variant: &Shape, others: &[Shape]| {
        others.iter().position(|other| other.branch_name() == variant.branch_name())
    };
    let (mut shapes, mut out) = (Vec::with_capacity(kept.len() + 1), UnionVector::default());
    for part in kept {
        let at = place(part, all)?;
        let (shape, values) = narrowed(all.get(at)?, union.variants.get(at)?, part)?;
        shapes.push(shape);
        out.variants.push(values);
    }
    let new: Vec<Option<usize>> = all.iter().map(|variant| place(variant, kept)).collect();
    let mut nulls = 0;
    for (tag, position) in union.tags.iter().zip(&union.positions) {
        let (tag, position) = match new.get(usize::from(*tag))? {
            Some(tag) => (*tag, *position),
            None => {
                nulls += 1;
                (kept.len(), u32::try_from(nulls - 1).ok()?)
            }
        };
        out.tags.push(u16::try_from(tag).ok()?);
        out.positions.push(position);
    }
    shapes.push(Shape::Null);
    out.variants.push(Vector::Null(nulls));
    Some((Shape::Union(shapes), Vector::Union(out)))
}
