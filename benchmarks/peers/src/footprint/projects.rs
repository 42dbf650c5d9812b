//! The programs that are built: each writes three rows and reads them back, with one library.

use std::path::Path;

/// A program.
pub struct Project {
    /// What it uses.
    pub name: &'static str,
    /// Lines of its manifest, with `{root}` for the folder of this repository.
    dependencies: &'static [&'static str],
    /// Items before `main`.
    items: &'static str,
    /// Statements between the rows and their comparison: they bind `again`.
    body: &'static str,
}

const SERDE: &str = r#"serde = { version = "1", features = ["derive"] }"#;
const SERDE_ARROW: &str = r#"serde_arrow = { version = "0.15", features = ["arrow-59"] }"#;

/// The programs that more structs are added to, by name.
pub const STRUCTS: [&str; 4] = ["trevni", "serde_json", "bitcode", "parquet and serde_arrow"];

/// All programs, in the order of the report.
pub const PROJECTS: [Project; 9] = [
    Project {
        name: "serde with derive alone",
        dependencies: &[SERDE],
        items: "",
        body: "let again = rows.clone();",
    },
    Project {
        name: "trevni",
        dependencies: &[SERDE, r#"trevni = { path = "{root}" }"#],
        items: "",
        body: "let bytes = trevni::to_vec(&rows)?;
    let again: Vec<Row> = trevni::from_slice(&bytes)?;",
    },
    Project {
        name: "what trevni is built on: crc32fast, flate2, serde_json, snap, thiserror",
        dependencies: &[
            SERDE,
            r#"crc32fast = "1.4""#,
            r#"flate2 = { version = "1.1", default-features = false, features = ["zlib-rs"] }"#,
            r#"serde_json = { version = "1", features = ["unbounded_depth"] }"#,
            r#"snap = "1.1""#,
            r#"thiserror = "2""#,
        ],
        items: r#"#[derive(Debug, thiserror::Error)]
#[error("damaged")]
struct Damaged;
"#,
        body: r#"use std::io::{Read, Write};
    let json = serde_json::to_vec(&rows)?;
    let checksum = crc32fast::hash(&json);
    let snappy = snap::raw::Encoder::new().compress_vec(&json)?;
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(&snappy)?;
    let mut inflated = Vec::new();
    flate2::read::DeflateDecoder::new(&encoder.finish()?[..]).read_to_end(&mut inflated)?;
    let json = snap::raw::Decoder::new().decompress_vec(&inflated)?;
    if crc32fast::hash(&json) != checksum {
        return Err(Damaged.into());
    }
    let again: Vec<Row> = serde_json::from_slice(&json)?;"#,
    },
    Project {
        name: "bincode",
        dependencies: &[SERDE, r#"bincode = { version = "2", features = ["serde"] }"#],
        items: "",
        body: "let bytes = bincode::serde::encode_to_vec(&rows, bincode::config::standard())?;
    let (again, _): (Vec<Row>, _) = bincode::serde::decode_from_slice(&bytes, bincode::config::standard())?;",
    },
    Project {
        name: "bitcode",
        dependencies: &[SERDE, r#"bitcode = { version = "0.6", features = ["serde"] }"#],
        items: "",
        body: "let bytes = bitcode::serialize(&rows)?;
    let again: Vec<Row> = bitcode::deserialize(&bytes)?;",
    },
    Project {
        name: "serde_json",
        dependencies: &[SERDE, r#"serde_json = "1""#],
        items: "",
        body: "let bytes = serde_json::to_vec(&rows)?;
    let again: Vec<Row> = serde_json::from_slice(&bytes)?;",
    },
    Project {
        name: "apache-avro",
        dependencies: &[SERDE, r#"apache-avro = "0.22""#],
        items: r##"const SCHEMA: &str = r#"{"type": "record", "name": "Row", "fields": [
    {"name": "id", "type": "long"}, {"name": "name", "type": "string"}, {"name": "price", "type": "double"}
]}"#;
"##,
        body: "let schema = apache_avro::Schema::parse_str(SCHEMA)?;
    let mut writer = apache_avro::Writer::new(&schema, Vec::new())?;
    writer.extend_ser(&rows)?;
    let bytes = writer.into_inner()?;
    let again = apache_avro::Reader::new(&bytes[..])?.into_deser_iter().collect::<Result<Vec<Row>, _>>()?;",
    },
    Project {
        name: "arrow-ipc and serde_arrow",
        dependencies: &[SERDE, SERDE_ARROW, r#"arrow-ipc = "59""#, r#"arrow-schema = "59""#],
        items: "use serde_arrow::schema::{SchemaLike, TracingOptions};\n",
        body: "let fields = Vec::<arrow_schema::FieldRef>::from_type::<Row>(TracingOptions::default())?;
    let batch = serde_arrow::to_record_batch(&fields, &rows)?;
    let mut writer = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &batch.schema())?;
    writer.write(&batch)?;
    let bytes = std::io::Cursor::new(writer.into_inner()?);
    let mut again = Vec::new();
    for batch in arrow_ipc::reader::FileReader::try_new(bytes, None)? {
        again.append(&mut serde_arrow::from_record_batch::<Vec<Row>>(&batch?)?);
    }",
    },
    Project {
        name: "parquet and serde_arrow",
        dependencies: &[
            SERDE,
            SERDE_ARROW,
            r#"arrow-schema = "59""#,
            r#"bytes = "1""#,
            r#"parquet = { version = "59", default-features = false, features = ["arrow", "snap"] }"#,
        ],
        items: "use serde_arrow::schema::{SchemaLike, TracingOptions};\n",
        body: "let fields = Vec::<arrow_schema::FieldRef>::from_type::<Row>(TracingOptions::default())?;
    let batch = serde_arrow::to_record_batch(&fields, &rows)?;
    let mut writer = parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), None)?;
    writer.write(&batch)?;
    let bytes = bytes::Bytes::from(writer.into_inner()?);
    let mut again = Vec::new();
    for batch in parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(bytes)?.build()? {
        again.append(&mut serde_arrow::from_record_batch::<Vec<Row>>(&batch?)?);
    }",
    },
];

impl Project {
    /// Its `Cargo.toml`.
    pub fn manifest(&self, root: &Path) -> String {
        let dependencies = self.dependencies.join("\n").replace("{root}", &root.display().to_string());
        format!(
            "[workspace]\n\n[package]\nname = \"footprint\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{dependencies}\n\n[profile.release]\nstrip = true\n"
        )
    }

    /// Its `src/main.rs`.
    pub fn main(&self) -> String {
        format!(
            "{}\nfn main() -> Result<(), Box<dyn std::error::Error>> {{\n    run()\n}}\n",
            self.run(
                &["id: i64", "name: String", "price: f64"],
                "id, name: format!(\"row {id}\"), price: id as f64 / 4.0"
            )
        )
    }

    /// A `src/main.rs` with a number of structs of ten fields, each written and read.
    pub fn structs(&self, count: usize) -> String {
        let fields = |at: usize| {
            let types = [
                "i64",
                "String",
                "f64",
                "Option<i32>",
                "bool",
                "u16",
                "Option<String>",
                "f32",
                "Vec<i64>",
                "i32",
            ];
            types.iter().zip(0..).map(|(kind, field)| format!("f{at}_{field}: {kind}")).collect::<Vec<_>>()
        };
        let values = |at: usize| {
            let values = [
                "id",
                "format!(\"row {id}\")",
                "id as f64 / 4.0",
                "Some(7)",
                "true",
                "id as u16",
                "None",
                "0.5",
                "vec![id]",
                "id as i32",
            ];
            values
                .iter()
                .zip(0..)
                .map(|(value, field)| format!("f{at}_{field}: {value}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let module = |at: usize| {
            let fields = fields(at);
            let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
            format!("mod m{at} {{\n{}}}\n", self.run(&fields, &values(at)))
        };
        let modules: String = (0..count).map(module).collect();
        let calls: String = (0..count).map(|at| format!("    m{at}::run()?;\n")).collect();
        format!("{modules}\nfn main() -> Result<(), Box<dyn std::error::Error>> {{\n{calls}    Ok(())\n}}\n")
    }

    /// A struct of rows, and a function that writes three of them and reads them back.
    fn run(&self, fields: &[&str], values: &str) -> String {
        format!(
            "{}
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Row {{
    {},
}}

pub fn run() -> Result<(), Box<dyn std::error::Error>> {{
    let row = |id: i64| Row {{ {values} }};
    let rows: Vec<Row> = (0..3).map(row).collect();
    {}
    assert_eq!(again, rows);
    Ok(())
}}
",
            self.items,
            fields.join(",\n    "),
            self.body
        )
    }
}
