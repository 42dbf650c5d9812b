//! Nested rows: mail messages with lists of records of lists.

use super::{DataSet, Source};
use crate::random::Random;
use apache_avro::AvroSchema;
use serde::{Deserialize, Serialize};

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, AvroSchema)]
pub struct Mail {
    pub id: i32,
    pub date: i64,
    pub from: String,
    pub to: Vec<String>,
    pub content: String,
    pub received: Vec<Received>,
}

/// A host on its way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, AvroSchema)]
pub struct Received {
    pub date: i64,
    pub host: String,
    pub sigs: Vec<Sig>,
}

/// A signature of such a host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, AvroSchema)]
pub struct Sig {
    pub algo: String,
    #[serde(with = "serde_bytes")]
    #[avro(with = apache_avro::serde::bytes::get_schema_in_ctxt)]
    pub value: Vec<u8>,
}

/// One field of a message.
#[derive(Debug, PartialEq, Deserialize, AvroSchema)]
#[serde(rename = "Mail")]
pub struct Date {
    pub date: i64,
}

/// Three fields, one of them a level deeper.
#[derive(Debug, PartialEq, Deserialize, AvroSchema)]
#[serde(rename = "Mail")]
pub struct Route {
    pub from: String,
    pub to: Vec<String>,
    pub received: Vec<Hop>,
}

/// The host alone.
#[derive(Debug, PartialEq, Deserialize, AvroSchema)]
#[serde(rename = "Received")]
pub struct Hop {
    pub host: String,
}

/// The data set.
pub struct Nested;

impl DataSet for Nested {
    const NAME: &'static str = "nested";
    type Row = Mail;
    type One = Date;
    const ONE: &'static [&'static str] = &["date"];
    type Three = Route;
    const THREE: &'static [&'static str] = &["from", "to", "received.host"];
    type Value = i64;
    type Arrow = arrow_array::types::Int64Type;
    const COLUMN: &'static str = "date";

    fn rows(source: &Source) -> Vec<Mail> {
        let mut random = Random::new(0x2545_f491_4f6c_dd1d);
        let mut date = 1_600_000_000_000;
        let message = |id| {
            date += random.below(60_000) as i64;
            mail(id as i32, date, &mut random)
        };
        (0..source.count(200_000)).map(message).collect()
    }

    fn one(row: &Mail) -> Date {
        Date { date: row.date }
    }

    fn three(row: &Mail) -> Route {
        let received = row.received.iter().map(|received| Hop { host: received.host.clone() }).collect();
        Route { from: row.from.clone(), to: row.to.clone(), received }
    }

    fn value(row: &Mail) -> i64 {
        row.date
    }
}

/// Up to four recipients, some hundred bytes of text, up to five hosts.
fn mail(id: i32, date: i64, random: &mut Random) -> Mail {
    let recipients = random.below(5);
    let words = 20 + random.below(120);
    let hosts = random.below(6);
    Mail {
        id,
        date,
        from: address(random),
        to: (0..recipients).map(|_| address(random)).collect(),
        content: text(words, random),
        received: (0..hosts).map(|hop| received(date + 250 * hop as i64, random)).collect(),
    }
}

/// Up to three signatures.
fn received(date: i64, random: &mut Random) -> Received {
    let sigs = random.below(4);
    Received {
        date: date + random.below(250) as i64,
        host: format!("10.{}.{}.{}", random.below(4), random.below(256), random.below(256)),
        sigs: (0..sigs).map(|_| sig(random)).collect(),
    }
}

fn sig(random: &mut Random) -> Sig {
    const ALGORITHMS: [(&str, usize); 3] = [("weak", 4), ("rsa-sha256", 32), ("ed25519", 64)];
    let (algo, length) = ALGORITHMS[random.below(ALGORITHMS.len())];
    Sig { algo: algo.to_owned(), value: (0..length).map(|_| random.below(256) as u8).collect() }
}

fn address(random: &mut Random) -> String {
    let (user, host) = (random.pick(&WORDS), random.pick(&WORDS));
    format!("{user}{}@{host}.example", random.below(1000))
}

fn text(words: usize, random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..words {
        text.push_str(random.pick(&WORDS));
        text.push(' ');
    }
    text
}

const WORDS: [&str; 32] = [
    "a", "and", "answer", "apple", "bridge", "column", "evening", "file", "for", "garden", "in", "is",
    "letter", "meeting", "morning", "of", "on", "paper", "question", "reader", "river", "row", "station",
    "table", "thanks", "the", "to", "train", "we", "window", "with", "writer",
];
