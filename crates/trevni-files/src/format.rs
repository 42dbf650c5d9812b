//! Formats of files: by name, or by the first bytes.

use crate::dialect;
use crate::packing::Packing;
use clap::ValueEnum;
use std::fmt;
use std::path::{Path, PathBuf};

/// Formats that can be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A JSON value on each line
    #[value(alias = "ndjson")]
    Jsonl,
    /// A JSON array of rows, or several JSON values
    Json,
    /// Comma-separated values
    Csv,
    /// Tab-separated values
    Tsv,
    /// Trevni, and the formats like it
    Trv,
    /// Avro
    Avro,
    /// Parquet
    Parquet,
    /// Arrow IPC: files, Feather and streams
    Arrow,
    /// Messages of Protocol Buffers, each with its length before it
    #[cfg(feature = "protobuf")]
    Protobuf,
}

impl Format {
    /// The format that a name ends in, that of packed files included.
    pub fn of_name(path: &Path) -> Option<Self> {
        Some(match extension(&unpacked(path))?.as_str() {
            "jsonl" | "ndjson" | "ldjson" => Self::Jsonl,
            "json" => Self::Json,
            "csv" => Self::Csv,
            "tsv" | "tab" => Self::Tsv,
            "trv" | "redelm" => Self::Trv,
            "avro" => Self::Avro,
            "parquet" | "pq" => Self::Parquet,
            "arrow" | "arrows" | "feather" | "ipc" => Self::Arrow,
            #[cfg(feature = "protobuf")]
            "binpb" | "pb" => Self::Protobuf,
            _ => return None,
        })
    }

    /// The endings of names that there are formats for.
    pub fn endings() -> String {
        let texts = [".jsonl", ".json", ".csv", ".tsv", ".trv", ".redelm", ".avro"].into_iter();
        let parquet = cfg!(feature = "parquet").then_some(".parquet, .arrow, .arrows, .feather");
        let messages = cfg!(feature = "protobuf").then_some(".pb");
        texts.chain(parquet).chain(messages).collect::<Vec<_>>().join(", ")
    }

    /// The names of formats that are read.
    pub fn names() -> String {
        let texts = ["jsonl", "json", "csv", "tsv", "avro"].into_iter();
        let parquet = cfg!(feature = "parquet").then_some("parquet, arrow");
        let messages = cfg!(feature = "protobuf").then_some("protobuf");
        let names: Vec<&str> = texts.chain(parquet).chain(messages).collect();
        format!("{} or trv", names.join(", "))
    }

    /// Whether it is text.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Jsonl | Self::Json | Self::Csv | Self::Tsv)
    }

    /// How names of this format end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Trv => "trv",
            Self::Avro => "avro",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            #[cfg(feature = "protobuf")]
            Self::Protobuf => "binpb",
        }
    }

    /// The format of a file that starts like this.
    pub fn of_start(start: &[u8]) -> Option<Self> {
        if dialect::is_start(start) {
            return Some(Self::Trv);
        }
        match start {
            [b'O', b'b', b'j', 1, ..] => return Some(Self::Avro),
            [b'P', b'A', b'R', b'1' | b'E', ..] => return Some(Self::Parquet),
            [b'A', b'R', b'R', b'O', b'W', b'1', 0, 0, ..] => return Some(Self::Arrow),
            // A stream: the length of its first message, which is no large one.
            [0xff, 0xff, 0xff, 0xff, _, _, _, 0, ..] => return Some(Self::Arrow),
            _ if start.contains(&0) => return None,
            _ => {}
        }
        let valid = match std::str::from_utf8(start) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(start.get(..error.valid_up_to())?).ok()?,
        };
        let first = valid.lines().find(|line| !line.trim().is_empty())?.trim();
        match first.as_bytes() {
            [b'[', ..] => Some(Self::Json),
            [b'{', .., b'}'] => Some(Self::Jsonl),
            // A row longer than what is looked at.
            [b'{', ..] if !valid.trim().contains('\n') => Some(Self::Jsonl),
            [b'{', ..] => Some(Self::Json),
            _ if first.contains('\t') => Some(Self::Tsv),
            _ if first.contains([',', ';']) => Some(Self::Csv),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Jsonl => "JSON lines",
            Self::Json => "JSON",
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::Trv => "Trevni",
            Self::Avro => "Avro",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
            #[cfg(feature = "protobuf")]
            Self::Protobuf => "Protocol Buffers",
        })
    }
}

/// The format of a file: by its extension, or else by its first bytes. A file that begins as Trevni, Avro or Parquet is one, whatever its name.
pub fn guess(path: &Path, start: &[u8]) -> Option<Format> {
    let begins = Format::of_start(start);
    begins
        .filter(|format| matches!(format, Format::Trv | Format::Avro | Format::Parquet | Format::Arrow))
        .or_else(|| Format::of_name(path))
        .or(begins)
}

/// Whether a name has an ending of which no format is known.
pub fn has_other_ending(path: &Path) -> bool {
    extension(&unpacked(path)).is_some() && Format::of_name(path).is_none()
}

/// The name without the ending of a packed file, and without that of the format.
pub fn stem(path: &Path) -> PathBuf {
    unpacked(path).with_extension("")
}

fn unpacked(path: &Path) -> PathBuf {
    match Packing::of_name(path) {
        Some(_) => path.with_extension(""),
        None => path.to_owned(),
    }
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_name_and_by_start() {
        for (name, format) in [
            ("a.jsonl", Some(Format::Jsonl)),
            ("a.b.CSV.gz", Some(Format::Csv)),
            ("x/a.tsv.zst", Some(Format::Tsv)),
            ("a.json", Some(Format::Json)),
            ("a.redelm", Some(Format::Trv)),
            ("a.gz", None),
            ("jsonl", None),
        ] {
            assert_eq!(Format::of_name(Path::new(name)), format, "{name}");
        }
        for (start, format) in [
            (&b"\n {\"a\": 1}\n"[..], Some(Format::Jsonl)),
            (b"{\"a\": ", Some(Format::Jsonl)),
            (b"{\n  \"a\": 1\n}", Some(Format::Json)),
            (b"[{", Some(Format::Json)),
            (b"a,b\n", Some(Format::Csv)),
            (b"a\tb,c\n", Some(Format::Tsv)),
            (b"a;b\n", Some(Format::Csv)),
            (b"Trv\x02", Some(Format::Trv)),
            (b"Red Elm\n", Some(Format::Trv)),
            (b"Obj\x01", Some(Format::Avro)),
            (b"text", None),
            (b"", None),
        ] {
            assert_eq!(Format::of_start(start), format, "{start:?}");
        }
        assert_eq!(stem(Path::new("x/a.b.csv.gz")), Path::new("x/a.b"));
    }
}
