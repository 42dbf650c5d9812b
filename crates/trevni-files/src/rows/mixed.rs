//! Values of several types in one field, and what becomes of them.

use super::{Json, has_union, json_text};
use crate::dialect;
use crate::failure::Failure;
use crate::limits::limits;
use crate::progress::Progress;
use crate::type_name::type_name;
use clap::ValueEnum;
use std::io;
use std::path::Path;
use std::sync::Arc;
use trevni::{Batch, Reader, Shape, ValueRef, Vector, Writer};
use trevni_query::paths::FieldPath;

/// What becomes of values of several types in one field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Mixed {
    /// A union of the types
    #[default]
    Union,
    /// Strings: the values as JSON
    Json,
    /// Strings: strings as they are, other values as JSON
    String,
    /// An error
    Error,
}

impl From<Mixed> for trevni_infer::counts::Mixed {
    fn from(mixed: Mixed) -> Self {
        match mixed {
            Mixed::Union => Self::Union,
            Mixed::Json => Self::Json,
            Mixed::String => Self::String,
            Mixed::Error => Self::Error,
        }
    }
}

impl Mixed {
    /// Whether there are values that become strings.
    pub fn makes_strings(self, shape: &Shape) -> bool {
        matches!(self, Self::Json | Self::String) && has_union(shape)
    }

    /// The shape that values at a path get.
    ///
    /// # Errors
    ///
    /// Unions where they are refused.
    pub fn shape(self, shape: &Shape, path: &FieldPath) -> Result<Shape, Failure> {
        match union(shape, path).filter(|_| self == Self::Error) {
            Some((path, variants)) => Err(refused(&path.to_string(), variants.iter().map(type_name))),
            None => Ok(self.of(shape, &Vector::new(shape)).map_or_else(|| shape.clone(), |(shape, _)| shape)),
        }
    }

    /// The shape and the values that these become; `None` where the vector does not have the form of its shape, or there is
    /// no room.
    pub fn of(self, shape: &Shape, vector: &Vector) -> Option<(Shape, Vector)> {
        let text = |value: &ValueRef<'_>| match self {
            Self::String => json_text(value),
            _ => serde_json::to_string(&Json(value)),
        };
        match self {
            Self::Json | Self::String => trevni_print::rows::without_unions(shape, vector, text),
            Self::Union | Self::Error => Some((shape.clone(), vector.clone())),
        }
    }

    /// The first rows, `most` at least, as they are to be written: those with unions go to a temporary file, unless unions
    /// are to stay.
    ///
    /// # Errors
    ///
    /// Unions where they are refused; rows that cannot be read.
    pub fn rows(self, rows: &Reader<'static>, name: &str, most: u64) -> Result<Reader<'static>, Failure> {
        if self == Self::Union || !has_union(rows.shape()) {
            return Ok(rows.clone());
        }
        let shape = self.shape(rows.shape(), &FieldPath::default()).map_err(|error| error.within(name))?;
        rewritten(rows, name, &Arc::new(shape), most, |batch| {
            let made = self.of(batch.shape(), batch.vector());
            made.map(|(_, vector)| vector)
                .ok_or_else(|| io::Error::other("more than 4 GiB of strings").into())
        })
    }
}

/// The first rows, `most` at least, in a temporary file, with other values of another shape, which `make` gives of each batch.
///
/// # Errors
///
/// Rows that cannot be read; what `make` fails with.
pub fn rewritten(
    rows: &Reader<'static>,
    name: &str,
    shape: &Arc<Shape>,
    most: u64,
    mut make: impl FnMut(&Batch) -> trevni::Result<Vector>,
) -> Result<Reader<'static>, Failure> {
    let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
    let file = tempfile::tempfile().map_err(|error| Failure::io("a temporary file", &error))?;
    let mut builder = Writer::builder().without_drop_notice().threads(0);
    for (key, value) in rows.metadata().iter().filter(|(key, _)| !dialect::is_own_key(key)) {
        builder = builder.metadata(key, value);
    }
    let mut writer = builder.shape(shape).build(file).map_err(failed)?;
    let progress = Progress::rows("writing", rows.row_count());
    for batch in rows.batches().map_err(failed)? {
        let batch = batch.map_err(failed)?;
        let made = make(&batch).and_then(|vector| Batch::try_new(Arc::clone(shape), vector));
        made.and_then(|made| writer.write_batch(&made)).map_err(failed)?;
        progress.add(batch.len() as u64);
        if writer.row_count() >= most {
            break;
        }
    }
    let file = writer.finish().map_err(failed)?;
    Reader::builder().limits(limits()).threads(0).shared(file).map_err(failed)
}

/// Why values of these types are refused in one field.
pub fn refused(path: &str, types: impl Iterator<Item = String>) -> Failure {
    trevni_infer::Error::several_types(path, types).into()
}

/// The first union and where it is.
fn union<'s>(shape: &'s Shape, path: &FieldPath) -> Option<(FieldPath, &'s [Shape])> {
    match shape {
        Shape::Union(variants) => Some((path.clone(), variants)),
        Shape::Record(record) => {
            record.fields.iter().find_map(|field| union(&field.shape, &path.below(&field.name, &field.name)))
        }
        Shape::List(item) => union(item, path),
        Shape::Map(map) => union(&map.key, &path.below("key", "key"))
            .or_else(|| union(&map.value, &path.below("value", "value"))),
        Shape::Optional(optional) => union(&optional.item, path),
        _ => None,
    }
}
