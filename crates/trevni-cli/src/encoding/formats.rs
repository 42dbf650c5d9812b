//! Options of file formats: which one, and what not every one has.

use super::bytes;
use crate::dialect;
use crate::failure::Failure;
use clap::Args;
use std::path::Path;
use trevni::column::ValueType;
use trevni::formats::{Layout, Levels, RedElm, RedElmFooter, Trevni};
use trevni::{Dialect, WriterBuilder};

/// Where help has the options.
const HEADING: &str = "File formats";

/// Which file format is written, and how.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct FormatOptions {
    /// File format: trevni, levels (Trevni with repetition and definition levels, as Impala wrote) or redelm (row
    /// groups with such levels) [default: redelm for names in .redelm; otherwise trevni, or that of the file]
    #[arg(long, help_heading = HEADING, value_name = "DIALECT", hide_short_help = true)]
    pub(crate) dialect: Option<Dialect>,
    /// For levels: what comes first in a block, levels-first or values-first [default: levels-first]
    #[arg(long, help_heading = HEADING, value_name = "LAYOUT", hide_short_help = true)]
    pub(crate) layout: Option<Layout>,
    /// For levels: store lists of values as rows of a matrix, each of that many values, without levels
    #[arg(long, help_heading = HEADING, value_name = "PATH=VALUES", value_parser = width, hide_short_help = true)]
    pub(crate) array_width: Vec<(String, usize)>,
    /// For levels: store integers as fixed8, fixed16, fixed32 or fixed64; they must fit
    #[arg(long, help_heading = HEADING, value_name = "PATH=TYPE", value_parser = value_type, hide_short_help = true)]
    pub(crate) value_type: Vec<(String, ValueType)>,
    /// For redelm: how the footer is written: json, gzip (JSON, packed) or java (which the historic code reads)
    /// [default: json]
    #[arg(long, help_heading = HEADING, value_name = "FORM", value_parser = dialect::footer_named, hide_short_help = true)]
    pub(crate) footer: Option<RedElmFooter>,
    /// For redelm: size of a row group before compression, such as 8MiB; about the memory that writing takes
    /// [default: 50MiB]
    #[arg(long, help_heading = HEADING, value_name = "BYTES", value_parser = bytes, hide_short_help = true)]
    pub(crate) row_group_size: Option<usize>,
}

impl FormatOptions {
    /// The format of an output: what is asked for, or what its name says, or else `usual`.
    pub(crate) fn dialect(&self, output: &Path, usual: Dialect) -> Dialect {
        self.dialect.unwrap_or_else(|| dialect::of_output(output, usual))
    }

    /// What is asked for of a format, over what is known of it already.
    pub(super) fn over(&self, written: Written) -> Result<Written, Failure> {
        let dialect = written.dialect();
        for (option, given, only) in [
            ("--layout", self.layout.is_some(), Dialect::Levels),
            ("--array-width", !self.array_width.is_empty(), Dialect::Levels),
            ("--value-type", !self.value_type.is_empty(), Dialect::Levels),
            ("--footer", self.footer.is_some(), Dialect::RedElm),
            ("--row-group-size", self.row_group_size.is_some(), Dialect::RedElm),
        ] {
            check(option, given, &[only], dialect)?;
        }
        Ok(match written {
            Written::Trevni { compact } => Written::Trevni { compact },
            Written::Levels(mut format) => {
                if let Some(layout) = self.layout {
                    format = format.layout(layout);
                }
                for (path, values) in &self.array_width {
                    format = format.array_width(path, *values);
                }
                for (path, value_type) in &self.value_type {
                    format = format.value_type(path, *value_type);
                }
                Written::Levels(format)
            }
            Written::RedElm(mut format) => {
                if let Some(footer) = self.footer {
                    format = format.footer(footer);
                }
                if let Some(bytes) = self.row_group_size {
                    format = format.row_group_size(bytes);
                }
                Written::RedElm(format)
            }
        })
    }
}

