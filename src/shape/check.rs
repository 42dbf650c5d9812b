//! Which shapes a file can have.

use super::{MAX_DEPTH, MapShape, Null, OptionalShape, Shape};
use crate::error::{Error, ErrorKind, Result};
use crate::shape::branch::{branch_name, is_wrapped};
use std::collections::{HashMap, HashSet};

/// The deepest nesting that a schema is read with.
const DEEPEST: usize = MAX_DEPTH + 2;

impl Shape {
    /// The shape of a finished file: what stayed unknown is null.
    #[must_use]
    pub(crate) fn settled(self) -> Self {
        let mut shape = self.finished();
        shape.replace(&Self::Null, |_, shape| *shape == Self::Unknown);
        shape
    }

    /// The same, but items of lists, values of maps and fields that no row has shown stay unknown. The nodes are those of
    /// the settled shape.
    #[must_use]
    pub(crate) fn finished(self) -> Self {
        if self == Self::Unknown { Self::Null } else { self.finished_below() }
    }

    fn finished_below(self) -> Self {
        match self {
            Self::Record(mut record) => {
                for field in &mut record.fields {
                    field.shape = std::mem::replace(&mut field.shape, Self::Null).finished_below();
                }
                Self::Record(record)
            }
            Self::List(item) => Self::List(Box::new(item.finished_below())),
            Self::Map(map) => {
                let key = match map.key {
                    Self::Unknown => Self::String,
                    key => key.finished_below(),
                };
                Self::Map(Box::new(MapShape { key, value: map.value.finished_below(), open: map.open }))
            }
            Self::Optional(optional) => match (optional.null, optional.item) {
                (Null::None | Null::Unseen, Self::Unknown) => Self::Null,
                (Null::Absent, item) => Self::Optional(Box::new(OptionalShape {
                    null: Null::Absent,
                    item: item.finished_below(),
                })),
                (_, item) => Self::optional(item.finished_below()),
            },
            Self::Union(variants) => Self::Union(variants.into_iter().map(Self::finished_below).collect()),
            simple => simple,
        }
    }

    /// What a file can say of this shape: what is unknown is null, and only a field of a record can be absent.
    #[must_use]
    pub(crate) fn normalized(self) -> Self {
        let mut shape = self.settled();
        shape.keep_absence();
        shape
    }

    /// Whether [`normalized`](Self::normalized) leaves the shape as it is.
    pub(crate) fn is_normalized(&self) -> bool {
        self.is_normal(false)
    }

    fn is_normal(&self, is_field: bool) -> bool {
        match self {
            Self::Unknown => false,
            Self::Record(record) => record.fields.iter().all(|field| field.shape.is_normal(true)),
            Self::List(item) => item.is_normal(false),
            Self::Map(map) => map.key.is_normal(false) && map.value.is_normal(false),
            Self::Optional(optional) => {
                let allowed = match optional.null {
                    Null::Unseen => false,
                    Null::None => true,
                    Null::Absent => is_field,
                };
                allowed && optional.item.is_normal(false)
            }
            Self::Union(variants) => variants.iter().all(|variant| variant.is_normal(false)),
            _ => true,
        }
    }

    /// Takes the mark of absence from all but fields of records.
    pub(crate) fn keep_absence(&mut self) {
        self.keep_absence_of(false);
    }

    fn keep_absence_of(&mut self, is_field: bool) {
        match self {
            Self::Record(record) => {
                record.fields.iter_mut().for_each(|field| field.shape.keep_absence_of(true));
            }
            Self::List(item) => item.keep_absence_of(false),
            Self::Map(map) => {
                let MapShape { key, value, .. } = &mut **map;
                key.keep_absence_of(false);
                value.keep_absence_of(false);
            }
            Self::Optional(optional) => {
                let OptionalShape { null, item, .. } = &mut **optional;
                if !is_field {
                    *null = Null::None;
                }
                item.keep_absence_of(false);
            }
            Self::Union(variants) => variants.iter_mut().for_each(|variant| variant.keep_absence_of(false)),
            _ => {}
        }
    }

    /// Checks that a writer takes rows of a shape that several files have together.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check), and a shape that is deeper than rows may be.
    pub(crate) fn check_joined(&self) -> Result<()> {
        self.check()?;
        if self.nesting() > MAX_DEPTH { Err(ErrorKind::TooDeep { limit: MAX_DEPTH }.into()) } else { Ok(()) }
    }

    /// Checks what a file of this shape needs.
    ///
    /// # Errors
    ///
    /// Two fields or two variants of one name, a null, an optional or a union as a variant, a logical type that its
    /// storage cannot have, and shapes nested too deep; with the path.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_below(1)
    }

    fn check_below(&self, depth: usize) -> Result<()> {
        if depth > DEEPEST {
            return Err(ErrorKind::TooDeep { limit: MAX_DEPTH }.into());
        }
        let below =
            |name: &str, shape: &Self| shape.check_below(depth + 1).map_err(|error| error.in_field(name));
        match self {
            Self::Record(record) => {
                let mut names = HashSet::with_capacity(record.fields.len());
                for field in &record.fields {
                    if !names.insert(&*field.name) {
                        return Err(ErrorKind::DuplicateField { field: field.name.to_string() }.into());
                    }
                    below(&field.name, &field.shape)?;
                }
                Ok(())
            }
            Self::List(item) => item.check_below(depth + 1),
            Self::Map(map) => below("key", &map.key).and_then(|()| below("value", &map.value)),
            Self::Optional(optional) => optional.item.check_below(depth + 1),
            Self::Union(variants) => {
                check_variants(variants)?;
                variants.iter().try_for_each(|variant| below(&branch_name(variant).full(), variant))
            }
            Self::Logical(shape) => shape.check(),
            _ => Ok(()),
        }
    }
}

/// Whether two variants of one name are one to a file, which gives types that differ names that differ.
fn clash(one: &Shape, two: &Shape) -> bool {
    let is_named =
        |shape: &Shape| matches!(shape.storage(), Shape::Record(_) | Shape::Enum(_) | Shape::Fixed(_));
    match (is_named(one), is_named(two)) {
        (false, false) => true,
        _ => one == two,
    }
}

fn check_variants(variants: &[Shape]) -> Result<()> {
    if variants.len() > usize::from(u16::MAX) {
        return Err(Error::vector("a union of more than 65,535 variants"));
    }
    let mut names: HashMap<_, Vec<&Shape>> = HashMap::with_capacity(variants.len());
    for variant in variants {
        if matches!(variant, Shape::Null | Shape::Unknown | Shape::Optional(_) | Shape::Union(_)) {
            return Err(Error::vector(format!(
                "a variant of a union is {}: put an optional around the union",
                variant.kind()
            )));
        }
        let name = branch_name(variant).full();
        // A map that is wrapped has a record of its own.
        if is_wrapped(variant) {
            continue;
        }
        let same = names.entry(name).or_default();
        if same.iter().any(|other| clash(variant, other)) {
            let name = branch_name(variant).full();
            return Err(Error::vector(format!("two variants of a union are both {name}")));
        }
        same.push(variant);
    }
    Ok(())
}
