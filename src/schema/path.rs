//! Paths into a shape, and the part of a shape that some paths name.

use super::branch_name;
use super::columns::Layout;
use crate::error::{Error, ErrorKind, Result};
use crate::shape::{FieldShape, MapShape, OptionalShape, RecordShape, Shape};

/// A path into a shape: names of fields. Lists and optionals are passed through, a map has `key` and `value`,
/// a union the names of its variants.
pub(crate) trait Path: Copy {
    /// Whether it has no more names: it means all that is here.
    fn is_whole(self) -> bool;

    /// What it says of what is below a name, if it begins with the name.
    fn rest_of(self, name: &str) -> Option<Self>;

    /// The name that it begins with, as far as that can be told without the shape.
    fn head(&self) -> &str;

    /// The names joined by dots.
    fn text(self) -> String;
}

/// Names joined by dots. A dot may also be part of a name, so that a path may begin with several names.
impl Path for &str {
    fn is_whole(self) -> bool {
        self.is_empty()
    }

    fn rest_of(self, name: &str) -> Option<Self> {
        rest_of(self, name)
    }

    fn head(&self) -> &str {
        self.split('.').next().unwrap_or_default()
    }

    fn text(self) -> String {
        self.to_owned()
    }
}

/// Each name for itself.
impl Path for &[&str] {
    fn is_whole(self) -> bool {
        self.is_empty()
    }

    fn rest_of(self, name: &str) -> Option<Self> {
        let (first, rest) = self.split_first()?;
        (*first == name).then_some(rest)
    }

    fn head(&self) -> &str {
        self.first().copied().unwrap_or_default()
    }

    fn text(self) -> String {
        self.join(".")
    }
}

/// The part of a shape that paths name, and its columns.
///
/// # Errors
///
/// A path that is not there.
pub(crate) fn project(shape: &Shape, layout: &Layout, paths: &[&str]) -> Result<(Shape, Layout)> {
    part(shape, layout, paths)
}

/// As [`project`], of paths of any form.
pub(crate) fn part<P: Path>(shape: &Shape, layout: &Layout, paths: &[P]) -> Result<(Shape, Layout)> {
    if paths.is_empty() || paths.iter().any(|path| path.is_whole()) {
        return Ok((shape.clone(), layout.clone()));
    }
    match (shape, layout) {
        (Shape::Record(record), Layout::Record(layouts)) => {
            let names: Vec<&str> = record.fields.iter().map(|field| &*field.name).collect();
            let mut fields = Vec::new();
            let mut kept = Vec::new();
            for ((field, layout), below) in record.fields.iter().zip(layouts).zip(split(&names, paths)?) {
                if below.is_empty() {
                    continue;
                }
                let (shape, layout) =
                    part(&field.shape, layout, &below).map_err(|e| longer(e, &field.name))?;
                fields.push(FieldShape { name: field.name.clone(), shape });
                kept.push(layout);
            }
            let record = RecordShape { fields, ..record.clone() };
            Ok((Shape::Record(record), Layout::Record(kept)))
        }
        (Shape::List(item), Layout::Array { column, item: Some(below) }) => {
            let (item, below) = part(item, below, paths)?;
            Ok((Shape::List(Box::new(item)), Layout::Array { column: *column, item: Some(Box::new(below)) }))
        }
        (Shape::Optional(optional), Layout::Array { column, item: Some(below) }) => {
            let (item, below) = part(&optional.item, below, paths)?;
            let optional = OptionalShape { null: optional.null, item };
            let layout = Layout::Array { column: *column, item: Some(Box::new(below)) };
            Ok((Shape::Optional(Box::new(optional)), layout))
        }
        (Shape::Optional(optional), Layout::Union(branches)) => match &optional.item {
            Shape::Union(variants) => {
                let (item, layout) = part_of_union(variants, branches, paths)?;
                Ok((Shape::Optional(Box::new(OptionalShape { null: optional.null, item })), layout))
            }
            _ => Err(no_such(paths, &[])),
        },
        // Where other variants are left out, their rows have no value.
        (Shape::Union(variants), Layout::Union(branches)) => {
            let (item, layout) = part_of_union(variants, branches, paths)?;
            Ok((Shape::optional(item), layout))
        }
        (Shape::Map(map), Layout::Map { column, key, value }) => {
            let below = split(&["key", "value"], paths)?;
            let half = |shape: &Shape, layout: &Layout, at: usize, name: &str| match below.get(at) {
                Some(paths) if !paths.is_empty() => part(shape, layout, paths).map_err(|e| longer(e, name)),
                // The other half is kept, or a map could not be read as one.
                _ => Ok((shape.clone(), layout.clone())),
            };
            let (key, key_layout) = half(&map.key, key, 0, "key")?;
            let (value, value_layout) = half(&map.value, value, 1, "value")?;
            let layout =
                Layout::Map { column: *column, key: Box::new(key_layout), value: Box::new(value_layout) };
            Ok((Shape::Map(Box::new(MapShape { key, value })), layout))
        }
        _ => Err(no_such(paths, &[])),
    }
}

