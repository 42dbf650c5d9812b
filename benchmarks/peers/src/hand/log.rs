//! Lines of an access log by hand.

use super::Columnar;
use super::bytes::{Result, columns, cursors, put_bytes, put_varint};
use crate::data::log::{Address, Line, Log, Outcome, Size};
use std::borrow::Cow;

impl Columnar for Log {
    fn encode(rows: &[Line]) -> Vec<Vec<u8>> {
        let mut columns: [Vec<u8>; 10] = columns();
        let [x0, x1, x2, x3, identity, userid, date, request, code, size] = &mut columns;
        for row in rows {
            x0.push(row.address.x0);
            x1.push(row.address.x1);
            x2.push(row.address.x2);
            x3.push(row.address.x3);
            put_bytes(identity, row.identity.as_bytes());
            put_bytes(userid, row.userid.as_bytes());
            put_bytes(date, row.date.as_bytes());
            put_bytes(request, row.request.as_bytes());
            put_varint(code, row.code.into());
            put_varint(size, row.size);
        }
        columns.into()
    }

    fn decode(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Line>> {
        let [
            mut x0,
            mut x1,
            mut x2,
            mut x3,
            mut identity,
            mut userid,
            mut date,
            mut request,
            mut code,
            mut size,
        ] = cursors::<10>(columns)?;
        let mut lines = Vec::with_capacity(rows);
        for _ in 0..rows {
            lines.push(Line {
                address: Address { x0: x0.byte()?, x1: x1.byte()?, x2: x2.byte()?, x3: x3.byte()? },
                identity: identity.string()?,
                userid: userid.string()?,
                date: date.string()?,
                request: request.string()?,
                code: code.varint()? as u16,
                size: size.varint()?,
            });
        }
        Ok(lines)
    }

    const ONE_COLUMNS: &'static [usize] = &[9];

    fn decode_one(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Size>> {
        let [mut size] = cursors(columns)?;
        let mut lines = Vec::with_capacity(rows);
        for _ in 0..rows {
            lines.push(Size { size: size.varint()? });
        }
        Ok(lines)
    }

    const THREE_COLUMNS: &'static [usize] = &[7, 8, 9];

    fn decode_three(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Outcome>> {
        let [mut request, mut code, mut size] = cursors(columns)?;
        let mut lines = Vec::with_capacity(rows);
        for _ in 0..rows {
            lines.push(Outcome {
                request: request.string()?,
                code: code.varint()? as u16,
                size: size.varint()?,
            });
        }
        Ok(lines)
    }
}
