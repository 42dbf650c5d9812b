//! IP addresses and networks.

use serde_json::{Value, json};
use tempfile::NamedTempFile;
use trevni::shape::{IpFamily, Logical};
use trevni::{Reader, Writer};
use trevni_parquet::{ParquetFile, ParquetOptions, ParquetReader};

#[test]
fn addresses_come_back() {
    let rows = [
        json!({"ip": "10.0.0.9", "any": "::1", "network": "10.0.0.1/8"}),
        json!({"ip": "9.255.0.1", "any": "10.0.0.1", "network": null}),
    ];
    let mut writer = Writer::builder()
        .logical("ip", Logical::IpAddress(IpFamily::V4))
        .logical("any", Logical::IpAddress(IpFamily::Any))
        .logical("network", Logical::IpNetwork(IpFamily::V4))
        .build(Vec::new())
        .unwrap();
    writer.write_all(&rows).unwrap();
    let bytes = writer.finish().unwrap();
    let own = Reader::from_slice(&bytes).unwrap();
    let parquet = trevni_parquet::to_parquet(&own, ParquetOptions::new(), Vec::new()).unwrap();
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), parquet).unwrap();
    let text = ParquetFile::open(file.path()).unwrap().message();
    assert!(text.contains("required fixed_len_byte_array(17) any;"), "{text}");

    let columns = NamedTempFile::new().unwrap();
    trevni_parquet::to_trevni(ParquetReader::open(file.path()).unwrap(), Writer::builder(), &columns)
        .unwrap();
    let again = Reader::builder().logical_text().open(columns.path()).unwrap();
    let types = again.shape().to_avro();
    for name in ["ipv4-address", "ip-address", "ipv4-network"] {
        assert!(types.contains(&format!(r#""logicalType":"{name}""#)), "{types}");
    }
    let read: Vec<Value> = again.rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(read, rows);
}
