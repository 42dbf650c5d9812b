//! Stored schemas that do not fit the columns, or are no schemas: the rows are read all the same.

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_schema::DataType;
use trevni::{Reader, Shape, Writer};
use trevni_arrow::{ARROW_SCHEMA, ArrowReader, schema_of_reader};

/// A file with rows of an int and an optional list of texts, and this stored schema.
fn file(schema: &str) -> Vec<u8> {
    let mut writer = Writer::builder().metadata(ARROW_SCHEMA, schema).build(Vec::new()).unwrap();
    writer.write_all([(1, Some(vec!["a"])), (2, None), (3, Some(vec![]))]).unwrap();
    writer.finish().unwrap()
}

#[test]
fn a_schema_that_does_not_fit_is_ignored() {
    for schema in [
        "",
        "[]",
        r#"{"fields":[]}"#,
        r#"{"fields":[{"name":"other","type":"utf8"}]}"#,
        r#"{"fields":[{"name":"_0","type":"utf8"}]}"#,
        r#"{"fields":[{"name":"_0","type":"int32","nullable":true}]}"#,
        r#"{"fields":[{"name":"_0","type":["decimal32",255,-128]}]}"#,
        r#"{"fields":[{"name":"_0","type":"list","children":1},{"name":"x","type":"int32"}]}"#,
        r#"{"fields":[{"name":"_1","type":"struct","children":0,"nullable":true}]}"#,
    ] {
        let file = file(schema);
        let reader = Reader::from_slice(&file).unwrap();
        let schema = schema_of_reader(&reader).unwrap();
        assert_eq!(schema.field(0).data_type(), &DataType::Int32);
        assert!(matches!(schema.field(1).data_type(), DataType::List(_)));
        let batch = ArrowReader::new(&reader).unwrap().next().unwrap().unwrap();
        assert_eq!(batch.column(0).as_primitive::<Int32Type>().values(), &[1, 2, 3]);
    }
}

#[test]
fn parts_of_a_schema_that_fit_are_taken() {
    let file = file(
        r#"{"fields":[{"name":"_1","type":"large_list","nullable":true,"children":1},{"name":"x","type":"int8"}]}"#,
    );
    let reader = Reader::from_slice(&file).unwrap();
    let DataType::LargeList(item) = schema_of_reader(&reader).unwrap().field(1).data_type().clone() else {
        panic!("no large list")
    };
    assert_eq!((item.name().as_str(), item.data_type()), ("x", &DataType::Utf8));
    assert_eq!(ArrowReader::new(&reader).unwrap().next().unwrap().unwrap().num_rows(), 3);
}

#[test]
fn sizes_that_lie_take_no_memory() {
    let huge = r#"{"fields":[{"name":"_1","type":["fixed_size_list",2147483647],"nullable":true,"children":1},{"name":"x","type":"utf8"}]}"#;
    let list = Shape::tuple([Shape::Int, Shape::optional(Shape::list(Shape::String))]);
    let mut typed = Writer::builder().shape(&list).metadata(ARROW_SCHEMA, huge).build(Vec::new()).unwrap();
    typed.write_all([(1, None::<Vec<&str>>), (2, None)]).unwrap();
    let file = typed.finish().unwrap();
    let error = ArrowReader::new(&Reader::from_slice(&file).unwrap()).unwrap().next().unwrap().unwrap_err();
    assert!(error.to_string().contains("field _1"), "{error}");
    let lists = self::file(huge);
    let error = ArrowReader::new(&Reader::from_slice(&lists).unwrap()).unwrap().next().unwrap().unwrap_err();
    assert!(error.to_string().contains("a list of 1 items"), "{error}");
}
