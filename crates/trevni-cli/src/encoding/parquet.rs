//! The options of Parquet files that other formats have too.

use super::Encoding;
use crate::failure::Failure;
use crate::parquet::ParquetWriting;
use trevni_parquet::ParquetOptions;

impl Encoding {
    /// How a Parquet file is written.
    pub(crate) fn parquet(&self, options: &ParquetWriting) -> Result<ParquetOptions, Failure> {
        let formats = &self.formats;
        let others = [
            ("--block-size", self.block_size.is_some()),
            ("--fixed-integers", self.fixed_integers),
            ("--compact", self.compact == Some(true)),
            ("--dialect", formats.dialect.is_some()),
            ("--layout", formats.layout.is_some()),
            ("--array-width", !formats.array_width.is_empty()),
            ("--value-type", !formats.value_type.is_empty()),
            ("--footer", formats.footer.is_some()),
        ];
        if let Some((option, _)) = others.iter().find(|(_, given)| *given) {
            let failure = Failure::usage(format!("{option} is not for Parquet"));
            return Err(failure.hint("Options of Parquet: --codec, --row-group-size and --property"));
        }
        options.options(&self.codec, formats.row_group_size)
    }
}
