//! What steps do to values.

use super::step::{Number, Part, Step};
use trevni::vector::{ListVector, MapVector, RecordVector, UnionVector};
use trevni::{Batch, Binaries, Shape, Strings, Vector};

/// Why a value cannot be what is wanted, and in which field.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) path: String,
    pub(super) message: String,
}

impl Wrong {
    #[cold]
    fn new(message: impl ToString) -> Self {
        Self { path: String::new(), message: message.to_string() }
    }

    /// Vectors do not have the form that the step is for.
    #[cold]
    fn form() -> Self {
        Self::new("a fault of trevni-parquet: values of another form")
    }

    fn within(mut self, name: &str) -> Self {
        if !self.path.is_empty() {
            self.path.insert(0, '.');
        }
        self.path.insert_str(0, name);
        self
    }
}

impl From<trevni::Error> for Wrong {
    fn from(error: trevni::Error) -> Self {
        Self::new(error)
    }
}

type Result<T, E = Wrong> = std::result::Result<T, E>;

impl Step {
    /// The values as they are wanted.
    pub(super) fn apply(&self, vector: Vector) -> Result<Vector> {
        match (self, vector) {
            (Self::Keep, vector) => Ok(vector),
            (Self::Number(number), vector) => number.apply(vector),
            (Self::Bytes, Vector::String(texts)) => {
                let (texts, spans) = texts.into_parts();
                Ok(Binaries::try_from_parts(texts.into_bytes(), spans)?.into())
            }
            (Self::Text, Vector::Bytes(bytes)) => text(bytes),
            (Self::Extend(size), Vector::Bytes(decimals)) => {
                let extended = decimals.iter().map(|decimal| extend(decimal, *size));
                Ok(Vector::try_from_iter(extended.collect::<Result<Vec<_>>>()?)?)
            }
            (Self::Ordinals { symbols, ordinals }, Vector::Enum(mut values)) => {
                for value in &mut values {
                    let place = usize::try_from(*value).map_err(|_| Wrong::form())?;
                    let known = *ordinals.get(place).ok_or_else(Wrong::form)?;
                    *value = known.ok_or_else(|| no_symbol(symbols.get(place).map_or("", String::as_str)))?;
                }
                Ok(Vector::Enum(values))
            }
            (Self::Symbols { ordinals, default }, Vector::String(texts)) => {
                let ordinal =
                    |text: &str| ordinals.get(text).copied().or(*default).ok_or_else(|| no_symbol(text));
                Ok(Vector::Enum(texts.iter().map(ordinal).collect::<Result<_>>()?))
            }
            (Self::Record(parts), Vector::Record(record)) => fields(parts, record),
            (Self::List(step), Vector::List(list)) => {
                Ok(Vector::List(Box::new(ListVector::new(list.offsets, step.apply(list.item)?))))
            }
            (Self::Map(steps), Vector::Map(map)) => {
                let key = steps.0.apply(map.key).map_err(|wrong| wrong.within("key"))?;
                let value = steps.1.apply(map.value).map_err(|wrong| wrong.within("value"))?;
                Ok(MapVector::new(map.offsets, key, value).into())
            }
            (Self::Optional(step), Vector::Optional(list)) => {
                Ok(Vector::Optional(Box::new(ListVector::new(list.offsets, step.apply(list.item)?))))
            }
            (Self::Some(step), vector) => {
                let there = std::iter::repeat_n(true, vector.len());
                Ok(Vector::try_optional(there, step.apply(vector)?)?)
            }
            (Self::Present(step), Vector::Optional(list)) => match list.item.len() == list.offsets.len() {
                true => step.apply(list.item),
                false => Err(Wrong::new("a null, which the schema does not allow")),
            },
            (Self::Nothing(shape), Vector::Null(len)) => {
                Ok(Vector::try_optional(std::iter::repeat_n(false, len), Vector::new(shape))?)
            }
            (Self::Null, Vector::Optional(list)) => match list.item.is_empty() {
                true => Ok(Vector::Null(list.offsets.len())),
                false => Err(Wrong::new("a value, where the schema has null")),
            },
            (Self::Variant { tag, step, variants }, vector) => {
                let tags = vec![*tag; vector.len()];
                let mut values: Vec<Vector> = variants.iter().map(Vector::new).collect();
                *values.get_mut(usize::from(*tag)).ok_or_else(Wrong::form)? = step.apply(vector)?;
                Ok(UnionVector::new(tags, values).into())
            }
            (Self::Members { members, shape }, Vector::Record(record)) => choose(members, shape, record),
            _ => Err(Wrong::form()),
        }
    }
}

#[cold]
fn no_symbol(symbol: &str) -> Wrong {
    Wrong::new(format!("the schema's enum has no symbol {symbol:?}, and no default"))
}

