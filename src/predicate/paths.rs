//! The paths of a predicate.

use super::{Expression, Predicate};
use crate::error::Result;
use crate::path::{Found, Named, PathName, Root, exact_path, find, format, no_such, parse};
use crate::shape::Shape;

impl Predicate {
    /// Calls with the exact names of what each path means in a shape; those of conditions on items after those of the list.
    ///
    /// # Errors
    ///
    /// A path that is not there; what the call returns.
    pub(crate) fn each_path(
        &self,
        shape: &Shape,
        call: &mut dyn FnMut(&[String]) -> Result<()>,
    ) -> Result<()> {
        self.clone().resolve(&Found { steps: Vec::new(), root: Root::Shape(shape) }, call)
    }

    /// The predicate with paths that mean the same in other shapes, as far as they mean one thing in this.
    ///
    /// # Errors
    ///
    /// A path that is not there.
    pub(crate) fn exact(&self, shape: &Shape) -> Result<Self> {
        let mut exact = self.clone();
        exact.resolve(&Found { steps: Vec::new(), root: Root::Shape(shape) }, &mut |_| Ok(()))?;
        Ok(exact)
    }

    /// Makes paths exact that begin at something, and calls with the names of each.
    fn resolve(&mut self, from: &Found<'_>, call: &mut dyn FnMut(&[String]) -> Result<()>) -> Result<()> {
        let (path, mut items) = match &mut self.0 {
            Expression::Compare { path, .. } | Expression::Null { path, .. } => (path, None),
            Expression::Any { path, predicate } => (path, Some(predicate)),
            Expression::And(all) | Expression::Or(all) => {
                return all.iter_mut().try_for_each(|part| part.resolve(from, call));
            }
            Expression::Not(predicate) => return predicate.resolve(from, call),
        };
        let found = reached(from, &parse(path)?)?;
        for found in &found {
            let names: Vec<String> = found.steps.iter().map(|step| step.name().into_owned()).collect();
            call(&names)?;
            if let (Some(predicate), Some(root)) = (&mut items, items_of(found.root)) {
                predicate.resolve(&Found { root, ..found.clone() }, call)?;
            }
        }
        if let [one] = found.as_slice() {
            *path = exact_path(one.steps.iter().skip(from.steps.len()).map(Named::name));
        }
        Ok(())
    }
}

/// What a path means that begins at something.
fn reached<'s>(from: &Found<'s>, names: &[PathName]) -> Result<Vec<Found<'s>>> {
    let found = find(from.root, names)
        .map_err(|lost| no_such(&format(names.iter().map(PathName::text)), from.root, &lost))?;
    let whole = |found: Found<'s>| {
        let steps = from.steps.iter().chain(&found.steps).copied().collect();
        Found { steps, root: found.root }
    };
    Ok(found.into_iter().map(whole).collect())
}

/// The items of a list, or the entries of a map.
fn items_of(root: Root<'_>) -> Option<Root<'_>> {
    match root {
        Root::Shape(Shape::Optional(optional)) => items_of(Root::Shape(&optional.item)),
        Root::Shape(Shape::List(item)) => Some(Root::Shape(item)),
        Root::Shape(Shape::Map(map)) => Some(Root::Entry(map)),
        _ => None,
    }
}
