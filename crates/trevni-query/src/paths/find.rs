//! Finds fields in a shape.

use super::{FieldPath, Lost, PathPart};
use trevni::{MapShape, Shape};

/// What paths begin at, or lead to: a value, or an entry of a map.
#[derive(Clone, Copy, Debug)]
pub enum Root<'s> {
    /// A value of a shape.
    Shape(&'s Shape),
    /// An entry of a map, with a `key` and a `value`.
    Entry(&'s MapShape),
}

/// What a path names.
#[derive(Clone, Debug)]
pub(crate) struct Found<'s> {
    pub(crate) path: FieldPath,
    pub(crate) root: Root<'s>,
}

/// What a path names; with globs, all that fits. `from` is where it begins.
///
/// Where dots can be read in several ways, that counts which parts most, from the left. A path through a union may
/// skip the name of a branch that is a record; where several have the rest of it, it names all of these.
pub(crate) fn find<'s>(from: Found<'s>, parts: &[PathPart]) -> Result<Vec<Found<'s>>, Lost> {
    descend(from, parts, false)
}

/// All that a path may mean, by all ways to read its dots.
pub(crate) fn all<'s>(from: Found<'s>, parts: &[PathPart]) -> Vec<Found<'s>> {
    descend(from, parts, true).unwrap_or_default()
}

fn descend<'s>(from: Found<'s>, parts: &[PathPart], every: bool) -> Result<Vec<Found<'s>>, Lost> {
    if parts.is_empty() {
        return Ok(vec![from]);
    }
    let named = from.named();
    let (mut all, mut lost) = (Vec::new(), None);
    for taken in 1..=parts.len() {
        let (first, rest) = parts.split_at(taken);
        let part = PathPart::joined(first);
        for child in named.iter().filter(|child| child.fits(&part)) {
            match descend(child.found.clone(), rest, every) {
                Ok(found) => all.extend(found),
                Err(error) => lost = lost.or(Some(error)),
            }
        }
        if !all.is_empty() && !every {
            break;
        }
    }
    let branches = || named.iter().filter(|child| child.is_record_branch());
    if all.is_empty() {
        let through = branches().filter_map(|child| descend(child.found.clone(), parts, every).ok());
        all = through.flatten().collect();
    }
    match all.is_empty() {
        false => Ok(all),
        true => Err(lost.unwrap_or_else(|| {
            let within = branches().flat_map(|child| child.found.children());
            let within: Vec<FieldPath> = within.map(|found| found.path).collect();
            let names = named.iter().map(|child| child.found.path.clone()).chain(within).collect();
            Lost { name: parts.first().map_or(String::new(), PathPart::shown), names }
        })),
    }
}

/// What an expression's path names, which must be one thing.
pub(crate) fn find_one<'s>(from: Found<'s>, parts: &[PathPart]) -> Result<Found<'s>, Lost> {
    let mut found = find(from, parts)?;
    match found.len() {
        1 => Ok(found.remove(0)),
        _ => Err(Lost { name: String::new(), names: found.into_iter().map(|found| found.path).collect() }),
    }
}

/// The paths, somewhere within a value, that end with a name.
pub(super) fn anywhere(from: &Found<'_>, name: &str) -> Vec<FieldPath> {
    let (mut found, mut open) = (Vec::new(), vec![from.clone()]);
    while let Some(next) = open.pop() {
        for child in next.children().into_iter().rev() {
            let is_so = child.path.names().last().is_some_and(|own| own.eq_ignore_ascii_case(name));
            if is_so && found.len() < ANYWHERE {
                found.push(child.path.clone());
            }
            open.push(child);
        }
    }
    found
}

/// Paths that are suggested at most.
const ANYWHERE: usize = 3;

impl<'s> Found<'s> {
    /// The row itself.
    pub(crate) fn row(shape: &'s Shape) -> Self {
        Self { path: FieldPath::default(), root: Root::Shape(shape) }
    }

    /// The items of a list, or the entries of a map, whose paths go on from here.
    pub(crate) fn items(&self) -> Option<Self> {
        let mut root = self.root;
        while let Root::Shape(Shape::Optional(optional)) = root {
            root = Root::Shape(&optional.item);
        }
        let root = match root {
            Root::Shape(Shape::List(item)) => Root::Shape(item),
            Root::Shape(Shape::Map(map)) => Root::Entry(map),
            _ => return None,
        };
        Some(Self { path: self.path.clone(), root })
    }

    /// What is within: fields, variants, or keys and values; of lists, within their items.
    pub(crate) fn children(&self) -> Vec<Found<'s>> {
        self.named().into_iter().map(|named| named.found).collect()
    }

    /// What is within, by its names.
    fn named(&self) -> Vec<Named<'s>> {
        let simple = |name: &'s str, shape| Named { found: self.below(name, name, shape), other: None };
        match self.inner() {
            Root::Entry(map) => vec![simple("key", &map.key), simple("value", &map.value)],
            Root::Shape(Shape::Record(record)) => {
                record.fields.iter().map(|field| simple(&field.name, &field.shape)).collect()
            }
            Root::Shape(Shape::Union(variants)) => self.variants(variants),
            Root::Shape(_) => Vec::new(),
        }
    }

    /// What is in options, lists and maps.
    fn inner(&self) -> Root<'s> {
        let mut root = self.root;
        loop {
            root = match root {
                Root::Shape(Shape::Optional(optional)) => Root::Shape(&optional.item),
                Root::Shape(Shape::List(item)) => Root::Shape(item),
                Root::Shape(Shape::Map(map)) => Root::Entry(map),
                root => return root,
            };
        }
    }

    fn below(&self, name: &str, shown: &str, shape: &'s Shape) -> Self {
        Self { path: self.path.below(name, shown), root: Root::Shape(shape) }
    }

    /// Variants have full names, and short ones where no other has the same.
    fn variants(&self, variants: &'s [Shape]) -> Vec<Named<'s>> {
        let names: Vec<String> = variants.iter().map(|shape| shape.branch_name().into_owned()).collect();
        let variants = variants.iter().zip(&names).map(|(shape, full)| {
            let own = short_name(full);
            let unique = names.iter().filter(|other| short_name(other) == own).count() == 1;
            let found = self.below(full, if unique { own } else { full }, shape);
            Named { found, other: Some(own.to_owned()) }
        });
        variants.collect()
    }
}

/// The name of a branch of a union without its namespace.
///
/// ```
/// assert_eq!(trevni_query::paths::short_name("kinds.Circle"), "Circle");
/// ```
pub fn short_name(branch: &str) -> &str {
    branch.rsplit('.').next().unwrap_or_default()
}

/// Something that has a name, or two.
struct Named<'s> {
    found: Found<'s>,
    /// The short name of a variant.
    other: Option<String>,
}

impl Named<'_> {
    fn is_record_branch(&self) -> bool {
        self.other.is_some() && matches!(self.found.root, Root::Shape(Shape::Record(_)))
    }

    fn fits(&self, part: &PathPart) -> bool {
        let own = self.found.path.names().last();
        own.into_iter().chain(&self.other).any(|name| part.fits(name))
    }
}
