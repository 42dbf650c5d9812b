//! RedElm files number by number, summary files of them, and manifests of datasets.

use super::file::Fill;
use super::forms::Form;
use super::sink::{As, Sink};
use crate::codec::Codec;
use trevni::formats::{RedElm, RedElmFooter};
use trevni::{Reader, Writer};

const MAGIC: &[u8; 8] = b"Red Elm\n";

/// A column in a row group: its path and type, its entries, and what fills repetition levels, definition levels and values.
struct Column {
    path: &'static str,
    kind: &'static str,
    entries: i64,
    parts: [Fill; 3],
}

/// Levels: some zeros, each a flag and the level in one bit, both 0; then a run: a flag, the level in one bit, how often it comes.
fn run(zeros: u32, level: u64, times: i64, sink: &mut Sink) {
    sink.sized("bytes of levels", As::Integer, |sink| {
        let varint = sink.apart(|sink| sink.put("times of a level", As::Count, times));
        let mut rest = (1 | level << 1) << (2 * zeros);
        let mut used = 2 * zeros + 2;
        for byte in varint {
            rest |= u64::from(byte) << used;
            used += 8;
            while used >= 8 {
                sink.raw([rest as u8]);
                (rest, used) = (rest >> 8, used - 8);
            }
        }
        sink.raw([rest as u8]);
    });
}

fn nothing() -> Fill {
    Box::new(|_| {})
}

/// The columns of the message, with n rows, in the order of their paths.
const MESSAGE: &str = "message M { required binary b; required boolean f; required float g; optional int64 l; \
                       repeated double r; required string s; required int32 w; }";

fn columns(rows: i64) -> Vec<Column> {
    let column = |path, kind, parts| Column { path, kind, entries: rows, parts };
    let plain = |fill: Fill| [nothing(), nothing(), fill];
    let zeros = |bytes: usize| -> Fill { Box::new(move |sink| sink.raw(vec![0; bytes * rows as usize])) };
    let binary = move |sink: &mut Sink| {
        (0..rows).for_each(|_| sink.sized("bytes of a value", As::Big32, |sink| sink.raw("ab")));
    };
    let string = move |sink: &mut Sink| {
        (0..rows).for_each(|_| sink.sized("bytes of a value", As::Count, |sink| sink.raw("ab")));
    };
    let ones = |level| -> Fill { Box::new(move |sink| run(0, level, rows, sink)) };
    vec![
        column("b", "BINARY", plain(Box::new(binary))),
        column("f", "BOOLEAN", plain(zeros(1))),
        column("g", "FLOAT", plain(zeros(4))),
        column("l", "INT64", [nothing(), ones(1), zeros(8)]),
        column("r", "DOUBLE", [ones(0), ones(1), zeros(8)]),
        column("s", "STRING", plain(Box::new(string))),
        column("w", "INT32", plain(zeros(4))),
    ]
}

/// The codecs of RedElm, by their classes.
const CODECS: [(&str, Option<Stream>); 7] = [
    ("null", None),
    ("org.apache.hadoop.io.compress.DefaultCodec", Some(Stream::Of(Codec::Zlib))),
    ("org.apache.hadoop.io.compress.GzipCodec", Some(Stream::Of(Codec::Gzip))),
    ("org.apache.hadoop.io.compress.BZip2Codec", Some(Stream::Of(Codec::Bzip2))),
    ("org.apache.hadoop.io.compress.SnappyCodec", Some(Stream::Blocks(Codec::Snappy))),
    ("org.apache.hadoop.io.compress.Lz4Codec", Some(Stream::Blocks(Codec::Lz4))),
    ("snappy", Some(Stream::Blocks(Codec::Snappy))),
];

/// How a part of a column is compressed.
#[derive(Clone, Copy)]
enum Stream {
    Of(Codec),
    /// Blocks of chunks, each after its size.
    Blocks(Codec),
}

impl Stream {
    fn write(self, content: &[u8], sink: &mut Sink) {
        match self {
            Self::Of(codec) => sink.raw(codec.compress(content)),
            Self::Blocks(codec) => {
                sink.put("bytes of a block", As::Big32, content.len() as i64);
                if !content.is_empty() {
                    sink.sized("bytes of a chunk", As::Big32, |sink| sink.raw(codec.compress(content)));
                }
            }
        }
    }
}