/// The format of an output, with its own options.
#[derive(Clone, Debug)]
pub(crate) enum Written {
    Trevni { compact: bool },
    Levels(Levels),
    RedElm(RedElm),
}

impl Written {
    /// A format with the defaults of its options.
    pub(crate) fn new(dialect: Dialect) -> Result<Self, Failure> {
        Ok(match dialect {
            Dialect::Trevni => Self::Trevni { compact: false },
            Dialect::Levels => Self::Levels(Levels::new()),
            Dialect::RedElm => Self::RedElm(RedElm::new()),
            _ => return Err(Failure::usage(format!("{} cannot be written", dialect::title(dialect)))),
        })
    }

    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::Trevni { .. } => Dialect::Trevni,
            Self::Levels(_) => Dialect::Levels,
            Self::RedElm(_) => Dialect::RedElm,
        }
    }

    /// Has a builder write this format.
    pub(super) fn put(self, builder: WriterBuilder) -> WriterBuilder {
        match self {
            Self::Trevni { compact: false } => builder.format(Trevni::new()),
            Self::Trevni { compact: true } => builder.format(Trevni::new().compact()),
            Self::Levels(format) => builder.format(format),
            Self::RedElm(format) => builder.format(format),
        }
    }
}

/// An error for an option that is given, and is of other formats only.
pub(crate) fn check(option: &str, given: bool, of: &[Dialect], dialect: Dialect) -> Result<(), Failure> {
    if !given || of.contains(&dialect) {
        return Ok(());
    }
    let titles: Vec<&str> = of.iter().map(|dialect| dialect::title(*dialect)).collect();
    let ids: Vec<&str> = of.iter().map(|dialect| dialect.name()).collect();
    let failure = Failure::usage(format!("{option} is not for {}", dialect::title(dialect)));
    Err(failure.hint(format!("It is for {}: --dialect {}", titles.join(" and "), ids.join(" or "))))
}

/// A path and a number of values: `point=3`.
fn width(text: &str) -> Result<(String, usize), String> {
    let parsed = text.rsplit_once('=').and_then(|(path, values)| Some((path, values.parse().ok()?)));
    match parsed {
        Some((path, values)) if values > 0 => Ok((path.to_owned(), values)),
        _ => Err("a path and a number of values, such as point=3".to_owned()),
    }
}

/// The types that integers may have.
const TYPES: [ValueType; 4] = [ValueType::Fixed8, ValueType::Fixed16, ValueType::Fixed32, ValueType::Fixed64];

/// Whether a type is one that integers have only where it is asked for.
pub(crate) fn is_asked_for(value_type: ValueType) -> bool {
    TYPES.contains(&value_type)
}

/// A path and a type: `age=fixed8`.
fn value_type(text: &str) -> Result<(String, ValueType), String> {
    let (path, name) = text.rsplit_once('=').ok_or("a path and a type, such as age=fixed8")?;
    let known = TYPES.into_iter().find(|known| known.name() == name);
    let known = known.ok_or_else(|| format!("there are {}", TYPES.map(ValueType::name).join(", ")))?;
    Ok((path.to_owned(), known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_with_a_number_or_a_type() {
        assert_eq!(width("a=b.c=3"), Ok(("a=b.c".to_owned(), 3)));
        assert_eq!(value_type("a=fixed8"), Ok(("a".to_owned(), ValueType::Fixed8)));
        for wrong in ["a", "a=", "a=0", "a=-1", "a=x"] {
            assert!(width(wrong).is_err() && value_type(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn options_are_of_their_formats() {
        let options = FormatOptions { row_group_size: Some(1), ..FormatOptions::default() };
        assert!(options.over(Written::new(Dialect::RedElm).unwrap()).is_ok());
        let failure = options.over(Written::new(Dialect::Levels).unwrap()).unwrap_err();
        assert_eq!(
            (failure.code(), failure.message()),
            (2, "--row-group-size is not for Trevni with levels")
        );
    }
}
