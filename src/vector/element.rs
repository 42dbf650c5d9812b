//! Vectors from values: plain ones, and ones that may be missing.

use super::{Binaries, ListVector, MapVector, Offsets, RecordVector, Strings, UnionVector, Vector};
use crate::error::{Error, Result};

/// A type whose values make up a vector.
///
/// Implement it for a type of your own that is written as one of these, for example a time that is written as a
/// `long`.
pub trait Element: Sized {
    /// The vector of the values, in order.
    ///
    /// # Errors
    ///
    /// Values that are too large for one vector.
    fn collect(values: impl Iterator<Item = Self>) -> Result<Vector>;
}

macro_rules! plain {
    ($($element:ty: $kind:ident,)+) => {$(
        impl Element for $element {
            fn collect(values: impl Iterator<Item = Self>) -> Result<Vector> {
                Ok(Vector::$kind(values.collect()))
            }
        }

        impl From<Vec<$element>> for Vector {
            fn from(values: Vec<$element>) -> Self {
                Self::$kind(values)
            }
        }
    )+};
}

plain! {
    bool: Boolean,
    i32: Int,
    i64: Long,
    f32: Float,
    f64: Double,
}

macro_rules! blobs {
    ($($element:ty: $kind:ident $blobs:ident,)+) => {$(
        impl Element for $element {
            fn collect(values: impl Iterator<Item = Self>) -> Result<Vector> {
                $blobs::try_from_iter(values).map(Vector::$kind)
            }
        }
    )+};
}

blobs! {
    &str: String Strings,
    String: String Strings,
    &[u8]: Bytes Binaries,
    Vec<u8>: Bytes Binaries,
}

macro_rules! parts {
    ($($part:ty => $make:expr,)+) => {$(
        impl From<$part> for Vector {
            fn from(part: $part) -> Self {
                $make(part)
            }
        }
    )+};
}

parts! {
    Strings => Self::String,
    Binaries => Self::Bytes,
    RecordVector => Self::Record,
    UnionVector => Self::Union,
    MapVector => |map| Self::Map(Box::new(map)),
}

impl Vector {
    /// A vector of plain values.
    ///
    /// ```
    /// use trevni::Vector;
    ///
    /// assert_eq!(Vector::try_from_iter([1, 2])?, Vector::Int(vec![1, 2]));
    /// assert_eq!(Vector::try_from_iter(["a", "b"])?.len(), 2);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Strings or bytes of more than 4 GiB together.
    pub fn try_from_iter<T: Element>(values: impl IntoIterator<Item = T>) -> Result<Self> {
        T::collect(values.into_iter())
    }

    /// A vector of values that may be missing, for [`Shape::Optional`](crate::Shape::Optional).
    ///
    /// ```
    /// use trevni::Vector;
    ///
    /// let vector = Vector::try_from_options([Some(1.5), None, Some(2.5)])?;
    /// let Vector::Optional(list) = &vector else { unreachable!() };
    /// assert_eq!(list.item, Vector::Double(vec![1.5, 2.5]));
    /// assert_eq!(list.validity().collect::<Vec<_>>(), [true, false, true]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// More than [`u32::MAX`] values, and strings or bytes of more than 4 GiB together.
    pub fn try_from_options<T: Element>(values: impl IntoIterator<Item = Option<T>>) -> Result<Self> {
        let mut validity = Vec::new();
        let values = values.into_iter().inspect(|value| validity.push(value.is_some())).flatten();
        let item = T::collect(values)?;
        Self::try_optional(validity, item)
    }

    /// An optional vector from whether each entry is there, and the values of the entries that are, without gaps.
    ///
    /// # Errors
    ///
    /// More or fewer values than entries that are there.
    pub fn try_optional(validity: impl IntoIterator<Item = bool>, item: impl Into<Vector>) -> Result<Self> {
        let (offsets, item) = (Offsets::from_lengths(validity.into_iter().map(u32::from))?, item.into());
        if offsets.total() != item.len() {
            return Err(Error::vector(format!(
                "{} values for {} entries that are there",
                item.len(),
                offsets.total()
            )));
        }
        Ok(Self::Optional(Box::new(ListVector::new(offsets, item))))
    }

    /// A vector of lists, for [`Shape::List`](crate::Shape::List).
    #[must_use]
    pub fn list(offsets: Offsets, item: impl Into<Vector>) -> Self {
        Self::List(Box::new(ListVector::new(offsets, item.into())))
    }
}

impl ListVector {
    /// Lists of these items: `offsets.total()` of them, which [`Batch::try_new`](crate::Batch::try_new) checks.
    #[must_use]
    pub fn new(offsets: Offsets, item: Vector) -> Self {
        Self { offsets, item }
    }

    /// Whether each entry has items: for an optional, whether it is there.
    pub fn validity(&self) -> impl Iterator<Item = bool> + '_ {
        self.offsets.lengths().map(|length| length > 0)
    }
}

impl MapVector {
    /// Maps of these keys and values: `offsets.total()` of each.
    #[must_use]
    pub fn new(offsets: Offsets, key: Vector, value: Vector) -> Self {
        Self { offsets, key, value }
    }
}

impl RecordVector {
    /// `len` records of these fields, each of `len` entries.
    #[must_use]
    pub fn new(len: usize, fields: Vec<Vector>) -> Self {
        Self { len, earlier: false, fields }
    }
}

impl UnionVector {
    /// Entries of these variants, by number; `variants` has the values of each in order, without gaps.
    ///
    /// ```
    /// use trevni::vector::UnionVector;
    ///
    /// let union = UnionVector::new(vec![0, 1, 0], vec![vec![5, 7].into(), vec![true].into()]);
    /// assert_eq!(union.positions, [0, 0, 1]);
    /// ```
    #[must_use]
    pub fn new(tags: Vec<u16>, variants: Vec<Vector>) -> Self {
        let mut counts = vec![0u32; variants.len()];
        let position = |tag: &u16| match counts.get_mut(usize::from(*tag)) {
            Some(count) => std::mem::replace(count, count.saturating_add(1)),
            None => 0,
        };
        let positions = tags.iter().map(position).collect();
        Self { tags, positions, variants }
    }
}
