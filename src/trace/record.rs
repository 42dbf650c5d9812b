//! The fields of structs and tuples, in the order in which they are given.

use super::node::Node;
use crate::error::Result;
use crate::shape::{FieldShape, Form, Name, RecordShape, tuple_field};

/// A struct, a tuple or the content of a variant.
#[derive(Debug)]
pub(super) struct Record {
    name: &'static str,
    form: Form,
    pub(super) fields: Vec<Field>,
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: Name,
    pub(super) node: Node,
    /// Whether this is another name of a field.
    pub(super) alias: bool,
    /// Whether it comes before others, so that these show as its aliases.
    pub(super) first: bool,
    /// Whether its value was refused, so that it comes after all others.
    pub(super) refused: bool,
}

impl Record {
    pub(super) fn new(name: &'static str, form: Form, names: impl Iterator<Item = Name>) -> Self {
        let field = |name| Field { name, node: Node::Unseen, alias: false, first: false, refused: false };
        Self { name, form, fields: names.map(field).collect() }
    }

    pub(super) fn of_struct(name: &'static str, form: Form, fields: &'static [&'static str]) -> Self {
        Self::new(name, form, fields.iter().map(|name| Name::Borrowed(name)))
    }

    pub(super) fn of_tuple(name: &'static str, form: Form, len: usize) -> Self {
        Self::new(name, form, (0..len).map(tuple_field))
    }

    /// Numbers of the fields in the order to give them: what has not been seen comes early, what was refused late.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.fields.len()).collect();
        order.retain(|number| self.fields.get(*number).is_some_and(|field| !field.alias));
        order.sort_by_key(|number| {
            let field = self.fields.get(*number);
            field.map(|field| (field.refused, !field.first, field.refused && field.node.is_complete()))
        });
        order
    }

    pub(super) fn is_complete(&self) -> bool {
        self.fields.iter().all(|field| field.alias || field.node.is_complete())
    }

    /// A field that has not been seen in full.
    pub(super) fn hole(&self) -> Option<(&Name, &Node)> {
        let hole = self.fields.iter().find(|field| !field.alias && !field.node.is_complete());
        hole.map(|field| (&field.name, &field.node))
    }

    pub(super) fn shape(&self) -> Result<RecordShape> {
        let fields = self.fields.iter().filter(|field| !field.alias).map(|field| {
            let shape = field.node.shape().map_err(|error| error.in_field(&field.name))?;
            Ok(FieldShape::new(field.name.clone(), shape))
        });
        Ok(RecordShape::new(self.name, fields.collect::<Result<_>>()?).with_form(self.form))
    }
}
