//! Conditions on the rows of files, whose types may differ.

use crate::error::Failure;
use crate::table::Table;
use crate::type_name::type_name;
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use std::sync::Arc;
use trevni::{Batch, Reader, RowSelection, Shape};
use trevni_arrow::{
    batch_of_record_batch_as, cast_record_batch, part_of_schema, record_batch_of_batch_as, shape_of_schema,
};
use trevni_query::paths::FieldPath;
use trevni_query::{Binder, Condition, Residual};

/// A condition on the rows of some files.
pub(crate) struct Filter<'a> {
    condition: &'a Condition,
    /// The columns that it needs, and their shape, where parts have others to compute with.
    mixed: Option<(SchemaRef, Arc<Shape>)>,
}

impl<'a> Filter<'a> {
    pub(crate) fn new(condition: &'a Condition, whole: &Shape, table: &Table) -> Result<Self, Failure> {
        let is_same = |part: &SchemaRef| part.fields() == table.schema.fields();
        let schema = proper(&table.schema);
        let is_proper = |field: &Arc<Field>| !is_improper(field.data_type());
        let mixed = match table.parts.iter().all(is_same)
            && schema.fields() == table.schema.fields()
            && schema.fields().iter().all(is_proper)
        {
            true => None,
            false => mixed(condition, table, &schema)?,
        };
        condition.check(&Binder::new(mixed.as_ref().map_or(whole, |(_, shape)| shape)))?;
        Ok(Self { condition, mixed })
    }

    /// The rows of a part for which the condition is true of the values that they have in the table.
    pub(crate) fn of(
        &self,
        reader: &Reader<'static>,
        schema: &SchemaRef,
    ) -> Result<Reader<'static>, Failure> {
        match &self.mixed {
            _ if reader.row_count() == 0 => Ok(reader.clone()),
            Some((columns, shape)) if !are_alike(schema.fields(), columns.fields()) => {
                Ok(reader.select(self.computed(reader, schema, columns, shape)?)?)
            }
            _ => self.pushed(reader),
        }
    }

    /// Leaves to the file what it can decide, and computes the rest. Fields that a part lacks are null.
    fn pushed(&self, reader: &Reader<'static>) -> Result<Reader<'static>, Failure> {
        let binder = Binder { lenient: true, ..Binder::new(reader.shape()) };
        let (reader, rest) = self.condition.push_down(reader, &binder)?;
        match rest {
            Some(rest) => Ok(reader.select(rest.matching(&reader, true, u64::MAX)?)?),
            None => Ok(reader),
        }
    }

    /// Computes the condition of values as they are in the table.
    fn computed(
        &self,
        reader: &Reader<'static>,
        schema: &Schema,
        columns: &SchemaRef,
        shape: &Arc<Shape>,
    ) -> Result<RowSelection, Failure> {
        let names = columns.fields().iter().map(|field| field.name());
        let own = names.filter(|name| schema.field_with_name(name).is_ok());
        let reader = match reader.shape() {
            Shape::Record(_) => reader.project_paths(own.map(|name| [name]))?,
            _ => reader.clone(),
        };
        let own = Arc::new(part_of_schema(schema, &reader)?);
        let bound = self.condition.computed().bind(&Binder::new(shape))?;
        let cast = |batch: trevni::Result<Batch>| {
            let batch = batch?;
            let selection = batch.selection().clone();
            let rows = cast_record_batch(&record_batch_of_batch_as(batch, &own)?, columns)?;
            Ok::<_, Failure>((selection, batch_of_record_batch_as(shape, &rows)?))
        };
        Residual::numbers(&bound, reader.batches()?.map(cast), u64::MAX)
    }
}

/// The columns that a condition needs, where some part has values of another kind in them.
fn mixed(
    condition: &Condition,
    table: &Table,
    schema: &Schema,
) -> Result<Option<(SchemaRef, Arc<Shape>)>, Failure> {
    let columns = columns(schema, |shape| condition.fields(shape))?;
    if table.parts.iter().all(|part| are_alike(part.fields(), columns.fields())) {
        return Ok(None);
    }
    let shape = Arc::new(shape_of_schema(&columns)?);
    Ok(Some((Arc::new(columns), shape)))
}

/// The columns that are needed, by the fields of a shape that are.
fn columns(schema: &Schema, fields: impl Fn(&Shape) -> Vec<FieldPath>) -> Result<Schema, Failure> {
    let fields = fields(&shape_of_schema(schema)?);
    let names: Vec<&String> = fields.iter().filter_map(|path| path.names().first()).collect();
    let columns = schema.fields().iter().filter(|field| names.contains(&field.name())).cloned();
    let columns = Schema::new(columns.collect::<Fields>());
    match columns.fields().iter().find(|field| is_improper(field.data_type())) {
        Some(field) => {
            let (name, data_type) = (field.name(), type_name(field));
            Err(Failure::of_usage(format!("field {name}: no condition can be on {data_type}")))
        }
        None => Ok(columns),
    }
}

