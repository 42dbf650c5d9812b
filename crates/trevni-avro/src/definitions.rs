//! The types that a schema has given names to.

use serde_json::{Map, Value};
use std::collections::HashMap;

/// The named types of a schema, for whoever walks over its JSON: records, enums and fixed, by their full names.
///
/// ```
/// use trevni_avro::Definitions;
///
/// let node = serde_json::json!({"type": "record", "name": "a.Node", "fields": []});
/// let mut types = Definitions::default();
/// let namespace = types.define(node.as_object().unwrap(), "");
/// assert_eq!(namespace, "a");
/// assert!(types.named("Node", "a").is_some() && types.named("a.Node", "").is_some());
/// assert!(types.named("Node", "b").is_none());
/// ```
#[derive(Debug, Default)]
pub struct Definitions<'j> {
    /// By full name, with the namespace inside.
    types: HashMap<String, (&'j Map<String, Value>, String)>,
}

impl<'j> Definitions<'j> {
    /// Keeps the definition of a named type within the namespace `around`; returns the namespace inside. What has no
    /// name is not kept.
    pub fn define(&mut self, object: &'j Map<String, Value>, around: &str) -> String {
        let text = |key| object.get(key).and_then(Value::as_str);
        let Some(name) = text("name") else { return around.to_owned() };
        let (namespace, name) = match name.rsplit_once('.') {
            Some(parts) => parts,
            None => (text("namespace").unwrap_or(around), name),
        };
        let full = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}.{name}") };
        self.types.insert(full, (object, namespace.to_owned()));
        namespace.to_owned()
    }

    /// The type that a name means within a namespace, and the namespace inside it.
    #[must_use]
    pub fn named(&self, name: &str, namespace: &str) -> Option<(&'j Map<String, Value>, String)> {
        let within = format!("{namespace}.{name}");
        let found = if name.contains('.') { None } else { self.types.get(&within) };
        found.or_else(|| self.types.get(name)).cloned()
    }
}
