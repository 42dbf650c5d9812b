//! The shape of the rows of an Arrow schema.

use super::{AVRO_SCHEMA, is_null_variant, leaf, to_arrow};
use crate::error::{Error, Result};
use arrow_schema::{DataType, Field, Fields, Schema, UnionFields};
use std::collections::HashSet;
use trevni::Shape;
use trevni::shape::{FieldShape, Form, MAX_DEPTH, MapShape, RecordShape};

/// The name of the record of the rows.
const ROW: &str = "Row";

/// The shape of rows that are stored for an Arrow schema: what its `avro.schema` says, where the types are those
/// that such rows have in Arrow; otherwise what follows from the types.
///
/// ```
/// use arrow_schema::{DataType, Field, Schema};
/// use trevni::Shape;
///
/// let schema = Schema::new(vec![Field::new("id", DataType::UInt8, false), Field::new("name", DataType::Utf8View, true)]);
/// let shape = trevni_arrow::shape_of_schema(&schema)?;
/// assert_eq!(shape, Shape::record("Row", [("id", Shape::Int), ("name", Shape::optional(Shape::String))]));
/// # Ok::<(), trevni_arrow::Error>(())
/// ```
///
/// # Errors
///
/// Two fields of one name in a struct, types that are nested too deep, and types that `docs/arrow.md` says cannot
/// be carried; with the field.
pub fn shape_of_schema(schema: &Schema) -> Result<Shape> {
    let given = schema.metadata().get(AVRO_SCHEMA).and_then(|text| Shape::from_avro(text).ok());
    if let Some(shape) = given
        && to_arrow::fits(schema.fields(), &shape)
    {
        return Ok(shape);
    }
    let fields = fields(schema.fields(), 1)?;
    Ok(Shape::Record(RecordShape::new(ROW, fields)))
}

fn fields(fields: &Fields, depth: usize) -> Result<Vec<FieldShape>> {
    let mut names = HashSet::with_capacity(fields.len());
    let shape = |field: &Field| {
        let name = field.name();
        if !names.insert(name.clone()) {
            return Err(Error::schema("two fields have this name").in_field(name));
        }
        let shape = of_field(field, depth + 1).map_err(|error| error.in_field(name))?;
        Ok(FieldShape::new(name.clone(), shape))
    };
    fields.iter().map(AsRef::as_ref).map(shape).collect()
}

/// The shape of a field, optional where it can be null.
fn of_field(field: &Field, depth: usize) -> Result<Shape> {
    if depth > MAX_DEPTH {
        return Err(Error::unsupported(field.data_type(), "it is nested too deep"));
    }
    match field.data_type() {
        DataType::Dictionary(_, values) => {
            if matches!(**values, DataType::Union(..)) {
                let why = "values of a dictionary need nulls of their own";
                return Err(Error::unsupported(field.data_type(), why));
            }
            of_field(&field.clone().with_data_type(DataType::clone(values)), depth + 1)
        }
        DataType::RunEndEncoded(_, values) => {
            let values = Field::clone(values).with_name(field.name());
            let is_nullable = values.is_nullable() || field.is_nullable();
            of_field(&values.with_nullable(is_nullable), depth + 1)
        }
        DataType::Null => Ok(Shape::Null),
        DataType::Union(variants, _) => union(field.name(), variants, depth),
        _ if field.is_nullable() => Ok(Shape::optional(value(field, depth + 1)?)),
        _ => value(field, depth),
    }
}

fn value(field: &Field, depth: usize) -> Result<Shape> {
    let (name, data_type) = (field.name(), field.data_type());
    if let Some(leaf) = leaf::from_arrow(data_type, name, field.metadata())? {
        return Ok(leaf);
    }
    match data_type {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _) => {
            // A list's items are named after the list.
            let item = Field::clone(item).with_name(name);
            Ok(Shape::list(of_field(&item, depth + 1)?))
        }
        DataType::Struct(members) => {
            Ok(Shape::Record(RecordShape::new(name.clone(), fields(members, depth)?)))
        }
        DataType::Map(entries, _) => {
            let DataType::Struct(entry) = entries.data_type() else {
                return Err(Error::unsupported(data_type, "its entries are not structs"));
            };
            let [key, value] = &entry[..] else {
                return Err(Error::unsupported(data_type, "its entries have not two fields"));
            };
            let key = of_field(key, depth + 1).map_err(|error| error.in_field("key"))?;
            let value = of_field(value, depth + 1).map_err(|error| error.in_field("value"))?;
            Ok(Shape::Map(Box::new(MapShape::new(key, value))))
        }
        _ => Err(Error::unsupported(data_type, "this crate does not know it")),
    }
}

/// A union: of Avro's types, where its fields are named after them; otherwise an enum with a variant for each.
fn union(name: &str, variants: &UnionFields, depth: usize) -> Result<Shape> {
    let null = variants.iter().position(|(_, field)| is_null_variant(field)).filter(|_| variants.len() > 1);
    let others = variants.iter().enumerate().filter(|(index, _)| Some(*index) != null);
    let mut shapes = Vec::with_capacity(variants.len());
    for (_, (_, field)) in others {
        let shape = of_field(field, depth + 2).map_err(|error| error.in_field(field.name()))?;
        shapes.push((field.name(), shape));
    }
    let is_branch = |(field, shape): &(&String, Shape)| {
        let is_variant = matches!(shape, Shape::Null | Shape::Optional(_) | Shape::Union(_));
        !is_variant && shape.branch_name() == ***field
    };
    let names: HashSet<&String> = shapes.iter().map(|(name, _)| *name).collect();
    let is_avro = names.len() == shapes.len() && shapes.len() > 1 && shapes.iter().all(is_branch);
    let shapes: Vec<Shape> = match is_avro {
        true => shapes.into_iter().map(|(_, shape)| shape).collect(),
        false => wrapped(name, shapes),
    };
    let union = match <[Shape; 1]>::try_from(shapes) {
        Ok([variant]) => variant,
        Err(variants) if variants.is_empty() => return Err(Error::schema("a union without variants")),
        Err(variants) => Shape::Union(variants),
    };
    Ok(if null.is_some() { Shape::optional(union) } else { union })
}

/// Variants that hold one value each, with names that differ.
fn wrapped(union: &str, variants: Vec<(&String, Shape)>) -> Vec<Shape> {
    let mut taken: HashSet<String> = variants.iter().map(|(name, _)| String::clone(name)).collect();
    let mut seen = HashSet::new();
    let mut unique = |name: &String| {
        if seen.insert(name.clone()) {
            return name.clone();
        }
        let mut names = (2..).map(|number| format!("{name}_{number}"));
        names.find(|name| taken.insert(name.clone())).unwrap_or_default()
    };
    let wrap = |(name, shape): (&String, Shape)| {
        let record = RecordShape::new(unique(name), vec![FieldShape::new("_0", shape)]);
        Shape::Record(record.with_form(Form::NewtypeVariant).with_namespace(union.to_owned()))
    };
    variants.into_iter().map(wrap).collect()
}
