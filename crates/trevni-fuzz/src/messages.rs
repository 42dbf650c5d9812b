//! Messages of Protocol Buffers and their descriptors, written byte by byte: the rows that they become are compared with docs/format.md.

use crate::cell::Cell;
use crate::choices::Choices;
use crate::metadata::{put_count, zigzag};
use trevni::{Batch, Reader, Writer};
use trevni_protobuf::{Mapping, Options};

/// Messages within messages.
const DEPTH: u32 = 2;
const SYMBOLS: [(&str, i32); 3] = [("A", 0), ("B", 1), ("C", -5)];

/// Types of fields, by their numbers in descriptors.
mod kind {
    pub(super) const DOUBLE: u8 = 1;
    pub(super) const FLOAT: u8 = 2;
    pub(super) const INT64: u8 = 3;
    pub(super) const UINT64: u8 = 4;
    pub(super) const INT32: u8 = 5;
    pub(super) const FIXED64: u8 = 6;
    pub(super) const FIXED32: u8 = 7;
    pub(super) const BOOL: u8 = 8;
    pub(super) const STRING: u8 = 9;
    pub(super) const MESSAGE: u8 = 11;
    pub(super) const BYTES: u8 = 12;
    pub(super) const UINT32: u8 = 13;
    pub(super) const ENUM: u8 = 14;
    pub(super) const SFIXED32: u8 = 15;
    pub(super) const SFIXED64: u8 = 16;
    pub(super) const SINT32: u8 = 17;
    pub(super) const SINT64: u8 = 18;
    pub(super) const ALL: [u8; 17] = [
        INT64, STRING, BOOL, MESSAGE, ENUM, DOUBLE, FLOAT, UINT64, INT32, FIXED64, FIXED32, BYTES, UINT32,
        SFIXED32, SFIXED64, SINT32, SINT64,
    ];
    pub(super) const KEYS: [u8; 12] =
        [STRING, INT64, BOOL, UINT64, INT32, FIXED64, FIXED32, UINT32, SFIXED32, SFIXED64, SINT32, SINT64];
}

#[derive(Clone, Copy, PartialEq)]
enum Label {
    /// Always there, by its default where it is not sent.
    Implicit,
    Optional,
    Repeated,
    Oneof,
    /// A map with keys of a kind.
    Map(u8),
}

struct Field {
    name: String,
    number: u32,
    label: Label,
    value: Type,
}

struct Type {
    kind: u8,
    message: Option<Message>,
}

struct Message {
    name: String,
    /// With the names around.
    full: String,
    fields: Vec<Field>,
}

/// Makes descriptors and messages that the bytes choose, and reads them as rows; writes the rows as messages again.
///
/// # Panics
///
/// Where rows differ from what messages say, messages do not come back, or an error says that the crate is at fault.
pub fn messages(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let message = Message::any(&mut choices, "M", ".p", DEPTH);
    let set = message.set();
    let mut wire = Wire {
        wild: if choices.one_in(4) { 25 } else { 0 },
        is_right: true,
        unknown: 0,
        choices: &mut choices,
    };
    let mut input = Vec::new();
    let mut rows = Vec::new();
    for _ in 0..wire.choices.below(6) {
        let (bytes, row) = message.content(&mut wire);
        wire.length(bytes.len(), &mut input);
        input.extend_from_slice(&bytes);
        rows.push(row);
    }
    let expected = wire.is_right.then_some((rows, wire.unknown));
    let descriptor = trevni_protobuf::message(&set, "M").expect("the descriptors are right");
    let mapping = Mapping::new(&descriptor, &Options::new()).expect("messages have a shape");
    let mut reader = trevni_protobuf::Reader::new(&*input, mapping.clone()).largest(1 << 20);
    let read: Result<Vec<Batch>, _> = reader.by_ref().collect();
    let (batches, found) = match (read, &expected) {
        (Ok(batches), _) => (batches, reader.unknown_fields()),
        (Err(error), None) => return drop(error.to_string()),
        (Err(error), Some(_)) => panic!("messages are refused: {error}"),
    };
    let rows = cells(&batches);
    if let Some((expected, unknown)) = expected {
        assert_eq!(rows, expected);
        assert_eq!(found, unknown, "unknown fields");
    }
    // As messages of the same type, and as those of a type of their own.
    let mut writer =
        trevni_protobuf::Writer::new(mapping.shape(), &descriptor, Vec::new()).expect("a writer is made");
    batches.iter().for_each(|batch| writer.write_batch(batch).expect("rows of messages are messages"));
    let again = writer.finish().expect("messages are written");
    let read: Result<Vec<Batch>, _> = trevni_protobuf::Reader::new(&*again, mapping.clone()).collect();
    assert_eq!(cells(&read.expect("what was written is read")), rows, "messages that are written again");
    let own = trevni_protobuf::own_message("Row", mapping.shape()).expect("rows have a message");
    let mut writer =
        trevni_protobuf::Writer::new(mapping.shape(), &own, Vec::new()).expect("a writer is made");
    batches.iter().for_each(|batch| writer.write_batch(batch).expect("rows are messages of their own"));
    // And as columns.
    let mut writer = Writer::builder().shape(mapping.shape()).build(Vec::new()).expect("a writer is made");
    batches.iter().for_each(|batch| writer.write_batch(batch).expect("rows of messages are written"));
    let file = writer.finish().expect("rows of messages are written");
    let reader = Reader::from_slice(&file).expect("what was written is opened");
    let read: Vec<Cell> = reader.rows().and_then(Iterator::collect).expect("what was written is read");
    assert_eq!(read.into_iter().map(sorted).collect::<Vec<_>>(), rows, "columns of messages");
}

