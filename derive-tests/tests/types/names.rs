//! Names that collide: structs, variants and fields of a graph take theirs from one small pool.

use crate::random::Random;
use std::cell::RefCell;
use std::collections::HashSet;

/// What Avro, this crate, Rust and JSON have a meaning for, and what none of them allows.
const NAMES: [&str; 92] = [
    "null",
    "boolean",
    "int",
    "long",
    "float",
    "double",
    "bytes",
    "string",
    "record",
    "enum",
    "array",
    "map",
    "fixed",
    "union",
    "error",
    "Null",
    "Boolean",
    "Int",
    "Long",
    "String",
    "Bytes",
    "Array",
    "Map",
    "Record",
    "Some",
    "None",
    "Some_2",
    "Entry",
    "Entry_2",
    "Unit",
    "Row",
    "serde",
    "serde.Some",
    "serde.Entry",
    "key",
    "value",
    "value$",
    "_0",
    "_1",
    "i128",
    "u128",
    "u64",
    "types",
    "absent",
    "tuple",
    "serde.name",
    "type",
    "name",
    "namespace",
    "fields",
    "symbols",
    "items",
    "values",
    "default",
    "logicalType",
    "Option",
    "Vec",
    "Box",
    "Result",
    "Ok",
    "Err",
    "self",
    "Self",
    "crate",
    "match",
    "fn",
    "true",
    "A",
    "B",
    "C",
    "a",
    "b",
    "c",
    "Row_2",
    "A_2",
    "a_2",
    "A_3",
    "a.b",
    "A.B",
    "a-b",
    "a b",
    "a_b",
    "größe",
    "日本",
    "",
    "1",
    "2nd",
    ".",
    "a#b",
    "a[]",
    "m>",
    "\"q\"",
];

/// Three to ten names.
pub fn pool(random: &mut Random) -> Vec<&'static str> {
    let mut names = NAMES;
    random.shuffle(&mut names);
    let count = random.between(3, 10);
    let mut pool: Vec<&'static str> = names[..count].to_vec();
    // One graph in four has plain names among them, so that failures are not all about odd ones.
    if random.one_in(4) {
        for (name, plain) in pool.iter_mut().zip(["A", "B", "a", "b"]) {
            *name = plain;
        }
        pool.sort_unstable();
        pool.dedup();
    }
    pool
}

/// A text for good, at one address.
pub fn intern(text: &str) -> &'static str {
    thread_local! {
        static TEXTS: RefCell<HashSet<&'static str>> = RefCell::default();
    }
    TEXTS.with_borrow_mut(|texts| match texts.get(text) {
        Some(text) => text,
        None => {
            let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
            texts.insert(text);
            text
        }
    })
}

/// The same text at an address of its own, as a constant of another crate may have it.
pub fn elsewhere(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}
