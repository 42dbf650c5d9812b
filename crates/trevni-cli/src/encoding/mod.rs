//! How columns are written: the options that all commands have that write Trevni files.

mod formats;
#[cfg(feature = "parquet")]
mod parquet;

pub(crate) use formats::{FormatOptions, Written, check, is_asked_for};
pub(crate) use trevni_print::human::bytes_of as bytes;

use crate::dialect;
use crate::failure::Failure;
use clap::Args;
use std::path::Path;
use trevni::{Codec, Dialect, Writer, WriterBuilder};

/// How columns are written.
#[derive(Clone, Debug, Args)]
pub(crate) struct Encoding {
    /// Codec: null, snappy, deflate, gzip, zstd, lz4, bzip2, typed, typed-zstd, archive or auto; zstd:9 sets a level, x=null a
    /// column [default: snappy]
    ///
    /// archive makes the smallest files, and takes minutes for 100 MB.
    #[arg(short = 'z', long, value_name = "CODEC")]
    pub(crate) codec: Vec<String>,
    /// Block size before compression, such as 256KiB [default: 64KiB; 128KiB with zstd, 1MiB with typed and typed-zstd, 8MiB with archive]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) block_size: Option<usize>,
    /// Store integers in 4 or 8 bytes each where that is smaller, such as hashes
    #[arg(long, hide_short_help = true)]
    pub(crate) fixed_integers: bool,
    /// Compress schema, metadata and small columns together: for files of many columns and few rows; Java cannot read them
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_short_help = true)]
    pub(crate) compact: Option<bool>,
    /// Write what Avro's Java reads: the format trevni with snappy
    #[arg(long, hide_short_help = true, conflicts_with_all = ["codec", "compact"])]
    pub(crate) interchange: bool,
    #[command(flatten)]
    pub(crate) formats: FormatOptions,
}

impl Encoding {
    /// A writer's options for an output, with threads for all cores.
    pub(crate) fn builder(&self, output: &Path) -> Result<WriterBuilder, Failure> {
        self.over(
            Writer::builder().without_drop_notice().serialize_once().threads(0),
            Written::new(self.formats.dialect(output, Dialect::default()))?,
        )
    }

    /// Whether a codec is asked for that is not of one column alone.
    pub(crate) fn has_codec(&self) -> bool {
        self.codec.iter().any(|option| !option.contains('='))
    }

    /// What is asked for, over what a builder and a format say already.
    pub(crate) fn over(
        &self,
        mut builder: WriterBuilder,
        mut written: Written,
    ) -> Result<WriterBuilder, Failure> {
        let dialect = written.dialect();
        check("--interchange", self.interchange, &[Dialect::Trevni], dialect)?;
        if self.interchange {
            (builder, written) = (builder.interchange(), Written::Trevni { compact: false });
        }
        for option in &self.codec {
            let (column, codec) = match option.rsplit_once('=') {
                Some((column, codec)) => (Some(column), codec),
                None => (None, option.as_str()),
            };
            let (name, level) = match codec.split_once(':') {
                Some((name, level)) => (name, Some(level)),
                None => (codec, None),
            };
            let codec = named(name, dialect)?;
            builder = match column {
                Some(column) if dialect::has_column_codecs(dialect) => builder.column_codec(column, codec),
                Some(_) => {
                    let title = dialect::title(dialect);
                    return Err(Failure::usage(format!(
                        "--codec {option}: {title} has one codec for all columns"
                    )));
                }
                None => builder.codec(codec),
            };
            if let Some(level) = level {
                let wrong = |_| Failure::usage(format!("{level:?} is not a level, in --codec {option}"));
                builder = builder.level(level.parse().map_err(wrong)?);
            }
        }
        let of_blocks = [Dialect::Trevni, Dialect::Levels];
        check("--fixed-integers", self.fixed_integers, &of_blocks, dialect)?;
        if self.fixed_integers {
            builder = builder.fixed_integers();
        }
        check("--compact", self.compact == Some(true), &[Dialect::Trevni], dialect)?;
        if let (Some(asked), Written::Trevni { compact }) = (self.compact, &mut written) {
            *compact = asked;
        }
        check("--block-size", self.block_size.is_some(), &of_blocks, dialect)?;
        if let Some(bytes) = self.block_size {
            builder = builder.block_size(bytes);
        }
        Ok(self.formats.over(written)?.put(builder))
    }
}

