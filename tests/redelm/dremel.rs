//! The two documents of the Dremel paper.

use serde_json::{Value, json};
use trevni::{Codec, Dialect, Reader, Shape, Writer};

const DOCUMENT: &str = "message Document {
  required int64 DocId;
  optional group Links { repeated int64 Backward; repeated int64 Forward; }
  repeated group Name {
    repeated group Language { required string Code; optional string Country; }
    optional string Url;
  }
}";

fn documents() -> [Value; 2] {
    [
        json!({
            "DocId": 10,
            "Links": {"Backward": [], "Forward": [20, 40, 60]},
            "Name": [
                {"Language": [{"Code": "en-us", "Country": "us"}, {"Code": "en"}], "Url": "http://A"},
                {"Language": [], "Url": "http://B"},
                {"Language": [{"Code": "en-gb", "Country": "gb"}]},
            ],
        }),
        json!({
            "DocId": 20,
            "Links": {"Backward": [10, 30], "Forward": [80]},
            "Name": [{"Language": [], "Url": "http://C"}],
        }),
    ]
}

/// The levels of a column in a row group without a codec, as the bytes of the file tell them.
fn stored_levels(file: &[u8], column: &Value, part: [&str; 2], bound: u32) -> Vec<u32> {
    let position = |name: &str| column[name].as_u64().unwrap() as usize;
    let bytes = &file[position(part[0])..position(part[1])];
    let count = column["valueCount"].as_u64().unwrap() as usize;
    if bound == 0 {
        assert!(bytes.is_empty());
        return vec![0; count];
    }
    assert_eq!(usize::from(bytes[0]), 2 * (bytes.len() - 1));
    let mut bits = bytes[1..].iter().flat_map(|byte| (0..8).map(move |bit| u32::from(byte >> bit & 1)));
    let mut take = |count: u32| (0..count).fold(0, |value, bit| value | bits.next().unwrap() << bit);
    let width = u32::BITS - bound.leading_zeros();
    let mut levels = Vec::new();
    while levels.len() < count {
        let is_run = take(1) == 1;
        let value = take(width);
        let times = if is_run { take(8) as usize } else { 1 };
        levels.extend(std::iter::repeat_n(value, times));
    }
    levels
}

#[test]
fn the_documents_of_the_paper_have_its_levels() {
    let shape = Shape::from_message(DOCUMENT).unwrap();
    let options = Writer::builder().dialect(Dialect::RedElm).codec(Codec::Null).shape(&shape);
    let mut writer = options.build(Vec::new()).unwrap();
    writer.write_all(documents()).unwrap();
    let file = writer.finish().unwrap();

    let start = file.windows(7).position(|bytes| bytes == b"{\"fileM").unwrap();
    let mut footer = serde_json::Deserializer::from_slice(&file[start..]).into_iter::<Value>();
    let columns = footer.next().unwrap().unwrap()["blocks"][0]["columns"].clone();
    let (r, d) = (["repetitionStart", "definitionStart"], ["definitionStart", "dataStart"]);
    // Figure 3 of the paper: r and d of each column.
    for (number, (path, [max_r, max_d], expected_r, expected_d)) in [
        (json!(["DocId"]), [0, 0], vec![0, 0], vec![0, 0]),
        (json!(["Links", "Backward"]), [1, 2], vec![0, 0, 1], vec![1, 2, 2]),
        (json!(["Links", "Forward"]), [1, 2], vec![0, 1, 1, 0], vec![2, 2, 2, 2]),
        (json!(["Name", "Language", "Code"]), [2, 2], vec![0, 2, 1, 1, 0], vec![2, 2, 1, 2, 1]),
        (json!(["Name", "Language", "Country"]), [2, 3], vec![0, 2, 1, 1, 0], vec![3, 2, 1, 3, 1]),
        (json!(["Name", "Url"]), [1, 2], vec![0, 1, 1, 0], vec![2, 2, 1, 2]),
    ]
    .into_iter()
    .enumerate()
    {
        let column = &columns[number];
        assert_eq!(column["path"], path);
        assert_eq!(stored_levels(&file, column, r, max_r), expected_r, "r of {path}");
        assert_eq!(stored_levels(&file, column, d, max_d), expected_d, "d of {path}");
    }

    let reader = Reader::from_slice(&file).unwrap();
    let batches: Vec<_> = reader.batches().unwrap().map(Result::unwrap).collect();
    let columns = batches[0].levels().unwrap();
    assert_eq!(columns[3].levels.repetition, [0, 2, 1, 1, 0]);
    assert_eq!(columns[3].levels.definition, [2, 2, 1, 2, 1]);
}
