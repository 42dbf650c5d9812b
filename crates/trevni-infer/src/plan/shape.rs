//! Plans as shapes, and the plan of a shape that was given.

use super::{Float, Kind, LogicalKind, Object, Plan, Record, ValueKinds};
use crate::numbers::Integer;
use crate::rows::is_printed;
use std::mem::discriminant;
use trevni::Shape;
use trevni::shape::{FieldShape, Form, LogicalShape, Null, OptionalShape, RecordShape};

impl Plan {
    /// The shape of what is written.
    pub fn shape(&self) -> Shape {
        let mut shape = self.value();
        if self.null && shape != Shape::Null {
            shape = Shape::optional(shape);
        }
        if self.absent {
            shape = Shape::Optional(Box::new(OptionalShape::new(Null::Absent, shape)));
        }
        shape
    }

    fn value(&self) -> Shape {
        match &self.values {
            ValueKinds::None => Shape::Null,
            ValueKinds::Raw(_) => Shape::String,
            ValueKinds::One(kind) => {
                let shape = kind.shape();
                let meaning = self.meaning.as_deref().filter(|_| !matches!(shape, Shape::Logical(_)));
                meaning
                    .and_then(|meaning| Shape::logical(meaning.clone(), shape.clone()).ok())
                    .unwrap_or(shape)
            }
            ValueKinds::Union(kinds) => Shape::Union(kinds.iter().map(Kind::shape).collect()),
            ValueKinds::Other(shape, _) => Shape::clone(shape),
        }
    }

    /// The plan of a shape that was given.
    pub fn of(shape: &Shape) -> Self {
        let mut plan = Self { given: true, ..Self::new(false, ValueKinds::None) };
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
        let variants = match inner {
            Shape::Null => {
                plan.null = true;
                return plan;
            }
            Shape::Union(variants) => variants.as_slice(),
            shape => std::slice::from_ref(shape),
        };
        let mut kinds: Vec<Kind> = Vec::new();
        for variant in variants {
            // Which of several a text or a number is, the writer knows.
            let has_strings = matches!(variant, Shape::Logical(_) | Shape::Bytes | Shape::Fixed(_));
            let is_plain = variants.len() == 1 || !has_strings;
            let Some(kind) = Kind::of(variant).filter(|_| is_plain) else {
                plan.values = ValueKinds::Other(Box::new(inner.clone()), kinds);
                return plan;
            };
            let is_known = kinds.iter().any(|other| discriminant(other) == discriminant(&kind));
            kinds.push(kind);
            if is_known {
                plan.values = ValueKinds::Other(Box::new(inner.clone()), kinds);
                return plan;
            }
        }
        if let [Shape::Logical(logical)] = variants {
            plan.meaning = Some(Box::new(logical.logical.clone()));
        }
        plan.values = ValueKinds::of(kinds);
        plan
    }
}

impl Kind {
    fn shape(&self) -> Shape {
        match self {
            Self::Boolean => Shape::Boolean,
            Self::Integer(Integer::Int) => Shape::Int,
            Self::Integer(Integer::Long) => Shape::Long,
            Self::Integer(Integer::U64) => Shape::U64,
            Self::Integer(Integer::I128) => Shape::I128,
            Self::Integer(Integer::U128) => Shape::U128,
            Self::Float(float) if float.single => Shape::Float,
            Self::Float(_) => Shape::Double,
            Self::Text => Shape::String,
            Self::Logical(kind) => kind.meaning.shape(),
            Self::List(item) => Shape::List(Box::new(item.shape())),
            Self::Object(Object::Record(record)) => record.shape(),
            Self::Object(Object::Map(value)) => Shape::map(Shape::String, value.shape()),
        }
    }

    /// The kind of a shape that was given; `None` where it has no place here.
    fn of(shape: &Shape) -> Option<Self> {
        if let Shape::Logical(logical) = shape
            && is_printed(logical)
        {
            let shape = LogicalShape::clone(logical);
            return Some(Self::Logical(Box::new(LogicalKind::of_schema(shape))));
        }
        Some(match shape.storage() {
            Shape::Boolean => Self::Boolean,
            Shape::Int => Self::Integer(Integer::Int),
            Shape::Long => Self::Integer(Integer::Long),
            Shape::U64 => Self::Integer(Integer::U64),
            Shape::I128 => Self::Integer(Integer::I128),
            Shape::U128 => Self::Integer(Integer::U128),
            Shape::Float => Self::Float(Float { single: true, rounds: false }),
            Shape::Double => Self::Float(Float { single: false, rounds: false }),
            Shape::String => Self::Text,
            bytes @ (Shape::Bytes | Shape::Fixed(_)) => {
                Self::Logical(Box::new(LogicalKind::of_bytes(bytes.clone())))
            }
            Shape::List(item) => Self::List(Box::new(Plan::of(item))),
            Shape::Record(record) if record.form == Form::Struct => {
                let mut fields = Record::default();
                for field in &record.fields {
                    fields.add(&field.name, Plan::of(&field.shape));
                }
                fields.named = Some(Box::new((record.namespace.clone(), record.name.clone())));
                Self::Object(Object::Record(fields))
            }
            Shape::Map(map) if map.key == Shape::String => {
                Self::Object(Object::Map(Box::new(Plan::of(&map.value))))
            }
            _ => return None,
        })
    }
}

impl Record {
    fn shape(&self) -> Shape {
        let kept = self.fields.iter().filter(|field| field.kept);
        let (namespace, name) = self.named.as_deref().cloned().unwrap_or_default();
        let fields = kept.map(|field| FieldShape::new(field.name, field.plan.shape())).collect();
        Shape::Record(RecordShape::new(name, fields).with_namespace(namespace))
    }
}
