//! An open file: its footer, the columns of its rows, and their zone maps.

use super::super::RedElmFooter;
use super::super::leaves::Leaf;
use super::footer::{self, Group, Header};
use super::schema::Described;
use crate::bytes::reader::Bytes;
use crate::dialect::Sums;
use crate::dialect::schema::Schema;
use crate::error::{Error, Result};
use crate::levels::Place;
use crate::limits::Limits;
use crate::storage::budget::Budget;
use crate::storage::checksum::Checksum;
use crate::storage::codec::{Decompressors, Framing};
use crate::storage::source::Source;
use crate::storage::value_type::ValueType;
use crate::storage::zone_map::{self, ZoneMap};
use crate::tree::{Kind, NodeId, Slot};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A file that is open for reading.
pub(crate) struct File<'s> {
    pub(crate) source: Box<dyn Source + 's>,
    pub(crate) len: u64,
    pub(in super::super) header: Header,
    pub(in super::super) columns: Vec<Column>,
    pub(crate) limits: Limits,
    /// How many threads decode columns.
    pub(crate) threads: usize,
    /// Whether the source has its bytes in memory, so that nothing need be read ahead.
    pub(super) in_memory: bool,
    pub(super) decompressors: Decompressors,
    pub(crate) budget: Arc<Budget>,
    /// The rows as the file's own schema describes them, or else the message.
    pub(super) schema: Schema,
    /// The zones of all columns, made when first asked for.
    pub(super) zones: OnceLock<Vec<Option<Arc<ZoneMap>>>>,
}

impl<'s> File<'s> {
    pub(crate) fn open(
        source: Box<dyn Source + 's>,
        limits: Limits,
        threads: usize,
        sums: Sums,
    ) -> Result<Self> {
        let len = source.size()?;
        let header = footer::read(&*source, len, &limits, sums)?;
        Self::new(source, len, header, limits, threads)
    }

    /// Opens a file whose footer is known, without reading of it.
    pub(crate) fn with_footer(
        source: Box<dyn Source + 's>,
        footer: &[u8],
        limits: Limits,
        threads: usize,
    ) -> Result<Self> {
        let len = source.size()?;
        let header = footer::known(footer, len, &limits)?;
        Self::new(source, len, header, limits, threads)
    }

    fn new(
        source: Box<dyn Source + 's>,
        len: u64,
        header: Header,
        limits: Limits,
        threads: usize,
    ) -> Result<Self> {
        let in_memory = usize::try_from(len).is_ok_and(|len| source.slice(0, len).is_some());
        let Described { schema, columns } = Described::from_header(&header)?;
        let decompressors = Decompressors::new(Framing::Hadoop);
        Ok(Self {
            source,
            len,
            header,
            columns,
            limits,
            threads,
            in_memory,
            decompressors,
            budget: Budget::new(limits.memory),
            schema,
            zones: OnceLock::new(),
        })
    }

    /// How the footer is written.
    pub(crate) fn footer_form(&self) -> RedElmFooter {
        self.header.form
    }

    /// The checksum of parts of columns and of the footer.
    pub(crate) fn checksum(&self) -> Checksum {
        if self.header.sums.is_some() { Checksum::Crc32 } else { Checksum::Null }
    }

    /// Where the footer is.
    pub(crate) fn footer_range(&self) -> Range<u64> {
        self.header.start..self.len
    }

    pub(in super::super) fn column(&self, number: usize) -> Result<&Column> {
        self.columns.get(number).ok_or_else(|| Error::metadata(format!("no column {number}")))
    }

    /// The row group that a row is in, with its number.
    pub(super) fn group_of(&self, row: u64) -> Result<(usize, &Group)> {
        let groups = &self.header.groups;
        // Of several that begin with the same row, all but the last are empty.
        let number = groups.partition_point(|group| group.first <= row).checked_sub(1);
        let found = number.and_then(|number| Some((number, groups.get(number)?)));
        found
            .filter(|(_, group)| row - group.first < u64::from(group.rows))
            .ok_or_else(|| Error::internal(format!("no row group has row {row}")))
    }
}

/// A column.
pub(in super::super) struct Column {
    pub(in super::super) leaf: Leaf,
    /// The greatest levels that there are; those of the leaf, but where nothing has values.
    pub(in super::super) greatest: Place,
    /// Whether it holds nothing, so that it is never there.
    pub(in super::super) is_nothing: bool,
    /// The path as one name.
    pub(in super::super) name: String,
}

impl Column {
    pub(in super::super) fn new(leaf: Leaf, is_nothing: bool) -> Self {
        let mut greatest = leaf.greatest;
        greatest.definition = greatest.definition.saturating_sub(u8::from(is_nothing));
        Self { name: leaf.name(), leaf, greatest, is_nothing }
    }

    /// What its values are.
    pub(in super::super) fn value_type(&self) -> ValueType {
        if self.is_nothing { ValueType::Null } else { self.leaf.primitive.value_type() }
    }
}

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

    /// The zones of all columns; `None` where they do not belong to these row groups.
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
