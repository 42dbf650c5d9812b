//! Options of logical types.

use super::WriterBuilder;
use crate::shape::Logical;

impl WriterBuilder {
    /// Stores the values at a path as a logical type: instants, dates, decimals, UUIDs, IP addresses as numbers or bytes instead of
    /// strings. Default: the logical types of a given schema or shape.
    ///
    /// Rows may have the values as strings or as numbers there: a string is parsed (see the
    /// [table](crate::shape::Logical#strings)), and a number is in the type's unit. Reads as strings, or without
    /// a type, get the canonical string, in the style of the first string ([`StringStyle`](crate::shape::StringStyle)); a type
    /// that requests a number gets the number. Paths have the names of fields, joined
    /// by dots, as in [`Reader::project`](crate::Reader::project).
    ///
    /// ```
    /// use trevni::Writer;
    /// use trevni::shape::Logical;
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
    /// types of its own, this is an error of [`build`](Self::build), and so are two types for one path, and a decimal whose
    /// precision is not from 1 to 2,465, or whose scale is greater than that.
    pub fn logical(mut self, path: &str, logical: Logical) -> Self {
        self.wishes.add(path, logical);
        self
    }

    /// Stores a column of strings that are all canonical strings of one logical type, as
    /// [`LogicalDetector`](crate::LogicalDetector) finds it, as values of that type: instants and dates become numbers, which
    /// are smaller and faster to compare. Default: strings are stored as strings.
    ///
    /// Reads as strings give the same strings. The first batch of rows that has strings at a path decides; strings that need
    /// a finer unit or a greater precision later change it, and one that has another type or style, or is not canonical,
    /// makes it a column of strings again: its blocks are rewritten. In [`Dialect::RedElm`](crate::Dialect::RedElm) that
    /// is an error once a row group has been written ([`row_group_size`](crate::formats::RedElm::row_group_size)), as with all
    /// growth there.
    ///
    /// Strings in options, lists, structs and values of maps are tried, those in unions (text beside other types, variants of
    /// enums) and keys of maps are not; nor is anything where a schema or a shape is given, nor at the paths of
    /// [`logical`](Self::logical). Rows of [`Writer::write_batch`](crate::Writer::write_batch) are tried too, unless they
    /// come from a file of another implementation.
    ///
    /// Strings of such columns are not in the file, so they cannot be read as `&str`, only as `String` or `Cow<str>`;
    /// [`ValueRef`](crate::ValueRef) and [`Batch`](crate::Batch) have numbers.
    ///
    /// ```
    /// use serde::{Deserialize, Serialize};
    /// use trevni::shape::Logical;
    /// use trevni::{Reader, Shape, Writer};
    ///
    /// #[derive(Serialize, Deserialize, PartialEq, Debug)]
    /// struct Flight {
    ///     time_hour: String,
    ///     tailnum: String,
    /// }
    /// let flight = |hour| Flight { time_hour: format!("2013-01-01T{hour:02}:00:00Z"), tailnum: format!("N{hour}") };
    /// let flights: Vec<Flight> = (5..20).map(flight).collect();
    ///
    /// let mut writer = Writer::builder().detect_logical().build(Vec::new())?;
    /// writer.write_all(&flights)?;
    /// let file = writer.finish()?;
    ///
    /// let reader = Reader::from_slice(&file)?;
    /// let Shape::Record(record) = reader.shape() else { panic!() };
    /// let time_hour = Shape::logical(Logical::TimestampMillis, Shape::Long)?;
    /// assert_eq!((&record.fields[0].shape, &record.fields[1].shape), (&time_hour, &Shape::String));
    /// assert_eq!(trevni::from_slice::<Vec<Flight>>(&file)?, flights);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[cfg(feature = "detect")]
    pub fn detect_logical(mut self) -> Self {
        self.detect_logical = true;
        self
    }
}
