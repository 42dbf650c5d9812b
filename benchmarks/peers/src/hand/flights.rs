//! Flights by hand: 19 columns, and 6 that say which values are there.

use super::Columnar;
use super::bytes::{Cursor, Result, columns, cursors, put_bytes, put_int};
use crate::data::flights::{Departure, Distance, Flight, Flights};
use std::borrow::Cow;

impl Columnar for Flights {
    fn encode(rows: &[Flight]) -> Vec<Vec<u8>> {
        let mut columns: [Vec<u8>; 25] = columns();
        let [
            year,
            month,
            day,
            has_dep_time,
            dep_time,
            sched_dep_time,
            has_dep_delay,
            dep_delay,
            has_arr_time,
            arr_time,
            sched_arr_time,
            has_arr_delay,
            arr_delay,
            carrier,
            flight,
            has_tailnum,
            tailnum,
            origin,
            dest,
            has_air_time,
            air_time,
            distance,
            hour,
            minute,
            time_hour,
        ] = &mut columns;
        for row in rows {
            put_int(year, row.year.into());
            put_int(month, row.month.into());
            put_int(day, row.day.into());
            put_option(has_dep_time, dep_time, row.dep_time);
            put_int(sched_dep_time, row.sched_dep_time.into());
            put_option(has_dep_delay, dep_delay, row.dep_delay);
            put_option(has_arr_time, arr_time, row.arr_time);
            put_int(sched_arr_time, row.sched_arr_time.into());
            put_option(has_arr_delay, arr_delay, row.arr_delay);
            put_bytes(carrier, row.carrier.as_bytes());
            put_int(flight, row.flight.into());
            has_tailnum.push(row.tailnum.is_some().into());
            if let Some(value) = &row.tailnum {
                put_bytes(tailnum, value.as_bytes());
            }
            put_bytes(origin, row.origin.as_bytes());
            put_bytes(dest, row.dest.as_bytes());
            put_option(has_air_time, air_time, row.air_time);
            put_int(distance, row.distance.into());
            put_int(hour, row.hour.into());
            put_int(minute, row.minute.into());
            put_bytes(time_hour, row.time_hour.as_bytes());
        }
        columns.into()
    }

    fn decode(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Flight>> {
        let [
            mut year,
            mut month,
            mut day,
            mut has_dep_time,
            mut dep_time,
            mut sched_dep_time,
            mut has_dep_delay,
            mut dep_delay,
            mut has_arr_time,
            mut arr_time,
            mut sched_arr_time,
            mut has_arr_delay,
            mut arr_delay,
            mut carrier,
            mut flight,
            mut has_tailnum,
            mut tailnum,
            mut origin,
            mut dest,
            mut has_air_time,
            mut air_time,
            mut distance,
            mut hour,
            mut minute,
            mut time_hour,
        ] = cursors::<25>(columns)?;
        let mut flights = Vec::with_capacity(rows);
        for _ in 0..rows {
            flights.push(Flight {
                year: year.int()? as i32,
                month: month.int()? as i32,
                day: day.int()? as i32,
                dep_time: option(&mut has_dep_time, &mut dep_time)?,
                sched_dep_time: sched_dep_time.int()? as i32,
                dep_delay: option(&mut has_dep_delay, &mut dep_delay)?,
                arr_time: option(&mut has_arr_time, &mut arr_time)?,
                sched_arr_time: sched_arr_time.int()? as i32,
                arr_delay: option(&mut has_arr_delay, &mut arr_delay)?,
                carrier: carrier.string()?,
                flight: flight.int()? as i32,
                tailnum: if has_tailnum.flag()? { Some(tailnum.string()?) } else { None },
                origin: origin.string()?,
                dest: dest.string()?,
                air_time: option(&mut has_air_time, &mut air_time)?,
                distance: distance.int()? as i32,
                hour: hour.int()? as i32,
                minute: minute.int()? as i32,
                time_hour: time_hour.string()?,
            });
        }
        Ok(flights)
    }

    const ONE_COLUMNS: &'static [usize] = &[21];

    fn decode_one(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Distance>> {
        let [mut distance] = cursors(columns)?;
        let mut flights = Vec::with_capacity(rows);
        for _ in 0..rows {
            flights.push(Distance { distance: distance.int()? as i32 });
        }
        Ok(flights)
    }

    const THREE_COLUMNS: &'static [usize] = &[13, 6, 7, 21];

    fn decode_three(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Departure>> {
        let [mut carrier, mut has_dep_delay, mut dep_delay, mut distance] = cursors(columns)?;
        let mut flights = Vec::with_capacity(rows);
        for _ in 0..rows {
            flights.push(Departure {
                carrier: carrier.string()?,
                dep_delay: option(&mut has_dep_delay, &mut dep_delay)?,
                distance: distance.int()? as i32,
            });
        }
        Ok(flights)
    }
}

#[inline]
fn put_option(presence: &mut Vec<u8>, values: &mut Vec<u8>, value: Option<i32>) {
    presence.push(value.is_some().into());
    if let Some(value) = value {
        put_int(values, value.into());
    }
}

#[inline]
fn option(presence: &mut Cursor<'_>, values: &mut Cursor<'_>) -> Result<Option<i32>> {
    if presence.flag()? { Ok(Some(values.int()? as i32)) } else { Ok(None) }
}
