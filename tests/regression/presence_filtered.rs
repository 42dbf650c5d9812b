//! A filter by whether a field is there decodes its levels and not its values. Batches took the values for decoded too, and
//! files with levels were called damaged.

use serde_json::{Value, json};
use trevni::{Dialect, Predicate, Reader, Writer, col};

#[test]
fn batches_of_a_filter_by_presence_have_the_rows() {
    let rows: Vec<Value> = (0..40)
        .map(|number| {
            let maybe = (number % 3 > 0).then_some(number);
            json!({"a": maybe, "b": {"c": maybe.map(|number| number.to_string())}, "l": [number]})
        })
        .collect();
    for dialect in [Dialect::Trevni, Dialect::Levels, Dialect::RedElm] {
        let mut writer = Writer::builder().dialect(dialect).block_size(60).build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        let file = writer.finish().unwrap();
        let reader = Reader::from_slice(&file).unwrap();
        // Whether the rows have the field.
        let predicates: [(Predicate, bool); 4] = [
            (col("a").is_null(), false),
            (col("a").is_not_null(), true),
            (col("b.c").is_null(), false),
            (col("a").is_null().and(col("b.c").is_null()), false),
        ];
        for (predicate, wanted) in predicates {
            let filtered = reader.filter(predicate).unwrap();
            let expected: Vec<&Value> = rows.iter().filter(|row| row["a"].is_null() != wanted).collect();
            let mut found = Vec::new();
            for batch in filtered.batches().unwrap() {
                found.extend(batch.unwrap().values().map(|row| serde_json::to_value(row).unwrap()));
            }
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{dialect:?}");
            let found: Vec<Value> = filtered.rows().unwrap().map(Result::unwrap).collect();
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{dialect:?}");
        }
    }
}
