//! Fields that predicates compare.

use super::{Rows, Translated, exact, value};
use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::logical_expr::Operator;
use datafusion::scalar::ScalarValue;
use trevni::path::format;
use trevni::predicate::{Col, Literal};
use trevni::{Shape, col};

/// A field with one value or none in each row.
pub(super) struct Field {
    path: String,
    pub(super) kind: Kind,
    data_type: DataType,
}

/// How the values of a field compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Boolean,
    /// With what is stored for 1.
    Integer(i64),
    Float,
    Text,
    Bytes,
    Decimal,
}

impl Field {
    /// The field that a path leads to, unless a predicate would compare it in another way than the engine.
    pub(super) fn of(path: &[String], rows: Rows<'_>) -> Option<Self> {
        let data_type = leaf(path, rows)?;
        let kind = kind_of_type(&data_type)?;
        if let Some(shape) = rows.shape
            && !fits(kind, shape_at(shape, path)?)
        {
            return None;
        }
        Some(Self { path: format(path), kind, data_type })
    }

    pub(super) fn col(&self) -> Col {
        col(self.path.clone())
    }

    /// A value to compare with.
    pub(super) fn value(&self, value: &ScalarValue) -> Option<Literal> {
        value::literal(value, self.kind, &self.data_type)
    }

    /// Whether the same values are equal to this one here and in the engine: zeros have signs there.
    pub(super) fn is_exact(&self, value: &Literal) -> bool {
        !matches!(value, Literal::Float(value) if *value == 0.0)
    }

    pub(super) fn compare(&self, op: Operator, value: &ScalarValue) -> Option<Translated> {
        let value = self.value(value)?;
        let col = self.col();
        if self.kind == Kind::Float {
            return self.compare_floats(op, value);
        }
        Some(exact(match op {
            Operator::Eq => col.eq(value),
            Operator::NotEq => col.ne(value),
            Operator::Lt => col.lt(value),
            Operator::LtEq => col.le(value),
            Operator::Gt => col.gt(value),
            Operator::GtEq => col.ge(value),
            _ => return None,
        }))
    }

    /// NaN may be on either side of any number, so it is let through.
    fn compare_floats(&self, op: Operator, value: Literal) -> Option<Translated> {
        let (col, is_exact) = (self.col(), self.is_exact(&value));
        Some(match op {
            Operator::Eq => Translated { predicate: col.eq(value), is_exact },
            Operator::NotEq if is_exact => exact(col.ne(value)),
            Operator::Lt | Operator::LtEq => Translated { predicate: !col.gt(value), is_exact: false },
            Operator::Gt | Operator::GtEq => Translated { predicate: !col.lt(value), is_exact: false },
            _ => return None,
        })
    }
}

/// The type at the end of a path, if it leads through structs.
fn leaf(path: &[String], rows: Rows<'_>) -> Option<DataType> {
    let (first, rest) = path.split_first()?;
    let mut field = rows.schema.field_with_name(first).ok()?;
    let mut is_nullable = field.is_nullable();
    for name in rest {
        let DataType::Struct(fields) = field.data_type() else { return None };
        field = fields.find(name)?.1;
        // The engine takes the value under a null of the struct where the field has no nulls of its own.
        if is_nullable && !field.is_nullable() {
            return None;
        }
        is_nullable |= field.is_nullable();
    }
    Some(field.data_type().clone())
}

fn kind_of_type(data_type: &DataType) -> Option<Kind> {
    Some(match data_type {
        DataType::Boolean => Kind::Boolean,
        DataType::Time32(TimeUnit::Second) | DataType::Timestamp(TimeUnit::Second, _) => Kind::Integer(1000),
        DataType::Date32 | DataType::Date64 | DataType::Time32(_) | DataType::Time64(_) => Kind::Integer(1),
        DataType::Timestamp(..) | DataType::Duration(_) => Kind::Integer(1),
        DataType::Float32 | DataType::Float64 => Kind::Float,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Kind::Text,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            Kind::Bytes
        }
        DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..) => Kind::Decimal,
        DataType::Dictionary(_, values) if values.is_string() => Kind::Text,
        other if other.is_integer() => Kind::Integer(1),
        _ => return None,
    })
}

/// The shape at the end of a path through records, without optionals.
fn shape_at<'s>(mut shape: &'s Shape, path: &[String]) -> Option<&'s Shape> {
    for name in path {
        let Shape::Record(record) = some(shape) else { return None };
        shape = &record.fields.iter().find(|field| &*field.name == name.as_str())?.shape;
    }
    Some(some(shape))
}

fn some(shape: &Shape) -> &Shape {
    match shape {
        Shape::Optional(optional) => &optional.item,
        other => other,
    }
}

/// Whether values that are stored so compare as this kind does.
fn fits(kind: Kind, shape: &Shape) -> bool {
    match kind {
        Kind::Boolean => matches!(shape, Shape::Boolean),
        Kind::Integer(_) => matches!(shape.storage(), Shape::Int | Shape::Long | Shape::U64),
        Kind::Float => matches!(shape, Shape::Float | Shape::Double),
        Kind::Text => matches!(shape, Shape::String),
        Kind::Bytes => matches!(shape, Shape::Bytes | Shape::Fixed(_)),
        Kind::Decimal => matches!(shape, Shape::Logical(logical) if is_decimal(&logical.logical)),
    }
}

fn is_decimal(logical: &trevni::shape::Logical) -> bool {
    matches!(logical, trevni::shape::Logical::Decimal { .. })
}
