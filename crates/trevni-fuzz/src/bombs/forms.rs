//! What there is a file of for each number of it to be another one: all forms of docs/format.md.

use super::file::{Block, Column, File, Fill, text};
use super::redelm;
use super::sink::{As, Sink};
use super::typed::{Floats, INTEGERS, Integers, TEXTS, Texts, Typed, Values};
use crate::codec::Codec;

/// A file in one of the forms that docs/format.md has.
pub struct Form {
    /// The table or section of docs/format.md, and the entry.
    pub name: String,
    pub(crate) build: Fill,
    /// Whether the unchanged file is large once it is decoded. Its numbers are not changed: a small form has the same.
    pub is_large: bool,
}

impl Form {
    pub(crate) fn new(name: impl Into<String>, build: impl Fn(&mut Sink) + 'static) -> Self {
        Self { name: name.into(), build: Box::new(build), is_large: false }
    }

    pub(crate) fn large(name: impl Into<String>, build: impl Fn(&mut Sink) + 'static) -> Self {
        Self { is_large: true, ..Self::new(name, build) }
    }

    fn file(name: impl Into<String>, file: File) -> Self {
        Self::new(name, move |sink| file.write(sink))
    }
}

/// All of them.
#[must_use]
pub fn forms() -> Vec<Form> {
    [headers(), codecs(), typed(), large(), compact(), levels(), schemas(), redelm::forms()]
        .into_iter()
        .flatten()
        .collect()
}

/// What there are files of: for each table of docs/format.md its chapter, the words before it, and the words in its first cells.
#[must_use]
pub fn tables() -> Vec<(&'static str, &'static str, Vec<String>)> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let form = |(number, name): (u8, &str)| [number.to_string(), name.to_owned()];
    let kind = |values: &Values| Typed::of(*values, 1, 0).kind().0.to_string();
    let floats =
        [Floats::Plain, Floats::Split, Floats::Decimal(Integers::Constant), Floats::Bits(Integers::Constant)];
    let names = |types: &[(&'static str, &[u8])]| types.iter().map(|(name, _)| (*name).to_owned()).collect();
    vec![
        ("Versions", "The fourth byte", words(&["0", "1", "2"])),
        ("Primitive encodings", "", names(&TYPES)),
        ("Codecs", "", CODECS.map(|(name, _)| name).into_iter().chain(TYPED).map(str::to_owned).collect()),
        ("Typed blocks", "**First byte**", kinds().iter().chain([&Values::Nulls]).map(kind).collect()),
        (
            "Typed blocks",
            "**Integers**",
            INTEGERS.iter().flat_map(|integers| form(integers.form())).collect(),
        ),
        (
            "Typed blocks",
            "**Floating-point numbers**",
            floats.iter().flat_map(|floats| form(floats.form())).collect(),
        ),
        ("Typed blocks", "**Strings**", TEXTS.iter().flat_map(|texts| form(texts.form())).collect()),
        ("Trevni with levels", "**Types**", names(&SMALL)),
        ("RedElm", "**Values.**", redelm::types()),
        ("RedElm", "**Codecs**", redelm::classes()),
    ]
}

/// The codecs that look at values.
const TYPED: [&str; 3] = ["typed", "typed-zstandard", "archive"];

/// Numbers as varints after zig-zag.
fn integers(name: &'static str, numbers: &'static [i64]) -> impl Fn(&mut Sink) + 'static {
    move |sink| numbers.iter().for_each(|number| sink.put(name, As::Integer, *number))
}

/// Two values of each type, and what has its name.
const TYPES: [(&str, &[u8]); 10] = [
    ("null", &[]),
    ("boolean", &[1]),
    ("int", &[2, 4]),
    ("long", &[2, 4]),
    ("fixed32", &[1, 0, 0, 0, 2, 0, 0, 0]),
    ("fixed64", &[1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]),
    ("float", &[0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f]),
    ("double", &[0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]),
    ("string", &[2, b'a', 2, b'b']),
    ("bytes", &[2, b'a', 2, b'b']),
];

/// The same of types that only files with levels have.
const SMALL: [(&str, &[u8]); 3] = [("fixed8", &[1, 2]), ("fixed16", &[1, 0, 2, 0]), ("timestamp", &[0; 24])];

