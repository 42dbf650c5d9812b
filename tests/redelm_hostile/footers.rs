//! Footers that are much more than their bytes, as they were when each value of them was kept, and each mention read.

use crate::memory::{MIB, alone, within};
use serde_json::json;
use trevni::formats::{RedElm, RedElmFooter};
use trevni::{Category, ErrorKind, Limits, Reader, Writer};

const MAGIC: &[u8; 8] = b"Red Elm\n";

/// A file without row groups that has this footer.
fn file(footer: &[u8]) -> Vec<u8> {
    let start = (MAGIC.len() as u64).to_be_bytes();
    let size = (footer.len() as u32).to_be_bytes();
    [MAGIC, &1u32.to_be_bytes()[..], b"\x01\x00\x06RedElm", &size, footer, &start, MAGIC].concat()
}

#[test]
fn what_nothing_needs_is_not_kept() {
    let _alone = alone();
    let meta = json!({"schema": "message M { required int32 a; }", "codecClassName": null});
    for (item, count) in [("0,", 4 << 20), ("[],", 3 << 20), (r#"{"":0},"#, 1 << 20)] {
        let items = item.repeat(count);
        let items = items.trim_end_matches(',');
        let footer = format!(r#"{{"fileMetaData":{meta},"more":[{items}],"blocks":[]}}"#);
        let bytes = file(footer.as_bytes());
        let rows = within(40 * MIB, || Reader::from_slice(&bytes).map(|reader| reader.row_count()));
        assert_eq!(rows.unwrap(), 0, "{item}");
    }
}

#[test]
fn what_a_footer_becomes_is_limited() {
    let _alone = alone();
    let limits = Limits::default().memory(16 << 20);
    let is_limited = |footer: &[u8]| {
        let bytes = file(footer);
        let opened = within(64 * MIB, || Reader::builder().limits(limits).source(&*bytes).map(drop));
        let error = opened.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Limit { option: "memory", .. }), "{error}");
        assert_eq!(error.category(), Category::Limit);
    };
    // The names of a path are three bytes each.
    let path = vec![""; 1 << 20];
    let column = json!({
        "repetitionStart": 8, "definitionStart": 8, "dataStart": 8, "dataEnd": 8, "path": path, "type": "INT32",
        "valueCount": 0,
    });
    let group = json!({"startIndex": 8, "endIndex": 8, "recordCount": 0, "columns": [column]});
    let meta = json!({"schema": "message M { required int32 a; }", "codecClassName": null});
    is_limited(json!({"fileMetaData": meta, "blocks": [group]}).to_string().as_bytes());
    // A row group of Java objects that is mentioned again and again. Things are counted from the handle of the first one.
    let objects = java();
    let end = objects.windows(2).rposition(|bytes| bytes == [0x78, 0x78]).unwrap() + 1;
    for handle in 0x7e_0000_u32..0x7e_0020 {
        let again = [&[0x71], &handle.to_be_bytes()[..]].concat();
        let twice = [&objects[..end], &again, &objects[end..]].concat();
        let error = Reader::from_slice(&file(&twice)).unwrap_err().to_string();
        // What is no row group lacks its fields.
        if !error.contains("lacks the field columns") && !error.contains("no Java object") {
            is_limited(&[&objects[..end], &again.repeat(500_000), &objects[end..]].concat());
            return;
        }
    }
    panic!("no row group has been found");
}

/// The Java objects in the footer of a file of one row group.
fn java() -> Vec<u8> {
    let format = RedElm::new().footer(RedElmFooter::Java);
    let mut writer = Writer::builder().format(format).build(Vec::new()).unwrap();
    writer.write(&7).unwrap();
    let bytes = writer.finish().unwrap();
    let start = bytes.windows(4).position(|four| four == [0xac, 0xed, 0, 5]).unwrap();
    let size = u32::from_be_bytes(bytes[start - 4..start].try_into().unwrap()) as usize;
    bytes[start..start + size].to_vec()
}
