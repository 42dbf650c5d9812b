//! The type of a field: a word, or a list of a word and its numbers and strings.

use arrow_schema::{DataType, FieldRef, IntervalUnit, TimeUnit, UnionFields, UnionMode};
use serde_json::{Value, json};

/// Types that are a word alone.
const WORDS: [(&str, DataType); 24] = [
    ("null", DataType::Null),
    ("bool", DataType::Boolean),
    ("int8", DataType::Int8),
    ("int16", DataType::Int16),
    ("int32", DataType::Int32),
    ("int64", DataType::Int64),
    ("uint8", DataType::UInt8),
    ("uint16", DataType::UInt16),
    ("uint32", DataType::UInt32),
    ("uint64", DataType::UInt64),
    ("float16", DataType::Float16),
    ("float32", DataType::Float32),
    ("float64", DataType::Float64),
    ("utf8", DataType::Utf8),
    ("large_utf8", DataType::LargeUtf8),
    ("utf8_view", DataType::Utf8View),
    ("binary", DataType::Binary),
    ("large_binary", DataType::LargeBinary),
    ("binary_view", DataType::BinaryView),
    ("date32", DataType::Date32),
    ("date64", DataType::Date64),
    ("interval_year_month", DataType::Interval(IntervalUnit::YearMonth)),
    ("interval_day_time", DataType::Interval(IntervalUnit::DayTime)),
    ("interval_month_day_nano", DataType::Interval(IntervalUnit::MonthDayNano)),
];

const UNITS: [(&str, TimeUnit); 4] = [
    ("s", TimeUnit::Second),
    ("ms", TimeUnit::Millisecond),
    ("us", TimeUnit::Microsecond),
    ("ns", TimeUnit::Nanosecond),
];

fn word(data_type: &DataType) -> Option<&'static str> {
    WORDS.iter().find(|(_, known)| known == data_type).map(|(word, _)| *word)
}

fn of_word(word: &str) -> Option<DataType> {
    WORDS.iter().find(|(known, _)| *known == word).map(|(_, data_type)| data_type.clone())
}

fn unit_name(unit: TimeUnit) -> &'static str {
    UNITS.iter().find(|(_, known)| *known == unit).map_or("s", |(name, _)| name)
}

fn unit(name: Option<&Value>) -> Option<TimeUnit> {
    let name = name?.as_str()?;
    UNITS.iter().find(|(known, _)| *known == name).map(|(_, unit)| *unit)
}

/// The JSON of a type, without the fields within it.
pub(super) fn write(data_type: &DataType) -> Value {
    use DataType as D;
    match data_type {
        D::Timestamp(unit, None) => json!(["timestamp", unit_name(*unit)]),
        D::Timestamp(unit, Some(zone)) => json!(["timestamp", unit_name(*unit), &**zone]),
        D::Time32(unit) => json!(["time32", unit_name(*unit)]),
        D::Time64(unit) => json!(["time64", unit_name(*unit)]),
        D::Duration(unit) => json!(["duration", unit_name(*unit)]),
        D::FixedSizeBinary(size) => json!(["fixed_size_binary", size]),
        D::Decimal32(precision, scale) => json!(["decimal32", precision, scale]),
        D::Decimal64(precision, scale) => json!(["decimal64", precision, scale]),
        D::Decimal128(precision, scale) => json!(["decimal128", precision, scale]),
        D::Decimal256(precision, scale) => json!(["decimal256", precision, scale]),
        D::List(_) => json!("list"),
        D::LargeList(_) => json!("large_list"),
        D::ListView(_) => json!("list_view"),
        D::LargeListView(_) => json!("large_list_view"),
        D::FixedSizeList(_, size) => json!(["fixed_size_list", size]),
        D::Struct(_) => json!("struct"),
        D::Map(_, false) => json!("map"),
        D::Map(_, true) => json!("sorted_map"),
        D::Union(fields, mode) => {
            let ids: Vec<i8> = fields.iter().map(|(id, _)| id).collect();
            json!([if *mode == UnionMode::Sparse { "sparse_union" } else { "dense_union" }, ids])
        }
        D::Dictionary(keys, _) => json!(["dictionary", word(keys)]),
        D::RunEndEncoded(..) => json!("run_end_encoded"),
        other => json!(word(other)),
    }
}