impl Number {
    fn apply(self, vector: Vector) -> Result<Vector> {
        Ok(match (self, vector) {
            (Self::Long, Vector::Int(values)) => Vector::Long(values.into_iter().map(i64::from).collect()),
            (Self::Unsigned, Vector::Long(values)) => match values.iter().find(|value| **value < 0) {
                Some(_) => return Err(Wrong::new("a number that is negative, or too great for a sign")),
                None => Vector::Long(values),
            },
            (Self::Float, Vector::Int(values)) => {
                Vector::Float(values.into_iter().map(|value| value as f32).collect())
            }
            (Self::Float, Vector::Long(values)) => {
                Vector::Float(values.into_iter().map(|value| value as f32).collect())
            }
            (Self::Double, Vector::Int(values)) => {
                Vector::Double(values.into_iter().map(f64::from).collect())
            }
            (Self::Double, Vector::Long(values)) => {
                Vector::Double(values.into_iter().map(|value| value as f64).collect())
            }
            (Self::Double, Vector::Float(values)) => {
                Vector::Double(values.into_iter().map(f64::from).collect())
            }
            (Self::FloatOfUnsigned, Vector::Long(values)) => {
                Vector::Float(values.into_iter().map(|value| value.cast_unsigned() as f32).collect())
            }
            (Self::DoubleOfUnsigned, Vector::Long(values)) => {
                Vector::Double(values.into_iter().map(|value| value.cast_unsigned() as f64).collect())
            }
            _ => return Err(Wrong::form()),
        })
    }
}

fn text(bytes: Binaries) -> Result<Vector> {
    let (bytes, spans) = bytes.into_parts();
    // Bytes between values are not theirs to be text.
    let text = |span: &trevni::vector::Span| std::str::from_utf8(bytes.get(span.range()).unwrap_or_default());
    let texts = spans.iter().map(text).collect::<Result<Vec<_>, _>>();
    let texts = texts.map_err(|_| Wrong::new("bytes that are not UTF-8, where the schema has text"))?;
    Ok(Strings::try_from_iter(texts)?.into())
}

/// A number in two's complement with more bytes, or fewer where it needs no more.
fn extend(decimal: &[u8], size: usize) -> Result<Vec<u8>> {
    let sign = if decimal.first().is_some_and(|first| *first >= 0x80) { 0xff } else { 0 };
    match size.checked_sub(decimal.len()) {
        Some(more) => Ok([&vec![sign; more], decimal].concat()),
        None => {
            let (cut, rest) = decimal.split_at(decimal.len() - size);
            let is_same = cut.iter().all(|byte| *byte == sign)
                && rest.first().is_none_or(|first| (*first >= 0x80) == (sign == 0xff));
            match is_same {
                true => Ok(rest.to_vec()),
                false => Err(Wrong::new(format!("a decimal of more than {size} bytes"))),
            }
        }
    }
}

fn fields(parts: &[Part], record: RecordVector) -> Result<Vector> {
    let len = record.len;
    // A field may be wanted by two names; the last one that wants it takes it.
    let mut uses = vec![0usize; record.fields.len()];
    for part in parts {
        if let Part::Field { at, .. } = part {
            *uses.get_mut(*at).ok_or_else(Wrong::form)? += 1;
        }
    }
    let mut written = record.fields;
    let mut fields = Vec::with_capacity(parts.len());
    for part in parts {
        fields.push(match part {
            Part::Field { name, at, step } => {
                let (Some(field), Some(uses)) = (written.get_mut(*at), uses.get_mut(*at)) else {
                    return Err(Wrong::form());
                };
                *uses -= 1;
                let field = match *uses {
                    0 => std::mem::replace(field, Vector::Null(0)),
                    _ => field.clone(),
                };
                step.apply(field).map_err(|wrong| wrong.within(name))?
            }
            Part::Default(row) => {
                let (_, vector) = Batch::gather(std::slice::from_ref(row), &vec![(0, 0); len])?.into_parts();
                vector
            }
        });
    }
    Ok(RecordVector::new(len, fields).into())
}

/// Of each entry, the member that is there.
fn choose(members: &[Result<Step, String>], shape: &Shape, record: RecordVector) -> Result<Vector> {
    let mut tags: Vec<Option<usize>> = vec![None; record.len];
    let mut values = Vec::with_capacity(members.len());
    if record.fields.len() != members.len() {
        return Err(Wrong::form());
    }
    for (number, (member, field)) in members.iter().zip(record.fields).enumerate() {
        let Vector::Optional(list) = field else { return Err(Wrong::form()) };
        for (tag, is_there) in tags.iter_mut().zip(list.validity()) {
            match tag {
                Some(_) if is_there => return Err(Wrong::new("two members of a union at once")),
                None if is_there => *tag = Some(number),
                _ => {}
            }
        }
        let resolved = match member {
            Ok(step) => step.apply(list.item)?,
            Err(_) if list.item.is_empty() => Vector::new(shape),
            Err(message) => return Err(Wrong::new(message)),
        };
        values.push(Batch::try_new(shape.clone(), resolved)?);
    }
    let mut next = vec![0; members.len()];
    let mut places = Vec::with_capacity(tags.len());
    for tag in tags {
        let tag = tag.ok_or_else(|| Wrong::new("no member of a union"))?;
        let place = next.get_mut(tag).ok_or_else(Wrong::form)?;
        places.push((tag, *place));
        *place += 1;
    }
    let (_, vector) = Batch::gather(&values, &places)?.into_parts();
    Ok(vector)
}
