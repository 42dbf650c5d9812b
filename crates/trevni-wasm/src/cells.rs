//! Rows as CSV: the fields of records are cells of their own.

use crate::fault::Result;
use trevni::shape::Form;
use trevni::{Reader, Shape, ValueRef};
use trevni_print::rows::{Separated, Shown, has_logical, non_null};
use trevni_query::paths::{FieldPath, labels};

/// The cells of rows.
#[derive(Default)]
struct Cells {
    /// The numbers of the fields that lead to each.
    places: Vec<Vec<usize>>,
    paths: Vec<FieldPath>,
}

impl Cells {
    fn of(shape: &Shape) -> Self {
        let mut cells = Self::default();
        match shape {
            Shape::Record(record) if record.form == Form::Struct => {
                cells.add(shape, &mut Vec::new(), &FieldPath::default());
            }
            _ => {
                cells.places.push(Vec::new());
                cells.paths.push(FieldPath::default().below("value", "value"));
            }
        }
        cells
    }

    fn add(&mut self, shape: &Shape, place: &mut Vec<usize>, path: &FieldPath) {
        match shape {
            Shape::Optional(optional) if matches!(optional.item, Shape::Record(_)) => {
                self.add(&optional.item, place, path);
            }
            Shape::Record(record) if record.form == Form::Struct => {
                for (number, field) in record.fields.iter().enumerate() {
                    place.push(number);
                    self.add(&field.shape, place, &path.below(&field.name, &field.name));
                    place.pop();
                }
            }
            _ => {
                self.places.push(place.clone());
                self.paths.push(path.clone());
            }
        }
    }
}

/// The rows of a reader, after their names if that is asked for.
pub(crate) fn csv(reader: &Reader<'_>, header: bool) -> Result<Vec<u8>> {
    let cells = Cells::of(reader.shape());
    let separated = Separated::new(b',', labels(&cells.paths), header, "");
    let has_logical = has_logical(reader.shape());
    let mut lines = separated.lines(separated.header());
    for batch in reader.batches()? {
        let batch = batch?;
        let shown = Shown::of(&batch, has_logical)?;
        for row in shown.values() {
            lines.row(cells.places.iter().map(|place| at(row, place)))?;
        }
    }
    Ok(lines.out)
}

/// The value at a place; nothing where it is null.
fn at<'b>(mut value: ValueRef<'b>, place: &[usize]) -> Option<ValueRef<'b>> {
    for number in place {
        value = match value {
            ValueRef::Record(record) => record.field(*number)?,
            _ => return None,
        };
    }
    non_null(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_cells() {
        let rows: serde_json::Value = serde_json::from_str(
            r#"[{"a": 1, "in": {"b.c": "x,y", "d": [1, 2]}}, {"a": null, "in": null}, {"a": 3, "in": {"b.c": "", "d": []}}]"#,
        )
        .unwrap();
        let file = trevni::to_vec(rows.as_array().unwrap()).unwrap();
        let reader = Reader::from_slice(&file).unwrap();
        let expected = "a,in.b.c,in.d\n1,\"x,y\",\"[1,2]\"\n,,\n3,\"\",[]\n";
        assert_eq!(String::from_utf8(csv(&reader, true).unwrap()).unwrap(), expected);
    }
}
