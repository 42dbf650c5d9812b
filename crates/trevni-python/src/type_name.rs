//! Types by the names that Python's users know: those of pyarrow.

use arrow_schema::{DataType, Field, IntervalUnit, TimeUnit, UnionMode};

/// A field with its type, and whether it may be null.
pub(crate) fn with_type(field: &Field) -> String {
    let null = if field.is_nullable() { "" } else { " not null" };
    format!("{}: {}{null}", field.name(), type_name(field))
}

/// The type of a field.
pub(crate) fn type_name(field: &Field) -> String {
    use DataType::*;
    let within = |name: &str, item: &Field| format!("{name}<{}>", with_type(item));
    match field.data_type() {
        Boolean => "bool".to_owned(),
        Float16 => "halffloat".to_owned(),
        Float32 => "float".to_owned(),
        Float64 => "double".to_owned(),
        Utf8 => "string".to_owned(),
        LargeUtf8 => "large_string".to_owned(),
        Utf8View => "string_view".to_owned(),
        LargeBinary => "large_binary".to_owned(),
        BinaryView => "binary_view".to_owned(),
        FixedSizeBinary(size) => format!("fixed_size_binary[{size}]"),
        Date32 => "date32[day]".to_owned(),
        Date64 => "date64[ms]".to_owned(),
        Time32(unit) => format!("time32[{}]", of_unit(*unit)),
        Time64(unit) => format!("time64[{}]", of_unit(*unit)),
        Timestamp(unit, None) => format!("timestamp[{}]", of_unit(*unit)),
        Timestamp(unit, Some(zone)) => format!("timestamp[{}, tz={zone}]", of_unit(*unit)),
        Duration(unit) => format!("duration[{}]", of_unit(*unit)),
        Interval(IntervalUnit::YearMonth) => "month_interval".to_owned(),
        Interval(IntervalUnit::DayTime) => "day_time_interval".to_owned(),
        Interval(IntervalUnit::MonthDayNano) => "month_day_nano_interval".to_owned(),
        Decimal32(precision, scale) => format!("decimal32({precision}, {scale})"),
        Decimal64(precision, scale) => format!("decimal64({precision}, {scale})"),
        Decimal128(precision, scale) => format!("decimal128({precision}, {scale})"),
        Decimal256(precision, scale) => format!("decimal256({precision}, {scale})"),
        List(item) => within("list", item),
        LargeList(item) => within("large_list", item),
        ListView(item) => within("list_view", item),
        LargeListView(item) => within("large_list_view", item),
        FixedSizeList(item, size) => format!("{}[{size}]", within("fixed_size_list", item)),
        Struct(fields) => {
            let fields: Vec<String> = fields.iter().map(|field| with_type(field)).collect();
            format!("struct<{}>", fields.join(", "))
        }
        Map(entries, is_sorted) => {
            let parts: Vec<String> = match entries.data_type() {
                Struct(parts) => parts.iter().map(|part| type_name(part)).collect(),
                _ => Vec::new(),
            };
            format!("map<{}{}>", parts.join(", "), if *is_sorted { ", keys_sorted" } else { "" })
        }
        Union(fields, mode) => {
            let fields = fields.iter().map(|(id, field)| format!("{}={id}", with_type(field)));
            let mode = if *mode == UnionMode::Sparse { "sparse" } else { "dense" };
            format!("{mode}_union<{}>", fields.collect::<Vec<_>>().join(", "))
        }
        Dictionary(keys, values) => {
            let ordered = u8::from(field.dict_is_ordered().unwrap_or_default());
            let (keys, values) = (of_type(keys), of_type(values));
            format!("dictionary<values={values}, indices={keys}, ordered={ordered}>")
        }
        RunEndEncoded(ends, values) => {
            format!("run_end_encoded<run_ends: {}, values: {}>", type_name(ends), type_name(values))
        }
        // Integers, binary, null.
        other => other.to_string().to_lowercase(),
    }
}

/// A type without a field.
pub(crate) fn of_type(data_type: &DataType) -> String {
    type_name(&Field::new("", data_type.clone(), true))
}

/// The name of a unit of time.
pub(crate) fn of_unit(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Second => "s",
        TimeUnit::Millisecond => "ms",
        TimeUnit::Microsecond => "us",
        TimeUnit::Nanosecond => "ns",
    }
}
