//! Which field each column belongs to.

use super::branch_name;
use super::columns::Layout;
use crate::shape::Shape;

/// Where in the rows a column belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The path, as projections take it.
    pub(crate) path: String,
    /// Whether lengths say only what is there: options, and variants of unions.
    pub(crate) optional: bool,
}

/// The places of the columns that a shape has, by number; none for others.
pub(crate) fn places(shape: &Shape, layout: &Layout, columns: usize) -> Vec<Option<Place>> {
    let mut places = vec![None; columns];
    collect(shape, layout, "", &mut places);
    places
}

fn collect(shape: &Shape, layout: &Layout, path: &str, places: &mut [Option<Place>]) {
    match (shape, layout) {
        (_, Layout::Leaf(column)) => put(*column, path, false, places),
        (Shape::Record(record), Layout::Record(layouts)) => {
            for (field, layout) in record.fields.iter().zip(layouts) {
                collect(&field.shape, layout, &below(path, &field.name), places);
            }
        }
        (Shape::List(item), Layout::Array { column, item: layout }) => {
            put(*column, path, false, places);
            layout.iter().for_each(|layout| collect(item, layout, path, places));
        }
        (Shape::Map(map), Layout::Map { column, key, value }) => {
            put(*column, path, false, places);
            collect(&map.key, key, &below(path, "key"), places);
            collect(&map.value, value, &below(path, "value"), places);
        }
        (Shape::Optional(optional), Layout::Array { .. }) => branch(&optional.item, layout, path, places),
        (Shape::Optional(optional), layout @ Layout::Union(_)) => {
            collect(&optional.item, layout, path, places);
        }
        (Shape::Union(variants), Layout::Union(layouts)) => {
            for (variant, layout) in variants.iter().zip(layouts) {
                branch(variant, layout, &below(path, branch_name(variant).name), places);
            }
        }
        _ => {}
    }
}

/// What is there or not, and what is in it.
fn branch(shape: &Shape, layout: &Layout, path: &str, places: &mut [Option<Place>]) {
    if let Layout::Array { column, item } = layout {
        put(*column, path, true, places);
        item.iter().for_each(|layout| collect(shape, layout, path, places));
    }
}

fn put(column: usize, path: &str, optional: bool, places: &mut [Option<Place>]) {
    if let Some(place) = places.get_mut(column) {
        *place = Some(Place { path: path.to_owned(), optional });
    }
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
