//! The rows of the files as batches, written again without serde, in order and in others.

use crate::data;
use serde_json::Value;
use trevni::{Batch, Reader, Writer};

/// The rows of a file as text, one by one.
fn rows(bytes: &[u8]) -> Vec<String> {
    let reader = Reader::from_slice(bytes).unwrap();
    reader.rows::<Value>().unwrap().map(|row| row.unwrap().to_string()).collect()
}

fn files() -> impl Iterator<Item = (String, Vec<u8>)> {
    data::with_schema().into_iter().map(|golden| {
        let bytes = golden.bytes();
        (golden.name, bytes)
    })
}

#[test]
fn batches_are_written_as_they_were_read() {
    for (name, bytes) in files() {
        let reader = Reader::from_slice(&bytes).unwrap();
        let mut writer = Writer::builder().shape(reader.shape()).build(Vec::new()).unwrap();
        for batch in reader.batches().unwrap() {
            writer.write_batch(&batch.unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        assert_eq!(rows(&writer.finish().unwrap()), rows(&bytes), "{name}");
    }
}

#[test]
fn rows_are_gathered_in_any_order() {
    let mut most = 0;
    for (name, bytes) in files() {
        let reader = Reader::from_slice(&bytes).unwrap();
        let batches: Vec<Batch> = reader.batches().unwrap().map(Result::unwrap).collect();
        let expected = rows(&bytes);
        most = most.max(batches.len());
        let mut picks: Vec<(usize, usize)> = (0..batches.len())
            .flat_map(|batch| (0..batches[batch].len()).map(move |at| (batch, at)))
            .collect();
        if batches.is_empty() {
            assert!(Batch::gather(&batches, &[]).is_err());
            continue;
        }
        picks.reverse();
        let reversed = Batch::gather(&batches, &picks).unwrap();
        let found: Vec<String> = reversed.rows::<Value>().map(|row| row.unwrap().to_string()).collect();
        assert!(found.iter().eq(expected.iter().rev()), "{name}");
        let last = (batches.len() - 1, batches[batches.len() - 1].len());
        assert!(Batch::gather(&batches, &[last]).is_err(), "{name}");
    }
    assert!(most > 1, "a file of several batches");
}

#[test]
fn a_batch_of_another_shape_is_refused() {
    let batch = |bytes: &[u8]| Reader::from_slice(bytes).unwrap().batches().unwrap().next().unwrap().unwrap();
    let (numbers, texts) = (trevni::to_vec([(1, 2)]).unwrap(), trevni::to_vec([("a", "b")]).unwrap());
    let mut writer = Writer::new(Vec::new()).unwrap();
    writer.write_batch(&batch(&numbers)).unwrap();
    assert!(writer.write_batch(&batch(&texts)).unwrap_err().to_string().contains("another shape"));
    // Rows and batches in turn.
    writer.write(&(3, 4)).unwrap();
    writer.write_batch(&batch(&numbers)).unwrap();
    let rows: Vec<(i32, i32)> = trevni::from_slice(&writer.finish().unwrap()).unwrap();
    assert_eq!(rows, [(1, 2), (3, 4), (1, 2)]);
    assert!(Batch::gather(&[batch(&numbers), batch(&texts)], &[]).is_err());
}

#[test]
fn a_given_shape_takes_maps_and_absent_fields() {
    let text = r#"{"type":"record","name":"R","fields":[{"name":"a","type":["null","long"],"serde":"absent"},
        {"name":"b","type":["string",{"type":"array","items":"string"}]}]}"#;
    let shape = trevni::Shape::from_avro(text).unwrap();
    assert_eq!(trevni::Shape::from_avro(&shape.to_avro()).unwrap(), shape);
    let mut writer = Writer::builder().shape(&shape).build(Vec::new()).unwrap();
    let lines = [r#"{"a":1,"b":"x"}"#, r#"{"b":["x","y"]}"#, r#"{"b":[]}"#];
    for line in lines {
        writer.write(&serde_json::from_str::<Value>(line).unwrap()).unwrap();
    }
    let error = writer.write(&serde_json::json!({"b": "x", "c": 1})).unwrap_err();
    assert!(error.to_string().contains("\"c\""), "{error}");
    assert_eq!(rows(&writer.finish().unwrap()), lines);
}
