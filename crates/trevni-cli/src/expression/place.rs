//! Places in rows that paths name: found in a shape, then in the vectors of a batch.

use crate::paths::{FieldPath, Root};
use trevni::{Batch, MapShape, MapVector, Shape, Vector};

/// Where a path leads, from the shape it begins at.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Field(usize),
    Optional,
    Variant(usize),
    Key,
    Value,
    /// The items of the list that is taken apart.
    Item,
}

/// Why a path leads to no place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stop {
    /// It is not there.
    Nowhere,
    /// It goes through a list or map, which is called so.
    Within(&'static str),
}

impl Place {
    /// The place of exact names, and what is there within options. Only one list is gone into: the one that
    /// is taken apart.
    pub(crate) fn at<'s>(
        root: Root<'s>,
        names: &[String],
        exploded: Option<&FieldPath>,
    ) -> Result<(Self, Root<'s>), Stop> {
        let (mut root, mut steps, mut passed) = (root, Vec::new(), 0);
        loop {
            let (behind, rest) = names.split_at(passed);
            let is_exploded = exploded.is_some_and(|list| list.names() == behind);
            let (step, below) = match root {
                Root::Shape(Shape::Optional(optional)) => (Step::Optional, &optional.item),
                Root::Shape(Shape::List(item)) if is_exploded && !steps.contains(&Step::Item) => {
                    (Step::Item, &**item)
                }
                root => match rest.first() {
                    None => return Ok((Self { steps }, root)),
                    Some(name) => {
                        passed += 1;
                        named(root, name)?
                    }
                },
            };
            steps.push(step);
            root = Root::Shape(below);
        }
    }
}

/// What has a name directly within a value.
fn named<'s>(root: Root<'s>, name: &str) -> Result<(Step, &'s Shape), Stop> {
    let found = match root {
        Root::Entry(map) => match name {
            "key" => Some((Step::Key, &map.key)),
            "value" => Some((Step::Value, &map.value)),
            _ => None,
        },
        Root::Shape(Shape::Record(record)) => {
            let at = record.fields.iter().position(|field| field.name == name);
            at.and_then(|at| Some((Step::Field(at), &record.fields.get(at)?.shape)))
        }
        Root::Shape(Shape::Union(variants)) => {
            let at = variants.iter().position(|variant| variant.branch_name() == name);
            at.and_then(|at| Some((Step::Variant(at), variants.get(at)?)))
        }
        Root::Shape(shape @ (Shape::List(_) | Shape::Map(_))) => return Err(Stop::Within(shape.kind())),
        Root::Shape(_) => None,
    };
    found.ok_or(Stop::Nowhere)
}

/// Rows of a batch, or items of lists, that expressions are evaluated for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'b> {
    spot: Spot<'b>,
    len: usize,
    /// Which entries, where not all in order; and where a list is taken apart, which of its items.
    rows: Option<&'b [u32]>,
    items: Option<&'b [u32]>,
}

#[derive(Clone, Copy, Debug)]
enum Spot<'b> {
    Value(&'b Shape, &'b Vector),
    Entry(&'b MapShape, &'b MapVector),
}

impl<'b> Scope<'b> {
    pub(crate) fn of(batch: &'b Batch) -> Self {
        let spot = Spot::Value(batch.shape(), batch.vector());
        Self { spot, len: batch.len(), rows: None, items: None }
    }

    /// These rows; with items, one of each row's list, by its number within it.
    pub(crate) fn with(self, rows: &'b [u32], items: Option<&'b [u32]>) -> Self {
        Self { len: rows.len(), rows: Some(rows), items, ..self }
    }

    pub(crate) fn items_of(shape: &'b Shape, vector: &'b Vector) -> Self {
        Self { spot: Spot::Value(shape, vector), len: vector.len(), rows: None, items: None }
    }

