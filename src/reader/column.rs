//! One column as a vector of Rust values.

use super::Reader;
use super::kept::Kept;
use super::target::Target;
use crate::convert::Conversion;
use crate::error::{Error, ErrorKind, Result};
use crate::logical::Texts;
use crate::shape::{Logical, Shape};
use crate::tree::{NodeId, resolve};
use crate::vector::room::Growth;
use crate::vector::{Binaries, Vector};

/// Types that [`Reader::column`] returns.
///
/// | `T` | for | returns |
/// |---|---|---|
/// | `bool`, `f32`, `f64` | values of exactly this type; `f64` also for `float`, for integers that fit, and for unions of numbers | `Vec<T>` |
/// | `i8` … `i64`, `u8` … `u64` | integers, if all of them fit | `Vec<T>` |
/// | `String` | strings, enum symbols, the strings of logical types | `Vec<String>` |
/// | `Vec<u8>` | bytes | `Vec<Vec<u8>>` |
/// | `Option<T>` | values that may be missing | `Vec<Option<T>>` |
/// | any other | a field that is null in all rows, such as an `Option` that is always `None` | an empty `Vec` |
/// | [`Nested<T>`] | values in lists or maps | the lengths, and the values of all rows |
pub trait FromColumn: sealed::Sealed {
    /// The type of a whole column.
    type Column: Default;

    /// Bytes of one of its values, in its own place.
    #[doc(hidden)]
    const SIZE: usize;

    #[doc(hidden)]
    fn append(target: &Target<'_>, column: &mut Self::Column) -> Result<()>;

    /// Appends the values of all rows unchanged, if the vector has the same type; returns it otherwise.
    #[doc(hidden)]
    fn take(_shape: &Shape, vector: Vector, _column: &mut Self::Column) -> Option<Vector> {
        Some(vector)
    }
}

/// Values in lists: the lengths of the lists, outermost level first, and the values of all rows.
///
/// ```
/// use trevni::Reader;
/// use trevni::reader::Nested;
///
/// let bytes = trevni::to_vec([vec![1, 2], vec![], vec![3]])?;
/// let items = Reader::from_slice(&bytes)?.column::<Nested<i32>>("")?;
/// assert_eq!((items.lengths, items.values), (vec![vec![2, 0, 1]], vec![1, 2, 3]));
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nested<T> {
    /// The length of each list, per level.
    pub lengths: Vec<Vec<u32>>,
    /// The values.
    pub values: Vec<T>,
}

mod sealed {
    pub trait Sealed {}
}

/// A type of single values.
trait Value: Own {
    const NAME: &'static str;
    /// Appends all values; false if they have another type.
    fn all(shape: &Shape, vector: &Vector, out: &mut Vec<Self>) -> Result<bool>;
}

/// A type of the values in a vector.
trait Own: Sized {
    /// The vector itself, if its values have exactly this type.
    fn own(_shape: &Shape, vector: Vector) -> Result<Vec<Self>, Vector> {
        Err(vector)
    }
}

macro_rules! own {
    ($($type:ty: $form:ident)*) => {
        $(impl Own for $type {
            fn own(shape: &Shape, vector: Vector) -> Result<Vec<Self>, Vector> {
                match (shape.storage(), vector) {
                    (Shape::$form, Vector::$form(values)) => Ok(values),
                    (_, vector) => Err(vector),
                }
            }
        })*
    };
}

own! { bool: Boolean i32: Int i64: Long f32: Float f64: Double }

impl Own for i8 {}
impl Own for i16 {}
impl Own for u8 {}
impl Own for u16 {}
impl Own for u32 {}
impl Own for u64 {}
impl Own for String {}
impl Own for Vec<u8> {}

macro_rules! column_of_values {
    ($($type:ty)*) => {
        $(impl sealed::Sealed for $type {}

        impl FromColumn for $type {
            type Column = Vec<$type>;

            const SIZE: usize = size_of::<$type>();

            fn append(target: &Target<'_>, column: &mut Self::Column) -> Result<()> {
                plain(target, column)
            }

            fn take(shape: &Shape, vector: Vector, column: &mut Self::Column) -> Option<Vector> {
                match <$type as Own>::own(shape, vector) {
                    Ok(values) if column.is_empty() => {
                        *column = values;
                        None
                    }
                    Ok(mut values) => {
                        column.append(&mut values);
                        None
                    }
                    Err(vector) => Some(vector),
                }
            }
        })*
    };
}

column_of_values! { bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 String Vec<u8> }

macro_rules! value {
    ($type:ty, $name:literal, $($shape:pat, $vector:ident => $convert:expr;)*) => {
        impl Value for $type {
            const NAME: &'static str = $name;

            fn all(shape: &Shape, vector: &Vector, out: &mut Vec<Self>) -> Result<bool> {
                match (shape.storage(), vector) {
                    $(($shape, Vector::$vector(values)) => out.extend(values.iter().map($convert)),)*
                    _ => return Ok(false),
                }
                Ok(true)
            }
        }
    };
}

value!(bool, "bool", Shape::Boolean, Boolean => |value| *value;);
value!(f32, "f32", Shape::Float, Float => |value| *value;);
value!(Vec<u8>, "bytes", Shape::Bytes | Shape::Fixed(_), Bytes => <[u8]>::to_vec;);

impl Value for f64 {
    const NAME: &'static str = "f64";

