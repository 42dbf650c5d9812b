//! Arrays that are written and read are equal, by Arrow's own comparison.

mod random;

use arrow_array::RecordBatch;
use proptest::prelude::{ProptestConfig, any, proptest};
use random::Random;
use std::sync::Arc;
use trevni::{Codec, Reader, Writer};
use trevni_arrow::{ArrowReader, ArrowWriter};

/// Writes batches, reads them in batches of another size, and compares.
fn there_and_back(batches: &[RecordBatch], batch_size: usize, codec: Codec, block_size: usize) {
    let schema = batches[0].schema();
    let options = Writer::builder().codec(codec).block_size(block_size);
    let mut writer = ArrowWriter::with_options(options, Vec::new(), Arc::clone(&schema)).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    let file = writer.finish().unwrap();

    let reader = Reader::from_slice(&file).unwrap();
    let mut rows = 0;
    let mut source = 0;
    for batch in ArrowReader::builder(&reader).batch_size(batch_size).build().unwrap() {
        let batch = batch.unwrap();
        assert_eq!(batch.schema(), schema);
        let mut at = 0;
        while at < batch.num_rows() {
            while batches[source].num_rows() == rows {
                (source, rows) = (source + 1, 0);
            }
            let count = (batch.num_rows() - at).min(batches[source].num_rows() - rows);
            let (own, given) = (batch.slice(at, count), batches[source].slice(rows, count));
            for (index, field) in schema.fields().iter().enumerate() {
                let (own, given) = (own.column(index), given.column(index));
                assert!(own == given, "{field:#?}\n{own:#?}\n{given:#?}");
            }
            (at, rows) = (at + count, rows + count);
        }
    }
    assert_eq!(
        rows + batches[..source].iter().map(RecordBatch::num_rows).sum::<usize>(),
        reader.row_count() as usize
    );
    assert_eq!(reader.row_count() as usize, batches.iter().map(RecordBatch::num_rows).sum::<usize>());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn arrays_come_back(seed in any::<u64>()) {
        let mut random = Random(seed);
        let schema = Arc::new(random::schema(&mut random));
        let count = 1 + random.below(3);
        let batches: Vec<RecordBatch> = (0..count).map(|_| {
            let len = random.below(30);
            random::batch(&mut random, &schema, len)
        }).collect();
        let codec = [Codec::Null, Codec::Typed][random.below(2)];
        there_and_back(&batches, 1 + random.below(40), codec, 300);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Typed blocks of several frames, at whose middle batches end.
    #[test]
    fn arrays_of_many_rows_come_back(seed in any::<u64>()) {
        let mut random = Random(seed);
        let schema = Arc::new(random::schema(&mut random));
        let batches: Vec<RecordBatch> = (0..2).map(|_| {
            let len = 1000 + random.below(1500);
            random::batch(&mut random, &schema, len)
        }).collect();
        let block_size = [3000, 1 << 20][random.below(2)];
        there_and_back(&batches, 500 + random.below(2000), Codec::Typed, block_size);
    }
}
