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
    options: HashMap<String, String>,
}

impl TrevniFormatFactory {
    /// The format by the name that statements call it: `STORED AS TREVNI`.
    #[must_use]
    pub fn new() -> Self {
        Self { name: TrevniFormat::NAME, options: HashMap::new() }
    }

    /// The format by the ending of its files: `COPY … TO 'flights.trv'`.
    #[must_use]
    pub fn of_extension() -> Self {
        Self { name: TrevniFormat::EXTENSION, options: HashMap::new() }
    }

    /// With options for all formats that it makes; those of a statement come before them.
    #[must_use]
    pub fn with_options(self, options: HashMap<String, String>) -> Self {
        Self { options, ..self }
    }

    /// The options of all formats that it makes.
    #[must_use]
    pub fn options(&self) -> &HashMap<String, String> {
        &self.options
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
        let mut all = self.options.clone();
        all.extend(options.iter().map(|(name, value)| (name.clone(), value.clone())));
        Ok(Arc::new(TrevniFormat { options: Options::parse(&all)? }))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        Arc::new(TrevniFormat { options: Options::parse(&self.options).unwrap_or_default() })
    }
}
