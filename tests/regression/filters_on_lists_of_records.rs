//! A filter on a field of the records of a list left these lists out of what is decoded for the rows: in formats with levels, files that
//! were whole were called damaged.

use serde::{Deserialize, Serialize};
use trevni::{Dialect, Reader, Writer, col};

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Line {
    word: Option<String>,
    count: u32,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Row {
    lines: Vec<Line>,
    maybe: Vec<Option<u32>>,
}

#[test]
fn rows_are_read_with_the_lists_that_a_filter_has_seen() {
    let line = |count: u32| Line { word: (!count.is_multiple_of(3)).then(|| count.to_string()), count };
    let row = |n: u32| Row { lines: (0..n % 4).map(line).collect(), maybe: vec![None, Some(n)] };
    let rows: Vec<Row> = (0..100).map(row).collect();
    for dialect in [Dialect::Trevni, Dialect::Levels, Dialect::RedElm] {
        let mut writer = Writer::builder().dialect(dialect).build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        let file = writer.finish().unwrap();
        let reader = Reader::from_slice(&file).unwrap();
        let with_lines: Vec<Row> =
            rows.iter().filter(|row| row.lines.iter().any(|line| line.count == 1)).cloned().collect();
        let with_maybe: Vec<Row> = rows.iter().filter(|row| row.maybe[1] > Some(90)).cloned().collect();
        let filters = [
            (col("lines").any(col("count").eq(1)), &with_lines),
            (col("lines").any(col("word").eq("1")), &with_lines),
            (col("maybe").any(trevni::item().gt(90)), &with_maybe),
        ];
        for (predicate, expected) in filters {
            let filtered = reader.filter(predicate).unwrap();
            assert_eq!(&filtered.rows::<Row>().unwrap().collect::<Result<Vec<_>, _>>().unwrap(), expected);
            let found = filtered.vectors().unwrap().map(|decoded| decoded.unwrap());
            let wanted = found.flat_map(|decoded| decoded.wanted).map(|rows| rows.len());
            assert_eq!(wanted.sum::<usize>(), expected.len(), "{dialect:?}");
        }
    }
}
