//! Options of statements: `COPY … OPTIONS ('format.codec' 'zstandard')`, or `OPTIONS (codec 'zstandard')`.

use super::Aliases;
use crate::commit::AsOf;
use datafusion::error::{DataFusionError, Result};
use std::collections::HashMap;
use trevni::{Codec, Writer, WriterBuilder};

/// The codec of files that are written, unless a statement names another: the fastest to query, and about as small as Parquet's.
const CODEC: Codec = Codec::Typed;

/// How files are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    codec: Option<Codec>,
    level: Option<i32>,
    block_size: Option<usize>,
    /// Of files that are read.
    pub(crate) aliases: Aliases,
    /// The moment of the table that is read; without it, now.
    pub(crate) as_of: Option<AsOf>,
}

impl Options {
    /// Options by their names, with or without `format.` before them.
    pub(crate) fn parse(given: &HashMap<String, String>) -> Result<Self> {
        let mut options = Self::default();
        for (name, value) in given {
            match name.to_lowercase().trim_start_matches("format.") {
                "codec" | "compression" => options.codec = Some(codec(value)?),
                "level" | "compression_level" => options.level = Some(number(name, value)?),
                "block_size" => options.block_size = Some(number(name, value)?),
                "as_of" => options.as_of = Some(AsOf::parse(value)?),
                "alias" => options.aliases = Aliases::parse(value)?,
                _ => {
                    return Err(DataFusionError::Configuration(format!(
                        "Trevni has no option {name:?}: its options are codec, level, block_size, alias and as_of"
                    )));
                }
            }
        }
        Ok(options)
    }

    /// The options by their names, as [`parse`](Self::parse) takes them.
    pub(crate) fn pairs(&self) -> HashMap<String, String> {
        let codec = self.codec.map(|codec| ("codec", codec.name().to_owned()));
        let level = self.level.map(|level| ("level", level.to_string()));
        let block_size = self.block_size.map(|bytes| ("block_size", bytes.to_string()));
        let alias = (!self.aliases.is_empty()).then(|| ("alias", self.aliases.to_string()));
        let as_of = self.as_of.as_ref().map(|as_of| ("as_of", as_of.to_string()));
        let given = [codec, level, block_size, alias, as_of].into_iter().flatten();
        given.map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// With a codec, if none was chosen.
    pub(crate) fn or_codec(self, codec: Codec) -> Self {
        Self { codec: self.codec.or(Some(codec)), ..self }
    }

    /// Options of a writer.
    pub(crate) fn writer(&self) -> WriterBuilder {
        let mut writer = Writer::builder().without_drop_notice().codec(self.codec.unwrap_or(CODEC));
        if let Some(level) = self.level {
            writer = writer.level(level);
        }
        if let Some(bytes) = self.block_size {
            writer = writer.block_size(bytes);
        }
        writer
    }
}

fn codec(name: &str) -> Result<Codec> {
    match name.parse() {
        // The same compression.
        Ok(Codec::Gzip) => Ok(Codec::Deflate),
        Ok(codec) => Ok(codec),
        Err(error) => Err(DataFusionError::Configuration(error.to_string())),
    }
}

fn number<N: std::str::FromStr>(name: &str, value: &str) -> Result<N> {
    value.parse().map_err(|_| DataFusionError::Configuration(format!("{name}: {value:?} is no such number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_names_and_values_of_theirs() {
        let given =
            |name: &str, value: &str| Options::parse(&HashMap::from([(name.to_owned(), value.to_owned())]));
        assert_eq!(given("format.codec", "ZSTD").unwrap().codec, Some(Codec::Zstandard));
        assert_eq!(given("block_size", "1000").unwrap().block_size, Some(1000));
        let all =
            [("codec", "typed-zstd"), ("level", "3"), ("format.block_size", "5000"), ("alias", "a=b, c=d")];
        let all =
            Options::parse(&all.map(|(name, value)| (name.to_owned(), value.to_owned())).into()).unwrap();
        assert_eq!(Options::parse(&all.pairs()).unwrap(), all);
        assert!(given("codec", "brotli").unwrap_err().to_string().contains("zstandard"));
        assert!(given("level", "high").unwrap_err().to_string().contains("\"high\""));
        assert!(given("delimiter", ";").unwrap_err().to_string().contains("block_size, alias and as_of"));
    }
}
