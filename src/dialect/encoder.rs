//! An encoder of any dialect.

use super::with_levels::{BuiltIn, WithLevels};
use super::{Capabilities, Dialect, FileSettings, levels, redelm, trevni};
use crate::error::Result;
use crate::shape::Shape;
use crate::storage::blocks::Resources;
use crate::storage::temporary::TemporaryBytes;
use crate::vector::Vector;
use std::io::Write;

/// Takes batches and, in the end, gives a file.
pub(crate) enum Encoder {
    Trevni(Box<trevni::encode::Encoder>),
    Levels(WithLevels<Box<levels::encode::Encoder>>),
    RedElm(WithLevels<Box<redelm::encode::Encoder>>),
}

impl Encoder {
    /// Takes no rows yet.
    ///
    /// # Errors
    ///
    /// A dialect that this build lacks.
    pub(crate) fn new(dialect: Dialect, settings: FileSettings, resources: Resources) -> Result<Self> {
        Ok(match dialect {
            Dialect::Trevni => Self::Trevni(Box::new(trevni::encode::Encoder::new(settings, resources))),
            Dialect::Levels => {
                let built_in = BuiltIn::check(dialect)?;
                let encoder = Box::new(levels::encode::Encoder::new(settings, resources));
                Self::Levels(WithLevels::new(encoder, built_in))
            }
            Dialect::RedElm => {
                let built_in = BuiltIn::check(dialect)?;
                let encoder = Box::new(redelm::encode::Encoder::new(settings, &resources));
                Self::RedElm(WithLevels::new(encoder, built_in))
            }
        })
    }

    /// What rows may be.
    pub(crate) fn capabilities(&self) -> Capabilities {
        match self {
            Self::Trevni(_) => trevni::encode::CAPABILITIES,
            Self::Levels(_) => levels::encode::CAPABILITIES,
            Self::RedElm(_) => redelm::encode::CAPABILITIES,
        }
    }

    /// Whether a shape that rows can have may be refused: for what has been written, or for options of columns.
    pub(crate) fn may_refuse(&self) -> bool {
        match self {
            Self::Trevni(encoder) => encoder.has_column_options(),
            Self::Levels(encoder) => encoder.has_column_options(),
            Self::RedElm(_) => true,
        }
    }

    /// Checks that rows of a shape can be written; called with each row that changes it.
    ///
    /// # Errors
    ///
    /// What the dialect cannot carry, and options that the columns cannot have.
    pub(crate) fn check(&self, shape: &Shape) -> Result<()> {
        self.capabilities().check(shape)?;
        match self {
            Self::Trevni(encoder) => encoder.check(shape),
            Self::Levels(encoder) => encoder.check(shape),
            Self::RedElm(encoder) => encoder.check(shape),
        }
    }

    /// Says that the shape is that of a file whose branches of unions are variants.
    pub(crate) fn set_foreign(&mut self) {
        match self {
            Self::Trevni(encoder) => encoder.set_foreign(),
            Self::Levels(encoder) => encoder.set_foreign(),
            Self::RedElm(encoder) => encoder.set_foreign(),
        }
    }

    /// Appends the rows of a batch, whose shape is the last one or has grown from it. A dialect that writes
    /// groups of rows in one pass writes to the sink; Trevni keeps them for [`Encoder::finish`].
    pub(crate) fn append(&mut self, shape: &Shape, vector: &Vector, sink: &mut dyn Write) -> Result<()> {
        match self {
            Self::Trevni(encoder) => encoder.append(shape, vector),
            Self::Levels(encoder) => encoder.append(shape, vector),
            Self::RedElm(encoder) => encoder.append(shape, vector, sink),
        }
    }

    /// Takes all rows back as a file, where records cannot become maps in place. The encoder is empty afterwards.
    pub(crate) fn take_rows(&mut self) -> Result<Option<TemporaryBytes>> {
        match self {
            Self::Trevni(encoder) => encoder.take_rows().map(Some),
            Self::Levels(_) | Self::RedElm(_) => Ok(None),
        }
    }

    /// Rows taken so far.
    #[inline]
    pub(crate) fn rows(&self) -> u64 {
        match self {
            Self::Trevni(encoder) => encoder.rows(),
            Self::Levels(encoder) => encoder.rows(),
            Self::RedElm(encoder) => encoder.rows(),
        }
    }

    /// Bytes that the columns have come to so far, about; walks through all of them.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Self::Trevni(encoder) => encoder.size(),
            Self::Levels(encoder) => encoder.size(),
            Self::RedElm(encoder) => encoder.size(),
        }
    }

    /// Waits until the bytes of all sealed blocks are known.
    pub(crate) fn settle(&mut self) -> Result<()> {
        match self {
            Self::Trevni(encoder) => encoder.settle(),
            Self::Levels(encoder) => encoder.settle(),
            Self::RedElm(_) => Ok(()),
        }
    }

    /// Gives up all that it has, but for the number of rows: nothing can be appended any more.
    pub(crate) fn discard(&mut self) {
        match self {
            Self::Trevni(encoder) => encoder.discard(),
            Self::Levels(encoder) => encoder.discard(),
            Self::RedElm(encoder) => encoder.discard(),
        }
    }

    /// Seals all blocks and writes what is left of the file.
    pub(crate) fn finish(self, shape: Shape, sink: &mut dyn Write) -> Result<()> {
        match self {
            Self::Trevni(encoder) => encoder.finish(shape, sink),
            Self::Levels(encoder) => encoder.into_inner().finish(&shape, sink),
            Self::RedElm(encoder) => encoder.into_inner().finish(&shape, sink),
        }
    }
}