fn headers() -> Vec<Form> {
    let mut all = Vec::new();
    for (kind, bytes) in TYPES {
        let block = || Block::new(2, move |sink| sink.each("bytes of values", bytes));
        let list = || {
            Block::new(1, move |sink| {
                sink.put("length of a list", As::Integer, 2);
                sink.each("bytes of values", bytes);
            })
        };
        let file = |block: Block, rows: u64| File::new(rows, [Column::new("p", kind, [block])]);
        all.push(Form::file(format!("type {kind}"), file(block(), 2)));
        let lists = File::new(1, [Column::new("p", kind, [list()]).with("trevni.array", "")]);
        all.push(Form::file(format!("type {kind}, in lists"), lists));
        let mut first = block();
        let width = if kind == "boolean" { 1 } else { bytes.len() / 2 };
        first.first = Some(Box::new(move |sink| sink.each("bytes of a first value", &bytes[..width])));
        let valued = File::new(2, [Column::new("p", kind, [first]).with("trevni.values", "")]);
        all.push(Form::file(format!("type {kind}, with first values"), valued));
        all.push(Form::file(format!("type {kind}, in two blocks"), {
            let mut sums = File::new(4, [Column::new("p", kind, [block(), block()])]);
            sums.sums = true;
            sums
        }));
    }
    for version in 0..3 {
        let block = Block::new(2, integers("value", &[1, 2]));
        let file = File { version, ..File::new(2, [Column::new("p", "int", [block])]) };
        all.push(Form::file(format!("version {version}"), file));
    }
    let runs = Block::new(6, integers("length, a run, or a value", &[-3, 1, 7, 2, 1, 2, 0]));
    let runs = File::new(6, [Column::new("p", "int", [runs]).with("trevni.array", "")]);
    all.push(Form::file("runs of lengths, with values", runs));
    let nulls = Block::new(7, integers("length or a run", &[-4, 3, -3]));
    let nulls = File::new(7, [Column::new("p", "null", [nulls]).with("trevni.array", "")]);
    all.push(Form::file("runs of lengths, of nulls", nulls));
    all.push(Form::file("parents", nested(3, 2)));
    all.push(Form::file("no columns", File::new(7, [])));
    all.push(Form::new("zone maps", zones));
    all
}

/// Lists in lists: rows of n items, each with a list of nulls, a list of ints and a string.
fn nested(rows: u64, items: u64) -> File {
    let lengths = move |count: u64, length: u64| {
        move |sink: &mut Sink| {
            (0..count).for_each(|_| sink.put("length of a list", As::Integer, length as i64))
        }
    };
    let column = |name: &'static str, kind, fill: Fill| Column::new(name, kind, [Block::new(rows, fill)]);
    let all = rows * items;
    let texts = move |sink: &mut Sink| (0..all).for_each(|_| sink.text("t"));
    let values = move |sink: &mut Sink| {
        (0..all).for_each(|_| {
            sink.put("length of a list", As::Integer, 1);
            sink.put("value", As::Integer, 5);
        });
    };
    let child = |column: Column| column.with("trevni.parent", "p");
    File::new(
        rows,
        [
            column("p", "null", Box::new(lengths(rows, items))).with("trevni.array", ""),
            child(column("n", "null", Box::new(lengths(all, 1)))).with("trevni.array", ""),
            child(column("i", "int", Box::new(values))).with("trevni.array", ""),
            child(column("s", "string", Box::new(texts))),
        ],
    )
}

/// A column of strings in lists, with its zone map.
fn zones(sink: &mut Sink) {
    let block = Block::new(3, |sink| {
        sink.raw([2]);
        sink.text("b");
        sink.raw([0, 2]);
        sink.text("a");
    });
    let map = |sink: &mut Sink| {
        let zone = sink.apart(|sink| {
            sink.put("form of a zone map", As::Byte, 1);
            sink.put("flags of a zone map", As::Byte, 0);
            sink.put("nulls of a zone", As::Integer, 1);
            sink.put("values of a zone", As::Integer, 2);
            sink.put("flags of a zone", As::Byte, 3);
            sink.text("a");
            sink.text("b");
        });
        let sum = crc32fast::hash(&[&[3, 0, 0, 0, 7, 0, 0, 0], &*zone].concat());
        sink.raw(zone);
        sink.raw(sum.to_be_bytes());
    };
    let mut column = Column::new("p", "string", [block]).with("trevni.array", "");
    column.metadata.push(("zone_map", Box::new(map)));
    File::new(3, [column]).write(sink);
}

