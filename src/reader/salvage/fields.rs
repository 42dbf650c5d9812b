//! Readers without the fields of which nothing can be read.

use crate::error::Result;
use crate::reader::Reader;
use crate::tree::{Kind, NodeId, Slot};

impl Reader<'_> {
    /// A reader without the fields whose columns are lost altogether, of a reader that salvages: so columns that a cut has
    /// taken do not cost the rows of the others. Maps and unions stay or go as a whole. Where nothing would be left, the
    /// reader stays as it is.
    ///
    /// ```
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::builder().build(Vec::new())?;
    /// writer.write_all((0..100).map(|n| (n, f64::from(n))))?;
    /// let file = writer.finish()?;
    ///
    /// let cut = &file[..file.len() - 10];
    /// let reader = Reader::builder().salvage().source(cut)?;
    /// assert_eq!(reader.lost()?.rows().row_count(), 100);
    /// let reader = reader.without_lost_columns()?;
    /// assert_eq!((reader.lost()?.rows().row_count(), reader.column::<i32>("_0")?.len()), (0, 100));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reader::lost`].
    pub fn without_lost_columns(&self) -> Result<Self> {
        let lost = self.lost()?;
        if lost.columns().is_empty() {
            return Ok(self.clone());
        }
        let tree = &self.part.tree;
        let is_lost = |id: NodeId| {
            let slots = self.part.in_whole(id).map(|id| [Slot::Own(id), Slot::Presence(id)]);
            let mut columns = slots.into_iter().flatten().filter_map(|slot| self.schema.column(slot));
            columns.any(|column| lost.columns().contains(&column))
        };
        let mut is_kept = Vec::with_capacity(tree.len());
        let count = NodeId::try_from(tree.len()).unwrap_or(NodeId::MAX);
        let ids = || 0..count;
        is_kept.extend(ids().map(|id| !is_lost(id)));
        // What is above a node that is lost goes with it, up to the record that it is a field of.
        for id in ids().rev() {
            let above = tree.parent(id).filter(|above| tree.kind(*above) != Kind::Record);
            if let (Some(false), Some(above)) = (is_kept.get(id as usize).copied(), above)
                && let Some(above) = is_kept.get_mut(above as usize)
            {
                *above = false;
            }
        }
        // What is below one goes too.
        for id in ids() {
            let above = tree.parent(id).and_then(|above| is_kept.get(above as usize).copied());
            if let (Some(false), Some(own)) = (above, is_kept.get_mut(id as usize)) {
                *own = false;
            }
        }
        let leaves: Vec<NodeId> = ids()
            .filter(|id| is_kept.get(*id as usize) == Some(&true) && tree.children(*id).next().is_none())
            .collect();
        if leaves.is_empty() {
            return Ok(self.clone());
        }
        Ok(self.of_part(self.part.only(&leaves)))
    }
}