fn cells(batches: &[Batch]) -> Vec<Cell> {
    let rows = batches.iter().flat_map(|batch| batch.rows::<Cell>());
    rows.map(|row| sorted(row.expect("a row is read"))).collect()
}

/// With fields and entries in a certain order.
fn sorted(cell: Cell) -> Cell {
    match cell {
        Cell::List(items) => Cell::List(items.into_iter().map(sorted).collect()),
        Cell::Record(fields) => {
            let mut fields: Vec<_> = fields.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            fields.sort_by_cached_key(|(key, _)| format!("{key:?}"));
            Cell::Record(fields)
        }
        cell => cell,
    }
}

impl Message {
    fn any(choices: &mut Choices<'_>, name: &str, around: &str, depth: u32) -> Self {
        let full = format!("{around}.{name}");
        let mut number = 0;
        let mut fields = Vec::new();
        for place in 0..choices.below(5) {
            number += choices.pick(&[1, 1, 14, 2000, 1 << 20]);
            if (19_000..20_000).contains(&number) {
                number = 20_000;
            }
            let name = format!("f{place}");
            let mut kind = choices.pick(&kind::ALL);
            if kind == kind::MESSAGE && depth == 0 {
                kind = kind::INT32;
            }
            let inner = || Self::any(choices, &format!("I{place}"), &full, depth - 1);
            let message = (kind == kind::MESSAGE).then(inner);
            let key = choices.pick(&kind::KEYS);
            let label = choices.pick(&[
                Label::Implicit,
                Label::Optional,
                Label::Repeated,
                Label::Oneof,
                Label::Map(key),
            ]);
            fields.push(Field { name, number, label, value: Type { kind, message } });
        }
        Self { name: name.to_owned(), full, fields }
    }

    /// The set of descriptors that has it.
    fn set(&self) -> Vec<u8> {
        let mut symbols = Vec::new();
        put(1, b"E", &mut symbols);
        for (name, number) in SYMBOLS {
            let mut symbol = Vec::new();
            put(1, name.as_bytes(), &mut symbol);
            put_number(2, i64::from(number), &mut symbol);
            put(2, &symbol, &mut symbols);
        }
        let mut file = Vec::new();
        put(1, b"p.proto", &mut file);
        put(2, b"p", &mut file);
        put(4, &self.descriptor(), &mut file);
        put(5, &symbols, &mut file);
        put(12, b"proto3", &mut file);
        let mut set = Vec::new();
        put(1, &file, &mut set);
        set
    }

