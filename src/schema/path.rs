//! Paths into a shape, and the part of a shape that some paths name.

use super::branch_name;
use super::columns::Layout;
use crate::error::{Error, ErrorKind, Result};
use crate::shape::{FieldShape, MapShape, OptionalShape, RecordShape, Shape};

/// The part of a shape that paths name, and its columns.
///
/// A path is names of fields joined by dots. Lists and optionals are passed through, a map has `key`
/// and `value`, a union the names of its variants. The empty path is all.
///
/// # Errors
///
/// A path that is not there.
pub(crate) fn project(shape: &Shape, layout: &Layout, paths: &[&str]) -> Result<(Shape, Layout)> {
    if paths.is_empty() || paths.contains(&"") {
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
                    project(&field.shape, layout, &below).map_err(|e| longer(e, &field.name))?;
                fields.push(FieldShape { name: field.name.clone(), shape });
                kept.push(layout);
            }
            let record = RecordShape { fields, ..record.clone() };
            Ok((Shape::Record(record), Layout::Record(kept)))
        }
        (Shape::List(item), Layout::Array { column, item: Some(below) }) => {
            let (item, below) = project(item, below, paths)?;
            Ok((Shape::List(Box::new(item)), Layout::Array { column: *column, item: Some(Box::new(below)) }))
        }
        (Shape::Optional(optional), Layout::Array { column, item: Some(below) }) => {
            let (item, below) = project(&optional.item, below, paths)?;
            let optional = OptionalShape { null: optional.null, item };
            let layout = Layout::Array { column: *column, item: Some(Box::new(below)) };
            Ok((Shape::Optional(Box::new(optional)), layout))
        }
        (Shape::Optional(optional), Layout::Union(branches)) => match &optional.item {
            Shape::Union(variants) => {
                let (item, layout) = project_union(variants, branches, paths)?;
                Ok((Shape::Optional(Box::new(OptionalShape { null: optional.null, item })), layout))
            }
            _ => Err(no_such(paths, &[])),
        },
        // Where other variants are left out, their rows have no value.
        (Shape::Union(variants), Layout::Union(branches)) => {
            let (item, layout) = project_union(variants, branches, paths)?;
            Ok((Shape::optional(item), layout))
        }
        (Shape::Map(map), Layout::Map { column, key, value }) => {
            let below = split(&["key", "value"], paths)?;
            let part = |shape: &Shape, layout: &Layout, at: usize, name: &str| match below.get(at) {
                Some(paths) if !paths.is_empty() => {
                    project(shape, layout, paths).map_err(|e| longer(e, name))
                }
                // The other half is kept, or a map could not be read as one.
                _ => Ok((shape.clone(), layout.clone())),
            };
            let (key, key_layout) = part(&map.key, key, 0, "key")?;
            let (value, value_layout) = part(&map.value, value, 1, "value")?;
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
fn project_union(variants: &[Shape], branches: &[Layout], paths: &[&str]) -> Result<(Shape, Layout)> {
    let mut kept: Vec<Option<(Shape, Layout)>> = vec![None; variants.len()];
    let mut below: Vec<Vec<&str>> = vec![Vec::new(); variants.len()];
    for path in paths {
        let mut failed = None;
        let mut found = false;
        for ((variant, branch), below) in variants.iter().zip(branches).zip(&mut below) {
            let name = branch_name(variant);
            let Some(rest) = rest_of(path, &name.full()).or_else(|| rest_of(path, name.name)) else {
                continue;
            };
            match project_branch(variant, branch, &[rest]) {
                Ok(_) => {
                    found = true;
                    below.push(rest);
                }
                Err(error) => failed = Some(longer(error, name.name)),
            }
        }
        if !found {
            let names: Vec<&str> = variants.iter().map(|variant| branch_name(variant).name).collect();
            return Err(failed.unwrap_or_else(|| no_such(&[path], &names)));
        }
    }
    let parts = variants.iter().zip(branches).zip(&below).zip(&mut kept);
    for (((variant, branch), below), kept) in parts.filter(|((_, below), _)| !below.is_empty()) {
        *kept = Some(project_branch(variant, branch, below)?);
    }
    let (shapes, layouts) = kept.into_iter().flatten().unzip();
    Ok((Shape::Union(shapes), Layout::Union(layouts)))
}

fn project_branch(variant: &Shape, branch: &Layout, paths: &[&str]) -> Result<(Shape, Layout)> {
    match branch {
        _ if paths.contains(&"") => Ok((variant.clone(), branch.clone())),
        Layout::Array { column, item: Some(item) } => {
            let (variant, item) = project(variant, item, paths)?;
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
fn split<'p>(names: &[&str], paths: &[&'p str]) -> Result<Vec<Vec<&'p str>>> {
    let mut below = vec![Vec::new(); names.len()];
    for path in paths {
        let mut found = false;
        for (name, below) in names.iter().zip(&mut below) {
            if let Some(rest) = rest_of(path, name) {
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
pub(crate) fn no_such(paths: &[&str], names: &[&str]) -> Error {
    let path = paths.first().copied().unwrap_or_default().to_owned();
    let head = path.split('.').next().unwrap_or_default();
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
