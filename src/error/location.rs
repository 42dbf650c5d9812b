//! Where something went wrong.

use std::fmt;

/// Where an error happened, as far as known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The file, if there are several.
    pub file: Option<std::path::PathBuf>,
    /// Path in the shape, such as `received[1].host`; empty for the whole row.
    pub path: String,
    /// Name of the column in the file.
    pub column: Option<String>,
    /// Number of the block within its column, from 0.
    pub block: Option<usize>,
    /// Number of the row within the file, from 0.
    pub row: Option<u64>,
    /// Byte position within the file.
    pub offset: Option<u64>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut part = |f: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>| {
            let result = write!(f, "{separator}{text}");
            separator = ", ";
            result
        };
        if let Some(file) = &self.file {
            part(f, format_args!("{}", file.display()))?;
        }
        if let Some(row) = self.row {
            part(f, format_args!("row {row}"))?;
        }
        if !self.path.is_empty() {
            part(f, format_args!("{}", self.path))?;
        }
        if let Some(column) = &self.column {
            part(f, format_args!("column {column:?}"))?;
        }
        if let Some(block) = self.block {
            part(f, format_args!("block {block}"))?;
        }
        if let Some(offset) = self.offset {
            part(f, format_args!("byte {offset}"))?;
        }
        Ok(())
    }
}
