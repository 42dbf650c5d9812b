//! Thrift's compact protocol for tests: footers and page headers as trees, which are written with one number
//! wrong.

/// A value; integers keep the type that they were stored as.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Bool(bool),
    Int(u8, i64),
    Bytes(Vec<u8>),
    List(u8, Vec<Value>),
    Struct(Vec<(i16, Value)>),
}

pub(crate) fn int(number: i64) -> Value {
    Value::Int(5, number)
}

pub(crate) fn long(number: i64) -> Value {
    Value::Int(6, number)
}

pub(crate) fn text(text: &str) -> Value {
    Value::Bytes(text.as_bytes().to_vec())
}

pub(crate) fn structs(items: Vec<Value>) -> Value {
    Value::List(12, items)
}

pub(crate) fn ints(items: &[i64]) -> Value {
    Value::List(5, items.iter().map(|item| int(*item)).collect())
}

impl Value {
    /// The field of a struct, or the item of a list.
    pub(crate) fn at(&mut self, number: i16) -> &mut Value {
        match self {
            Self::Struct(fields) => {
                let at = fields.iter().position(|(known, _)| *known == number).unwrap();
                &mut fields[at].1
            }
            Self::List(_, items) => &mut items[number as usize],
            other => panic!("{other:?} has no parts"),
        }
    }

    pub(crate) fn path(&mut self, path: &[i16]) -> &mut Value {
        path.iter().fold(self, |value, number| value.at(*number))
    }

    /// Sets or adds a field of a struct.
    pub(crate) fn set(&mut self, number: i16, value: Value) {
        let Self::Struct(fields) = self else { panic!("no struct") };
        fields.retain(|(known, _)| *known != number);
        fields.push((number, value));
        fields.sort_by_key(|(number, _)| *number);
    }

    pub(crate) fn number(&self) -> i64 {
        let Self::Int(_, number) = self else { panic!("no number") };
        *number
    }

    fn kind(&self) -> u8 {
        match self {
            Self::Bool(true) => 1,
            Self::Bool(false) => 2,
            Self::Int(kind, _) => *kind,
            Self::Bytes(_) => 8,
            Self::List(..) => 9,
            Self::Struct(_) => 12,
        }
    }
}

/// Reads a struct; returns it and how many bytes it has.
pub(crate) fn parse(bytes: &[u8]) -> (Value, usize) {
    let mut at = 0;
    (value(bytes, &mut at, 12), at)
}

fn varint(bytes: &[u8], at: &mut usize) -> u64 {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let byte = bytes[*at];
        *at += 1;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    number
}

fn zigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

fn value(bytes: &[u8], at: &mut usize, kind: u8) -> Value {
    match kind {
        1 | 2 => Value::Bool(kind == 1),
        3 => {
            *at += 1;
            Value::Int(3, bytes[*at - 1].into())
        }
        4..=6 => Value::Int(kind, zigzag(varint(bytes, at))),
        8 => {
            let length = varint(bytes, at) as usize;
            *at += length;
            Value::Bytes(bytes[*at - length..*at].to_vec())
        }
        9 | 10 => {
            let first = bytes[*at];
            *at += 1;
            let count = if first >> 4 == 15 { varint(bytes, at) } else { u64::from(first >> 4) };
            Value::List(first & 15, (0..count).map(|_| value(bytes, at, first & 15)).collect())
        }
        12 => {
            let (mut fields, mut last) = (Vec::new(), 0);
            loop {
                let first = bytes[*at];
                *at += 1;
                if first & 15 == 0 {
                    return Value::Struct(fields);
                }
                last = if first >> 4 == 0 {
                    zigzag(varint(bytes, at)) as i16
                } else {
                    last + i16::from(first >> 4)
                };
                fields.push((last, value(bytes, at, first & 15)));
            }
        }
        kind => panic!("type {kind}"),
    }
}

/// Writes values, counts the numbers among them, lengths and counts too, and writes another in place of one.
#[derive(Default)]
pub(crate) struct Written {
    pub(crate) bytes: Vec<u8>,
    pub(crate) numbers: usize,
    /// The place of a number, and what is written there, zig-zag where it is no length or count.
    pub(crate) wrong: Option<(usize, i64)>,
}

pub(crate) fn written(value: &Value) -> Vec<u8> {
    let mut written = Written::default();
    written.value(value);
    written.bytes
}

impl Written {
    fn raw(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// The number that is wrong here, if it is.
    fn wrong(&mut self) -> Option<i64> {
        self.numbers += 1;
        self.wrong.filter(|(place, _)| place + 1 == self.numbers).map(|(_, number)| number)
    }

    fn length(&mut self, length: usize) {
        let length = self.wrong().map_or(length as u64, |wrong| wrong as u64);
        self.raw(length);
    }

    pub(crate) fn value(&mut self, value: &Value) {
        match value {
            Value::Bool(_) => {}
            Value::Int(3, number) => self.bytes.push(*number as u8),
            Value::Int(_, number) => {
                let number = self.wrong().unwrap_or(*number);
                self.raw(((number << 1) ^ (number >> 63)) as u64);
            }
            Value::Bytes(bytes) => {
                self.length(bytes.len());
                self.bytes.extend_from_slice(bytes);
            }
            Value::List(kind, items) => {
                self.bytes.push(0xf0 | kind);
                self.length(items.len());
                items.iter().for_each(|item| self.value(item));
            }
            Value::Struct(fields) => {
                let mut last = 0;
                for (number, value) in fields {
                    match number - last {
                        more @ 1..=15 => self.bytes.push((more as u8) << 4 | value.kind()),
                        _ => {
                            self.bytes.push(value.kind());
                            self.raw(((number << 1) ^ (number >> 15)) as u16 as u64);
                        }
                    }
                    last = *number;
                    self.value(value);
                }
                self.bytes.push(0);
            }
        }
    }
}
