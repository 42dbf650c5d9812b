//! Logical types pass from a schema to the file and back, and values are what their storage says.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use trevni::shape::Logical;
use trevni::{Dataset, Reader, Shape, Writer, col};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Sale {
    day: i32,
    at: Option<i64>,
    id: String,
    cents: Vec<u64>,
}

fn shape() -> Shape {
    let at = Shape::logical(Logical::TimestampMicros, Shape::Long).unwrap();
    let cents = Shape::logical(Logical::Other("cents".into()), Shape::U64).unwrap();
    Shape::record(
        "Sale",
        [
            ("day", Shape::logical(Logical::Date, Shape::Int).unwrap()),
            ("at", Shape::optional(at)),
            ("id", Shape::logical(Logical::Uuid, Shape::String).unwrap()),
            ("cents", Shape::list(cents)),
        ],
    )
}

fn sales() -> Vec<Sale> {
    (0..50)
        .map(|n| Sale {
            day: 15_000 + n,
            at: (n % 3 > 0).then_some(1_000_000 * i64::from(n)),
            id: format!("00000000-0000-0000-0000-0000000000{n:02}"),
            cents: (0..n as u64 % 4).map(|n| u64::MAX - n).collect(),
        })
        .collect()
}

fn file(rows: &[Sale]) -> Vec<u8> {
    let mut writer = Writer::builder().shape(&shape()).build(Vec::new()).unwrap();
    rows.iter().for_each(|row| writer.write(row).unwrap());
    writer.finish().unwrap()
}

#[test]
fn a_file_keeps_the_logical_types_of_its_shape() {
    let file = file(&sales());
    let reader = Reader::from_slice(&file).unwrap();
    assert_eq!(*reader.shape(), shape());
    assert_eq!(reader.shape().to_string().lines().nth(1), Some("  day: date (int)"));
    assert_eq!(reader.rows::<Sale>().unwrap().collect::<Result<Vec<_>, _>>().unwrap(), sales());
    assert_eq!(reader.row::<Sale>(7).unwrap(), sales()[7]);
    let value: Value = reader.row(4).unwrap();
    assert_eq!(value["cents"], json!([]));
    assert_eq!(reader.column::<i32>("day").unwrap()[3], 15_003);
    assert_eq!(reader.column::<Option<i64>>("at").unwrap()[..3], [None, Some(1_000_000), Some(2_000_000)]);
    let late: Vec<Sale> =
        reader.filter(col("day").ge(15_040)).unwrap().rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(late, sales()[40..]);
}

#[test]
fn batches_and_values_of_logical_types_go_from_file_to_file() {
    let file = file(&sales());
    let reader = Reader::from_slice(&file).unwrap();
    let mut writer = Writer::builder().shape(reader.shape()).build(Vec::new()).unwrap();
    let mut batches = reader.batches().unwrap();
    while let Some(batch) = batches.next().transpose().unwrap() {
        writer.write_batch(&batch).unwrap();
    }
    assert!(writer.finish().unwrap() == file);

    let mut writer = Writer::builder().shape(&shape()).build(Vec::new()).unwrap();
    let rows: Vec<Value> = trevni::from_slice(&file).unwrap();
    rows.iter().for_each(|row| writer.write(row).unwrap());
    assert!(writer.finish().unwrap() == file);
}

#[test]
fn a_value_that_the_storage_cannot_hold_is_refused() {
    let mut writer = Writer::builder().shape(&shape()).build(Vec::new()).unwrap();
    let error = writer.write(&json!({"day": "2011-02-29", "id": "", "cents": []})).unwrap_err().to_string();
    assert_eq!(error, "row 0, day: string \"2011-02-29\" does not fit the given shape date");
    let error = Shape::logical(Logical::Duration, Shape::Long).unwrap_err().to_string();
    assert!(error.ends_with("duration cannot be stored as long"), "{error}");
}

#[test]
fn rows_after_a_batch_keep_its_logical_types_while_they_fit() {
    #[derive(Serialize)]
    struct Wide<'a> {
        day: i64,
        at: Option<&'a str>,
        id: Option<&'a str>,
        cents: &'a [u64],
    }
    let file = file(&sales());
    let mut batches = Reader::from_slice(&file).unwrap().batches().unwrap();
    let batch = batches.next().unwrap().unwrap();
    let written = |rows: &dyn Fn(&mut Writer<Vec<u8>>)| {
        let mut writer = Writer::new(Vec::new()).unwrap();
        writer.write_batch(&batch).unwrap();
        rows(&mut writer);
        let file = writer.finish().unwrap();
        let shape = Reader::from_slice(&file).unwrap().shape().clone();
        (shape, trevni::from_slice::<Vec<Value>>(&file).unwrap())
    };
    let (same, rows) = written(&|writer| writer.write(&sales()[1]).unwrap());
    assert_eq!(same, shape());
    assert_eq!(rows.last(), Some(&rows[1]));

    let wide = Wide { day: 1 << 40, at: Some("soon"), id: None, cents: &[7] };
    let (grown, rows) = written(&|writer| writer.write(&wide).unwrap());
    assert_eq!(rows[batch.len()], json!({"day": 1_i64 << 40, "at": "soon", "id": null, "cents": [7]}));
    assert_eq!(rows[1], json!({"day": 15_001, "at": 1_000_000, "id": sales()[1].id, "cents": [u64::MAX]}));
    let Shape::Record(record) = grown else { unreachable!() };
    let shapes: Vec<&Shape> = record.fields.iter().map(|field| &field.shape).collect();
    assert_eq!(*shapes[0], Shape::Long, "what no longer fits is a plain number");
    assert_eq!(shapes[1].to_string(), "optional union\n  | timestamp-micros (long)\n  | string");
    assert_eq!(shapes[2].to_string(), "optional uuid (string)");
    assert_eq!(shapes[3].to_string(), "list of cents (u64)");
}

#[test]
fn parts_keep_a_logical_type_that_all_of_them_have() {
    let plain = trevni::to_vec([Sale { day: 1, at: None, id: "x".into(), cents: vec![2] }]).unwrap();
    let both = |one: Vec<u8>, two: Vec<u8>| {
        let folder =
            std::env::temp_dir().join(format!("trevni-logical-{}-{}", std::process::id(), one.len()));
        std::fs::create_dir_all(&folder).unwrap();
        let paths = [folder.join("1.trv"), folder.join("2.trv")];
        paths.iter().zip([one, two]).for_each(|(path, bytes)| std::fs::write(path, bytes).unwrap());
        let dataset = Dataset::open(&folder).unwrap();
        let (shape, rows) = (dataset.shape().clone(), dataset.rows::<Sale>().unwrap().count());
        std::fs::remove_dir_all(&folder).unwrap();
        (shape, rows)
    };
    let (same, rows) = both(file(&sales()), file(&sales()[..9]));
    assert_eq!((same, rows), (shape(), 59));
    let (mixed, rows) = both(file(&sales()), plain);
    assert_eq!(rows, 51);
    let Shape::Record(record) = mixed else { unreachable!() };
    assert_eq!(record.fields[0].shape, Shape::Int, "days beside plain integers are integers");
}
