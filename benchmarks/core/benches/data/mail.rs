//! Nested rows: mail messages, always the same ones.

use serde::{Deserialize, Serialize};

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Mail {
    pub(crate) id: i32,
    pub(crate) date: i64,
    pub(crate) from: String,
    pub(crate) to: Vec<String>,
    pub(crate) content: String,
    pub(crate) received: Vec<Received>,
}

/// A host on its way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Received {
    pub(crate) date: i64,
    pub(crate) host: String,
    pub(crate) sigs: Vec<Sig>,
}

/// A signature of such a host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sig {
    pub(crate) algo: String,
    #[serde(with = "serde_bytes")]
    pub(crate) value: Vec<u8>,
}

/// One field of a message.
#[derive(Debug, Deserialize)]
pub(crate) struct Date {
    pub(crate) date: i64,
}

/// Three fields, one of them a level deeper.
#[derive(Debug, Deserialize)]
pub(crate) struct Route {
    pub(crate) from: String,
    pub(crate) to: Vec<String>,
    pub(crate) received: Vec<Hop>,
}

/// The host alone.
#[derive(Debug, Deserialize)]
pub(crate) struct Hop {
    pub(crate) host: String,
}

/// `count` messages with up to four recipients, up to five hosts, up to three
/// signatures a host and some hundred bytes of text.
pub(crate) fn mails(count: usize) -> Vec<Mail> {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut date = 1_600_000_000_000;
    (0..count)
        .map(|id| {
            date += random.below(60_000) as i64;
            mail(id as i32, date, &mut random)
        })
        .collect()
}

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
    let user = WORDS[random.below(WORDS.len())];
    let host = WORDS[random.below(WORDS.len())];
    format!("{user}{}@{host}.example", random.below(1000))
}

fn text(words: usize, random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..words {
        text.push_str(WORDS[random.below(WORDS.len())]);
        text.push(' ');
    }
    text
}

const WORDS: [&str; 32] = [
    "a", "and", "answer", "apple", "bridge", "column", "evening", "file", "for", "garden", "in", "is",
    "letter", "meeting", "morning", "of", "on", "paper", "question", "reader", "river", "row", "station",
    "table", "thanks", "the", "to", "train", "we", "window", "with", "writer",
];

/// Marsaglia's xorshift with a multiplication at the end (xorshift64*).
struct Random(u64);

impl Random {
    /// A number from 0 to `limit - 1`.
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        ((high * limit as u64) >> 32) as usize
    }
}
