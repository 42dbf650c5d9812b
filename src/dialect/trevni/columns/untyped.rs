//! A shape for columns that have no schema.

use super::ColumnSpec;
use crate::dialect::schema::Slots;
use crate::error::{Error, ErrorKind, Result};
use crate::schema::names::Taken;
use crate::shape::{FieldShape, Form, MAX_DEPTH, Name, RecordShape, Shape};
use crate::storage::value_type::ValueType;

/// Name of the field that holds the values of a column that is also a parent.
const VALUE: &str = "value$";

/// The shape that columns have by themselves: roots are fields, array columns lists, parents lists
/// of records of their children. Names lose the name of their parent in front.
///
/// # Errors
///
/// Parents nested deeper than [`MAX_DEPTH`].
pub(crate) fn shape(columns: &[ColumnSpec<&str>]) -> Result<(Shape, Slots)> {
    let mut children = vec![Vec::new(); columns.len()];
    let mut roots = Vec::new();
    let mut depths = vec![1usize; columns.len()];
    for (number, column) in columns.iter().enumerate() {
        match column.parent {
            Some(parent) => {
                // It comes before its column.
                let depth = depths[parent] + 2;
                if depth >= MAX_DEPTH {
                    return Err(ErrorKind::TooDeep { limit: MAX_DEPTH }.into());
                }
                children[parent].push(number);
                depths[number] = depth;
            }
            None => roots.push(number),
        }
    }
    let mut tree = Tree { columns, children: &children, slots: Slots::default() };
    let shape = tree.record(&roots, None)?;
    Ok((shape, tree.slots))
}

/// The shape of one column by itself: for each row a list for each array column around it, itself
/// included.
///
/// # Errors
///
/// A number that is not there, and parents nested deeper than [`MAX_DEPTH`].
pub(crate) fn single<'a>(
    number: usize,
    column: impl Fn(usize) -> Result<ColumnSpec<&'a str>>,
) -> Result<(Shape, Slots)> {
    let spec = column(number)?;
    let simple = simple(spec.value_type);
    let mut shape = if spec.array { Shape::List(Box::new(simple)) } else { simple };
    let mut columns = vec![number; 1 + usize::from(spec.array)];
    let (mut parent, mut depth) = (spec.parent, 2);
    while let Some(number) = parent {
        depth += 1;
        if depth > MAX_DEPTH {
            return Err(ErrorKind::TooDeep { limit: MAX_DEPTH }.into());
        }
        shape = Shape::List(Box::new(shape));
        columns.push(number);
        parent = column(number)?.parent;
    }
    let mut slots = Slots::default();
    columns.into_iter().rev().for_each(|column| slots.push(Some(column), None));
    Ok((shape, slots))
}

struct Tree<'a> {
    columns: &'a [ColumnSpec<&'a str>],
    children: &'a [Vec<usize>],
    /// The columns of the nodes so far.
    slots: Slots,
}

impl<'a> Tree<'a> {
    fn column(&self, number: usize) -> Result<&'a ColumnSpec<&'a str>> {
        self.columns.get(number).ok_or_else(|| Error::metadata(format!("no column {number}")))
    }

    /// A record of columns; the first field are the parent's own values, if it has some.
    fn record(&mut self, numbers: &[usize], parent: Option<usize>) -> Result<Shape> {
        self.slots.push(None, None);
        let parent = match parent {
            Some(number) => Some((number, self.column(number)?)),
            None => None,
        };
        let mut fields = Vec::new();
        let mut taken = Taken::default();
        if let Some((number, own)) = parent.filter(|(_, own)| own.value_type != ValueType::Null) {
            let name = Name::Owned(taken.free(VALUE));
            fields.push(FieldShape { name, shape: simple(own.value_type) });
            self.slots.push(Some(number), None);
        }
        for &number in numbers {
            let column = self.column(number)?;
            let name = taken.free(short_name(column.name, parent.map(|(_, parent)| parent.name)));
            let shape = self.node(number, column)?;
            fields.push(FieldShape { name: Name::Owned(name), shape });
        }
        let name = Name::Borrowed("");
        Ok(Shape::Record(RecordShape { namespace: name.clone(), name, form: Form::Struct, fields }))
    }

    fn node(&mut self, number: usize, column: &ColumnSpec<&str>) -> Result<Shape> {
        self.slots.push(Some(number), None);
        if !column.array {
            return Ok(simple(column.value_type));
        }
        let children = self.children[number].as_slice();
        if children.is_empty() {
            self.slots.push(Some(number), None);
            return Ok(Shape::List(Box::new(simple(column.value_type))));
        }
        Ok(Shape::List(Box::new(self.record(children, Some(number))?)))
    }
}

/// The shape of a column's values.
pub(crate) fn simple(value_type: ValueType) -> Shape {
    match value_type {
        ValueType::Null => Shape::Null,
        ValueType::Boolean => Shape::Boolean,
        ValueType::Int | ValueType::Fixed8 | ValueType::Fixed16 | ValueType::Fixed32 => Shape::Int,
        ValueType::Long | ValueType::Fixed64 => Shape::Long,
        ValueType::Float => Shape::Float,
        ValueType::Double => Shape::Double,
        ValueType::String => Shape::String,
        ValueType::Bytes | ValueType::Timestamp => Shape::Bytes,
    }
}

/// A name without that of the parent and the separator in front.
fn short_name<'a>(name: &'a str, parent: Option<&str>) -> &'a str {
    let Some(rest) = parent.and_then(|parent| name.strip_prefix(parent)) else {
        return name;
    };
    let separated = rest.strip_prefix(['.', '#', '/', ':']);
    let ends_open = parent.is_some_and(|parent| parent.ends_with(['>', ']']));
    match separated {
        Some(short) if !short.is_empty() => short,
        None if ends_open && !rest.is_empty() => rest,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_parents() {
        assert_eq!(short_name("received.date", Some("received")), "date");
        assert_eq!(short_name("a[]#f", Some("a[]")), "f");
        assert_eq!(short_name("m>key", Some("m>")), "key");
        assert_eq!(short_name("signature", Some("sig")), "signature");
        assert_eq!(short_name("algo", Some("sigs")), "algo");
        assert_eq!(short_name("a", Some("a")), "a");
    }
}
