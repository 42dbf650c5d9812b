//! What footers say, and values with their levels.

use super::{data, files, stem};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::Type;
use trevni::{Reader, Writer};
use trevni_parquet::{Entry, Error, ParquetFile, ParquetOptions, ParquetReader, Stored};

fn open(name: &str) -> ParquetFile {
    ParquetFile::open(data("parquet-testing").join(format!("{name}.parquet"))).unwrap()
}

#[test]
fn messages_are_those_of_parquets_own_tools() {
    assert_eq!(
        open("int32_decimal").message(),
        "message spark_schema {\n  optional int32 value (DECIMAL(4,2));\n}\n"
    );
    assert_eq!(
        open("nested_maps.snappy").message(),
        "message spark_schema {
  optional group a (MAP) {
    repeated group key_value {
      required binary key (UTF8);
      optional group value (MAP) {
        repeated group key_value {
          required int32 key;
          required boolean value;
        }
      }
    }
  }
  required int32 b;
  required double c;
}
"
    );
    assert!(open("int96_from_spark").message().contains("  optional int96 a;\n"));
    assert!(open("fixed_length_byte_array").message().contains("fixed_len_byte_array(4)"));
}

/// Each field with what matters of it.
fn fields(group: &Type) -> Vec<String> {
    let mut all = Vec::new();
    for field in group.get_fields() {
        let info = field.get_basic_info();
        let kind =
            if field.is_group() { "group".to_owned() } else { format!("{:?}", field.get_physical_type()) };
        all.push(format!("{} {:?} {kind} {:?}", info.name(), info.repetition(), info.converted_type()));
        if field.is_group() {
            all.extend(fields(field).iter().map(|within| format!("{}.{within}", info.name())));
        }
    }
    all
}

#[test]
fn messages_parse_as_the_schema_that_they_show() {
    use parquet::file::metadata::ParquetMetaDataReader;
    let mut parsed = 0;
    for path in files("parquet-testing") {
        let Ok(file) = ParquetFile::open(&path) else { continue };
        let opened = std::fs::File::open(&path).unwrap();
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&opened).unwrap();
        let schema = metadata.file_metadata().schema();
        // Names with spaces have no form in such texts.
        if file.columns().iter().flatten().any(|name| name.contains(' ')) {
            continue;
        }
        let own = parse_message_type(&file.message());
        let own = own.unwrap_or_else(|error| panic!("{}: {error}\n{}", stem(&path), file.message()));
        assert_eq!(fields(&own), fields(schema), "{}", stem(&path));
        parsed += 1;
    }
    assert!(parsed > 35, "{parsed}");
}

#[test]
fn footers_say_what_is_in_the_file() {
    let file = open("alltypes_plain");
    assert_eq!((file.row_count(), file.row_group_count(), file.columns().len()), (8, 1, 11));
    assert_eq!(
        file.created_by(),
        Some("impala version 1.3.0-INTERNAL (build 8a48ddb1eff84592b3fc06bc6f51ec120e1fffc9)")
    );
    let group = file.row_groups().next().unwrap();
    let chunk = &group.chunks[0];
    assert_eq!((group.rows, chunk.values, &*chunk.path), (8, 8, &["id".to_owned()][..]));
    assert_eq!((chunk.codec.as_str(), chunk.physical_type), ("UNCOMPRESSED", "INT32"));
    assert!(chunk.encodings.contains(&"PLAIN_DICTIONARY".to_owned()), "{:?}", chunk.encodings);
    assert_eq!(chunk.start, 4);
    let keys = open("datapage_v1-snappy-compressed-checksum");
    assert!(keys.created_by().is_some_and(|by| by.starts_with("parquet-mr")));
}

/// All entries of a column.
fn entries(file: &ParquetFile, column: usize) -> Vec<(i16, i16, Option<String>)> {
    let mut all = Vec::new();
    for group in 0..file.row_group_count() {
        let show = |entry: Entry<'_>| {
            let value = entry.value.map(|value| match value {
                Stored::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                other => format!("{other:?}"),
            });
            all.push((entry.repetition, entry.definition, value));
            Ok::<(), Error>(())
        };
        file.entries(group, column, show).unwrap();
    }
    all
}

#[test]
fn entries_have_the_levels_of_the_dremel_paper() {
    let text = |text: &str| Some(text.to_owned());
    let nested = entries(&open("nested_lists.snappy"), 0);
    assert_eq!(
        nested[..6],
        [
            (0, 7, text("a")),
            (3, 7, text("b")),
            (2, 7, text("c")),
            (1, 4, None),
            (2, 7, text("d")),
            (0, 7, text("a")),
        ]
    );
    let flat = entries(&open("alltypes_plain"), 0);
    assert_eq!(flat[0], (0, 1, text("Int(4)")));
    assert_eq!(flat.len(), 8);
}

#[test]
fn all_columns_of_all_files_have_as_many_entries_as_their_footers_say() {
    for path in files("parquet-testing") {
        let Ok(file) = ParquetFile::open(&path) else { continue };
        for column in 0..file.columns().len() {
            let said: u64 = file.row_groups().map(|group| group.chunks[column].values).sum();
            assert_eq!(entries(&file, column).len() as u64, said, "{} {column}", stem(&path));
        }
    }
}

#[test]
fn what_is_not_there_is_an_error() {
    let file = open("alltypes_plain");
    let none = |_: Entry<'_>| Ok::<(), Error>(());
    assert!(matches!(file.entries(1, 0, none), Err(Error::NoRowGroup { number: 1, count: 1 })));
    assert!(matches!(file.entries(0, 11, none), Err(Error::NoField(_))));
    let error = ParquetReader::builder().row_groups(0..2).read(&file).err().unwrap();
    assert_eq!(error.to_string(), "there is no row group 1: the file has 1");
    assert!(ParquetFile::of_source(b"PAR1".to_vec()).is_err());
    assert!(ParquetFile::of_source(Vec::new()).is_err());
}

#[test]
fn rows_and_row_groups_are_chosen() {
    let mut writer = Writer::builder().build(Vec::new()).unwrap();
    writer.write_all((0..50_000).map(|row| [row])).unwrap();
    let column_file = writer.finish().unwrap();
    let options = ParquetOptions::new().without_dictionaries().row_group_bytes(40_000);
    let parquet = trevni_parquet::to_parquet(&Reader::from_slice(&column_file).unwrap(), options, Vec::new());
    let file = ParquetFile::of_source(parquet.unwrap()).unwrap();
    let count = file.row_group_count();
    assert!(count > 2, "{count}");
    let rows = |reader: trevni_parquet::ParquetReaderBuilder| {
        let batches = reader.read(&file).unwrap();
        batches.map(|batch| batch.unwrap().num_rows()).sum::<usize>()
    };
    let sizes: Vec<u64> = file.row_groups().map(|group| group.rows).collect();
    assert_eq!(rows(ParquetReader::builder().row_groups(1..count)) as u64, sizes[1..].iter().sum::<u64>());
    assert_eq!(rows(ParquetReader::builder().limit(17)), 17);
    assert_eq!(rows(ParquetReader::builder().row_groups(1..2).limit(5)), 5);
    assert_eq!(rows(ParquetReader::builder().row_groups(0..0)), 0);
    assert_eq!(rows(ParquetReader::builder()), 50_000);
}

#[test]
fn guarded_calls_are_known() {
    assert!(!trevni_parquet::is_guarded());
    let _ = ParquetFile::of_source(b"PAR1aaaaaaaaaaaaaaaPAR1".to_vec());
    assert!(!trevni_parquet::is_guarded());
}
