//! Numbers that are marked by `#[serde(with = "…")]`.

use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::{Duration, SystemTime};
use trevni::{Reader, Shape, Writer};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Marks {
    #[serde(with = "trevni::with::timestamp_millis")]
    millis: i64,
    #[serde(with = "trevni::with::timestamp_micros")]
    micros: Option<i64>,
    #[serde(with = "trevni::with::timestamp_nanos")]
    nanos: Vec<Option<i64>>,
    #[serde(with = "trevni::with::local_timestamp_micros")]
    local: i64,
    #[serde(with = "trevni::with::date")]
    date: i32,
    #[serde(with = "trevni::with::time_millis")]
    time: Duration,
    #[serde(with = "trevni::with::time_nanos", default, skip_serializing_if = "Option::is_none")]
    late: Option<Duration>,
    #[serde(with = "trevni::with::timestamp_micros")]
    system: SystemTime,
    #[serde(with = "trevni::with::timestamp_millis")]
    boxed: Option<Box<SystemTime>>,
    plain: i64,
}

fn marks(n: i64) -> Marks {
    let time = |micros: i64| match micros < 0 {
        true => SystemTime::UNIX_EPOCH - Duration::from_micros(micros.unsigned_abs()),
        false => SystemTime::UNIX_EPOCH + Duration::from_micros(micros.unsigned_abs()),
    };
    Marks {
        millis: n * 1001,
        micros: (n % 3 != 0).then_some(-n),
        nanos: (0..n % 4).map(|item| (item != 1).then_some(item * n)).collect(),
        local: n * 86_400_000_000,
        date: n as i32 - 50,
        time: Duration::from_millis(n.unsigned_abs() * 1007 % 86_400_000),
        late: (n > 5000 && n % 2 == 0).then_some(Duration::from_nanos(n.unsigned_abs())),
        system: time((n - 3) * 999_999),
        boxed: (n % 5 == 0).then(|| Box::new(time(n * 1000))),
        plain: n,
    }
}

#[test]
fn they_come_back_and_are_logical_types() {
    let rows: Vec<Marks> = (0..10_000).map(marks).collect();
    let file = trevni::to_vec(&rows).unwrap();
    assert_eq!(trevni::from_slice::<Vec<Marks>>(&file).unwrap(), rows);
    let reader = Reader::from_slice(&file).unwrap();
    let shape = reader.shape().to_string();
    for part in [
        "timestamp-millis",
        "timestamp-micros",
        "timestamp-nanos",
        "local-timestamp-micros",
        "date",
        "time-millis",
        "time-nanos",
    ] {
        assert!(shape.contains(part), "{shape}");
    }
    assert!(shape.contains("plain: long"), "{shape}");
    let texts: Vec<serde_json::Value> = trevni::from_slice(&file).unwrap();
    assert_eq!(texts[1]["millis"], "1970-01-01T00:00:01.001Z");
    assert_eq!(texts[1]["micros"], "1969-12-31T23:59:59.999999Z");
    assert_eq!(texts[3]["nanos"], json!(["1970-01-01T00:00:00Z", null, "1970-01-01T00:00:00.000000006Z"]));
    assert_eq!(texts[2]["local"], "1970-01-03T00:00:00");
    assert_eq!(texts[0]["date"], "1969-11-12");
    assert_eq!(texts[2]["time"], "00:00:02.014");
    assert_eq!(texts[5002]["late"], "00:00:00.000005002");
    assert_eq!(texts[2]["system"], "1969-12-31T23:59:59.000001Z");
    assert_eq!(texts[3]["plain"], 3);
    for batch in reader.batches().unwrap() {
        for row in batch.unwrap().rows::<Marks>() {
            let row = row.unwrap();
            assert_eq!(row, marks(row.plain));
        }
    }
    assert_eq!(reader.row::<Marks>(7).unwrap(), rows[7]);
}

#[test]
fn the_shape_of_a_type_has_them() {
    let rows: Vec<Marks> = [6001, 6002, 6003].map(marks).into();
    let shape = Shape::from_type::<Marks>().unwrap();
    let mut writer = Writer::builder().shape(&shape).build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    let given = writer.finish().unwrap();
    assert_eq!(trevni::from_slice::<Vec<Marks>>(&given).unwrap(), rows);
    assert!(shape.to_string().contains("local-timestamp-micros"), "{shape}");
}

