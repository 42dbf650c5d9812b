//! Any cut of rows into files, by any writers, is one file: as a dataset, and merged. Rows, columns and the rows that predicates
//! find are the same.

use crate::files;
use crate::model::Graph;
use crate::random::Random;
use crate::value::Value;
use std::collections::BTreeSet;
use trevni::column::ValueType;
use trevni::formats::Trevni;
use trevni::merge::Merge;
use trevni::predicate::Literal;
use trevni::reader::{FromColumn, Nested};
use trevni::{Codec, Dataset, Dialect, Predicate, Reader, Shape, Writer, WriterBuilder, col};

/// Rows in one file, and in several, each written by another writer.
pub struct Cut {
    pub one: Vec<u8>,
    pub files: Vec<Vec<u8>>,
}

/// Cuts rows anywhere. Some writers know the shape that the type tells; then so does the writer of the one file.
pub fn cut(graph: &'static Graph, rows: &[Value], random: &mut Random) -> trevni::Result<Cut> {
    let plain = files::write(graph, rows, Writer::builder())?;
    let given = |shape: Shape| {
        // Rows that are maps are records to writers that are not told.
        if matches!(shape, Shape::Map(_)) {
            return None;
        }
        let given = files::write(graph, rows, Writer::builder().shape(&shape).derived()).ok()?;
        // So are maps in rows.
        let is_alike = paths(&given).is_superset(&paths(&plain));
        is_alike.then_some((shape, given))
    };
    let given = if random.one_in(2) { files::shape_of(graph).ok().and_then(given) } else { None };
    let (shape, one) = match given {
        Some((shape, given)) => (Some(shape), given),
        None => (None, plain),
    };
    let (mut files, mut rest) = (Vec::new(), rows);
    while !rest.is_empty() || files.is_empty() {
        let (piece, after) = rest.split_at(random.between(0, rest.len().min(5)));
        rest = after;
        let is_given = files.is_empty() || random.one_in(2);
        files.push(files::write(graph, piece, options(shape.as_ref().filter(|_| is_given), random))?);
    }
    Ok(Cut { one, files })
}

fn paths(file: &[u8]) -> BTreeSet<String> {
    let reader = Reader::from_slice(file).expect("a file that has just been written");
    // What is null in all rows may be anything elsewhere.
    let columns = reader.columns().iter().filter(|column| column.value_type() != ValueType::Null);
    let paths = columns.filter_map(|column| Some(column.path()?.to_owned()));
    // Names of types with a number depend on the types before them.
    let has_number =
        |path: &str| path.as_bytes().windows(2).any(|pair| pair[0] == b'_' && pair[1].is_ascii_digit());
    paths.filter(|path| !has_number(path)).collect()
}

fn options(shape: Option<&Shape>, random: &mut Random) -> WriterBuilder {
    let options = files::options(random);
    let options = match random.below(6) {
        0 => options.codec(Codec::Typed),
        1 => options.codec(Codec::Deflate),
        2 => options.format(Trevni::new().compact()),
        3 => options.batch_rows(1),
        _ => options,
    };
    match shape {
        Some(shape) => options.shape(shape).derived(),
        None => options,
    }
}

/// The files in several formats as one file.
pub fn merged(files: &[Vec<u8>], random: &mut Random) -> trevni::Result<Vec<u8>> {
    let readers = files.iter().map(|file| Reader::from_slice(file)).collect::<trevni::Result<Vec<_>>>()?;
    let mut merge = Merge::new();
    if random.one_in(3) {
        merge = merge.dialect([Dialect::Levels, Dialect::RedElm][random.below(2)]);
    }
    if random.one_in(3) {
        merge = merge.codec(Codec::Deflate);
    }
    let mut file = Vec::new();
    merge.write(&readers, &mut file)?;
    Ok(file)
}

/// Columns and predicates of the files, of these merged, and of one file with all rows.
///
/// # Errors
///
/// What differs.
pub fn compare(Cut { one, files }: &Cut, merged: &[u8]) -> Result<(), String> {
    let text = |error: trevni::Error| error.to_string();
    let paths = paths(one);
    let one = Reader::from_slice(one).map_err(text)?;
    let merged = Reader::from_slice(merged).map_err(text)?;
    let readers = files.iter().map(|file| Reader::from_slice(file)).collect::<trevni::Result<Vec<_>>>();
    // A field that a part lacks is null there.
    let dataset = Dataset::from_readers(readers.map_err(text)?).map_err(text)?.all_optional();
    // Names of types and of fields together may mean two columns. Names of types are numbered as types come.
    let is_one = |path: &&String| {
        let has_other_names = merged.project([path]).is_err() && depends_on_cut(path, &one, &merged);
        let readers = [one.project([path]), merged.project([path])];
        let shapes = readers.iter().flatten().map(Reader::shape);
        !has_other_names
            && shapes.map(leaves).all(|count| count == 1)
            && dataset.project([path]).map_or(true, |part| leaves(part.shape()) == 1)
    };
    for path in paths.iter().filter(is_one) {
        columns(path, &one, &dataset, &merged)?;
        predicates(path, &one, &dataset, &merged)?;
    }
    Ok(())
}

