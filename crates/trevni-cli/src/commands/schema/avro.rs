//! The Avro schema that a file has in its metadata.

use crate::failure::Failure;
use crate::input::Input;
use serde_json::Value;

/// The text, indented where it is JSON.
pub(super) fn avro(input: &Input) -> Result<String, Failure> {
    let Some(text) = input.reader.metadata().get_str(trevni_avro::SCHEMA) else {
        return Err(Failure::new(format!("{} has no Avro schema, only columns", input.name)));
    };
    Ok(match serde_json::from_str::<Value>(text) {
        Ok(schema) => format!("{schema:#}\n"),
        Err(_) => format!("{text}\n"),
    })
}
