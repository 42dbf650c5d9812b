//! How files are read that do not say all of themselves: options that all commands have.

use crate::dialect;
use crate::failure::Failure;
use crate::limits::LimitOptions;
use crate::schema_text;
use clap::Args;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use trevni::{Layout, Reader, ReaderBuilder};

/// Where help has the options.
const HEADING: &str = "Reading files with levels";

static OPTIONS: OnceLock<ReaderBuilder> = OnceLock::new();
static STATES_LAYOUT: AtomicBool = AtomicBool::new(false);

/// What is known of files beyond what they say.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ReadingOptions {
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
    /// Skip an entry too many in the last blocks of columns, as Impala wrote at its size limit
    #[arg(long, global = true, help_heading = HEADING, hide_short_help = true)]
    pub(crate) lenient: bool,
    /// What comes first in the blocks of a file that does not say it: levels-first or values-first
    #[arg(long, global = true, help_heading = HEADING, value_name = "LAYOUT", value_parser = dialect::layout_named, hide_short_help = true)]
    pub(crate) read_layout: Option<Layout>,
    /// Schema of a file whose groups have no columns: a message { }, or an Avro schema
    #[arg(long, global = true, help_heading = HEADING, value_name = "FILE", hide_short_help = true)]
    pub(crate) read_schema: Option<PathBuf>,
    #[cfg(feature = "parquet")]
    #[command(flatten)]
    pub(crate) parquet: crate::parquet::ParquetReading,
}

impl ReadingOptions {
    /// Makes this what all files are read with.
    pub(crate) fn configure(&self) -> Result<(), Failure> {
        let mut options = Reader::builder().limits(self.limits.configure());
        if self.lenient {
            options = options.lenient();
        }
        if let Some(layout) = self.read_layout {
            options = options.layout(layout);
            STATES_LAYOUT.store(true, Ordering::Relaxed);
        }
        if let Some(path) = &self.read_schema {
            let text = std::fs::read_to_string(path).map_err(|error| Failure::io(path.display(), &error))?;
            let shape = schema_text::shape(&text).map_err(|error| Failure::of(path, &error))?;
            options = options.shape(&shape);
        }
        OPTIONS.get_or_init(|| options);
        #[cfg(feature = "parquet")]
        self.parquet.configure();
        Ok(())
    }
}

/// Whether the layout of files with levels is stated.
pub(crate) fn states_layout() -> bool {
    STATES_LAYOUT.load(Ordering::Relaxed)
}

/// How files are read, with threads for all cores.
pub(crate) fn builder() -> ReaderBuilder {
    OPTIONS.get().cloned().unwrap_or_default().threads(0)
}
