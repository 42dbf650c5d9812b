//! Takes batches, and writes row groups as they fill.

use super::super::MAGIC;
use super::super::footer::{Footer, RedElmFooter};
use super::column::ENTRIES_MAX;
use super::row_group::OpenRowGroup;
use super::schema::Described;
use super::{footer, grow, schema};
use crate::dialect::capabilities::Capabilities;
use crate::dialect::dremel::widen::{self, stored};
use crate::dialect::{ColumnSettings, Encode, FileSettings};
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::storage::blocks::Resources;
use crate::storage::checksum::Checksum;
use crate::storage::codec::{Codec, Compressors, Framing};
use crate::vector::Vector;
use crate::vector::gather::gather;
use std::io::Write;

/// What rows may be.
const CAPABILITIES: Capabilities = Capabilities { growth: false, ..Capabilities::all("RedElm") };

/// Takes batches; row groups go to the sink when they are full.
pub(crate) struct Encoder {
    footer: RedElmFooter,
    /// Bytes of a row group before compression, about.
    row_group_bytes: u64,
    settings: FileSettings,
    codec: Codec,
    /// One for each thread.
    compressors: Vec<Compressors>,
    /// What is known once there are rows.
    open: Option<Open>,
    rows: u64,
}

/// A file with rows.
struct Open {
    /// The shape of the last batch.
    seen: Shape,
    /// The shape whose entries the columns are made for.
    shape: Shape,
    described: Described,
    group: OpenRowGroup,
    footer: Footer,
    /// Bytes that the sink has.
    position: u64,
}

impl Encoder {
    /// Takes no rows yet.
    pub(crate) fn new(
        footer: RedElmFooter,
        row_group_bytes: u64,
        settings: FileSettings,
        resources: &Resources,
    ) -> Self {
        let codec = settings.columns.codec;
        let compressors =
            (0..resources.threads.max(1)).map(|_| Compressors::new(Framing::Hadoop, resources.level));
        let compressors = compressors.collect();
        Self { footer, row_group_bytes, settings, codec, compressors, open: None, rows: 0 }
    }

    /// Prepares columns for rows of a shape.
    fn grow_to(&mut self, shape: &Shape, sink: &mut dyn Write) -> Result<()> {
        if self.open.as_ref().is_some_and(|open| open.seen == *shape) {
            return Ok(());
        }
        let described = Described::from_header(shape, self.settings.schema.as_deref())?;
        match &mut self.open {
            None => {
                schema::check(&self.settings)?;
                sink.write_all(&MAGIC)?;
                let footer = footer::footer(&described, self.codec)?;
                let (group, position) =
                    (OpenRowGroup::new(&described, &self.settings.columns), MAGIC.len() as u64);
                let (seen, shape) = (shape.clone(), stored(shape));
                self.open = Some(Open { seen, shape, described, group, footer, position });
            }
            Some(open) if open.has_same_columns(shape, &described) => {
                open.group.set_fields(&described);
                (open.seen, open.shape, open.described) = (shape.clone(), stored(shape), described);
            }
            // The rows that have been written stay as they are.
            Some(open) if !open.footer.groups.is_empty() => open.seen = shape.clone(),
            Some(open) => {
                open.grow_to(shape, &described, &self.settings.columns)?;
                open.footer.schema = described.text();
                (open.seen, open.shape, open.described) = (shape.clone(), stored(shape), described);
            }
        }
        Ok(())
    }
}

/// The end of a file, which begins at a position.
fn end(
    (settings, form): (&FileSettings, RedElmFooter),
    footer: &Footer,
    described: &Described,
    group: &OpenRowGroup,
    position: u64,
) -> Result<Vec<u8>> {
    let zones = settings.columns.zones.then(|| group.zone_maps());
    let blocks = footer::blocks(settings, described, zones);
    let sums = (settings.columns.checksum != Checksum::Null).then(|| group.sums());
    footer::end(footer, form, blocks, sums, position)
}

impl Open {
    /// Writes the row group that is being filled.
    fn flush(&mut self, codec: Codec, compressors: &mut [Compressors], sink: &mut dyn Write) -> Result<()> {
        let group = self.group.write(self.position, codec, compressors, sink, |_, _| Ok(Vec::new()))?;
        self.position = group.end;
        self.footer.groups.push(group);
        Ok(())
    }

    /// Checks that rows can follow those that have been written.
    fn check(&self, shape: &Shape, described: &Described) -> Result<()> {
        if self.footer.groups.is_empty() || self.has_same_columns(shape, described) {
            return Ok(());
        }
        Err(written())
    }

