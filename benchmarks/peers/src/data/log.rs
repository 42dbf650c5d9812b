//! Lines of an access log, mostly strings.

use super::{DataSet, Source};
use crate::random::Random;
use apache_avro::AvroSchema;
use serde::{Deserialize, Serialize};

/// Where a request came from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, AvroSchema)]
pub struct Address {
    pub x0: u8,
    pub x1: u8,
    pub x2: u8,
    pub x3: u8,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, AvroSchema)]
pub struct Line {
    pub address: Address,
    pub identity: String,
    pub userid: String,
    pub date: String,
    pub request: String,
    pub code: u16,
    pub size: u64,
}

/// One field of a line.
#[derive(Debug, PartialEq, Deserialize, AvroSchema)]
#[serde(rename = "Line")]
pub struct Size {
    pub size: u64,
}

/// Three fields of a line.
#[derive(Debug, PartialEq, Deserialize, AvroSchema)]
#[serde(rename = "Line")]
pub struct Outcome {
    pub request: String,
    pub code: u16,
    pub size: u64,
}

/// The data set.
pub struct Log;

impl DataSet for Log {
    const NAME: &'static str = "log";
    type Row = Line;
    type One = Size;
    const ONE: &'static [&'static str] = &["size"];
    type Three = Outcome;
    const THREE: &'static [&'static str] = &["request", "code", "size"];
    type Value = u64;
    type Arrow = arrow_array::types::UInt64Type;
    const COLUMN: &'static str = "size";

    fn rows(source: &Source) -> Vec<Line> {
        let mut random = Random::new(0x6c6f_6773);
        (0..source.count(10_000)).map(|_| line(&mut random)).collect()
    }

    fn one(row: &Line) -> Size {
        Size { size: row.size }
    }

    fn three(row: &Line) -> Outcome {
        Outcome { request: row.request.clone(), code: row.code, size: row.size }
    }

    fn value(row: &Line) -> u64 {
        row.size
    }
}

fn line(random: &mut Random) -> Line {
    let mut byte = || random.below(256) as u8;
    let address = Address { x0: byte(), x1: byte(), x2: byte(), x3: byte() };
    Line {
        address,
        identity: "-".to_owned(),
        userid: random.pick(&USERS).to_owned(),
        date: date(random),
        request: request(random),
        code: CODES[random.below(CODES.len())],
        size: random.below(100_000_000) as u64,
    }
}

/// As in `7/Mar/1999:4:30:9 +0100`.
fn date(random: &mut Random) -> String {
    let day = 1 + random.below(28);
    let month = random.pick(&MONTHS);
    let year = 1970 + random.below(52);
    let (hour, minute, second) = (random.below(24), random.below(60), random.below(60));
    let zone = random.below(25) as i32 - 12;
    let sign = if zone < 0 { '-' } else { '+' };
    format!("{day}/{month}/{year}:{hour}:{minute}:{second} {sign}{:02}00", zone.abs())
}

fn request(random: &mut Random) -> String {
    let (method, route) = (random.pick(&METHODS), random.pick(&ROUTES));
    format!("{method} {route} {}", random.pick(&PROTOCOLS))
}

const USERS: [&str; 9] = ["-", "alice", "bob", "carmen", "david", "eric", "frank", "george", "harry"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "UPDATE", "DELETE"];
const ROUTES: [&str; 7] = [
    "/favicon.ico",
    "/css/index.css",
    "/css/font-awsome.min.css",
    "/img/logo-full.svg",
    "/img/splash.jpg",
    "/api/login",
    "/api/logout",
];
const PROTOCOLS: [&str; 4] = ["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"];
const CODES: [u16; 63] = [
    100, 101, 102, 103, 200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 300, 301, 302, 303, 304, 305, 306,
    307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418,
    421, 422, 423, 424, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511,
];
