//! The columns of a schema, as Avro's Java maps it to them; and that the files have these.

use crate::data;
use crate::schema::Schema;
use trevni::Reader;

/// A column, as its metadata describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    name: String,
    kind: &'static str,
    array: bool,
    parent: Option<String>,
}

impl Column {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

/// The columns of a schema, in order.
pub(crate) fn of_schema(schema: &Schema) -> Vec<Column> {
    let mut columns = Vec::new();
    add(&mut columns, "", schema, None);
    columns
}

/// The columns of a file, in order.
pub(crate) fn of_file(reader: &Reader<'_>) -> Vec<Column> {
    let column = |column: &trevni::column::ColumnInfo| Column {
        name: column.name().to_owned(),
        kind: column.value_type().name(),
        array: column.is_array(),
        parent: column.parent().map(str::to_owned),
    };
    reader.columns().iter().map(column).collect()
}

/// The column type of a schema that needs only one column.
fn simple(schema: &Schema) -> Option<&'static str> {
    Some(match schema {
        Schema::Null => "null",
        Schema::Boolean => "boolean",
        Schema::Int | Schema::Enum { .. } => "int",
        Schema::Long => "long",
        Schema::Float => "float",
        Schema::Double => "double",
        Schema::Text => "string",
        Schema::Bytes | Schema::Fixed { .. } => "bytes",
        Schema::Record { .. } | Schema::Array(_) | Schema::Map(_) | Schema::Union(_) => return None,
    })
}

/// A part of a path behind those before it; at the top there is no separator.
fn joined(path: &str, separator: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}{separator}{name}") }
}

fn push(columns: &mut Vec<Column>, name: &str, kind: &'static str, array: bool, parent: Option<&str>) {
    columns.push(Column { name: name.to_owned(), kind, array, parent: parent.map(str::to_owned) });
}

fn add(columns: &mut Vec<Column>, path: &str, schema: &Schema, parent: Option<&str>) {
    if let Some(kind) = simple(schema) {
        let name = if path.is_empty() { schema.name() } else { path };
        return push(columns, name, kind, false, parent);
    }
    match schema {
        Schema::Record { fields, .. } => {
            for (name, field) in fields {
                add(columns, &joined(path, "#", name), field, parent);
            }
        }
        Schema::Array(items) => add_array(columns, &format!("{path}[]"), items, parent),
        Schema::Map(values) => {
            let name = format!("{path}>");
            push(columns, &name, "null", true, parent);
            push(columns, &format!("{name}key"), "string", false, Some(&name));
            add(columns, &format!("{name}value"), values, Some(&name));
        }
        Schema::Union(branches) => {
            for branch in branches.iter().filter(|branch| **branch != Schema::Null) {
                add_array(columns, &joined(path, "/", branch.name()), branch, parent);
            }
        }
        _ => unreachable!("a simple schema"),
    }
}

fn add_array(columns: &mut Vec<Column>, name: &str, items: &Schema, parent: Option<&str>) {
    match simple(items) {
        Some(kind) => push(columns, name, kind, true, parent),
        None => {
            push(columns, name, "null", true, parent);
            add(columns, name, items, Some(name));
        }
    }
}

#[test]
fn files_of_java_have_the_columns_of_their_schemas() {
    for golden in data::with_schema() {
        let bytes = golden.bytes();
        let reader = Reader::from_slice(&bytes).unwrap();
        assert_eq!(of_file(&reader), of_schema(&golden.schema()), "{}", golden.name);
    }
}
