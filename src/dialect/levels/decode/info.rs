//! What is known of columns and blocks without decoding them.

use super::file::File;
use super::header::Column;
use super::table;
use crate::bytes::reader::Bytes;
use crate::dialect::schema::Schema;
use crate::dialect::{BlockInfo, ColumnInfo, FileInfo, FirstValue, Named};
use crate::error::Result;
use crate::metadata;
use crate::storage::zone_map::{self, ZoneMap};
use crate::tree::places::{self, Place};
use crate::tree::{Kind, Slot};
use std::sync::Arc;

impl FileInfo for File<'_> {
    fn columns(&self, schema: &Schema) -> Vec<ColumnInfo> {
        let places = self.places(schema);
        let columns = self.header.columns();
        let info = |(column, place): (&Column, Option<(Place, bool)>)| ColumnInfo {
            name: column.name.clone(),
            value_type: column.value_type,
            array: column.greatest.definition > self.above(column).definition,
            parent: column.parent.and_then(|parent| columns.get(parent)).map(|parent| parent.name.clone()),
            first_values: column.first_values,
            codec: {
                let name = self.header.inherited(column, metadata::CODEC).unwrap_or_default();
                Named::new(name, table::known_codec(name))
            },
            checksum: {
                let name = self.header.inherited(column, metadata::CHECKSUM);
                Named::new(name.unwrap_or_default(), table::known_checksum(name))
            },
            start: column.start,
            optional: place.as_ref().is_some_and(|(_, optional)| *optional),
            place: place.map(|(place, _)| place),
            greatest_repetition: column.greatest.repetition,
            greatest_definition: column.greatest.definition,
            within_beginning: false,
            width: column.width,
            metadata: self.header.column_entries(column).to_metadata(),
        };
        columns.iter().zip(places).map(info).collect()
    }

    fn blocks(&self, number: usize) -> Result<Vec<BlockInfo>> {
        let (column, table, zones) = (self.column(number)?, self.table(number)?, self.zones(number)?);
        let first = |bytes: &[u8]| match column.first_values {
            true => FirstValue::decode(&mut Bytes::new(bytes), column.value_type).map(Some),
            false => Ok(None),
        };
        let zone = |number: usize| zones.as_ref().and_then(|map| map.zones.get(number)).cloned();
        let blocks = table.blocks.iter().enumerate().map(|(number, block)| {
            Ok(BlockInfo {
                first_row: block.first_row,
                rows: block.rows,
                size: block.size,
                compressed_size: block.compressed,
                offset: block.offset,
                first_value: first(table.blocks.first_value(number))
                    .map_err(|error| error.in_column(&column.name))?,
                zone: zone(number),
            })
        });
        blocks.collect()
    }

    fn block_sizes(&self, number: usize) -> Result<Vec<(u32, u64)>> {
        let table = self.table(number)?;
        Ok(table.blocks.iter().map(|block| (block.rows, table.blocks.stored(&block) as u64)).collect())
    }
}

impl File<'_> {
    /// The greatest levels around a column.
    fn above(&self, column: &Column) -> crate::levels::Place {
        let parent = column.parent.and_then(|parent| self.header.columns().get(parent));
        parent.map_or_else(Default::default, |parent| parent.greatest)
    }

    /// For each column where in the rows it belongs, and whether it may be missing there but not be several.
    fn places(&self, schema: &Schema) -> Vec<Option<(Place, bool)>> {
        let mut places = vec![None::<(Place, bool)>; self.header.columns().len()];
        places::each(&schema.whole.shape, |slot, _, names| {
            let kind = match slot {
                Slot::Own(id) => schema.whole.tree.kind(id),
                Slot::Presence(_) => Kind::Optional,
            };
            let Some(known) = schema.column(slot).and_then(|column| places.get_mut(column)) else {
                return;
            };
            let optional = match (kind, &known) {
                (Kind::Optional, _) => true,
                (Kind::List | Kind::Map, _) | (_, None) => false,
                (_, Some((_, optional))) => *optional,
            };
            // Where groups have no columns, what is around a value has its column; the value comes last.
            *known = Some((names.place(), optional));
        });
        places
    }

    /// The zones of a column's blocks that its zone map holds; `None` where there is no valid one.
    ///
    /// # Errors
    ///
    /// A number that is not there, a table that is damaged.
    pub(crate) fn zones(&self, number: usize) -> Result<Option<Arc<ZoneMap>>> {
        let column = self.column(number)?;
        let Some(slot) = self.zones.get(number) else {
            return Ok(None);
        };
        if let Some(zones) = slot.get() {
            return Ok(zones.clone());
        }
        let Some(bytes) = self.header.column_entries(column).get(metadata::ZONE_MAP) else {
            return Ok(None);
        };
        let table = self.table(number)?;
        let sizes = table.blocks.iter().zip(&table.entries);
        let blocks: Vec<[u32; 2]> = sizes.map(|(block, entries)| [*entries, block.size]).collect();
        let map = zone_map::decode(bytes, column.value_type, &blocks).map(Arc::new);
        Ok(slot.get_or_init(|| map).clone())
    }
}