/// Whether a name on the path is another one in other cuts: that of a type that has a number, that of integers, whose width is
/// that of the values that a writer saw, or those of a map, which is a record to a writer that saw no key but strings.
fn depends_on_cut(path: &str, one: &Reader<'_>, merged: &Reader<'_>) -> bool {
    let has_width = ["int", "long", "i128"].iter().any(|name| path.ends_with(&format!(".{name}")));
    let is_map = matches!(one.shape(), Shape::Map(_));
    let mut others = merged.columns().iter().filter_map(|column| column.path());
    // A type that has a namespace, as not all of these need.
    let has_namespace = path.split('`').skip(1).step_by(2).any(|name| name.contains('.'));
    has_width || is_map || has_namespace || others.any(|other| is_numbered(other, path))
}

/// Whether a path is another one, with numbers at names of types.
fn is_numbered(path: &str, other: &str) -> bool {
    let without = |name: &str| name.trim_end_matches(|c: char| c == '_' || c.is_ascii_digit()).to_owned();
    path != other && path.split('.').map(without).eq(other.split('.').map(without))
}

fn leaves(shape: &Shape) -> usize {
    match shape {
        Shape::Record(record) => record.fields.iter().map(|field| leaves(&field.shape)).sum(),
        Shape::Union(variants) => variants.iter().map(leaves).sum(),
        Shape::Optional(optional) => leaves(&optional.item),
        Shape::List(item) => leaves(item),
        // Both halves are kept.
        _ => 1,
    }
}

fn columns(path: &str, one: &Reader<'_>, dataset: &Dataset<'_>, merged: &Reader<'_>) -> Result<(), String> {
    column::<Nested<Option<i64>>>(path, one, dataset, merged)?;
    column::<Nested<Option<u64>>>(path, one, dataset, merged)?;
    column::<Nested<Option<f64>>>(path, one, dataset, merged)?;
    column::<Nested<Option<bool>>>(path, one, dataset, merged)?;
    column::<Nested<Option<Vec<u8>>>>(path, one, dataset, merged)?;
    column::<Nested<Option<String>>>(path, one, dataset, merged)
}

/// Where one file has values of this type, all have them.
fn column<T>(path: &str, one: &Reader<'_>, dataset: &Dataset<'_>, merged: &Reader<'_>) -> Result<(), String>
where
    T: FromColumn,
    T::Column: PartialEq + std::fmt::Debug,
{
    let Ok(expected) = one.column::<T>(path) else { return Ok(()) };
    for (name, found) in [("dataset", dataset.column::<T>(path)), ("merged", merged.column::<T>(path))] {
        match found {
            Ok(found) if found == expected => {}
            Ok(found) => {
                return Err(format!("{name}, column {path:?}: {found:?}\n      instead of {expected:?}"));
            }
            Err(error) => {
                return Err(format!("{name}, column {path:?}: {error}\n      instead of {expected:?}"));
            }
        }
    }
    Ok(())
}

fn predicates(
    path: &str,
    one: &Reader<'_>,
    dataset: &Dataset<'_>,
    merged: &Reader<'_>,
) -> Result<(), String> {
    let literals: [Literal; 6] =
        [1.into(), (-1).into(), 0.5.into(), "a".into(), true.into(), Literal::Bytes(vec![1])];
    let predicate =
        |literal: Literal| -> [Predicate; 2] { [col(path).eq(literal.clone()), col(path).ge(literal)] };
    let all = literals.into_iter().flat_map(predicate).chain([col(path).is_null()]);
    for predicate in all {
        let found =
            |reader: &Reader<'_>| reader.filter(predicate.clone()).and_then(|reader| reader.matching());
        let Ok(expected) = found(one) else { continue };
        let of_dataset = dataset.filter(predicate.clone()).and_then(|dataset| dataset.matching());
        for (name, found) in [("dataset", of_dataset), ("merged", found(merged))] {
            let found = found.map_err(|error| format!("{name}, {predicate}: {error}"))?;
            if found != expected {
                return Err(format!("{name}, {predicate}: {found:?}\n      instead of {expected:?}"));
            }
        }
    }
    Ok(())
}
