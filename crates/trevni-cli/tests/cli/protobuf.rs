//! Messages of Protocol Buffers, in and out.

use super::{Folder, flights};
use std::path::{Path, PathBuf};

/// A file that another implementation made, or what is expected of it.
fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../trevni-protobuf/tests/data").join(name)
}

/// The folder with the descriptors `d.binpb`.
fn folder() -> Folder {
    let folder = Folder::new();
    std::fs::copy(data("all.binpb"), folder.path("d.binpb")).unwrap();
    folder
}

/// What the program says as it fails, with the code that it leaves.
fn fails(folder: &Folder, args: &[&str]) -> (i32, String) {
    let output = folder.trevni(args).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn messages_become_rows_and_come_back() {
    let folder = folder();
    for (name, message, more) in [
        ("kinds", "test.kinds.Kinds", &[][..]),
        ("legacy", "Legacy", &[]),
        ("tree", "test.tree.Node", &["--recursion", "2"]),
    ] {
        let source = data(&format!("{name}.bin"));
        let source = source.to_str().unwrap();
        let types = ["--descriptor", "d.binpb", "--message", message];
        let import =
            [&["-q", "convert", source, "x.trv", "--from", "protobuf", "--force"], &types[..], more].concat();
        folder.prints(&import);
        let mut rows = std::fs::read_to_string(data(&format!("{name}.jsonl"))).unwrap();
        // The program prints bytes as hexadecimal digits.
        for (name, bytes, text) in [
            ("bytes_", "[]", ""),
            ("bytes_", "[0,255]", "00ff"),
            ("raw", "[114]", "72"),
            ("value", "[9,0]", "0900"),
            ("data", "[]", ""),
        ] {
            rows = rows.replace(&format!("\"{name}\":{bytes}"), &format!("\"{name}\":\"{text}\""));
        }
        assert_eq!(folder.prints(&["cat", "x.trv"]), rows);
        folder.prints(&[&["-q", "convert", "x.trv", "x.binpb", "--force"], &types[..]].concat());
        assert_eq!(std::fs::read(folder.path("x.binpb")).unwrap(), std::fs::read(source).unwrap(), "{name}");
        assert_eq!(folder.prints(&["verify", "x.trv"]).split_whitespace().next(), Some("ok"));
    }
}

#[test]
fn messages_pass_through_pipes() {
    let folder = folder();
    let types = ["--descriptor", "d.binpb", "--message", "Kinds"];
    let bytes = std::fs::read(data("kinds.bin")).unwrap();
    let import = [&["-q", "convert", "-", "--from", "protobuf", "-o", "-"], &types[..]].concat();
    let columns = folder.trevni(&import).write_stdin(bytes.clone()).output().unwrap();
    assert!(columns.status.success(), "{columns:?}");
    let export =
        [&["-q", "convert", "-", "--from", "trv", "--to", "protobuf", "-o", "-"], &types[..]].concat();
    let messages = folder.trevni(&export).write_stdin(columns.stdout).output().unwrap();
    assert!(messages.status.success(), "{messages:?}");
    assert_eq!(messages.stdout, bytes);
}

#[test]
fn first_bytes_of_messages_are_not_looked_at() {
    // A message of 31 bytes, whose key is the second byte of gzip's magic; lengths as the marks of UTF-16 and UTF-8.
    let folder = folder();
    let text = |length: usize| {
        let mut out = vec![length as u8 | 0x80, (length >> 7) as u8 | 0x80, (length >> 14) as u8];
        out.extend([
            0x0a,
            (length - 4) as u8 | 0x80,
            ((length - 4) >> 7) as u8 | 0x80,
            ((length - 4) >> 14) as u8,
        ]);
        out.extend(vec![b'x'; length - 4]);
        out
    };
    for length in [0x7f | 0x7e << 7 | 1 << 14, 0x6f | 0x3b << 7 | 0x3f << 14] {
        std::fs::write(folder.path("x.pb"), text(length)).unwrap();
        folder.prints(&["-q", "convert", "x.pb", "--force", "--descriptor", "d.binpb", "--message", "Inner"]);
        assert_eq!(folder.prints(&["count", "x.trv"]), "1\n");
    }
    std::fs::write(folder.path("y.pb"), [0x1f, 0x8b, 0x01]).unwrap();
    let (code, error) = fails(&folder, &["convert", "y.pb", "--descriptor", "d.binpb", "--message", "Inner"]);
    assert_eq!((code, &*error), (3, "error: y.pb: message 0, at byte 0: it ends after 2 of 31 bytes\n"));
    // Packed, where the name says so.
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, &[2, 0x0a, 0, 0]).unwrap();
    std::fs::write(folder.path("z.pb.gz"), packed.finish().unwrap()).unwrap();
    folder.prints(&["-q", "convert", "z.pb.gz", "--descriptor", "d.binpb", "--message", "Inner"]);
    assert_eq!(folder.prints(&["count", "z.trv"]), "2\n");
}

