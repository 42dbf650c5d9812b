//! How values of one shape become values of another that has them all, as a joined shape has.
//!
//! A [`Conversion`] is found once for two shapes, and then applied to vectors: of batches that are merged, of rows that wait
//! while their shape grows, of blocks that a grown column has, of rows that become Arrow arrays of a common schema.

mod apply;
mod leaf;
#[cfg(test)]
mod tests;

pub(crate) use leaf::Leaf;

use crate::error::{Error, Result};
use crate::shape::branch::branch_name;
use crate::shape::join::{Meet, Rules, meet};
use crate::shape::{FieldShape, Form, MapShape, Name, Null, OptionalShape, RecordShape, Shape};
use crate::sort;
use std::collections::HashMap;

/// How values of a shape become values of another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Conversion {
    /// They are such values.
    Keep,
    /// Each value of a leaf becomes another.
    Leaf(Leaf),
    /// Nulls become those of an optional of this item.
    Nulls(Shape),
    /// Where there is no entry, none becomes one of this shape.
    Never(Shape),
    /// Values become such that are there.
    Some(Box<Conversion>),
    /// Values that are there are converted.
    Optional(Box<Conversion>),
    /// Values become entries of one variant of a union of these.
    Variant {
        tag: u16,
        conversion: Box<Conversion>,
        variants: Vec<Shape>,
    },
    /// Entries of a union of one variant become values of that.
    Only(Box<Conversion>),
    /// Entries of a variant become entries of another, by its number here.
    Variants {
        tags: Vec<(u16, Conversion)>,
        variants: Vec<Shape>,
    },
    /// The fields of a record, in their order.
    Record(Vec<Part>),
    List(Box<Conversion>),
    /// Keys and values.
    Map(Box<(Conversion, Conversion)>),
    /// Records without fields become maps without entries.
    EmptyMaps(Box<MapShape>),
    /// Fields of records that are there become entries of maps.
    Entries(Box<Entries>),
}

/// How fields become entries.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entries {
    /// The fields, in the order of the record.
    fields: Vec<Entry>,
    /// Names become keys.
    key: Conversion,
    /// What the values become.
    value: Shape,
}

impl Entries {
    /// What becomes of the values of each field, in the order of the record, and whether they are in an optional.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&Conversion, bool)> {
        self.fields.iter().map(|field| (&field.conversion, field.may_lack))
    }
}

/// A field that becomes an entry.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    name: Name,
    /// Whether it is absent from some rows, which have no entry then.
    may_lack: bool,
    conversion: Conversion,
}

/// A field of a record that values become.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    /// The field of a name, at a position of the record that they were.
    Of { at: usize, name: Name, conversion: Conversion },
    /// Absent, of an optional of this item.
    Absent(Shape),
}

impl Conversion {
    /// How values of `from` become values of `to`; `None` where `to` does not have them all.
    pub(crate) fn between(from: &Shape, to: &Shape) -> Option<Self> {
        if from == to {
            return Some(Self::Keep);
        }
        match (from, to) {
            (Shape::Null | Shape::Unknown, Shape::Null | Shape::Unknown) => Some(Self::Keep),
            (Shape::Unknown, to) => Some(Self::Never(to.clone())),
            (Shape::Null, Shape::Optional(to)) if to.null != Null::Absent => {
                Some(Self::Nulls(to.item.clone()))
            }
            (Shape::Optional(from), Shape::Optional(to)) if !is_around(from, to) => {
                let conversion = Self::between(&from.item, &to.item)?;
                Some(Self::kept(conversion, |conversion| Self::Optional(Box::new(conversion))))
            }
            (from, Shape::Optional(to)) => Some(Self::Some(Box::new(Self::between(from, &to.item)?))),
            (Shape::Union(from), Shape::Union(to)) => Self::variants(from, to),
            (from, Shape::Union(to)) => {
                let (tag, conversion) = Self::variant(from, to)?;
                Some(Self::Variant { tag, conversion: Box::new(conversion), variants: to.clone() })
            }
            (Shape::Union(from), to) => match &from[..] {
                [only] => Some(Self::Only(Box::new(Self::between(only, to)?))),
                _ => None,
            },
            (Shape::Record(from), Shape::Record(to)) => Self::record(from, to),
            (Shape::Record(from), Shape::Map(to)) if from.fields.is_empty() && !from.form.is_variant() => {
                Some(Self::EmptyMaps(to.clone()))
            }
            (Shape::Record(from), Shape::Map(to)) if from.form == Form::Struct => Self::entries(from, to),
            (Shape::List(from), Shape::List(to)) => {
                let conversion = Self::between(from, to)?;
                Some(Self::kept(conversion, |conversion| Self::List(Box::new(conversion))))
            }
            (Shape::Map(from), Shape::Map(to)) => Self::map(from, to),
            (from, to) => Leaf::between(from, to),
        }
    }

    /// The same for rows of a file, which may have no rows: then the shape says nothing.
    ///
    /// # Errors
    ///
    /// A shape that lacks values of the file.
    pub(crate) fn from_rows(rows: u64, from: &Shape, to: &Shape) -> Result<Self> {
        match Self::between(from, to) {
            Some(conversion) => Ok(conversion),
            None if rows == 0 => Ok(Self::Never(to.clone())),
            None => Err(Error::internal("the joined shape lacks values of a file")),
        }
    }

