//! Messages of another implementation (`tests/data/README.md`) are the rows that they should be, and come back to the byte.

mod common;

use common::{SET, descriptor, lines, read, written};
use std::error::Error;
use trevni::{Reader as Columns, Writer as ColumnWriter};
use trevni_protobuf::{Enums, Mapping, Options, Reader, message};

fn check(name: &str, bytes: &[u8], expected: &str, options: &Options) -> Result<(), Box<dyn Error>> {
    let message = descriptor(name);
    let batches = read(bytes, &message, options)?;
    assert_eq!(lines(&batches), expected.lines().collect::<Vec<_>>());
    assert_eq!(written(&batches, &message)?, bytes, "written again");
    // Through a file.
    let mut writer = ColumnWriter::builder().shape(batches[0].shape()).build(Vec::new())?;
    batches.iter().try_for_each(|batch| writer.write_batch(batch))?;
    let file = writer.finish()?;
    let batches: Vec<_> = Columns::from_slice(&file)?.batches()?.collect::<trevni::Result<_>>()?;
    assert_eq!(lines(&batches), expected.lines().collect::<Vec<_>>());
    assert_eq!(written(&batches, &message)?, bytes, "written from a file");
    Ok(())
}

#[test]
fn kinds_of_proto3() -> Result<(), Box<dyn Error>> {
    let (bytes, rows) = (include_bytes!("data/kinds.bin"), include_str!("data/kinds.jsonl"));
    check("test.kinds.Kinds", bytes, rows, &Options::new())
}

#[test]
fn groups_and_presence_of_proto2() -> Result<(), Box<dyn Error>> {
    let (bytes, rows) = (include_bytes!("data/legacy.bin"), include_str!("data/legacy.jsonl"));
    check("test.legacy.Legacy", bytes, rows, &Options::new())
}

#[test]
fn messages_of_their_own_type() -> Result<(), Box<dyn Error>> {
    let (bytes, rows) = (include_bytes!("data/tree.bin"), include_str!("data/tree.jsonl"));
    check("test.tree.Node", bytes, rows, &Options::new().recursion(2))?;
    let error = read(bytes, &descriptor("Node"), &Options::new()).unwrap_err().to_string();
    assert_eq!(
        error,
        "children: messages of type test.tree.Node contain such messages, so there is no end of columns; say how many \
         levels of them to keep"
    );
    let error = read(bytes, &descriptor("Even"), &Options::new()).unwrap_err().to_string();
    assert!(error.starts_with("odd.even: messages of type test.tree.Even"), "{error}");
    let error = read(bytes, &descriptor("Node"), &Options::new().recursion(1)).unwrap_err().to_string();
    assert_eq!(
        error,
        "message 1, at byte 7: children.children: one level more of such messages than are kept"
    );
    // As many columns as levels would make are refused.
    let error = read(bytes, &descriptor("Node"), &Options::new().recursion(40)).unwrap_err().to_string();
    assert!(error.contains("more than 10000 fields") || error.contains("deep"), "{error}");
    Ok(())
}

#[test]
fn fields_that_are_not_known_are_counted() -> Result<(), Box<dyn Error>> {
    let (bytes, rows) = (include_bytes!("data/later.bin"), include_str!("data/later.jsonl"));
    let mut reader = Reader::new(&bytes[..], Mapping::new(&descriptor("Legacy"), &Options::new())?);
    let batches: Vec<_> = reader.by_ref().collect::<Result<_, _>>()?;
    assert_eq!(lines(&batches), rows.lines().collect::<Vec<_>>());
    assert_eq!((reader.unknown_fields(), reader.messages(), reader.bytes()), (3, 2, bytes.len() as u64));
    Ok(())
}

#[test]
fn numbers_of_enums() -> Result<(), Box<dyn Error>> {
    // COLOR 7, which has no name; the oneof's enum 5.
    let bytes = [6, 0x80, 0x01, 7, 0x98, 0x02, 5];
    let message = descriptor("Kinds");
    let error = read(&bytes, &message, &Options::new()).unwrap_err().to_string();
    let wanted =
        "message 0, at byte 0: color: 7 has no name in the enum; numbers of enums can be kept as numbers";
    assert_eq!(error, wanted);
    let batches = read(&bytes, &message, &Options::new().enums(Enums::Numbers))?;
    let line = &lines(&batches)[0];
    assert!(line.contains("\"color\":7,") && line.contains("\"choice\":{\"chosen\":5}"), "{line}");
    assert_eq!(written(&batches, &message)?, bytes);
    Ok(())
}

#[test]
fn messages_are_found_by_their_names() {
    assert_eq!(descriptor("test.kinds.Kinds.Inner.Inner2").name(), "Inner2");
    assert_eq!(descriptor("Inner2").full_name(), "test.kinds.Kinds.Inner.Inner2");
    let error = message(SET, "Kind").unwrap_err().to_string();
    let wanted = "the descriptors have no message Kind; there are test.kinds.Kinds, test.kinds.Kinds.Inner, \
                  test.kinds.Kinds.Inner.Inner2, test.kinds.Nothing, test.kinds.Point, test.legacy.Later, \
                  test.legacy.Legacy, test.legacy.Legacy.Both, test.legacy.Legacy.Part, test.legacy.Legacy.Result, \
                  test.legacy.Legacy.Result.Nested, test.tree.Even, test.tree.Node, test.tree.Odd";
    assert_eq!(error, wanted);
    for bytes in [&b""[..], b"\x0a", b"no descriptors"] {
        let error = message(bytes, "Kind").unwrap_err().to_string();
        assert!(error.starts_with("no set of descriptors: "), "{error}");
    }
}