    /// Whether the columns, and what is in them, are those of rows of another shape.
    fn has_same_columns(&self, shape: &Shape, described: &Described) -> bool {
        self.described.message == described.message && !widen::is_restated(&self.shape, &stored(shape))
    }

    /// Makes the rows that have not been written those of a shape that has grown.
    #[cold]
    fn grow_to(&mut self, shape: &Shape, described: &Described, settings: &ColumnSettings) -> Result<()> {
        let mut group = OpenRowGroup::new(described, settings);
        let old = std::mem::replace(&mut self.group, OpenRowGroup::new(described, settings));
        let settled = shape.clone().settled();
        grow::rows(old, &self.described, |vector| {
            group.append(&settled, &widen::widen(&self.seen, &settled, vector)?)
        })?;
        self.group = group;
        Ok(())
    }
}

#[cold]
fn written() -> Error {
    Error::option(
        "the rows have another shape than those before them, which have been written in a row group: give the writer the \
         shape of all rows (see WriterBuilder::shape), or larger row groups",
    )
}

/// Some rows of a batch.
fn piece(vector: &Vector, at: usize, rows: usize) -> Result<Vector> {
    let numbers: Vec<(usize, usize)> = (at..at + rows).map(|row| (0, row)).collect();
    gather(vector, &[vector], &numbers).ok_or_else(|| Error::internal("a batch has fewer rows than it says"))
}

impl Encode for Encoder {
    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn may_refuse(&self) -> bool {
        true
    }

    fn check(&self, shape: &Shape) -> Result<()> {
        schema::check(&self.settings)?;
        let described = Described::from_header(shape, self.settings.schema.as_deref())?;
        self.open.as_ref().map_or(Ok(()), |open| open.check(shape, &described))
    }

    fn set_metadata(&mut self, key: &str, value: &[u8]) {
        self.settings.metadata.insert(key, value);
    }

    fn set_foreign(&mut self) {
        self.settings.derived = false;
    }

    fn append(&mut self, shape: &Shape, vector: &Vector, sink: &mut dyn Write) -> Result<()> {
        self.grow_to(shape, sink)?;
        let Self { row_group_bytes, codec, compressors, open, .. } = self;
        let Some(open) = open else {
            return Err(Error::internal("rows have no columns"));
        };
        let narrow = match open.shape == *shape {
            true => None,
            // A row that was refused may have left something in the shape, which these rows do not have.
            false => Some(vector.clone().narrowed(shape, &open.shape).ok_or_else(written)?),
        };
        let (shape, vector) = (open.shape.clone(), narrow.as_ref().unwrap_or(vector));
        let (total, per_row) = (vector.len(), (vector.size() / vector.len().max(1)).max(1) as u64);
        let mut at = 0;
        while at < total {
            let room = row_group_bytes.saturating_sub(open.group.size()) / per_row;
            let rows = room.min(ENTRIES_MAX - open.group.rows).clamp(1, (total - at) as u64) as usize;
            match rows == total {
                true => open.group.append(&shape, vector)?,
                false => open.group.append(&shape, &piece(vector, at, rows)?)?,
            }
            at += rows;
            if open.group.size() > *row_group_bytes || open.group.rows == ENTRIES_MAX {
                open.flush(*codec, compressors, sink)?;
            }
        }
        self.rows += total as u64;
        Ok(())
    }

    fn rows(&self) -> u64 {
        self.rows
    }

    fn size(&self) -> u64 {
        self.open.as_ref().map_or(0, |open| open.position + open.group.size())
    }

    fn discard(&mut self) {
        self.open = None;
    }

    fn finish(mut self: Box<Self>, shape: Shape, sink: &mut dyn Write) -> Result<()> {
        self.grow_to(&shape, sink)?;
        let Some(mut open) = self.open else {
            return Err(Error::internal("a file has no columns"));
        };
        // The Java implementation writes an empty row group after one that has just been filled.
        let java = self.footer == RedElmFooter::Java;
        if open.group.rows > 0 || open.footer.groups.is_empty() || java {
            let Open { group, footer, described, position, .. } = &mut open;
            group.write(*position, self.codec, &mut self.compressors, sink, |group, last| {
                footer.groups.push(last.clone());
                end((&self.settings, self.footer), footer, described, group, last.end)
            })?;
            return Ok(());
        }
        sink.write_all(&end(
            (&self.settings, self.footer),
            &open.footer,
            &open.described,
            &open.group,
            open.position,
        )?)?;
        Ok(())
    }
}
