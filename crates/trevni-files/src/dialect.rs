//! The dialects of files: what they are called, how they begin, what they have, and which metadata is theirs.

use std::path::Path;
use trevni::column::ColumnInfo;
use trevni::formats::{RedElmFooter, RedElmInfo};
use trevni::{Codec, Dialect, Reader};

/// What the command line knows of a dialect.
struct Known {
    dialect: Dialect,
    /// What people call it.
    title: &'static str,
    /// The first bytes of its files.
    magic: &'static [u8],
    /// How names of its files end.
    ending: &'static str,
    /// Whether columns may have codecs of their own.
    column_codecs: bool,
}

/// The dialects: a few lines for each.
const KNOWN: [Known; 3] = [
    Known { dialect: Dialect::Trevni, title: "Trevni", magic: b"Trv", ending: "trv", column_codecs: true },
    Known {
        dialect: Dialect::Levels,
        title: "Trevni with levels",
        magic: b"Trv",
        ending: "trv",
        column_codecs: true,
    },
    Known {
        dialect: Dialect::RedElm,
        title: "RedElm",
        magic: b"Red Elm\n",
        ending: "redelm",
        column_codecs: false,
    },
];

/// How footers of RedElm are written: what options and JSON call it, and what people call it.
const FOOTERS: [(RedElmFooter, &str, &str); 3] = [
    (RedElmFooter::Json, "json", "JSON"),
    (RedElmFooter::GzippedJson, "gzip", "gzipped JSON"),
    (RedElmFooter::Java, "java", "a Java object"),
];

/// The form of a footer that an option names.
pub fn footer_named(id: &str) -> Result<RedElmFooter, String> {
    let known = FOOTERS.iter().find(|(_, own, _)| *own == id).map(|(footer, ..)| *footer);
    known.ok_or_else(|| one_of(&FOOTERS.map(|(_, id, _)| id)))
}

/// What JSON and options call the form of a footer, and what people call it.
pub fn footer_names(footer: RedElmFooter) -> (&'static str, &'static str) {
    let known = FOOTERS.iter().find(|(own, ..)| *own == footer);
    known.map_or(("unknown", "unknown"), |(_, id, title)| (id, title))
}

fn one_of(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, [])) => format!("there is {last}"),
        Some((last, others)) => format!("there are {} and {last}", others.join(", ")),
        None => String::new(),
    }
}

fn known(dialect: Dialect) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.dialect == dialect)
}

/// What people call a dialect.
pub fn title(dialect: Dialect) -> &'static str {
    known(dialect).map_or("unknown", |known| known.title)
}

/// How names of files end.
pub fn ending(dialect: Dialect) -> &'static str {
    known(dialect).map_or("trv", |known| known.ending)
}

/// Bytes before all else in files.
pub fn magic_size(dialect: Dialect) -> u64 {
    known(dialect).map_or(0, |known| known.magic.len() as u64)
}

fn ends_in(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending))
}

/// The dialect of an output, where none is asked for: `usual`, unless the name says another.
pub fn of_output(path: &Path, usual: Dialect) -> Dialect {
    let named = KNOWN.iter().find(|known| ends_in(path, known.ending)).map(|known| known.dialect);
    match named {
        // The ending may stand for several.
        Some(named) if ending(usual) != ending(named) => named,
        _ => usual,
    }
}

/// Whether a file that starts with these bytes is one that the library reads.
pub fn is_start(start: &[u8]) -> bool {
    KNOWN.iter().any(|known| start.starts_with(known.magic))
}

/// Bytes of a start that tell.
pub const START: u64 = 8;

/// The codecs in the order in which they are shown: null, then from fast to small.
const CODECS: [Codec; 11] = [
    Codec::Null,
    Codec::Snappy,
    Codec::Deflate,
    Codec::Gzip,
    Codec::Zstandard,
    Codec::Lz4,
    Codec::Bzip2,
    Codec::Typed,
    Codec::TypedZstandard,
    Codec::Archive,
    Codec::Auto,
];

