//! Whether the columns of a file are those that a shape has.

use super::file::File;
use crate::error::{Error, Result};
use crate::schema::columns::{Layout, value_type};
use crate::shape::Shape;
use crate::storage::value_type::ValueType;

/// For each node of a shape, in depth-first order, the number of nodes at and below it.
///
/// # Errors
///
/// Columns whose type is not that of the shape.
pub(super) fn counts(file: &File<'_>, shape: &Shape, layout: &Layout) -> Result<Vec<u32>> {
    let mut check = Check { file, counts: Vec::with_capacity(file.header.len().min(MOST_AT_FIRST)) };
    check.node(shape, layout)?;
    Ok(check.counts)
}

/// The most nodes that there is room for before any has been seen.
const MOST_AT_FIRST: usize = 1 << 10;

struct Check<'a, 's> {
    file: &'a File<'s>,
    counts: Vec<u32>,
}

impl Check<'_, '_> {
    fn node(&mut self, shape: &Shape, layout: &Layout) -> Result<()> {
        let id = self.counts.len();
        self.counts.push(1);
        match (shape, layout) {
            (_, Layout::Own) | (Shape::Null, Layout::None) => return Ok(()),
            (Shape::Record(record), Layout::Record(layouts)) => {
                for (field, layout) in record.fields.iter().zip(layouts) {
                    self.node(&field.shape, layout)?;
                }
            }
            (Shape::List(item), layout) => self.array(item, layout)?,
            (Shape::Optional(optional), Layout::Union(branches)) => match &optional.item {
                Shape::Union(variants) => {
                    // The union below is a node of its own.
                    self.counts.push(1);
                    self.branches(variants, branches)?;
                }
                _ => return Err(Error::metadata("a union that the shape does not have")),
            },
            (Shape::Optional(optional), layout) => self.array(&optional.item, layout)?,
            (Shape::Union(variants), Layout::Union(branches)) => self.branches(variants, branches)?,
            (Shape::Map(map), Layout::Map { column, key, value }) => {
                self.column(*column, None, true)?;
                self.node(&map.key, key)?;
                self.node(&map.value, value)?;
            }
            (simple, Layout::Leaf(column)) => return self.column(*column, Some(simple), false),
            _ => return Err(Error::metadata("columns do not fit the shape")),
        }
        let count = self.counts.len() - id;
        if let Some(place) = self.counts.get_mut(id) {
            *place = u32::try_from(count).unwrap_or(u32::MAX);
        }
        Ok(())
    }

    fn branches(&mut self, variants: &[Shape], branches: &[Layout]) -> Result<()> {
        variants.iter().zip(branches).try_for_each(|(variant, layout)| self.array(variant, layout))
    }

    fn array(&mut self, item: &Shape, layout: &Layout) -> Result<()> {
        match layout {
            Layout::Array { column, item: None } => {
                self.counts.push(1);
                self.column(*column, Some(item), true)
            }
            Layout::Array { column, item: Some(below) } => {
                self.column(*column, None, true)?;
                self.node(item, below)
            }
            _ => Err(Error::metadata("an array that the shape does not have")),
        }
    }

    /// Whether a column has the type of a shape.
    fn column(&self, number: usize, shape: Option<&Shape>, array: bool) -> Result<()> {
        let wanted = shape.and_then(value_type);
        match self.file.header.kind(number) {
            Some((found, has_lengths))
                if array == has_lengths && wanted.is_none_or(|wanted| found.fits(wanted)) =>
            {
                Ok(())
            }
            _ => Err(self.misfit(number, wanted)),
        }
    }

    #[cold]
    fn misfit(&self, number: usize, wanted: Option<ValueType>) -> Error {
        let spec = match self.file.column(number) {
            Ok(header) => header.spec,
            Err(error) => return error,
        };
        let found = spec.value_type;
        let error = match wanted {
            Some(wanted) if !found.fits(wanted) => {
                Error::metadata(format!("the column is of type {found}, the schema says {wanted}"))
            }
            _ => Error::metadata("the schema and the column differ on whether it has lengths"),
        };
        error.in_column(spec.name)
    }
}
