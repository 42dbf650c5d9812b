//! Aggregates of the rows of files, as one batch.

use crate::error::Failure;
use crate::filter::needs_cast;
use crate::view::View;
use arrow_array::types::Decimal256Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int64Array,
    NullArray, PrimitiveArray, RecordBatch, RecordBatchOptions, StringArray, Time64MicrosecondArray,
    Time64NanosecondArray, TimestampMicrosecondArray, TimestampNanosecondArray,
};
use arrow_buffer::i256;
use arrow_schema::{Field, Schema};
use std::str::FromStr;
use std::sync::Arc;
use trevni::{Reader, Shape};
use trevni_query::aggregate::{Aggregate, Groups, State};
use trevni_query::paths::FieldPath;
use trevni_query::{Binder, BoundExpression, Expression, MomentKind, Scalar, Scope};

/// The rows of a view come to this: the keys of each group, and its aggregates.
pub(crate) fn of_view(view: &View, aggregates: &[String], by: &[String]) -> Result<RecordBatch, Failure> {
    let keys = by.iter().map(|text| Expression::named(text)).collect::<Result<Vec<_>, _>>()?;
    let aggregates = aggregates.iter().map(|text| Aggregate::parse(text)).collect::<Result<Vec<_>, _>>()?;
    let of = aggregates.iter().filter_map(|aggregate| aggregate.of.as_ref());
    let expressions: Vec<&Expression> = keys.iter().map(|(_, key)| key).chain(of).collect();
    let fields = |shape: &Shape| -> Vec<FieldPath> {
        expressions.iter().flat_map(|expression| expression.fields(shape)).collect()
    };
    // A field that no file has is an error, one that some lack is null there.
    let whole = Binder::new(view.whole_shape());
    expressions.iter().try_for_each(|expression| expression.bind(&whole).map(drop))?;
    if let Some(name) = needs_cast(view.table(), fields)? {
        let message = format!("field {name} has other types in some of the files: read them to Arrow");
        return Err(Failure::unsupported(message));
    }
    let mut grouping = Grouping {
        keys: keys.iter().map(|(_, key)| key).collect(),
        groups: Groups::new(keys.len()),
        states: aggregates.iter().map(Aggregate::state).collect(),
        aggregates: &aggregates,
    };
    for (reader, file) in view.readers().zip(view.files()) {
        let read = grouping.read(reader, &fields(reader.shape()));
        read.map_err(|failure| failure.of_file(file.as_deref()))?;
    }
    let names = keys.iter().map(|(name, _)| name).chain(aggregates.iter().map(|aggregate| &aggregate.name));
    let (groups, values) = grouping.finish();
    let columns = values.iter().map(|values| array(values)).collect::<Result<Vec<_>, _>>()?;
    let fields = names.zip(&columns).map(|(name, column)| Field::new(name, column.data_type().clone(), true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let options = RecordBatchOptions::new().with_row_count(Some(groups));
    Ok(RecordBatch::try_new_with_options(schema, columns, &options)?)
}

/// The groups so far, and what they come to.
struct Grouping<'a> {
    keys: Vec<&'a Expression>,
    groups: Groups,
    aggregates: &'a [Aggregate],
    states: Vec<State>,
}

impl Grouping<'_> {
    /// Adds the rows of a file.
    fn read(&mut self, reader: &Reader<'static>, fields: &[FieldPath]) -> Result<(), Failure> {
        let names = fields.iter().filter_map(|path| path.names().first());
        let reader = match reader.shape() {
            Shape::Record(_) => reader.project_paths(names.map(|name| [name]))?,
            _ => reader.clone(),
        };
        let binder = Binder { lenient: true, ..Binder::new(reader.shape()) };
        let keys = self.keys.iter().map(|key| key.bind(&binder)).collect::<Result<Vec<_>, _>>()?;
        let of = |aggregate: &Aggregate| -> Result<Option<BoundExpression>, Failure> {
            let Some(of) = &aggregate.of else { return Ok(None) };
            let bound = of.bind(&binder)?;
            aggregate.check(&bound)?;
            Ok(Some(bound))
        };
        let values = self.aggregates.iter().map(of).collect::<Result<Vec<_>, _>>()?;
        if fields.is_empty() && keys.is_empty() && values.iter().all(Option::is_none) {
            return self.count(reader.matching()?.row_count());
        }
        for batch in reader.batches()? {
            let batch = batch?;
            let scope = Scope::of(&batch);
            let keys = keys.iter().map(|key| key.evaluate(&scope)).collect::<Result<Vec<_>, _>>()?;
            let groups = self.groups.of_rows(&keys, scope.len());
            for (state, bound) in self.states.iter_mut().zip(&values) {
                let column = bound.as_ref().map(|bound| bound.evaluate(&scope)).transpose()?;
                state.grow(self.groups.len());
                state.add(&groups, column.as_ref())?;
            }
        }
        Ok(())
    }

    /// Adds rows of which nothing is read.
    fn count(&mut self, mut rows: u64) -> Result<(), Failure> {
        let all = vec![0; rows.min(1 << 16) as usize];
        while rows > 0 {
            let some = all.get(..rows.min(1 << 16) as usize).unwrap_or_default();
            for state in &mut self.states {
                state.grow(1);
                state.add(some, None)?;
            }
            rows -= some.len() as u64;
        }
        Ok(())
    }

    /// How many groups there are, and the columns of the result.
    fn finish(mut self) -> (usize, Vec<Vec<Scalar>>) {
        let groups = self.groups.len();
        self.states.iter_mut().for_each(|state| state.grow(groups));
        let keys = self.groups.into_keys().into_iter();
        (groups, keys.chain(self.states.into_iter().map(State::values)).collect())
    }
}

