//! The dialects of files: what they are called, how they begin, and which metadata is theirs.

use trevni::Dialect;

/// What the command line knows of a dialect.
struct Known {
    dialect: Dialect,
    /// What people call it.
    title: &'static str,
    /// What JSON and options call it.
    id: &'static str,
    /// The first bytes of its files.
    magic: &'static [u8],
}

/// The dialects: a line for each.
const KNOWN: [Known; 2] = [
    Known { dialect: Dialect::Trevni, title: "Trevni", id: "trevni", magic: b"Trv" },
    Known { dialect: Dialect::Levels, title: "Trevni with levels", id: "levels", magic: b"Trv" },
];

/// The dialect that an option names.
pub(crate) fn named(id: &str) -> Result<Dialect, String> {
    let known = KNOWN.iter().find(|known| known.id == id).map(|known| known.dialect);
    known.ok_or_else(|| format!("there are {}", KNOWN.map(|known| known.id).join(" and ")))
}

fn known(dialect: Dialect) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.dialect == dialect)
}

/// What people call a dialect.
pub(crate) fn title(dialect: Dialect) -> &'static str {
    known(dialect).map_or("unknown", |known| known.title)
}

/// What JSON and options call a dialect.
pub(crate) fn id(dialect: Dialect) -> &'static str {
    known(dialect).map_or("unknown", |known| known.id)
}

/// Whether a file that starts with these bytes is one that the library reads.
pub(crate) fn is_start(start: &[u8]) -> bool {
    KNOWN.iter().any(|known| start.starts_with(known.magic))
}

/// Whether a key of the metadata describes the file itself, and so is not copied to another.
pub(crate) fn is_own_key(key: &str) -> bool {
    key == trevni_avro::SCHEMA || key.starts_with("trevni.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_library_are_known() {
        let file = trevni::to_vec([1]).unwrap();
        let reader = trevni::Reader::from_slice(&file).unwrap();
        assert!(is_start(&file) && !is_start(b"Tr") && !is_start(b"Obj\x01"));
        assert_eq!((title(reader.dialect()), id(reader.dialect())), ("Trevni", "trevni"));
        assert_eq!(named("levels"), Ok(Dialect::Levels));
        assert_eq!(named("parquet"), Err("there are trevni and levels".to_owned()));
        for (key, is_own) in
            [("avro.schema", true), ("trevni.codec", true), ("avro.codec", false), ("origin", false)]
        {
            assert_eq!(is_own_key(key), is_own, "{key}");
        }
    }
}