#[test]
fn other_formats_have_plain_numbers() {
    let row = marks(6002);
    let text = serde_json::to_value(&row).unwrap();
    assert_eq!(text["millis"], 6002 * 1001);
    assert_eq!(text["date"], 5952);
    assert_eq!(serde_json::from_value::<Marks>(text).unwrap(), row);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Micros {
    #[serde(with = "trevni::with::timestamp_micros")]
    v: i64,
}

#[test]
fn units_are_converted_where_they_are_exact() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Millis {
        #[serde(with = "trevni::with::timestamp_millis")]
        v: i64,
    }
    let file = trevni::to_vec([Millis { v: 5 }, Millis { v: -1 }]).unwrap();
    assert_eq!(trevni::from_slice::<Vec<Micros>>(&file).unwrap(), [Micros { v: 5000 }, Micros { v: -1000 }]);
    let file = trevni::to_vec([Micros { v: 5000 }, Micros { v: 5001 }]).unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    assert_eq!(reader.row::<Millis>(0).unwrap(), Millis { v: 5 });
    let error = trevni::from_slice::<Vec<Millis>>(&file).unwrap_err().to_string();
    assert!(error.contains("row 1") && error.contains("timestamp-millis"), "{error}");
    let far = trevni::to_vec([Millis { v: i64::MAX }]).unwrap();
    assert!(trevni::from_slice::<Vec<Micros>>(&far).is_err());

    // Into a given schema of another unit.
    let schema = r#"{"type": "record", "name": "R", "fields": [
        {"name": "v", "type": {"type": "long", "logicalType": "timestamp-millis"}}]}"#;
    let mut writer = Writer::builder().schema(schema).build(Vec::new()).unwrap();
    for row in [5000, 6000, 7000] {
        writer.write(&Micros { v: row }).unwrap();
    }
    assert!(writer.write(&Micros { v: 5001 }).is_err());
    let file = writer.finish().unwrap();
    assert_eq!(Reader::from_slice(&file).unwrap().column::<i64>("v").unwrap(), [5, 6, 7]);
}

#[test]
fn texts_and_plain_numbers_are_read_as_marked() {
    #[derive(Serialize)]
    struct Text {
        v: &'static str,
    }
    let file =
        trevni::to_vec([Text { v: "1970-01-01T00:00:00.000005Z" }, Text { v: "1970-01-01T01:00:00+01:00" }])
            .unwrap();
    assert_eq!(trevni::from_slice::<Vec<Micros>>(&file).unwrap(), [Micros { v: 5 }, Micros { v: 0 }]);
    let file = trevni::to_vec([super::Row { v: 7 }]).unwrap();
    assert_eq!(trevni::from_slice::<Vec<Micros>>(&file).unwrap(), [Micros { v: 7 }]);
    let file = trevni::to_vec([super::Row { v: "soon" }]).unwrap();
    assert!(trevni::from_slice::<Vec<Micros>>(&file).is_err());
}

#[test]
fn flattened_fields_come_back() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Outer {
        name: String,
        #[serde(flatten)]
        inner: Micros,
    }
    let rows = [Outer { name: "a".to_owned(), inner: Micros { v: 123_456 } }];
    let file = trevni::to_vec(&rows).unwrap();
    assert!(Reader::from_slice(&file).unwrap().shape().to_string().contains("timestamp-micros"));
    assert_eq!(trevni::from_slice::<Vec<Outer>>(&file).unwrap(), rows);
}

#[test]
fn marked_and_plain_numbers_in_one_place_are_numbers_to_their_types() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Either {
        Instant(#[serde(with = "trevni::with::timestamp_micros")] i64),
        Plain(i64),
        Text(String),
    }
    let rows = [
        Either::Plain(1),
        Either::Instant(2),
        Either::Text("x".to_owned()),
        Either::Instant(-3),
        Either::Plain(4),
    ];
    for turn in 0..5 {
        let mut rows = rows.clone();
        rows.rotate_left(turn);
        assert_eq!(trevni::from_slice::<Vec<Either>>(&trevni::to_vec(&rows).unwrap()).unwrap(), rows);
    }
}

#[test]
fn values_out_of_range_are_errors() {
    #[derive(Serialize, Debug)]
    struct Nanos {
        #[serde(with = "trevni::with::timestamp_nanos")]
        v: SystemTime,
    }
    let mut writer = Writer::builder().build(Vec::new()).unwrap();
    let far = SystemTime::UNIX_EPOCH + Duration::from_secs(10_000_000_000);
    let error = writer.write(&Nanos { v: far }).unwrap_err().to_string();
    assert!(error.contains("timestamp-nanos") && error.contains("row 0"), "{error}");
}
