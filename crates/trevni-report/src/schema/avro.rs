//! The Avro schema of a file: the one in its metadata, or, where a format needs none, that of its rows.

use crate::failure::Failure;
use crate::input::Input;
use serde_json::Value;
use trevni::Dialect;

/// The text, indented where it is JSON.
pub(super) fn avro(input: &Input) -> Result<String, Failure> {
    let rows = || match input.reader.dialect() {
        Dialect::Trevni => None,
        _ => Some(input.reader.shape().to_avro()),
    };
    let own = input.reader.metadata().get_str(trevni_avro::SCHEMA).map(str::to_owned);
    let Some(text) = own.or_else(rows) else {
        return Err(Failure::new(format!("{} has no Avro schema, only columns", input.name)));
    };
    Ok(match serde_json::from_str::<Value>(&text) {
        Ok(schema) => format!("{schema:#}\n"),
        Err(_) => format!("{text}\n"),
    })
}
