//! The formats of the family, what only some of them have, and the options of each.

pub use crate::dialect::trevni::Version;
pub use crate::dialect::trevni::format::{Trevni, TrevniInfo};
pub use crate::dialect::{Format, Layout};
#[cfg(feature = "levels")]
pub use crate::dialect::{
    levels::{Levels, LevelsInfo},
    redelm::{RedElm, RedElmFooter, RedElmInfo, RedElmSummary, SummaryFile},
};

use crate::dialect::format::Sealed;
#[cfg(not(feature = "levels"))]
use crate::dialect::missing::Missing;
use crate::dialect::{Dialect, File, ReadOptions, Recognize, trevni};
#[cfg(feature = "levels")]
use crate::dialect::{levels, redelm};
use crate::error::Result;
use crate::limits::Limits;
use crate::storage::source::Source;

/// Trevni is last: it takes what no other format takes.
#[cfg(feature = "levels")]
const FORMATS: &[Recognize] =
    &[redelm::decode::recognize, levels::decode::recognize, trevni::decode::recognize];
#[cfg(not(feature = "levels"))]
const FORMATS: &[Recognize] = &[Missing::recognize, trevni::decode::recognize];

/// Opens a source, whose first bytes say which format it has.
///
/// # Errors
///
/// A source that fails, is of no format of this build, or has a damaged header.
pub(crate) fn open<'s>(
    source: Box<dyn Source + 's>,
    limits: Limits,
    threads: usize,
    options: ReadOptions,
) -> Result<File<'s>> {
    File::open(FORMATS, source, limits, threads, options)
}

/// A format, with the defaults of its options.
pub(crate) fn of(dialect: Dialect) -> Box<dyn Sealed> {
    match dialect {
        Dialect::Trevni => Box::new(Trevni::new()),
        #[cfg(feature = "levels")]
        Dialect::Levels => Box::new(levels::Levels::new()),
        #[cfg(feature = "levels")]
        Dialect::RedElm => Box::new(redelm::RedElm::new()),
        #[cfg(not(feature = "levels"))]
        Dialect::Levels | Dialect::RedElm => Box::new(Missing(dialect)),
    }
}

/// The format of a file, with the options that only files with levels say of themselves. Files do not make it: each program that reads
/// would link all encoders.
#[cfg(feature = "files")]
pub(crate) fn like(file: &File<'_>) -> Box<dyn Sealed> {
    #[cfg(feature = "levels")]
    {
        let info = file.info();
        if let Some(info) = info.downcast_ref::<LevelsInfo>() {
            return Box::new(Levels::new().layout(info.layout));
        }
        if let Some(info) = info.downcast_ref::<RedElmInfo>() {
            return Box::new(RedElm::new().footer(info.footer));
        }
    }
    of(file.dialect())
}
