//! Nested records: the mail messages of the Trevni specification.
//!
//! ```text
//! cargo run -p examples --bin nested_mail
//! ```

use serde::{Deserialize, Serialize};
use trevni::Reader;

/// A message.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Mail {
    id: i32,
    date: i64,
    from: String,
    to: Vec<String>,
    content: String,
    received: Vec<Received>,
}

/// A host that the message went through.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Received {
    date: i64,
    host: String,
    sigs: Vec<Sig>,
}

/// A signature that the host put on it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Sig {
    algo: String,
    #[serde(with = "serde_bytes")]
    value: Vec<u8>,
}

/// Of a message, only the names of those hosts.
#[derive(Debug, Deserialize)]
struct Route {
    received: Vec<Hop>,
}

#[derive(Debug, Deserialize)]
struct Hop {
    host: String,
}

fn main() -> Result<(), trevni::Error> {
    let mails = mails();
    let bytes = trevni::to_vec(&mails)?;
    let again: Vec<Mail> = trevni::from_slice(&bytes)?;
    assert_eq!(again, mails);
    println!("{} messages, {} bytes", mails.len(), bytes.len());

    // Each leaf is a column of its own, and so is each list of records: there
    // the lengths are.
    let reader = Reader::from_slice(&bytes)?;
    println!("\nThe shape of a row:\n\n{}", reader.shape());
    println!("\nThe columns:\n");
    for column in reader.columns() {
        let array = if column.is_array() { " array" } else { "" };
        print!("{}: {}{array}", column.name(), column.value_type());
        match column.parent() {
            Some(parent) => println!(", child of {parent}"),
            None => println!(),
        }
    }

    // A path names what to read. Of nine leaves one is read, and the lengths
    // above it.
    println!("\nThe way of each message, from the column of received.host alone:\n");
    let route = reader.project(["received.host"])?;
    for (mail, row) in mails.iter().zip(route.rows::<Route>()?) {
        let hosts: Vec<String> = row?.received.into_iter().map(|hop| hop.host).collect();
        let hosts = match hosts.is_empty() {
            true => "(sent to nobody)".to_owned(),
            false => hosts.join(" -> "),
        };
        println!("{:>4}  {hosts}", mail.id);
    }
    Ok(())
}

fn mails() -> Vec<Mail> {
    let sig = |algo: &str, value: &[u8]| Sig { algo: algo.to_owned(), value: value.to_vec() };
    let received = |date, host: &str, sigs| Received { date, host: host.to_owned(), sigs };
    vec![
        Mail {
            id: 566,
            date: 23_423_234_234,
            from: "foo@bar.com".to_owned(),
            to: vec!["bar@baz.com".to_owned(), "bang@foo.com".to_owned()],
            content: "Hi!".to_owned(),
            received: vec![
                received(234_234_234_234, "192.168.0.1", vec![sig("weak", &[0x0a, 0xf3, 0x45, 0xde])]),
                received(234_234_545_645, "192.168.0.2", vec![]),
            ],
        },
        Mail {
            id: 567,
            date: 23_423_234_999,
            from: "bar@baz.com".to_owned(),
            to: vec!["foo@bar.com".to_owned()],
            content: "Hi back!".to_owned(),
            received: vec![received(
                234_234_999_000,
                "192.168.0.3",
                vec![sig("weak", &[0x01]), sig("strong", &[0xff; 16])],
            )],
        },
        Mail {
            id: 568,
            date: 23_423_240_000,
            from: "foo@bar.com".to_owned(),
            to: vec![],
            content: "A draft.".to_owned(),
            received: vec![],
        },
    ]
}
