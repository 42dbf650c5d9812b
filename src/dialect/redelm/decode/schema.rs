//! The shape of the rows of a file, and the columns of its nodes.

use super::super::leaves;
use super::file::{Column, File};
use super::footer::Header;
use crate::dialect::FileSchema;
use crate::dialect::dremel::{self, Content};
use crate::dialect::schema::{Schema, Slots};
use crate::error::Result;
use crate::metadata;
use crate::schema::avro;
use crate::schema::message::{Message, Repetition};
use crate::shape::Shape;
use crate::shape::branch::Branches;
use crate::tree::Leaf;

/// The rows of a file.
pub(super) struct Described {
    pub(super) schema: Schema,
    pub(super) columns: Vec<Column>,
}

impl Described {
    /// The rows as the file's own schema describes them, if it has one that is of the same fields as the message;
    /// else as the message does.
    pub(super) fn from_header(header: &Header) -> Result<Self> {
        let text = header.metadata.get_str(metadata::SCHEMA);
        let own = text.and_then(|text| avro::parse_within(text, avro::most_nodes_alone(text)).ok());
        let own = own.filter(|own| Message::from_shape(&own.shape) == header.message);
        match own {
            Some(avro::Parsed { shape, unseen }) => {
                let kind = header.metadata.get_str(metadata::SCHEMA_KIND);
                let derived = kind == Some(metadata::DERIVED);
                let branches = if derived { Branches::Kinds } else { Branches::Variants };
                let described = Self::from_shape(shape, branches, &header.leaves)?;
                Ok(Self { schema: described.schema.with_unseen(unseen), ..described })
            }
            None => Self::from_message(header),
        }
    }

    /// The rows as the message alone describes them.
    fn from_message(header: &Header) -> Result<Self> {
        Self::from_shape(checked_shape(header)?, Branches::Variants, &header.leaves)
    }

    fn from_shape(shape: Shape, branches: Branches, leaves: &[leaves::Leaf]) -> Result<Self> {
        let (slots, nothing) = slots(&shape)?;
        let both = leaves.iter().zip(nothing);
        let columns = both.map(|(leaf, nothing)| Column::new(leaf.clone(), nothing)).collect();
        Ok(Self { schema: Schema::new(shape, slots, branches), columns })
    }
}

impl FileSchema for File<'_> {
    fn schema(&self) -> Result<Schema> {
        Ok(self.schema.clone())
    }

    fn untyped_schema(&self) -> Result<Schema> {
        let mut shape = checked_shape(&self.header)?;
        clear_nothing(&mut shape, &mut self.columns.iter().map(|column| column.is_nothing));
        let (slots, _) = slots(&shape)?;
        Ok(Schema::new(shape, slots, Branches::Variants))
    }

    fn column_schema(&self, number: usize) -> Result<Schema> {
        let column = self.column(number)?;
        let mut shape = match column.is_nothing {
            true => Shape::Null,
            false => column.leaf.primitive.shape(),
        };
        let mut nodes = 1;
        for (at, field) in self.fields(number).into_iter().rev().enumerate() {
            shape = match field.repetition {
                Repetition::Optional if at == 0 && column.is_nothing => continue,
                Repetition::Required => continue,
                Repetition::Optional => Shape::optional(shape),
                Repetition::Repeated => Shape::List(Box::new(shape)),
            };
            nodes += 1;
        }
        let mut slots = Slots::default();
        (0..nodes).for_each(|_| slots.push(Some(number), None));
        Ok(Schema::new(shape, slots, Branches::Variants))
    }
}

fn checked_shape(header: &Header) -> Result<Shape> {
    let shape = header.message.clone().into_shape();
    shape.check()?;
    Ok(shape)
}

/// Makes nulls of the leaves that hold nothing.
fn clear_nothing(shape: &mut Shape, nothing: &mut impl Iterator<Item = bool>) {
    match shape {
        Shape::Record(record) => {
            record.fields.iter_mut().for_each(|field| clear_nothing(&mut field.shape, nothing))
        }
        Shape::List(item) => clear_nothing(item, nothing),
        Shape::Optional(optional) if optional.item == Shape::Boolean => {
            if nothing.next() == Some(true) {
                *shape = Shape::Null;
            }
        }
        Shape::Optional(optional) => clear_nothing(&mut optional.item, nothing),
        _ => drop(nothing.next()),
    }
}

/// The columns of the nodes of a shape, and for each column whether it holds nothing.
fn slots(shape: &Shape) -> Result<(Slots, Vec<bool>)> {
    let fields = dremel::Fields::from_shape(shape, &|_, _| None)?;
    let (numbers, nothing) = column_numbers(&fields);
    let slots = fields.slots(|field| numbers.get(field).copied().flatten());
    Ok((slots, nothing))
}

/// For each field its column, if it has one, and for each column whether it holds nothing. A field without others in it
/// has one.
pub(in super::super) fn column_numbers(fields: &dremel::Fields) -> (Vec<Option<usize>>, Vec<bool>) {
    if fields.list.is_empty() {
        return (Vec::new(), vec![true]);
    }
    let mut nothing = Vec::new();
    let mut numbers = Vec::with_capacity(fields.list.len());
    for field in &fields.list {
        numbers.push((field.span == 1).then_some(nothing.len()));
        if field.span == 1 {
            nothing.push(match field.content {
                Content::Leaf(leaf) => leaf == Leaf::Null,
                Content::Record | Content::Group => true,
            });
        }
    }
    (numbers, nothing)
}
