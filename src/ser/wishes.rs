//! Logical types that are wanted at some paths of rows whose shape grows.

use crate::error::{Error, ErrorKind, Result};
use crate::logical::{PRECISION_MAX, Pushed, Texts, style_of};
use crate::path::{PathName, format, parse, targets};
use crate::shape::branch::branch_name;
use crate::shape::{Logical, LogicalShape, Shape, StringStyle};
use crate::tree::places::each;
use crate::vector::Vector;
use std::collections::HashMap;

/// Paths with the logical types that are wanted there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wishes(Vec<(String, Logical)>);

impl Wishes {
    /// Wants a logical type at a path.
    pub(crate) fn add(&mut self, path: &str, logical: Logical) {
        self.0.push((path.to_owned(), logical));
    }

    /// Checks that there is one type for each path, and that values can be it.
    ///
    /// # Errors
    ///
    /// Two types for one path; decimals that no text can have.
    pub(crate) fn check_types(&self) -> Result<()> {
        let mut types: HashMap<String, &Logical> = HashMap::new();
        for (path, logical) in &self.0 {
            if let Logical::Decimal { precision, scale } = logical
                && (!(1..=PRECISION_MAX).contains(precision) || scale > precision)
            {
                return Err(Error::option(format!(
                    "{logical} is wanted at {path:?}: the precision is from 1 to {PRECISION_MAX}, the scale at most the precision"
                )));
            }
            match types.insert(format(parse(path)?.iter().map(PathName::text)), logical) {
                Some(other) if other != logical => {
                    let message = format!("{other} and {logical} are wanted at {path:?}: one of them");
                    return Err(Error::option(message));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The paths, as they were given.
    pub(super) fn paths(&self) -> impl Iterator<Item = String> + '_ {
        self.0.iter().map(|(path, _)| path.clone())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes what has appeared at the paths values of the logical types.
    ///
    /// # Errors
    ///
    /// A value that does not fit the logical type; the contents are unknown then.
    pub(crate) fn fulfil(&self, shape: &mut Shape, vector: &mut Vector) -> Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        let wanted = self.0.iter().map(|(path, logical)| (targets(shape, path), logical)).collect();
        Walk { wanted, names: Vec::new() }.node(shape, vector)
    }

    /// A shape with the logical types; `vector` is without values.
    pub(crate) fn fulfilled(&self, mut shape: Shape) -> Result<Shape> {
        let mut vector = Vector::new(&shape);
        self.fulfil(&mut shape, &mut vector)?;
        Ok(shape)
    }

    /// Checks that there is something at each path.
    ///
    /// # Errors
    ///
    /// A path that the shape does not have, or where it has no such type.
    pub(crate) fn check(&self, shape: &Shape) -> Result<()> {
        if *shape == Shape::Unknown {
            return Ok(());
        }
        for (path, _) in &self.0 {
            let (targets, mut is_there) = (targets(shape, path), false);
            each(shape, |_, shape, names| {
                let is_leaf = matches!(shape, Shape::Logical(_) | Shape::Unknown | Shape::Null);
                is_there |= is_leaf && targets.contains(&names.exact());
            });
            if !is_there {
                return Err(Error::option(format!("no values of a logical type are at {path:?}")));
            }
        }
        Ok(())
    }
}

/// A walk through rows to the places where logical types are wanted.
struct Walk<'w> {
    /// The exact names of each place, and the type.
    wanted: Vec<(Vec<Vec<String>>, &'w Logical)>,
    names: Vec<String>,
}

impl Walk<'_> {
    fn node(&mut self, shape: &mut Shape, vector: &mut Vector) -> Result<()> {
        let is_around = |target: &Vec<String>| target.starts_with(&self.names);
        if !self.wanted.iter().any(|(targets, _)| targets.iter().any(is_around)) {
            return Ok(());
        }
        match (shape, vector) {
            (Shape::Record(record), Vector::Record(vector)) => {
                for (field, vector) in record.fields.iter_mut().zip(&mut vector.fields) {
                    self.below(field.name.to_string(), &mut field.shape, vector)?;
                }
                Ok(())
            }
            (Shape::List(item), Vector::List(list)) => self.node(item, &mut list.item),
            (Shape::Optional(optional), Vector::Optional(list)) => {
                self.node(&mut optional.item, &mut list.item)
            }
            (Shape::Map(map), Vector::Map(vector)) => {
                self.below("key".to_owned(), &mut map.key, &mut vector.key)?;
                self.below("value".to_owned(), &mut map.value, &mut vector.value)
            }
            (Shape::Union(variants), Vector::Union(union)) => {
                for (variant, vector) in variants.iter_mut().zip(&mut union.variants) {
                    let name = branch_name(variant).full().into_owned();
                    self.below(name, variant, vector)?;
                }
                Ok(())
            }
            (Shape::Logical(_) | Shape::Unknown | Shape::Null, _) => Ok(()),
            (shape, vector) => match self.wanted.iter().find(|(targets, _)| targets.contains(&self.names)) {
                Some((_, logical)) => become_logical(logical, shape, vector)
                    .map_err(|error| in_path(error, &format(&self.names))),
                None => Ok(()),
            },
        }
    }

    fn below(&mut self, name: String, shape: &mut Shape, vector: &mut Vector) -> Result<()> {
        self.names.push(name);
        let done = self.node(shape, vector);
        self.names.pop();
        done
    }
}

/// Adds the names of a path to an error.
#[cold]
fn in_path(error: Error, path: &str) -> Error {
    if path.is_empty() { error } else { error.in_field(path) }
}

/// Makes a leaf a logical type, with its values.
fn become_logical(logical: &Logical, shape: &mut Shape, vector: &mut Vector) -> Result<()> {
    let storage = match (logical, &*shape) {
        (logical, storage) if logical.fits(storage) && *storage != Shape::String => storage.clone(),
        (logical, _) => logical.storage().ok_or_else(|| no_storage(logical, shape))?,
    };
    let style = first_style(logical, vector);
    let new = LogicalShape { style, ..LogicalShape::unchecked(logical.clone(), storage) };
    let values = std::mem::replace(vector, Vector::new(&new.storage));
    match fill(&new, shape, &values, vector) {
        Ok(()) => {
            *shape = Shape::Logical(Box::new(new));
            Ok(())
        }
        Err(error) => {
            (*shape, *vector) = (Shape::Unknown, Vector::Null(0));
            Err(error)
        }
    }
}

/// The style of the first string, where there is one.
fn first_style(logical: &Logical, vector: &Vector) -> StringStyle {
    let first = match vector {
        Vector::String(strings) if logical.has_styles() => strings.iter().next(),
        _ => None,
    };
    first.map_or(StringStyle::Iso, style_of)
}

fn fill(new: &LogicalShape, old: &Shape, values: &Vector, vector: &mut Vector) -> Result<()> {
    if new.storage == *old {
        *vector = values.clone();
        return Ok(());
    }
    let refuse = |found: String| does_not_fit(&new.logical, found);
    let Some(texts) = Texts::from_shape(new) else {
        return Err(refuse(old.kind().to_owned()));
    };
    let mut integers = |values: &mut dyn Iterator<Item = i128>| {
        for value in values {
            if texts.push_integer(value, vector) != Pushed::Yes {
                return Err(refuse(format!("integer {value}")));
            }
        }
        Ok(())
    };
    match (old, values) {
        (Shape::Int, Vector::Int(values)) => integers(&mut values.iter().map(|value| i128::from(*value))),
        (Shape::Long, Vector::Long(values)) => integers(&mut values.iter().map(|value| i128::from(*value))),
        (Shape::U64, Vector::Long(values)) => {
            integers(&mut values.iter().map(|value| i128::from(value.cast_unsigned())))
        }
        (Shape::String, Vector::String(values)) => {
            for text in values.iter() {
                if texts.push(text, vector) != Pushed::Yes {
                    return Err(refuse(format!("string {text:?}")));
                }
            }
            Ok(())
        }
        (Shape::Bytes, Vector::Bytes(values)) => {
            let Shape::Fixed(fixed) = &new.storage else {
                return Err(refuse("bytes".to_owned()));
            };
            if let Some(other) = values.iter().find(|value| value.len() != fixed.size) {
                return Err(refuse(format!("{} bytes", other.len())));
            }
            *vector = Vector::Bytes(values.clone());
            Ok(())
        }
        _ => Err(refuse(old.kind().to_owned())),
    }
}

#[cold]
fn does_not_fit(logical: &Logical, found: String) -> Error {
    ErrorKind::DoesNotFit { expected: logical.to_string(), found }.into()
}

#[cold]
fn no_storage(logical: &Logical, shape: &Shape) -> Error {
    does_not_fit(logical, shape.kind().to_owned())
}
