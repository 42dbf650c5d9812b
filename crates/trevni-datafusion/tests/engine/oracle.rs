//! Generated tables and queries: the same answers as on tables in memory and on Parquet.

use crate::support::{Folder, run, session_of};
use datafusion::arrow::array::{ArrayRef, RecordBatch, StructArray, new_null_array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::datasource::MemTable;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion::scalar::ScalarValue;
use std::sync::Arc;
use trevni::Writer;
use trevni_arrow::ArrowWriter;

/// A generator of numbers, the same ones for the same seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub(crate) fn pick<'v, V>(&mut self, values: &'v [V]) -> &'v V {
        &values[self.below(values.len())]
    }
}

/// A column: its values, as they are in a table and in a query.
struct Column {
    name: &'static str,
    data_type: DataType,
    pool: Vec<(ScalarValue, String)>,
}

const LONG: &str = "a text of more than thirty-two bytes, ";

fn dictionary() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

fn columns() -> Vec<Column> {
    let of = |name, data_type: DataType, pool: Vec<(ScalarValue, String)>| Column { name, data_type, pool };
    let texts = ["", "a", "b", "ab", "ü", "\u{10ffff}", "%", "a_b"];
    let long = ["x", "y", "\u{10ffff}"].map(|end| format!("{LONG}{end}"));
    let text = |text: &str| (ScalarValue::from(text), format!("'{text}'"));
    let float = |value: f64| {
        let shown = if value.is_nan() {
            "CAST('NaN' AS DOUBLE)".to_owned()
        } else {
            format!("CAST('{value:?}' AS DOUBLE)")
        };
        (ScalarValue::from(value), shown)
    };
    let time = |micros: i64| {
        let value = ScalarValue::TimestampMicrosecond(Some(micros), None);
        let shown = format!("arrow_cast({micros}, 'Timestamp(Microsecond, None)')");
        (value, shown)
    };
    let decimal = |value: i128| {
        let scalar = ScalarValue::Decimal128(Some(value), 12, 3);
        (
            scalar,
            format!(
                "CAST('{}{}.{:03}' AS DECIMAL(12, 3))",
                if value < 0 { "-" } else { "" },
                value.abs() / 1000,
                value.abs() % 1000
            ),
        )
    };
    let second = |seconds: i64| {
        let value = ScalarValue::TimestampSecond(Some(seconds), None);
        (value, format!("arrow_cast({seconds}, 'Timestamp(Second, None)')"))
    };
    let key = |text: &str| {
        let value = ScalarValue::Dictionary(Box::new(DataType::Int32), Box::new(ScalarValue::from(text)));
        (value, format!("'{text}'"))
    };
    let single = |value: f32| (ScalarValue::from(value), format!("CAST('{value:?}' AS REAL)"));
    let bytes = |bytes: &[u8]| {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        (ScalarValue::Binary(Some(bytes.to_vec())), format!("X'{hex}'"))
    };
    let day = |day: i32| (ScalarValue::Date32(Some(day)), format!("arrow_cast({day}, 'Date32')"));
    vec![
        of(
            "i",
            DataType::Int32,
            [-2, -1, 0, 1, 7, i32::MAX, i32::MIN].map(|n| (n.into(), format!("CAST({n} AS INT)"))).into(),
        ),
        of(
            "l",
            DataType::Int64,
            [0, 1, 5_000_000_000, i64::MIN + 1, i64::MAX].map(|n| (n.into(), n.to_string())).into(),
        ),
        of(
            "u",
            DataType::UInt64,
            [0, 1, u64::MAX, 1 << 63].map(|n| (n.into(), format!("CAST('{n}' AS BIGINT UNSIGNED)"))).into(),
        ),
        of(
            "f",
            DataType::Float64,
            [0.0, -0.0, 1.5, -1.5, f64::NAN, -f64::NAN, f64::INFINITY, 1e300].map(float).into(),
        ),
        of(
            "t",
            DataType::Utf8,
            texts.iter().copied().chain(long.iter().map(String::as_str)).map(text).collect(),
        ),
        of("b", DataType::Boolean, [true, false].map(|b| (b.into(), b.to_string())).into()),
        of(
            "w",
            DataType::Timestamp(TimeUnit::Microsecond, None),
            [0, -1, 1_700_000_000_000_000, 1].map(time).into(),
        ),
        of("d", DataType::Decimal128(12, 3), [0, 1, -1, 1500, -129_000, 999_999_999_999].map(decimal).into()),
        of("z", DataType::Timestamp(TimeUnit::Second, None), [0, -1, 1_700_000_000].map(second).into()),
        of("k", dictionary(), ["", "a", "zz"].map(key).into()),
        of("h", DataType::Float32, [0.5_f32, -0.0, 0.0, 1e30].map(single).into()),
        of("n", DataType::Binary, [&b""[..], b"\x00", b"\xff\xff", b"ab"].map(bytes).into()),
        of("y", DataType::Date32, [0, -1, 19_000].map(day).into()),
    ]
}

