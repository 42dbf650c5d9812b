//! Each option of the writer, in each format.

use crate::data::KINDS;
use crate::ways::is_readable;
use trevni::formats::{Layout, Levels, RedElm, RedElmFooter, Trevni, Version};
use trevni::{Checksum, Codec, Dialect, Writer, WriterBuilder};

/// Rows of files with options, for a row of one value: so many entries take no bytes that a file of one megabyte for them
/// would be large.
const ROWS: usize = 60_000;

type Option = (String, WriterBuilder);

/// Options that all formats have, and a format its own.
fn options(dialect: Dialect, compact: bool) -> Vec<Option> {
    let base = || match compact {
        true => Writer::builder().format(Trevni::new().compact()),
        false => Writer::builder().dialect(dialect),
    };
    let mut options: Vec<Option> = vec![
        ("block_size(100)".into(), base().block_size(100)),
        ("block_size(64 MiB)".into(), base().block_size(64 << 20)),
        ("batch_rows(100)".into(), base().batch_rows(100)),
        ("memory_limit(1000)".into(), base().memory_limit(1000)),
        ("threads(2)".into(), base().threads(2)),
        ("metadata".into(), base().metadata("a key", "a value")),
        ("checksum".into(), base().checksum(Checksum::Crc32)),
        ("no checksum".into(), base().checksum(Checksum::Null)),
    ];
    let codecs = Codec::ALL.into_iter().chain([Codec::Auto]).filter(|codec| codec.is_available());
    options.extend(codecs.map(|codec| (format!("codec {}", codec.name()), base().codec(codec))));
    match dialect {
        Dialect::Trevni => {
            options.push(("version 1".into(), base().format(Trevni::new().version(Version::V1))));
            options.push(("fixed_integers".into(), base().fixed_integers()));
            options.push(("without_zone_maps".into(), base().without_zone_maps()));
        }
        Dialect::Levels => {
            options.push(("values first".into(), base().format(Levels::new().layout(Layout::ValuesFirst))))
        }
        Dialect::RedElm => {
            options.push(("row_group_size".into(), base().memory_limit(1000)));
            options.push(("Java's footer".into(), base().format(RedElm::new().footer(RedElmFooter::Java))));
            options.push((
                "gzipped footer".into(),
                base().format(RedElm::new().footer(RedElmFooter::GzippedJson)),
            ));
        }
        _ => {}
    }
    options
}

#[track_caller]
fn all_are_read(dialect: Dialect, compact: bool) {
    let (mut written, mut refused) = (0, Vec::new());
    for (name, builder) in options(dialect, compact) {
        for kind in &KINDS {
            let rows = ROWS / kind.work();
            let what = format!("{} of {dialect:?} with {name}", kind.name);
            match kind.file(builder.clone(), rows) {
                Ok(file) => is_readable(&file, rows as u64, &what),
                // What a format does not have is refused when it is written.
                Err(error) => refused.push(format!("{what}: {error}")),
            }
            written += 1;
        }
    }
    assert!(refused.len() * 3 < written, "{refused:#?}");
}

#[test]
fn files_of_trevni_are_read() {
    all_are_read(Dialect::Trevni, false);
}

#[test]
fn compact_files_are_read() {
    all_are_read(Dialect::Trevni, true);
}

#[test]
fn files_with_levels_are_read() {
    all_are_read(Dialect::Levels, false);
}

#[test]
fn files_of_redelm_are_read() {
    all_are_read(Dialect::RedElm, false);
}
