//! Random schemas.

use super::Random;
use arrow_schema::{DataType, Field, Fields, IntervalUnit, Schema, TimeUnit, UnionFields, UnionMode};
use std::collections::HashMap;
use std::sync::Arc;

const NAMES: [&str; 14] =
    ["a", "b", "A", "", "int", "string", "null", "some", "value", "key", "item", "entries", "é x", "_0"];
const UNITS: [TimeUnit; 4] =
    [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond];

pub(crate) fn schema(random: &mut Random) -> Schema {
    let count = 1 + random.below(4);
    let schema = Schema::new(members(random, count, 3));
    match random.chance(2) {
        true => schema.with_metadata(HashMap::from([("origin".to_owned(), "test\"".to_owned())])),
        false => schema,
    }
}

fn members(random: &mut Random, count: usize, depth: usize) -> Fields {
    let mut fields: Vec<Field> = Vec::new();
    for _ in 0..count {
        let name = random.pick(&NAMES);
        if fields.iter().all(|field| field.name() != name) {
            fields.push(field(random, name, depth));
        }
    }
    fields.into()
}

fn field(random: &mut Random, name: &str, depth: usize) -> Field {
    let data_type = data_type(random, depth);
    // Arrow wants fields to be nullable where variants and runs can be null.
    let is_nullable = match &data_type {
        DataType::Null => true,
        DataType::Union(fields, _) => fields.iter().any(|(_, field)| field.is_nullable()),
        DataType::RunEndEncoded(_, values) => values.is_nullable(),
        _ => random.chance(2),
    };
    let field = Field::new(name, data_type, is_nullable);
    match random.chance(4) {
        true => field.with_metadata(HashMap::from([("unit".to_owned(), name.to_owned())])),
        false => field,
    }
}

fn leaf(random: &mut Random) -> DataType {
    use DataType as D;
    let unit = random.pick(&UNITS);
    let zone = random.pick(&[None, Some("UTC"), Some("+02:00"), Some("Europe/Paris")]).map(Into::into);
    let all = [
        D::Null,
        D::Boolean,
        D::Int8,
        D::Int16,
        D::Int32,
        D::Int64,
        D::UInt8,
        D::UInt16,
        D::UInt32,
        D::UInt64,
        D::Float16,
        D::Float32,
        D::Float64,
        D::Timestamp(unit, zone),
        D::Date32,
        D::Date64,
        D::Time32(random.pick(&UNITS[..2])),
        D::Time64(random.pick(&UNITS[2..])),
        D::Duration(unit),
        D::Interval(IntervalUnit::YearMonth),
        D::Interval(IntervalUnit::DayTime),
        D::Interval(IntervalUnit::MonthDayNano),
        D::Binary,
        D::LargeBinary,
        D::BinaryView,
        D::FixedSizeBinary(random.below(20) as i32),
        D::Utf8,
        D::LargeUtf8,
        D::Utf8View,
        D::Decimal32(random.pick(&[1, 9]), random.pick(&[-2, 0, 1])),
        D::Decimal64(18, random.pick(&[-2, 0, 18])),
        D::Decimal128(38, random.pick(&[-2, 0, 38])),
        D::Decimal256(random.pick(&[39, 76]), random.pick(&[-2, 0, 39])),
    ];
    random.pick(&all)
}

fn data_type(random: &mut Random, depth: usize) -> DataType {
    use DataType as D;
    if depth == 0 || random.chance(2) {
        return leaf(random);
    }
    let name = random.pick(&NAMES);
    let item = |random: &mut Random| Arc::new(field(random, name, depth - 1));
    match random.below(12) {
        0 => D::List(item(random)),
        1 => D::LargeList(item(random)),
        2 => D::ListView(item(random)),
        3 => D::LargeListView(item(random)),
        4 => D::FixedSizeList(item(random), random.below(4) as i32),
        5 | 6 => {
            let count = random.below(4);
            D::Struct(members(random, count, depth - 1))
        }
        7 => {
            let key = Field::new(name, leaf_of(random, |kind| *kind != D::Null), false);
            let value = field(random, "v", depth - 1);
            let entries = Field::new("pairs", D::Struct(vec![key, value].into()), false);
            D::Map(Arc::new(entries), random.chance(2))
        }
        8 => union(random, depth, UnionMode::Dense),
        9 => union(random, depth, UnionMode::Sparse),
        10 => {
            let keys = random.pick(&[
                D::Int8,
                D::Int16,
                D::Int32,
                D::Int64,
                D::UInt8,
                D::UInt16,
                D::UInt32,
                D::UInt64,
            ]);
            let values = match random.chance(4) {
                true => D::Struct(members(random, 2, 0)),
                false => leaf_of(random, |kind| *kind != D::Null),
            };
            D::Dictionary(Box::new(keys), Box::new(values))
        }
        _ => {
            let ends = Field::new("ends", random.pick(&[D::Int16, D::Int32, D::Int64]), false);
            D::RunEndEncoded(Arc::new(ends), Arc::new(field(random, name, 0)))
        }
    }
}

fn leaf_of(random: &mut Random, is_good: impl Fn(&DataType) -> bool) -> DataType {
    loop {
        let leaf = leaf(random);
        if is_good(&leaf) {
            return leaf;
        }
    }
}

fn union(random: &mut Random, depth: usize, mode: UnionMode) -> DataType {
    let count = 1 + random.below(4);
    let mut ids: Vec<i8> = Vec::new();
    while ids.len() < count {
        let id = random.below(128) as i8;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let fields = ids.iter().map(|_| {
        let name = random.pick(&NAMES);
        let variant = match random.chance(3) {
            true => Field::new("null", DataType::Null, true),
            false => field(random, name, depth - 1),
        };
        match mode {
            UnionMode::Dense => variant,
            // Slots that are not chosen are null, since `==` compares them too.
            UnionMode::Sparse => {
                // Arrow's kernel loses the number of bytes of no size.
                let leaf = leaf_of(random, |kind| *kind != DataType::FixedSizeBinary(0));
                Field::new(variant.name(), leaf, true)
            }
        }
    });
    let fields: Vec<Field> = fields.collect();
    DataType::Union(UnionFields::try_new(ids, fields).unwrap(), mode)
}