/// A file of some columns: the row groups, then the text of the footer as `footer` stores it.
fn file(
    message: &str,
    columns: &[Column],
    rows: i64,
    (class, stream): (&str, Option<Stream>),
    footer: impl Fn(Vec<u8>) -> Vec<u8>,
    sink: &mut Sink,
) {
    sink.raw(MAGIC);
    let mut borders = Vec::new();
    for column in columns {
        let mut starts = Vec::new();
        for part in &column.parts {
            starts.push(sink.bytes.len());
            let content = sink.apart(part);
            match stream {
                Some(stream) => stream.write(&content, sink),
                None => sink.raw(content),
            }
        }
        starts.push(sink.bytes.len());
        borders.push(starts);
    }
    let end = sink.bytes.len();
    let text = sink.apart(|sink| {
        let class = if class == "null" { class.to_owned() } else { format!("\"{class}\"") };
        sink.raw(format!(
            r#"{{"fileMetaData":{{"schema":"{message}","codecClassName":{class}}},"blocks":[{{"startIndex":"#
        ));
        sink.put("start of a row group", As::Digits, 8);
        sink.raw(r#","endIndex":"#);
        sink.put("end of a row group", As::Digits, end as i64);
        sink.raw(r#","recordCount":"#);
        sink.put("rows of a row group", As::Digits, rows);
        sink.raw(r#","columns":["#);
        for (number, (column, borders)) in columns.iter().zip(&borders).enumerate() {
            if number > 0 {
                sink.raw(",");
            }
            let keys = ["repetitionStart", "definitionStart", "dataStart", "dataEnd"];
            sink.raw("{");
            for (key, border) in keys.iter().zip(borders) {
                sink.raw(format!(r#""{key}":"#));
                sink.put("border of a part", As::Digits, *border as i64);
                sink.raw(",");
            }
            sink.raw(format!(r#""path":["{}"],"type":"{}","valueCount":"#, column.path, column.kind));
            sink.put("entries", As::Digits, column.entries);
            for key in ["repetition", "definition", "data"] {
                sink.raw(format!(r#","{key}UncompressedLength":"#));
                sink.put("bytes before the codec", As::Digits, 4);
            }
            sink.raw("}");
        }
        sink.raw("]}]}");
    });
    end_of_file(footer(text), sink);
}

/// The footer with its only block, and the end of a file.
fn end_of_file(block: Vec<u8>, sink: &mut Sink) {
    let start = sink.bytes.len();
    sink.put("version of the footer", As::Big32, 1);
    sink.put("blocks of metadata", As::Byte, 1);
    sink.sized("bytes of a name", As::Big16, |sink| sink.raw("RedElm"));
    sink.sized("bytes of a block", As::Big32, |sink| sink.raw(block));
    sink.put("start of the footer", As::Big64, start as i64);
    sink.raw(MAGIC);
}

fn gzipped(bytes: Vec<u8>) -> Vec<u8> {
    Codec::Gzip.compress(&bytes)
}

/// The names of the types in a message.
pub(super) fn types() -> Vec<String> {
    columns(1).iter().map(|column| column.kind.to_lowercase()).collect()
}

/// The classes of codecs, without the package.
pub(super) fn classes() -> Vec<String> {
    let names = CODECS.iter().filter_map(|(class, stream)| match stream {
        None => Some("none"),
        Some(_) => class.rsplit_once('.').map(|(_, name)| name),
    });
    names.map(str::to_owned).collect()
}

/// All forms of RedElm files.
pub(super) fn forms() -> Vec<Form> {
    let mut all = Vec::new();
    for (class, stream) in CODECS {
        all.push(Form::new(format!("redelm, codec {class}"), move |sink| {
            file(MESSAGE, &columns(3), 3, (class, stream), |text| text, sink);
        }));
    }
    all.push(Form::new("redelm, gzipped footer", |sink| {
        file(MESSAGE, &columns(3), 3, ("null", None), gzipped, sink);
    }));
    all.push(Form::new("redelm, footer as Java objects", |sink| {
        sink.each("byte of a file with Java objects", &java())
    }));
    // Rows that are runs of levels.
    for rows in [1 << 20, 1 << 27, (1 << 31) - 1] {
        all.push(Form::large(format!("redelm, {rows} rows of nothing"), move |sink| {
            let levels: Fill = Box::new(move |sink| run(0, 0, rows, sink));
            let parts = [nothing(), levels, nothing()];
            let column = Column { path: "l", kind: "INT64", entries: rows, parts };
            file("message M { optional int64 l; }", &[column], rows, ("null", None), |text| text, sink);
        }));
        all.push(Form::large(format!("redelm, {rows} items of nothing"), move |sink| {
            // All in the list of one row: the first level begins it.
            let repetition: Fill = Box::new(move |sink| run(1, 1, rows - 1, sink));
            let definition: Fill = Box::new(move |sink| run(0, 1, rows, sink));
            let column = Column {
                path: "r",
                kind: "BOOLEAN",
                entries: rows,
                parts: [repetition, definition, nothing()],
            };
            file("message M { repeated boolean r; }", &[column], 1, ("null", None), |text| text, sink);
        }));
    }
    // What a compressed part becomes.
    for (class, stream) in CODECS {
        all.push(Form::large(format!("redelm, codec {class}, a part of 4 MiB"), move |sink| {
            let zeros: Fill = Box::new(|sink| sink.raw(vec![0; 4 << 20]));
            let column =
                Column { path: "w", kind: "INT32", entries: 1 << 20, parts: [nothing(), nothing(), zeros] };
            let message = "message M { required int32 w; }";
            if stream.is_some() {
                file(message, &[column], 1 << 20, (class, stream), |text| text, sink);
            }
        }));
    }
    all.extend(footers());
    all
}

/// A file whose footer is Java objects.
fn java() -> Vec<u8> {
    let options = Writer::builder().format(RedElm::new().footer(RedElmFooter::Java));
    let mut writer = options.build(Vec::new()).expect("a writer is made");
    writer.write(&7).expect("a row is written");
    writer.finish().expect("a file is written")
}

/// The Java objects of the footer of that file.
fn objects() -> Vec<u8> {
    let file = java();
    assert!(Reader::from_slice(&file).is_ok());
    let start =
        file.windows(4).position(|bytes| bytes == [0xac, 0xed, 0, 5]).expect("Java objects are there");
    let size = file[start - 4..start].try_into().map(u32::from_be_bytes).expect("four bytes");
    file[start..start + size as usize].to_vec()
}

/// Footers that are much more than their bytes.
fn footers() -> Vec<Form> {
    let large = |name: &str, block: fn() -> Vec<u8>| {
        Form::large(format!("redelm, footer with {name}"), move |sink| {
            sink.raw(MAGIC);
            end_of_file(block(), sink);
        })
    };
    vec![
        large("numbers that nothing needs", || of_json(&"0,".repeat(16 << 20))),
        large("lists that nothing needs", || of_json(&"[],".repeat(16 << 20))),
        large("objects that nothing needs", || of_json(&"{},".repeat(16 << 20))),
        large("entries that nothing needs", || {
            let entries: String = (0..4 << 20).map(|number| format!("\"{number}\":0,")).collect();
            of_json(&format!("{{{entries}\"\":0}},"))
        }),
        large("row groups that have no columns", || {
            gzipped(row_groups(
                &r#"{"startIndex":8,"endIndex":8,"recordCount":0,"columns":[]},"#.repeat(1 << 20),
            ))
        }),
        large("columns that the message does not have", || {
            let column = r#"{"repetitionStart":8,"definitionStart":8,"dataStart":8,"dataEnd":8,"path":[],"type":"INT32","valueCount":0},"#;
            let columns = column.repeat(1 << 19);
            let columns = columns.trim_end_matches(',');
            gzipped(row_groups(&format!(
                r#"{{"startIndex":8,"endIndex":8,"recordCount":0,"columns":[{columns}]}},"#
            )))
        }),
        large("long paths", || {
            let path = "\"\",".repeat(16 << 20);
            let path = path.trim_end_matches(',');
            let column = format!(
                r#"{{"repetitionStart":8,"definitionStart":8,"dataStart":8,"dataEnd":8,"path":[{path}],"type":"INT32","valueCount":0}}"#
            );
            gzipped(row_groups(&format!(
                r#"{{"startIndex":8,"endIndex":8,"recordCount":0,"columns":[{column}]}},"#
            )))
        }),
        large("brackets", || of_json(&"[".repeat(32 << 20))),
        large("a message of many fields", || {
            let fields: String = (0..1 << 20).map(|number| format!("required int32 f{number};")).collect();
            gzipped(format!(r#"{{"fileMetaData":{{"schema":"message M {{ {fields} }}","codecClassName":null}},"blocks":[]}}"#).into_bytes())
        }),
        large("a message of many groups", || {
            let fields: String = (0..1 << 19)
                .map(|number| format!("required group g{number} {{ required int32 f; }}"))
                .collect();
            gzipped(format!(r#"{{"fileMetaData":{{"schema":"message M {{ {fields} }}","codecClassName":null}},"blocks":[]}}"#).into_bytes())
        }),
        large("an array of Java objects that are null", || {
            let mut bytes = objects();
            // The array is an item of the list of row groups; it has no other.
            let at = list_of_row_groups(&bytes);
            let array = array_of_nulls(32 << 20);
            drop(bytes.splice(at..at, array));
            gzipped(bytes)
        }),
        large("a row group that is there many times", || {
            let mut bytes = objects();
            let at = end_of_first(&bytes);
            let handle = handle_of_row_group(&bytes);
            let again: Vec<u8> = [&[0x71], &handle.to_be_bytes()[..]].concat().repeat(4 << 20);
            drop(bytes.splice(at..at, again));
            gzipped(bytes)
        }),
    ]
}

/// A gzipped footer that has these items, each with a comma behind, beside what readers need.
fn of_json(items: &str) -> Vec<u8> {
    let items = items.trim_end_matches(',');
    let text = format!(
        r#"{{"fileMetaData":{{"schema":"message M {{ required int32 w; }}","codecClassName":null}},"blocks":[],"more":[{items}]}}"#
    );
    gzipped(text.into_bytes())
}

fn row_groups(groups: &str) -> Vec<u8> {
    let groups = groups.trim_end_matches(',');
    let text = format!(
        r#"{{"fileMetaData":{{"schema":"message M {{ required int32 w; }}","codecClassName":null}},"blocks":[{groups}]}}"#
    );
    text.into_bytes()
}

/// An array of objects, each of which is null, as Java writes it with its class.
fn array_of_nulls(items: i32) -> Vec<u8> {
    let class = b"[Ljava.lang.Object;";
    let mut out = vec![0x75, 0x72, 0, class.len() as u8];
    out.extend(class);
    // No fields, no class that it extends.
    out.extend([0; 8]);
    out.extend([2, 0, 0, 0x78, 0x70]);
    out.extend(items.to_be_bytes());
    out.resize(out.len() + items as usize, 0x70);
    out
}

/// Where the items of the list of row groups begin.
fn list_of_row_groups(objects: &[u8]) -> usize {
    // The size of the list and its capacity, the same number, which is one.
    let mark: &[u8] = &[0, 0, 0, 1, 0x77, 4, 0, 0, 0, 1];
    let found = objects.windows(mark.len()).position(|bytes| bytes == mark);
    found.expect("a list of one row group is there") + mark.len()
}

/// Where the list of row groups goes on after its first item.
fn end_of_first(objects: &[u8]) -> usize {
    // The list of columns ends, which is the last field of a row group, and then that of row groups.
    let found = objects.windows(2).rposition(|bytes| bytes == [0x78, 0x78]);
    found.map_or_else(|| list_of_row_groups(objects), |at| at + 1)
}

/// The handle of the row group: found by trying the first ones, as a reader would count them.
fn handle_of_row_group(objects: &[u8]) -> u32 {
    let at = end_of_first(objects);
    let is_row_group = |handle: &u32| {
        let mut bytes = objects.to_vec();
        drop(bytes.splice(at..at, [&[0x71], &handle.to_be_bytes()[..]].concat()));
        let mut sink = Sink::default();
        let file = java();
        let start = file.windows(4).position(|found| found == 1u32.to_be_bytes()).unwrap_or(8);
        sink.raw(&file[..start]);
        end_of_file(bytes, &mut sink);
        // Two row groups that are at one place overlap.
        Reader::from_slice(&sink.bytes).is_err_and(|error| error.to_string().contains("overlap"))
    };
    (0x7e_0000..0x7e_0100).find(is_row_group).unwrap_or(0x7e_0000)
}

/// Summary files.
#[must_use]
pub fn summaries() -> Vec<Form> {
    vec![Form::new("summary of two RedElm files", |sink| {
        sink.put("files of a summary", As::Big32, 2);
        for name in ["one", "two"] {
            sink.sized("bytes of a name", As::Big16, |sink| sink.raw(name));
            sink.put("blocks of metadata", As::Byte, 1);
            sink.sized("bytes of a name", As::Big16, |sink| sink.raw("RedElm"));
            let text = row_groups(r#"{"startIndex":8,"endIndex":8,"recordCount":0,"columns":[]},"#);
            sink.sized("bytes of a block", As::Big32, |sink| sink.raw(text));
        }
    })]
}

/// Manifests of writes to datasets.
#[must_use]
pub fn manifests() -> Vec<Form> {
    let manifest = |sink: &mut Sink| {
        sink.raw(r#"{"trevni-write":"#);
        sink.put("version", As::Digits, 1);
        sink.raw(r#","rows":"#);
        sink.put("rows", As::Digits, 7);
        sink.raw(
            r#","parts":[{"path":"part-w1763950833123x0123456789abcdef-000000000000002a-00000.trv","rows":"#,
        );
        sink.put("rows of a part", As::Digits, 7);
        sink.raw(r#","bytes":"#);
        sink.put("bytes of a part", As::Digits, 100);
        sink.raw("}]}");
    };
    let large = |name: &str, start: &'static str, item: &'static str, end: &'static str| {
        Form::large(format!("manifest with {name}"), move |sink| {
            sink.raw(start);
            sink.raw(item.repeat(16 << 20));
            sink.raw(end);
        })
    };
    vec![
        Form::new("manifest of a write", manifest),
        large("numbers that nothing needs", r#"{"trevni-write":1,"rows":0,"parts":[],"more":["#, "0,", "0]}"),
        large("brackets", r#"{"trevni-write":1,"rows":0,"parts":"#, "[", "]}"),
    ]
}
