//! Random rows of random schemas go into columns, from there to Avro, and back.

use super::source::RandomValues;
use fastrand::Rng;
use serde_json::{Value as Json, json};
use trevni_avro::{Compression, Reader, Schema, Writer};

/// Makes schemas up.
struct Schemas {
    rng: Rng,
    /// Named types so far, for names that are new and for names that are used again.
    names: Vec<String>,
}

impl Schemas {
    fn name(&mut self) -> (String, &'static str) {
        let space = ["", "a", "a.b"][self.rng.usize(..3)];
        (format!("T{}", self.names.len()), space)
    }

    /// A named type; `more` is what makes it one of a kind.
    fn named(&mut self, more: Json) -> Json {
        let (name, space) = self.name();
        self.names.push(if space.is_empty() { name.clone() } else { format!("{space}.{name}") });
        let mut out = json!({"name": name, "namespace": space});
        if let (Some(out), Json::Object(more)) = (out.as_object_mut(), more) {
            out.extend(more);
        }
        out
    }

    fn any(&mut self, depth: u32, in_union: bool) -> Json {
        let simple = ["null", "boolean", "int", "long", "float", "double", "string", "bytes"];
        match self.rng.u32(..if depth == 0 { 12 } else { 20 }) {
            kind @ 0..8 if !(in_union && kind == 0) => json!(simple[kind as usize]),
            8 => {
                let size = self.rng.u32(..9);
                self.named(json!({"type": "fixed", "size": size}))
            }
            9 => self.named(json!({"type": "enum", "symbols": ["A", "B", "C"]})),
            10 => json!({"type": "long", "serde": "u64"}),
            11 => json!({"type": "int", "logicalType": "date"}),
            12 | 13 => json!({"type": "array", "items": self.any(depth - 1, false)}),
            14 => json!({"type": "map", "values": self.any(depth - 1, false)}),
            15 if !in_union => {
                let entry = json!([{"name": "key", "type": "int"}, {"name": "value", "type": self.any(depth - 1, false)}]);
                let entry = self.named(json!({"type": "record", "fields": entry}));
                json!({"type": "array", "items": entry, "logicalType": "map"})
            }
            16 | 17 if !in_union => self.union(depth - 1),
            _ => self.record(depth.saturating_sub(1)),
        }
    }

    fn record(&mut self, depth: u32) -> Json {
        let form = ["", "", "", "tuple"][self.rng.usize(..4)];
        let name = |number| if form.is_empty() { format!("f{number}") } else { format!("_{number}") };
        let field = |number| json!({"name": name(number), "type": self.any(depth, false)});
        let fields: Vec<Json> = (0..4).map(field).collect();
        let fields = &fields[..self.rng.usize(..5)];
        match form {
            "" => self.named(json!({"type": "record", "fields": fields})),
            form => self.named(json!({"type": "record", "fields": fields, "serde": form})),
        }
    }

    fn union(&mut self, depth: u32) -> Json {
        let mut branches: Vec<Json> = Vec::new();
        for _ in 0..self.rng.usize(1..5) {
            let branch = self.any(depth, true);
            // One of each type without a name, and one integer of 64 bits.
            let kind = |branch: &Json| branch.get("type").unwrap_or(branch).as_str().map(str::to_owned);
            let is_named = branch.get("name").is_some();
            if is_named || branches.iter().all(|other| kind(other) != kind(&branch)) {
                branches.push(branch);
            }
        }
        if self.rng.bool() {
            branches.insert(self.rng.usize(..=branches.len()), json!("null"));
        }
        Json::Array(branches)
    }
}

/// The rows of a source in columns.
fn written(schema: &str, rows: usize, mut row: impl FnMut(&mut trevni::Writer<Vec<u8>>)) -> Vec<u8> {
    let mut writer = trevni::Writer::builder().schema(schema).build(Vec::new()).unwrap();
    (0..rows).for_each(|_| row(&mut writer));
    writer.finish().unwrap()
}

#[test]
fn rows_of_any_schema_come_back() {
    // As many as the first batch has.
    const ROWS: usize = 32;
    for seed in 0..400 {
        let mut schemas = Schemas { rng: Rng::with_seed(seed), names: Vec::new() };
        let schema = if seed % 4 == 0 { schemas.any(3, false) } else { schemas.record(3) }.to_string();
        let types = Schema::parse(&schema).unwrap_or_else(|error| panic!("{error}: {schema}"));
        let source = RandomValues::new(seed);
        let columns = written(&schema, ROWS, |writer| {
            source.start_row();
            writer.write(&types.value(&source)).unwrap_or_else(|error| panic!("{error}: {schema}"));
        });
        let batch = trevni::Reader::from_slice(&columns).unwrap().batches().unwrap().next().unwrap().unwrap();
        let mut writer = Writer::new(&schema, Compression::Null, &[], Vec::new()).unwrap();
        writer.write_batch(&batch).unwrap();
        let file = writer.finish().unwrap();
        let mut at = 0;
        let done = Reader::new(&*file).unwrap().each(|row| {
            assert!(row.equals(&batch, at).unwrap(), "row {at}: {schema}");
            at += 1;
            Ok::<_, std::io::Error>(true)
        });
        done.unwrap();
        assert_eq!(at, ROWS);
        let again = written(&schema, 1, |writer| {
            let rows = Reader::new(&*file).unwrap().each(|row| writer.write(row).map(|()| true));
            rows.unwrap();
        });
        assert!(again == columns, "{schema}");
    }
}