/// The codecs that do not look at values, and their names.
const CODECS: [(&str, Option<Codec>); 6] = [
    ("null", None),
    ("deflate", Some(Codec::Deflate)),
    ("snappy", Some(Codec::Snappy)),
    ("bzip2", Some(Codec::Bzip2)),
    ("zstandard", Some(Codec::Zstandard)),
    ("lz4", Some(Codec::Lz4)),
];

/// Strings of one letter as a block without a codec.
fn strings(count: usize, length: usize) -> Vec<u8> {
    let mut sink = Sink::default();
    (0..count).for_each(|_| sink.text(vec![b'a'; length]));
    sink.bytes
}

fn codecs() -> Vec<Form> {
    let mut all = Vec::new();
    let file = |name: &str, rows, size, stored: Fill| {
        let block = Block { size: Some(size), ..Block::new(rows, stored) };
        File::new(rows, [Column::new("p", "string", [block])]).with("trevni.codec", name)
    };
    for (name, codec) in CODECS {
        let (plain, packed) = (strings(3, 40), move |bytes: &[u8]| match codec {
            Some(codec) => codec.compress(bytes),
            None => bytes.to_vec(),
        });
        // Each byte of the stream, and each number within.
        let stream = packed(&plain);
        let size = plain.len() as u64;
        let each = move |sink: &mut Sink| sink.each("byte of a compressed block", &stream);
        all.push(Form::file(format!("codec {name}, each byte"), file(name, 3, size, Box::new(each))));
        let within = move |sink: &mut Sink| {
            let inside = sink.apart(|sink| (0..3).for_each(|_| sink.text(vec![b'a'; 40])));
            sink.raw(packed(&inside));
        };
        all.push(Form::file(format!("codec {name}, within"), file(name, 3, size, Box::new(within))));
        // What becomes a thousand times as large, or says so.
        for claimed in [1, 1000] {
            let length: usize = 1 << 20;
            let large = move |sink: &mut Sink| {
                let bytes = strings(1, length);
                let size = bytes.len() as u64 * claimed;
                let stream = codec.map_or(bytes.clone(), |codec| codec.compress(&bytes));
                let columns = (0..16).map(|number| {
                    let stream = stream.clone();
                    let block = Block::new(1, move |sink| sink.raw(&stream)).size(size);
                    Column::new(&format!("p{number}"), "string", [block])
                });
                File::new(1, columns).with("trevni.codec", name).write(sink);
            };
            all.push(Form::large(format!("codec {name}, {claimed} times as large"), large));
        }
    }
    let typed = Typed::of(Values::Texts(Texts::Pieces, Integers::Constant), 5, 10);
    all.push(Form::file(format!("codec {}, within", TYPED[0]), typed.file(1)));
    let packed = move |sink: &mut Sink| sink.packed(Codec::Zstandard, |sink| typed.write(sink));
    let archived = move |sink: &mut Sink| {
        // A typed block that is packed, as it is.
        let inside = sink.apart(|sink| typed.write(sink));
        sink.put("form", As::Byte, 1);
        sink.put("packed", As::Count, inside.len() as i64);
        sink.put("stored", As::Count, inside.len() as i64);
        sink.raw(&inside);
    };
    let stored: [(&str, Fill); 2] = [(TYPED[1], Box::new(packed)), (TYPED[2], Box::new(archived))];
    for (name, stored) in stored {
        all.push(Form::file(format!("codec {name}, within"), file(name, 5, typed.size(), stored)));
    }
    all
}

/// Values of all kinds, in all forms of their parts.
fn kinds() -> Vec<Values> {
    let mut all = vec![Values::Raw, Values::Floats(Floats::Plain), Values::Doubles(Floats::Plain)];
    all.extend([Values::Floats(Floats::Split), Values::Doubles(Floats::Split)]);
    for integers in INTEGERS {
        all.extend([Values::Booleans(integers), Values::Integers(integers)]);
        all.extend([Values::Fixed32(integers), Values::Fixed64(integers)]);
        all.extend([Floats::Decimal(integers), Floats::Bits(integers)].map(Values::Floats));
        all.extend([Floats::Decimal(integers), Floats::Bits(integers)].map(Values::Doubles));
    }
    for texts in TEXTS {
        let frames = Integers::Frames(super::typed::Frame::Of(3));
        let integers = [Integers::Constant, frames, Integers::Repeats];
        all.extend(integers.map(|integers| Values::Texts(texts, integers)));
    }
    all.extend(INTEGERS.map(|integers| Values::Texts(Texts::Plain, integers)));
    all
}

