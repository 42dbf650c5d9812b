//! The fields of structs and tuples, in the order in which they are given.

use super::node::Node;
use crate::error::Result;
use crate::shape::{FieldShape, Form, Name, Null, OptionalShape, RecordShape, Shape, tuple_field};

/// A struct, a tuple or the content of a variant.
#[derive(Debug)]
pub(super) struct Record {
    name: &'static str,
    form: Form,
    pub(super) fields: Vec<Field>,
    /// Whether it is known which fields may be left out.
    pub(super) probed: bool,
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
    /// Whether it must be given.
    pub(super) required: bool,
}

impl Record {
    pub(super) fn new(name: &'static str, form: Form, names: impl Iterator<Item = Name>) -> Self {
        let field = |name| Field {
            name,
            node: Node::Unseen,
            alias: false,
            first: false,
            refused: false,
            required: form.is_tuple(),
        };
        Self { name, form, fields: names.map(field).collect(), probed: form.is_tuple() }
    }

    pub(super) fn from_struct(name: &'static str, form: Form, fields: &'static [&'static str]) -> Self {
        Self::new(name, form, fields.iter().map(|name| Name::Borrowed(name)))
    }

    pub(super) fn from_tuple(name: &'static str, form: Form, len: usize) -> Self {
        Self::new(name, form, (0..len).map(tuple_field))
    }

    /// Whether this is the record of a type of this name and these fields.
    pub(super) fn is_of(&self, name: &str, fields: &[&str]) -> bool {
        self.name == name && self.fields.iter().map(|field| &*field.name).eq(fields.iter().copied())
    }

    /// Whether all fields have been seen, but not yet which of them may be left out.
    pub(super) fn is_probing(&self) -> bool {
        !self.probed && self.is_seen()
    }

    /// Numbers of the fields in the order to give them: what has not been seen comes early, what was refused late.
    /// When all have been seen, only those that must be given.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.fields.len()).collect();
        let probing = self.is_probing();
        let is_given = |field: &Field| !field.alias && (!probing || field.required);
        order.retain(|number| self.fields.get(*number).is_some_and(is_given));
        order.sort_by_key(|number| {
            let field = self.fields.get(*number);
            field.map(|field| (field.refused, !field.first, field.refused && field.node.is_complete()))
        });
        order
    }

    pub(super) fn is_complete(&self) -> bool {
        self.probed && self.is_seen()
    }

    fn is_seen(&self) -> bool {
        self.fields.iter().all(|field| field.alias || field.node.is_complete())
    }

    /// Notes how a type took it that fields were left out: which one it must have, if any.
    pub(super) fn note_missing(&mut self, missing: Option<&str>) {
        let field = missing.and_then(|name| {
            self.fields.iter_mut().find(|field| !field.alias && field.name == name && !field.required)
        });
        match field {
            Some(field) => field.required = true,
            None => self.probed = true,
        }
    }

    /// Notes that it cannot be told which fields may be left out.
    pub(super) fn require_all(&mut self) {
        self.fields.iter_mut().for_each(|field| field.required = true);
        self.probed = true;
    }

    /// A field that has not been seen in full.
    pub(super) fn hole(&self) -> Option<(&Name, &Node)> {
        let hole = self.fields.iter().find(|field| !field.alias && !field.node.is_complete());
        hole.map(|field| (&field.name, &field.node))
    }

    pub(super) fn shape(&self) -> Result<RecordShape> {
        let fields = self.fields.iter().filter(|field| !field.alias).map(|field| {
            let mut shape = field.node.shape().map_err(|error| error.in_field(&field.name))?;
            // A null is as good for an option.
            if !field.required && !matches!(shape, Shape::Optional(_)) {
                shape = Shape::Optional(Box::new(OptionalShape::new(Null::Absent, shape)));
            }
            Ok(FieldShape::new(field.name.clone(), shape))
        });
        Ok(RecordShape::new(self.name, fields.collect::<Result<_>>()?).with_form(self.form))
    }
}