/// The codecs that a file can be written with.
pub fn codecs(dialect: Dialect) -> impl Iterator<Item = Codec> {
    CODECS.into_iter().filter(move |codec| dialect.codecs().contains(codec))
}

/// Whether columns may have codecs of their own.
pub fn has_column_codecs(dialect: Dialect) -> bool {
    known(dialect).is_some_and(|known| known.column_codecs)
}

/// The name of the checksum of a column's bytes, wherever the file has that.
pub fn checksum_of<'c>(file: &Reader<'_>, column: &'c ColumnInfo) -> &'c str {
    match file.info::<RedElmInfo>().map(|info| info.checksum) {
        Some(checksum) => checksum.name(),
        None => column.checksum_name(),
    }
}

/// Whether a key of the metadata describes the file itself, and so is not copied to another.
pub fn is_own_key(key: &str) -> bool {
    key == trevni_avro::SCHEMA || key.starts_with("trevni.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use trevni::Writer;

    fn file(dialect: Dialect, codec: Codec) -> trevni::Result<Vec<u8>> {
        let mut writer = Writer::builder().dialect(dialect).codec(codec).build(Vec::new())?;
        writer.write_all([Some(1), None])?;
        writer.finish()
    }

    #[test]
    fn files_of_the_library_are_known() {
        for known in &KNOWN {
            let file = file(known.dialect, Codec::Null).unwrap();
            let reader = Reader::from_slice(&file).unwrap();
            assert!(is_start(&file) && is_start(&file[..START as usize]), "{}", known.title);
            assert_eq!((reader.dialect(), title(reader.dialect())), (known.dialect, known.title));
            assert_eq!(magic_size(known.dialect), known.magic.len() as u64);
        }
        assert!(!is_start(b"Tr") && !is_start(b"Obj\x01") && !is_start(b"Red Elm"));
        assert_eq!(footer_named("x"), Err("there are json, gzip and java".to_owned()));
        for (footer, id, title) in FOOTERS {
            assert_eq!((footer_named(id), footer_names(footer)), (Ok(footer), (id, title)));
        }
        for (key, is_own) in
            [("avro.schema", true), ("trevni.codec", true), ("avro.codec", false), ("origin", false)]
        {
            assert_eq!(is_own_key(key), is_own, "{key}");
        }
    }

    #[test]
    fn codecs_are_those_that_the_library_writes() {
        for known in &KNOWN {
            for codec in Codec::ALL.into_iter().chain([Codec::Gzip, Codec::Auto]) {
                let is_written = file(known.dialect, codec).is_ok();
                assert_eq!(
                    codecs(known.dialect).any(|own| own == codec),
                    is_written,
                    "{} {codec:?}",
                    known.title
                );
                let near = known.dialect.nearest_codec(codec);
                assert!(codecs(known.dialect).any(|own| own == near));
                assert!(!is_written || near == codec);
                if is_written && codec != Codec::Auto {
                    let file = file(known.dialect, codec).unwrap();
                    let reader = Reader::from_slice(&file).unwrap();
                    assert_eq!(reader.columns()[0].codec(), Some(codec), "{}", known.title);
                }
            }
        }
        assert_eq!(Dialect::RedElm.nearest_codec(Codec::Zstandard), Codec::Deflate);
        assert_eq!(Dialect::Levels.nearest_codec(Codec::Lz4), Codec::Snappy);
    }

    #[test]
    fn names_of_outputs_say_the_dialect_where_they_differ() {
        let of = |name: &str, usual| of_output(Path::new(name), usual);
        let [trevni, levels, redelm] = KNOWN.map(|known| known.dialect);
        assert_eq!([of("a.redelm", trevni), of("a.RedElm", levels), of("a", redelm)], [redelm; 3]);
        assert_eq!([of("a.trv", levels), of("-", levels)], [levels; 2]);
        assert_eq!([of("a.trv", redelm), of("a.trv", trevni), of("trv", trevni)], [trevni; 3]);
    }
}
