#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Nulls {
    pub id: Option<i64>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub both: Option<Option<i64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always: Option<i64>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub null: Option<()>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub sometimes: Option<()>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub deep: Option<Option<Deep>>,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Deep {
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub a: Option<Option<i64>>,
}

/// Reads a field that is there, so that null is not taken for a field that is left out.
fn present<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: serde::Deserialize<'de>,
{
    match <Option<T> as serde::Deserialize>::deserialize(from)? {
        Some(value) => Ok(Some(value)),
        None => T::deserialize(serde::de::value::UnitDeserializer::new()).map(Some),
    }
}
