//! One column as an array.

use crate::array::{Dictionaries, export_column, has_narrow_keys};
use crate::error::{Error, Result};
use crate::reader::{kept_of_reader, schema_of_reader};
use crate::schema::to_arrow;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, new_empty_array};
use arrow_schema::Field;
use arrow_select::concat::concat;
use trevni::{Reader, Shape, Vector};

/// Reads all values at a path as one array, of the type that the field has in
/// [`schema_of_reader`](crate::schema_of_reader); with keys of fewer than 32 bits, of the type of their values.
///
/// A field within records is given alone; one within lists or optional records comes with these around it.
///
/// ```
/// use arrow_array::{cast::AsArray, types::Float64Type};
///
/// let file = trevni::to_vec([("AA", 1089.0), ("UA", 2475.0)])?;
/// let array = trevni_arrow::column(&trevni::Reader::from_slice(&file)?, "_1")?;
/// assert_eq!(array.as_primitive::<Float64Type>().values(), &[1089.0, 2475.0]);
/// # Ok::<(), trevni_arrow::Error>(())
/// ```
///
/// # Errors
///
/// An unknown path, and more than 2 GiB of strings or 2³¹ items of lists.
pub fn column(reader: &Reader<'_>, path: &str) -> Result<ArrayRef> {
    let reader = reader.project([path])?;
    let mut schema = schema_of_reader(&reader)?;
    if schema.fields().iter().any(|field| has_narrow_keys(field.data_type())) {
        schema = schema.with_metadata(Default::default());
        schema.fields = to_arrow::columns(reader.shape(), None)?;
    }
    let [field] = &schema.fields()[..] else {
        return Err(Error::schema(format!("{path:?} is more than one column")));
    };
    let dictionaries = Dictionaries::of(kept_of_reader(&reader, &schema).into());
    let mut arrays = Vec::new();
    // As few batches as memory allows: numbers then move.
    for batch in reader.batches()?.batch_rows(usize::MAX) {
        let (shape, vector) = batch?.into_parts();
        let array =
            array(&shape, vector, field, &dictionaries).map_err(|error| error.in_field(field.name()))?;
        arrays.push(within(array, field, path));
    }
    match &arrays[..] {
        [] => Ok(within(new_empty_array(field.data_type()), field, path)),
        [array] => Ok(array.clone()),
        several => {
            let several: Vec<&dyn Array> = several.iter().map(AsRef::as_ref).collect();
            Ok(concat(&several)?)
        }
    }
}

fn array(shape: &Shape, vector: Vector, field: &Field, dictionaries: &Dictionaries) -> Result<ArrayRef> {
    match (shape, vector) {
        (Shape::Record(record), Vector::Record(vector)) => match (&record.fields[..], vector.fields) {
            ([part], mut vectors) if vectors.len() == 1 => {
                export_column(&part.shape, vectors.pop().unwrap_or(Vector::Null(0)), field, dictionaries)
            }
            _ => Err(Error::internal("a projection of more than one field")),
        },
        (shape, vector) => export_column(shape, vector, field, dictionaries),
    }
}

/// The array of a field within records that are always there.
fn within(mut array: ArrayRef, field: &Field, path: &str) -> ArrayRef {
    let mut name = field.name().clone();
    while name != path {
        let Some(records) = array.as_struct_opt().filter(|_| array.logical_null_count() == 0) else { break };
        let ([part], [inner]) = (&records.fields()[..], records.columns()) else { break };
        name = format!("{name}.{}", part.name());
        let inner = ArrayRef::clone(inner);
        array = inner;
    }
    array
}
