//! Random rows, written and read again, and compared with what Trevni makes of them.

use crate::random::Random;
use proptest::prelude::*;
use std::sync::Arc;
use trevni::formats::{RedElm, RedElmFooter};
use trevni::{Batch, Codec, Reader, Shape, ValueRef, Writer, WriterBuilder};

fn rows(batches: &[Batch]) -> Vec<ValueRef<'_>> {
    batches.iter().flat_map(Batch::values).collect()
}

fn random_batches(random: &mut Random) -> (Arc<Shape>, Vec<Batch>) {
    let shape = Arc::new(random.row());
    let lengths = [random.below(6), random.below(40), 1];
    let batches = lengths.map(|len| {
        let vector = random.vector(&shape, len);
        Batch::try_new(Arc::clone(&shape), vector).unwrap()
    });
    (shape, Vec::from(batches))
}

/// Options that differ from number to number.
fn options(number: usize) -> WriterBuilder {
    let footers = [RedElmFooter::Json, RedElmFooter::GzippedJson, RedElmFooter::Java];
    let codecs = [Codec::Null, Codec::Deflate, Codec::Gzip, Codec::Snappy, Codec::Bzip2, Codec::Lz4];
    let codecs: Vec<Codec> = codecs.into_iter().filter(|codec| codec.is_available()).collect();
    let builder = Writer::builder().format(RedElm::new().footer(footers[number % 3]));
    builder.codec(codecs[number / 3 % codecs.len()]).memory_limit([50 << 20, 1, 200, 1000][number % 4])
}

fn written(builder: WriterBuilder, batches: &[Batch]) -> Vec<u8> {
    let mut writer = builder.build(Vec::new()).unwrap();
    for batch in batches {
        writer.write_batch(batch).unwrap_or_else(|error| panic!("{error}: {}", batch.shape()));
    }
    writer.finish().unwrap()
}

fn read(file: &[u8]) -> Vec<Batch> {
    Reader::from_slice(file).unwrap().batches().unwrap().collect::<trevni::Result<_>>().unwrap()
}

#[test]
fn seeds_that_failed_once() {
    for seed in [5793980933430551686, 1328347744915595179] {
        let mut random = Random::new(seed);
        let (shape, batches) = random_batches(&mut random);
        let file = written(options(random.below(72)).shape(&shape), &batches);
        assert_eq!(rows(&read(&file)), rows(&batches));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn rows_come_back_equal(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let (shape, batches) = random_batches(&mut random);
        let file = written(options(random.below(72)).shape(&shape), &batches);
        let reader = Reader::from_slice(&file).unwrap();
        let own = read(&file);
        prop_assert_eq!(rows(&own), rows(&batches), "{}", shape);
        let trevni = written(Writer::builder().shape(&shape), &batches);
        let (reader_of_trevni, trevni) = (Reader::from_slice(&trevni).unwrap(), read(&trevni));
        prop_assert_eq!(rows(&own), rows(&trevni));
        prop_assert_eq!(reader.shape(), reader_of_trevni.shape());
        // Some rows, from any place.
        let all = rows(&batches);
        for _ in 0..3 {
            let first = random.below(all.len());
            let last = first + 1 + random.below(all.len() - first);
            let some = reader.select(first as u64..last as u64).unwrap();
            let some: Vec<Batch> = some.batches().unwrap().map(Result::unwrap).collect();
            prop_assert_eq!(rows(&some), &all[first..last]);
        }
        // The columns alone say as much as they can.
        let untyped = reader.untyped().unwrap();
        let count: usize = untyped.batches().unwrap().map(|batch| batch.unwrap().len()).sum();
        prop_assert_eq!(count, all.len());
    }

    #[test]
    fn each_column_reads_by_itself(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let (shape, batches) = random_batches(&mut random);
        let file = written(options(random.below(72)).shape(&shape), &batches);
        let reader = Reader::from_slice(&file).unwrap();
        for (number, column) in reader.columns().iter().enumerate() {
            prop_assert_eq!(reader.raw_column(number).unwrap().len() as u64, reader.row_count());
            // Records without fields have no path.
            let Some(path) = column.path_names() else { continue };
            let names: Vec<&str> = path.iter().map(String::as_str).collect();
            let part = reader.project_paths([&*names]).unwrap();
            let parts: Vec<Batch> = part.batches().unwrap().map(Result::unwrap).collect();
            let trevni = written(Writer::builder().shape(&shape), &batches);
            let trevni = Reader::from_slice(&trevni).unwrap().project_paths([&*names]).unwrap();
            let expected: Vec<Batch> = trevni.batches().unwrap().map(Result::unwrap).collect();
            prop_assert_eq!(rows(&parts), rows(&expected));
        }
    }
}
