//! The schema of the rows of several schemas.
//!
//! The answers are those of the core's join of shapes, for tables: the finer unit, the decimal with the digits of both, null for
//! what one does not have. Where no type has the values of both, there is no common schema.

mod leaf;
mod metadata;
mod number;

use super::leaf as shapes;
use super::{NULL, SOME, is_null_variant};
use crate::error::{Error, ErrorKind, Result};
use arrow_schema::extension::EXTENSION_TYPE_NAME_KEY;
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema, UnionFields, UnionMode};
use std::collections::HashMap;
use std::sync::Arc;
use trevni::shape::{IpFamily, Logical};

/// The schema that has the rows of all these, such as those of the files of a table. Fields go by name, in the order in which they
/// come first; one that a schema lacks may be null. `docs/datasets.md` has the types.
/// [`cast_record_batch`](crate::cast_record_batch) makes rows of it of those of each.
///
/// ```
/// use arrow_schema::{DataType, Field, Schema, TimeUnit};
/// use trevni_arrow::{ErrorKind, join_schemas};
///
/// let of = |data_type| Schema::new(vec![Field::new("at", data_type, false)]);
/// let seconds = of(DataType::Timestamp(TimeUnit::Second, None));
/// let micros = of(DataType::Timestamp(TimeUnit::Microsecond, None));
/// assert_eq!(join_schemas(&[&seconds, &micros])?, micros);
///
/// let error = join_schemas(&[&seconds, &micros, &of(DataType::Boolean)]).unwrap_err();
/// assert_eq!(error.path(), "at");
/// assert!(matches!(error.kind(), ErrorKind::Differ { first: 0, second: 2, .. }));
/// # Ok::<(), trevni_arrow::Error>(())
/// ```
///
/// # Errors
///
/// [`ErrorKind::Differ`]: two types of a field without a common type, with the path of the field.
pub fn join_schemas(schemas: &[&Schema]) -> Result<Schema> {
    let Some((first, rest)) = schemas.split_first() else {
        return Ok(Schema::empty());
    };
    let mut fields = first.fields().clone();
    for (number, schema) in (1..).zip(rest) {
        fields = members(&fields, schema.fields()).map_err(|found| found.of(schemas, number))?;
    }
    Ok(Schema::new_with_metadata(fields, metadata::of_schemas(schemas)))
}

/// Two types without a common type.
struct Differ {
    path: Vec<String>,
    one: String,
    two: String,
}

impl Differ {
    fn new(one: &DataType, two: &DataType) -> Self {
        Self { path: Vec::new(), one: one.to_string(), two: two.to_string() }
    }

    fn within(mut self, name: &str) -> Self {
        self.path.push(name.to_owned());
        self
    }

    /// The error, with the first schema that differs from the one that did not join those before it.
    fn of(self, schemas: &[&Schema], second: usize) -> Error {
        let two = schemas.get(second).map(|schema| schema.fields());
        let before = schemas.iter().take(second).enumerate();
        let mut found = before.filter_map(|(number, one)| Some((number, members(one.fields(), two?).err()?)));
        let (first, found) = found.next().unwrap_or((0, self));
        let error = Error::from(ErrorKind::Differ { first, second, one: found.one, two: found.two });
        found.path.iter().fold(error, |error, name| error.in_field(name))
    }
}

/// The fields of both.
fn members(ones: &Fields, twos: &Fields) -> Result<Fields, Differ> {
    if ones == twos {
        return Ok(ones.clone());
    }
    let mut others: HashMap<&str, &FieldRef> = twos.iter().map(|two| (two.name().as_str(), two)).collect();
    let mut joined = Vec::with_capacity(ones.len().max(twos.len()));
    for one in ones {
        joined.push(match others.remove(one.name().as_str()) {
            Some(two) => field(one, two).map_err(|found| found.within(one.name()))?,
            None => nullable(one),
        });
    }
    joined.extend(twos.iter().filter(|two| others.contains_key(two.name().as_str())).map(nullable));
    Ok(joined.into())
}