fn typed() -> Vec<Form> {
    let form = |typed: Typed| Form::file(format!("typed {typed:?}"), typed.file(1));
    let mut all: Vec<Form> = kinds().into_iter().map(|values| form(Typed::of(values, 8, 10))).collect();
    // Lists, their lengths in all forms.
    for integers in INTEGERS {
        for values in
            [Values::Nulls, Values::Booleans(Integers::Constant), Values::Integers(Integers::Constant)]
        {
            all.push(form(Typed { lists: Some((2, integers, false)), ..Typed::of(values, 5, 0) }));
        }
        all.push(form(Typed { lists: Some((1, integers, true)), ..Typed::of(Values::Nulls, 5, 0) }));
    }
    for texts in TEXTS {
        let values = Values::Texts(texts, Integers::Constant);
        all.push(form(Typed { lists: Some((2, Integers::Constant, false)), ..Typed::of(values, 5, 10) }));
    }
    let floats = Values::Doubles(Floats::Decimal(Integers::Constant));
    all.push(form(Typed { lists: Some((2, Integers::Constant, false)), ..Typed::of(floats, 5, 0) }));
    // A summed frame that is full, and one after it.
    for integers in INTEGERS {
        all.push(form(Typed::of(Values::Integers(integers), 1500, 0)));
        all.push(form(Typed {
            lists: Some((0, integers, true)),
            ..Typed::of(Values::Integers(Integers::Constant), 1500, 0)
        }));
    }
    all
}

/// Rows, items of each, and bytes of each text, that few bytes may stand for.
const LARGE: [(u64, u64, u64); 9] = [
    (1, 1 << 27, 1),
    (1, 1 << 30, 1),
    (1 << 14, 1, 512),
    (1 << 14, 1 << 11, 4),
    (1 << 27, 1, 7),
    (1 << 30, 1, 0),
    ((1 << 31) - 1, 1, 1),
    (1 << 16, 1 << 14, 1),
    (1 << 8, 1 << 6, 1 << 10),
];

/// Files that say of many rows, items and bytes what is true of them.
fn large() -> Vec<Form> {
    let constant = Integers::Constant;
    let kinds = [
        Values::Nulls,
        Values::Booleans(constant),
        Values::Integers(constant),
        Values::Fixed32(constant),
        Values::Fixed64(constant),
        Values::Fixed64(Integers::Repeats),
        Values::Floats(Floats::Bits(constant)),
        Values::Doubles(Floats::Decimal(constant)),
        Values::Texts(Texts::Distinct(&Texts::Plain, 1), constant),
        Values::Texts(Texts::Distinct(&Texts::Pieces, 4096), constant),
        Values::Texts(Texts::Distinct(&Texts::Shared, 512), constant),
    ];
    let form = |typed: Typed, columns: usize| {
        let name = format!("large {typed:?}, {columns} columns");
        Form::large(name, move |sink| typed.file(columns).write(sink))
    };
    let mut all = Vec::new();
    for (rows, items, length) in LARGE {
        for values in kinds {
            for columns in [1, 16] {
                let plain = Typed::of(values, rows, length);
                for joined in [false, true] {
                    all.push(form(Typed { lists: Some((items, constant, joined)), ..plain }, columns));
                }
                if items == 1 && !matches!(values, Values::Nulls) {
                    all.push(form(plain, columns));
                }
            }
        }
    }
    // Strings that take few bytes for each.
    for (rows, length) in [(1 << 10, 1 << 16), (1 << 14, 1 << 12), (1 << 18, 64), (1, 1 << 20)] {
        for texts in [Texts::Shared, Texts::Symbols, Texts::Pieces] {
            // Bytes that are there stay few.
            if rows * length > 1 << 22 && texts != Texts::Shared {
                continue;
            }
            let typed = Typed::of(Values::Texts(texts, constant), rows, length);
            all.extend([1, 16].map(|columns| form(typed, columns)));
        }
    }
    for (rows, items) in [(1, 1 << 29), (1 << 30, 1), ((1 << 31) - 1, 0), (1 << 10, 1 << 16)] {
        for columns in [1, 16] {
            let name = format!("large nulls, {rows} rows of {items}, {columns} columns");
            all.push(Form::large(name, move |sink| {
                let column = |number: usize| {
                    let lengths = move |sink: &mut Sink| {
                        if rows == 1 || items > 1 {
                            (0..rows).for_each(|_| sink.put("length", As::Integer, items));
                        } else {
                            // The longest runs are of 2³⁰.
                            let mut left = rows;
                            while left > 1 {
                                let some = left.min(1 << 30);
                                sink.put("run", As::Integer, 3 - items - 2 * some);
                                left -= some;
                            }
                            (0..left).for_each(|_| sink.put("length", As::Integer, items));
                        }
                    };
                    Column::new(&format!("p{number}"), "null", [Block::new(rows as u64, lengths)])
                        .with("trevni.array", "")
                };
                File::new(rows as u64, (0..columns).map(column)).write(sink);
            }));
        }
    }
    all
}