    fn descriptor(&self) -> Vec<u8> {
        let (mut out, mut oneofs) = (Vec::new(), Vec::new());
        put(1, self.name.as_bytes(), &mut out);
        if self.has_oneof() {
            oneofs.push("o".to_owned());
        }
        for field in &self.fields {
            let own = match field.label {
                Label::Map(key) => {
                    let name = format!("F{}Entry", &field.name[1..]);
                    let mut entry = Vec::new();
                    put(1, name.as_bytes(), &mut entry);
                    put(2, &described("key", 1, &Type { kind: key, message: None }, &[(4, 1)]), &mut entry);
                    put(2, &described("value", 2, &field.value, &[(4, 1)]), &mut entry);
                    let mut options = Vec::new();
                    put_number(7, 1, &mut options);
                    put(7, &options, &mut entry);
                    put(3, &entry, &mut out);
                    let mut own = Vec::new();
                    put(1, field.name.as_bytes(), &mut own);
                    put_number(3, i64::from(field.number), &mut own);
                    put_number(4, 3, &mut own);
                    put_number(5, i64::from(kind::MESSAGE), &mut own);
                    put(6, format!("{}.{name}", self.full).as_bytes(), &mut own);
                    own
                }
                Label::Optional => {
                    oneofs.push(format!("_{}", field.name));
                    let place = oneofs.len() as i64 - 1;
                    described(&field.name, field.number, &field.value, &[(4, 1), (9, place), (17, 1)])
                }
                Label::Implicit => described(&field.name, field.number, &field.value, &[(4, 1)]),
                Label::Repeated => described(&field.name, field.number, &field.value, &[(4, 3)]),
                Label::Oneof => described(&field.name, field.number, &field.value, &[(4, 1), (9, 0)]),
            };
            put(2, &own, &mut out);
            if let Some(message) = &field.value.message {
                put(3, &message.descriptor(), &mut out);
            }
        }
        for name in oneofs {
            let mut oneof = Vec::new();
            put(1, name.as_bytes(), &mut oneof);
            put(8, &oneof, &mut out);
        }
        out
    }

    fn has_oneof(&self) -> bool {
        self.fields.iter().any(|field| field.label == Label::Oneof)
    }

    /// A message, and its row.
    fn content(&self, wire: &mut Wire<'_, '_>) -> (Vec<u8>, Cell) {
        let mut row = Vec::new();
        let mut parts: Vec<Vec<u8>> = Vec::new();
        let oneofs: Vec<&Field> = self.fields.iter().filter(|field| field.label == Label::Oneof).collect();
        for field in self.fields.iter().filter(|field| field.label != Label::Oneof) {
            let (part, value) = field.content(wire);
            parts.push(part);
            row.push((Cell::text(&field.name), value));
        }
        if !oneofs.is_empty() {
            let mut value = Cell::Null;
            let mut part = Vec::new();
            if !wire.choices.one_in(4) {
                let field = wire.choices.pick(&oneofs);
                let (bytes, cell) = field.value.content(wire);
                wire.field(field, &bytes, &mut part);
                value = Cell::Record(vec![(Cell::text(&field.name), cell)]);
            }
            parts.push(part);
            row.push((Cell::text("o"), value));
        }
        if wire.choices.one_in(3) {
            parts.push(wire.unknown());
        }
        // Fields come in any order.
        if wire.choices.one_in(2) {
            parts.reverse();
        }
        (parts.concat(), sorted(Cell::Record(row)))
    }
}

/// A field of a descriptor, with numbers that it has beside others.
fn described(name: &str, number: u32, value: &Type, more: &[(u32, i64)]) -> Vec<u8> {
    let mut out = Vec::new();
    put(1, name.as_bytes(), &mut out);
    put_number(3, i64::from(number), &mut out);
    put_number(5, i64::from(value.kind), &mut out);
    more.iter().for_each(|(number, value)| put_number(*number, *value, &mut out));
    match (&value.message, value.kind) {
        (Some(message), _) => put(6, message.full.as_bytes(), &mut out),
        (None, kind::ENUM) => put(6, b".p.E", &mut out),
        _ => {}
    }
    out
}

fn put_key(number: u32, wire: u8, out: &mut Vec<u8>) {
    put_count(u64::from(number) << 3 | u64::from(wire), out);
}

