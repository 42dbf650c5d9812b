//! A shape for columns that have no schema.

use super::columns::{ColumnSpec, Layout};
use super::names::Taken;
use crate::shape::{FieldShape, Form, MAX_DEPTH, Name, RecordShape, Shape};
use crate::storage::value_type::ValueType;
use crate::{Error, ErrorKind, Result};

/// Name of the field that holds the values of a column that is also a parent.
const VALUE: &str = "value$";

/// The shape that columns have by themselves: roots are fields, array columns lists, parents lists
/// of records of their children. Names lose the name of their parent in front.
///
/// # Errors
///
/// Parents nested deeper than [`MAX_DEPTH`].
pub(crate) fn shape(columns: &[ColumnSpec<&str>]) -> Result<(Shape, Layout)> {
    let mut children = vec![Vec::new(); columns.len()];
    let mut roots = Vec::new();
    let mut depths = vec![1usize; columns.len()];
    for (number, column) in columns.iter().enumerate() {
        match column.parent {
            Some(parent) => {
                let depth = depths.get(parent).copied().unwrap_or_default() + 2;
                if depth >= MAX_DEPTH {
                    return Err(ErrorKind::TooDeep { limit: MAX_DEPTH }.into());
                }
                if let (Some(siblings), Some(own)) = (children.get_mut(parent), depths.get_mut(number)) {
                    siblings.push(number);
                    *own = depth;
                }
            }
            None => roots.push(number),
        }
    }
    Tree { columns, children: &children }.record(&roots, None)
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
) -> Result<(Shape, Layout)> {
    let spec = column(number)?;
    let simple = simple(spec.value_type);
    let (mut shape, mut layout) = match spec.array {
        true => (Shape::List(Box::new(simple)), Layout::Array { column: number, item: None }),
        false => (simple, Layout::Leaf(number)),
    };
    let (mut parent, mut depth) = (spec.parent, 2);
    while let Some(number) = parent {
        depth += 1;
        if depth > MAX_DEPTH {
            return Err(ErrorKind::TooDeep { limit: MAX_DEPTH }.into());
        }
        shape = Shape::List(Box::new(shape));
        layout = Layout::Array { column: number, item: Some(Box::new(layout)) };
        parent = column(number)?.parent;
    }
    Ok((shape, layout))
}

struct Tree<'a> {
    columns: &'a [ColumnSpec<&'a str>],
    children: &'a [Vec<usize>],
}

impl Tree<'_> {
    fn column(&self, number: usize) -> Result<&ColumnSpec<&str>> {
        self.columns.get(number).ok_or_else(|| Error::metadata(format!("no column {number}")))
    }

    /// A record of columns; the first field are the parent's own values, if it has some.
    fn record(&self, numbers: &[usize], parent: Option<&ColumnSpec<&str>>) -> Result<(Shape, Layout)> {
        let mut fields = Vec::new();
        let mut layouts = Vec::new();
        let mut taken = Taken::default();
        if let Some(own) = parent.filter(|parent| parent.value_type != ValueType::Null) {
            let name = Name::Owned(taken.free(VALUE));
            fields.push(FieldShape { name, shape: simple(own.value_type) });
            layouts.push(Layout::Own);
        }
        for &number in numbers {
            let column = self.column(number)?;
            let base = short_name(column.name, parent.map(|parent| parent.name));
            let name = taken.free(base);
            let (shape, layout) = self.node(number, column)?;
            fields.push(FieldShape { name: Name::Owned(name), shape });
            layouts.push(layout);
        }
        let name = Name::Borrowed("");
        let record = RecordShape { namespace: name.clone(), name, form: Form::Struct, fields };
        Ok((Shape::Record(record), Layout::Record(layouts)))
    }

    fn node(&self, number: usize, column: &ColumnSpec<&str>) -> Result<(Shape, Layout)> {
        if !column.array {
            return Ok((simple(column.value_type), Layout::Leaf(number)));
        }
        let children = self.children.get(number).map(Vec::as_slice).unwrap_or_default();
        if children.is_empty() {
            let shape = Shape::List(Box::new(simple(column.value_type)));
            return Ok((shape, Layout::Array { column: number, item: None }));
        }
        let (item, layout) = self.record(children, Some(column))?;
        let layout = Layout::Array { column: number, item: Some(Box::new(layout)) };
        Ok((Shape::List(Box::new(item)), layout))
    }
}

/// The shape of a column's values.
pub(crate) fn simple(value_type: ValueType) -> Shape {
    match value_type {
        ValueType::Null => Shape::Null,
        ValueType::Boolean => Shape::Boolean,
        ValueType::Int | ValueType::Fixed32 => Shape::Int,
        ValueType::Long | ValueType::Fixed64 => Shape::Long,
        ValueType::Float => Shape::Float,
        ValueType::Double => Shape::Double,
        ValueType::String => Shape::String,
        ValueType::Bytes => Shape::Bytes,
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
