#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Types {
    pub id: i64,
    /// timestamp-millis, as text; chrono::DateTime<chrono::Utc> reads it too
    pub when: Option<String>,
    /// date, as text; chrono::NaiveDate reads it too
    pub day: Option<String>,
    /// time-micros, as text; chrono::NaiveTime reads it too
    pub at: String,
    /// local-timestamp-micros, as text; chrono::NaiveDateTime reads it too
    pub local: String,
    /// decimal(9, 2), as text; bigdecimal::BigDecimal reads it too
    pub price: String,
    /// uuid, as text; uuid::Uuid reads it too
    pub key: String,
    /// duration, as text; jiff::Span reads it too
    pub lasts: String,
    /// date, as text; chrono::NaiveDate reads it too
    pub days: Vec<String>,
    pub by: std::collections::BTreeMap<String, By>,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct By {
    /// timestamp-micros, as text; chrono::DateTime<chrono::Utc> reads it too
    pub t: Option<String>,
}
