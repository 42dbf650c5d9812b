//! Damaged messages: an error, or other rows, but no panic, and no memory for what is only claimed.

mod common;

use common::{SET, descriptor, read, written};
use trevni_protobuf::{Mapping, Options, Reader, message};

const FILES: [(&str, &[u8]); 3] = [
    ("Kinds", include_bytes!("data/kinds.bin")),
    ("Legacy", include_bytes!("data/legacy.bin")),
    ("Node", include_bytes!("data/tree.bin")),
];

fn options() -> Options {
    Options::new().recursion(2)
}

fn error(bytes: &[u8], name: &str) -> String {
    read(bytes, &descriptor(name), &options()).unwrap_err().to_string()
}

#[test]
fn prefixes_are_refused() {
    for (name, bytes) in FILES {
        let message = descriptor(name);
        let whole = read(bytes, &message, &options()).unwrap();
        let mut borders = 0;
        for end in 0..bytes.len() {
            match read(&bytes[..end], &message, &options()) {
                Ok(batches) => {
                    let rows: usize = batches.iter().map(|batch| batch.len()).sum();
                    assert_eq!(rows, borders, "{name}: {end}");
                    borders += 1;
                }
                Err(error) => {
                    let error = error.to_string();
                    assert!(error.starts_with(&format!("message {}, at byte ", borders - 1)), "{error}");
                }
            }
        }
        assert_eq!(borders, whole[0].len());
    }
}

#[test]
fn flipped_bits_do_not_panic() {
    for (name, bytes) in FILES {
        let mapping = Mapping::new(&descriptor(name), &options()).unwrap();
        for place in (0..bytes.len() * 8).step_by(if name == "Kinds" { 3 } else { 1 }) {
            let mut bytes = bytes.to_vec();
            bytes[place / 8] ^= 1 << (place % 8);
            let batches: Result<Vec<_>, _> = Reader::new(&*bytes, mapping.clone()).collect();
            if let (Ok(batches), 0) = (batches, place % 5) {
                // What could be read can be written and read again.
                let again = written(&batches, &descriptor(name)).unwrap();
                read(&again, &descriptor(name), &options()).unwrap();
            }
        }
    }
}

#[test]
fn flipped_bits_of_descriptors_do_not_panic() {
    for place in (0..SET.len() * 8).step_by(37) {
        let mut set = SET.to_vec();
        set[place / 8] ^= 1 << (place % 8);
        for (name, bytes) in FILES {
            if let Ok(message) = message(&set, name) {
                let _ = read(bytes, &message, &options());
            }
        }
    }
}

#[test]
fn editions_are_refused() {
    // A file "e.proto" of an edition: name, message M, syntax.
    let file = b"\x0a\x07e.proto\x22\x03\x0a\x01M\x62\x08editions";
    let set: Vec<u8> = [&[0x0a, file.len() as u8], &file[..]].concat();
    let error = message(&set, "M").unwrap_err().to_string();
    let wanted =
        "no set of descriptors: e.proto has syntax \"editions\", and only proto2 and proto3 are known";
    assert_eq!(error, wanted);
}

#[test]
fn claims_are_not_believed() {
    assert_eq!(
        error(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], "Node"),
        "message 0, at byte 0: it is 18446744073709551615 bytes long, and the limit is 67108864"
    );
    assert_eq!(error(&[0xff; 11], "Node"), "message 0, at byte 0: a length that does not end");
    assert_eq!(error(&[0, 0x80], "Node"), "message 1, at byte 1: a length that does not end");
    assert_eq!(
        error(&[0, 0xff, 0xff, 0x7f, 1], "Node"),
        "message 1, at byte 1: it ends after 1 of 2097151 bytes"
    );
    let mapping = Mapping::new(&descriptor("Point"), &Options::new()).unwrap();
    let mut reader = Reader::new(&[3, 0, 0, 0][..], mapping).largest(2);
    let error = reader.next().unwrap().unwrap_err().to_string();
    assert_eq!(error, "message 0, at byte 0: it is 3 bytes long, and the limit is 2");
    assert!(reader.next().is_none(), "nothing follows an error");
}

/// A message in so many others, in a field of this number.
fn nested(levels: usize, key: u8) -> Vec<u8> {
    let mut out = Vec::new();
    for _ in 0..levels {
        let mut around = vec![key];
        let mut length = out.len();
        while length > 127 {
            around.push(length as u8 | 0x80);
            length >>= 7;
        }
        around.push(length as u8);
        around.extend(out);
        out = around;
    }
    out
}

fn delimited(message: Vec<u8>) -> Vec<u8> {
    let mut out =
        vec![message.len() as u8 | 0x80, (message.len() >> 7) as u8 | 0x80, (message.len() >> 14) as u8];
    out.extend(message);
    out
}

#[test]
fn deep_messages_are_refused() {
    let found = error(&delimited(nested(3, 0x12)), "Node");
    assert_eq!(
        found,
        "message 0, at byte 0: children.children.children: one level more of such messages than are kept"
    );
    let found = error(&delimited(nested(20_000, 0x12)), "Node");
    assert!(found.contains("recursion limit reached"), "{found}");
    // A field that is not known, as groups within groups without end.
    let found = error(&delimited(vec![0x2b; 20_000]), "Node");
    assert!(found.contains("recursion limit reached"), "{found}");
}

#[test]
fn wrong_values_are_refused_with_their_field() {
    let found = error(&[2, 0x0a, 0xff], "Node");
    assert!(found.starts_with("message 0, at byte 0: ") && found.contains("invalid varint"), "{found}");
    let found = error(&[0, 3, 0x0a, 1, 0xff], "Node");
    assert!(found.starts_with("message 1, at byte 1: ") && found.contains("UTF-8"), "{found}");
    assert_eq!(error(&[0], "Legacy"), "message 0, at byte 0: id: a required field that is missing");
    assert_eq!(
        error(&[4, 0x08, 1, 0x3b, 0x3c], "Legacy"),
        "message 0, at byte 0: result.url: a required field that is missing"
    );
    // A number that JSON does not have, in google.protobuf.Value.
    let nan = [12, 0xe2, 0x02, 9, 0x11, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f];
    let found = error(&nan, "Kinds");
    assert!(found.starts_with("message 0, at byte 0: value: "), "{found}");
}
