//! One file of a dataset.

use super::DatasetFile;
use crate::convert::Conversion;
use crate::error::{Error, ErrorKind, Result};
use crate::path::Found;
use crate::reader::{FromColumn, Reader, is_type_error};
use crate::sort;
use crate::tree::{Kind, Matches, NodeId, Projection, Tree, View};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// One file of a [`Dataset`](crate::Dataset).
#[derive(Clone, Debug)]
pub struct DatasetPart<'s> {
    pub(super) file: DatasetFile,
    pub(super) reader: Reader<'s>,
    pub(super) first_row: u64,
    /// Which nodes of the common shape have the values of the file's nodes.
    matches: Arc<Matches>,
}

impl<'s> DatasetPart<'s> {
    /// A part of a dataset whose rows have a common shape.
    pub(super) fn new(file: DatasetFile, reader: Reader<'s>, first_row: u64, whole: &Projection) -> Self {
        let own = &reader.schema().whole;
        // The shape of a file without rows may not be known.
        let matches = match Conversion::between(&reader.schema().known(own), &whole.shape) {
            Some(conversion) => Matches::new(&conversion, &own.tree, &whole.tree),
            None => Matches::none(&own.tree),
        };
        Self { file, reader, first_row, matches: Arc::new(matches) }
    }

    /// The path of the file; `part 0`, `part 1`, … for [`Dataset::from_readers`](crate::Dataset::from_readers).
    #[must_use]
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The keys and values of the partition that the file is in; see [`DatasetFile::partition`](crate::dataset::DatasetFile::partition).
    #[must_use]
    pub fn partition(&self) -> &[(String, Option<String>)] {
        self.file.partition()
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
        View::new(&self.reader.schema().whole.shape, &whole.shape, &self.matches)
    }

    /// A reader of what a part of the common shape has, in its order.
    pub(super) fn projected(&self, target: &Projection) -> Reader<'s> {
        let wanted = target.of_whole();
        let mut nodes: Vec<(NodeId, NodeId, bool)> =
            self.nodes(&wanted).map(|(own, place)| (place, own, false)).collect();
        nodes.extend(self.missing(&wanted).map(|(own, place)| (place, own, true)));
        sort::by_key(&mut nodes, |(place, ..)| u64::from(*place));
        self.reader.of_nodes(nodes.into_iter().map(|(_, own, is_missing)| (own, is_missing)))
    }

    /// The nodes that are among those of the common shape, with their places.
    fn nodes<'p>(
        &'p self,
        wanted: &'p BTreeMap<NodeId, NodeId>,
    ) -> impl Iterator<Item = (NodeId, NodeId)> + 'p {
        self.matches.iter().filter_map(|(own, found)| Some((own, *wanted.get(&found.whole)?)))
    }

    /// The nodes that are variants of unions of which other variants are wanted.
    fn missing<'p>(
        &'p self,
        wanted: &'p BTreeMap<NodeId, NodeId>,
    ) -> impl Iterator<Item = (NodeId, NodeId)> + 'p {
        let others = self.matches.iter().filter(|(_, found)| !wanted.contains_key(&found.whole));
        others.filter_map(|(own, found)| Some((own, *wanted.get(&found.union?)?)))
    }

    /// Whether records in the rows lack a field on the way to something. Where rows have shown nothing, or other variants of a
    /// union, nothing is missing: the values are null.
    pub(super) fn lacks(&self, whole: &Projection, found: &Found<'_>) -> bool {
        let tree: &Tree = &self.reader.schema().whole.tree;
        let own = |nodes: Range<NodeId>| {
            let matches = self.matches.iter().filter(move |(_, found)| nodes.contains(&found.whole));
            matches.map(|(own, _)| own)
        };
        let mut around = 0;
        found.steps.iter().any(|step| {
            let record = inner(&whole.tree, around);
            around = whole.tree.children(record).nth(step.number()).unwrap_or(record);
            let has_records = own(record..record + 1).any(|own| tree.kind(own) == Kind::Record);
            // Values without an option or a union around them are those of the item or the variant.
            let below = around..around.saturating_add(whole.tree.span(around));
            step.is_field() && has_records && own(below).next().is_none()
        })
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
        let is_missing = || self.nodes(&wanted).all(|(own, _)| tree.kind(own) == Kind::Record);
        let reader = self.projected(target);
        let conversion = Conversion::from_rows(reader.row_count(), &reader.known_shape(), &target.shape)?;
        match reader.extend_column::<T>((path, node), &target.shape, &conversion, column) {
            done if is_type_error(&done) && is_missing() => Err(missing(path)),
            done => done,
        }
    }
}

/// The node in lists and optionals.
fn inner(tree: &Tree, mut id: NodeId) -> NodeId {
    while matches!(tree.kind(id), Kind::List | Kind::Optional) {
        id += 1;
    }
    id
}

#[cold]
fn missing(path: &str) -> Error {
    let (path, found) = (format!("{path:?}"), "missing in this part".to_owned());
    ErrorKind::ColumnType { path, found, expected: "always there: use Option" }.into()
}
