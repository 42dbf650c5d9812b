//! Paths into a shape: which nodes they mean.

use super::{NodeId, Tree};
use crate::error::{Error, ErrorKind, Result};
use crate::shape::Shape;

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

/// The nodes that a path means, at least one: a dot may be part of a name, and variants may share a short name,
/// so that there may be several.
///
/// # Errors
///
/// A path that is not there.
pub(crate) fn resolve<P: Path>(shape: &Shape, tree: &Tree, path: P) -> Result<Vec<NodeId>> {
    let mut found = Vec::new();
    Resolver { tree, found: &mut found }.find(shape, 0, path)?;
    Ok(found)
}

struct Resolver<'a> {
    tree: &'a Tree,
    found: &'a mut Vec<NodeId>,
}

impl Resolver<'_> {
    /// Finds what a path means at a node.
    fn find<P: Path>(&mut self, shape: &Shape, id: NodeId, path: P) -> Result<()> {
        if path.is_whole() {
            self.found.push(id);
            return Ok(());
        }
        let tree = self.tree;
        let mut below = Vec::new();
        for (child, id) in shape.children().zip(tree.children(id)) {
            let Some(name) = child.name else {
                return self.find(child.shape, id, path);
            };
            if let Some(rest) = path.rest_of(&name.full()).or_else(|| path.rest_of(name.name)) {
                below.push((name.name, child.shape, id, rest));
            }
        }
        let names = || shape.children().filter_map(|child| Some(child.name?.name)).collect::<Vec<_>>();
        self.find_any(below, || no_such(path, &names()))
    }

    /// Finds what a path means below some nodes; it must mean something below one of them.
    fn find_any<'s, P: Path>(
        &mut self,
        below: impl IntoIterator<Item = (&'s str, &'s Shape, NodeId, P)>,
        no_such: impl FnOnce() -> Error,
    ) -> Result<()> {
        let (mut found, mut failed) = (false, None);
        for (name, shape, id, rest) in below {
            match self.find(shape, id, rest) {
                Ok(()) => found = true,
                Err(error) => failed = Some(longer(error, name)),
            }
        }
        if found { Ok(()) } else { Err(failed.unwrap_or_else(no_such)) }
    }
}

/// What a path says about what is below a name, if it begins with the name.
pub(crate) fn rest_of<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    match path.strip_prefix(name)? {
        "" => Some(""),
        rest => rest.strip_prefix('.'),
    }
}

/// The error of a path that begins with none of these names.
#[cold]
pub(crate) fn no_such<P: Path>(path: P, names: &[&str]) -> Error {
    let head = path.head();
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
    ErrorKind::NoSuchPath { path: path.text(), hint }.into()
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
