//! How files are read that do not say all of themselves: options that all commands have.

use crate::failure::Failure;
use crate::limits::LimitOptions;
use crate::schema_text;
use clap::Args;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use trevni::formats::Layout;
use trevni::path::{Piece, piece};
use trevni::{Reader, ReaderBuilder};

/// Where help has the options.
const HEADING: &str = "Reading files with levels";

/// The options, by their names.
const RARE: [&str; 8] =
    ["max_memory", "max_block", "max_values", "lenient", "read_layout", "read_schema", "alias", "int96"];

static OPTIONS: OnceLock<ReaderBuilder> = OnceLock::new();
static STATES_LAYOUT: AtomicBool = AtomicBool::new(false);

/// What is known of files beyond what they say.
#[derive(Clone, Debug, Default, Args)]
pub struct ReadingOptions {
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
    /// Skip an entry too many in the last blocks of columns, as Impala wrote at its size limit
    #[arg(long, global = true, help_heading = HEADING, hide_short_help = true)]
    pub(crate) lenient: bool,
    /// What comes first in the blocks of a file that does not say it: levels-first or values-first
    #[arg(long, global = true, help_heading = HEADING, value_name = "LAYOUT", hide_short_help = true)]
    pub(crate) read_layout: Option<Layout>,
    /// Schema of a file whose groups have no columns: a message { }, or an Avro schema
    #[arg(long, global = true, help_heading = HEADING, value_name = "FILE", hide_short_help = true)]
    pub(crate) read_schema: Option<PathBuf>,
    /// Another name of a field: where a file has no field NEW, its field OLD is read as this; once for each
    #[arg(long, global = true, help_heading = "Reading files", value_name = "NEW=OLD", value_parser = alias, hide_short_help = true)]
    pub(crate) alias: Vec<(String, String)>,
    #[cfg(feature = "parquet")]
    #[command(flatten)]
    pub(crate) parquet: crate::parquet::ParquetReading,
}

/// The options, which few need: they are in the help with `--help-all`.
pub fn hidden(program: clap::Command) -> clap::Command {
    program.mut_args(|arg| match RARE.contains(&arg.get_id().as_str()) {
        true => arg.hide(true),
        false => arg,
    })
}

impl ReadingOptions {
    /// Makes this what all files are read with.
    pub fn configure(&self) -> Result<(), Failure> {
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
        for (new, old) in &self.alias {
            options = options.alias(new, old);
        }
        OPTIONS.get_or_init(|| options);
        #[cfg(feature = "parquet")]
        self.parquet.configure();
        Ok(())
    }
}

/// Two paths, with `=` between them that is in no quotes.
fn alias(text: &str) -> Result<(String, String), String> {
    let mut at = 0;
    while let Some((piece, length)) =
        piece(text.get(at..).unwrap_or_default()).map_err(|error| error.to_string())?
    {
        if piece == Piece::Char('=') {
            let (new, old) = text.split_at(at);
            return Ok((new.to_owned(), old.get(1..).unwrap_or_default().to_owned()));
        }
        at += length;
    }
    Err("two paths, such as user=user_name".to_owned())
}

/// Whether the layout of files with levels is stated.
pub(crate) fn states_layout() -> bool {
    STATES_LAYOUT.load(Ordering::Relaxed)
}

/// How files are read, with threads for all cores.
pub fn builder() -> ReaderBuilder {
    OPTIONS.get().cloned().unwrap_or_default().threads(0)
}
