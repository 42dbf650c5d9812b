//! The rows that the columns of a file hold: by its schema, by what the caller says, or by the columns alone.

use super::super::derive::{self, Spec};
use super::file::File;
use crate::dialect::FileSchema;
use crate::dialect::dremel::{Content, Fields};
use crate::dialect::schema::{Schema, Slots};
use crate::error::{Error, Result};
use crate::levels::Place;
use crate::metadata;
use crate::schema::avro;
use crate::schema::message::Repetition;
use crate::shape::Shape;
use crate::shape::branch::Branches;
use std::collections::HashMap;

impl FileSchema for File<'_> {
    fn schema(&self) -> Result<Schema> {
        match self.described()? {
            None => self.untyped_schema(),
            Some(avro::Parsed { shape, unseen }) => {
                let fields = self.fields(&shape)?;
                let columns = self.columns_of(&fields)?;
                let slots = fields.slots(|field| columns.get(field).copied().flatten());
                Ok(Schema::new(shape, slots, self.branches()).with_unseen(unseen))
            }
        }
    }

    fn untyped_schema(&self) -> Result<Schema> {
        let (shape, slots) = derive::shape(&self.header.specs())?;
        Ok(Schema::new(shape, slots, self.branches()))
    }

    fn column_schema(&self, number: usize) -> Result<Schema> {
        let column = self.column(number)?;
        let mut shape = derive::simple(column.value_type);
        let mut nodes = 1;
        if column.width.is_some() {
            shape = Shape::List(Box::new(shape));
            nodes += 1;
        }
        for repetition in self.around(number)? {
            shape = match repetition {
                Repetition::Required => continue,
                Repetition::Optional => Shape::optional(shape),
                Repetition::Repeated => Shape::List(Box::new(shape)),
            };
            nodes += 1;
        }
        let mut slots = Slots::default();
        (0..nodes).for_each(|_| slots.push(Some(number), None));
        Ok(Schema::new(shape, slots, self.branches()))
    }
}

impl File<'_> {
    /// How often the groups around a column are there, and it itself, innermost first.
    fn around(&self, number: usize) -> Result<Vec<Repetition>> {
        if let Some(described) = self.described()? {
            let fields = self.fields(&described.shape)?;
            let columns = self.columns_of(&fields)?;
            if let Some(field) = columns.iter().position(|column| *column == Some(number)) {
                let fields =
                    std::iter::successors(fields.list.get(field), |field| fields.list.get(field.parent?));
                return Ok(fields.map(|field| field.repetition).collect());
            }
        }
        let mut around = Vec::new();
        let mut next = Some(number);
        while let Some(number) = next {
            let column = self.column(number)?;
            let parent = match column.parent {
                Some(parent) => self.column(parent)?.greatest,
                None => Place::default(),
            };
            let repetition = derive::repetition(column.greatest, parent);
            around.push(repetition.ok_or_else(|| {
                Error::metadata("no field has these greatest levels; the shape of the rows must be given")
                    .in_column(&column.name)
            })?);
            next = column.parent;
        }
        Ok(around)
    }

    /// The rows as the caller or the file's schema describes them.
    fn described(&self) -> Result<Option<avro::Parsed>> {
        if let Some(shape) = &self.options.shape {
            return Ok(Some(avro::Parsed { shape: shape.clone(), unseen: Vec::new() }));
        }
        let Some(text) = self.header.entries().get(metadata::SCHEMA) else {
            return Ok(None);
        };
        let text = std::str::from_utf8(text).map_err(|_| Error::schema("not UTF-8"))?;
        let names = self.header.columns().iter().map(|column| column.name.as_str());
        avro::parse_within(text, avro::most_nodes(text, names)).map(Some)
    }

    /// The fields of a shape; arrays have the widths of their columns.
    fn fields(&self, shape: &Shape) -> Result<Fields> {
        let columns =
            self.header.columns().iter().filter_map(|column| Some((column.name.as_str(), column.width?)));
        let widths: HashMap<&str, usize> = columns.collect();
        Fields::from_shape(shape, &|_, name| widths.get(name).copied()).map(Fields::escaped)
    }

    /// The columns of fields; groups may have no columns.
    fn columns_of(&self, fields: &Fields) -> Result<Vec<Option<usize>>> {
        let specs = self.header.specs();
        let numbers: HashMap<&str, usize> =
            (0..).zip(&specs).map(|(number, spec)| (spec.name, number)).collect();
        let mut columns = Vec::with_capacity(fields.list.len());
        for (number, field) in fields.list.iter().enumerate() {
            let path = fields.path(number);
            let own = numbers.get(path.as_str()).copied();
            match (own.and_then(|number| specs.get(number)), field.content) {
                (Some(spec), content) => {
                    check(spec, content, field.greatest, field.width)
                        .map_err(|error| error.in_column(&path))?;
                }
                (None, Content::Record | Content::Group) if field.span > 1 => {}
                (None, _) => {
                    return Err(Error::schema(format!("there is no column {path:?}, which the schema has")));
                }
            }
            columns.push(own);
        }
        Ok(columns)
    }

    /// What an enum makes of the branches of unions: a schema that was derived from rows says so.
    fn branches(&self) -> Branches {
        match self.header.entries().get(metadata::SCHEMA_KIND) == Some(metadata::DERIVED.as_bytes()) {
            true => Branches::Kinds,
            false => Branches::Variants,
        }
    }
}

/// Checks that a column is what a field says.
fn check(spec: &Spec<'_>, content: Content, greatest: Place, width: Option<usize>) -> Result<()> {
    let wanted = match content {
        Content::Leaf(leaf) => leaf.value_type(),
        Content::Record | Content::Group => crate::storage::value_type::ValueType::Null,
    };
    if !spec.value_type.fits(wanted) {
        let found = spec.value_type;
        return Err(Error::metadata(format!("the column is of type {found}, the schema says {wanted}")));
    }
    if spec.greatest != greatest || spec.width != width {
        return Err(Error::metadata("the column has other greatest levels than the schema says"));
    }
    Ok(())
}