/// Rows of a file: the fields that it has, with nulls at all levels. Runs of one value make blocks that can be skipped.
fn batch(random: &mut Random, columns: &[Column], rows: usize) -> RecordBatch {
    let mut fields: Vec<(Field, ArrayRef)> = Vec::new();
    for column in columns {
        fields.push((Field::new(column.name, column.data_type.clone(), true), values(random, column, rows)));
    }
    let inner: Vec<(Arc<Field>, ArrayRef)> = fields
        .iter()
        .filter(|(field, _)| ["i", "f", "t"].contains(&field.name().as_str()))
        .map(|(field, _)| {
            let column = columns.iter().find(|column| column.name == field.name()).unwrap();
            (Arc::new(field.clone()), values(random, column, rows))
        })
        .collect();
    let (inner_fields, arrays): (Vec<_>, Vec<_>) = inner.into_iter().unzip();
    let nulls: Vec<bool> = (0..rows).map(|_| random.below(5) > 0).collect();
    let masked = arrays.iter().map(|array| mask(array, &nulls)).collect();
    let records = StructArray::new(inner_fields.clone().into(), masked, Some(nulls.into()));
    fields.push((Field::new("s", DataType::Struct(inner_fields.into()), true), Arc::new(records)));
    let (fields, arrays): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap()
}

/// What is under a null is null.
fn mask(array: &ArrayRef, there: &[bool]) -> ArrayRef {
    let null = ScalarValue::try_from(array.data_type()).unwrap();
    let values = there.iter().enumerate().map(|(row, there)| match there {
        true => ScalarValue::try_from_array(array, row).unwrap(),
        false => null.clone(),
    });
    ScalarValue::iter_to_array(values).unwrap()
}

fn values(random: &mut Random, column: &Column, rows: usize) -> ArrayRef {
    let null = ScalarValue::try_from(&column.data_type).unwrap();
    let mut all: Vec<ScalarValue> = Vec::with_capacity(rows);
    while all.len() < rows {
        let value = if random.below(4) == 0 { null.clone() } else { random.pick(&column.pool).0.clone() };
        let longest = *random.pick(&[1, 3, 200]);
        let run = 1 + random.below(longest.min(rows - all.len()));
        all.extend(std::iter::repeat_n(value, run));
    }
    ScalarValue::iter_to_array(all).unwrap()
}

/// A condition on the fields.
fn condition(random: &mut Random, columns: &[Column], depth: usize) -> String {
    if depth > 0 && random.below(2) == 0 {
        let (one, two) = (condition(random, columns, depth - 1), condition(random, columns, depth - 1));
        return match random.below(3) {
            0 => format!("({one} AND {two})"),
            1 => format!("({one} OR {two})"),
            _ => format!("NOT ({one})"),
        };
    }
    let column = random.pick(columns);
    let is_nested = ["i", "f", "t"].contains(&column.name) && random.below(3) == 0;
    let field = if is_nested { format!("s['{}']", column.name) } else { column.name.to_owned() };
    let (one, two) = (random.pick(&column.pool).1.clone(), random.pick(&column.pool).1.clone());
    match random.below(9) {
        0 => format!("{field} IS NULL"),
        1 => format!("{field} IS NOT NULL"),
        2 => format!("{field} IN ({one}, {two})"),
        3 => format!("{field} NOT IN ({one}, {two})"),
        4 => format!("{field} BETWEEN {one} AND {two}"),
        5 if column.name == "t" => {
            format!(
                "{field} {} '{}'",
                random.pick(&["LIKE", "NOT LIKE"]),
                random.pick(&["a%", "%b", "a_b", "%b%", "a%b%", "%a_%", &format!("{LONG}%"), "%", "%%"])
            )
        }
        5 if column.name == "b" => field,
        6 if column.name == "i" || column.name == "l" => format!("{field} % 2 = 1"),
        _ => format!("{field} {} {one}", random.pick(&["=", "<>", "<", "<=", ">", ">="])),
    }
}

/// A query, whose answer has one order of rows.
fn query(random: &mut Random, columns: &[Column]) -> String {
    let condition = condition(random, columns, 3);
    let (a, b) = (random.pick(columns).name, random.pick(columns).name);
    match random.below(6) {
        0 => format!("SELECT count(*), count({a}), min({a}), max({b}) FROM t WHERE {condition}"),
        // The least of a group with NaN depends on the order of the engine's partitions.
        1 if ["f", "h"].contains(&b) => {
            format!("SELECT {a}, count(*), count({b}) FROM t WHERE {condition} GROUP BY {a} ORDER BY {a}")
        }
        1 => format!("SELECT {a}, count(*), min({b}) FROM t WHERE {condition} GROUP BY {a} ORDER BY {a}"),
        2 => format!("SELECT row, {a}, s FROM t WHERE {condition} ORDER BY row"),
        3 => format!("SELECT row, {a} FROM t WHERE {condition} ORDER BY {a} DESC NULLS LAST, row LIMIT 7"),
        4 => format!("SELECT row, s['i'] + 0.5, {b} IS NULL FROM t WHERE {condition} ORDER BY row LIMIT 50"),
        _ => format!("SELECT min({a}), max({a}), count({b}), count(*) FROM t"),
    }
}

