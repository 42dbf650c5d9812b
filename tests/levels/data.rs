//! The files in `tests/data/levels`.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use trevni::{Reader, ReaderBuilder, Shape};

/// A file, and what is expected of it.
pub(crate) struct Golden {
    pub(crate) name: String,
    path: PathBuf,
}

impl Golden {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        fs::read(self.path.with_extension("trv")).unwrap()
    }

    fn text(&self, extension: &str) -> String {
        fs::read_to_string(self.path.with_extension(extension)).unwrap()
    }

    /// The rows, in order.
    pub(crate) fn rows(&self) -> Vec<Value> {
        self.text("jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub(crate) fn levels(&self) -> String {
        self.text("levels.txt")
    }

    /// Schema and write options.
    pub(crate) fn schema(&self) -> Value {
        serde_json::from_str(&self.text("schema.json")).unwrap()
    }

    /// A reader, told only what the file cannot say.
    pub(crate) fn reader<'b>(&self, bytes: &'b [u8]) -> Reader<'b> {
        self.options().source(bytes).unwrap()
    }

    /// The options of that reader.
    pub(crate) fn options(&self) -> ReaderBuilder {
        let mut options = Reader::builder();
        if self.schema()["options"]["group_columns"] == false {
            options = options.shape(&self.shape());
        }
        if self.name.ends_with("lenient") {
            options = options.lenient();
        }
        options
    }

    /// The shape of the rows, without the file.
    pub(crate) fn shape(&self) -> Shape {
        record(&self.schema()["fields"])
    }
}

fn record(fields: &Value) -> Shape {
    let fields = fields.as_array().unwrap();
    Shape::record(
        "",
        fields.iter().map(|field| (field["name"].as_str().unwrap().to_owned(), of_field(field))),
    )
}

fn of_field(field: &Value) -> Shape {
    let content = match field["type"].as_str() {
        None => record(&field["fields"]),
        Some("boolean") => Shape::Boolean,
        Some("int" | "fixed8" | "fixed16" | "fixed32") => Shape::Int,
        Some("long" | "fixed64") => Shape::Long,
        Some("float") => Shape::Float,
        Some("double") => Shape::Double,
        Some("string") => Shape::String,
        Some("bytes") => Shape::Bytes,
        Some("timestamp") => Shape::from_avro(r#"{"type":"fixed","name":"timestamp","size":12}"#).unwrap(),
        other => panic!("{other:?}"),
    };
    let content = if field["width"].is_null() { content } else { Shape::list(content) };
    match field["repetition"].as_str().unwrap() {
        "required" => content,
        "optional" => Shape::optional(content),
        _ => Shape::list(content),
    }
}

/// All files that can be read.
pub(crate) fn all() -> Vec<Golden> {
    let goldens = paths(|name| !name.starts_with("bad_"));
    assert!(goldens.len() >= 22, "{}", goldens.len());
    goldens
}

/// All files that must be refused.
pub(crate) fn bad() -> Vec<Golden> {
    let bad = paths(|name| name.starts_with("bad_"));
    assert_eq!(bad.len(), 4);
    bad
}

fn paths(wanted: impl Fn(&str) -> bool) -> Vec<Golden> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/levels");
    let mut found = Vec::new();
    for folder in [folder.clone(), folder.join("impala-writer")] {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            if path.extension().is_some_and(|extension| extension == "trv") && wanted(&name) {
                found.push(Golden { name, path });
            }
        }
    }
    found.sort_by(|one, two| one.path.cmp(&two.path));
    found
}
