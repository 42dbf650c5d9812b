//! The memory of a writer limits row groups: any limit gives a file with all rows.

use trevni::formats::RedElm;
use trevni::merge::Merge;
use trevni::{Dialect, Reader, Writer, WriterBuilder};

fn written(builder: WriterBuilder) -> Vec<u8> {
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all((0..300).map(|number| (number, "text".repeat(number % 5)))).unwrap();
    writer.finish().unwrap()
}

#[test]
fn rows_are_written_in_any_memory() {
    let rows: Vec<(usize, String)> = trevni::from_slice(&written(Writer::builder())).unwrap();
    for bytes in [0, 1, 100] {
        let formats =
            [RedElm::new(), RedElm::new().row_group_size(0), RedElm::new().row_group_size(usize::MAX)];
        for format in formats {
            let file = written(Writer::builder().format(format).memory_limit(bytes));
            assert_eq!(trevni::from_slice::<Vec<(usize, String)>>(&file).unwrap(), rows);
        }
        let (one, mut merged) = (written(Writer::builder()), Vec::new());
        let merge = Merge::new().dialect(Dialect::RedElm).memory_limit(bytes);
        merge.write(&[Reader::from_slice(&one).unwrap()], &mut merged).unwrap();
        assert_eq!(trevni::from_slice::<Vec<(usize, String)>>(&merged).unwrap(), rows);
    }
}

/// The name of a format that is set already keeps its options; another name takes the defaults of its own.
#[test]
fn names_of_formats_keep_options() {
    let redelm = Writer::builder().format(RedElm::new().row_group_size(1)).batch_rows(10);
    let groups = |file: &[u8]| Reader::from_slice(file).unwrap().blocks(0).unwrap().len();
    let few = groups(&written(redelm.clone()));
    assert!(few > 10);
    assert_eq!(groups(&written(redelm.clone().dialect(Dialect::RedElm))), few);
    assert_eq!(groups(&written(redelm.dialect(Dialect::Trevni).dialect(Dialect::RedElm))), 1);
}
