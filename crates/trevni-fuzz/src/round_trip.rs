//! Random rows, written with random options and read back.

use crate::done;
use crate::rows::{Plan, Row};
use arbitrary::{Result, Unstructured};
use trevni::formats::{Layout, Levels, RedElm, RedElmFooter, Trevni, Version};
use trevni::verify::Verify;
use trevni::{Checksum, Codec, Dialect, Reader, Writer, WriterBuilder};

/// Writes rows that the bytes describe twice: with the defaults and with options, and compares what is read.
///
/// # Panics
///
/// Where the rows differ, or a file that was written is not whole.
pub fn round_trip(bytes: &[u8]) {
    let _ = rows_and_options(&mut Unstructured::new(bytes)).map(|(rows, options)| check(&rows, options));
}

fn rows_and_options(u: &mut Unstructured<'_>) -> Result<(Vec<Row>, WriterBuilder)> {
    let options = options(u)?;
    let plan = Plan::any(u, 0)?;
    let mut rows = Vec::new();
    while !u.is_empty() && rows.len() < 200 {
        rows.push(plan.row(u)?);
    }
    Ok((rows, options))
}

fn options(u: &mut Unstructured<'_>) -> Result<WriterBuilder> {
    let dialect = *u.choose(&[Dialect::Trevni, Dialect::Trevni, Dialect::Levels, Dialect::RedElm])?;
    let mut options = Writer::builder()
        .dialect(dialect)
        .codec(*u.choose(&Codec::ALL)?)
        .block_size(u.int_in_range(1..=300)?)
        .batch_rows(u.int_in_range(1..=40)?);
    if dialect == Dialect::RedElm {
        let footers = [RedElmFooter::Json, RedElmFooter::GzippedJson, RedElmFooter::Java];
        let format = RedElm::new().row_group_size(u.int_in_range(100..=100_000)?);
        options = options.format(format.footer(*u.choose(&footers)?));
    } else {
        options = options.checksum(*u.choose(&[Checksum::Crc32, Checksum::Null])?);
        if u.arbitrary()? {
            options = options.fixed_integers();
        }
    }
    if dialect == Dialect::Levels && u.arbitrary()? {
        options = options.format(Levels::new().layout(Layout::ValuesFirst));
    }
    if dialect == Dialect::Trevni && u.arbitrary()? {
        let formats = [Trevni::new().version(Version::V1), Trevni::new().compact()];
        options = options.format(*u.choose(&formats)?);
    }
    if u.arbitrary()? {
        options = options.without_zone_maps();
    }
    if u.arbitrary()? {
        options = options.threads(2).memory_limit(u.int_in_range(0..=1000)?);
    }
    Ok(options)
}

fn check(rows: &[Row], options: WriterBuilder) {
    let Some(plain) = written(rows, Writer::builder()) else {
        return;
    };
    let expected = read(&plain);
    let expected = expected.expect("what is written with the defaults is read");
    assert_eq!(expected.lines().count(), rows.len());
    if let Some(bytes) = written(rows, options) {
        let report = Verify::new().source(&bytes).expect("a source in memory does not fail");
        let findings = report.findings.iter().map(|finding| finding.error().to_string());
        assert!(report.is_ok(), "{:?}", findings.collect::<Vec<_>>());
        assert_eq!(read(&bytes).expect("what is written is read"), expected);
    }
}

fn written(rows: &[Row], options: WriterBuilder) -> Option<Vec<u8>> {
    let mut writer = done(options.build(Vec::new()))?;
    for row in rows {
        done(writer.write(row))?;
    }
    done(writer.finish())
}

/// The rows as text, without the numbers of the names of records: these depend on the types of other fields, which
/// depend on what a batch has.
fn read(bytes: &[u8]) -> Option<String> {
    let reader = done(Reader::from_slice(bytes))?;
    let mut text = String::new();
    for batch in done(reader.batches())? {
        done(batch)?.values().for_each(|row| text += &format!("{row:?}\n"));
    }
    Some(without_numbers(&text))
}

fn without_numbers(text: &str) -> String {
    let mut parts = text.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}
