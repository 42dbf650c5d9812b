//! Only some of the fields.

use super::{Kind, Object, Plan, Record};
use trevni::Shape;
use trevni::shape::{FieldShape, RecordShape};

impl Plan {
    /// Keeps only fields at, above and below some paths, each of which is a list of names.
    pub fn keep(&mut self, paths: &[&[String]]) {
        if paths.iter().any(|path| path.is_empty()) {
            return;
        }
        for kind in self.kinds_mut() {
            match kind {
                Kind::List(item) => item.keep(paths),
                Kind::Object(Object::Record(record)) => record.keep(paths),
                _ => {}
            }
        }
    }

    /// A shape of the names alone, in which paths are found. Objects and lists of objects in one place are as
    /// one.
    pub fn outline(&self) -> Shape {
        let mut fields: Vec<FieldShape> = match self.object() {
            Some(Object::Map(value)) => {
                return Shape::map(Shape::String, value.outline());
            }
            Some(Object::Record(record)) => record.outline(),
            None => Vec::new(),
        };
        match self.item().map(Self::outline) {
            Some(Shape::Record(item)) => {
                for field in item.fields {
                    if !fields.iter().any(|own| own.name == field.name) {
                        fields.push(field);
                    }
                }
            }
            Some(item) if self.object().is_none() => return item,
            _ => {}
        }
        match self.object().is_none() && self.item().is_none() {
            true => Shape::Null,
            false => Shape::Record(RecordShape::new("", fields)),
        }
    }
}

impl Record {
    fn keep(&mut self, paths: &[&[String]]) {
        for field in &mut self.fields {
            let mut below: Vec<&[String]> = Vec::new();
            for path in paths {
                below.extend(
                    path.split_first().filter(|(first, _)| *first == field.name).map(|(_, rest)| rest),
                );
            }
            field.kept = !below.is_empty();
            field.plan.keep(&below);
        }
    }

    fn outline(&self) -> Vec<FieldShape> {
        let fields = self.fields.iter();
        fields.map(|field| FieldShape::new(field.name, field.plan.outline())).collect()
    }
}