/// The type that JSON says, of these fields.
pub(super) fn read(value: &Value, children: Vec<FieldRef>) -> Option<DataType> {
    let (word, parts) = match value {
        Value::String(word) => (word.as_str(), &[][..]),
        Value::Array(parts) => {
            let (first, rest) = parts.split_first()?;
            (first.as_str()?, rest)
        }
        _ => return None,
    };
    if children.is_empty()
        && let Some(plain) = leaf(word, parts)
    {
        return Some(plain);
    }
    nested(word, parts, children)
}

fn leaf(word: &str, parts: &[Value]) -> Option<DataType> {
    use DataType as D;
    let digits = || {
        let precision = u8::try_from(parts.first()?.as_u64()?).ok()?;
        Some((precision, i8::try_from(parts.get(1)?.as_i64()?).ok()?))
    };
    Some(match word {
        "timestamp" => {
            let zone = match parts.get(1) {
                Some(zone) => Some(zone.as_str()?.into()),
                None => None,
            };
            D::Timestamp(unit(parts.first())?, zone)
        }
        "time32" => match unit(parts.first())? {
            unit @ (TimeUnit::Second | TimeUnit::Millisecond) => D::Time32(unit),
            _ => return None,
        },
        "time64" => match unit(parts.first())? {
            unit @ (TimeUnit::Microsecond | TimeUnit::Nanosecond) => D::Time64(unit),
            _ => return None,
        },
        "duration" => D::Duration(unit(parts.first())?),
        "fixed_size_binary" => D::FixedSizeBinary(size(parts)?),
        "decimal32" => digits().map(|(precision, scale)| D::Decimal32(precision, scale))?,
        "decimal64" => digits().map(|(precision, scale)| D::Decimal64(precision, scale))?,
        "decimal128" => digits().map(|(precision, scale)| D::Decimal128(precision, scale))?,
        "decimal256" => digits().map(|(precision, scale)| D::Decimal256(precision, scale))?,
        word => return of_word(word),
    })
}

/// A number of bytes or items, which is not negative.
fn size(parts: &[Value]) -> Option<i32> {
    i32::try_from(parts.first()?.as_u64()?).ok()
}

fn nested(word: &str, parts: &[Value], children: Vec<FieldRef>) -> Option<DataType> {
    use DataType as D;
    match word {
        "struct" => return Some(D::Struct(children.into())),
        "sparse_union" | "dense_union" => {
            let ids = parts.first()?.as_array()?.iter();
            let ids = ids.map(|id| i8::try_from(id.as_i64()?).ok()).collect::<Option<Vec<_>>>()?;
            let mode = if word == "sparse_union" { UnionMode::Sparse } else { UnionMode::Dense };
            return (ids.len() == children.len())
                .then(|| UnionFields::try_new(ids, children).ok())?
                .map(|fields| D::Union(fields, mode));
        }
        _ => {}
    }
    let mut children = children.into_iter();
    let made = match (word, children.next()?, children.next()) {
        ("list", item, None) => D::List(item),
        ("large_list", item, None) => D::LargeList(item),
        ("list_view", item, None) => D::ListView(item),
        ("large_list_view", item, None) => D::LargeListView(item),
        ("fixed_size_list", item, None) => D::FixedSizeList(item, size(parts)?),
        ("map", entries, None) => D::Map(entries, false),
        ("sorted_map", entries, None) => D::Map(entries, true),
        ("dictionary", values, None) => {
            let keys = of_word(parts.first()?.as_str()?).filter(DataType::is_dictionary_key_type)?;
            D::Dictionary(Box::new(keys), Box::new(values.data_type().clone()))
        }
        ("run_end_encoded", ends, Some(values)) => {
            if !ends.data_type().is_run_ends_type() {
                return None;
            }
            D::RunEndEncoded(ends, values)
        }
        _ => return None,
    };
    children.next().is_none().then_some(made)
}
