//! Options of logical types.

use super::WriterBuilder;
use crate::shape::Logical;

impl WriterBuilder {
    /// Stores the values at a path as a logical type: instants, dates, decimals, UUIDs as numbers or bytes instead of
    /// texts. Default: the logical types of a given schema or shape.
    ///
    /// Rows may have the values as texts or as numbers there: a text is read (see the
    /// [table](crate::Logical#texts)), and a number is what the type counts. Whoever reads the values as text, or without
    /// a type, gets the canonical text; whoever asks for a number gets the number. Paths have the names of fields, joined
    /// by dots, as in [`Reader::project`](crate::Reader::project).
    ///
    /// ```
    /// use trevni::{Logical, Writer};
    ///
    /// #[derive(serde::Serialize)]
    /// struct Visit { when: &'static str, cost: Option<&'static str> }
    ///
    /// let cost = Logical::Decimal { precision: 9, scale: 2 };
    /// let mut writer = Writer::builder()
    ///     .logical("when", Logical::TimestampMillis)
    ///     .logical("cost", cost)
    ///     .build(Vec::new())?;
    /// writer.write(&Visit { when: "2013-06-01T07:00:00+02:00", cost: Some("12.5") })?;
    /// let error = writer.write(&Visit { when: "yesterday", cost: None }).unwrap_err();
    /// assert!(error.to_string().contains("timestamp-millis") && error.to_string().contains("yesterday"));
    /// let file = writer.finish()?;
    ///
    /// let texts: Vec<serde_json::Value> = trevni::from_slice(&file)?;
    /// assert_eq!(texts, [serde_json::json!({"when": "2013-06-01T05:00:00Z", "cost": "12.50"})]);
    /// #[derive(serde::Deserialize)]
    /// struct Numbers { when: i64, cost: Option<f64> }
    /// let numbers: Vec<Numbers> = trevni::from_slice(&file)?;
    /// assert_eq!((numbers[0].when, numbers[0].cost), (1_370_062_800_000, Some(12.5)));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// A text that is no value of the type is an error of its row, and so is a number beyond the type; a path that no row
    /// has is an error of [`Writer::finish`](crate::Writer::finish). With [`schema`](Self::schema), which has logical
    /// types of its own, this is an error of [`build`](Self::build).
    pub fn logical(mut self, path: &str, logical: Logical) -> Self {
        self.wishes.add(path, logical);
        self
    }
}