    fn all(shape: &Shape, vector: &Vector, out: &mut Vec<Self>) -> Result<bool> {
        match (shape.storage(), vector) {
            (Shape::Double, Vector::Double(values)) => out.extend_from_slice(values),
            (Shape::Float, Vector::Float(values)) => out.extend(values.iter().copied().map(f64::from)),
            (Shape::Int, Vector::Int(values)) => out.extend(values.iter().copied().map(f64::from)),
            (Shape::Long, Vector::Long(values)) => {
                doubles(values.iter().map(|value| i128::from(*value)), out)?
            }
            (Shape::U64, Vector::Long(values)) => {
                doubles(values.iter().map(|value| value.cast_unsigned().into()), out)?;
            }
            (Shape::I128, Vector::Bytes(values)) => doubles(wide(values)?.into_iter(), out)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

macro_rules! integers {
    ($($type:ident)*) => {
        $(impl Value for $type {
            const NAME: &'static str = stringify!($type);

            fn all(shape: &Shape, vector: &Vector, out: &mut Vec<Self>) -> Result<bool> {
                match (shape.storage(), vector) {
                    (Shape::Int, Vector::Int(values)) => fitting(values.iter().copied(), out)?,
                    (Shape::Long, Vector::Long(values)) => fitting(values.iter().copied(), out)?,
                    (Shape::U64, Vector::Long(values)) => {
                        fitting(values.iter().map(|value| value.cast_unsigned()), out)?;
                    }
                    (Shape::I128, Vector::Bytes(values)) => fitting(wide(values)?.into_iter(), out)?,
                    _ => return Ok(false),
                }
                Ok(true)
            }
        })*
    };
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

/// Appends integers as floats, if all those between them and zero are such.
fn doubles(values: impl Iterator<Item = i128>, out: &mut Vec<f64>) -> Result<()> {
    for value in values {
        if value.unsigned_abs() > 1 << f64::MANTISSA_DIGITS {
            return Err(no_fit(value, f64::NAME));
        }
        out.push(value as f64);
    }
    Ok(())
}

/// Integers of 128 bits.
fn wide(values: &Binaries) -> Result<Vec<i128>> {
    let value = |bytes: &[u8]| bytes.try_into().map(i128::from_be_bytes);
    let values: Result<Vec<i128>, _> = values.iter().map(value).collect();
    values.map_err(|_| Error::value("an integer of 16 bytes has another number of bytes"))
}

/// Appends integers, if they fit the type.
fn fitting<F, T>(values: impl ExactSizeIterator<Item = F>, out: &mut Vec<T>) -> Result<()>
where
    F: Copy + std::fmt::Display,
    T: TryFrom<F> + Value,
{
    out.reserve(values.len());
    for value in values {
        match T::try_from(value) {
            Ok(value) => out.push(value),
            Err(_) => return Err(no_fit(value, T::NAME)),
        }
    }
    Ok(())
}

#[cold]
fn no_fit(value: impl std::fmt::Display, name: &str) -> Error {
    ErrorKind::Message(format!("{value} does not fit {name}")).into()
}

#[cold]
fn no_text(logical: &Logical, number: usize) -> Error {
    mismatch(&format!("{logical} whose value {number} is out of range"), String::NAME)
}

impl Value for String {
    const NAME: &'static str = "String";

    fn all(shape: &Shape, vector: &Vector, out: &mut Vec<Self>) -> Result<bool> {
        if let Shape::Logical(logical) = shape
            && let Some(texts) = Texts::from_shape(logical)
        {
            let (mut number, mut without) = (0_usize, None);
            let is_logical = texts.each(vector, |text| {
                match text {
                    Some(text) => out.push(text.to_owned()),
                    None => without = without.or(Some(number)),
                }
                number += 1;
            });
            return match without {
                None => Ok(is_logical),
                Some(number) => Err(no_text(&logical.logical, number)),
            };
        }
        match (shape.storage(), vector) {
            (Shape::String, Vector::String(values)) => out.extend(values.iter().map(str::to_owned)),
            (Shape::Enum(shape), Vector::Enum(values)) => {
                for ordinal in values {
                    let symbol =
                        usize::try_from(*ordinal).ok().and_then(|ordinal| shape.symbols.get(ordinal));
                    let count = shape.symbols.len();
                    let none = || Error::value(format!("an enum of {count} symbols has no number {ordinal}"));
                    out.push(symbol.ok_or_else(none)?.to_string());
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl<T: Value + Clone> sealed::Sealed for Option<T> {}

impl<T: Value + Clone> FromColumn for Option<T> {
    type Column = Vec<Option<T>>;

    const SIZE: usize = size_of::<Option<T>>();

    fn append(target: &Target<'_>, column: &mut Self::Column) -> Result<()> {
        if !target.lengths.is_empty() {
            return Err(mismatch("in lists", "Option: use Nested"));
        }
        optional(target, column)
    }
}

impl<T: Value + Default> sealed::Sealed for Nested<T> {}

impl<T: Value + Default> FromColumn for Nested<T> {
    type Column = Self;

    const SIZE: usize = size_of::<T>();

    fn append(target: &Target<'_>, column: &mut Self::Column) -> Result<()> {
        column.add_lengths(target);
        all_present(target)?;
        values(target, &mut column.values)
    }
}

impl<T: Value + Clone + Default> sealed::Sealed for Nested<Option<T>> {}

impl<T: Value + Clone + Default> FromColumn for Nested<Option<T>> {
    type Column = Self;

    const SIZE: usize = size_of::<Option<T>>();

    fn append(target: &Target<'_>, column: &mut Self::Column) -> Result<()> {
        column.add_lengths(target);
        optional(target, &mut column.values)
    }
}

impl<T> Nested<T> {
    fn add_lengths(&mut self, target: &Target<'_>) {
        // Lists that are all empty may not say what they are lists of.
        let levels = self.lengths.len().max(target.lengths.len());
        self.lengths.resize(levels, Vec::new());
        for (all, more) in self.lengths.iter_mut().zip(&target.lengths) {
            all.extend_from_slice(more);
        }
    }
}

fn plain<T: Value>(target: &Target<'_>, out: &mut Vec<T>) -> Result<()> {
    if !target.lengths.is_empty() {
        return Err(mismatch("in lists", "a plain value: use Nested"));
    }
    all_present(target)?;
    values(target, out)
}

fn all_present(target: &Target<'_>) -> Result<()> {
    match &target.positions {
        Some(positions) if positions.contains(&None) => {
            Err(mismatch("optional", "a plain value: use Option"))
        }
        _ => Ok(()),
    }
}

fn values<T: Value>(target: &Target<'_>, out: &mut Vec<T>) -> Result<()> {
    if target.vector().is_empty() || T::all(target.shape(), target.vector(), out)? {
        Ok(())
    } else {
        Err(mismatch(target.shape().kind(), T::NAME))
    }
}

fn optional<T: Value + Clone>(target: &Target<'_>, out: &mut Vec<Option<T>>) -> Result<()> {
    let mut present = Vec::new();
    if !matches!(target.shape(), Shape::Null) {
        values(target, &mut present)?;
    }
    match &target.positions {
        None => {
            let nulls = if matches!(target.shape(), Shape::Null) { target.vector().len() } else { 0 };
            out.extend(present.into_iter().map(Some).chain(std::iter::repeat_n(None, nulls)));
        }
        Some(positions) => {
            let at = |at: &Option<u32>| at.and_then(|at| present.get(at as usize).cloned());
            out.extend(positions.iter().map(at));
        }
    }
    Ok(())
}

#[cold]
pub(super) fn mismatch(found: &str, expected: &'static str) -> Error {
    ErrorKind::ColumnType { path: String::new(), found: found.to_owned(), expected }.into()
}

/// Reads the values at a path: all rows at once if the path is a single column, else batch by batch.
pub(super) fn read<T: FromColumn>(reader: &Reader<'_>, path: &str) -> Result<T::Column> {
    let reader = reader.project([path])?;
    let node = resolve(&reader.part.shape, &reader.part.tree, path)?.first().copied().unwrap_or_default();
    let mut column = T::Column::default();
    let done = extend::<T>(&reader, node, reader.shape(), &Conversion::Keep, &mut column);
    match named(path, done) {
        done if is_type_error(&done) && is_null(reader.shape()) => Ok(T::Column::default()),
        done => done.map(|()| column),
    }
}

pub(crate) fn is_type_error<C>(column: &Result<C>) -> bool {
    matches!(column.as_ref().map_err(Error::kind), Err(ErrorKind::ColumnType { .. }))
}

/// Whether the values at the end of a path are null in all rows; `shape` is the projection to the path.
pub(crate) fn is_null(shape: &Shape) -> bool {
    match shape {
        Shape::Null => true,
        Shape::Record(record) => matches!(record.fields.as_slice(), [field] if is_null(&field.shape)),
        Shape::Optional(optional) => is_null(&optional.item),
        _ => false,
    }
}

/// Whether a reader reads all rows, whatever is in them.
fn is_of_all(reader: &Reader<'_>) -> bool {
    reader.selection.is_none() && reader.filter.is_none() && reader.salvage.is_none()
}

/// Appends the values at a node of a shape that the rows of a reader become.
pub(super) fn extend<T: FromColumn>(
    reader: &Reader<'_>,
    node: NodeId,
    shape: &Shape,
    conversion: &Conversion,
    column: &mut T::Column,
) -> Result<()> {
    let mut kept = Kept::new(&reader.file);
    match reader.schema.only_leaf(&reader.part) {
        Some((id, own)) if *conversion == Conversion::Keep && is_of_all(reader) => {
            let vector = reader.all_rows(&reader.schema, &reader.part.at(own, id))?;
            match T::take(own, vector, column) {
                Some(vector) => {
                    let target = Target::all(own, &vector);
                    kept.take(vector.room(0, 0, Growth::Exact).saturating_add(target.weight(T::SIZE)))?;
                    T::append(&target, column)
                }
                None => Ok(()),
            }
        }
        _ => reader.batches()?.try_for_each(|batch| {
            let vector = conversion.apply(batch?.into_parts().1)?;
            let target = Target::all(shape, &vector).descend(node)?;
            kept.take(target.weight(T::SIZE))?;
            T::append(&target, column)
        }),
    }
}

/// Adds the path to the error of another type.
pub(super) fn named<T>(path: &str, done: Result<T>) -> Result<T> {
    match done.as_ref().map_err(Error::kind) {
        Err(ErrorKind::ColumnType { found, expected, .. }) => {
            Err(ErrorKind::ColumnType { path: format!("{path:?}"), found: found.clone(), expected }.into())
        }
        _ => done,
    }
}
