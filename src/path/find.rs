//! What paths name in a shape.

use super::text::format;
use crate::shape::branch::{BranchName, branch_name};
use crate::shape::children::Child;
use crate::shape::{MapShape, Shape};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// What paths begin at, or lead to: a value, or an entry of a map.
#[derive(Clone, Copy, Debug)]
pub enum Root<'s> {
    /// A value of a shape.
    Shape(&'s Shape),
    /// An entry of a map, which has a `key` and a `value`.
    Entry(&'s MapShape),
}

/// A name of a path that is sought: a text, or a pattern.
pub trait NamePattern: Sized {
    /// Whether it is this name.
    fn fits(&self, name: &str) -> bool;

    /// Several as one name, with the dots between them; `None` where a dot between them separates names.
    fn joined(names: &[Self]) -> Option<Self>;

    /// The name as messages show it.
    fn shown(&self) -> String;

    /// Whether several names may fit.
    fn is_pattern(&self) -> bool {
        false
    }
}

/// Something with a name, just below a value: a field, the `key` or `value` of a map, a variant of a union.
#[derive(Clone, Copy, Debug)]
pub struct Named<'s> {
    name: BranchName<'s>,
    /// The number among those beside it.
    number: usize,
    /// The variants of the union that it is one of.
    variants: &'s [Shape],
    is_field: bool,
    shape: &'s Shape,
}

impl<'s> Named<'s> {
    /// The exact name; of a variant the full one.
    #[must_use]
    pub fn name(&self) -> Cow<'s, str> {
        self.name.full()
    }

    /// The name that paths have for it: of a variant the short one, where no other variant has the same.
    #[must_use]
    pub fn path_name(&self) -> Cow<'s, str> {
        let own = self.name.name;
        let mut others = self.variants.iter().zip(0..).filter(|(_, number)| *number != self.number);
        match others.any(|(other, _)| branch_name(other).name == own) {
            true => self.name(),
            false => Cow::Borrowed(own),
        }
    }

    /// The name; of a variant the short one.
    pub(super) fn short_name(&self) -> &'s str {
        self.name.name
    }

    /// What has the name.
    #[must_use]
    pub fn shape(&self) -> &'s Shape {
        self.shape
    }

    /// Its number among the fields, variants, or key and value beside it.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// Whether it is a field of a record.
    pub(crate) fn is_field(&self) -> bool {
        self.is_field
    }

    /// Whether it is a variant of a union.
    pub(crate) fn is_variant(&self) -> bool {
        !self.variants.is_empty()
    }

    /// Whether a path may leave its name out: it is a variant that is a record.
    fn is_record_variant(&self) -> bool {
        self.is_variant() && matches!(self.shape, Shape::Record(_))
    }

    fn fits(&self, pattern: &impl NamePattern) -> bool {
        pattern.fits(&self.name()) || pattern.fits(self.short_name())
    }
}

impl<'s> Root<'s> {
    /// What has a name just below, after lists, optionals and maps, which have no name.
    pub fn named(self) -> impl Iterator<Item = Named<'s>> + Clone {
        let (entry, shape) = match self.inner() {
            Root::Entry(map) => (Some([("key", &map.key), ("value", &map.value)]), None),
            Root::Shape(shape) => (None, Some(shape)),
        };
        let variants = match shape {
            Some(Shape::Union(variants)) => variants.as_slice(),
            _ => &[],
        };
        let is_field = matches!(shape, Some(Shape::Record(_)));
        let halves = entry.into_iter().flatten().map(|(name, shape)| (BranchName::new(name), shape));
        let children = shape.into_iter().flat_map(Shape::children);
        let children = children.filter_map(|Child { name, shape }| Some((name?, shape)));
        let all = halves.chain(children).enumerate();
        all.map(move |(number, (name, shape))| Named { name, number, variants, is_field, shape })
    }

    /// What is in lists, optionals and maps.
    fn inner(mut self) -> Self {
        loop {
            self = match self {
                Root::Shape(Shape::Optional(optional)) => Root::Shape(&optional.item),
                Root::Shape(Shape::List(item)) => Root::Shape(item),
                Root::Shape(Shape::Map(map)) => Root::Entry(map),
                root => return root,
            };
        }
    }

    /// The items of a list, or the entries of a map.
    pub(crate) fn items(self) -> Option<Self> {
        match self {
            Root::Shape(Shape::Optional(optional)) => Root::Shape(&optional.item).items(),
            Root::Shape(Shape::List(item)) => Some(Root::Shape(item)),
            Root::Shape(Shape::Map(map)) => Some(Root::Entry(map)),
            _ => None,
        }
    }

    /// What tells places of a shape apart.
    fn address(self) -> usize {
        match self {
            Root::Shape(shape) => std::ptr::from_ref(shape).addr(),
            Root::Entry(map) => std::ptr::from_ref(map).addr(),
        }
    }
}

