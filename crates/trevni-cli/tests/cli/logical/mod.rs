//! Logical types: dates, instants, times, decimals, UUIDs, durations, IP addresses.

mod auto;
mod ip;
mod queries;
mod shown;
mod types;

use super::Folder;
use serde_json::Value;

/// A file of every logical type, from JSON.
const TYPES: &str = r#"{"id":1,"when":"2013-06-01T07:00:00.250+02:00","day":"2013-06-01","at":"05:00","local":"2013-06-01 05:00:00","price":"12.5","key":"67E5504410B1426F9247BB680E5FE0C8","lasts":"P14M","days":["-0044-03-15","+10000-01-01"],"by":{"a":{"t":"1969-12-31T23:59:59.999Z"}}}
{"id":2,"when":null,"day":null,"at":"23:59:59.999999","local":"0001-01-01T00:00:00.5","price":3,"key":"00000000-0000-0000-0000-000000000000","lasts":"PT0S","days":[],"by":{}}
{"id":3,"when":"+12345-01-01T00:00:00Z","day":"1969-12-31","at":"00:00:00","local":"9999-12-31T23:59:59","price":-0.01,"key":"ffffffff-ffff-ffff-ffff-ffffffffffff","lasts":"P1W","days":["1970-01-01"],"by":{"b":{"t":null}}}
"#;

const OPTIONS: [&str; 20] = [
    "-t",
    "when=timestamp-millis",
    "-t",
    "day=date",
    "-t",
    "at=time",
    "-t",
    "local=local-timestamp",
    "-t",
    "price=decimal(9,2)",
    "-t",
    "key=uuid",
    "-t",
    "lasts=duration",
    "-t",
    "days[]=date",
    "--map",
    "by",
    "-t",
    "by.value.t=timestamp",
];

/// The same as they are printed.
const PRINTED: &str = r#"{"id":1,"when":"2013-06-01T05:00:00.250Z","day":"2013-06-01","at":"05:00:00","local":"2013-06-01T05:00:00","price":"12.50","key":"67e55044-10b1-426f-9247-bb680e5fe0c8","lasts":"P1Y2M","days":["-0044-03-15","+10000-01-01"],"by":{"a":{"t":"1969-12-31T23:59:59.999Z"}}}
{"id":2,"when":null,"day":null,"at":"23:59:59.999999","local":"0001-01-01T00:00:00.500","price":"3.00","key":"00000000-0000-0000-0000-000000000000","lasts":"PT0S","days":[],"by":{}}
{"id":3,"when":"+12345-01-01T00:00:00Z","day":"1969-12-31","at":"00:00:00","local":"9999-12-31T23:59:59","price":"-0.01","key":"ffffffff-ffff-ffff-ffff-ffffffffffff","lasts":"P7D","days":["1970-01-01"],"by":{"b":{"t":null}}}
"#;

impl Folder {
    /// Writes a text.
    fn put(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// What the program says when it does what it should.
    #[track_caller]
    fn says(&self, args: &[&str]) -> String {
        let output = self.trevni(args).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{args:?}: {error}");
        error
    }
}

/// A folder with a file of every logical type.
fn with_types() -> Folder {
    let folder = Folder::new();
    folder.put("types.jsonl", TYPES);
    folder.prints(&[&["-q", "convert", "types.jsonl", "--check"], &OPTIONS[..]].concat());
    folder
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
