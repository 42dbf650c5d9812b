//! What a file may take, which all commands let the user say.

use clap::Args;
use std::sync::OnceLock;
use trevni::{ErrorKind, Limits};
use trevni_print::human::bytes_of as bytes;

/// Where help has the options.
const HEADING: &str = "Limits of what a file may take";

/// The limits by their names in the library, and the options that set them.
const OPTIONS: [(&str, &str); 3] =
    [("memory", "--max-memory"), ("block_bytes", "--max-block"), ("rows_without_bytes", "--max-values")];

/// Limits other than the usual ones.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct LimitOptions {
    /// Memory for what is held of a file at once, such as 1GiB [default: 256MiB]
    #[arg(long, global = true, help_heading = HEADING, value_name = "BYTES", value_parser = bytes, hide_short_help = true)]
    pub(crate) max_memory: Option<usize>,
    /// Size of a block of a column after decompression [default: 1GiB]
    #[arg(long, global = true, help_heading = HEADING, value_name = "BYTES", value_parser = bytes, hide_short_help = true)]
    pub(crate) max_block: Option<usize>,
    /// Rows, and values that are read in one pass, beyond 1024 for each byte of a file [default: 2147483648]
    #[arg(long, global = true, help_heading = HEADING, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) max_values: Option<u64>,
}

static CONFIGURED: OnceLock<Limits> = OnceLock::new();

impl LimitOptions {
    /// Makes these the limits of all files; returns them.
    pub(crate) fn configure(&self) -> Limits {
        *CONFIGURED.get_or_init(|| {
            let mut limits = Limits::DEFAULT;
            limits.memory = self.max_memory.map_or(limits.memory, |bytes| bytes as u64);
            limits.block_bytes = self.max_block.map_or(limits.block_bytes, |bytes| bytes as u64);
            limits.rows_without_bytes = self.max_values.unwrap_or(limits.rows_without_bytes);
            limits
        })
    }
}

/// The limits of all files.
pub fn limits() -> Limits {
    CONFIGURED.get().copied().unwrap_or_default()
}

/// What an error says, with the names that options have here.
pub fn told(error: &trevni::Error) -> String {
    let text = error.to_string();
    let ErrorKind::Limit { option, .. } = error.kind() else {
        return text;
    };
    named(&text, option)
}

/// A message about a limit, with the name that its option has here.
pub fn named(text: &str, option: &str) -> String {
    match OPTIONS.iter().find(|(name, _)| *name == option) {
        Some((name, own)) => text.replace(&format!("see Limits::{name}"), &format!("to raise it: {own}")),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_have_the_names_of_options() {
        let file = trevni::to_vec(["a text ".repeat(100)]).unwrap();
        let limits = Limits::DEFAULT.memory(10);
        let error = trevni::Reader::builder().limits(limits).source(&*file).map(drop).unwrap_err();
        assert!(
            told(&error).ends_with("above the limit of 10 (to raise it: --max-memory)"),
            "{}",
            told(&error)
        );
    }
}
