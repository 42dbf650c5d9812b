#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Visit {
    /// timestamp-millis, as text; chrono::DateTime<chrono::Utc> reads it too
    pub when: String,
    pub any: Any,
    /// decimal(9, 2), as text; f64 reads it too
    pub costs: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum Any {
    Int(i32),
    String(String),
}
