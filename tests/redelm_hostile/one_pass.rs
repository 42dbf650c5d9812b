//! Writing takes the memory of a row group, however large the file is.

use crate::memory::{MIB, alone, within};
use crate::sink::Counting;
use trevni::{Codec, Dialect, Writer};

#[derive(serde::Serialize)]
struct Row {
    id: u64,
    name: Option<String>,
    parts: Vec<f64>,
}

fn row(id: u64) -> Row {
    let name = (!id.is_multiple_of(3)).then(|| format!("name {id}"));
    Row { id, name, parts: (0..id % 4).map(|part| part as f64 / 2.0).collect() }
}

#[test]
fn memory_is_that_of_a_row_group() {
    let _alone = alone();
    for (codec, least) in [(Codec::Null, 8), (Codec::Snappy, 3)] {
        let size = within(8 * MIB, || {
            let options = Writer::builder().dialect(Dialect::RedElm).codec(codec).memory_limit(MIB as u64);
            let mut writer = options.build(Counting(0)).unwrap();
            for number in 0..400_000 {
                writer.write(&row(number)).unwrap();
            }
            writer.finish().unwrap().0
        });
        assert!(size > least * MIB as u64, "{size}");
    }
}
