//! Mail messages by hand: a column of lengths for each list.

use super::Columnar;
use super::bytes::{Result, columns, cursors, list, put_bytes, put_int, put_varint};
use crate::data::mail::{Date, Hop, Mail, Nested, Received, Route, Sig};
use std::borrow::Cow;

impl Columnar for Nested {
    fn encode(rows: &[Mail]) -> Vec<Vec<u8>> {
        let mut columns: [Vec<u8>; 12] = columns();
        let [id, date, from, tos, to, content, hops, hop_date, host, sigs, algo, value] = &mut columns;
        for row in rows {
            put_int(id, row.id.into());
            put_int(date, row.date);
            put_bytes(from, row.from.as_bytes());
            put_varint(tos, row.to.len() as u64);
            for item in &row.to {
                put_bytes(to, item.as_bytes());
            }
            put_bytes(content, row.content.as_bytes());
            put_varint(hops, row.received.len() as u64);
            for hop in &row.received {
                put_int(hop_date, hop.date);
                put_bytes(host, hop.host.as_bytes());
                put_varint(sigs, hop.sigs.len() as u64);
                for sig in &hop.sigs {
                    put_bytes(algo, sig.algo.as_bytes());
                    put_bytes(value, &sig.value);
                }
            }
        }
        columns.into()
    }

    fn decode(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Mail>> {
        let [
            mut id,
            mut date,
            mut from,
            mut tos,
            mut to,
            mut content,
            mut hops,
            mut hop_date,
            mut host,
            mut sigs,
            mut algo,
            mut value,
        ] = cursors::<12>(columns)?;
        let mut sig = || Ok(Sig { algo: algo.string()?, value: value.bytes()?.to_vec() });
        let mut hop = || {
            Ok(Received {
                date: hop_date.int()?,
                host: host.string()?,
                sigs: list(sigs.length()?, &mut sig)?,
            })
        };
        let mut mails = Vec::with_capacity(rows);
        for _ in 0..rows {
            mails.push(Mail {
                id: id.int()? as i32,
                date: date.int()?,
                from: from.string()?,
                to: list(tos.length()?, || to.string())?,
                content: content.string()?,
                received: list(hops.length()?, &mut hop)?,
            });
        }
        Ok(mails)
    }

    const ONE_COLUMNS: &'static [usize] = &[1];

    fn decode_one(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Date>> {
        let [mut date] = cursors(columns)?;
        let mut mails = Vec::with_capacity(rows);
        for _ in 0..rows {
            mails.push(Date { date: date.int()? });
        }
        Ok(mails)
    }

    const THREE_COLUMNS: &'static [usize] = &[2, 3, 4, 6, 8];

    fn decode_three(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Route>> {
        let [mut from, mut tos, mut to, mut hops, mut host] = cursors(columns)?;
        let mut mails = Vec::with_capacity(rows);
        for _ in 0..rows {
            mails.push(Route {
                from: from.string()?,
                to: list(tos.length()?, || to.string())?,
                received: list(hops.length()?, || Ok(Hop { host: host.string()? }))?,
            });
        }
        Ok(mails)
    }
}