/// The field of the values of both, with the name of the first.
fn field(one: &FieldRef, two: &FieldRef) -> Result<FieldRef, Differ> {
    let named = |field: &FieldRef| Arc::new(Field::clone(&nullable(field)).with_name(one.name()));
    match (one.data_type(), two.data_type()) {
        _ if one == two && one.dict_is_ordered() == two.dict_is_ordered() => return Ok(Arc::clone(one)),
        // Nothing but nulls has no meaning of its own.
        (_, DataType::Null) => return Ok(nullable(one)),
        (DataType::Null, _) => return Ok(named(two)),
        _ => {}
    }
    if let Some(joined) = ips(one, two)? {
        return Ok(joined);
    }
    if metadata::extension(one) != metadata::extension(two)
        && one.data_type().is_string() != two.data_type().is_string()
    {
        // A UUID is bytes, but not those of its text.
        return Err(Differ::new(one.data_type(), two.data_type()));
    }
    let data_type = types(one.data_type(), two.data_type())?;
    let is_ordered = one.dict_is_ordered() == Some(true) && two.dict_is_ordered() == Some(true);
    let is_nullable = has_nulls(one, &data_type) || has_nulls(two, &data_type);
    let metadata = metadata::of_fields(one, two, &data_type);
    let joined = Field::new(one.name(), data_type, is_nullable);
    Ok(Arc::new(joined.with_dict_is_ordered(is_ordered).with_metadata(metadata)))
}

/// The field of IP addresses of two families, or of networks of such; `None` where both are not IP addresses.
fn ips(one: &FieldRef, two: &FieldRef) -> Result<Option<FieldRef>, Differ> {
    let (Some(own), Some(other)) = (metadata::ip(one), metadata::ip(two)) else { return Ok(None) };
    if own == other {
        return Ok(None);
    }
    let any = match (&own, &other) {
        (Logical::IpAddress(_), Logical::IpAddress(_)) => Logical::IpAddress(IpFamily::Any),
        (Logical::IpNetwork(_), Logical::IpNetwork(_)) => Logical::IpNetwork(IpFamily::Any),
        _ => return Err(Differ { path: Vec::new(), one: own.to_string(), two: other.to_string() }),
    };
    let size = if matches!(any, Logical::IpAddress(_)) { 17 } else { 18 };
    let data_type = DataType::FixedSizeBinary(size);
    let mut metadata = metadata::of_fields(one, two, &data_type);
    metadata.extend(shapes::extension(&any).map(|name| (EXTENSION_TYPE_NAME_KEY.to_owned(), name)));
    let is_nullable = one.is_nullable() || two.is_nullable();
    Ok(Some(Arc::new(Field::new(one.name(), data_type, is_nullable).with_metadata(metadata))))
}

/// Whether values of a field may be null as values of another type.
fn has_nulls(field: &Field, joined: &DataType) -> bool {
    let is_plain = !matches!(joined, DataType::Struct(_) | DataType::RunEndEncoded(..));
    let is_within = match field.data_type() {
        DataType::RunEndEncoded(_, values) => values.is_nullable(),
        other => some(other).is_some(),
    };
    field.is_nullable() || is_plain && is_within
}

/// The same field where some rows do not have it.
fn nullable(field: &FieldRef) -> FieldRef {
    let data_type = with_nulls(field.data_type());
    match field.is_nullable() && data_type == *field.data_type() {
        true => Arc::clone(field),
        false => Arc::new(Field::clone(field).with_data_type(data_type).with_nullable(true)),
    }
}

/// The same type where nulls have a place: unions have a variant for them.
fn with_nulls(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Union(fields, _) if !fields.iter().any(|(_, field)| is_null_variant(field)) => {
            let null = Arc::new(Field::new(NULL, DataType::Null, true));
            let variants = std::iter::once(null).chain(fields.iter().map(|(_, field)| Arc::clone(field)));
            numbered(variants.collect()).unwrap_or_else(|| data_type.clone())
        }
        DataType::RunEndEncoded(ends, values)
            if !values.is_nullable() || *ends.data_type() == DataType::Int16 =>
        {
            values.data_type().clone()
        }
        other => other.clone(),
    }
}

/// The type of the values of both.
fn types(one: &DataType, two: &DataType) -> Result<DataType, Differ> {
    use DataType::{Dictionary, Map, Null, RunEndEncoded, Struct, Union};
    let differ = || Differ::new(one, two);
    Ok(match (one, two) {
        _ if one == two => one.clone(),
        (Null, other) | (other, Null) => with_nulls(other),
        (Dictionary(key, one), Dictionary(other, two)) => match leaf::binary(one, two) {
            _ if one == two => Dictionary(Box::new(keys(key, other)), one.clone()),
            Some(values) => Dictionary(Box::new(keys(key, other)), Box::new(values)),
            None => types(one, two)?,
        },
        (Dictionary(_, values), plain) => types(values, plain)?,
        (plain, Dictionary(_, values)) => types(plain, values)?,
        (RunEndEncoded(_, values), plain) => types(values.data_type(), plain)?,
        (plain, RunEndEncoded(_, values)) => types(plain, values.data_type())?,
        (Struct(ones), Struct(twos)) => Struct(members(ones, twos)?),
        (Map(one, sorted), Map(two, other)) => Map(entries(one, two).ok_or_else(differ)??, *sorted && *other),
        (Union(ones, _), Union(twos, _)) => unions(ones, twos).ok_or_else(differ)??,
        _ => match (List::of(one), List::of(two)) {
            (Some(one), Some(two)) => one.joined(&two)?,
            _ => match (some(one), some(two)) {
                (Some(inner), None) => types(inner, two)?,
                (None, Some(inner)) => types(one, inner)?,
                _ => leaf::joined(one, two).ok_or_else(differ)?,
            },
        },
    })
}

