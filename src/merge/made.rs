//! Columns of a file that are encoded again, as the result of a merge has them: a file of its own.

use crate::batch::Batch;
use crate::convert::Conversion;
use crate::dialect::{File, Schema};
use crate::error::Result;
use crate::limits::Limits;
use crate::reader::{Reader, ReaderBuilder};
use crate::shape::Shape;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::storage::temporary::TemporaryBytes;
use crate::tree::{Kind, Matches, NodeId, Projection, Tree};
use crate::writer::WriterBuilder;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Bytes that are kept in memory; more wait in a temporary file.
const MEMORY_BYTES: u64 = 64 << 20;

/// A file of the rows of another, with some fields of a joined shape.
pub(super) struct Made {
    reader: Reader<'static>,
    /// Its fields, and the nodes that they are of the joined shape.
    fields: Projection,
}

impl Made {
    /// Makes all fields that have some of the nodes of `shape`, whose tree this is, with the rows of a reader, whose own nodes
    /// have these matches.
    ///
    /// # Errors
    ///
    /// What cannot be decoded, or converted.
    pub(super) fn new(
        reader: &Reader<'_>,
        shape: &Shape,
        tree: &Tree,
        matches: &Matches,
        nodes: &[NodeId],
        beside: &Path,
    ) -> Result<Self> {
        let wanted: BTreeSet<NodeId> =
            nodes.iter().flat_map(|node| all_of(tree, field_of(tree, *node))).collect();
        let above =
            wanted.iter().flat_map(|node| std::iter::successors(Some(*node), |node| tree.parent(*node)));
        let wanted: BTreeSet<NodeId> = above.collect();
        let fields = Projection::whole(shape.clone()).only(&Vec::from_iter(wanted.iter().copied()));
        let own = matches.iter().filter(|(_, found)| wanted.contains(&found.whole)).map(|(own, _)| own);
        let rows = reader.of_nodes(own.map(|own| (own, false)));
        let conversion = Conversion::from_rows(reader.row_count(), &rows.known_shape(), &fields.shape)?;
        let bytes = TemporaryBytes::new(MEMORY_BYTES, beside);
        let options = WriterBuilder::new().codec(Codec::Null).checksum(Checksum::Null).shape(&fields.shape);
        let mut writer = options.build_beside(bytes, beside)?;
        let shape = Arc::clone(&fields.shape);
        for batch in rows.batches()? {
            let batch = batch?;
            let (branches, selected) = (batch.branches(), batch.selection().clone());
            let vector = conversion.apply(batch.into_parts().1)?;
            writer.write_batch(&Batch::new(Arc::clone(&shape), branches, vector, selected))?;
        }
        let reader = ReaderBuilder::new().limits(Limits::NONE).source(writer.finish()?)?;
        Ok(Self { reader, fields })
    }

    pub(super) fn file(&self) -> &File<'static> {
        self.reader.file()
    }

    pub(super) fn schema(&self) -> &Schema {
        self.reader.schema()
    }

    /// The node that holds a node of the joined shape.
    pub(super) fn node(&self, whole: NodeId) -> Option<NodeId> {
        (0..).take(self.fields.tree.len()).find(|own| self.fields.in_whole(*own) == Some(whole))
    }
}

/// The field that a node is in: what is below nothing but records.
fn field_of(tree: &Tree, node: NodeId) -> NodeId {
    let mut field = node;
    let mut above = tree.parent(node);
    while let Some(id) = above {
        if tree.kind(id) != Kind::Record {
            field = id;
        }
        above = tree.parent(id);
    }
    field
}

fn all_of(tree: &Tree, node: NodeId) -> impl Iterator<Item = NodeId> {
    node..node.saturating_add(tree.span(node))
}
