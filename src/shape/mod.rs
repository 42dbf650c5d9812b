//! The logical type of a row.

pub(crate) mod branch;
mod build;
mod calendar;
mod check;
pub(crate) mod children;
mod display;
pub(crate) mod join;
pub(crate) mod kinds;
mod logical;

pub use calendar::{date_from_days, days_from_date};
pub use kinds::{
    EnumShape, FieldShape, FixedShape, Form, MAX_DEPTH, MapShape, Name, Null, OptionalShape, RecordShape,
};
pub(crate) use kinds::{RECORD_FIELDS_MAX, Shape, TUPLE_FIELDS, tuple_field};
pub(crate) use logical::{DECIMAL_DIGITS_MAX, Shown};
pub use logical::{IpFamily, Logical, LogicalShape, StringStyle};
