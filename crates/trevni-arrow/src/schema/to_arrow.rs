//! The Arrow schema of the rows of a shape, or the one they had before they were stored.

use super::leaf;
use super::{AVRO_SCHEMA, NULL, SOME, VALUE, held, is_null_variant, variants};
use crate::error::{Error, Result};
use arrow_schema::extension::EXTENSION_TYPE_NAME_KEY;
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema, UnionFields, UnionMode};
use std::collections::HashMap;
use std::sync::Arc;
use trevni::Shape;
use trevni::shape::{Form, MapShape};

/// The Arrow schema of rows of a shape; its metadata has the Avro schema, from which the shape comes back.
///
/// ```
/// use arrow_schema::DataType;
/// use trevni::Shape;
///
/// let shape = Shape::record("Row", [("id", Shape::Int), ("name", Shape::optional(Shape::String))]);
/// let schema = trevni_arrow::schema_of_shape(&shape)?;
/// assert_eq!(schema.field(0).data_type(), &DataType::Int32);
/// assert!(schema.field(1).is_nullable());
/// assert_eq!(trevni_arrow::shape_of_schema(&schema)?, shape);
/// # Ok::<(), trevni_arrow::Error>(())
/// ```
///
/// # Errors
///
/// A union of more than 127 variants.
pub fn schema_of_shape(shape: &Shape) -> Result<Schema> {
    let metadata = HashMap::from([(AVRO_SCHEMA.to_owned(), shape.to_avro())]);
    Ok(Schema::new_with_metadata(columns(shape, None)?, metadata))
}

/// The columns of rows of a shape. Where a type of `known` holds the same values, it is that one.
pub(crate) fn columns(shape: &Shape, known: Option<&Fields>) -> Result<Fields> {
    match shape {
        Shape::Record(record) => {
            members(record.fields.iter().map(|field| (&*field.name, &field.shape)), known)
        }
        other => {
            let known = known.filter(|fields| fields.len() == 1);
            members([(VALUE, other)].into_iter(), known)
        }
    }
}

/// Whether columns hold just the values of rows of this shape.
pub(crate) fn fits(fields: &Fields, shape: &Shape) -> bool {
    columns(shape, Some(fields)).is_ok_and(|columns| columns == *fields)
}

fn members<'s>(fields: impl Iterator<Item = (&'s str, &'s Shape)>, known: Option<&Fields>) -> Result<Fields> {
    let by_name: HashMap<&str, &FieldRef> =
        known.into_iter().flatten().map(|field| (field.name().as_str(), field)).collect();
    let member = |(name, shape): (&str, &Shape)| {
        field(name, shape, by_name.get(name).map(|field| &***field)).map_err(|error| error.in_field(name))
    };
    fields.map(member).collect()
}

/// A field for values of a shape: the known one, where it holds them.
fn field(name: &str, shape: &Shape, known: Option<&Field>) -> Result<Field> {
    if let Some(known) = known
        && let Some(data_type) = adapted(known, known.data_type(), known.is_nullable(), shape)?
    {
        return Ok(known.clone().with_data_type(data_type));
    }
    let (shape, is_nullable) = match shape {
        Shape::Optional(optional) => match &optional.item {
            // Which of the two is null is told apart.
            Shape::Optional(_) | Shape::Null | Shape::Unknown => {
                let some = Fields::from(vec![field(SOME, &optional.item, None)?]);
                return Ok(Field::new(name, DataType::Struct(some), true));
            }
            Shape::Union(variants) => return Ok(Field::new(name, union(variants, true)?, true)),
            item => (item, true),
        },
        Shape::Null | Shape::Unknown => (shape, true),
        // The values of a variant may be null.
        Shape::Union(variants) => {
            let is_nullable = |variant| matches!(held(variant), Shape::Optional(_) | Shape::Null);
            (shape, variants.iter().any(is_nullable))
        }
        other => (other, false),
    };
    let made = Field::new(name, value(shape)?, is_nullable);
    let extension = match (shape, made.data_type()) {
        (Shape::Logical(logical), DataType::FixedSizeBinary(_)) => leaf::extension(&logical.logical),
        _ => None,
    };
    Ok(match extension {
        Some(name) => made.with_metadata(HashMap::from([(EXTENSION_TYPE_NAME_KEY.to_owned(), name)])),
        None => made,
    })
}

fn value(shape: &Shape) -> Result<DataType> {
    if let Some(data_type) = leaf::to_arrow(shape) {
        return Ok(data_type);
    }
    match shape {
        Shape::Record(record) => {
            let fields = record.fields.iter().map(|field| (&*field.name, &field.shape));
            Ok(DataType::Struct(members(fields, None)?))
        }
        Shape::List(item) => Ok(DataType::List(Arc::new(field("item", item, None)?))),
        Shape::Map(map) => {
            let entry = entry(map, None)?;
            Ok(DataType::Map(Arc::new(Field::new("entries", DataType::Struct(entry), false)), false))
        }
        Shape::Union(variants) => union(variants, false),
        _ => Err(Error::internal("a shape without a type")),
    }
}

fn entry(map: &MapShape, known: Option<&Fields>) -> Result<Fields> {
    let part = |name, shape, index: usize| {
        let known = known.and_then(|fields| fields.get(index)).map(AsRef::as_ref);
        field(name, shape, known).map_err(|error| error.in_field(name))
    };
    Ok(Fields::from(vec![part("key", &map.key, 0)?, part("value", &map.value, 1)?]))
}

/// The name of a variant.
fn variant_name(variant: &Shape) -> String {
    match variant {
        Shape::Record(record) if record.form == Form::NewtypeVariant => record.name.to_string(),
        other => other.branch_name().into_owned(),
    }
}

