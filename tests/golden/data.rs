//! The files under `tests/data/trevni`.

use crate::json::Json;
use crate::schema::Schema;
use std::io::Read;
use std::path::PathBuf;

/// A file that Java wrote, as the manifest lists it.
#[derive(Clone, Debug)]
pub(crate) struct Golden {
    /// Name, without extension.
    pub(crate) name: String,
    /// Rows, as the manifest says; only for files with a schema.
    pub(crate) rows: Option<u64>,
    /// Codec; empty where the metadata has none.
    pub(crate) codec: String,
    /// Checksum; empty where the metadata has none.
    pub(crate) checksum: String,
    kind: String,
}

impl Golden {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        bytes(&format!("{}.trv", self.name))
    }

    pub(crate) fn schema(&self) -> Schema {
        Schema::parse(&self.schema_text())
    }

    pub(crate) fn schema_text(&self) -> String {
        text(&format!("{}.avsc", self.name))
    }

    /// The rows, in Avro's JSON encoding.
    pub(crate) fn lines(&self) -> Vec<Json> {
        lines(&format!("{}.jsonl", self.name))
    }

    /// The dump of the columns; two files have none.
    pub(crate) fn columns_dump(&self) -> Option<String> {
        let plain = format!("{}.cols.txt", self.name);
        let zipped = format!("{plain}.gz");
        if path(&plain).exists() {
            return Some(text(&plain));
        }
        path(&zipped).exists().then(|| {
            let mut out = String::new();
            flate2::read::GzDecoder::new(&*bytes(&zipped)).read_to_string(&mut out).unwrap();
            out
        })
    }

    pub(crate) fn meta_dump(&self) -> String {
        text(&format!("{}.meta.txt", self.name))
    }
}

/// Asserts that an error says that there is no such codec, and for which column.
pub(crate) fn assert_names_codec(error: &trevni::Error, codec: &str, column: &str) {
    assert_eq!(error.category(), trevni::Category::Unsupported, "{error}");
    assert!(
        matches!(error.kind(), trevni::ErrorKind::Codec { codec: found, .. } if found == codec),
        "{error}"
    );
    assert_eq!(error.location().column.as_deref(), Some(column), "{error}");
    let text = error.to_string();
    assert!(text.contains(&format!("{codec:?}")) && text.contains(&format!("{column:?}")), "{text}");
}

/// All files with a schema.
pub(crate) fn with_schema() -> Vec<Golden> {
    let found = of_kind("avro");
    assert_eq!(found.len(), 39);
    found
}

/// All files: those with a schema, and those of columns alone.
pub(crate) fn all() -> Vec<Golden> {
    let raw = of_kind("raw");
    assert_eq!(raw.len(), 16);
    with_schema().into_iter().chain(raw).collect()
}

/// The file of a name.
pub(crate) fn named(name: &str) -> Golden {
    all()
        .into_iter()
        .find(|golden| golden.name == name)
        .unwrap_or_else(|| panic!("no {name} in the manifest"))
}

fn of_kind(kind: &str) -> Vec<Golden> {
    let manifest = text("manifest.tsv");
    let entries = manifest.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let option = |at: usize| fields[at].trim_start_matches('-').to_owned();
        Golden {
            name: fields[0].trim_end_matches(".trv").to_owned(),
            rows: fields[1].parse().ok(),
            codec: option(2),
            checksum: option(3),
            kind: fields[4].to_owned(),
        }
    });
    entries.filter(|golden| golden.kind == kind).collect()
}

/// The lines of a file of rows; they end in `\n`, other line separators are part of texts.
pub(crate) fn lines(name: &str) -> Vec<Json> {
    text(name).split_terminator('\n').map(Json::parse).collect()
}

pub(crate) fn text(name: &str) -> String {
    String::from_utf8(bytes(name)).unwrap()
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "data", "trevni", name].iter().collect()
}

/// Compares two texts line by line, so that a failure shows the line.
pub(crate) fn assert_same_text(name: &str, found: &str, expected: &str) {
    for (number, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "{name}, line {}", number + 1);
    }
    assert_eq!(found.lines().count(), expected.lines().count(), "{name}: number of lines");
    assert_eq!(found, expected, "{name}");
}
