//! Vectors converted.

use super::{Conversion, Entries, Part};
use crate::error::{Error, Result};
use crate::shape::{Name, Shape};
use crate::sort;
use crate::vector::{ListVector, MapVector, Offsets, RecordVector, Strings, UnionVector, Vector};

impl Conversion {
    /// The values of a vector of the first shape as values of the second.
    ///
    /// # Errors
    ///
    /// A value that has no place there, such as an instant beyond the finer unit; vectors of another form.
    pub(crate) fn apply(&self, vector: Vector) -> Result<Vector> {
        match (self, vector) {
            (Self::Keep, vector) => Ok(vector),
            (Self::Leaf(leaf), vector) => leaf.apply(&vector),
            (Self::Nulls(item), vector) => Ok(nulls(item, vector.len())),
            (Self::Never(shape), vector) if vector.is_empty() => Ok(Vector::new(shape)),
            (Self::Some(conversion), vector) => {
                let offsets = Offsets::ones(vector.len());
                Ok(Vector::Optional(Box::new(ListVector::new(offsets, conversion.apply(vector)?))))
            }
            (Self::Optional(conversion), Vector::Optional(list)) => {
                let ListVector { offsets, item } = *list;
                Ok(Vector::Optional(Box::new(ListVector::new(offsets, conversion.apply(item)?))))
            }
            (Self::List(conversion), Vector::List(list)) => {
                let ListVector { offsets, item } = *list;
                Ok(Vector::List(Box::new(ListVector::new(offsets, conversion.apply(item)?))))
            }
            (Self::Map(halves), Vector::Map(map)) => {
                let MapVector { offsets, key, value } = *map;
                let key = halves.0.apply(key).map_err(Error::in_key)?;
                let value = halves.1.apply(value).map_err(Error::in_value)?;
                Ok(Vector::Map(Box::new(MapVector { offsets, key, value })))
            }
            (Self::EmptyMaps(map), vector) => {
                let (key, value) = (Vector::new(&map.key), Vector::new(&map.value));
                Ok(Vector::Map(Box::new(MapVector { offsets: Offsets::zeros(vector.len()), key, value })))
            }
            (Self::Entries(to), Vector::Record(record)) => entries(to, record),
            (Self::Record(parts), Vector::Record(record)) => fields(parts, record),
            (Self::Variant { tag, conversion, variants }, vector) => {
                let len = vector.len();
                let mut values: Vec<Vector> = variants.iter().map(Vector::new).collect();
                *values.get_mut(usize::from(*tag)).ok_or_else(other_form)? = conversion.apply(vector)?;
                Ok(UnionVector::new(vec![*tag; len], values).into())
            }
            (Self::Only(conversion), Vector::Union(union)) => {
                conversion.apply(union.variants.into_iter().next().ok_or_else(other_form)?)
            }
            (Self::Variants { tags, variants }, Vector::Union(union)) => variants_of(tags, variants, union),
            (Self::Never(_), _) => Err(Error::value("keys of maps whose entries have no values")),
            _ => Err(other_form()),
        }
    }
}

/// `len` nulls of an optional.
fn nulls(item: &Shape, len: usize) -> Vector {
    Vector::Optional(Box::new(ListVector::new(Offsets::zeros(len), Vector::new(item))))
}

fn fields(parts: &[Part], record: RecordVector) -> Result<Vector> {
    let len = record.len;
    let mut own = record.fields;
    let mut fields = Vec::with_capacity(parts.len());
    for part in parts {
        fields.push(match part {
            Part::Of { at, name, conversion } => {
                let field = own.get_mut(*at).ok_or_else(other_form)?;
                let field = std::mem::replace(field, Vector::Null(0));
                conversion.apply(field).map_err(|error| error.in_field(name))?
            }
            Part::Absent(item) => nulls(item, len),
        });
    }
    Ok(RecordVector::new(len, fields).into())
}

