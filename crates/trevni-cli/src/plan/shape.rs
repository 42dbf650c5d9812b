//! Plans as shapes, and the plan of a shape that was given.

use super::{Float, Kind, Object, Plan, Record};
use crate::numbers::Integer;
use trevni::{FieldShape, Form, MapShape, Name, Null, OptionalShape, RecordShape, Shape};

impl Plan {
    /// The shape of what is written.
    pub(crate) fn shape(&self) -> Shape {
        let mut shape = self.value();
        if self.null && shape != Shape::Null {
            shape = Shape::optional(shape);
        }
        if self.absent {
            shape = Shape::Optional(Box::new(OptionalShape { null: Null::Absent, item: shape }));
        }
        shape
    }

    fn value(&self) -> Shape {
        if let Some(shape) = &self.other {
            return Shape::clone(shape);
        }
        if self.raw.is_some() {
            return Shape::String;
        }
        let mut variants: Vec<Shape> = self.kinds.iter().map(|kind| self.kind(*kind)).collect();
        match variants.len() {
            0 => Shape::Null,
            1 => variants.remove(0),
            _ => Shape::Union(variants),
        }
    }

    fn kind(&self, kind: Kind) -> Shape {
        let of = |plan: &Option<Box<Plan>>| plan.as_ref().map_or(Shape::Null, |plan| plan.shape());
        match kind {
            Kind::Boolean => Shape::Boolean,
            Kind::Integer => match self.integer {
                Some(Integer::Int) => Shape::Int,
                Some(Integer::U64) => Shape::U64,
                Some(Integer::I128) => Shape::I128,
                Some(Integer::U128) => Shape::U128,
                Some(Integer::Long) | None => Shape::Long,
            },
            Kind::Float if self.float.is_some_and(|float| float.single) => Shape::Float,
            Kind::Float => Shape::Double,
            Kind::Text => Shape::String,
            Kind::List => Shape::List(Box::new(of(&self.list))),
            Kind::Object => match &self.object {
                Some(Object::Record(record)) => record.shape(),
                Some(Object::Map(value)) => {
                    Shape::Map(Box::new(MapShape { key: Shape::String, value: value.shape() }))
                }
                None => Record::default().shape(),
            },
        }
    }

    /// The plan of a shape that was given.
    pub(crate) fn of(shape: &Shape) -> Self {
        let mut plan = Self { given: true, ..Self::default() };
        let mut inner = shape;
        if let Shape::Optional(optional) = inner
            && optional.null == Null::Absent
        {
            plan.absent = true;
            inner = &optional.item;
        }
        if let Shape::Optional(optional) = inner {
            plan.null = true;
            inner = &optional.item;
        }
        match inner {
            Shape::Null => plan.null = true,
            Shape::Union(variants) => {
                let all = variants.iter().all(|variant| plan.add(variant));
                if !all {
                    plan.other = Some(Box::new(inner.clone()));
                }
            }
            shape if !plan.add(shape) => plan.other = Some(Box::new(shape.clone())),
            _ => {}
        }
        plan
    }

    /// Adds a kind of values; false where there is one already, or it has no place here.
    fn add(&mut self, shape: &Shape) -> bool {
        let kind = match shape {
            Shape::Boolean => Kind::Boolean,
            Shape::Int | Shape::Long | Shape::U64 | Shape::I128 | Shape::U128 => {
                self.integer = Some(match shape {
                    Shape::Int => Integer::Int,
                    Shape::U64 => Integer::U64,
                    Shape::I128 => Integer::I128,
                    Shape::U128 => Integer::U128,
                    _ => Integer::Long,
                });
                Kind::Integer
            }
            Shape::Float | Shape::Double => {
                self.float = Some(Float { single: *shape == Shape::Float, rounds: false });
                Kind::Float
            }
            Shape::String => Kind::Text,
            Shape::List(item) => {
                self.list = Some(Box::new(Self::of(item)));
                Kind::List
            }
            Shape::Record(record) if record.form == Form::Struct => {
                let mut fields = Record::default();
                for field in &record.fields {
                    fields.add(&field.name, Self::of(&field.shape));
                }
                fields.named = Some(Box::new((record.namespace.clone(), record.name.clone())));
                self.object = Some(Object::Record(fields));
                Kind::Object
            }
            Shape::Map(map) if map.key == Shape::String => {
                self.object = Some(Object::Map(Box::new(Self::of(&map.value))));
                Kind::Object
            }
            _ => return false,
        };
        let new = !self.has(kind);
        self.kinds.push(kind);
        new
    }
}

impl Record {
    fn shape(&self) -> Shape {
        let kept = self.fields.iter().filter(|field| field.kept);
        let (namespace, name) = self.named.as_deref().cloned().unwrap_or_default();
        Shape::Record(RecordShape {
            namespace,
            name,
            form: Form::Struct,
            fields: kept
                .map(|field| FieldShape { name: Name::Borrowed(field.name), shape: field.plan.shape() })
                .collect(),
        })
    }
}
