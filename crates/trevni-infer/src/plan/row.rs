//! A row of JSON.

use super::stream::Stream;
use super::{Context, Plan};
use serde::ser::{Serialize, Serializer};

/// A row by its text.
pub struct Row<'a> {
    /// Its text.
    pub text: &'a str,
    /// What becomes of it.
    pub plan: &'a Plan,
    /// How it is read.
    pub context: &'a Context,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut json = serde_json::Deserializer::from_str(self.text);
        let done = Stream::new(&mut json, self.plan, self.context).serialize(to)?;
        json.end().map_err(|error| self.context.failed(error))?;
        Ok(done)
    }
}