/// What has a name just below, each with the name that paths have for it.
pub(crate) fn named_with_paths<'s>(root: Root<'s>) -> Vec<(Named<'s>, Cow<'s, str>)> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for named in root.named().filter(|named| !named.variants.is_empty()) {
        *counts.entry(named.short_name()).or_default() += 1;
    }
    let with_path = |named: Named<'s>| match counts.get(named.short_name()) {
        Some(2..) => (named, named.name()),
        _ => (named, Cow::Borrowed(named.short_name())),
    };
    root.named().map(with_path).collect()
}

/// What a path names.
#[derive(Clone, Debug)]
pub struct Found<'s> {
    /// What has the names of the path, from the outermost.
    pub steps: Vec<Named<'s>>,
    /// The value, with the lists and optionals around it.
    pub root: Root<'s>,
}

impl Found<'_> {
    /// The path that names this, and nothing else.
    #[must_use]
    pub fn path(&self) -> String {
        format(self.steps.iter().map(Named::path_name))
    }
}

/// A path that names nothing.
#[derive(Clone, Debug)]
pub struct NotFound<'s> {
    /// What it leads to before the name that is not there.
    pub before: Found<'s>,
    /// The name.
    pub name: String,
}

impl<'s> NotFound<'s> {
    /// What there is instead of the name that is not there.
    #[must_use]
    pub fn there(&self) -> Vec<Found<'s>> {
        let below = |before: &Found<'s>| -> Vec<Found<'s>> {
            before.root.named().map(|named| before.below(named)).collect()
        };
        let mut there = below(&self.before);
        let branches: Vec<Found<'s>> =
            there.iter().filter(|found| found.is_record_variant()).cloned().collect();
        there.extend(branches.iter().flat_map(below));
        there
    }
}

impl<'s> Found<'s> {
    /// Something just below.
    #[must_use]
    pub fn below(&self, named: Named<'s>) -> Self {
        let steps = self.steps.iter().copied().chain([named]).collect();
        Self { steps, root: Root::Shape(named.shape) }
    }

    fn is_record_variant(&self) -> bool {
        self.steps.last().is_some_and(Named::is_record_variant)
    }

    /// Takes off the last name; what is left begins at a row.
    pub(crate) fn pop(&mut self) -> Option<Named<'s>> {
        let last = self.steps.pop();
        if let Some(before) = self.steps.last() {
            self.root = Root::Shape(before.shape);
        }
        last
    }
}

/// What a path names from a value on; with patterns, all that fits.
///
/// Where dots can be read in several ways, that counts which separates most names, from the left. A path through a union may
/// leave out the name of a variant that is a record; where several have the rest of it, it names all of these.
///
/// ```
/// use trevni::Shape;
/// use trevni::path::{Root, find, parse};
///
/// let shape = Shape::record("Row", [("a.b", Shape::Int), ("a", Shape::record("A", [("b", Shape::Long)]))]);
/// let found = |path: &str| {
///     let found = find(Root::Shape(&shape), &parse(path)?).unwrap_or_default();
///     Ok::<_, trevni::Error>(found.iter().map(|found| found.path()).collect::<Vec<_>>())
/// };
/// assert_eq!(found("a.b")?, ["a.b"]);
/// assert_eq!(found("`a.b`")?, ["`a.b`"]);
/// assert!(found("a.c")?.is_empty());
/// # Ok::<(), trevni::Error>(())
/// ```
///
/// # Errors
///
/// A path that names nothing.
pub fn find<'s, P: NamePattern>(from: Root<'s>, names: &[P]) -> Result<Vec<Found<'s>>, NotFound<'s>> {
    let start = Found { steps: Vec::new(), root: from };
    let mut search = Search { way: start, found: Vec::new(), lost: None, left: 0, dead: HashSet::new() };
    search.descend(names);
    match (search.found.is_empty(), search.lost) {
        (true, Some(lost)) => Err(lost),
        _ => Ok(search.found),
    }
}

