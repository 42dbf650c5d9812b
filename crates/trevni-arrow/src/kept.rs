//! The dictionaries of a file: all their values in order, stored beside the rows.
//!
//! They are a file of their own in the metadata: one row with a list for each dictionary of the stored schema, in the order
//! of the fields. So values have any type, are compressed, and have checksums.

use crate::array::{at, bytes_of};
use crate::error::{Error, Result};
use crate::reader::{ArrowReader, kept_of_reader};
use crate::schema::stored::{children, is_ordered};
use crate::writer::ArrowWriter;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, ListArray, RecordBatch, make_array, new_empty_array, new_null_array};
use arrow_buffer::OffsetBuffer;
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use arrow_select::concat::concat;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use trevni::{Reader, Writer};

/// Key of a file's metadata for the values of its dictionaries.
pub const ARROW_DICTIONARIES: &str = "arrow.dictionaries";

/// The most values of a dictionary without an order that are kept, and the most bytes of them.
const VALUES_MAX: usize = 1 << 20;
const BYTES_MAX: usize = 1 << 24;

/// The numbers of values by their bytes.
type Numbers = HashMap<Box<[u8]>, u32>;

/// The values of a dictionary, and the number of each.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) values: ArrayRef,
    pub(crate) numbers: Numbers,
}

impl Known {
    /// Of values that differ and are not null; `None` for a type whose values have no bytes.
    fn new(values: ArrayRef) -> Option<Self> {
        let mut numbers = Numbers::with_capacity(values.len());
        let bytes = bytes_of(&values)?;
        for (index, number) in (0..values.len()).zip(0..) {
            if values.is_null(index) || numbers.insert(bytes(index).into_owned().into(), number).is_some() {
                return None;
            }
        }
        drop(bytes);
        Some(Self { values, numbers })
    }
}

/// The values of the dictionaries of a type, and of those within it.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) known: Option<Arc<Known>>,
    parts: Vec<Kept>,
}

/// The dictionaries of types without one.
pub(crate) static NOTHING: Kept = Kept { known: None, parts: Vec::new() };

impl Kept {
    /// Those of a part of a type: of a field of a struct, of the items of a list.
    pub(crate) fn part(&self, index: usize) -> &Self {
        self.parts.get(index).unwrap_or(&NOTHING)
    }

    /// Whether there is a dictionary among them.
    pub(crate) fn is_any(&self) -> bool {
        self.known.is_some() || self.parts.iter().any(Self::is_any)
    }

    /// Those of the columns of a schema, of a file with another one that has these columns.
    pub(crate) fn of_reader(reader: &Reader<'_>, stored: &Fields, columns: &Fields) -> Self {
        let read = || Some(read(reader.metadata().get(ARROW_DICTIONARIES)?, stored)?.into_iter());
        match read() {
            Some(mut values) => Self::of_fields(stored, columns, &mut values),
            None => Self::default(),
        }
    }

    fn of_fields(
        stored: &[FieldRef],
        columns: &[FieldRef],
        values: &mut impl Iterator<Item = Option<ArrayRef>>,
    ) -> Self {
        let mut parts: Vec<Self> = columns.iter().map(|_| Self::default()).collect();
        for field in stored {
            let place = columns.iter().position(|column| column.name() == field.name());
            let kept = Self::of_type(field.data_type(), place.and_then(|place| columns.get(place)), values);
            if let Some(part) = place.and_then(|place| parts.get_mut(place)) {
                *part = kept;
            }
        }
        Self { known: None, parts }
    }