/// The codec that a name means in files of a dialect.
fn named(name: &str, dialect: Dialect) -> Result<Codec, Failure> {
    let has = |codec: &Codec| dialect.codecs().contains(codec);
    let failure = match name.parse() {
        Ok(codec) if has(&codec) => return Ok(codec),
        // The same compression.
        Ok(Codec::Gzip) if has(&Codec::Deflate) => return Ok(Codec::Deflate),
        Ok(codec) => Failure::usage(format!("{} has no codec {codec}", dialect::title(dialect))),
        Err(_) => Failure::usage(format!("there is no codec {name:?}")),
    };
    let names: Vec<&str> = dialect::codecs(dialect).map(Codec::name).collect();
    Err(failure.hint(format!("Codecs: {}", names.join(", "))))
}

/// A key of a file's metadata and its value: `source=sensors`.
pub(crate) fn entry(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((trevni_avro::SCHEMA, _)) => Err("the schema is that of the rows".to_owned()),
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("a key and a value, such as source=sensors".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codecs_are_those_of_the_library() {
        let help = <Encoding as Args>::augment_args(clap::Command::new("test"));
        let help = help.get_arguments().find(|argument| argument.get_id() == "codec").unwrap();
        let help = help.get_help().unwrap().to_string();
        for dialect in [Dialect::Trevni, Dialect::Levels, Dialect::RedElm] {
            for codec in dialect::codecs(dialect) {
                assert_eq!(named(codec.name(), dialect).unwrap(), codec);
                assert!(help.contains(&codec.name().replace("zstandard", "zstd")), "{help}");
            }
        }
        assert_eq!(named("ZSTD", Dialect::Trevni).unwrap(), Codec::Zstandard);
        assert_eq!(named("gzip", Dialect::Trevni).unwrap(), Codec::Deflate);
        assert_eq!(named("zstd", Dialect::RedElm).unwrap_err().message(), "RedElm has no codec zstandard");
        assert_eq!(named("brotli", Dialect::RedElm).unwrap_err().message(), "there is no codec \"brotli\"");
        let encoding = |codec: &str| Encoding {
            codec: vec![codec.to_owned()],
            block_size: None,
            fixed_integers: false,
            compact: None,
            interchange: false,
            formats: FormatOptions::default(),
        };
        assert!(encoding("month=zstd:9").builder(Path::new("a.trv")).is_ok());
        assert!(encoding("month=gzip").builder(Path::new("a.redelm")).is_err());
        for wrong in ["brotli", "zstd:x", "a="] {
            assert!(encoding(wrong).builder(Path::new("a.trv")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn block_sizes_are_those_of_the_library() {
        let help = <Encoding as Args>::augment_args(clap::Command::new("test"));
        let help = help.get_arguments().find(|argument| argument.get_id() == "block_size").unwrap();
        let mut by_size = std::collections::BTreeMap::<u32, Vec<String>>::new();
        for codec in Codec::ALL {
            let mut writer = Writer::builder().codec(codec).build(Vec::new()).unwrap();
            let numbers = if codec == Codec::Archive { 1_100_000 } else { 150_000 };
            // The codec archive is slow but for values that are all the same.
            writer.write_all(std::iter::repeat_n(0.5, numbers)).unwrap();
            let file = writer.finish().unwrap();
            let size = trevni::Reader::from_slice(&file).unwrap().blocks(0).unwrap()[0].size;
            by_size.entry(size).or_default().push(codec.name().replace("zstandard", "zstd"));
        }
        assert!(by_size.pop_first().is_some_and(|(size, _)| size == 64 << 10));
        let others =
            by_size.iter().map(|(size, codecs)| format!("{}KiB with {}", size >> 10, codecs.join(" and ")));
        let said = format!("[default: 64KiB; {}]", others.collect::<Vec<_>>().join(", "));
        assert!(
            help.get_help()
                .unwrap()
                .to_string()
                .ends_with(&said.replace("1024KiB", "1MiB").replace("8192KiB", "8MiB")),
            "{said}"
        );
    }
}
