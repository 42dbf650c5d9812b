//! A source that fails, ends early, reads less, is interrupted or panics, at any call.

use crate::rows::{DIALECTS, Row, file, row};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use trevni::{Category, Reader, Seekable};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    Fails,
    /// Has no more bytes, from then on.
    Ends,
    /// Gives one byte at a time, from then on.
    Short,
    Interrupted,
    /// Gives as many bytes as it likes, and is interrupted at times, at each call.
    Random,
    Panics,
}

/// Those without a panic.
const FAULTS: [Fault; 4] = [Fault::Fails, Fault::Ends, Fault::Short, Fault::Interrupted];

/// A file with a fault at one call, counted from 0; seeking is a call too.
struct Faulty {
    bytes: Cursor<Arc<[u8]>>,
    fault: Fault,
    at: usize,
    calls: Arc<AtomicUsize>,
}

const BROKEN: &str = "the line is down";
const PANICS: &str = "the source panics";

impl Faulty {
    /// Whether the fault is now, or was before.
    fn call(&self) -> (bool, bool) {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        (call == self.at, call >= self.at)
    }
}

impl Faulty {
    /// Reads a part that the number of the call decides, the seed being `at`.
    fn read_some(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let seed = (self.at as u64) << 32 | self.calls.load(Ordering::Relaxed) as u64;
        let random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) as usize;
        if random.is_multiple_of(5) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let count = buffer.len().min(1 + random / 5 % 700);
        self.bytes.read(&mut buffer[..count])
    }
}

impl Read for Faulty {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (is_now, is_later) = self.call();
        match self.fault {
            Fault::Fails if is_now => Err(io::Error::new(io::ErrorKind::TimedOut, BROKEN)),
            Fault::Interrupted if is_now => Err(io::ErrorKind::Interrupted.into()),
            Fault::Panics if is_now => panic!("{PANICS}"),
            Fault::Ends if is_later => Ok(0),
            Fault::Random => self.read_some(buffer),
            Fault::Short if is_later => {
                let count = buffer.len().min(1);
                self.bytes.read(&mut buffer[..count])
            }
            _ => self.bytes.read(buffer),
        }
    }
}

impl Seek for Faulty {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        match (self.call().0, self.fault) {
            (true, Fault::Fails) => Err(io::Error::new(io::ErrorKind::TimedOut, BROKEN)),
            (true, Fault::Interrupted) => Err(io::ErrorKind::Interrupted.into()),
            (true, Fault::Panics) => panic!("{PANICS}"),
            _ => self.bytes.seek(position),
        }
    }
}

/// How rows are read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    All,
    /// By several threads, and ahead.
    Threads,
    Column,
    Filter,
}

const ROWS: u64 = 2000;

/// Reads rows from a source with a fault; those that come are compared, and the calls of the source are returned.
fn read(bytes: &Arc<[u8]>, how: How, fault: Fault, at: usize) -> (trevni::Result<()>, usize) {
    let calls = Arc::new(AtomicUsize::new(0));
    let source = Faulty { bytes: Cursor::new(bytes.clone()), fault, at, calls: calls.clone() };
    let result = read_source(source, how);
    (result, calls.load(Ordering::Relaxed))
}

fn read_source(source: Faulty, how: How) -> trevni::Result<()> {
    match how {
        How::All => {
            let rows: Vec<Row> = trevni::from_reader(source)?;
            assert!(rows == (0..ROWS).map(row).collect::<Vec<_>>());
        }
        How::Threads => {
            let reader = Reader::builder().threads(3).shared(Seekable::new(source))?;
            let mut count = 0;
            for found in reader.rows::<Row>()? {
                assert_eq!(found?, row(count));
                count += 1;
            }
            assert_eq!(count, ROWS, "rows are missing without an error");
        }
        How::Column => {
            let ids = Reader::new(Seekable::new(source))?.column::<u64>("id")?;
            assert!(ids == (0..ROWS).collect::<Vec<_>>());
        }
        How::Filter => {
            let reader = Reader::new(Seekable::new(source))?;
            let rows = reader.filter(trevni::col("text").eq("row 1"))?.rows::<Row>()?;
            let rows: Vec<Row> = rows.collect::<trevni::Result<_>>()?;
            assert!(rows == (0..ROWS).filter(|id| id * id % 1000 == 1).map(row).collect::<Vec<_>>());
        }
    }
    Ok(())
}

/// Positions of calls: all of the first, and some of the others.
fn positions(calls: usize) -> impl Iterator<Item = usize> {
    (0..calls).filter(move |at| *at < 40 || at % (calls / 40 + 1) == 0 || at + 3 > calls)
}

#[test]
fn sources_that_fail_anywhere_give_errors_or_all_rows() {
    std::panic::set_hook(Box::new(|panic| match panic.payload().downcast_ref::<String>() {
        Some(text) if text == PANICS => {}
        _ => eprintln!("{panic}"),
    }));
    let mut tried = 0;
    for dialect in DIALECTS {
        let bytes: Arc<[u8]> = file(dialect, ROWS).into();
        for how in [How::All, How::Threads, How::Column, How::Filter] {
            let (result, calls) = read(&bytes, how, Fault::None, 0);
            result.unwrap();
            assert!(calls > 10, "{dialect:?} {how:?}: {calls} calls");
            for at in positions(calls) {
                tried += FAULTS.len() + 1;
                for fault in FAULTS {
                    let (result, made) = read(&bytes, how, fault, at);
                    let place = format!("{dialect:?} {how:?} {fault:?} at call {at} of {calls}");
                    match (fault, result) {
                        (Fault::None | Fault::Short | Fault::Random | Fault::Interrupted, Ok(())) => {}
                        // With threads, other calls may be made; and bytes need not be wanted to the last one.
                        (Fault::Fails | Fault::Ends | Fault::Panics, Ok(())) => {
                            assert!(how == How::Threads || made <= at, "{place}")
                        }
                        (Fault::Short, Err(error)) => panic!("{place}: {error}"),
                        (_, Err(error)) => assert_eq!(error.category(), Category::Io, "{place}: {error}"),
                    }
                }
                // A panic of the source stays one, or is told where another thread had it.
                match catch_unwind(AssertUnwindSafe(|| read(&bytes, how, Fault::Panics, at).0)) {
                    Ok(Ok(())) => assert_eq!(how, How::Threads),
                    Ok(Err(error)) => {
                        let told = [Category::Internal, Category::Io].contains(&error.category());
                        assert!(told && how == How::Threads, "{dialect:?} {how:?} at call {at}: {error}");
                    }
                    Err(panic) => assert!(panic.is::<String>(), "{dialect:?} {how:?} at call {at}"),
                }
            }
        }
    }
    println!("sources: {tried} reads of a whole file, each with a fault");
}

#[test]
fn sources_that_give_what_they_like_give_all_rows() {
    for dialect in DIALECTS {
        let bytes: Arc<[u8]> = file(dialect, ROWS).into();
        for how in [How::All, How::Threads, How::Column, How::Filter] {
            for seed in 0..8 {
                let (result, _) = read(&bytes, how, Fault::Random, seed);
                result.unwrap_or_else(|error| panic!("{dialect:?} {how:?} seed {seed}: {error}"));
            }
        }
    }
}
