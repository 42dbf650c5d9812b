//! How the files were made. Run only for new files: those that are there are never written again.

use super::{folder, kinds};
use serde::Serialize;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use trevni::column::ValueType;
use trevni::formats::{Layout, Levels, RedElm, RedElmFooter, Trevni, Version};
use trevni::merge::Merge;
use trevni::shape::Logical;
use trevni::{Checksum, Codec, Dialect, Reader, Shape, Writer, WriterBuilder};

/// The codecs that a dialect knows.
fn codecs(dialect: Dialect) -> impl Iterator<Item = Codec> {
    let typed = [Codec::Typed, Codec::TypedZstandard, Codec::Archive];
    Codec::ALL.into_iter().chain([Codec::Gzip, Codec::Auto]).filter(move |codec| match dialect {
        Dialect::Trevni => *codec != Codec::Gzip,
        _ if typed.contains(codec) => false,
        Dialect::RedElm => ![Codec::Zstandard, Codec::Auto].contains(codec),
        _ => ![Codec::Zstandard, Codec::Lz4].contains(codec),
    })
}

fn builder(dialect: Dialect) -> WriterBuilder {
    Writer::builder().dialect(dialect).block_size(200).batch_rows(7).memory_limit(1500)
}

fn file<T: Serialize>(options: WriterBuilder, rows: &[T]) -> Vec<u8> {
    let mut writer = options.build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

/// Makes `KIND-NAME.trv` of the rows in `KIND.jsonl`, unless it is there.
fn make<T: Serialize>(kind: &str, name: &str, options: WriterBuilder, rows: &[T]) {
    put(&format!("{kind}-{name}.trv"), || file(options, rows));
    let line = |row: &T| serde_json::to_string(row).unwrap() + "\n";
    put(&format!("{kind}.jsonl"), || rows.iter().map(line).collect::<String>().into_bytes());
}

/// Writes a file that is not there.
fn put(name: &str, bytes: impl FnOnce() -> Vec<u8>) {
    let path = folder().join(name);
    if !Path::exists(&path) {
        println!("{name}");
        let bytes = bytes();
        File::create_new(path).unwrap().write_all(&bytes).unwrap();
    }
}

#[test]
#[ignore = "writes golden files that do not exist yet, and replaces none"]
fn make_the_files_that_are_missing() {
    std::fs::create_dir_all(folder()).unwrap();
    everything();
    codecs_and_checksums();
    of_trevni();
    of_levels();
    of_redelm();
    kinds();
    merged();
    typed();
    compact();
}

fn everything() {
    let rows = kinds::everything();
    let make = |name: &str, options: WriterBuilder| make("everything", name, options.block_size(2000), &rows);
    make("trevni", builder(Dialect::Trevni));
    make("levels", builder(Dialect::Levels));
    make("levels-values-first", builder(Dialect::Levels).format(Levels::new().layout(Layout::ValuesFirst)));
    // The rows of a row group have the shape of those before.
    make(
        "redelm",
        builder(Dialect::RedElm)
            .memory_limit(1 << 20)
            .format(RedElm::new().footer(RedElmFooter::GzippedJson)),
    );
}

fn codecs_and_checksums() {
    let rows = kinds::orders();
    for (dialect, name) in
        [(Dialect::Trevni, "trevni"), (Dialect::Levels, "levels"), (Dialect::RedElm, "redelm")]
    {
        for codec in codecs(dialect) {
            let mut options = builder(dialect).codec(codec);
            if dialect == Dialect::RedElm {
                options = options.format(RedElm::new().footer(RedElmFooter::GzippedJson));
            }
            make("orders", &format!("{name}-{}", codec.name()), options, &rows);
        }
    }
    for dialect in [Dialect::Trevni, Dialect::Levels] {
        let name = if dialect == Dialect::Trevni { "trevni" } else { "levels" };
        let bare = || builder(dialect).checksum(Checksum::Null);
        make("orders", &format!("{name}-no-checksum"), bare(), &rows);
        make("orders", &format!("{name}-bare"), bare().codec(Codec::Null).without_zone_maps(), &rows);
    }
}

fn of_trevni() {
    let rows = kinds::orders();
    let make = |name: &str, options: WriterBuilder| make("orders", &format!("trevni-{name}"), options, &rows);
    let options = || builder(Dialect::Trevni);
    make("version-1", options().format(Trevni::new().version(Version::V1)));
    make("no-zone-maps", options().without_zone_maps());
    make("first-values", options().first_values(["id", "customer", "price"]));
    make("one-block", Writer::builder());
    make("small-blocks", options().block_size(40).batch_rows(1));
    let columns = options()
        .metadata("origin", "roof")
        .column_codec("items", Codec::Deflate)
        .column_checksum("price", Checksum::Null)
        .column_metadata("price", "unit", "euro");
    make("columns", columns);
}

fn of_levels() {
    let rows = kinds::orders();
    let make = |name: &str, options: WriterBuilder| make("orders", &format!("levels-{name}"), options, &rows);
    let options = || builder(Dialect::Levels);
    make("values-first", options().format(Levels::new().layout(Layout::ValuesFirst)));
    make("no-zone-maps", options().without_zone_maps());
    make("first-values", options().first_values(["id", "customer"]));
    make("block-rows", options().format(Levels::new().block_rows("items", 3)));
    make(
        "value-types",
        options().format(
            Levels::new().value_type("quantity", ValueType::Fixed32).value_type("id", ValueType::Fixed64),
        ),
    );
    let columns = options().column_codec("items", Codec::Deflate).column_checksum("price", Checksum::Null);
    make("columns", columns.metadata("origin", "roof"));
}

fn of_redelm() {
    let rows = kinds::orders();
    for (name, footer) in [
        ("json", RedElmFooter::Json),
        ("gzipped-json", RedElmFooter::GzippedJson),
        ("java", RedElmFooter::Java),
    ] {
        let options =
            builder(Dialect::RedElm).format(RedElm::new().footer(footer)).metadata("origin", "roof");
        make("orders", &format!("redelm-footer-{name}"), options, &rows);
    }
    make("orders", "redelm-one-group", Writer::builder().dialect(Dialect::RedElm), &rows);
}

fn kinds() {
    let decimal = Logical::Decimal { precision: 4, scale: 2 };
    let span = trevni::shape::FixedShape::new("span", 12);
    let logical = |logical, storage| Shape::logical(logical, storage).unwrap();
    let shape = Shape::record(
        "Logicals",
        [
            ("id", Shape::Long),
            ("day", logical(Logical::Date, Shape::Int)),
            ("time", logical(Logical::TimeMillis, Shape::Int)),
            ("at", Shape::optional(logical(Logical::TimestampMicros, Shape::Long))),
            ("local", logical(Logical::LocalTimestampNanos, Shape::Long)),
            ("uuid", logical(Logical::Uuid, Shape::String)),
            ("price", logical(decimal, Shape::Bytes)),
            ("span", logical(Logical::Duration, Shape::Fixed(span))),
            ("cents", Shape::list(logical(Logical::Other("cents".into()), Shape::U64))),
        ],
    );
    for (dialect, name) in
        [(Dialect::Trevni, "trevni"), (Dialect::Levels, "levels"), (Dialect::RedElm, "redelm")]
    {
        make("grown", name, builder(dialect).memory_limit(1 << 20), &kinds::grown());
        make("logicals", name, builder(dialect).memory_limit(8000).shape(&shape), &kinds::logicals());
        make("choices", name, builder(dialect), &kinds::choices());
        make("points", name, builder(dialect), &kinds::points());
        if dialect != Dialect::RedElm {
            make("hashes", name, builder(dialect).fixed_integers(), &kinds::hashes());
        }
        make("none", name, builder(dialect).memory_limit(8000).shape(&shape), &kinds::logicals()[..0]);
    }
    make("grown", "trevni-derived", builder(Dialect::Trevni).derived(), &kinds::grown());
    make(
        "points",
        "levels-width",
        builder(Dialect::Levels).format(Levels::new().array_width("point", 3)),
        &kinds::points(),
    );
}

/// Blocks that are long enough for every form of values.
fn typed() {
    for codec in [Codec::Typed, Codec::TypedZstandard, Codec::Archive] {
        let options = Writer::builder().codec(codec);
        make("forms", &format!("trevni-{}", codec.name()), options, &kinds::forms());
        let options = builder(Dialect::Trevni).block_size(2000).codec(codec);
        make("everything", &format!("trevni-{}", codec.name()), options, &kinds::everything());
        make(
            "repeats",
            &format!("trevni-{}", codec.name()),
            Writer::builder().codec(codec),
            &kinds::repeats(),
        );
    }
}

/// Header and small columns compressed together.
fn compact() {
    let options = || builder(Dialect::Trevni).format(Trevni::new().compact());
    make("everything", "trevni-compact", options().block_size(2000), &kinds::everything());
    make("orders", "trevni-compact", options().codec(Codec::Deflate), &kinds::orders());
    make("orders", "trevni-compact-no-checksum", options().checksum(Checksum::Null), &kinds::orders());
    make("hashes", "trevni-compact", options().fixed_integers(), &kinds::hashes());
    make("none", "trevni-compact", options(), &kinds::logicals()[..0]);
}

/// Two files made into one by their bytes.
fn merged() {
    let rows = kinds::orders();
    for (dialect, name) in
        [(Dialect::Trevni, "trevni"), (Dialect::Levels, "levels"), (Dialect::RedElm, "redelm")]
    {
        put(&format!("orders-{name}-merged.trv"), || {
            let parts = [file(builder(dialect), &rows[..16]), file(builder(dialect), &rows[16..])];
            let readers = [&parts[0], &parts[1]].map(|part| Reader::from_slice(part).unwrap());
            let mut bytes = Vec::new();
            Merge::new().write(&readers, &mut bytes).unwrap();
            bytes
        });
    }
}
