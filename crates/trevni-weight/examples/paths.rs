//! What is counted: one path through the library for each name, on rows of most kinds of values.

use serde::{Deserialize, Serialize};
use std::hint::black_box;
use trevni::{Batch, Codec, Reader, Result, Writer, col};

/// Rows of a file; `tests/instructions.rs` divides by it.
const ROWS: u32 = 20_000;

#[derive(Serialize, Deserialize)]
struct Event {
    id: u64,
    time: i64,
    code: i32,
    delay: Option<i32>,
    price: f64,
    carrier: String,
    place: String,
    message: String,
    scores: Vec<u16>,
    is_late: bool,
}

#[derive(Deserialize)]
struct Head {
    code: i32,
    delay: Option<i32>,
    carrier: String,
}

/// Rows that look like measured ones, always the same.
fn events() -> Vec<Event> {
    let words =
        ["engine", "gate", "signal", "runway", "crew", "late", "waits", "for", "the", "next", "clearance"];
    let mut state = 1u32;
    let mut next = move |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let mut event = |id: u32| Event {
        id: id.into(),
        time: 1_700_000_000 + i64::from(id) * 60 + i64::from(next(60)),
        code: next(5_000) as i32,
        delay: (next(10) > 0).then(|| next(90) as i32 - 20 + if next(50) == 0 { 900 } else { 0 }),
        price: f64::from(next(100_000)) / 100.0,
        carrier: ["AA", "B6", "DL", "EV", "UA", "WN"][next(6) as usize].to_owned(),
        place: format!("N{}", 10_000 + next(4_000)),
        message: (0..3 + next(6)).map(|_| words[next(11) as usize]).collect::<Vec<_>>().join(" "),
        scores: (0..next(4)).map(|_| next(300) as u16).collect(),
        is_late: next(3) == 0,
    };
    (0..ROWS).map(&mut event).collect()
}

/// Valgrind counts what runs in here.
#[inline(never)]
fn counted<T>(call: impl FnOnce() -> Result<T>) -> Result<()> {
    black_box(call()?);
    Ok(())
}

fn file(rows: &[Event], codec: Codec) -> Result<Vec<u8>> {
    let mut writer = Writer::builder().codec(codec).build(Vec::new())?;
    rows.iter().try_for_each(|row| writer.write(row))?;
    writer.finish()
}

fn main() -> Result<()> {
    let (path, rows) = (std::env::args().nth(1).unwrap_or_default(), events());
    let reader = |codec| Ok::<_, trevni::Error>((codec, file(&rows, codec)?));
    let (kind, codec) = path.split_once(' ').unwrap_or_default();
    let (codec, bytes) = reader(codec.parse()?)?;
    let open = || Reader::from_slice(&bytes);
    match kind {
        "write" => counted(|| file(&rows, codec)),
        "write-batches" => {
            let batches = open()?.batches()?.collect::<Result<Vec<Batch>>>()?;
            counted(|| {
                let mut writer = Writer::builder().codec(codec).build(Vec::new())?;
                batches.iter().try_for_each(|batch| writer.write_batch(batch))?;
                writer.finish()
            })
        }
        "read" => counted(|| open()?.rows::<Event>()?.collect::<Result<Vec<_>>>()),
        "read-slice" => counted(|| trevni::from_slice::<Vec<Event>>(&bytes)),
        "read-batches" => counted(|| open()?.batches()?.try_for_each(|batch| batch.map(drop))),
        "read-three" => counted(|| {
            let heads = open()?.rows::<Head>()?.collect::<Result<Vec<_>>>()?;
            Ok(heads
                .iter()
                .map(|head| head.code as usize + head.delay.map_or(0, |_| 1) + head.carrier.len())
                .sum::<usize>())
        }),
        "column" => counted(|| open()?.column::<f64>("price")),
        "filter" => {
            counted(|| open()?.filter(col("code").lt(50))?.rows::<Event>()?.collect::<Result<Vec<_>>>())
        }
        "rows" => counted(|| {
            let reader = open()?;
            (0..100u64).try_for_each(|number| reader.row::<Event>(number * 7_919 % u64::from(ROWS)).map(drop))
        }),
        _ => panic!("there is no path {path:?}"),
    }
}