    fn of_type(
        stored: &DataType,
        column: Option<&FieldRef>,
        values: &mut impl Iterator<Item = Option<ArrayRef>>,
    ) -> Self {
        let column = column.map(|column| column.data_type());
        match (stored, column) {
            (DataType::Dictionary(..), _) => {
                let values = values.next().flatten();
                let is_same = |values: &ArrayRef| matches!(column, Some(DataType::Dictionary(_, kind)) if **kind == *values.data_type());
                let known = values.filter(is_same).and_then(Known::new).map(Arc::new);
                Self { known, parts: Vec::new() }
            }
            (DataType::Struct(stored), Some(DataType::Struct(columns))) => {
                Self::of_fields(stored, columns, values)
            }
            _ => {
                let parts = column.map(children).unwrap_or_default();
                let stored = children(stored);
                let parts = stored
                    .iter()
                    .enumerate()
                    .map(|(index, field)| Self::of_type(field.data_type(), parts.get(index), values));
                Self { known: None, parts: parts.collect() }
            }
        }
    }
}

/// The values of the ordered dictionaries of several files whose rows become one table, by the names of the columns.
#[derive(Clone, Debug, Default)]
pub struct OrderedDictionaries(HashMap<String, Arc<Known>>);

impl OrderedDictionaries {
    /// Those of the columns of a joined schema, of files with schemas of their own. Where the files have dictionaries that differ, it is
    /// the one that has all others in its order; where there is no such, the column of the joined schema loses its order.
    #[must_use]
    pub fn join(files: &[(&Reader<'_>, &Schema)], joined: &mut Schema) -> Self {
        let mut shared = Self::default();
        let fields = joined.fields().iter().map(|field| {
            if !is_ordered(field) || files.len() < 2 {
                return Arc::clone(field);
            }
            let known = files.iter().filter_map(|(reader, schema)| {
                let (index, own) = schema.fields().find(field.name())?;
                let is_same = own.data_type() == field.data_type();
                Some(is_same.then(|| kept_of_reader(reader, schema).part(index).known.clone()).flatten())
            });
            let known: Option<Vec<Arc<Known>>> = known.collect();
            match known.as_deref().and_then(largest) {
                Some(known) => {
                    shared.0.insert(field.name().clone(), known);
                    Arc::clone(field)
                }
                None => Arc::new(Field::clone(field).with_dict_is_ordered(false)),
            }
        });
        joined.fields = fields.collect();
        shared
    }

    /// Takes these in place of those of one file.
    pub(crate) fn replace(&self, columns: &Fields, kept: &mut Kept) {
        for (field, part) in columns.iter().zip(&mut kept.parts) {
            if let (DataType::Dictionary(..), Some(known)) = (field.data_type(), self.0.get(field.name())) {
                part.known = Some(Arc::clone(known));
            }
        }
    }
}

/// The values that have all others in their order.
fn largest(all: &[Arc<Known>]) -> Option<Arc<Known>> {
    let largest = all.iter().max_by_key(|known| known.values.len())?;
    let has = |known: &Arc<Known>| {
        let mut sorted: Vec<_> = known.numbers.iter().collect();
        sorted.sort_unstable_by_key(|(_, number)| **number);
        let places: Option<Vec<u32>> =
            sorted.iter().map(|(value, _)| largest.numbers.get(*value).copied()).collect();
        places.is_some_and(|places| places.is_sorted())
    };
    all.iter().all(has).then(|| Arc::clone(largest))
}

/// The values of the dictionaries of a file, once they are read: for programs that read parts of one file again and again.
#[derive(Clone, Debug, Default)]
pub struct DictionaryCache(Arc<OnceLock<Arc<Kept>>>);

impl DictionaryCache {
    pub(crate) fn get(&self, read: impl FnOnce() -> Kept) -> Arc<Kept> {
        Arc::clone(self.0.get_or_init(|| Arc::new(read())))
    }
}

/// The fields that are dictionaries, with those within others, in the order of the stored schema.
pub(crate) fn dictionaries(fields: &[FieldRef]) -> Vec<FieldRef> {
    let mut found = Vec::new();
    fields.iter().for_each(|field| find(field, &mut found));
    found
}

fn find(field: &FieldRef, found: &mut Vec<FieldRef>) {
    match field.data_type() {
        DataType::Dictionary(..) => found.push(Arc::clone(field)),
        other => children(other).iter().for_each(|child| find(child, found)),
    }
}

/// The columns of the file of values.
fn schema(dictionaries: &[FieldRef]) -> SchemaRef {
    let column = |(number, field): (usize, &FieldRef)| {
        let values = match field.data_type() {
            DataType::Dictionary(_, values) if has_bytes(values) => DataType::clone(values),
            _ => DataType::Null,
        };
        Field::new(format!("_{number}"), DataType::List(Arc::new(Field::new("item", values, false))), true)
    };
    Arc::new(Schema::new(dictionaries.iter().enumerate().map(column).collect::<Vec<_>>()))
}

/// The values that a file keeps; `None` if they do not fit its schema.
fn read(file: &[u8], stored: &Fields) -> Option<Vec<Option<ArrayRef>>> {
    let dictionaries = dictionaries(stored);
    let reader = Reader::from_slice(file).ok()?;
    let rows = ArrowReader::builder(&reader).schema(schema(&dictionaries)).build().ok()?;
    let rows = rows.collect::<Result<Vec<_>, _>>().ok()?;
    let [row] = &rows[..] else { return None };
    if row.num_rows() != 1 {
        return None;
    }
    let values = |column: &ArrayRef| (!column.is_null(0)).then(|| column.as_list::<i32>().value(0));
    Some(row.columns().iter().map(values).collect())
}

/// Whether values of a type can be told apart.
fn has_bytes(data_type: &DataType) -> bool {
    bytes_of(&new_empty_array(data_type)).is_some()
}

/// The values of the dictionaries of batches of one schema, as they are written.
pub(crate) struct Collected {
    schema: SchemaRef,
    all: Vec<Values>,
}

/// The values of a dictionary so far.
struct Values {
    field: FieldRef,
    numbers: Numbers,
    /// The values, each part with none of those before it.
    parts: Vec<ArrayRef>,
    bytes: usize,
    /// The dictionary that was seen last, which the next batch mostly has too.
    last: Option<ArrayData>,
    /// Whether they cannot be kept, or are too many.
    is_left_out: bool,
}

impl Collected {
    /// Of batches of these columns.
    ///
    /// # Errors
    ///
    /// An ordered dictionary of values that cannot be kept.
    pub(crate) fn new(schema: &Schema) -> Result<Self> {
        let fields = dictionaries(schema.fields());
        let all = fields.iter().map(|field| {
            let is_left_out = match field.data_type() {
                DataType::Dictionary(_, values) => !has_bytes(values),
                _ => true,
            };
            let has_values =
                !matches!(field.data_type(), DataType::Dictionary(_, values) if values.is_null());
            if is_left_out && has_values && is_ordered(field) {
                let why = "its values cannot be kept in their order";
                return Err(Error::unsupported(field.data_type(), why).in_field(field.name()));
            }
            let (numbers, parts, field) = (Numbers::new(), Vec::new(), Arc::clone(field));
            Ok(Values { field, numbers, parts, bytes: 0, last: None, is_left_out })
        });
        Ok(Self { schema: self::schema(&fields), all: all.collect::<Result<_>>()? })
    }

    /// Adds those of a batch.
    ///
    /// # Errors
    ///
    /// Ordered dictionaries that have not one order.
    pub(crate) fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        if self.all.is_empty() {
            return Ok(());
        }
        let mut all = self.all.iter_mut();
        batch.columns().iter().try_for_each(|column| visit(&column.to_data(), &mut all))
    }

    /// The file of the values; `None` without dictionaries.
    pub(crate) fn file(self) -> Result<Option<Vec<u8>>> {
        if self.all.is_empty() {
            return Ok(None);
        }
        let lists = self.all.iter().zip(self.schema.fields()).map(|(values, field)| values.list(field));
        let row = RecordBatch::try_new(Arc::clone(&self.schema), lists.collect::<Result<_>>()?)?;
        let mut writer = ArrowWriter::with_options(Writer::builder(), Vec::new(), self.schema)?;
        writer.write(&row)?;
        Ok(Some(writer.finish()?))
    }
}

/// Finds the dictionaries of an array, in the order of their fields.
fn visit<'v>(array: &ArrayData, all: &mut impl Iterator<Item = &'v mut Values>) -> Result<()> {
    match (array.data_type(), array.child_data()) {
        (DataType::Dictionary(..), [values]) => match all.next() {
            Some(known) => known.add(values).map_err(|error| error.in_field(known.field.name())),
            None => Err(Error::internal("more dictionaries than the schema has")),
        },
        (_, children) => children.iter().try_for_each(|child| visit(child, all)),
    }
}