/// Values as an array of the type that has them all.
fn array(values: &[Scalar]) -> Result<ArrayRef, Failure> {
    let first = values.iter().find(|value| **value != Scalar::Null);
    let is_float = values.iter().any(|value| matches!(value, Scalar::Float(_)));
    Ok(match first {
        None => Arc::new(NullArray::new(values.len())),
        Some(Scalar::Integer(_) | Scalar::Float(_)) if is_float => {
            Arc::new(values.iter().map(float).collect::<Float64Array>())
        }
        Some(Scalar::Integer(_)) => match values.iter().map(long).collect::<Option<Int64Array>>() {
            Some(longs) => Arc::new(longs),
            None => decimals(values)?,
        },
        Some(Scalar::Decimal(_)) => decimals(values)?,
        Some(Scalar::Boolean(_)) => {
            let truth = |value: &Scalar| if let Scalar::Boolean(value) = value { Some(*value) } else { None };
            Arc::new(values.iter().map(truth).collect::<BooleanArray>())
        }
        Some(Scalar::Bytes(_)) => {
            let bytes =
                |value: &Scalar| if let Scalar::Bytes(value) = value { Some(value.clone()) } else { None };
            Arc::new(values.iter().map(bytes).collect::<BinaryArray>())
        }
        Some(Scalar::Moment(first)) => moments(first.kind, values)?,
        _ => Arc::new(values.iter().map(text).collect::<StringArray>()),
    })
}

fn float(value: &Scalar) -> Option<f64> {
    match value {
        Scalar::Float(value) => Some(*value),
        Scalar::Integer(value) => Some(*value as f64),
        _ => None,
    }
}

/// A value of 64 bits, or a null; `None` of a longer one.
fn long(value: &Scalar) -> Option<Option<i64>> {
    match value {
        Scalar::Integer(value) => i64::try_from(*value).ok().map(Some),
        _ => Some(None),
    }
}

