//! Messages by chance come back through rows as they were.

mod common;

use common::{descriptor, read, written};
use proptest::prelude::{ProptestConfig, Strategy, any, prop, proptest};
use proptest::test_runner::RngSeed;
use prost_reflect::prost::Message as _;
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MapKey, MessageDescriptor, ReflectMessage as _, Value,
};
use trevni_protobuf::Options;

/// Numbers that a message is made of, one after the other; zeros where they end.
struct Chance {
    numbers: std::vec::IntoIter<u64>,
}

impl Chance {
    fn next(&mut self) -> u64 {
        self.numbers.next().unwrap_or_default()
    }

    fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    fn message(&mut self, message: &MessageDescriptor, levels: u32) -> DynamicMessage {
        let mut out = DynamicMessage::new(message.clone());
        if matches!(
            message.full_name(),
            "google.protobuf.Struct" | "google.protobuf.Value" | "google.protobuf.ListValue"
        ) {
            let text = match message.name() {
                "Struct" => r#"{"a":[1.5,null,{"b":"x"}],"c":true}"#,
                "Value" => ["null", "\"t\"", "-0.5", "[]", "{}"][self.below(5) as usize],
                _ => r#"[[],{},"x"]"#,
            };
            let mut deserializer = serde_json::Deserializer::from_str(text);
            return DynamicMessage::deserialize(message.clone(), &mut deserializer).unwrap();
        }
        for field in message.fields() {
            let is_own = is_message_of_own_type(&field);
            if (field.is_required() || self.below(3) > 0) && (!is_own || levels > 0) {
                let levels = if is_own { levels - 1 } else { levels };
                let value = self.field(&field, levels);
                out.set_field(&field, value);
            }
        }
        for extension in message.extensions().filter(|_| levels > 0).collect::<Vec<_>>() {
            if self.below(2) == 0 {
                let one = self.value(&extension.kind(), levels);
                out.set_extension(&extension, if extension.is_list() { Value::List(vec![one]) } else { one });
            }
        }
        out
    }

    fn field(&mut self, field: &FieldDescriptor, levels: u32) -> Value {
        let kind = field.kind();
        if field.is_map() {
            let entry = kind.as_message().unwrap();
            let (key, value) = (entry.map_entry_key_field().kind(), entry.map_entry_value_field().kind());
            let count = self.below(4);
            return Value::Map((0..count).map(|_| (self.key(&key), self.value(&value, levels))).collect());
        }
        if field.is_list() {
            let count = self.below(4);
            return Value::List((0..count).map(|_| self.value(&kind, levels)).collect());
        }
        self.value(&kind, levels)
    }

    fn key(&mut self, kind: &Kind) -> MapKey {
        self.value(kind, 0).into_map_key().unwrap()
    }

    fn value(&mut self, kind: &Kind, levels: u32) -> Value {
        let bits = match self.below(4) {
            0 => self.below(3),
            1 => u64::MAX - self.below(3),
            2 => 1 << self.below(64),
            _ => self.next(),
        };
        let text = || {
            char::from_u32(bits as u32 % 0x2000)
                .map_or(String::new(), |letter| letter.to_string().repeat(bits as usize % 70))
        };
        match kind {
            Kind::Double => {
                Value::F64(Some(f64::from_bits(bits)).filter(|value| !value.is_nan()).unwrap_or(-0.0))
            }
            Kind::Float => {
                Value::F32(Some(f32::from_bits(bits as u32)).filter(|value| !value.is_nan()).unwrap_or(0.5))
            }
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Value::I32(bits as i32),
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(bits as i64),
            Kind::Uint32 | Kind::Fixed32 => Value::U32(bits as u32),
            Kind::Uint64 | Kind::Fixed64 => Value::U64(bits),
            Kind::Bool => Value::Bool(bits % 2 == 1),
            Kind::String => Value::String(text()),
            Kind::Bytes => Value::Bytes(text().into_bytes().into()),
            Kind::Message(message) => Value::Message(self.message(message, levels)),
            Kind::Enum(descriptor) => {
                let values: Vec<i32> = descriptor.values().map(|value| value.number()).collect();
                Value::EnumNumber(values[bits as usize % values.len()])
            }
        }
    }
}

fn is_message_of_own_type(field: &FieldDescriptor) -> bool {
    let message = match field.kind() {
        Kind::Message(entry) if field.is_map() => entry.map_entry_value_field().kind().as_message().cloned(),
        kind => kind.as_message().cloned(),
    };
    message.is_some_and(|message| message == *field.parent_message())
}

fn messages(name: &'static str) -> impl Strategy<Value = Vec<DynamicMessage>> {
    let message = prop::collection::vec(any::<u64>(), 0..400)
        .prop_map(move |numbers| Chance { numbers: numbers.into_iter() }.message(&descriptor(name), 2));
    prop::collection::vec(message, 1..6)
}

fn check(messages: &[DynamicMessage]) {
    let message = messages[0].descriptor();
    let bytes: Vec<u8> = messages.iter().flat_map(|own| own.encode_length_delimited_to_vec()).collect();
    let batches = read(&bytes, &message, &Options::new().recursion(2)).unwrap();
    let again = written(&batches, &message).unwrap();
    let mut rest = &*again;
    for own in messages {
        let mut found = DynamicMessage::new(message.clone());
        found.merge_length_delimited(&mut rest).unwrap();
        // Defaults that were set are not sent.
        assert_eq!(found, DynamicMessage::decode(message.clone(), &*own.encode_to_vec()).unwrap());
    }
    assert!(rest.is_empty());
    // Rows are the same again, to the byte.
    let batches = read(&again, &message, &Options::new().recursion(2)).unwrap();
    assert_eq!(written(&batches, &message).unwrap(), again);
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(16),
        cases: 100,
        ..ProptestConfig::default()
    })]

    #[test]
    fn kinds_come_back(messages in messages("Kinds")) {
        check(&messages);
    }

    #[test]
    fn groups_and_extensions_come_back(messages in messages("Legacy")) {
        check(&messages);
    }

    #[test]
    fn trees_come_back(messages in messages("Node")) {
        check(&messages);
    }
}