#[test]
fn some_messages_and_some_fields() {
    let folder = folder();
    let source = data("kinds.bin");
    let import = |output: &str, more: &[&str]| {
        let args = ["-q", "convert", source.to_str().unwrap(), "--from", "protobuf", "-o", output];
        let types = ["--descriptor", "d.binpb", "--message", "Kinds"];
        folder.prints(&[&args[..], &types[..], more].concat());
        folder.prints(&["cat", output])
    };
    let two = import("two.trv", &["-n", "2", "-c", "int32_,inner.text,choice", "--meta", "origin=test"]);
    let wanted = "{\"int32_\":0,\"inner\":null,\"choice\":null}\n\
                  {\"int32_\":-2147483648,\"inner\":{\"text\":\"in\"},\"choice\":{\"point\":{\"x\":9.0,\"y\":0.0}}}\n";
    assert_eq!(two, wanted);
    assert!(folder.prints(&["info", "two.trv"]).contains("origin"));
    let numbers = import("numbers.trv", &["--enum-numbers", "-c", "color,colors"]);
    assert_eq!(numbers.lines().nth(1), Some("{\"color\":5,\"colors\":[0,5,-1]}"));
}

#[test]
fn rows_without_a_type_have_one_of_their_own() {
    let folder = Folder::new();
    folder.write("flights.trv", flights(100));
    folder.prints(&["-q", "convert", "flights.trv", "-o", "flights.binpb"]);
    let text = folder.prints(&["schema", "-f", "proto", "flights.trv"]);
    let wanted = "syntax = \"proto3\";\n\nmessage Flights {\n  int64 flight = 1;\n  string carrier = 2;\n  \
                  optional double dep_delay = 3;\n  From from = 4;\n  repeated string stops = 5;\n}\n\n\
                  message From {\n  string airport = 1;\n  int64 gate = 2;\n}\n";
    assert_eq!(text, wanted);
    // The text, compiled, is the type of the messages.
    let compiled = protox_of(&text);
    std::fs::write(folder.path("own.binpb"), compiled).unwrap();
    let types = ["--descriptor", "own.binpb", "--message", "Flights"];
    folder.prints(&[&["-q", "convert", "flights.binpb", "-o", "again.trv"], &types[..]].concat());
    assert_eq!(folder.prints(&["cat", "again.trv"]), folder.prints(&["cat", "flights.trv"]));
    let thrift = folder.prints(&["schema", "-f", "thrift", "flights.trv"]);
    let wanted = "struct From {\n  1: required string airport\n  2: required i64 gate\n}\n\n\
                  struct Flights {\n  1: required i64 flight\n  2: required string carrier\n  \
                  3: optional double dep_delay\n  // \"from\"\n  4: required From from_\n  5: required list<string> stops\n}\n";
    assert_eq!(thrift, wanted);
}

/// The descriptors of a text.
fn protox_of(text: &str) -> Vec<u8> {
    use protox::prost_reflect::prost::Message;
    let file = protox::file::File::from_source("own.proto", text).unwrap();
    let set = protox::prost_reflect::prost_types::FileDescriptorSet { file: vec![file.into()] };
    set.encode_to_vec()
}