    /// Whether values of leaves become others.
    pub(crate) fn changes_values(&self) -> bool {
        match self {
            Self::Keep | Self::Nulls(_) | Self::Never(_) | Self::EmptyMaps(_) => false,
            Self::Leaf(_) | Self::Entries(_) => true,
            Self::Some(below) | Self::Optional(below) | Self::Only(below) | Self::List(below) => {
                below.changes_values()
            }
            Self::Variant { conversion, .. } => conversion.changes_values(),
            Self::Variants { tags, .. } => tags.iter().any(|(_, below)| below.changes_values()),
            Self::Map(halves) => halves.0.changes_values() || halves.1.changes_values(),
            Self::Record(parts) => parts.iter().any(|part| match part {
                Part::Of { conversion, .. } => conversion.changes_values(),
                Part::Absent(_) => false,
            }),
        }
    }

    /// A conversion that keeps all that is below, or what has the other below.
    fn kept(self, around: impl FnOnce(Self) -> Self) -> Self {
        if self == Self::Keep { self } else { around(self) }
    }

    /// The variant that values of a shape become: the one of its name, or else the first that rows of both would share, or
    /// the first that has them at all. Values of a logical type rather become strings than what they are stored as.
    fn variant(from: &Shape, to: &[Shape]) -> Option<(u16, Self)> {
        let name = branch_name(from);
        let rank = |shape: &Shape| match meet(from, shape, Rules::ROWS) {
            Meet::Together | Meet::As(_) if branch_name(shape) == name => 0,
            Meet::Together | Meet::As(_) => 1,
            Meet::Strings if *shape == Shape::String => 2,
            _ => 3,
        };
        let mut variants: Vec<(u16, &Shape)> = (0..).zip(to).collect();
        sort::by_key(&mut variants, |(_, shape)| rank(shape));
        let mut variants = variants.into_iter();
        variants.find_map(|(tag, shape)| Some((tag, Self::between(from, shape)?)))
    }

    fn variants(from: &[Shape], to: &[Shape]) -> Option<Self> {
        let tags = from.iter().map(|variant| Self::variant(variant, to)).collect::<Option<Vec<_>>>()?;
        let is_same = from.len() == to.len()
            && (0..).zip(&tags).all(|(at, (tag, conversion))| *tag == at && *conversion == Self::Keep);
        Some(if is_same { Self::Keep } else { Self::Variants { tags, variants: to.to_vec() } })
    }

    fn record(from: &RecordShape, to: &RecordShape) -> Option<Self> {
        if from.form != to.form || from.form.is_variant() && from.name != to.name {
            return None;
        }
        let names: HashMap<&str, (usize, &Shape)> =
            (0..).zip(&from.fields).map(|(at, field)| (&*field.name, (at, &field.shape))).collect();
        let part = |field: &FieldShape| match (names.get(&*field.name), &field.shape) {
            (Some((at, own)), shape) => {
                Some(Part::Of { at: *at, name: field.name.clone(), conversion: Self::between(own, shape)? })
            }
            (None, Shape::Optional(optional)) => Some(Part::Absent(optional.item.clone())),
            (None, _) => None,
        };
        let parts = to.fields.iter().map(part).collect::<Option<Vec<_>>>()?;
        let is_found = |part: &&Part| matches!(part, Part::Of { .. });
        if parts.iter().filter(is_found).count() < from.fields.len() {
            return None;
        }
        let is_kept = |(own, part): (usize, &Part)| matches!(part, Part::Of { at, conversion: Self::Keep, .. } if *at == own);
        Some(if (0..).zip(&parts).all(is_kept) { Self::Keep } else { Self::Record(parts) })
    }

    fn entries(from: &RecordShape, to: &MapShape) -> Option<Self> {
        let entry = |field: &FieldShape| {
            let (shape, may_lack) = field.shape.present();
            Some(Entry { name: field.name.clone(), may_lack, conversion: Self::between(shape, &to.value)? })
        };
        let fields = from.fields.iter().map(entry).collect::<Option<Vec<_>>>()?;
        let key = Self::between(&Shape::String, &to.key)?;
        Some(Self::Entries(Box::new(Entries { fields, key, value: to.value.clone() })))
    }

    fn map(from: &MapShape, to: &MapShape) -> Option<Self> {
        // The keys of maps without entries are not known.
        let is_empty = from.value == Shape::Unknown;
        let key =
            Self::between(&from.key, &to.key).or_else(|| is_empty.then(|| Self::Never(to.key.clone())))?;
        match (key, Self::between(&from.value, &to.value)?) {
            (Self::Keep, Self::Keep) => Some(Self::Keep),
            halves => Some(Self::Map(Box::new(halves))),
        }
    }
}

/// Whether an optional of absence is around one of null.
fn is_around(from: &OptionalShape, to: &OptionalShape) -> bool {
    to.null == Null::Absent && from.null != Null::Absent && matches!(to.item, Shape::Optional(_))
}
