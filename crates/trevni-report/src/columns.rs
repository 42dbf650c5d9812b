//! The columns of a file by names that people know: the paths of their fields.

use crate::failure::Failure;
use std::collections::HashMap;
use trevni::column::{ColumnInfo, ValueType};
use trevni::path::{PathName, parse};
use trevni::shape::LogicalShape;
use trevni::{Reader, Shape};
use trevni_query::paths::{self, FieldPath, Pattern};

/// A column of a file.
pub(crate) struct Column<'r> {
    /// Its place in the file.
    pub(crate) number: usize,
    /// The path of its field: `sender.host`; lengths of lists and maps end in `[]`, and `?` marks
    /// a column that only says whether something is there. The column's own name where two have the same path.
    pub(crate) label: String,
    pub(crate) info: &'r ColumnInfo,
}

impl Column<'_> {
    /// What the column holds.
    pub(crate) fn content(&self) -> ColumnContent {
        match (self.info.is_array(), self.info.is_optional(), self.info.value_type()) {
            (false, ..) => ColumnContent::Values,
            (true, true, ValueType::Null) => ColumnContent::Nulls,
            (true, true, _) => ColumnContent::ValuesAndNulls,
            (true, false, ValueType::Null) => ColumnContent::Lengths,
            (true, false, _) => ColumnContent::ValuesAndLengths,
        }
    }

    /// Whether it is called like a pattern as it is written; of what is no field, the name may fit a glob.
    fn is_called(&self, pattern: &Pattern) -> bool {
        let is_field = self.info.path_names().is_some_and(|names| !names.is_empty());
        let is_exact = pattern.text == self.info.name() || pattern.text == self.label;
        is_exact || (!is_field && pattern.fits(&self.label))
    }

    /// Whether it belongs to a field, or to something within.
    fn is_of(&self, path: &FieldPath) -> bool {
        self.info.path_names().is_some_and(|own| own.starts_with(path.names()))
    }
}

/// What the values of a column mean, where they have a logical type with strings.
pub(crate) fn logical_of<'s>(shape: &'s Shape, info: &ColumnInfo) -> Option<&'s LogicalShape> {
    let (mut shape, mut names) = (shape, info.path_names()?.iter());
    loop {
        shape = match shape {
            Shape::Optional(optional) => &optional.item,
            Shape::List(item) => item,
            Shape::Logical(logical) => {
                let is_text = logical.logical.storage().is_some() && logical.storage != Shape::String;
                return Some(&**logical).filter(|_| is_text && names.next().is_none());
            }
            shape => {
                let name = names.next()?;
                match shape {
                    Shape::Record(record) => {
                        &record.fields.iter().find(|field| field.name == name.as_str())?.shape
                    }
                    Shape::Map(map) if name == "key" => &map.key,
                    Shape::Map(map) => &map.value,
                    Shape::Union(variants) => {
                        variants.iter().find(|variant| variant.branch_name() == *name)?
                    }
                    _ => return None,
                }
            }
        };
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ColumnContent {
    Values,
    ValuesAndNulls,
    ValuesAndLengths,
    Lengths,
    Nulls,
}

impl ColumnContent {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Values => "values",
            Self::ValuesAndNulls => "values and nulls",
            Self::ValuesAndLengths => "values and lengths",
            Self::Lengths => "lengths",
            Self::Nulls => "nulls",
        }
    }
}

/// All columns of a file, in its order.
pub(crate) fn columns<'r>(reader: &'r Reader<'_>) -> Vec<Column<'r>> {
    let columns = reader.columns().iter().enumerate();
    let mut columns: Vec<Column<'_>> =
        columns.map(|(number, info)| Column { number, label: label(info), info }).collect();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for column in &columns {
        *counts.entry(column.label.clone()).or_default() += 1;
    }
    for column in &mut columns {
        if counts.get(&column.label).is_some_and(|count| *count > 1) {
            column.label = column.info.name().to_owned();
        }
    }
    columns
}

fn label(info: &ColumnInfo) -> String {
    let Some(path) = info.path().filter(|path| !path.is_empty()).and_then(without_quotes) else {
        return info.name().to_owned();
    };
    match (info.is_array(), info.is_optional()) {
        (true, true) if info.value_type() == ValueType::Null => format!("{path}?"),
        (true, false) => format!("{path}[]"),
        _ => path,
    }
}