    pub(crate) fn entries_of(shape: &'b MapShape, vector: &'b MapVector) -> Self {
        Self { spot: Spot::Entry(shape, vector), len: vector.key.len(), rows: None, items: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The values at a place; none where the vectors have another form.
    pub(crate) fn at(&self, place: &Place) -> Option<Located<'b>> {
        let index = self.rows.map(<[u32]>::to_vec);
        let (mut index, mut spot) = (Index(index), self.spot);
        for step in &place.steps {
            spot = match (*step, spot) {
                (Step::Field(number), Spot::Value(Shape::Record(shape), Vector::Record(vector))) => {
                    Spot::Value(&shape.fields.get(number)?.shape, decoded(vector.fields.get(number)?)?)
                }
                (Step::Optional, Spot::Value(Shape::Optional(shape), Vector::Optional(list))) => {
                    if list.offsets.total() < list.offsets.len() {
                        let starts = list.offsets.as_slice();
                        index.compose(list.offsets.len(), |at| match starts.get(at..at + 2) {
                            Some([start, end]) if start < end => *start,
                            _ => NONE,
                        });
                    }
                    Spot::Value(&shape.item, decoded(&list.item)?)
                }
                (Step::Optional, Spot::Value(Shape::Optional(shape), Vector::Null(len))) => {
                    index.compose(*len, |_| NONE);
                    Spot::Value(&shape.item, &Vector::Null(0))
                }
                (Step::Variant(tag), Spot::Value(Shape::Union(shapes), Vector::Union(union))) => {
                    index.compose(union.tags.len(), |at| match union.tags.get(at) {
                        Some(own) if usize::from(*own) == tag => {
                            union.positions.get(at).copied().unwrap_or(NONE)
                        }
                        _ => NONE,
                    });
                    Spot::Value(shapes.get(tag)?, decoded(union.variants.get(tag)?)?)
                }
                (Step::Key, Spot::Entry(shape, map)) => Spot::Value(&shape.key, decoded(&map.key)?),
                (Step::Value, Spot::Entry(shape, map)) => Spot::Value(&shape.value, decoded(&map.value)?),
                (Step::Item, Spot::Value(Shape::List(shape), Vector::List(list))) => {
                    index.take_items(self.items?, |at| list.offsets.range(at));
                    Spot::Value(shape, decoded(&list.item)?)
                }
                _ => return None,
            };
        }
        let Spot::Value(shape, vector) = spot else {
            return None;
        };
        Some(Located { shape, vector, index, len: self.len })
    }
}

fn decoded(vector: &Vector) -> Option<&Vector> {
    match vector {
        Vector::Lazy(lazy) => lazy.get(),
        vector => Some(vector),
    }
}

/// No entry.
const NONE: u32 = u32::MAX;

/// Which entry of a vector each row has; all in order where there is no list of them.
#[derive(Clone, Debug)]
pub(crate) struct Index(Option<Vec<u32>>);

impl Index {
    fn compose(&mut self, len: usize, to: impl Fn(usize) -> u32) {
        match &mut self.0 {
            Some(index) => {
                for at in index.iter_mut().filter(|at| **at != NONE) {
                    *at = to(*at as usize);
                }
            }
            None => self.0 = Some((0..len).map(to).collect()),
        }
    }

    fn take_items(&mut self, items: &[u32], range: impl Fn(usize) -> Option<std::ops::Range<usize>>) {
        let index = self.0.get_or_insert_with(|| (0..items.len() as u32).collect());
        for (at, item) in index.iter_mut().zip(items).filter(|(at, _)| **at != NONE) {
            let place = range(*at as usize).map(|range| range.start + *item as usize);
            *at = place.and_then(|place| u32::try_from(place).ok()).unwrap_or(NONE);
        }
    }
}

/// The values at a place, where they lie.
#[derive(Clone, Debug)]
pub(crate) struct Located<'b> {
    pub(crate) shape: &'b Shape,
    pub(crate) vector: &'b Vector,
    index: Index,
    len: usize,
}

impl<'b> Located<'b> {
    /// All values of a vector.
    pub(crate) fn whole(shape: &'b Shape, vector: &'b Vector) -> Self {
        Self { shape, vector, index: Index(None), len: vector.len() }
    }

    /// The entry of the vector that a row has; none where the value is missing.
    pub(crate) fn entry(&self, row: usize) -> Option<usize> {
        match &self.index.0 {
            Some(index) => index.get(row).filter(|at| **at != NONE).map(|at| *at as usize),
            None => Some(row),
        }
    }

    /// For each row its entry or none; none at all where all are in order.
    pub(crate) fn entries(&self) -> Option<impl Iterator<Item = Option<usize>>> {
        let index = self.index.0.as_ref()?;
        Some(index.iter().map(|at| (*at != NONE).then_some(*at as usize)))
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }
}
