#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Mail {
    pub id: i64,
    #[serde(rename = "type")]
    pub type_: Kind,
    #[serde(rename = "sentAt")]
    pub sent_at: Option<i64>,
    pub sender: Address,
    pub hops: Vec<Address>,
    pub sizes: (i32, f32),
    pub tags: std::collections::BTreeMap<String, Vec<bool>>,
    pub body: Body,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Kind {
    Small,
    Large,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Address {
    pub host: String,
    #[serde(rename = "5.5")]
    pub _5_5: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Body {
    Empty,
    Text(String),
    Parts { count: i32, names: Vec<String> },
}
