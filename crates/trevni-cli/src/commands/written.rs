//! How files of rows are written: as columns, or as Parquet by way of columns.

use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::format::Format;
use crate::input::is_standard;
use crate::output::Target;
use clap::Args;
use std::path::Path;

/// How files of rows are written.
#[derive(Clone, Debug, Args)]
pub(crate) struct Written {
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    #[cfg(feature = "parquet")]
    #[command(flatten)]
    pub(crate) parquet: crate::parquet::ParquetWriting,
}

/// The format of a result, where it is asked for or the name says it.
pub(super) fn format(asked: Option<Format>, output: Option<&Path>) -> Option<Format> {
    let named = || output.filter(|path| !is_standard(path)).and_then(Format::of_name);
    asked.or_else(named)
}

impl Written {
    /// What rows are written as: columns, unless a format is asked for or the name says it.
    pub(super) fn target(&self, asked: Option<Format>, output: &Path) -> Result<Target, Failure> {
        #[cfg(feature = "parquet")]
        if format(asked, Some(output)) == Some(Format::Parquet) {
            return self.encoding.parquet(&self.parquet).map(Target::parquet);
        }
        #[cfg(not(feature = "parquet"))]
        if format(asked, Some(output)) == Some(Format::Parquet) {
            let failure = Failure::usage(format!("{} cannot be written", output.display()));
            return Err(failure.hint(crate::input::NO_PARQUET));
        }
        #[cfg(feature = "parquet")]
        self.parquet.is_not_for(Format::Trv)?;
        self.encoding.builder(output).map(Target::from)
    }
}
