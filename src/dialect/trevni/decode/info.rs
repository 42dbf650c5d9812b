//! What is known of columns and blocks without decoding them.

use super::file::File;
use super::header::ColumnHeader;
use crate::bytes::reader::Bytes;
use crate::dialect::schema::Schema;
use crate::dialect::{BlockInfo, ColumnInfo, FileInfo, FirstValue, Named};
use crate::error::Result;
use crate::metadata;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::tree::places::{self, Place};
use crate::tree::{Kind, Slot};

impl FileInfo for File<'_> {
    fn columns(&self, schema: &Schema) -> Vec<ColumnInfo> {
        let header = &self.header;
        let inherited = header.inherited();
        let codec_of = |name: &str| Named::new(name, Codec::from_metadata(name));
        let checksum_of = |name: &str| Named::new(name, Checksum::from_metadata(name));
        let (codec, checksum) = (codec_of(&inherited.codec), checksum_of(&inherited.checksum));
        // In the beginning of a compact file there are no others: a column has what it would have in a plain file.
        let is_here = |column: &ColumnHeader<'_>| {
            self.compact.as_ref().is_some_and(|compact| compact.has(column.start))
        };
        let own = |column: &ColumnHeader<'_>, key: &str| {
            if is_here(column) { None } else { column.metadata.get_str(key).map(str::to_owned) }
        };
        let name_of = |number: usize| header.column(number).map(|column| column.spec.name.to_owned());
        let info = |(column, place): (ColumnHeader<'_>, Option<(Place, bool)>)| ColumnInfo {
            name: column.spec.name.to_owned(),
            value_type: column.spec.value_type,
            array: column.spec.array,
            parent: column.spec.parent.and_then(name_of),
            first_values: column.first_values,
            codec: own(&column, metadata::CODEC).map_or_else(|| codec.clone(), |name| codec_of(&name)),
            checksum: own(&column, metadata::CHECKSUM)
                .map_or_else(|| checksum.clone(), |name| checksum_of(&name)),
            start: column.start,
            optional: place.as_ref().is_some_and(|(_, optional)| *optional),
            place: place.map(|(place, _)| place),
            greatest_repetition: 0,
            greatest_definition: 0,
            within_beginning: is_here(&column),
            width: None,
            metadata: {
                let mut own = column.metadata.to_metadata();
                if is_here(&column) {
                    [metadata::CODEC, metadata::CHECKSUM].into_iter().for_each(|key| own.remove(key));
                }
                own
            },
        };
        let mut columns: Vec<ColumnInfo> = header.columns().zip(self.places(schema)).map(info).collect();
        for (number, column) in
            columns.iter_mut().enumerate().filter(|(number, _)| header.zone_map(*number).is_some())
        {
            // What cannot be read again is skipped, as everything else is known; `Reader::zone_map` says why.
            if let Ok(Some(zone_map)) = self.zone_map_bytes(number) {
                column.metadata.insert(metadata::ZONE_MAP, zone_map);
            }
        }
        columns
    }

    fn blocks(&self, number: usize) -> Result<Vec<BlockInfo>> {
        let column = self.column(number)?;
        let table = self.table(number)?;
        let zones = self.zones(number)?;
        let zone = |number: usize| zones.as_ref().and_then(|map| map.zones.get(number)).cloned();
        let first = |bytes: &[u8]| match column.first_values {
            true => FirstValue::decode(&mut Bytes::new(bytes), column.spec.value_type).map(Some),
            false => Ok(None),
        };
        let blocks = table.iter().enumerate().map(|(number, block)| {
            Ok(BlockInfo {
                first_row: block.first_row,
                rows: block.rows,
                size: block.size,
                compressed_size: block.compressed,
                offset: block.offset,
                first_value: first(table.first_value(number))
                    .map_err(|error| error.in_column(column.spec.name))?,
                zone: zone(number),
            })
        });
        blocks.collect()
    }

    fn block_sizes(&self, number: usize) -> Result<Vec<(u32, u64)>> {
        let table = self.table(number)?;
        Ok(table.iter().map(|block| (block.rows, table.stored(&block) as u64)).collect())
    }
}

impl File<'_> {
    /// For each column where in the rows it belongs, and whether its lengths say only what is there.
    fn places(&self, schema: &Schema) -> Vec<Option<(Place, bool)>> {
        let mut places = vec![None; self.header.len()];
        places::each(&schema.whole.shape, |slot, _, names| {
            let optional = match slot {
                Slot::Own(id) => schema.whole.tree.kind(id) == Kind::Optional,
                Slot::Presence(_) => true,
            };
            if let Some(known @ None) = schema.column(slot).and_then(|column| places.get_mut(column)) {
                *known = Some((names.place(), optional));
            }
        });
        places
    }
}
