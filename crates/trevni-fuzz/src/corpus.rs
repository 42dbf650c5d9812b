//! Inputs to begin with, from the golden files of the repository.

use crate::GENERATORS;
use std::path::{Path, PathBuf};
use trevni::Reader;
use trevni_avro::{Compression, Writer, schema_of};

/// Larger files are left out.
const BYTES_MAX: u64 = 20_000;

/// Strings of the language of conditions, and schemas.
const TEXTS: [&str; 31] = [
    "id > 3 and text like 't%'",
    "flag or not (x <= 1.5)",
    "id between 2 and 1_000",
    "id in (1, 2, 3) and text != 'text 2'",
    "maybe is null",
    "maybe is not null and maybe % 7 = 3",
    "any(tags, item = 'a') and len(tags) >= 1",
    "all(in.deep.n, item > -3)",
    "text ~ '^text [0-9]$'",
    "text starts with 'te' and upper(text) = \"TEXT 1\"",
    "mixed = 4 or mixed = 't'",
    "twice = id * 2 - round(x, 1) / abs(-0.5)",
    "mean(x + 1)",
    "distinct(lower(text))",
    "max(`id`)",
    "i*,!id,in.deep",
    "when >= '1970-01-02' and not when = '1970-01-03T04:05:06.007Z'",
    "year(when) <= 1969 or month(day) = 1",
    "split(text, ' ')[1] = '3' && int(regexp_extract(text, '[0-9]+')) > 2",
    "coalesce(maybe, 0) > 5 || !contains(tags, 'a')",
    "if(flag, substr(text, -2, 1), concat(text, id)) ilike '%T'",
    "tags[0] = 'a' and in.deep.n[-1] = 1 and mixed = 't'",
    "weekday(day) < 6 and epoch(when) > 0.5 and ceil(x) = 2 as soon",
    "date_trunc('week', when) < day + 7",
    "at between '00:00:08' and '00:00:40.5' and hour(at) = 0",
    "cost in (0.25, '996.250', 5) or cost * 2 > -3.5",
    "key > '67e55044-10b1-426f-9247-bb680e5fe003' and lasts != 'P1DT1H'",
    "x = when - day",
    "sum(cost)",
    "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":[\"null\",{\"type\":\"array\",\"items\":\"long\"}]},{\"name\":\"d\",\"type\":{\"type\":\"int\",\"logicalType\":\"date\"}},{\"name\":\"e\",\"type\":{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"A\",\"B\"]}}]}",
    "message Document {\n  required int64 DocId;\n  optional group Links {\n    repeated int64 Backward;\n  }\n}",
];

/// The inputs of a target, with a name each.
///
/// # Panics
///
/// Where the golden files cannot be read.
#[must_use]
pub fn of(target: &str) -> Vec<(String, Vec<u8>)> {
    match target {
        "read" | "mended" => files(),
        "round_trip" => files().into_iter().take(60).collect(),
        "importers" => imported(),
        "texts" => converted(),
        _ if GENERATORS.contains(&target) => vec![("seed".to_owned(), Vec::new())],
        _ => TEXTS
            .iter()
            .enumerate()
            .map(|(at, text)| (format!("text-{at}"), text.as_bytes().to_vec()))
            .collect(),
    }
}

/// Strings to convert, each in all formats of files.
const ROWS: [(u8, &str); 16] = [
    (0, "a,b,c\n1,x,2013-01-01\n-2,\"y,\"\"z\"\"\",\n,NA,true\n"),
    (0, "n\r\n1\r\n2.5\r\n1e400\r\n18446744073709551616\r\n"),
    (0, "a,a,,a_2\n1,2,3,4\n\n5,6\n7,8,9,10,11\n"),
    (0, "\u{feff}id,flag\n007,TRUE\n+8,false\n0x9,\n"),
    (
        0,
        "when,d,t,c,u\n2013-06-01T05:00:00Z,2013-06-01,05:00:00,1.50,67e55044-10b1-426f-9247-bb680e5fe0c8\n,-0044-03-15,05:00:00.250,-0.05,\n",
    ),
    (
        2,
        "{\"a\":\"2013-06-01\",\"b\":[\"P1D\",\"PT0S\"],\"c\":\"12.50\"}\n{\"a\":null,\"b\":[],\"c\":\"0.01\"}\n",
    ),
    (1, "a\tb\n1\t\\N\n\\t\tx\n"),
    (2, "{\"a\":1,\"b\":[1,2.5,null]}\n{\"a\":\"x\",\"c\":{\"d\":true}}\n{}\n"),
    (2, "{\"k\":{\"x y\":1,\"z.w\":2}}\n{\"k\":{\"\":[]}}\n{\"k\":null}\n"),
    (2, "[1,[2]]\n[]\n\"text\"\n3\n"),
    (2, "{\"a\":1,\"a\":2}\n{\"a\":18446744073709551615}\n{\"a\":-9223372036854775809}\n"),
    (2, "{\"a\":1e-320,\"b\":-0.0,\"c\":1.0}\n{\"a\":0.1,\"b\":1e22,\"c\":100000000000000000000000}\n"),
    (2, "{\"n\":{\"n\":{\"n\":{\"v\":[[[]],[[1]]]}}}}\n{\"n\":{\"n\":{}}}\n"),
    (3, "[{\"a\":\"\\u0000\\ud83d\\ude00\"},{\"a\":\"\\n\"}]"),
    (3, "{\"rows\":[{\"a\":1},{\"a\":null}]} {\"rows\":[]}"),
    (3, "[[{\"x\":1},2],[null]]"),
];

/// The rows, to be converted to each format of files, with and without skipping what is wrong, and with and without
/// looking for logical types.
fn converted() -> Vec<(String, Vec<u8>)> {
    let inputs = ROWS.iter().enumerate().flat_map(|(at, (format, text))| {
        (0..12).map(move |kind| {
            let bytes = [&[format + 4 * kind], text.as_bytes()].concat();
            (format!("text-{at}-{kind}"), bytes)
        })
    });
    inputs.collect()
}

/// The files of the formats of the family, by their names.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut paths = Vec::new();
    for folder in ["own/0.1", "trevni", "levels", "redelm"] {
        walk(&data().join(folder), &mut paths);
    }
    paths.sort();
    let is_file = |path: &PathBuf| path.extension().is_some_and(|name| name == "trv" || name == "redelm");
    let named = |path: PathBuf| (name(&path), std::fs::read(&path).expect("a golden file is read"));
    paths.into_iter().filter(is_file).map(named).collect()
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data")
}

