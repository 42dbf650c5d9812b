//! ScalarColumns of the result, as they are printed.

use crate::failure::Failure;
use crate::rows::{Printing, has_logical, narrowed, non_null, with_texts};
use trevni::vector::UnionVector;
use trevni::{Binaries, Shape, Strings, ValueRef, Vector};
use trevni_query::{Located, Scalar, ScalarColumn, ScalarRef, Type};

/// ScalarValues of a column of the result.
pub(super) enum ResultColumn<'b> {
    /// Where they lie in a batch.
    There(Located<'b>),
    /// A part of what lies there.
    Part(Located<'b>, Shape, Vector),
    Made(Shape, Vector),
}

impl<'b> ResultColumn<'b> {
    /// The value of a row, unless it is null.
    pub(super) fn value(&self, row: usize) -> Option<ValueRef<'_>> {
        let value = match self {
            Self::There(located) => ValueRef::new(located.shape, located.vector, located.entry(row)?),
            Self::Part(located, shape, vector) => ValueRef::new(shape, vector, located.entry(row)?),
            Self::Made(shape, vector) => ValueRef::new(shape, vector, row),
        };
        value.and_then(non_null)
    }

    /// What lies in a batch; only a part of its shape, if there is one. Values of logical types are strings, unless they
    /// are wanted as they are stored; `printing` says what values of several types become.
    pub(super) fn located(
        located: Located<'b>,
        part: Option<&Shape>,
        printing: &Printing,
    ) -> Result<Self, Failure> {
        let narrowed = part.map(|part| narrowed(located.shape, located.vector, part).ok_or_else(other_form));
        let narrowed = narrowed.transpose()?;
        let (shape, vector) = match &narrowed {
            Some((shape, vector)) => (shape, vector),
            None => (located.shape, located.vector),
        };
        let texts = match !printing.stored && has_logical(shape) {
            true => Some(with_texts(shape, vector).ok_or_else(other_form)?),
            false => None,
        };
        let (shape, vector) = texts.as_ref().map_or((shape, vector), |(shape, vector)| (shape, vector));
        let strings = match printing.mixed.makes_strings(shape) {
            true => Some(printing.mixed.of(shape, vector).ok_or_else(other_form)?),
            false => None,
        };
        Ok(match strings.or(texts).or(narrowed) {
            Some((shape, vector)) => Self::Part(located, shape, vector),
            None => Self::There(located),
        })
    }

    pub(super) fn of_column(column: &ScalarColumn<'_>, kind: Type) -> Result<Self, Failure> {
        Self::made((0..column.len()).map(|row| column.get(row)), kind)
    }

    pub(super) fn of_values(values: &[Scalar], kind: Type) -> Result<Self, Failure> {
        Self::made(values.iter().map(Scalar::get), kind)
    }

    /// ScalarValues of a type; or of several types, where files differ.
    fn made<'v>(values: impl Iterator<Item = ScalarRef<'v>>, kind: Type) -> Result<Self, Failure> {
        let mut made = Made::default();
        for value in values {
            made.push(value, kind == Type::Single)
                .ok_or_else(|| Failure::new("more than 4 GiB in one column of the result"))?;
        }
        let mut variants = vec![
            (Shape::Null, Vector::Null(made.nulls)),
            (Shape::Boolean, Vector::Boolean(made.booleans)),
            (Shape::Long, Vector::Long(made.longs)),
            (Shape::I128, Vector::Bytes(made.integers)),
            (Shape::Float, Vector::Float(made.singles)),
            (Shape::Double, Vector::Double(made.floats)),
            (Shape::String, Vector::String(made.texts)),
            (Shape::Bytes, Vector::Bytes(made.bytes)),
        ];
        // Where all are of one type, they lie as they are.
        if let Some(at) = variants.iter().position(|(_, vector)| vector.len() == made.tags.len()) {
            let (shape, vector) = variants.swap_remove(at);
            return Ok(Self::Made(shape, vector));
        }
        let (shapes, variants) = variants.into_iter().unzip();
        let mut union = UnionVector::default();
        (union.tags, union.positions, union.variants) = (made.tags, made.positions, variants);
        Ok(Self::Made(Shape::Union(shapes), Vector::Union(union)))
    }
}

/// An error of the library.
pub(super) fn other_form() -> Failure {
    Failure::new("vectors have another form than their shape")
}

/// ScalarValues by their types.
#[derive(Default)]
struct Made {
    tags: Vec<u16>,
    positions: Vec<u32>,
    nulls: usize,
    booleans: Vec<bool>,
    longs: Vec<i64>,
    integers: Binaries,
    singles: Vec<f32>,
    floats: Vec<f64>,
    texts: Strings,
    bytes: Binaries,
}

impl Made {
    fn text(&mut self, value: &str) -> Option<(u16, usize)> {
        self.texts.push(value).then_some((6, self.texts.len()))
    }

    fn push(&mut self, value: ScalarRef<'_>, single: bool) -> Option<()> {
        let (tag, count) = match value {
            ScalarRef::Null => {
                self.nulls += 1;
                (0, self.nulls)
            }
            ScalarRef::Boolean(value) => {
                self.booleans.push(value);
                (1, self.booleans.len())
            }
            ScalarRef::Integer(value) => match i64::try_from(value) {
                Ok(value) => {
                    self.longs.push(value);
                    (2, self.longs.len())
                }
                Err(_) => {
                    self.integers.push(&value.to_be_bytes()).then_some(())?;
                    (3, self.integers.len())
                }
            },
            ScalarRef::Float(value) if single => {
                self.singles.push(value as f32);
                (4, self.singles.len())
            }
            ScalarRef::Float(value) => {
                self.floats.push(value);
                (5, self.floats.len())
            }
            ScalarRef::Text(value) => self.text(value)?,
            ScalarRef::Decimal(value) => self.text(&value.to_string())?,
            ScalarRef::Moment(value) => self.text(&value.to_string())?,
            ScalarRef::Ip(value) => self.text(&value.to_string())?,
            ScalarRef::Bytes(value) => {
                self.bytes.push(value).then_some(())?;
                (7, self.bytes.len())
            }
        };
        self.tags.push(tag);
        self.positions.push(u32::try_from(count - 1).ok()?);
        Some(())
    }
}
