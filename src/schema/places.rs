//! Which field each column belongs to.

use super::branch_name;
use super::columns::Layout;
use crate::shape::Shape;

/// Where in the rows a column belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The path, as projections take it; a variant of a union has its short name.
    pub(crate) path: String,
    /// The names of the path; a variant of a union has its full name.
    pub(crate) names: Vec<String>,
    /// Whether lengths say only what is there: options, and variants of unions.
    pub(crate) optional: bool,
}

/// The places of the columns that a shape has, by number; none for others.
pub(crate) fn places(shape: &Shape, layout: &Layout, columns: usize) -> Vec<Option<Place>> {
    let mut places = vec![None; columns];
    collect(shape, layout, &Here::default(), &mut places);
    places
}

/// The way to a node.
#[derive(Clone, Debug, Default)]
struct Here {
    path: String,
    names: Vec<String>,
}

impl Here {
    fn below(&self, name: &str) -> Self {
        self.branch(name, name.to_owned())
    }

    fn branch(&self, short: &str, full: String) -> Self {
        let mut below = self.clone();
        if !below.path.is_empty() {
            below.path.push('.');
        }
        below.path.push_str(short);
        below.names.push(full);
        below
    }
}

fn collect(shape: &Shape, layout: &Layout, here: &Here, places: &mut [Option<Place>]) {
    match (shape, layout) {
        (_, Layout::Leaf(column)) => put(*column, here, false, places),
        (Shape::Record(record), Layout::Record(layouts)) => {
            for (field, layout) in record.fields.iter().zip(layouts) {
                collect(&field.shape, layout, &here.below(&field.name), places);
            }
        }
        (Shape::List(item), Layout::Array { column, item: layout }) => {
            put(*column, here, false, places);
            layout.iter().for_each(|layout| collect(item, layout, here, places));
        }
        (Shape::Map(map), Layout::Map { column, key, value }) => {
            put(*column, here, false, places);
            collect(&map.key, key, &here.below("key"), places);
            collect(&map.value, value, &here.below("value"), places);
        }
        (Shape::Optional(optional), Layout::Array { .. }) => branch(&optional.item, layout, here, places),
        (Shape::Optional(optional), layout @ Layout::Union(_)) => {
            collect(&optional.item, layout, here, places);
        }
        (Shape::Union(variants), Layout::Union(layouts)) => {
            for (variant, layout) in variants.iter().zip(layouts) {
                let name = branch_name(variant);
                branch(variant, layout, &here.branch(name.name, name.full().into_owned()), places);
            }
        }
        _ => {}
    }
}

/// What is there or not, and what is in it.
fn branch(shape: &Shape, layout: &Layout, here: &Here, places: &mut [Option<Place>]) {
    if let Layout::Array { column, item } = layout {
        put(*column, here, true, places);
        item.iter().for_each(|layout| collect(shape, layout, here, places));
    }
}

fn put(column: usize, here: &Here, optional: bool, places: &mut [Option<Place>]) {
    if let Some(place) = places.get_mut(column) {
        let Here { path, names } = here.clone();
        *place = Some(Place { path, names, optional });
    }
}