#[test]
fn failures_say_where_and_what_to_do() {
    let folder = folder();
    let (types, no_types) = (["--descriptor", "d.binpb", "--message", "Node"], ["--from", "protobuf"]);
    std::fs::copy(data("tree.bin"), folder.path("tree.pb")).unwrap();
    let failed = |args: &[&str]| fails(&folder, &[&["convert", "tree.pb"], args].concat());
    let (code, error) = failed(&no_types);
    assert_eq!(code, 2);
    assert_eq!(
        error,
        "error: tree.pb: the type of its messages is not known\n  To name it: --descriptor FILE --message TYPE\n"
    );
    let (code, error) = failed(&types);
    assert_eq!(code, 1);
    assert!(error.starts_with("error: test.tree.Node: children: messages of type test.tree.Node"), "{error}");
    assert!(error.ends_with("  To say how many: --recursion LEVELS\n"), "{error}");
    let (code, error) = failed(&[&types[..], &["--recursion", "1"]].concat());
    assert_eq!(code, 3);
    let wanted = "error: tree.pb: message 1, at byte 7: children.children: one level more of such messages than are kept\n";
    assert_eq!(error, wanted);
    let (code, error) = failed(&[&types[..], &["--recursion", "2", "--largest-message", "20"]].concat());
    assert_eq!(code, 3);
    assert_eq!(error, "error: tree.pb: message 1, at byte 7: it is 42 bytes long, and the limit is 20\n");
    let (code, error) = failed(&["--descriptor", "d.binpb", "--message", "Nod"]);
    assert_eq!(code, 2);
    assert!(error.contains("the descriptors have no message Nod; there are test.kinds.Kinds"), "{error}");
    let (code, error) = failed(&["--descriptor", "tree.pb", "--message", "Node"]);
    assert_eq!(code, 3);
    assert!(error.starts_with("error: tree.pb: no set of descriptors: "), "{error}");
    let (code, error) = failed(&[&types[..], &["--check"]].concat());
    assert_eq!(code, 2);
    assert!(error.starts_with("error: --check is not for files that are Protocol Buffers\n"), "{error}");
    assert_eq!(failed(&["--descriptor", "d.binpb"]).0, 2);
    assert!(!folder.path("tree.trv").exists(), "nothing half done remains");

    folder.write("rows.trv", [serde_json::json!({"name": "a", "other": 1})]);
    let (code, error) = fails(&folder, &[&["convert", "rows.trv", "-o", "x.binpb"], &types[..]].concat());
    assert_eq!((code, &*error), (1, "error: rows.trv: other: message test.tree.Node has no such field\n"));
    let (code, error) = fails(&folder, &[&["convert", "rows.trv", "-o", "x.csv"], &types[..]].concat());
    assert_eq!(code, 2);
    assert!(error.starts_with("error: --descriptor is not for Trevni and CSV\n"), "{error}");
    folder.write("rows.trv", [serde_json::json!({"double_": 1.5, "float_": 0.1})]);
    let kinds = ["--descriptor", "d.binpb", "--message", "Kinds"];
    let (code, error) = fails(&folder, &[&["convert", "rows.trv", "-o", "x.binpb"], &kinds[..]].concat());
    assert_eq!((code, &*error), (1, "error: rows.trv: row 0: float_: 0.1 is no float\n"));
    assert!(!folder.path("x.binpb").exists(), "nothing half done remains");
    // A message is damaged after some are good.
    let bytes = std::fs::read(data("legacy.bin")).unwrap();
    std::fs::write(folder.path("cut.pb"), &bytes[..bytes.len() - 1]).unwrap();
    let legacy = ["--descriptor", "d.binpb", "--message", "Legacy"];
    let (code, error) = fails(&folder, &[&["convert", "cut.pb"], &legacy[..]].concat());
    assert_eq!(code, 3);
    assert!(
        error.starts_with("error: cut.pb: message 2, at byte ") && error.contains(" of 11 bytes"),
        "{error}"
    );
}

#[test]
fn unknown_fields_are_told() {
    let folder = folder();
    let source = data("later.bin");
    let args = ["convert", source.to_str().unwrap(), "--from", "protobuf", "-o", "x.trv"];
    let output = folder
        .trevni(&[&args[..], &["--descriptor", "d.binpb", "--message", "Legacy"]].concat())
        .output()
        .unwrap();
    assert!(output.status.success());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("later.bin: 3 fields skipped, which the descriptors do not know\n"), "{told}");
}
