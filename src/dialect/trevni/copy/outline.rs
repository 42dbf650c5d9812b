//! The columns of the result, and where those of each file go.

use crate::dialect::Schema;
use crate::dialect::schema::Slots;
use crate::dialect::trevni::columns::{self, ColumnSpec};
use crate::dialect::trevni::decode::File;
use crate::dialect::trevni::encode::header::Described;
use crate::error::{Error, Result};
use crate::metadata;
use crate::schema::avro;
use crate::shape::Shape;
use crate::tree::{Matches, NodeId, Slot, Tree};

/// The columns of the result.
pub(crate) struct Outline {
    pub(super) columns: Vec<ColumnSpec>,
    /// The schema; `None` if it is the first file's, or if there is no schema.
    pub(super) schema: Option<String>,
    /// Whether the schema was made from rows; `None` where the first file says it.
    pub(super) derived: Option<bool>,
    slots: Slots,
    tree: Tree,
}

/// Where a column of the result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A column of the file itself.
    Own(usize),
    /// A column that has been encoded again.
    Made(usize),
}

impl Outline {
    /// The columns of the first file, whose rows have the shape of all. They get the names of its schema.
    pub(crate) fn from_first(file: &File<'_>, schema: &Schema) -> Result<Self> {
        let mut specs: Vec<ColumnSpec> = file.header.columns().map(|column| column.spec.owned()).collect();
        if let Some(text) = file.header.entries().get(metadata::SCHEMA) {
            let text = std::str::from_utf8(text).unwrap_or_default();
            let (_, named) = columns::columns(&avro::parse(text)?);
            if named.len() == specs.len() {
                specs.iter_mut().zip(named).for_each(|(spec, named)| spec.name = named.name);
            }
        }
        let tree = Tree::clone(&schema.whole.tree);
        Ok(Self { columns: specs, schema: None, derived: None, slots: schema.slots().clone(), tree })
    }

    /// The columns of a shape.
    ///
    /// # Errors
    ///
    /// A shape that a reader would refuse.
    pub(crate) fn from_shape(shape: &Shape, derived: bool) -> Result<Self> {
        let Described { text, .. } = Described::from_header(None, shape.clone())?;
        let shape = avro::parse(&text)?;
        let (slots, columns) = columns::columns(&shape);
        Ok(Self { columns, schema: Some(text), derived: Some(derived), slots, tree: Tree::new(&shape) })
    }

    /// Where the columns are in a file, whose nodes have these matches; none for those that are to be made.
    pub(crate) fn sources(
        &self,
        file: &File<'_>,
        schema: &Schema,
        matches: &Matches,
    ) -> Result<Vec<Option<Source>>> {
        let mut own: Vec<Option<(NodeId, bool)>> = vec![None; self.tree.len()];
        for (node, found) in matches.iter() {
            if let Some(own) = own.get_mut(found.whole as usize) {
                *own = Some((node, found.is_same));
            }
        }
        let mut sources: Vec<Candidate> = vec![Candidate::Unseen; self.columns.len()];
        for (whole, own) in (0..).zip(own) {
            for slot in [Slot::Own, Slot::Presence] {
                let Some(candidate) =
                    self.slots.column(slot(whole)).and_then(|column| sources.get_mut(column))
                else {
                    continue;
                };
                let column =
                    own.filter(|(_, is_same)| *is_same).and_then(|(own, _)| schema.column(slot(own)));
                candidate.see(column);
            }
        }
        // Values below others are as many as those say, so that they are taken together.
        let is_alike = |spec: &ColumnSpec, number: usize| {
            let column = file.column(number)?.spec;
            let fits = column.value_type.fits(spec.value_type) || spec.value_type.fits(column.value_type);
            let is_below = match spec.parent.and_then(|parent| sources.get(parent)) {
                Some(parent) => column.parent.is_some() && column.parent == parent.column(),
                None => column.parent.is_none(),
            };
            Ok::<_, Error>(fits && column.array == spec.array && is_below)
        };
        let source = |(spec, candidate): (&ColumnSpec, &Candidate)| match candidate.column() {
            Some(number) if is_alike(spec, number)? => Ok(Some(Source::Own(number))),
            _ => Ok(None),
        };
        self.columns.iter().zip(&sources).map(source).collect()
    }

    /// The nodes of the shape that have these columns.
    pub(crate) fn nodes_of(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<NodeId> {
        let nodes = (0..).take(self.tree.len());
        let has = |node: &NodeId| {
            [Slot::Own(*node), Slot::Presence(*node)]
                .into_iter()
                .filter_map(|slot| self.slots.column(slot))
                .any(&is_wanted)
        };
        nodes.filter(has).collect()
    }

    /// The columns that have been made, for some nodes, in a file with these columns for its own nodes.
    pub(crate) fn made(
        &self,
        schema: &Schema,
        node: impl Fn(NodeId) -> Option<NodeId>,
    ) -> Vec<Option<Source>> {
        let mut sources = vec![None; self.columns.len()];
        for whole in (0..).take(self.tree.len()) {
            for slot in [Slot::Own, Slot::Presence] {
                let column = self.slots.column(slot(whole));
                let made = node(whole).and_then(|own| schema.column(slot(own)));
                if let (Some(source), Some(made)) = (column.and_then(|column| sources.get_mut(column)), made)
                {
                    *source = Some(Source::Made(made));
                }
            }
        }
        sources
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }
}

/// The column of a file that may be one of the result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Candidate {
    Unseen,
    Column(usize),
    /// What is in it is in several columns, or in none.
    No,
}

impl Candidate {
    fn column(&self) -> Option<usize> {
        match self {
            Self::Column(number) => Some(*number),
            Self::Unseen | Self::No => None,
        }
    }

    fn see(&mut self, column: Option<usize>) {
        *self = match (*self, column) {
            (Self::Unseen, Some(column)) => Self::Column(column),
            (Self::Column(before), Some(column)) if before == column => *self,
            _ => Self::No,
        };
    }
}