/// The names of a path joined by dots.
fn without_quotes(path: &str) -> Option<String> {
    let names = parse(path).ok()?;
    Some(names.iter().map(PathName::text).collect::<Vec<_>>().join("."))
}

/// The columns that patterns name, in the order of the patterns; all without patterns. Patterns are
/// as in [`paths`]; names of columns are understood too.
pub(crate) fn chosen<'r>(reader: &'r Reader<'_>, lists: &[String]) -> Result<Vec<Column<'r>>, Failure> {
    let (all, patterns) = (columns(reader), Pattern::all(lists)?);
    if patterns.is_empty() {
        return Ok(all);
    }
    let mut numbers: Vec<usize> = Vec::new();
    if patterns.iter().all(|pattern| pattern.leaves_out) {
        numbers = (0..all.len()).collect();
    }
    for pattern in &patterns {
        let found = of_pattern(reader, &all, pattern)?;
        numbers.retain(|number| !pattern.leaves_out || !found.contains(number));
        if !pattern.leaves_out {
            let new: Vec<usize> = found.into_iter().filter(|number| !numbers.contains(number)).collect();
            numbers.extend(new);
        }
    }
    let mut all: Vec<Option<Column<'_>>> = all.into_iter().map(Some).collect();
    Ok(numbers.into_iter().filter_map(|number| all.get_mut(number)?.take()).collect())
}

/// The numbers of the columns that a pattern names.
fn of_pattern(reader: &Reader<'_>, all: &[Column<'_>], pattern: &Pattern) -> Result<Vec<usize>, Failure> {
    let called = all.iter().filter(|column| column.is_called(pattern));
    let mut numbers: Vec<usize> = called.map(|column| column.number).collect();
    // Fields are meant first, but a label may say more than a path: lengths, or nulls.
    let fields = paths::chosen(reader.shape(), &[pattern.included()]);
    let fields = match fields {
        Ok(fields) => fields.unwrap_or_default(),
        Err(failure) if numbers.is_empty() => return Err(failure.into()),
        Err(_) => Vec::new(),
    };
    let of_fields = all.iter().filter(|column| fields.iter().any(|path| column.is_of(path)));
    let new: Vec<usize> =
        of_fields.map(|column| column.number).filter(|number| !numbers.contains(number)).collect();
    numbers.extend(new);
    Ok(numbers)
}

/// The outermost field that a column belongs to; its own name where rows are no records.
pub(crate) fn outermost<'c>(shape: &Shape, column: &'c Column<'_>) -> &'c str {
    let outermost = column.info.path_names().and_then(|names| names.first());
    match (shape, outermost) {
        (Shape::Record(_), Some(name)) => name,
        _ => &column.label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn columns_have_names_that_people_know() {
        let row = json!({"id": 1, "lists": [[1]], "to": [{"host": "a", "port": 1}], "names": ["x"]});
        let null = json!({"id": 1, "lists": null, "to": [], "names": []});
        let bytes = trevni::to_vec([row, null]).unwrap();
        let reader = Reader::from_slice(&bytes).unwrap();
        let labels = |columns: Vec<Column<'_>>| columns.into_iter().map(|c| c.label).collect::<Vec<_>>();
        let all =
            ["id", "lists?", "lists/array[]", "lists/array[][]", "to[]", "to.host", "to.port", "names[]"];
        assert_eq!(labels(columns(&reader)), all);
        let of = |patterns: &[&str]| {
            let patterns: Vec<String> = patterns.iter().map(|pattern| pattern.to_string()).collect();
            chosen(&reader, &patterns).map(labels)
        };
        assert_eq!(of(&["names", "to"]).unwrap(), ["names[]", "to[]", "to.host", "to.port"]);
        assert_eq!(of(&["to[]#host", "lists?"]).unwrap(), ["to.host", "lists?"]);
        assert_eq!(of(&["!lists", "!to"]).unwrap(), ["id", "names[]"]);
        assert_eq!(of(&["*.h*"]).unwrap(), ["to.host"]);
        assert!(of(&["nothing"]).unwrap_err().message().contains("no field \"nothing\""));
        let fields: Vec<String> =
            columns(&reader).iter().map(|column| outermost(reader.shape(), column).to_owned()).collect();
        assert_eq!(fields, ["id", "lists", "lists", "lists", "to", "to", "to", "names"]);
    }
}