/// The entries of a record are in the order of its fields.
fn entries(to: &Entries, record: RecordVector) -> Result<Vector> {
    let (len, names) = (record.len, to.fields.iter().map(|field| &field.name));
    let mut places = Vec::new();
    let mut sources = Vec::with_capacity(to.fields.len());
    for (number, (field, vector)) in to.fields.iter().zip(record.fields).enumerate() {
        let vector = match vector {
            Vector::Optional(list) if field.may_lack => {
                let rows = (0..len).filter_map(|row| Some((row, list.offsets.range(row)?.next()?)));
                places.extend(rows.map(|(row, at)| (row, (number, at))));
                list.item
            }
            vector => {
                places.extend((0..len).map(|row| (row, (number, row))));
                vector
            }
        };
        sources.push(field.conversion.apply(vector).map_err(|error| error.in_field(&field.name))?);
    }
    // Fields stay in their order within a row.
    sort::by_key(&mut places, |(row, _)| *row as u64);
    let (names, mut keys): (Vec<&Name>, _) = (names.collect(), Strings::default());
    let (mut offsets, mut picks) = (Offsets::default(), Vec::with_capacity(places.len()));
    let mut places = places.into_iter().peekable();
    for row in 0..len {
        while let Some((_, pick)) = places.next_if(|(own, _)| *own == row) {
            let name = names.get(pick.0).ok_or_else(other_form)?;
            if !keys.push(name) {
                return Err(Error::value("the keys of maps pass 4 GiB"));
            }
            picks.push(pick);
        }
        if !offsets.push_end(picks.len()) {
            return Err(Error::value("the entries of maps pass 2³²"));
        }
    }
    let form = Vector::new(&to.value);
    let sources: Vec<&Vector> = sources.iter().collect();
    let value = crate::vector::gather::gather(&form, &sources, &picks).ok_or_else(other_form)?;
    Ok(Vector::Map(Box::new(MapVector { offsets, key: to.key.apply(Vector::String(keys))?, value })))
}

/// Several variants may become one: its values are in the order of the entries.
fn variants_of(tags: &[(u16, Conversion)], variants: &[Shape], union: UnionVector) -> Result<Vector> {
    let mut converted = Vec::with_capacity(tags.len());
    for ((_, conversion), values) in tags.iter().zip(union.variants) {
        converted.push(conversion.apply(values)?);
    }
    let mut picks: Vec<Vec<(usize, usize)>> = vec![Vec::new(); variants.len()];
    let mut all = Vec::with_capacity(union.tags.len());
    for (own, position) in union.tags.iter().zip(&union.positions) {
        let (tag, _) = tags.get(usize::from(*own)).ok_or_else(other_form)?;
        picks
            .get_mut(usize::from(*tag))
            .ok_or_else(other_form)?
            .push((usize::from(*own), *position as usize));
        all.push(*tag);
    }
    let mut values = Vec::with_capacity(variants.len());
    for (number, (shape, picks)) in (0u16..).zip(variants.iter().zip(picks)) {
        let mut sources = (0..).zip(tags).filter(|(_, (tag, _))| *tag == number).map(|(own, _)| own);
        values.push(match (sources.next(), sources.next()) {
            (None, _) => Vector::new(shape),
            // All of its values, in their order already.
            (Some(own), None) => {
                std::mem::replace(converted.get_mut::<usize>(own).ok_or_else(other_form)?, Vector::Null(0))
            }
            _ => gathered(shape, &converted, &picks)?,
        });
    }
    Ok(UnionVector::new(all, values).into())
}

fn gathered(shape: &Shape, converted: &[Vector], picks: &[(usize, usize)]) -> Result<Vector> {
    let form = Vector::new(shape);
    // Vectors of other variants have another form, and no picks.
    let sources: Vec<&Vector> = converted
        .iter()
        .enumerate()
        .map(|(number, vector)| if picks.iter().any(|(own, _)| *own == number) { vector } else { &form })
        .collect();
    crate::vector::gather::gather(&form, &sources, picks).ok_or_else(other_form)
}

#[cold]
fn other_form() -> Error {
    Error::internal("values do not have the form of their shape")
}
