//! What Parquet becomes, and what becomes Parquet.

use super::args::Convert;
use super::{export, import};
use crate::failure::Failure;
use crate::format::Format;
use crate::input::{Opened, Part};
use crate::progress::Progress;
use crate::text::TextSource;
use std::path::Path;

/// Whether this is a way from or to Parquet that needs no other: what is text is read as text is.
pub(super) fn can_be(from: Format, to: Format) -> bool {
    match (from, to) {
        (Format::Trv, Format::Parquet) | (Format::Parquet, Format::Trv | Format::Parquet) => true,
        (Format::Parquet, to) => export::can_be(to),
        _ => false,
    }
}

pub(super) fn run(
    args: &Convert,
    source: TextSource,
    from: Format,
    to: Format,
    output: &Path,
) -> Result<(), Failure> {
    let progress = Progress::bytes("writing", source.size().unwrap_or(0));
    match (source.opened(progress)?, from, to) {
        (Opened::Columns(input), Format::Trv, _) => export::parquet::run(args, input, output),
        (Opened::Parquet(file), Format::Parquet, Format::Trv | Format::Parquet) => {
            import::parquet::run(args, &file, output)
        }
        (Opened::Parquet(file), Format::Parquet, to) => {
            let fields = file.chosen(&args.columns)?;
            let rows = file.columns(Part { fields, rows: args.number, ..Part::default() })?;
            export::run(args, rows, to, output)
        }
        (Opened::Columns(input), ..) => Err(is_other(&input.name, Format::Trv, from)),
        (Opened::Parquet(file), ..) => Err(is_other(&file.name, Format::Parquet, from)),
    }
}

/// An error where a file is of another format than was said.
fn is_other(name: &str, found: Format, said: Format) -> Failure {
    Failure::usage(format!("{name} is {found}, not {said}"))
}
