//! Other formats as rows: Avro files and messages of Protocol Buffers. The first byte says which.

use crate::done;
use trevni::{Batch, Reader, Shape, Writer};
use trevni_protobuf::{Mapping, MessageDescriptor, Options};

/// Descriptors that `crates/trevni-protobuf/tests/data` has messages of.
const SET: &[u8] = include_bytes!("../../trevni-protobuf/tests/data/all.binpb");
/// Names of the messages.
const MESSAGES: [&str; 3] = ["Kinds", "Legacy", "Node"];

/// Reads an Avro file, or messages, and writes their rows as columns.
///
/// # Panics
///
/// Where rows are lost, or an error says that the crate is at fault.
pub fn importers(bytes: &[u8]) {
    let Some((kind, bytes)) = bytes.split_first() else {
        return;
    };
    match kind % 8 {
        0..3 => avro(bytes),
        3..6 => messages(bytes, MESSAGES[usize::from(kind % 8 - 3)], SET),
        6 => descriptors(bytes),
        _ => shapes(bytes),
    }
}

fn avro(bytes: &[u8]) {
    let Ok(mut input) = trevni_avro::Reader::new(bytes).map_err(|error| error.to_string()) else {
        return;
    };
    let Some(mut writer) = done(Writer::builder().schema(input.schema()).build(Vec::new())) else {
        return;
    };
    let mut rows = 0;
    let read = input.each(|row| {
        rows += 1;
        // Rows without bytes may be many.
        writer.write(row).map(|()| rows < 5000)
    });
    if read.map_err(|error| error.to_string()).is_ok() {
        written(writer, rows);
    }
}

fn messages(bytes: &[u8], name: &str, set: &[u8]) {
    let Ok(message) = trevni_protobuf::message(set, name) else {
        return;
    };
    let Ok(mapping) = Mapping::new(&message, &Options::new().recursion(2)) else {
        return;
    };
    let mut reader = trevni_protobuf::Reader::new(bytes, mapping).largest(1 << 20);
    let batches: Vec<Batch> =
        reader.by_ref().map_while(|batch| batch.map_err(|error| error.to_string()).ok()).collect();
    let Some(mut writer) = done(Writer::builder().shape(reader.shape()).build(Vec::new())) else {
        return;
    };
    for batch in &batches {
        assert!(done(writer.write_batch(batch)).is_some(), "a batch of messages is not written");
    }
    written(writer, batches.iter().map(|batch| batch.len() as u64).sum());
    again(&batches, &message);
}

/// Batches that were messages become messages again.
fn again(batches: &[Batch], message: &MessageDescriptor) {
    let Some(first) = batches.first() else {
        return;
    };
    let writer = trevni_protobuf::Writer::new(first.shape(), message, Vec::new());
    let mut writer = writer.expect("rows of a message are written as one");
    batches.iter().for_each(|batch| drop(writer.write_batch(batch).map_err(|error| error.to_string())));
}

/// A set of descriptors is hostile too.
fn descriptors(bytes: &[u8]) {
    MESSAGES.into_iter().for_each(|name| messages(b"\x00\x02\x08\x01", name, bytes));
}

/// The text of a schema, as every language has it.
fn shapes(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let _ = trevni_avro::Schema::parse(text).map_err(|error| error.to_string());
    for shape in [Shape::from_avro(text), Shape::from_message(text)].into_iter().filter_map(done) {
        let _ = trevni_idl::proto("Row", &shape).to_string();
        let _ = trevni_idl::thrift("Row", &shape);
        if let Err(error) = trevni_protobuf::own_message("Row", &shape) {
            panic!("definitions of {shape} contradict themselves: {error}");
        }
        if let Some(writer) = done(Writer::builder().shape(&shape).build(Vec::new())) {
            written(writer, 0);
        }
    }
}

fn written(writer: Writer<Vec<u8>>, rows: u64) {
    let Some(bytes) = done(writer.finish()) else {
        return;
    };
    let reader = Reader::from_slice(&bytes).expect("what was written is opened");
    assert_eq!(reader.row_count(), rows);
    for batch in done(reader.batches()).into_iter().flatten() {
        assert!(done(batch).is_some(), "what was written is not read");
    }
}
