//! How columns are written: the options that all commands have that write Trevni files.

use crate::dialect;
use crate::failure::Failure;
use clap::Args;
use trevni::{Codec, Dialect, Writer, WriterBuilder};

/// How columns are written.
#[derive(Clone, Debug, Args)]
pub(crate) struct Encoding {
    /// Codec: none, snappy, deflate, zstd, lz4, bzip2 or auto; zstd:9 sets a level, month=none one column
    /// [default: snappy]
    #[arg(short = 'z', long, value_name = "CODEC")]
    pub(crate) codec: Vec<String>,
    /// Block size before compression, such as 256KiB [default: 64KiB]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) block_size: Option<usize>,
    /// Store integers in 4 or 8 bytes each where that is smaller, such as hashes
    #[arg(long, hide_short_help = true)]
    pub(crate) fixed_integers: bool,
    /// File format: trevni or levels (repetition and definition levels, as Impala wrote)
    #[arg(long, value_name = "DIALECT", value_parser = dialect::named, hide_short_help = true)]
    pub(crate) dialect: Option<Dialect>,
}

impl Encoding {
    /// A writer's options, with threads for all cores.
    pub(crate) fn builder(&self) -> Result<WriterBuilder, Failure> {
        self.over(Writer::builder().threads(0))
    }

    /// What is asked for, over what a builder says already.
    pub(crate) fn over(&self, mut builder: WriterBuilder) -> Result<WriterBuilder, Failure> {
        for option in &self.codec {
            let (column, codec) = match option.rsplit_once('=') {
                Some((column, codec)) => (Some(column), codec),
                None => (None, option.as_str()),
            };
            let (name, level) = match codec.split_once(':') {
                Some((name, level)) => (name, Some(level)),
                None => (codec, None),
            };
            let codec = named(name)?;
            builder = match column {
                Some(column) => builder.column_codec(column, codec),
                None => builder.codec(codec),
            };
            if let Some(level) = level {
                let wrong = |_| Failure::usage(format!("{level:?} is no level, in --codec {option}"));
                builder = builder.level(level.parse().map_err(wrong)?);
            }
        }
        if self.fixed_integers {
            builder = builder.fixed_integers();
        }
        if let Some(dialect) = self.dialect {
            builder = builder.dialect(dialect);
        }
        Ok(match self.block_size {
            Some(bytes) => builder.block_size(bytes),
            None => builder,
        })
    }
}

/// Other names for codecs.
const OTHER_NAMES: [(&str, Codec); 5] = [
    ("none", Codec::Null),
    ("uncompressed", Codec::Null),
    ("zstd", Codec::Zstandard),
    ("gzip", Codec::Deflate),
    ("zlib", Codec::Deflate),
];

fn named(name: &str) -> Result<Codec, Failure> {
    let name = name.to_ascii_lowercase();
    let other = OTHER_NAMES.into_iter().find(|(other, _)| *other == name).map(|(_, codec)| codec);
    let codec = other.or_else(|| codecs().find(|codec| codec.name() == name));
    codec.ok_or_else(|| {
        let failure = Failure::usage(format!("there is no codec {name:?}"));
        failure.hint(format!("There are {}", codecs().map(short_name).collect::<Vec<_>>().join(", ")))
    })
}

/// All codecs that can be asked for.
fn codecs() -> impl Iterator<Item = Codec> {
    Codec::ALL.into_iter().chain([Codec::Auto])
}

/// What this program calls a codec.
fn short_name(codec: Codec) -> &'static str {
    match codec {
        Codec::Null => "none",
        Codec::Zstandard => "zstd",
        codec => codec.name(),
    }
}

/// A key of a file's metadata and its value: `source=sensors`.
pub(crate) fn entry(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((trevni_avro::SCHEMA, _)) => Err("the schema is that of the rows".to_owned()),
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("a key and a value, such as source=sensors".to_owned()),
    }
}

/// A number of bytes: `4096`, `64KiB`, `1MB`, `2m`.
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: usize = number.parse().map_err(|_| "a number of bytes, such as 64KiB".to_owned())?;
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "kb" => 1000,
        "m" | "mib" => 1 << 20,
        "mb" => 1_000_000,
        "g" | "gib" => 1 << 30,
        "gb" => 1_000_000_000,
        unit => return Err(format!("{unit:?} is no unit; there are KiB, MiB and GiB")),
    };
    number.checked_mul(factor).filter(|bytes| *bytes > 0).ok_or_else(|| "out of range".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let sizes = ["1", "64KiB", "64k", "2 MB", "1GiB"].map(|text| bytes(text).unwrap());
        assert_eq!(sizes, [1, 65536, 65536, 2_000_000, 1 << 30]);
        for wrong in ["", "0", "KiB", "1TiB2", "99999999999999999999", "18446744073709551615k"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn codecs_are_those_of_the_library_and_their_short_names() {
        let help = <Encoding as Args>::augment_args(clap::Command::new("test"));
        let help = help.get_arguments().find(|argument| argument.get_id() == "codec").unwrap();
        let help = help.get_help().unwrap().to_string();
        for codec in codecs() {
            assert_eq!(named(codec.name()).unwrap(), codec);
            assert_eq!(named(short_name(codec)).unwrap(), codec);
            assert!(help.contains(short_name(codec)), "{help}");
        }
        assert_eq!(named("ZSTD").unwrap(), Codec::Zstandard);
        let encoding = |codec: &str| Encoding {
            codec: vec![codec.to_owned()],
            block_size: None,
            fixed_integers: false,
            dialect: None,
        };
        assert!(encoding("month=zstd:9").builder().is_ok());
        for wrong in ["brotli", "zstd:x", "a="] {
            assert!(encoding(wrong).builder().is_err(), "{wrong}");
        }
    }
}
