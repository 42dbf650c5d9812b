//! One file of a dataset.

use crate::convert::Conversion;
use crate::error::{Error, ErrorKind, Result};
use crate::reader::{FromColumn, Reader, is_type_error};
use crate::tree::{Kind, Matches, NodeId, Projection, Tree, View};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One file of a [`Dataset`](crate::Dataset).
#[derive(Clone, Debug)]
pub struct DatasetPart<'s> {
    pub(super) path: PathBuf,
    pub(super) reader: Reader<'s>,
    pub(super) first_row: u64,
    /// Which nodes of the common shape have the values of the file's nodes.
    matches: Arc<Matches>,
}

impl<'s> DatasetPart<'s> {
    /// A part of a dataset whose rows have a common shape.
    pub(super) fn new(path: PathBuf, reader: Reader<'s>, first_row: u64, whole: &Projection) -> Self {
        let own = &reader.schema().whole;
        // The shape of a file without rows may not be known.
        let matches = match Conversion::between(&reader.schema().known(own), &whole.shape) {
            Some(conversion) => Matches::of(&conversion, &own.tree, &whole.tree),
            None => Matches::none(&own.tree),
        };
        Self { path, reader, first_row, matches: Arc::new(matches) }
    }

    /// The path of the file; `part 0`, `part 1`, … for [`Dataset::from_readers`](crate::Dataset::from_readers).
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The reader of the file; after [`Dataset::project`](crate::Dataset::project), a projected one.
    #[must_use]
    pub fn reader(&self) -> &Reader<'s> {
        &self.reader
    }

    /// The same part, read by another reader of the file.
    pub(super) fn with_reader(&self, reader: Reader<'s>) -> Self {
        Self { reader, ..self.clone() }
    }

    /// The number of the first row of this part within the dataset, from 0.
    #[must_use]
    pub fn first_row(&self) -> u64 {
        self.first_row
    }

    /// The file's nodes as those of the common shape.
    pub(super) fn view(&self, whole: &Projection) -> View {
        View::of(&self.reader.schema().whole.shape, &whole.shape, &self.matches)
    }

    /// A reader of what a part of the common shape has.
    pub(super) fn projected(&self, target: &Projection) -> Reader<'s> {
        let wanted = target.of_whole();
        let missing: Vec<NodeId> = self.missing(&wanted).collect();
        self.reader.of_nodes(&Vec::from_iter(self.nodes(&wanted)), &missing)
    }

    /// The nodes that are among those of the common shape.
    fn nodes<'p>(&'p self, wanted: &'p BTreeSet<NodeId>) -> impl Iterator<Item = NodeId> + 'p {
        self.matches.iter().filter(|(_, found)| wanted.contains(&found.whole)).map(|(own, _)| own)
    }

    /// The nodes that are variants of unions of which other variants are wanted.
    fn missing<'p>(&'p self, wanted: &'p BTreeSet<NodeId>) -> impl Iterator<Item = NodeId> + 'p {
        let is_other = |union: &Option<NodeId>| union.is_some_and(|union| wanted.contains(&union));
        let others = self
            .matches
            .iter()
            .filter(move |(_, found)| !wanted.contains(&found.whole) && is_other(&found.union));
        others.map(|(own, _)| own)
    }

    /// Appends the values at a node of a part of the common shape.
    pub(super) fn extend_column<T: FromColumn>(
        &self,
        path: &str,
        target: &Projection,
        node: NodeId,
        column: &mut T::Column,
    ) -> Result<()> {
        if self.reader.row_count() == 0 {
            return self.reader.checked_rows().map(|_| ());
        }
        let tree: &Tree = &self.reader.schema().whole.tree;
        let wanted = target.of_whole();
        let is_missing = || self.nodes(&wanted).all(|own| tree.kind(own) == Kind::Record);
        let reader = self.projected(target);
        let conversion = Conversion::of_rows(reader.row_count(), &reader.known_shape(), &target.shape)?;
        match reader.extend_column::<T>((path, node), &target.shape, &conversion, column) {
            done if is_type_error(&done) && is_missing() => Err(missing(path)),
            done => done,
        }
    }
}

#[cold]
fn missing(path: &str) -> Error {
    let (path, found) = (format!("{path:?}"), "missing in this part".to_owned());
    ErrorKind::ColumnType { path, found, expected: "always there: use Option" }.into()
}
