//! Options of rows: a shape that is known before the first.

use super::WriterBuilder;
use crate::shape::Shape;
use crate::writer::start::Given;

impl WriterBuilder {
    /// Sets the Avro schema of the rows, as JSON. Default: the schema is inferred from the rows.
    ///
    /// The schema is written to the file unchanged. Rows that do not fit it are refused. An enum selects the
    /// branch of a union by the name of its variant; other values select it by their type. Fields that a row lacks have their
    /// `default`. Doubles go into a `float` that has the same digits.
    ///
    /// ```
    /// use trevni::Writer;
    ///
    /// let schema = r#"{"type": "record", "name": "Leg", "fields": [{"name": "miles", "type": "double"}]}"#;
    /// let mut writer = Writer::builder().schema(schema).build(Vec::new())?;
    /// writer.write(&serde_json::json!({"miles": 1089}))?;
    /// assert!(writer.write(&serde_json::json!({"miles": "far"})).is_err());
    /// let rows: Vec<serde_json::Value> = trevni::from_slice(&writer.finish()?)?;
    /// assert_eq!(rows, [serde_json::json!({"miles": 1089.0})]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn schema(mut self, avro: impl Into<String>) -> Self {
        self.given = Given::Schema(avro.into(), crate::ser::Defaults::new);
        self
    }

    /// Sets the shape of the rows, where it is known before the first: that of another reader, of a type
    /// ([`Shape::from_type`]), or one built by hand. Default: the shape is inferred from the rows.
    ///
    /// Rows that do not fit it are refused, and a file without rows has its columns. Conversions are lenient, as
    /// with a schema: records accept maps, optional fields may be missing, unions accept values by type, floats
    /// accept integers that they represent exactly.
    ///
    /// ```
    /// use trevni::{Reader, Writer};
    ///
    /// let file = trevni::to_vec([("JFK", 1089.0)])?;
    /// let reader = Reader::from_slice(&file)?;
    /// let mut writer = Writer::builder().shape(reader.shape()).build(Vec::new())?;
    /// writer.write(&("LAX", 2475))?;
    /// assert_eq!(trevni::from_slice::<Vec<(String, f64)>>(&writer.finish()?)?, [("LAX".to_owned(), 2475.0)]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn shape(mut self, shape: &Shape) -> Self {
        self.given = Given::Shape(shape.clone());
        self
    }

    /// Says that a row whose `Serialize` fails is not serialized again to find where: for rows that are read as they are serialized, of which a part is gone
    /// then. All other rows are serialized once anyway. Default: such a row is serialized again, and the error has the path.
    ///
    /// ```
    /// use trevni::Writer;
    ///
    /// let mut writer = Writer::builder().serialize_once().build(Vec::new())?;
    /// writer.write(&1)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn serialize_once(mut self) -> Self {
        self.serialize_once = true;
        self
    }

    /// Makes the objects at a path maps: a column of keys and one of values, not a column for each key. For rows of JSON and
    /// others that are maps, where keys are open, such as the identifiers of users. The path goes through fields of objects, also in lists; the empty
    /// path is the rows themselves. Default: what a struct has as a map is a map, and an object in a JSON row is a record until its keys
    /// are many: after 1,000 keys it becomes a map if its values are of one kind and rows have few of them, at 10,000 in any case.
    ///
    /// ```
    /// use serde_json::{Value, json};
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::builder().map("visits").build(Vec::new())?;
    /// writer.write_all([json!({"day": 1, "visits": {"ann": 3}}), json!({"day": 2, "visits": {"bob": 1, "eve": 2}})])?;
    /// let file = writer.finish()?;
    /// let shape = Reader::from_slice(&file)?.shape().to_string();
    /// assert!(shape.contains("map of") && !shape.contains("ann"), "{shape}");
    /// assert_eq!(trevni::from_slice::<Vec<Value>>(&file)?[1], json!({"day": 2, "visits": {"bob": 1, "eve": 2}}));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn map(mut self, path: &str) -> Self {
        self.maps.add(path);
        self
    }

    /// Marks the given schema or shape as inferred from rows: an enum that is read does not match its variants
    /// with the names of union branches. Default: a given schema is foreign, and it does.
    ///
    /// ```
    /// use trevni::{Shape, Writer};
    ///
    /// let shape = Shape::from_avro(r#"["null", "string"]"#)?;
    /// let mut writer = Writer::builder().shape(&shape).derived().build(Vec::new())?;
    /// writer.write(&Some("string"))?;
    /// let file = writer.finish()?;
    ///
    /// #[derive(serde::Deserialize, PartialEq, Debug)]
    /// #[serde(rename_all = "lowercase")]
    /// enum Type { String, Int }
    /// assert_eq!(trevni::from_slice::<Vec<Type>>(&file)?, [Type::String]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn derived(mut self) -> Self {
        self.derived = true;
        self
    }
}
