//! The format by its name, for `STORED AS TREVNI`.

use super::TrevniFormat;
use super::options::Options;
use datafusion::catalog::Session;
use datafusion::common::GetExt;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::error::Result;
use std::collections::HashMap;
use std::sync::Arc;

/// Makes [`TrevniFormat`]s: for `COPY`, `CREATE EXTERNAL TABLE` and names of files.
#[derive(Clone, Debug)]
pub struct TrevniFormatFactory {
    name: &'static str,
}

impl TrevniFormatFactory {
    /// The format by the name that statements call it: `STORED AS TREVNI`.
    #[must_use]
    pub fn new() -> Self {
        Self { name: TrevniFormat::NAME }
    }

    /// The format by the ending of its files: `COPY … TO 'flights.trv'`.
    #[must_use]
    pub fn of_extension() -> Self {
        Self { name: TrevniFormat::EXTENSION }
    }
}

impl Default for TrevniFormatFactory {
    fn default() -> Self {
        Self::new()
    }
}

impl GetExt for TrevniFormatFactory {
    fn get_ext(&self) -> String {
        self.name.to_owned()
    }
}

impl FileFormatFactory for TrevniFormatFactory {
    fn create(&self, _state: &dyn Session, options: &HashMap<String, String>) -> Result<Arc<dyn FileFormat>> {
        Ok(Arc::new(TrevniFormat { options: Options::parse(options)? }))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        Arc::new(TrevniFormat::default())
    }
}