struct Search<'s> {
    way: Found<'s>,
    found: Vec<Found<'s>>,
    /// The failure with the fewest names left, of these the one that is furthest up.
    lost: Option<NotFound<'s>>,
    left: usize,
    /// Unions that do not have this many last names: a union may be reached with and without names of variants.
    dead: HashSet<(usize, usize)>,
}

impl<'s> Search<'s> {
    /// Whether something below has the names.
    fn descend<P: NamePattern>(&mut self, names: &[P]) -> bool {
        let Some(first) = names.first() else {
            self.found.push(self.way.clone());
            return true;
        };
        let here = (self.way.root.address(), names.len());
        if self.dead.contains(&here) {
            return false;
        }
        if self.by_names(names) || self.through_variants(names) {
            return true;
        }
        if matches!(self.way.root.inner(), Root::Shape(Shape::Union(_))) {
            self.dead.insert(here);
        }
        self.lose(first, names.len());
        false
    }

    fn lose(&mut self, name: &impl NamePattern, left: usize) {
        let depth = self.way.steps.len();
        let is_better =
            |lost: &NotFound<'_>| left < self.left || left == self.left && depth < lost.before.steps.len();
        if self.lost.as_ref().is_none_or(is_better) {
            self.lost = Some(NotFound { before: self.way.clone(), name: name.shown() });
            self.left = left;
        }
    }

    /// Goes down to what has the first name, or the first few as one.
    fn by_names<P: NamePattern>(&mut self, names: &[P]) -> bool {
        for taken in 1..=names.len() {
            let Some((first, rest)) = names.split_at_checked(taken) else { break };
            let joined;
            let name = match first {
                [name] => name,
                several => match P::joined(several) {
                    Some(name) => {
                        joined = name;
                        &joined
                    }
                    None => break,
                },
            };
            if self.by_name(name, rest) {
                return true;
            }
        }
        false
    }

    fn by_name<P: NamePattern>(&mut self, name: &P, rest: &[P]) -> bool {
        let named = self.way.root.named();
        // A full name counts before a short one.
        let is_full = !name.is_pattern() && named.clone().any(|named| name.fits(&named.name()));
        let mut found = false;
        for named in named.filter(|named| if is_full { name.fits(&named.name()) } else { named.fits(name) }) {
            found |= self.below(named, rest);
        }
        found
    }

    fn through_variants<P: NamePattern>(&mut self, names: &[P]) -> bool {
        let mut found = false;
        for named in self.way.root.named().filter(Named::is_record_variant) {
            found |= self.below(named, names);
        }
        found
    }

    fn below<P: NamePattern>(&mut self, named: Named<'s>, rest: &[P]) -> bool {
        let root = std::mem::replace(&mut self.way.root, Root::Shape(named.shape));
        self.way.steps.push(named);
        let found = self.descend(rest);
        self.way.steps.pop();
        self.way.root = root;
        found
    }
}

/// The exact names of what a path names in a shape; empty where it names nothing, or is no path.
pub(crate) fn targets(shape: &Shape, path: &str) -> Vec<Vec<String>> {
    let found = super::parse(path).ok().and_then(|names| find(Root::Shape(shape), &names).ok());
    found.unwrap_or_default().iter().map(names_of).collect()
}

/// The exact names on the way to something.
fn names_of(found: &Found<'_>) -> Vec<String> {
    found.steps.iter().map(|step| step.name().into_owned()).collect()
}