/// The first column of those that are needed whose values some part has to be cast to those of the table.
pub(crate) fn needs_cast(
    table: &Table,
    fields: impl Fn(&Shape) -> Vec<FieldPath>,
) -> Result<Option<String>, Failure> {
    let columns = columns(&proper(&table.schema), fields)?;
    let differs = |field: &&Arc<Field>| {
        let own = Fields::from(vec![Arc::clone(field)]);
        !table.parts.iter().all(|part| are_alike(part.fields(), &own))
    };
    Ok(columns.fields().iter().find(differs).map(|field| field.name().clone()))
}

/// The schema with decimals that conditions know, for those whose scale is negative or above their precision: they are stored as bytes.
/// Those of more than 76 digits stay as they are, and compare with nothing.
fn proper(schema: &Schema) -> Schema {
    Schema::new(schema.fields().iter().map(|own| Arc::new(proper_field(own))).collect::<Fields>())
}

/// Whether a type is a decimal that is stored as bytes.
fn is_improper(data_type: &DataType) -> bool {
    use DataType::{Decimal32, Decimal64, Decimal128, Decimal256};
    match data_type {
        Decimal32(precision, scale)
        | Decimal64(precision, scale)
        | Decimal128(precision, scale)
        | Decimal256(precision, scale) => *scale < 0 || *scale > *precision as i8,
        _ => false,
    }
}

fn proper_field(field: &Field) -> Field {
    field.clone().with_data_type(proper_type(field.data_type()))
}

fn proper_type(data_type: &DataType) -> DataType {
    use DataType::{
        Decimal32, Decimal64, Decimal128, Decimal256, Dictionary, FixedSizeList, LargeList, LargeListView,
        List, ListView, RunEndEncoded, Struct,
    };
    let within = |field: &Field| Arc::new(proper_field(field));
    match data_type {
        Decimal32(precision, scale)
        | Decimal64(precision, scale)
        | Decimal128(precision, scale)
        | Decimal256(precision, scale)
            if is_improper(data_type) =>
        {
            let digits = i16::from(*precision).max(i16::from(*scale)) - i16::from(*scale).min(0);
            match u8::try_from(digits) {
                Ok(digits) if digits <= 76 => Decimal256(digits, (*scale).max(0)),
                _ => data_type.clone(),
            }
        }
        Dictionary(_, values) => match proper_type(values) {
            proper if proper == **values => data_type.clone(),
            proper => proper,
        },
        RunEndEncoded(_, values) => match proper_type(values.data_type()) {
            proper if proper == *values.data_type() => data_type.clone(),
            proper => proper,
        },
        Struct(fields) => Struct(fields.iter().map(|own| within(own)).collect()),
        List(item) => List(within(item)),
        LargeList(item) => LargeList(within(item)),
        ListView(item) => ListView(within(item)),
        LargeListView(item) => LargeListView(within(item)),
        FixedSizeList(item, size) => FixedSizeList(within(item), *size),
        other => other.clone(),
    }
}

/// Whether a condition is true of the same values of some fields, as far as they are there, and of those of the joined ones.
fn are_alike(own: &Fields, joined: &Fields) -> bool {
    joined.iter().all(|joined| {
        let own = own.find(joined.name());
        own.is_none_or(|(_, own)| is_alike(own.data_type(), joined.data_type()))
    })
}

fn is_alike(own: &DataType, joined: &DataType) -> bool {
    use DataType::{Date32, Date64, Decimal32, Decimal64, Decimal128, Decimal256, Map, Null, Struct};
    use DataType::{Time32, Time64, Timestamp};
    let is_text = |data_type: &DataType| data_type.is_string();
    let is_decimal = |data_type: &DataType| {
        matches!(data_type, Decimal32(..) | Decimal64(..) | Decimal128(..) | Decimal256(..))
    };
    let is_binary = |data_type: &DataType| {
        use DataType::{Binary, BinaryView, FixedSizeBinary, LargeBinary};
        matches!(data_type, Binary | LargeBinary | BinaryView | FixedSizeBinary(_))
    };
    let both = |is: &dyn Fn(&DataType) -> bool| is(own) && is(joined);
    match (own, joined) {
        (Null, _) => true,
        _ if own == joined => true,
        _ if proper_type(own) != *own => false,
        (DataType::Dictionary(_, own), _) => is_alike(own, joined),
        (_, DataType::Dictionary(_, joined)) => is_alike(own, joined),
        (DataType::RunEndEncoded(_, own), _) => is_alike(own.data_type(), joined),
        (Date32, _) | (_, Date64) => false,
        (Time32(_) | Time64(_), Time32(_) | Time64(_)) | (Timestamp(..), Timestamp(..)) => true,
        (Struct(own), Struct(joined)) => are_alike(own, joined),
        (Map(own, _), Map(joined, _)) => is_alike(own.data_type(), joined.data_type()),
        _ => match (item(own), item(joined)) {
            (Some(own), Some(joined)) => is_alike(own, joined),
            _ => [&DataType::is_integer as &dyn Fn(&DataType) -> bool, &is_text, &is_binary, &is_decimal]
                .into_iter()
                .any(both),
        },
    }
}

/// The type of the items of a list.
fn item(data_type: &DataType) -> Option<&DataType> {
    match data_type {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _) => Some(item.data_type()),
        _ => None,
    }
}
