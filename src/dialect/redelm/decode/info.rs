//! What is known of columns and blocks without decoding them.

use super::file::Column;
use super::file::File;
use super::footer::{Extent, Group};
use crate::dialect::schema::Schema;
use crate::dialect::{BlockInfo, ColumnInfo, FileInfo, Named};
use crate::error::Result;
use crate::metadata::Metadata;
use crate::schema::message::{Field, Repetition};
use crate::storage::checksum::Checksum;
use crate::tree::places::{self, Place};

impl FileInfo for File<'_> {
    fn columns(&self, schema: &Schema) -> Vec<ColumnInfo> {
        let start = |number: usize| {
            let first = self.header.groups.first().and_then(|group| group.extents.get(number));
            first.map_or(0, |extent| extent.borders[0])
        };
        let info = |number: usize, column: &Column, place: Option<Place>| ColumnInfo {
            name: column.name.clone(),
            value_type: column.value_type(),
            array: self.repetition(number) != Repetition::Required,
            parent: None,
            first_values: false,
            codec: Named::Known(self.header.codec),
            checksum: Named::Known(Checksum::Null),
            start: start(number),
            optional: self.repetition(number) == Repetition::Optional,
            place,
            greatest_repetition: column.greatest.repetition,
            greatest_definition: column.greatest.definition,
            within_beginning: false,
            width: None,
            metadata: Metadata::default(),
        };
        let columns = self.columns.iter().zip(self.places(schema)).enumerate();
        columns.map(|(number, (column, place))| info(number, column, place)).collect()
    }

    fn blocks(&self, number: usize) -> Result<Vec<BlockInfo>> {
        self.column(number)?;
        let zones = self.zones(number)?;
        let blocks = self.extents(number).enumerate().map(|(block, (group, extent))| {
            let Extent { borders: [start, .., end], .. } = *extent;
            BlockInfo {
                first_row: group.first,
                rows: group.rows,
                size: self.size(extent),
                compressed_size: saturated(end - start),
                offset: start,
                first_value: None,
                zone: zones.as_ref().and_then(|map| map.zones.get(block)).cloned(),
            }
        });
        Ok(blocks.collect())
    }

    fn block_sizes(&self, number: usize) -> Result<Vec<(u32, u64)>> {
        self.column(number)?;
        let size = |(group, extent): (&Group, &Extent)| (group.rows, extent.borders[3] - extent.borders[0]);
        Ok(self.extents(number).map(size).collect())
    }
}

impl File<'_> {
    /// The fields of the message on the way to a column, outermost first.
    pub(super) fn fields(&self, number: usize) -> Vec<&Field> {
        let path = self.columns.get(number).map(|column| column.leaf.path.as_slice());
        let (mut fields, mut found) = (self.header.message.fields.as_slice(), Vec::new());
        for name in path.unwrap_or_default() {
            if let Some(field) = fields.iter().find(|field| *field.name == **name) {
                found.push(field);
                fields = field.kind.fields();
            }
        }
        found
    }

    /// How often a column itself is there within what is around it.
    fn repetition(&self, number: usize) -> Repetition {
        let is_nothing = self.columns.get(number).is_some_and(|column| column.is_nothing);
        let own = self.fields(number).last().map(|field| field.repetition);
        own.filter(|_| !is_nothing).unwrap_or(Repetition::Required)
    }

    /// For each column where in the rows its values belong.
    fn places(&self, schema: &Schema) -> Vec<Option<Place>> {
        let mut places = vec![None; self.columns.len()];
        places::each(&schema.whole.shape, |slot, _, names| {
            // A column has the levels of all nodes around its values, which come last.
            if let Some(known) = schema.column(slot).and_then(|column| places.get_mut(column)) {
                *known = Some(names.place());
            }
        });
        places
    }

    /// The bytes of a column in each row group.
    pub(super) fn extents(&self, number: usize) -> impl Iterator<Item = (&Group, &Extent)> {
        self.header.groups.iter().filter_map(move |group| Some((group, group.extents.get(number)?)))
    }

    /// Bytes of a column in a row group before compression. Without a codec these are the bytes in the file: what the
    /// footer says is wrong in files of the Java implementation.
    pub(super) fn size(&self, extent: &Extent) -> u32 {
        saturated(match self.header.codec_name {
            None => extent.borders[3] - extent.borders[0],
            Some(_) => extent.hints.iter().fold(0, |sum, hint| sum.saturating_add(*hint)),
        })
    }
}

fn saturated(size: u64) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}
