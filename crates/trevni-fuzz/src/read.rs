//! Opens bytes as a file of any format and reads everything in it, in all ways.

use crate::{done, limits};
use serde::de::IgnoredAny;
use serde_json::Value;
use trevni::verify::Verify;
use trevni::{Batch, Reader, ReaderBuilder, Shape, Writer, col, levels::assemble};

/// Reads all rows as values, batches, columns, levels and zone maps, by filters and by threads, and verifies. What can be read
/// is written and read once more.
///
/// # Panics
///
/// Where ways of reading disagree, or an error says that the crate is at fault.
pub fn read(bytes: &[u8]) {
    let options = ReaderBuilder::new().limits(limits());
    if let Some(report) = done(Verify::new().reader(options.clone()).source(bytes)) {
        report.findings.iter().for_each(|finding| drop(finding.error().to_string()));
    }
    let Some(reader) = done(options.clone().source(bytes)) else {
        return;
    };
    let _ = format!("{} {:?} {:?}", reader.shape(), reader.columns(), reader.metadata());
    let _ = done(reader.ranges());
    let values = all_rows(&reader);
    if let Some(threaded) = done(options.clone().threads(3).source(bytes)) {
        let threaded = all_rows(&threaded);
        assert!(values.is_none() || threaded.is_none() || values == threaded, "rows differ with threads");
    }
    if let Some(salvaged) = done(options.clone().salvage().source(bytes)) {
        salvage(&salvaged, values.as_deref());
    }
    columns(&reader);
    filters(&reader);
    if let Some(untyped) = done(reader.untyped()) {
        let _ = all_rows(&untyped);
    }
    let _ = done(options.lenient().source(bytes)).map(|reader| rows(&reader));
    let batches = done(reader.batches()).map(|batches| batches.map(done).collect::<Option<Vec<_>>>());
    if let Some(Some(batches)) = batches {
        let count: usize = batches.iter().map(Batch::len).sum();
        assert_eq!(count as u64, reader.row_count());
        batches.iter().for_each(levels);
        again(&reader, &batches);
    }
}

/// All rows as text; `None` where one cannot be read.
fn rows(reader: &Reader<'_>) -> Option<Vec<String>> {
    let values = done(reader.rows::<Value>())?.map(done).collect::<Option<Vec<Value>>>()?;
    Some(values.iter().map(Value::to_string).collect())
}

/// All rows of a file without a selection, which other ways of reading agree with.
fn all_rows(reader: &Reader<'_>) -> Option<Vec<String>> {
    let skipped = done(reader.rows::<IgnoredAny>()).map(|rows| rows.filter_map(done).count());
    assert!(skipped.is_none_or(|count| count as u64 <= reader.row_count()), "too many rows");
    let values = rows(reader)?;
    assert_eq!(values.len() as u64, reader.row_count(), "rows");
    if let Some(last) = reader.row_count().checked_sub(1) {
        let row = done(reader.row::<Value>(last)).map(|row| row.to_string());
        assert!(row.is_none() || row.as_ref() == values.last(), "the last row by itself differs");
    }
    Some(values)
}

/// What is left of a damaged file; of a file whose rows can be read, all of them that are not lost.
fn salvage(reader: &Reader<'_>, values: Option<&[String]>) {
    let _ = done(reader.without_lost_columns()).map(|part| rows(&part));
    let (Some(lost), Some(left)) = (done(reader.lost()), rows(reader)) else {
        return;
    };
    assert_eq!(
        left.len() as u64 + lost.rows().row_count(),
        reader.row_count(),
        "rows are neither lost nor left"
    );
    if let Some(values) = values.filter(|_| lost.is_empty()) {
        assert_eq!(left, values, "rows differ when they are salvaged");
    }
}

fn columns(reader: &Reader<'_>) {
    for number in 0..reader.columns().len().min(50) {
        let _ = done(reader.blocks(number));
        let _ = done(reader.zone_map(number));
        if let Some(batch) = done(reader.raw_column(number)) {
            let _ = format!("{:?}", batch.values().last());
        }
        let path = reader.columns()[number].path().map(str::to_owned);
        if let Some(path) = path {
            let _ = done(reader.column::<i64>(&path));
            let _ = done(reader.column::<Option<String>>(&path));
        }
    }
}

fn filters(reader: &Reader<'_>) {
    let Shape::Record(record) = reader.shape() else {
        return;
    };
    for field in record.fields.iter().take(8) {
        for predicate in [
            col(&*field.name).gt(7),
            col(&*field.name).le("text"),
            col(&*field.name).is_null(),
            col(&*field.name).between(0.5, 1e9),
        ] {
            if let Some(filtered) = done(reader.filter(predicate)) {
                let matching = done(filtered.matching()).map(|rows| rows.row_count());
                assert_eq!(done(filtered.matching_count()), matching, "{}", field.name);
                let rows = done(filtered.rows::<Value>())
                    .and_then(|rows| rows.map(done).collect::<Option<Vec<_>>>());
                if let (Some(matching), Some(rows)) = (matching, rows) {
                    assert_eq!(matching, rows.len() as u64, "{}", field.name);
                }
                let _ = done(filtered.explain());
            }
        }
    }
    if let Some(selected) = done(reader.select([1..2, 5..9])) {
        let _ = rows(&selected);
    }
    let first = record.fields.first().map(|field| field.name.to_string());
    if let Some(projected) = first.and_then(|name| done(reader.project([name]))) {
        let _ = rows(&projected);
    }
}

/// Levels of a batch, and the batch of the levels.
fn levels(batch: &Batch) {
    let Some(leaves) = done(batch.levels()) else {
        return;
    };
    let columns: Vec<_> = leaves.into_iter().map(|leaf| (leaf.levels, leaf.values.clone())).collect();
    if let Some(vector) = done(assemble(batch.shape(), columns)) {
        assert_eq!(vector.len(), batch.len());
    }
}

/// Writes batches that were read, and reads them once more.
fn again(reader: &Reader<'_>, batches: &[Batch]) {
    let builder = Writer::builder().shape(reader.shape()).block_size(100);
    let Some(mut writer) = done(builder.build(Vec::new())) else {
        return;
    };
    if batches.iter().any(|batch| done(writer.write_batch(batch)).is_none()) {
        return;
    }
    let Some(bytes) = done(writer.finish()) else {
        return;
    };
    let reader = Reader::builder().limits(limits()).source(&bytes);
    let reader = reader.expect("what was written is opened");
    let found = done(reader.batches()).map(|batches| batches.map(done).collect::<Option<Vec<_>>>());
    if let Some(Some(found)) = found {
        assert_eq!(text(&found), text(batches), "what was written is read");
    }
}

/// Rows as JSON: names of types, which a file may lack, are not part of it.
fn text(batches: &[Batch]) -> Vec<Option<String>> {
    batches.iter().flat_map(Batch::values).map(|row| serde_json::to_string(&row).ok()).collect()
}
