//! Random schemas with a later form of each, and random values.

use serde_json::{Value as Json, json};
use std::collections::HashMap;

/// Random numbers, the same for a seed.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

/// A schema and a later one, as JSON.
pub(super) struct Evolution {
    pub(super) written: Json,
    pub(super) wanted: Json,
    /// Names that fields have later.
    pub(super) renamed: HashMap<String, String>,
}

pub(super) fn evolution(random: &mut Random) -> Evolution {
    let mut make = Make { random, names: 0, renamed: HashMap::new() };
    let (written, wanted) = make.record(3);
    Evolution { written, wanted, renamed: make.renamed }
}

struct Make<'r> {
    random: &'r mut Random,
    names: usize,
    renamed: HashMap<String, String>,
}

const PLAIN: [&str; 7] = ["boolean", "int", "long", "float", "double", "string", "bytes"];

impl Make<'_> {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("n{}", self.names)
    }

    fn record(&mut self, depth: usize) -> (Json, Json) {
        let name = self.name();
        let (mut written, mut wanted) = (Vec::new(), Vec::new());
        for _ in 0..1 + self.random.below(4) {
            let field = self.name();
            let (one, two) = self.kind(depth);
            written.push(json!({"name": field, "type": one}));
            match self.random.below(10) {
                0 => {}
                1 => {
                    let new = self.name();
                    wanted.push(json!({"name": new, "aliases": [field], "type": two}));
                    self.renamed.insert(field, new);
                }
                _ => wanted.push(json!({"name": field, "type": two})),
            }
        }
        while wanted.is_empty() || self.random.chance(25) {
            let field = self.name();
            let (_, kind) = self.kind(depth.min(1));
            let default = default_of(self.random, &kind);
            wanted.push(json!({"name": field, "type": kind, "default": default}));
        }
        self.random.shuffle(&mut wanted);
        let record = |fields| json!({"type": "record", "name": name, "fields": fields});
        (record(written), record(wanted))
    }

    /// A type, and one that it can be read as.
    fn kind(&mut self, depth: usize) -> (Json, Json) {
        let before = self.renamed.clone();
        let (written, wanted) = self.value(depth);
        match self.random.below(10) {
            0 => (written, json!(["null", wanted])),
            1 => (json!(["null", written]), json!([wanted, "null"])),
            2 | 3 => (json!(["null", written]), json!(["null", wanted])),
            4 => {
                // Of a union's types, the one of the same kind is right; others are not like it at all.
                let others = ["boolean", "string"].map(|other| json!(other));
                let mut types = vec![written.clone()];
                types.extend(others.into_iter().filter(|other| !kinds_meet(other, &written)));
                self.random.shuffle(&mut types);
                self.renamed = before;
                (written, Json::Array(types))
            }
            _ => (written, wanted),
        }
    }

    fn value(&mut self, depth: usize) -> (Json, Json) {
        let nested = if depth == 0 { 0 } else { 4 };
        match self.random.below(12 + nested) {
            7 => {
                let fixed = json!({"type": "fixed", "name": self.name(), "size": 1 + self.random.below(5)});
                (fixed.clone(), fixed)
            }
            8 | 9 => self.symbols(),
            10 | 11 => {
                let (storage, name) = [
                    ("int", "date"),
                    ("int", "time-millis"),
                    ("long", "time-micros"),
                    ("long", "timestamp-millis"),
                    ("long", "timestamp-micros"),
                    ("long", "local-timestamp-micros"),
                    ("long", "timestamp-nanos"),
                ][self.random.below(7)];
                let logical = json!({"type": storage, "logicalType": name});
                (logical.clone(), logical)
            }
            12 | 13 => self.record(depth - 1),
            14 => {
                let (written, wanted) = self.kind(depth - 1);
                (json!({"type": "array", "items": written}), json!({"type": "array", "items": wanted}))
            }
            15 => {
                let (written, wanted) = self.kind(depth - 1);
                (json!({"type": "map", "values": written}), json!({"type": "map", "values": wanted}))
            }
            plain => {
                let written = PLAIN[plain];
                let later: &[&str] = match written {
                    "int" => &["int", "long", "float", "double"],
                    "long" => &["long", "float", "double"],
                    "float" => &["float", "double"],
                    "string" | "bytes" => &["string", "bytes"],
                    other => &[other],
                };
                (json!(written), json!(later[self.random.below(later.len())]))
            }
        }
    }

    fn symbols(&mut self) -> (Json, Json) {
        let name = self.name();
        let mut symbols: Vec<String> = (0..1 + self.random.below(4)).map(|_| self.name()).collect();
        let written = json!({"type": "enum", "name": name, "symbols": symbols});
        let default = self.name();
        if self.random.chance(50) {
            symbols.truncate(1 + self.random.below(symbols.len()));
        }
        symbols.push(default.clone());
        self.random.shuffle(&mut symbols);
        (written, json!({"type": "enum", "name": name, "symbols": symbols, "default": default}))
    }
}

/// Whether apache-avro may take a value, or a default, of one type for one of the other.
fn kinds_meet(other: &Json, written: &Json) -> bool {
    let is_text = |json: &Json| {
        matches!(json.as_str(), Some("string" | "bytes")) || json["type"] == "enum" || json["type"] == "fixed"
    };
    other == written || is_text(other) && is_text(written)
}

/// A default for a type, as JSON.
fn default_of(random: &mut Random, kind: &Json) -> Json {
    let number = random.below(100) as i64 - 50;
    match kind {
        Json::Array(branches) => default_of(random, &branches[0]),
        Json::String(name) => match name.as_str() {
            "null" => Json::Null,
            "boolean" => json!(random.chance(50)),
            "int" | "long" => json!(number),
            "float" | "double" => json!(number as f64 / 4.0),
            _ => json!(format!("text {number}")),
        },
        kind => match kind["type"].as_str().unwrap() {
            "record" => {
                let fields = kind["fields"].as_array().unwrap();
                let mut values = serde_json::Map::new();
                for field in fields {
                    // Those with a default need no value.
                    if field.get("default").is_none() || random.chance(50) {
                        let value = default_of(random, &field["type"]);
                        values.insert(field["name"].as_str().unwrap().to_owned(), value);
                    }
                }
                Json::Object(values)
            }
            "array" => (0..random.below(3)).map(|_| default_of(random, &kind["items"])).collect(),
            "map" => {
                let entry = |at: usize| (format!("k{at}"), default_of(random, &kind["values"]));
                Json::Object((0..number.unsigned_abs() as usize % 2).map(entry).collect())
            }
            "enum" => kind["symbols"][0].clone(),
            "fixed" => json!("x".repeat(kind["size"].as_u64().unwrap() as usize)),
            _ => json!(number.abs()),
        },
    }
}