/// The number of the column that a path names, one without lengths.
///
/// # Errors
///
/// A path that is not there, or is not a single column of values.
pub(crate) fn leaf(shape: &Shape, layout: &Layout, path: &str) -> Result<usize> {
    let (_, mut layout) = project(shape, layout, &[path])?;
    loop {
        layout = match layout {
            Layout::Leaf(number) => return Ok(number),
            Layout::Record(mut fields) if fields.len() == 1 && !path.is_empty() => fields.remove(0),
            _ => return Err(Error::option(format!("{path:?} is not a single column without lengths"))),
        }
    }
}

/// The variants that paths name. Several may share a short name; then those count that have the rest.
fn part_of_union<P: Path>(variants: &[Shape], branches: &[Layout], paths: &[P]) -> Result<(Shape, Layout)> {
    let mut kept: Vec<Option<(Shape, Layout)>> = vec![None; variants.len()];
    let mut below: Vec<Vec<P>> = vec![Vec::new(); variants.len()];
    for path in paths {
        let mut failed = None;
        let mut found = false;
        for ((variant, branch), below) in variants.iter().zip(branches).zip(&mut below) {
            let name = branch_name(variant);
            let Some(rest) = path.rest_of(&name.full()).or_else(|| path.rest_of(name.name)) else {
                continue;
            };
            match part_of_branch(variant, branch, &[rest]) {
                Ok(_) => {
                    found = true;
                    below.push(rest);
                }
                Err(error) => failed = Some(longer(error, name.name)),
            }
        }
        if !found {
            let names: Vec<&str> = variants.iter().map(|variant| branch_name(variant).name).collect();
            return Err(failed.unwrap_or_else(|| no_such(&[*path], &names)));
        }
    }
    let parts = variants.iter().zip(branches).zip(&below).zip(&mut kept);
    for (((variant, branch), below), kept) in parts.filter(|((_, below), _)| !below.is_empty()) {
        *kept = Some(part_of_branch(variant, branch, below)?);
    }
    let (shapes, layouts) = kept.into_iter().flatten().unzip();
    Ok((Shape::Union(shapes), Layout::Union(layouts)))
}

fn part_of_branch<P: Path>(variant: &Shape, branch: &Layout, paths: &[P]) -> Result<(Shape, Layout)> {
    match branch {
        _ if paths.iter().any(|path| path.is_whole()) => Ok((variant.clone(), branch.clone())),
        Layout::Array { column, item: Some(item) } => {
            let (variant, item) = part(variant, item, paths)?;
            Ok((variant, Layout::Array { column: *column, item: Some(Box::new(item)) }))
        }
        _ => Err(no_such(paths, &[])),
    }
}

/// What a path says about what is below a name, if it begins with the name.
pub(crate) fn rest_of<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    match path.strip_prefix(name)? {
        "" => Some(""),
        rest => rest.strip_prefix('.'),
    }
}

/// For each name, what the paths that begin with it say about what is below.
fn split<P: Path>(names: &[&str], paths: &[P]) -> Result<Vec<Vec<P>>> {
    let mut below = vec![Vec::new(); names.len()];
    for path in paths {
        let mut found = false;
        for (name, below) in names.iter().zip(&mut below) {
            if let Some(rest) = path.rest_of(name) {
                below.push(rest);
                found = true;
            }
        }
        if !found {
            return Err(no_such(std::slice::from_ref(path), names));
        }
    }
    Ok(below)
}

/// The error of paths of which the first begins with none of these names.
#[cold]
pub(crate) fn no_such<P: Path>(paths: &[P], names: &[&str]) -> Error {
    let path = paths.first().map_or(String::new(), |path| path.text());
    let head = paths.first().map_or("", P::head);
    let near = names.iter().min_by_key(|name| distance(name, head));
    let hint = match (near, names.len()) {
        (Some(near), _) if distance(near, head) <= head.len().div_ceil(3) => {
            format!("did you mean {near:?}?")
        }
        (_, 0) => "there are no fields here".to_owned(),
        (_, count) => {
            let shown = names.iter().take(12).copied().collect::<Vec<_>>().join(", ");
            format!(
                "there {} {shown}{}",
                if count == 1 { "is" } else { "are" },
                if count > 12 { ", …" } else { "" }
            )
        }
    };
    ErrorKind::NoSuchPath { path, hint }.into()
}

/// Puts a name in front of the path that was not found.
#[cold]
fn longer(error: Error, name: &str) -> Error {
    match error.kind() {
        ErrorKind::NoSuchPath { path, hint } => {
            ErrorKind::NoSuchPath { path: format!("{name}.{path}"), hint: hint.clone() }.into()
        }
        _ => error,
    }
}

/// Edits that turn one name into the other.
fn distance(one: &str, two: &str) -> usize {
    let two: Vec<char> = two.chars().collect();
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in two.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}