/// The values of an optional within an optional, which are nulls of two kinds: beside plain values, both are null.
pub(crate) fn some(data_type: &DataType) -> Option<&DataType> {
    match data_type {
        DataType::Struct(fields) => match &fields[..] {
            [some] if some.name() == SOME && some.is_nullable() => Some(some.data_type()),
            _ => None,
        },
        _ => None,
    }
}

/// The keys of two dictionaries: as wide as the wider ones.
fn keys(one: &DataType, two: &DataType) -> DataType {
    number::integer(one, two).filter(DataType::is_integer).unwrap_or(DataType::Int64)
}

/// The entries of two maps; `None` where they are not such.
fn entries(one: &FieldRef, two: &FieldRef) -> Option<Result<FieldRef, Differ>> {
    let (DataType::Struct(ones), DataType::Struct(twos)) = (one.data_type(), two.data_type()) else {
        return None;
    };
    let ([key, value], [other, another]) = (&ones[..], &twos[..]) else { return None };
    let part = |one, two, name| field(one, two).map_err(|found: Differ| found.within(name));
    let parts = || Ok(vec![part(key, other, "key")?, part(value, another, "value")?]);
    let fields: Result<Vec<FieldRef>, Differ> = parts();
    Some(fields.map(|fields| {
        Arc::new(Field::clone(one).with_data_type(DataType::Struct(fields.into())).with_nullable(false))
    }))
}

/// A union of the variants of both, by name; `None` where two of one have the same name, or there are too many.
fn unions(ones: &UnionFields, twos: &UnionFields) -> Option<Result<DataType, Differ>> {
    let mut joined: Vec<FieldRef> = ones.iter().map(|(_, field)| Arc::clone(field)).collect();
    let has_twice = |fields: &UnionFields| {
        let mut names: Vec<&str> = fields.iter().map(|(_, field)| field.name().as_str()).collect();
        names.sort_unstable();
        names.windows(2).any(|pair| pair[0] == pair[1])
    };
    if has_twice(ones) || has_twice(twos) {
        return None;
    }
    for (_, two) in twos.iter() {
        match joined.iter_mut().find(|one| one.name() == two.name()) {
            Some(one) => match field(one, two) {
                Ok(both) => *one = both,
                Err(found) => return Some(Err(found.within(two.name()))),
            },
            None => joined.push(Arc::clone(two)),
        }
    }
    numbered(joined).map(Ok)
}

/// A dense union of these variants; none of more than it can have.
fn numbered(variants: Vec<FieldRef>) -> Option<DataType> {
    let ids = (0..=i8::MAX).take(variants.len());
    let fields = UnionFields::try_new(ids.collect::<Vec<_>>(), variants).ok()?;
    Some(DataType::Union(fields, UnionMode::Dense))
}

/// What a list is, beside its items.
struct List<'a> {
    item: &'a FieldRef,
    size: Option<i32>,
    is_large: bool,
    is_view: bool,
}

impl<'a> List<'a> {
    fn of(data_type: &'a DataType) -> Option<Self> {
        let (item, size, is_large, is_view) = match data_type {
            DataType::List(item) => (item, None, false, false),
            DataType::LargeList(item) => (item, None, true, false),
            DataType::ListView(item) => (item, None, false, true),
            DataType::LargeListView(item) => (item, None, true, true),
            DataType::FixedSizeList(item, size) => (item, Some(*size), false, false),
            _ => return None,
        };
        Some(Self { item, size, is_large, is_view })
    }

    /// The list of the items of both.
    fn joined(&self, other: &Self) -> Result<DataType, Differ> {
        let item = field(self.item, other.item)?;
        let size = self.size.filter(|_| self.size == other.size);
        let is_large = self.is_large || other.is_large;
        Ok(match (size, self.is_view && other.is_view) {
            (Some(size), _) => DataType::FixedSizeList(item, size),
            (None, true) if is_large => DataType::LargeListView(item),
            (None, true) => DataType::ListView(item),
            (None, false) if is_large => DataType::LargeList(item),
            (None, false) => DataType::List(item),
        })
    }
}
