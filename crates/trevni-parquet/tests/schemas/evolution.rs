//! Random changes of random schemas, against the resolution of apache-avro.

use super::File;
use super::random::{Evolution, Random, evolution};
use super::values::{part, renamed, value, without};
use apache_avro::Schema;
use apache_avro::types::Value;
use proptest::prelude::*;
use std::collections::HashSet;
use trevni_parquet::ParquetReader;

fn rows(random: &mut Random, schema: &Schema) -> Vec<Value> {
    (0..random.below(12)).map(|_| value(random, schema)).collect()
}

/// What apache-avro makes of rows; none where it refuses one.
fn resolved(rows: &[Value], schema: &Schema) -> Option<Vec<Value>> {
    rows.iter().map(|row| row.clone().resolve(schema).ok()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn rows_are_what_apache_avro_resolves_them_to(seed: u64) {
        let mut random = Random(seed);
        let Evolution { written, wanted, renamed: names } = evolution(&mut random);
        let (written, wanted) = (written.to_string(), wanted.to_string());
        let (schema, later) = (Schema::parse_str(&written).unwrap(), Schema::parse_str(&wanted).unwrap());
        let rows = rows(&mut random, &schema);
        let file = File::new(&written, &rows);
        let later_rows: Vec<Value> = rows.into_iter().map(|row| renamed(row, &names)).collect();
        let expected = resolved(&later_rows, &later).unwrap();
        prop_assert_eq!(file.read_as(&wanted), Ok(expected), "{}\n{}", written, wanted);
    }

    #[test]
    fn projections_come_before_resolution(seed: u64) {
        let mut random = Random(seed);
        let Evolution { written, wanted, renamed: names } = evolution(&mut random);
        let mut gone = HashSet::new();
        let projection = part(&mut random, &written, &mut gone).to_string();
        let (written, wanted) = (written.to_string(), wanted.to_string());
        let (schema, later) = (Schema::parse_str(&written).unwrap(), Schema::parse_str(&wanted).unwrap());
        let rows = rows(&mut random, &schema);
        let file = File::new(&written, &rows);

        let rows: Vec<Value> = rows.into_iter().map(|row| without(row, &gone)).collect();
        let projected = ParquetReader::builder().projection_schema(&projection);
        prop_assert_eq!(file.read(&projected), Ok(rows.clone()), "{}\n{}", written, projection);

        let rows: Vec<Value> = rows.into_iter().map(|row| renamed(row, &names)).collect();
        let read = file.read(&projected.read_schema(&wanted));
        match resolved(&rows, &later) {
            // A field that is in the schema alone may have no rows that miss it.
            Some(_) if read.as_ref().is_err_and(|error| error.contains("no such field")) => {
                prop_assert!(!gone.is_empty());
            }
            Some(expected) => prop_assert_eq!(read, Ok(expected), "{}\n{}\n{}", written, projection, wanted),
            None => prop_assert!(read.is_err(), "{}\n{}\n{}", written, projection, wanted),
        }
    }

    #[test]
    fn the_schema_of_the_file_changes_nothing(seed: u64, keeps_schema: bool) {
        let mut random = Random(seed);
        let written = evolution(&mut random).written.to_string();
        let schema = Schema::parse_str(&written).unwrap();
        let rows = rows(&mut random, &schema);
        let file = File::with_metadata(&written, &rows, keeps_schema);
        let read = file.read_as(&written);
        // Without it, symbols are texts.
        match !keeps_schema && written.contains("symbols") {
            true => prop_assert!(read.is_err_and(|error| error.contains("string cannot be read as enum"))),
            false => prop_assert_eq!(read, Ok(rows), "{}", written),
        }
    }
}