/// Appends a field of bytes.
fn put(number: u32, bytes: &[u8], out: &mut Vec<u8>) {
    put_key(number, 2, out);
    put_count(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

fn put_number(number: u32, value: i64, out: &mut Vec<u8>) {
    put_key(number, 0, out);
    put_count(value.cast_unsigned(), out);
}

impl Field {
    /// What is sent of a field, and its value; not of a oneof.
    fn content(&self, wire: &mut Wire<'_, '_>) -> (Vec<u8>, Cell) {
        let mut out = Vec::new();
        let value = match self.label {
            Label::Repeated => {
                let values = wire.some(|wire| self.value.content(wire));
                self.put_repeated(&values, wire, &mut out);
                Cell::List(values.into_iter().map(|(_, value)| value).collect())
            }
            Label::Map(key) => {
                let key = Type { kind: key, message: None };
                let mut entries: Vec<(Cell, (Cell, u64))> = Vec::new();
                let pair = |wire: &mut Wire<'_, '_>| {
                    let (own, before) = (key.content(wire), wire.unknown);
                    (own, self.value.content(wire), wire.unknown - before)
                };
                for ((key_bytes, key_cell), (bytes, cell), unknown) in wire.some(pair) {
                    let mut entry = Vec::new();
                    put_key(1, key.wire(), &mut entry);
                    entry.extend_from_slice(&key.delimited(&key_bytes));
                    put_key(2, self.value.wire(), &mut entry);
                    entry.extend_from_slice(&self.value.delimited(&bytes));
                    put(self.number, &entry, &mut out);
                    // The last entry of a key counts.
                    if let Some(at) = entries.iter().position(|(known, _)| *known == key_cell) {
                        wire.unknown -= entries.remove(at).1.1;
                    }
                    entries.push((key_cell, (cell, unknown)));
                }
                Cell::Record(entries.into_iter().map(|(key, (value, _))| (key, value)).collect())
            }
            label => {
                let is_message = self.value.message.is_some();
                let mut value =
                    if label == Label::Implicit && !is_message { self.value.default() } else { Cell::Null };
                // The last one that is sent counts; messages that are sent twice would be merged.
                for _ in 0..wire.choices.pick(&[0, 1, 1, if is_message { 1 } else { 2 }]) {
                    let (bytes, cell) = self.value.content(wire);
                    wire.field(self, &bytes, &mut out);
                    value = cell;
                }
                value
            }
        };
        (out, value)
    }

    fn put_repeated(&self, values: &[(Vec<u8>, Cell)], wire: &mut Wire<'_, '_>, out: &mut Vec<u8>) {
        // Numbers may be packed, some of them too.
        let mut rest = values;
        while !rest.is_empty() {
            let some = 1 + wire.choices.below(rest.len());
            let (these, others) = rest.split_at(some);
            rest = others;
            if self.value.wire() != 2 && wire.choices.one_in(2) {
                let packed: Vec<u8> = these.iter().flat_map(|(bytes, _)| bytes.clone()).collect();
                put_key(self.number, 2, out);
                wire.length(packed.len(), out);
                out.extend_from_slice(&packed);
            } else {
                these.iter().for_each(|(bytes, _)| wire.field(self, bytes, out));
            }
        }
    }
}

impl Type {
    /// The wire type.
    fn wire(&self) -> u8 {
        match self.kind {
            kind::DOUBLE | kind::FIXED64 | kind::SFIXED64 => 1,
            kind::STRING | kind::BYTES | kind::MESSAGE => 2,
            kind::FLOAT | kind::FIXED32 | kind::SFIXED32 => 5,
            _ => 0,
        }
    }

    /// The bytes of a value, after their number where that must be.
    fn delimited(&self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        if self.wire() == 2 {
            put_count(bytes.len() as u64, &mut out);
        }
        out.extend_from_slice(bytes);
        out
    }

    fn default(&self) -> Cell {
        match self.kind {
            kind::DOUBLE => Cell::Double(0),
            kind::FLOAT => Cell::Single(0),
            kind::BOOL => Cell::Boolean(false),
            kind::STRING => Cell::text(""),
            kind::BYTES => Cell::List(Vec::new()),
            kind::ENUM => Cell::text(SYMBOLS[0].0),
            _ => Cell::Integer(0),
        }
    }

    /// The bytes of a value, without their number, and the value.
    fn content(&self, wire: &mut Wire<'_, '_>) -> (Vec<u8>, Cell) {
        if let Some(message) = &self.message {
            return message.content(wire);
        }
        let mut out = Vec::new();
        let integer = wire.choices.integer();
        let bits = integer.cast_unsigned();
        let (long, int) = (Cell::Integer(integer.into()), Cell::Integer((integer as i32).into()));
        let short = Cell::Integer((integer as u32).into());
        let cell = match self.kind {
            kind::DOUBLE => Cell::Double(bits),
            kind::FLOAT => Cell::Single(bits as u32),
            kind::INT64 | kind::SINT64 | kind::SFIXED64 => long,
            kind::UINT64 | kind::FIXED64 => Cell::Integer(bits.into()),
            kind::UINT32 | kind::FIXED32 => short,
            kind::BOOL => Cell::Boolean(integer != 0),
            kind::ENUM => {
                let (name, number) = wire.choices.pick(&SYMBOLS);
                put_count(i64::from(number).cast_unsigned(), &mut out);
                return (out, Cell::text(name));
            }
            kind::STRING => {
                let text = wire
                    .choices
                    .pick(&["", "a", "text", "é\0😀", "0123456789".repeat(20).as_str()])
                    .to_owned();
                return (text.clone().into_bytes(), Cell::Text(text));
            }
            kind::BYTES => {
                let bytes = integer.to_le_bytes()[..wire.choices.below(9)].to_vec();
                let items = bytes.iter().map(|byte| Cell::Integer((*byte).into())).collect();
                return (bytes, Cell::List(items));
            }
            _ => int,
        };
        match (self.wire(), self.kind) {
            (1, _) => out.extend_from_slice(&bits.to_le_bytes()),
            (5, _) => out.extend_from_slice(&(bits as u32).to_le_bytes()),
            (_, kind::SINT64) => put_count(zigzag(integer), &mut out),
            (_, kind::SINT32) => put_count(u64::from(zigzag(i64::from(integer as i32)) as u32), &mut out),
            (_, kind::UINT32) => put_count(u64::from(bits as u32), &mut out),
            (_, kind::INT32) => put_count(i64::from(integer as i32).cast_unsigned(), &mut out),
            (_, kind::BOOL) => put_count(u64::from(integer != 0), &mut out),
            _ => put_count(bits, &mut out),
        }
        (out, cell)
    }
}

/// Writes messages; now and then wrongly, if that is wanted.
struct Wire<'c, 'b> {
    wild: usize,
    is_right: bool,
    unknown: u64,
    choices: &'c mut Choices<'b>,
}

impl Wire<'_, '_> {
    fn is_wild(&mut self) -> bool {
        let wild = self.wild > 0 && self.choices.one_in(self.wild);
        self.is_right &= !wild;
        wild
    }

    fn length(&mut self, length: usize, out: &mut Vec<u8>) {
        let length = if self.is_wild() { self.choices.integer().cast_unsigned() } else { length as u64 };
        put_count(length, out);
    }

    fn some<T>(&mut self, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.choices.below(4)).map(|_| make(self)).collect()
    }

    /// Appends a field with a value.
    fn field(&mut self, field: &Field, bytes: &[u8], out: &mut Vec<u8>) {
        let kind = field.value.wire();
        let wrong = if self.is_wild() { self.choices.below(8) as u8 } else { kind };
        put_key(field.number, wrong, out);
        if kind == 2 {
            self.length(bytes.len(), out);
        }
        out.extend_from_slice(bytes);
    }

    /// A field that no message has.
    fn unknown(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        let number = (1 << 29) - 1;
        match self.choices.below(5) {
            0 => put_number(number, self.choices.integer(), &mut out),
            1 => put(number, b"unknown", &mut out),
            2 => {
                put_key(number, 1, &mut out);
                out.extend_from_slice(&[7; 8]);
            }
            3 => {
                put_key(number, 5, &mut out);
                out.extend_from_slice(&[7; 4]);
            }
            _ => {
                put_key(number, 3, &mut out);
                put_number(1, 7, &mut out);
                put_key(number, 4, &mut out);
            }
        }
        self.unknown += 1;
        out
    }
}