fn union(variants: &[Shape], is_optional: bool) -> Result<DataType> {
    let null = is_optional.then(|| Ok(Field::new(NULL, DataType::Null, true)));
    let variant = |shape: &Shape| {
        let name = variant_name(shape);
        field(&name, held(shape), None).map_err(|error| error.in_field(&name))
    };
    let fields = null.into_iter().chain(variants.iter().map(variant)).collect::<Result<Vec<_>>>()?;
    if fields.len() > 127 {
        return Err(Error::too_many("the variants of a union", 127));
    }
    Ok(DataType::Union(UnionFields::from_fields(fields), UnionMode::Dense))
}

/// The known type for the values of a shape, with those fields of structs that the shape has; `None` where it does not
/// hold such values.
fn adapted(
    field: &Field,
    data_type: &DataType,
    is_nullable: bool,
    shape: &Shape,
) -> Result<Option<DataType>> {
    match (data_type, shape) {
        (DataType::Dictionary(_, values), _) => {
            let is_plain = !matches!(**values, DataType::Union(..));
            let inner = adapted(field, values, is_nullable, shape)?;
            let same = is_plain && inner.is_some_and(|inner| inner == **values);
            Ok(same.then(|| data_type.clone()))
        }
        (DataType::RunEndEncoded(ends, values), _) => {
            let is_nullable = is_nullable || values.is_nullable();
            let inner = adapted(values, values.data_type(), is_nullable, shape)?;
            Ok(inner.map(|inner| {
                DataType::RunEndEncoded(
                    Arc::clone(ends),
                    Arc::new(Field::clone(values).with_data_type(inner)),
                )
            }))
        }
        (DataType::Union(fields, mode), shape) => {
            let (shape, is_optional) = match shape {
                Shape::Optional(optional) => (&optional.item, true),
                shape => (shape, false),
            };
            match variants(shape) {
                Some(variants) => variants_of(fields, *mode, variants, is_optional),
                None => Ok(None),
            }
        }
        (_, Shape::Optional(optional)) if is_nullable => match (&optional.item, data_type) {
            (item @ (Shape::Optional(_) | Shape::Null | Shape::Unknown), DataType::Struct(fields)) => {
                let [some] = &fields[..] else { return Ok(None) };
                if some.name() != SOME {
                    return Ok(None);
                }
                let some = adapted(some, some.data_type(), some.is_nullable(), item)?
                    .map(|data_type| Field::clone(some).with_data_type(data_type));
                Ok(some.map(|some| DataType::Struct(Fields::from(vec![some]))))
            }
            (Shape::Optional(_) | Shape::Null | Shape::Unknown | Shape::Union(_), _) => Ok(None),
            (item, data_type) => adapted_value(field, data_type, item),
        },
        (DataType::Null, Shape::Null | Shape::Unknown) => Ok(Some(DataType::Null)),
        _ if is_nullable => Ok(None),
        _ => adapted_value(field, data_type, shape),
    }
}

fn adapted_value(outer: &Field, data_type: &DataType, shape: &Shape) -> Result<Option<DataType>> {
    let item = |known: &FieldRef, shape| Ok::<_, Error>(Arc::new(field(known.name(), shape, Some(known))?));
    Ok(Some(match (data_type, shape) {
        (DataType::Struct(fields), Shape::Record(record)) => {
            let parts = record.fields.iter().map(|field| (&*field.name, &field.shape));
            DataType::Struct(members(parts, Some(fields))?)
        }
        (DataType::List(known), Shape::List(shape)) => DataType::List(item(known, shape)?),
        (DataType::LargeList(known), Shape::List(shape)) => DataType::LargeList(item(known, shape)?),
        (DataType::ListView(known), Shape::List(shape)) => DataType::ListView(item(known, shape)?),
        (DataType::LargeListView(known), Shape::List(shape)) => DataType::LargeListView(item(known, shape)?),
        (DataType::FixedSizeList(known, size), Shape::List(shape)) => {
            DataType::FixedSizeList(item(known, shape)?, *size)
        }
        (DataType::Map(entries, ordered), Shape::Map(map)) => match entries.data_type() {
            DataType::Struct(fields) if fields.len() == 2 => {
                let fields = entry(map, Some(fields))?;
                let entries = Field::clone(entries).with_data_type(DataType::Struct(fields));
                DataType::Map(Arc::new(entries), *ordered)
            }
            _ => return Ok(None),
        },
        (_, shape) if leaf::fits(data_type, outer.metadata(), shape) => data_type.clone(),
        _ => return Ok(None),
    }))
}

fn variants_of(
    fields: &UnionFields,
    mode: UnionMode,
    variants: &[Shape],
    is_optional: bool,
) -> Result<Option<DataType>> {
    let null = fields.iter().position(|(_, field)| is_null_variant(field)).filter(|_| is_optional);
    if null.is_some() != is_optional || fields.len() != variants.len() + usize::from(is_optional) {
        return Ok(None);
    }
    let mut shapes = variants.iter();
    let mut made = Vec::with_capacity(fields.len());
    for (index, (id, known)) in fields.iter().enumerate() {
        match shapes.as_slice().first() {
            _ if Some(index) == null => made.push((id, Arc::clone(known))),
            Some(shape) => {
                made.push((id, Arc::new(field(known.name(), held(shape), Some(known))?)));
                shapes.next();
            }
            None => return Ok(None),
        }
    }
    let (ids, made): (Vec<i8>, Vec<FieldRef>) = made.into_iter().unzip();
    Ok(Some(DataType::Union(UnionFields::try_new(ids, made)?, mode)))
}
