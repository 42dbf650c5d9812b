//! Columns of our own files have the names that the stored schema gives them, whatever the shape.

use crate::columns::{of_file, of_schema};
use crate::random::Random;
use crate::schema::Schema;
use proptest::prelude::*;
use trevni::formats::Trevni;
use trevni::shape::{FieldShape, Name, Null, OptionalShape};
use trevni::{Batch, Reader, Shape, Writer, WriterBuilder};

/// Names that meet each other, Avro's words, this crate's own, and those that Avro does not allow.
const TYPES: [&str; 10] = ["S", "S-", "S_", "int", "array", "Row", "Some", "Some_2", "Entry", ""];
const FIELDS: [&str; 8] = ["a", "a-", "a_", "a.b", "value", "key", "1", "é"];
const NAMESPACES: [&str; 6] = ["", "", "E", "E_2", "serde", "types"];

/// Names from small pools, and types that come again, in optionals too.
struct Squeezed<'r> {
    random: &'r mut Random,
    seen: Vec<Shape>,
}

impl Squeezed<'_> {
    fn pick(&mut self, pool: &[&'static str]) -> Name {
        Name::Borrowed(pool[self.random.below(pool.len())])
    }

    fn shape(&mut self, shape: &mut Shape) {
        match shape {
            Shape::Fixed(fixed) => {
                (fixed.namespace, fixed.name) = (self.pick(&NAMESPACES), self.pick(&TYPES));
            }
            Shape::Enum(symbols) => {
                (symbols.namespace, symbols.name) = (self.pick(&NAMESPACES), self.pick(&TYPES));
            }
            Shape::Record(record) => {
                if !record.form.is_variant() {
                    (record.namespace, record.name) = (self.pick(&NAMESPACES), self.pick(&TYPES));
                }
                let is_struct =
                    !record.form.is_tuple() && record.fields.first().is_none_or(|f| f.name != "_0");
                let mut free = FIELDS.to_vec();
                for field in &mut record.fields {
                    self.field(field);
                    if is_struct {
                        field.name = Name::Borrowed(free.swap_remove(self.random.below(free.len())));
                    }
                }
            }
            Shape::List(item) => self.shape(item),
            Shape::Map(map) => {
                self.shape(&mut map.key);
                self.shape(&mut map.value);
            }
            Shape::Optional(optional) => self.shape(&mut optional.item),
            Shape::Union(variants) => variants.iter_mut().for_each(|variant| self.shape(variant)),
            _ => {}
        }
    }

    fn field(&mut self, field: &mut FieldShape) {
        match self.random.below(3) {
            0 if !self.seen.is_empty() => field.shape = self.seen[self.random.below(self.seen.len())].clone(),
            _ => self.shape(&mut field.shape),
        }
        self.seen.push(field.shape.clone());
        for _ in 0..self.random.below(6).saturating_sub(3) {
            let mut item = std::mem::replace(&mut field.shape, Shape::Null);
            if let Shape::Optional(optional) = &mut item {
                optional.null = Null::None;
            }
            field.shape = Shape::Optional(Box::new(OptionalShape::new(Null::None, item)));
        }
    }
}

/// A shape, some rows of it, and the same in a column that comes twice.
fn random_batch(seed: u64) -> Batch {
    let mut random = Random::new(seed);
    let mut shape = random.row();
    Squeezed { random: &mut random, seen: Vec::new() }.shape(&mut shape);
    if random.below(2) == 0 {
        shape = Shape::record("Twice", [("one", shape.clone()), ("two", Shape::optional(shape))]);
    }
    let len = random.below(4);
    let vector = random.vector(&shape, len);
    Batch::try_new(shape, vector).unwrap()
}

/// The file, and whether its columns have the names of its schema.
fn check(builder: WriterBuilder, batch: &Batch) -> Result<(), TestCaseError> {
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_batch(batch).unwrap();
    let file = writer.finish().unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    let schema = reader.metadata().get_str("avro.schema").unwrap().to_owned();
    prop_assert_eq!(of_file(&reader), of_schema(&Schema::parse(&schema)), "{}", schema);
    let again: Vec<Batch> = reader.batches().unwrap().collect::<trevni::Result<_>>().unwrap();
    let rows: Vec<_> = again.iter().flat_map(Batch::values).collect();
    prop_assert_eq!(rows, batch.values().collect::<Vec<_>>(), "{}", schema);
    prop_assert!(trevni::verify::Verify::new().source(&file).unwrap().is_ok());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn columns_have_the_names_of_the_schema(seed in any::<u64>()) {
        let batch = random_batch(seed);
        check(Writer::builder(), &batch)?;
        check(Writer::builder().format(Trevni::new().compact()), &batch)?;
        check(Writer::builder().shape(batch.shape()), &batch)?;
    }
}

/// Schemas that a caller may give: marks of this crate where it would not have put them, and names of its own.
const GIVEN: [&str; 10] = [
    r#"{"type":"record","name":"R","fields":[{"name":"x","serde.name":"y","type":"int"}]}"#,
    r#"["null",{"type":"record","name":"a","serde.name":"b","fields":[{"name":"f","type":["null","int"]}]}]"#,
    r#"["null",{"type":"record","name":"Mine","serde":"some","fields":[{"name":"v","type":["null","int"]}]}]"#,
    r#"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"record","name":"S","serde":"some","fields":[{"name":"v","type":"int"}]}},{"name":"b","type":["null","S"]}]}"#,
    r#"["null",{"type":"record","name":"One","serde":"some","fields":[{"name":"v","type":"int"}]}]"#,
    r#"{"type":"record","name":"R","fields":[{"name":"a","type":["null",{"type":"record","name":"U","namespace":"n","serde":"unit","fields":[]}]},{"name":"b","type":["null","n.U"]}]}"#,
    r#"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"record","name":"U","serde":"unit","fields":[]}},{"name":"c","type":"long"}]}"#,
    r#"["string",{"type":{"type":"array","logicalType":"map","items":{"type":"record","name":"E","fields":[{"name":"k","serde.name":"key","type":"int"},{"name":"value","type":"int"}]}}}]"#,
    r#"{"type":"array","logicalType":"map","items":{"type":"record","name":"E","fields":[{"name":"a","type":"int"},{"name":"b","type":"int"},{"name":"c","type":"int"}]}}"#,
    r#"["null","long",{"type":"fixed","name":"Wide","size":16,"serde":"u128"}]"#,
];

#[test]
fn columns_have_the_names_of_schemas_that_are_given() {
    for text in GIVEN {
        let writer = Writer::builder().schema(text).build(Vec::new()).unwrap();
        let file = writer.finish().unwrap();
        let reader = Reader::from_slice(&file).unwrap();
        assert_eq!(of_file(&reader), of_schema(&Schema::parse(text)), "{text}");
        let report = trevni::verify::Verify::new().source(&file).unwrap();
        assert!(report.is_ok() && report.notes.is_empty(), "{text}: {report:?}");
    }
}
