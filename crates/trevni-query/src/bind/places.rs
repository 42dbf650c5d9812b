//! Binds paths, and what lies in lists and maps.

use super::Within;
use crate::error::Error;
use crate::evaluate::{AccessError, Accessor};
use crate::paths::{FieldPath, Found, Root, find_one};
use crate::scalar::Scalar;
use crate::step::{BoundExpression, Step};
use crate::syntax::{Operator, Reference, Segment, Syntax};
use crate::types::Type;
use trevni::Shape;
use trevni::path::NamePattern;

impl Within<'_, '_> {
    pub(super) fn path(&self, node: &Syntax) -> Result<BoundExpression, Error> {
        match self.place_of(node)? {
            Some((place, Root::Shape(shape))) => {
                Ok(BoundExpression { step: Step::Access(place), kind: Type::of(shape) })
            }
            Some((_, Root::Entry(_))) => Err(self.wrong(node, "an entry of a map: name its key or value")),
            None => Ok(BoundExpression { step: Step::Constant(Scalar::Null), kind: Type::Null }),
        }
    }

    /// The path that a part of an expression is; `None` where it is not a path, or is missing and may be.
    fn place_of(&self, node: &Syntax) -> Result<Option<(Accessor, Root<'_>)>, Error> {
        match &node.kind {
            Operator::Path(reference) => self.place(node, reference),
            Operator::Place(reference, segments) => match self.place(node, reference)? {
                Some(place) => self.within(node, place, segments),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// What lies in items of lists and entries of maps, from a place on.
    fn within<'r>(
        &self,
        node: &Syntax,
        (mut place, mut root): (Accessor, Root<'r>),
        segments: &[Segment],
    ) -> Result<Option<(Accessor, Root<'r>)>, Error> {
        for segment in segments {
            let mut names = FieldPath::default();
            match (segment, root) {
                (Segment::Item(Scalar::Integer(number)), Root::Shape(Shape::List(item))) => {
                    let number = i64::try_from(*number);
                    place.item(number.map_err(|_| self.wrong(node, "the index is too large"))?);
                    root = Root::Shape(item);
                }
                (Segment::Item(key), Root::Shape(Shape::Map(map))) => {
                    if !Type::of(&map.key).compares_with(Type::of_value(key)) {
                        let kind = Type::of(&map.key).name();
                        return Err(
                            self.wrong(node, &format!("the keys are {kind} each, and this is another"))
                        );
                    }
                    place.value_of(key.clone());
                    root = Root::Shape(&map.value);
                }
                (Segment::Item(_), Root::Shape(Shape::Null | Shape::Unknown)) => return Ok(None),
                (Segment::Item(key), _) => {
                    let kind = match root {
                        Root::Shape(shape) => Type::of(shape).name(),
                        Root::Entry(_) => "an entry of a map".into(),
                    };
                    let wanted = if matches!(key, Scalar::Text(_)) { "a map" } else { "a list or map" };
                    let hint = if kind == "a string" { ": parts of strings are substr(x, 1, 3)" } else { "" };
                    let message = format!("what is before the square bracket is {kind}, not {wanted}{hint}");
                    return Err(self.wrong(node, &message));
                }
                (Segment::Names(parts), _) => {
                    let from = Found { path: FieldPath::default(), root };
                    let found = match find_one(&from, parts) {
                        Err(_) if self.binder.lenient => return Ok(None),
                        found => found,
                    };
                    let last = parts.last().map(NamePattern::shown).unwrap_or_default();
                    names = found
                        .map_err(|lost| self.wrong(node, &lost.message(self.source(node), &last, &from)))?
                        .path;
                }
            }
            // With no names, only options are passed through.
            let (rest, below) =
                Accessor::at(root, names.names(), None).map_err(|error| self.inaccessible(node, error))?;
            place.extend(rest);
            root = below;
        }
        Ok(Some((place, root)))
    }

    fn inaccessible(&self, node: &Syntax, error: AccessError) -> Error {
        let shown = self.source(node);
        match error {
            AccessError::Nowhere => self.wrong(node, &format!("no field \"{shown}\"")),
            AccessError::Within(kind) => {
                self.wrong(node, &format!("{shown} goes into a {kind}: test its items with any(…, …)"))
            }
        }
    }

    /// Of a union, the values of the branches whose types fit, as values of one type; `None` where no branch fits.
    pub(super) fn branch(
        &self,
        node: &Syntax,
        bound: &BoundExpression,
        fits: &dyn Fn(Type) -> bool,
    ) -> Result<Option<BoundExpression>, Error> {
        if bound.kind != Type::Other("union") {
            return Ok(None);
        }
        let Some((place, Root::Shape(Shape::Union(variants)))) = self.place_of(node)? else {
            return Ok(None);
        };
        let mut branches = Vec::new();
        for (tag, shape) in variants.iter().enumerate() {
            let mut place = place.clone();
            place.variant(tag);
            let Ok((rest, Root::Shape(shape))) = Accessor::at(Root::Shape(shape), &[], None) else {
                continue;
            };
            place.extend(rest);
            let kind = Type::of(shape);
            if fits(kind) && kind != Type::Null {
                branches.push(BoundExpression { step: Step::Access(place), kind });
            }
        }
        Ok(match branches.len() {
            0 | 1 => branches.pop(),
            _ => {
                let kind = Type::common(branches.iter().map(|branch| branch.kind));
                kind.map(|kind| BoundExpression { step: Step::Coalesce(branches), kind })
            }
        })
    }

    /// The names of the branches of a union, as the end of a message.
    pub(super) fn branches(&self, node: &Syntax) -> String {
        match self.place_of(node) {
            Ok(Some((_, root @ Root::Shape(Shape::Union(_))))) => {
                let union = Found { path: FieldPath::default(), root };
                let names = union.children().into_iter().map(|child| child.path.escaped());
                format!("; its branches are {}", names.collect::<Vec<_>>().join(", "))
            }
            _ => String::new(),
        }
    }

    /// The place that a path names, and what is there; `None` where it is not there and need not be.
    fn place(&self, node: &Syntax, reference: &Reference) -> Result<Option<(Accessor, Root<'_>)>, Error> {
        let shown = self.source(node);
        let from = Found { path: FieldPath::default(), root: self.root };
        let found = match find_one(&from, reference.from(self.root, self.is_row)) {
            Err(_) if self.binder.lenient => return Ok(None),
            found => {
                found.map_err(|lost| self.wrong(node, &lost.message(shown, &reference.last(), &from)))?
            }
        };
        let names = found.path.names();
        let exploded = self.binder.exploded.filter(|_| self.is_row);
        Accessor::at(self.root, names, exploded).map(Some).map_err(|error| self.inaccessible(node, error))
    }

    pub(super) fn items(
        &self,
        every: bool,
        list: &Syntax,
        condition: &Syntax,
    ) -> Result<BoundExpression, Error> {
        let Operator::Path(reference) = &list.kind else {
            return Err(self.wrong(list, "a list or map expected"));
        };
        let (place, root) = match self.place(list, reference)? {
            None | Some((_, Root::Shape(Shape::Null | Shape::Unknown))) => {
                return Ok(BoundExpression { step: Step::Constant(Scalar::Null), kind: Type::Boolean });
            }
            Some((place, Root::Shape(Shape::List(item)))) => (place, Root::Shape(item)),
            Some((place, Root::Shape(Shape::Map(map)))) => (place, Root::Entry(map)),
            Some((place, Root::Shape(Shape::Union(variants)))) => match branch(&place, variants) {
                Some(found) => found,
                None => return Err(self.mismatch(list, &self.bind(list)?, "a list or map")),
            },
            Some(_) => return Err(self.mismatch(list, &self.bind(list)?, "a list or map")),
        };
        self.all_of(every, place, root, condition)
    }

    /// A condition on the items of a list, or on the entries of a map.
    fn all_of(
        &self,
        every: bool,
        list: Accessor,
        root: Root<'_>,
        condition: &Syntax,
    ) -> Result<BoundExpression, Error> {
        let condition = Within { root, is_row: false, ..*self }.condition(condition)?;
        let step = Step::Items { every, list, condition: Box::new(condition) };
        Ok(BoundExpression { step, kind: Type::Boolean })
    }
}

/// The one branch of a union that is a list or map, and what its items are.
fn branch<'s>(place: &Accessor, variants: &'s [Shape]) -> Option<(Accessor, Root<'s>)> {
    let mut found = variants.iter().enumerate().filter_map(|(tag, shape)| match shape {
        Shape::List(item) => Some((tag, Root::Shape(item))),
        Shape::Map(map) => Some((tag, Root::Entry(map))),
        _ => None,
    });
    match (found.next(), found.next()) {
        (Some((tag, root)), None) => {
            let mut place = place.clone();
            place.variant(tag);
            Some((place, root))
        }
        _ => None,
    }
}
