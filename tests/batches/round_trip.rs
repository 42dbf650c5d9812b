//! Random batches are written and read back equal.

use crate::random::Random;
use proptest::prelude::*;
use std::sync::Arc;
use trevni::{Batch, Codec, Reader, Shape, ValueRef, Writer, WriterBuilder, levels};

/// Writes batches, and reads them again.
fn through(builder: WriterBuilder, batches: &[Batch]) -> Vec<Batch> {
    let mut writer = builder.codec(Codec::Null).block_size(256).build(Vec::new()).unwrap();
    batches.iter().for_each(|batch| writer.write_batch(batch).unwrap());
    let file = writer.finish().unwrap();
    Reader::from_slice(&file).unwrap().batches().unwrap().collect::<trevni::Result<_>>().unwrap()
}

fn rows(batches: &[Batch]) -> Vec<ValueRef<'_>> {
    batches.iter().flat_map(Batch::values).collect()
}

fn random_batches(seed: u64) -> (Arc<Shape>, Vec<Batch>) {
    let mut random = Random::new(seed);
    let shape = Arc::new(random.row());
    let lengths = [random.below(6), random.below(40), 1];
    let batches = lengths.map(|len| {
        let vector = random.vector(&shape, len);
        Batch::try_new(Arc::clone(&shape), vector).unwrap()
    });
    (shape, Vec::from(batches))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn batches_come_back_equal(seed in any::<u64>()) {
        let (shape, batches) = random_batches(seed);
        let expected = rows(&batches);
        prop_assert_eq!(expected.len(), batches.iter().map(Batch::len).sum::<usize>());
        for builder in [Writer::builder(), Writer::builder().shape(&shape)] {
            let read = through(builder, &batches);
            prop_assert_eq!(rows(&read), &*expected, "{}", shape);
        }
    }

    #[test]
    fn levels_give_the_same_vector(seed in any::<u64>()) {
        let (shape, batches) = random_batches(seed);
        for batch in &batches {
            let columns = batch.levels().unwrap();
            prop_assert_eq!(columns.len(), levels::leaves(&shape).len());
            for column in &columns {
                let (rows, levels) = (batch.len(), &column.levels);
                prop_assert_eq!(levels.repetition.iter().filter(|level| **level == 0).count(), rows);
                let full = levels.definition.iter().filter(|level| **level == column.leaf.max_definition);
                prop_assert_eq!(full.count(), column.values.len());
            }
            let parts = columns.into_iter().map(|column| (column.levels, column.values.clone()));
            prop_assert_eq!(&levels::assemble(&shape, parts).unwrap(), batch.vector());
        }
    }

    #[test]
    fn broken_levels_never_panic(seed in any::<u64>()) {
        let (shape, batches) = random_batches(seed);
        let mut random = Random::new(!seed);
        for batch in batches.iter().filter(|batch| !batch.is_empty()) {
            let columns = batch.levels().unwrap();
            let mut parts: Vec<_> =
                columns.into_iter().map(|column| (column.levels, column.values.clone())).collect();
            let broken = random.below(parts.len());
            let entry = random.below(parts[broken].0.repetition.len());
            match random.below(3) {
                0 => parts[broken].0.repetition[entry] = random.below(5) as u8,
                1 => parts[broken].0.definition[entry] = random.below(5) as u8,
                _ => {
                    parts[broken].0.repetition.remove(entry);
                    parts[broken].0.definition.remove(entry);
                }
            }
            // Where it is taken, it is a batch, of the same levels.
            if let Ok(vector) = levels::assemble(&shape, parts.clone()) {
                let batch = Batch::try_new(Arc::clone(&shape), vector).unwrap();
                let again = batch.levels().unwrap().into_iter().map(|column| column.levels);
                prop_assert!(again.eq(parts.into_iter().map(|(levels, _)| levels)));
            }
        }
    }
}