impl Values {
    fn add(&mut self, data: &ArrayData) -> Result<()> {
        let is_last = self.last.as_ref().is_some_and(|last| last.ptr_eq(data));
        if self.is_left_out || is_last || data.is_empty() {
            return Ok(());
        }
        self.last = Some(data.clone());
        let values = make_array(data.clone());
        let Some(bytes) = bytes_of(&values) else { return Ok(()) };
        let nulls = values.logical_nulls();
        let is_there = |index: &usize| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(*index));
        let known = self.numbers.len();
        // Numbers of the values that were known, and places of the others.
        let (mut seen, mut new, mut own) = (Vec::new(), Vec::new(), Numbers::new());
        let mut places = Vec::new();
        for index in (0..values.len()).filter(is_there) {
            let next = own.len() as u32;
            let value: Box<[u8]> = bytes(index).into_owned().into();
            if own.contains_key(&value) {
                continue;
            }
            match self.numbers.get(&value) {
                Some(number) => seen.push(*number),
                None => new.push(index as u64),
            }
            own.insert(value, next);
            places.push(index as u64);
        }
        if !is_ordered(&self.field) {
            for (index, number) in new.iter().zip(known as u32..) {
                let value = bytes(*index as usize);
                self.bytes += value.len();
                self.numbers.insert(value.into_owned().into(), number);
            }
            self.parts.push(at(&values, new)?);
            self.is_left_out = self.are_too_many();
            return Ok(());
        }
        let ascends = seen.windows(2).all(|pair| pair.first() < pair.last());
        if !ascends || !new.is_empty() && seen.len() < known {
            return Err(Error::value("the batches have ordered dictionaries that do not have one order"));
        }
        if !new.is_empty() {
            (self.numbers, self.parts) = (own, vec![at(&values, places)?]);
        }
        Ok(())
    }

    /// Whether keys cannot count the values, or they take too much.
    fn are_too_many(&self) -> bool {
        let keys = match self.field.data_type() {
            DataType::Dictionary(keys, _) => keys_of(keys),
            _ => 0,
        };
        let count = self.numbers.len();
        count > VALUES_MAX || count as u64 > keys || self.bytes > BYTES_MAX
    }

    /// All values as one list, or a null.
    fn list(&self, field: &FieldRef) -> Result<ArrayRef> {
        let DataType::List(item) = field.data_type() else {
            return Err(Error::internal("values of a dictionary that are no list"));
        };
        if self.is_left_out {
            return Ok(new_null_array(field.data_type(), 1));
        }
        let parts: Vec<&dyn Array> = self.parts.iter().map(AsRef::as_ref).collect();
        let values = match parts.is_empty() {
            true => new_empty_array(item.data_type()),
            false => concat(&parts)?,
        };
        let offsets = OffsetBuffer::from_lengths([values.len()]);
        Ok(Arc::new(ListArray::try_new(Arc::clone(item), offsets, values, None)?))
    }
}

/// How many values keys of a type can count.
fn keys_of(keys: &DataType) -> u64 {
    let bits = keys.primitive_width().unwrap_or_default() as u32 * 8 - u32::from(keys.is_signed_integer());
    1u64.checked_shl(bits).unwrap_or(u64::MAX)
}
