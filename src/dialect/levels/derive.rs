//! The rows that columns have by themselves: names, parents and greatest levels give the whole schema.

use crate::dialect::dremel::TIMESTAMP;
use crate::dialect::schema::Slots;
use crate::error::{Error, ErrorKind, Result};
use crate::levels::Place;
use crate::schema::message::Repetition;
use crate::schema::names::Taken;
use crate::shape::{FieldShape, FixedShape, Form, MAX_DEPTH, Name, RecordShape, Shape};
use crate::storage::value_type::ValueType;
use crate::storage::values::TIMESTAMP_BYTES;

/// What a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spec<'n> {
    pub(super) name: &'n str,
    pub(super) value_type: ValueType,
    pub(super) greatest: Place,
    /// Number of the group's column, which comes before.
    pub(super) parent: Option<usize>,
    /// How many values each entry has, where it is a row of a matrix.
    pub(super) width: Option<usize>,
}

/// How often a field of these greatest levels is there in one of those; `None` where that cannot be.
pub(super) fn repetition(own: Place, parent: Place) -> Option<Repetition> {
    let more = |own: u8, parent: u8| own.checked_sub(parent);
    match (more(own.repetition, parent.repetition)?, more(own.definition, parent.definition)?) {
        (0, 0) => Some(Repetition::Required),
        (0, 1) => Some(Repetition::Optional),
        (1, 1) => Some(Repetition::Repeated),
        _ => None,
    }
}

/// The shape that columns have by themselves, and which of them hold each node.
///
/// # Errors
///
/// Levels that no required, optional or repeated field has, and groups that are nested too deep.
pub(super) fn shape(columns: &[Spec<'_>]) -> Result<(Shape, Slots)> {
    let mut children = vec![Vec::new(); columns.len()];
    let (mut roots, mut depths) = (Vec::new(), vec![1usize; columns.len()]);
    for (number, column) in columns.iter().enumerate() {
        // A parent comes before its column.
        let depth = column.parent.map_or(0, |parent| depths[parent]);
        if depth + 3 >= MAX_DEPTH {
            return Err(ErrorKind::TooDeep { limit: MAX_DEPTH }.into());
        }
        depths[number] = depth + 2;
        match column.parent {
            Some(parent) => children[parent].push(number),
            None => roots.push(number),
        }
    }
    let mut tree = Tree { columns, children: &children, slots: Slots::default() };
    tree.slots.push(None, None);
    let shape = tree.record(&roots, None)?;
    Ok((shape, tree.slots))
}

struct Tree<'a> {
    columns: &'a [Spec<'a>],
    children: &'a [Vec<usize>],
    /// The columns of the nodes so far.
    slots: Slots,
}

impl Tree<'_> {
    /// A record of columns.
    fn record(&mut self, numbers: &[usize], parent: Option<(&str, Place)>) -> Result<Shape> {
        let (mut fields, mut taken) = (Vec::new(), Taken::default());
        for (number, column) in
            numbers.iter().filter_map(|number| Some((*number, *self.columns.get(*number)?)))
        {
            let short = |parent: &str| column.name.strip_prefix(parent)?.strip_prefix('.');
            let short = parent.and_then(|(name, _)| short(name)).filter(|name| !name.is_empty());
            let name = Name::Owned(taken.free(short.unwrap_or(column.name)));
            let around = parent.map_or_else(Place::default, |(_, place)| place);
            let shape = self.field(number, &column, around)?;
            fields.push(FieldShape { name, shape });
        }
        Ok(record(fields))
    }

    fn field(&mut self, number: usize, column: &Spec<'_>, around: Place) -> Result<Shape> {
        let Some(repetition) = repetition(column.greatest, around) else {
            let Place { repetition, definition } = column.greatest;
            let message = format!(
                "no field of its parent has greatest levels {repetition} and {definition}; where groups have no columns, the shape of the rows must be given"
            );
            return Err(Error::metadata(message).in_column(column.name));
        };
        let own = |tree: &mut Self| tree.slots.push(Some(number), None);
        if repetition != Repetition::Required {
            own(self);
        }
        let children = self.children[number].as_slice();
        own(self);
        let content = match column.width {
            _ if !children.is_empty() => self.record(children, Some((column.name, column.greatest)))?,
            // A column of nulls is a group, here one without fields.
            None if column.value_type == ValueType::Null => record(Vec::new()),
            None => simple(column.value_type),
            Some(_) => {
                own(self);
                Shape::List(Box::new(simple(column.value_type)))
            }
        };
        Ok(match repetition {
            Repetition::Required => content,
            Repetition::Optional => Shape::optional(content),
            Repetition::Repeated => Shape::List(Box::new(content)),
        })
    }
}

fn record(fields: Vec<FieldShape>) -> Shape {
    let name = Name::Borrowed("");
    Shape::Record(RecordShape { namespace: name.clone(), name, form: Form::Struct, fields })
}

/// The shape of a column's values.
pub(super) fn simple(value_type: ValueType) -> Shape {
    match value_type {
        ValueType::Null => Shape::Null,
        ValueType::Boolean => Shape::Boolean,
        ValueType::Int | ValueType::Fixed8 | ValueType::Fixed16 | ValueType::Fixed32 => Shape::Int,
        ValueType::Long | ValueType::Fixed64 => Shape::Long,
        ValueType::Float => Shape::Float,
        ValueType::Double => Shape::Double,
        ValueType::String => Shape::String,
        ValueType::Bytes => Shape::Bytes,
        ValueType::Timestamp => Shape::Fixed(FixedShape {
            namespace: Name::Borrowed(""),
            name: Name::Borrowed(TIMESTAMP),
            size: TIMESTAMP_BYTES,
        }),
    }
}