/// The compact beginning, in both forms.
fn compact() -> Vec<Form> {
    let form = |name: &str, form: u8, is_large: bool| {
        let build = move |sink: &mut Sink| {
            let content = sink.apart(|sink| beginning(form, is_large, sink));
            let stored = Codec::Deflate.compress(&content);
            let block = Block::new(1, move |sink| sink.raw(&stored)).size(content.len() as u64);
            File::new(1, [Column::new("compact", "compact", [block])])
                .with("trevni.codec", "deflate")
                .write(sink);
        };
        if is_large { Form::large(name, build) } else { Form::new(name, build) }
    };
    vec![
        form("compact, form 0", 0, false),
        form("compact, form 1", 1, false),
        form("compact, form 0, of many columns", 0, true),
        form("compact, form 1, of many columns", 1, true),
    ]
}

/// Columns of a compact file of many.
const MANY: usize = 20_000;

fn beginning(form: u8, is_large: bool, sink: &mut Sink) {
    let columns = if is_large { MANY } else { 2 };
    sink.put("form of a beginning", As::Byte, i64::from(form));
    sink.put("version", As::Byte, 2);
    sink.put("rows of the file", As::Integer, 3);
    sink.put("columns", As::Integer, columns as i64);
    sink.put("entries of metadata", As::Integer, 1);
    sink.text("avro.schema");
    let fields: Vec<String> =
        (0..columns).map(|number| format!(r#"{{"name":"a{number}","type":"int"}}"#)).collect();
    sink.text(format!(r#"{{"type":"record","name":"R","fields":[{}]}}"#, fields.join(",")));
    for number in 0..columns {
        sink.put("entries of metadata", As::Integer, if form == 0 { 2 } else { 0 });
        if form == 0 {
            sink.text("trevni.name");
            sink.text(format!("a{number}"));
            sink.text("trevni.type");
            sink.text("int");
        }
    }
    (0..columns).for_each(|_| sink.put("bytes of a column", As::Integer, 3));
    (0..columns).for_each(|_| (1..4).for_each(|value| sink.put("value", As::Integer, value)));
}

/// Files with levels, in both layouts.
fn levels() -> Vec<Form> {
    let mut all = Vec::new();
    for layout in ["levels-first", "values-first"] {
        for (kind, values) in TYPES.into_iter().skip(1).chain(SMALL) {
            let block = Block::new(3, move |sink| {
                // Definition levels 1, 0, 1.
                let levels: &[u8] = &[5];
                let (one, two) = if layout == "levels-first" { (levels, values) } else { (values, levels) };
                sink.each("bytes of levels and values", one);
                sink.each("bytes of levels and values", two);
            });
            let column = Column::new("a", kind, [block]).number("trevni.definition", 1);
            let file = File { version: 1, ..File::new(3, [column]) }.with("trevni.layout", layout);
            all.push(Form::file(format!("levels, {layout}, {kind}"), file));
        }
    }
    let group = Column::new("g", "null", [Block::new(4, |sink| sink.each("levels", &[0b1111, 0b1010]))]);
    let group = group.number("trevni.definition", 1).number("trevni.repetition", 1);
    let width = Block::new(4, |sink| {
        sink.each("levels", &[0b1111, 0b1010]);
        (0..8).for_each(|value| sink.put("value", As::Integer, value));
    });
    let width =
        Column::new("g.w", "int", [width]).number("trevni.definition", 1).number("trevni.repetition", 1);
    let mut width = width.number("trevni.arraywidth", 2).with("trevni.parent", "g");
    width
        .metadata
        .push(("block_rows", Box::new(|sink| sink.put("rows that begin in a block", As::Integer, 2))));
    let file = File { version: 1, ..File::new(2, [group, width]) }.with("trevni.layout", "levels-first");
    all.push(Form::file("levels, groups, array width and rows of blocks", file));
    for (kind, rows) in [("null", 1u64 << 30), ("int", 1 << 30), ("string", 1 << 24)] {
        for columns in [1, 16] {
            all.push(Form::large(
                format!("levels, {rows} entries, {kind}, {columns} columns"),
                move |sink| {
                    let column = |number: usize| {
                        let block = Block::new(rows, |sink| sink.raw([0; 64]));
                        Column::new(&format!("c{number}"), kind, [block])
                            .number("trevni.definition", i64::from(kind != "null"))
                    };
                    let file = File { version: 1, ..File::new(rows, (0..columns).map(column)) };
                    file.with("trevni.layout", "levels-first").write(sink);
                },
            ));
        }
    }
    // All levels 0, compressed.
    for columns in [1, 16] {
        all.push(Form::large(format!("levels, deflated, {columns} columns"), move |sink| {
            let rows = 1u64 << 20;
            let stored = Codec::Deflate.compress(&vec![0; rows as usize / 8]);
            let column = |number: usize| {
                let stored = stored.clone();
                let block = Block::new(rows, move |sink| sink.raw(&stored)).size(rows / 8);
                Column::new(&format!("c{number}"), "string", [block]).number("trevni.definition", 1)
            };
            let file = File { version: 1, ..File::new(rows, (0..columns).map(column)) };
            file.with("trevni.layout", "levels-first").with("trevni.codec", "deflate").write(sink);
        }));
    }
    all
}

/// The rest of the schema of a field of decimals.
fn precision_and_scale(sink: &mut Sink) {
    sink.put("precision", As::Digits, 9);
    sink.raw(r#","scale":"#);
    sink.put("scale", As::Digits, 2);
    sink.raw("}}]}");
}

/// Numbers in a schema.
fn schemas() -> Vec<Form> {
    let file = |schema: Fill, columns: Vec<Column>| {
        let mut file = File::new(1, columns);
        file.metadata.push(("avro.schema", schema));
        file
    };
    let bytes = |name: &str| Column::new(name, "bytes", [Block::new(1, |sink| sink.text("abcd"))]);
    let fixed = file(
        Box::new(|sink| {
            sink.raw(r#"{"type":"record","name":"R","fields":[{"name":"f","type":{"type":"fixed","name":"F","size":"#);
            sink.put("bytes of a fixed", As::Digits, 4);
            sink.raw(r#","logicalType":"decimal","precision":"#);
            precision_and_scale(sink);
        }),
        vec![bytes("f")],
    );
    let decimal = file(
        Box::new(|sink| {
            sink.raw(r#"{"type":"record","name":"R","fields":[{"name":"d","type":{"type":"bytes","logicalType":"decimal","precision":"#);
            precision_and_scale(sink);
        }),
        vec![bytes("d")],
    );
    let symbols = file(
        text(
            r#"{"type":"record","name":"R","fields":[{"name":"e","type":{"type":"enum","name":"E","symbols":["A","B"]}}]}"#,
        ),
        vec![Column::new("e", "int", [Block::new(1, integers("number of a symbol", &[1]))])],
    );
    let mut all = vec![
        Form::file("schema, fixed", fixed),
        Form::file("schema, decimal", decimal),
        Form::file("schema, symbols", symbols),
    ];
    for (logical, kind) in [
        ("date", "int"),
        ("time-millis", "int"),
        ("time-micros", "long"),
        ("time-nanos", "long"),
        ("timestamp-millis", "long"),
        ("timestamp-micros", "long"),
        ("timestamp-nanos", "long"),
        ("local-timestamp-nanos", "long"),
    ] {
        let schema = format!(
            r#"{{"type":"record","name":"R","fields":[{{"name":"t","type":{{"type":"{kind}","logicalType":"{logical}"}}}}]}}"#
        );
        let column = Column::new("t", kind, [Block::new(1, integers("value", &[1]))]);
        all.push(Form::file(format!("schema, {logical}"), file(text(schema), vec![column])));
    }
    // A type that is mentioned twice in one that is mentioned twice, and so on.
    for depth in [8, 20, 90] {
        all.push(Form::large(format!("schema, doubled {depth} times"), move |sink| {
            let mut schema = r#"{"type":"record","name":"T0","fields":[{"name":"a","type":"int"}]}"#.to_owned();
            for level in 1..depth {
                schema = format!(
                    r#"{{"type":"record","name":"T{level}","fields":[{{"name":"a","type":{schema}}},{{"name":"b","type":"T{}"}}]}}"#,
                    level - 1
                );
            }
            let column = Column::new("a", "int", [Block::new(1, |sink| sink.raw([2]))]);
            File::new(1, [column]).with("avro.schema", schema).write(sink);
        }));
    }
    all
}
