//! Arrow arrays as JSON, in the form of `tests/data/expected.py`.

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, FieldRef, TimeUnit};
use serde_json::{Map, Value, json};

pub(super) fn rows(batch: &RecordBatch) -> Vec<Value> {
    let row = |row: usize| {
        let cells = batch.schema_ref().fields().iter().zip(batch.columns());
        let cell = |(field, column): (&FieldRef, &ArrayRef)| (field.name().clone(), value(column, row));
        Value::Object(cells.map(cell).collect::<Map<_, _>>())
    };
    (0..batch.num_rows()).map(row).collect()
}

fn hex(bytes: &[u8]) -> Value {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    json!(format!("0x{digits}"))
}

fn float(value: f64) -> Value {
    match value {
        value if value.is_nan() => json!("nan"),
        value if value.is_infinite() => json!(if value > 0.0 { "inf" } else { "-inf" }),
        value => json!(value),
    }
}

fn nanos(unit: TimeUnit, value: i64) -> Value {
    let each = match unit {
        TimeUnit::Second => 1_000_000_000,
        TimeUnit::Millisecond => 1_000_000,
        TimeUnit::Microsecond => 1_000,
        TimeUnit::Nanosecond => 1,
    };
    // Beyond 64 bits a number of JSON is no integer here.
    let value = i128::from(value) * each;
    i64::try_from(value).map_or_else(|_| json!(value.to_string()), |value| json!(value))
}

fn value(array: &dyn Array, row: usize) -> Value {
    if array.is_null(row) || array.data_type() == &DataType::Null {
        return Value::Null;
    }
    macro_rules! number {
        ($type:ty) => {
            json!(array.as_primitive::<$type>().value(row))
        };
    }
    let items = |items: &dyn Array| Value::Array((0..items.len()).map(|at| value(items, at)).collect());
    match array.data_type() {
        DataType::Boolean => json!(array.as_boolean().value(row)),
        DataType::Int8 => number!(Int8Type),
        DataType::Int16 => number!(Int16Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Int64 => number!(Int64Type),
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Date32 => number!(Date32Type),
        DataType::Float16 => float(array.as_primitive::<Float16Type>().value(row).to_f64()),
        DataType::Float32 => float(array.as_primitive::<Float32Type>().value(row).into()),
        DataType::Float64 => float(array.as_primitive::<Float64Type>().value(row)),
        DataType::Utf8 => json!(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => json!(array.as_string::<i64>().value(row)),
        DataType::Binary => hex(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => hex(array.as_binary::<i64>().value(row)),
        DataType::FixedSizeBinary(_) => hex(array.as_fixed_size_binary().value(row)),
        DataType::Decimal128(..) => json!(array.as_primitive::<Decimal128Type>().value_as_string(row)),
        DataType::Decimal256(..) => json!(array.as_primitive::<Decimal256Type>().value_as_string(row)),
        DataType::Time32(TimeUnit::Millisecond) => {
            nanos(TimeUnit::Millisecond, array.as_primitive::<Time32MillisecondType>().value(row).into())
        }
        DataType::Time64(TimeUnit::Microsecond) => {
            nanos(TimeUnit::Microsecond, array.as_primitive::<Time64MicrosecondType>().value(row))
        }
        DataType::Time64(TimeUnit::Nanosecond) => {
            nanos(TimeUnit::Nanosecond, array.as_primitive::<Time64NanosecondType>().value(row))
        }
        DataType::Timestamp(unit @ TimeUnit::Millisecond, _) => {
            nanos(*unit, array.as_primitive::<TimestampMillisecondType>().value(row))
        }
        DataType::Timestamp(unit @ TimeUnit::Microsecond, _) => {
            nanos(*unit, array.as_primitive::<TimestampMicrosecondType>().value(row))
        }
        DataType::Timestamp(unit @ TimeUnit::Nanosecond, _) => {
            nanos(*unit, array.as_primitive::<TimestampNanosecondType>().value(row))
        }
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            value(dictionary.values(), dictionary.normalized_keys()[row])
        }
        DataType::List(_) => items(&array.as_list::<i32>().value(row)),
        DataType::LargeList(_) => items(&array.as_list::<i64>().value(row)),
        DataType::FixedSizeList(..) => items(&array.as_fixed_size_list().value(row)),
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            let member = |(field, column): (&FieldRef, &ArrayRef)| (field.name().clone(), value(column, row));
            Value::Object(columns.map(member).collect())
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let pair = |at| json!([value(entries.column(0), at), value(entries.column(1), at)]);
            Value::Array((0..entries.len()).map(pair).collect())
        }
        other => panic!("{other} in a test"),
    }
}