fn text(value: &Scalar) -> Option<String> {
    match value {
        Scalar::Null => None,
        Scalar::Boolean(value) => Some(value.to_string()),
        Scalar::Integer(value) => Some(value.to_string()),
        Scalar::Float(value) => Some(value.to_string()),
        Scalar::Decimal(value) => Some(value.to_string()),
        Scalar::Moment(value) => Some(value.to_string()),
        Scalar::Ip(value) => Some(value.to_string()),
        Scalar::Text(value) => Some(value.clone()),
        Scalar::Bytes(value) => Some(String::from_utf8_lossy(value).into_owned()),
    }
}

/// Decimals with as many digits after the point as the longest has; strings where they are too long for Arrow.
fn decimals(values: &[Scalar]) -> Result<ArrayRef, Failure> {
    let strings: Vec<Option<String>> = values.iter().map(text).collect();
    let scale_of = |text: &String| text.split_once('.').map_or(0, |(_, digits)| digits.len());
    let scale = strings.iter().flatten().map(scale_of).max().unwrap_or_default();
    let whole = |text: &String| {
        let zeros = "0".repeat(scale - scale_of(text));
        i256::from_str(&format!("{}{zeros}", text.replacen('.', "", 1))).ok()
    };
    let Ok(scale) = i8::try_from(scale) else { return Ok(Arc::new(StringArray::from(strings))) };
    let wholes: Option<Vec<Option<i256>>> = strings
        .iter()
        .map(|text| text.as_ref().map(whole).map_or(Some(None), |whole| whole.map(Some)))
        .collect();
    let Some(wholes) = wholes.filter(|_| scale <= 76) else {
        return Ok(Arc::new(StringArray::from(strings)));
    };
    let most = i256::from_i128(10_i128.pow(38));
    let is_short = scale <= 38 && wholes.iter().flatten().all(|whole| whole.wrapping_abs() < most);
    Ok(match is_short {
        true => {
            let wholes = wholes.iter().map(|whole| whole.and_then(i256::to_i128));
            Arc::new(wholes.collect::<Decimal128Array>().with_precision_and_scale(38, scale)?)
        }
        false => {
            let wholes = wholes.into_iter().collect::<PrimitiveArray<Decimal256Type>>();
            match wholes.clone().with_precision_and_scale(76, scale) {
                Ok(wholes) if wholes.validate_decimal_precision(76).is_ok() => Arc::new(wholes),
                _ => Arc::new(StringArray::from(strings)),
            }
        }
    })
}

/// Dates, times or instants, in microseconds where these are enough.
fn moments(kind: MomentKind, values: &[Scalar]) -> Result<ArrayRef, Failure> {
    let nanos = |value: &Scalar| if let Scalar::Moment(value) = value { Some(value.nanos) } else { None };
    let is_fine = values.iter().filter_map(nanos).any(|nanos| nanos % 1000 != 0);
    let of_unit = |unit: i128| -> Result<Vec<Option<i64>>, Failure> {
        let number =
            |value: &Scalar| nanos(value).map(|nanos| i64::try_from(nanos.div_euclid(unit))).transpose();
        let numbers = values.iter().map(number).collect::<Result<_, _>>();
        numbers.map_err(|_| Failure::unsupported("an instant has more nanoseconds than 64 bits".to_owned()))
    };
    let zone = (kind == MomentKind::Instant).then_some("UTC");
    Ok(match (kind, is_fine) {
        (MomentKind::Date, _) => {
            let days = of_unit(86_400_000_000_000)?.into_iter();
            Arc::new(days.map(|day| day.and_then(|day| i32::try_from(day).ok())).collect::<Date32Array>())
        }
        (MomentKind::Time, true) => Arc::new(Time64NanosecondArray::from(of_unit(1)?)),
        (MomentKind::Time, false) => Arc::new(Time64MicrosecondArray::from(of_unit(1000)?)),
        (_, true) => Arc::new(TimestampNanosecondArray::from(of_unit(1)?).with_timezone_opt(zone)),
        (_, false) => Arc::new(TimestampMicrosecondArray::from(of_unit(1000)?).with_timezone_opt(zone)),
    })
}