/// The path below the golden files, as one name.
fn name(path: &Path) -> String {
    let below = path.strip_prefix(data()).unwrap_or(path);
    below.to_string_lossy().replace(['/', '\\'], "-")
}

fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the golden files are there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, out);
        } else if path.metadata().is_ok_and(|metadata| metadata.len() <= BYTES_MAX) {
            out.push(path);
        }
    }
}

/// Golden files as Avro, messages, and schemas, with the byte before them that says which.
fn imported() -> Vec<(String, Vec<u8>)> {
    let mut out = Vec::new();
    for (name, bytes) in files() {
        let Ok(reader) = Reader::from_slice(&bytes) else {
            continue;
        };
        out.push((format!("{name}-schema"), [b"\x07", reader.shape().to_avro().as_bytes()].concat()));
        out.push((format!("{name}-message"), [b"\x07", reader.shape().to_message().as_bytes()].concat()));
        if let Some(avro) = avro(&reader) {
            out.push((format!("{name}-avro"), [b"\x00", &*avro].concat()));
        }
    }
    let messages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../trevni-protobuf/tests/data");
    for (kind, file) in [(3, "kinds.bin"), (4, "legacy.bin"), (5, "tree.bin"), (6, "all.binpb")] {
        let bytes = std::fs::read(messages.join(file)).expect("messages are there");
        out.push((file.to_owned(), [&[kind], &*bytes].concat()));
    }
    out
}

fn avro(reader: &Reader<'_>) -> Option<Vec<u8>> {
    let schema = schema_of(reader, reader.shape());
    let mut writer = Writer::new(&schema, Compression::Null, &[], Vec::new()).ok()?;
    for batch in reader.batches().ok()? {
        writer.write_batch(&batch.ok()?).ok()?;
    }
    writer.finish().ok()
}