fn write(path: &str, batches: &[RecordBatch], codec: trevni::Codec) {
    let options = Writer::builder().block_size(512).codec(codec);
    let mut writer = ArrowWriter::create_with_options(options, path, batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
}

/// The same rows with the columns of all files.
fn widened(batch: &RecordBatch, schema: &SchemaRef) -> RecordBatch {
    let array = |field: &Arc<Field>| match batch.column_by_name(field.name()) {
        Some(array) => datafusion::arrow::compute::cast(array, field.data_type()).unwrap(),
        None => new_null_array(field.data_type(), batch.num_rows()),
    };
    RecordBatch::try_new(Arc::clone(schema), schema.fields().iter().map(array).collect()).unwrap()
}

/// A table in memory, in Trevni and in Parquet: three files, of which one lacks columns and one has smaller integers.
async fn sessions(random: &mut Random, folder: &Folder) -> [SessionContext; 3] {
    let mut files = Vec::new();
    let mut first_row = 0;
    for file in 0..3 {
        let rows = *random.pick(&[1, 300, 1000]);
        let mut some = columns();
        match file {
            1 => some.retain(|column| !["d", "b", "w"].contains(&column.name)),
            2 => {
                let long = some.iter_mut().find(|column| column.name == "l").unwrap();
                long.data_type = DataType::Int32;
                long.pool = [0, 1, 7, -5].map(|n: i32| (n.into(), n.to_string())).into();
            }
            _ => {}
        }
        let mut batch = batch(random, &some, rows);
        let numbers: ArrayRef = Arc::new(datafusion::arrow::array::Int64Array::from_iter_values(
            first_row..first_row + rows as i64,
        ));
        first_row += rows as i64;
        let mut fields: Vec<Arc<Field>> = batch.schema().fields().to_vec();
        let mut arrays = batch.columns().to_vec();
        fields.insert(0, Arc::new(Field::new("row", DataType::Int64, false)));
        arrays.insert(0, numbers);
        batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap();
        files.push(batch);
    }
    let schema = files[0].schema();
    let new = || session_of(SessionConfig::new().with_target_partitions(2).with_batch_size(64));
    let (memory, trevni, parquet) = (new(), new(), new());
    let widened: Vec<RecordBatch> = files.iter().map(|batch| widened(batch, &schema)).collect();
    memory.register_table("t", Arc::new(MemTable::try_new(schema, vec![widened]).unwrap())).unwrap();
    std::fs::create_dir(folder.join("trevni")).unwrap();
    let codecs = [trevni::Codec::Null, trevni::Codec::Typed, trevni::Codec::Snappy];
    for (number, (batch, codec)) in files.iter().zip(codecs).enumerate() {
        write(&folder.join(&format!("trevni/part-{number}.trv")), std::slice::from_ref(batch), codec);
    }
    run(&memory, &format!("COPY t TO '{}' STORED AS PARQUET", folder.join("parquet/"))).await.unwrap();
    for (session, format) in [(&trevni, "trevni"), (&parquet, "parquet")] {
        let at = folder.join(&format!("{format}/"));
        run(session, &format!("CREATE EXTERNAL TABLE t STORED AS {format} LOCATION '{at}'")).await.unwrap();
    }
    [memory, trevni, parquet]
}

/// The answer, or that there is an error.
async fn answer(session: &SessionContext, sql: &str) -> Result<String, ()> {
    let batches = run(session, sql).await.map_err(|_| ())?;
    Ok(datafusion::arrow::util::pretty::pretty_format_batches(&batches).unwrap().to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn generated_queries_have_the_answers_of_tables_in_memory() {
    let columns = columns();
    let (mut with_rows, mut failed) = (0, 0);
    for seed in 0..6 {
        let mut random = Random(seed);
        let folder = Folder::new();
        let [memory, trevni, parquet] = sessions(&mut random, &folder).await;
        for _ in 0..80 {
            let sql = query(&mut random, &columns);
            let expected = answer(&memory, &sql).await;
            let found = answer(&trevni, &sql).await;
            assert_eq!(found, expected, "seed {seed}: {sql}");
            // Parquet's statistics know no signs of NaN.
            if !sql.split(|c: char| !c.is_alphanumeric()).any(|word| word == "f" || word == "h") {
                assert_eq!(answer(&parquet, &sql).await, expected, "seed {seed}, Parquet: {sql}");
            }
            match expected {
                Ok(table) if table.lines().count() > 4 => with_rows += 1,
                Ok(_) => {}
                Err(()) => failed += 1,
            }
        }
    }
    assert!(with_rows > 250 && failed < 20, "{with_rows} with rows, {failed} failed");
}
