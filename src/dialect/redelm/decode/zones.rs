//! What is known of the values of row groups: zone maps, in a metadata block of this crate.

use super::file::File;
use crate::bytes::reader::Bytes;
use crate::error::Result;
use crate::storage::zone_map::{self, ZoneMap};
use crate::tree::{Kind, NodeId, Slot};
use std::sync::Arc;

impl File<'_> {
    /// The zones of a column's row groups, where they are known.
    ///
    /// # Errors
    ///
    /// A number that is not there.
    pub(crate) fn zones(&self, number: usize) -> Result<Option<Arc<ZoneMap>>> {
        self.column(number)?;
        let zones = self.zones.get_or_init(|| self.read_zones());
        Ok(zones.get(number).cloned().flatten())
    }

    /// The zones of all columns; none where they do not belong to these row groups.
    fn read_zones(&self) -> Vec<Option<Arc<ZoneMap>>> {
        let mut bytes = Bytes::new(self.header.zones.as_deref().unwrap_or_default());
        let of = |(number, map): (usize, &[u8])| {
            let column = self.columns.get(number)?;
            let blocks: Vec<[u32; 2]> =
                self.extents(number).map(|(_, extent)| [extent.entries, self.size(extent)]).collect();
            let is_sound = !column.is_nothing && self.tells_of_all_above(number);
            zone_map::decode(map, column.value_type(), &blocks).filter(|_| is_sound).map(Arc::new)
        };
        let maps: Vec<&[u8]> = (0..self.columns.len()).map_while(|_| bytes.prefixed().ok()).collect();
        maps.into_iter().enumerate().map(of).collect()
    }

    /// Whether all nodes that a column tells of are there exactly where its values are. An optional record is there
    /// where all of its fields may be missing, and no other column tells of it.
    pub(super) fn tells_of_all_above(&self, number: usize) -> bool {
        let tree = &self.schema.whole.tree;
        let Some(most) = self.columns.get(number).map(|column| usize::from(column.greatest.definition))
        else {
            return false;
        };
        let counts =
            |id: &NodeId| matches!(tree.kind(*id), Kind::Optional | Kind::List | Kind::Map | Kind::Union);
        // How much of what may be missing is around the entries of a node.
        let around =
            |id: NodeId| std::iter::successors(tree.parent(id), |id| tree.parent(*id)).filter(counts).count();
        (0..).take(tree.len()).all(|id: NodeId| {
            let is_own = self.schema.column(Slot::Own(id)) == Some(number);
            let is_variant = self.schema.column(Slot::Presence(id)) == Some(number);
            let has_items = matches!(tree.kind(id), Kind::Optional | Kind::List | Kind::Map);
            (!is_own || !has_items || around(id) + 1 == most) && (!is_variant || around(id) == most)
        })
    }
}
