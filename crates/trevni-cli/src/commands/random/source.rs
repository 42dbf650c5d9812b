//! Random values of all kinds, those at the edges among them.

use fastrand::Rng;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use trevni_avro::{Source, ValueError};

/// Makes values up; the same ones for the same seed.
pub(super) struct RandomValues {
    rng: RefCell<Rng>,
    /// Items that lists and maps of this row may still have.
    room: Cell<u64>,
    /// Number of keys so far: no map has one twice.
    keys: Cell<u64>,
}

/// Items of the lists and maps of a row, all together.
const ROOM: u64 = 200;
/// The most bytes of a `fixed`.
const LARGEST: usize = 1 << 24;

/// Characters beyond ASCII: some of two to four bytes, a control character, quotes, combining and
/// right-to-left ones.
const ODD: [char; 16] =
    ['é', 'ß', 'Ж', '中', '語', '🦀', '🎉', '\u{301}', 'א', '\n', '\t', '"', '\'', ',', '\\', '\u{0}'];

impl RandomValues {
    pub(super) fn new(seed: u64) -> Self {
        Self { rng: RefCell::new(Rng::with_seed(seed)), room: Cell::new(ROOM), keys: Cell::new(0) }
    }

    pub(super) fn start_row(&self) {
        self.room.set(ROOM);
    }

    /// Whether something happens that happens once in a number of times.
    fn once_in(&self, times: u32) -> bool {
        self.rng.borrow_mut().u32(0..times) == 0
    }

    fn one_of<T: Copy>(&self, values: &[T]) -> Option<T> {
        self.rng.borrow_mut().choice(values).copied()
    }

    /// Mostly short, now and then long, rarely very long.
    fn length(&self) -> usize {
        let most = match self.rng.borrow_mut().u32(0..256) {
            0 => 5000,
            1..16 => 200,
            _ => 12,
        };
        self.rng.borrow_mut().usize(0..=most)
    }

    fn some_bytes(&self, count: usize) -> Vec<u8> {
        let mut out = vec![0; count];
        self.rng.borrow_mut().fill(&mut out);
        out
    }

    /// Between -1000 and 1000 with few digits after the point, or of any magnitude.
    fn number(&self) -> f64 {
        let mut rng = self.rng.borrow_mut();
        match rng.bool() {
            true => f64::from(rng.i32(-100_000..=100_000)) / 100.0,
            false => (rng.f64() - 0.5) * 10f64.powi(rng.i32(-30..=30)),
        }
    }
}

impl Source for RandomValues {
    fn boolean(&self) -> Result<bool, ValueError> {
        Ok(self.rng.borrow_mut().bool())
    }

    fn int(&self) -> Result<i32, ValueError> {
        let edge = self.once_in(8).then(|| self.one_of(&[i32::MIN, i32::MAX, -1, 0, 1])).flatten();
        let mut rng = self.rng.borrow_mut();
        Ok(edge.unwrap_or_else(|| rng.i32(..) >> rng.u32(0..32)))
    }

    fn long(&self) -> Result<i64, ValueError> {
        let edge = self.once_in(8).then(|| self.one_of(&[i64::MIN, i64::MAX, -1, 0, 1])).flatten();
        let mut rng = self.rng.borrow_mut();
        Ok(edge.unwrap_or_else(|| rng.i64(..) >> rng.u32(0..64)))
    }

    fn float(&self) -> Result<f32, ValueError> {
        const EDGES: [f32; 7] =
            [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE / 8.0];
        let edge = self.once_in(16).then(|| self.one_of(&EDGES)).flatten();
        Ok(edge.unwrap_or_else(|| self.number() as f32))
    }

    fn double(&self) -> Result<f64, ValueError> {
        const EDGES: [f64; 7] =
            [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE / 8.0];
        let edge = self.once_in(16).then(|| self.one_of(&EDGES)).flatten();
        Ok(edge.unwrap_or_else(|| self.number()))
    }

    fn text(&self) -> Result<Cow<'_, str>, ValueError> {
        let (count, is_plain) = (self.length(), !self.once_in(4));
        let mut rng = self.rng.borrow_mut();
        let mut character = || match is_plain || rng.bool() {
            true => rng.alphanumeric(),
            false => ODD[rng.usize(..ODD.len())],
        };
        Ok((0..count).map(|_| character()).collect())
    }

    fn key(&self) -> Result<Cow<'_, str>, ValueError> {
        let number = self.keys.get();
        self.keys.set(number.wrapping_add(1));
        Ok(format!("{}{number}", self.rng.borrow_mut().lowercase()).into())
    }

    fn bytes(&self) -> Result<Cow<'_, [u8]>, ValueError> {
        Ok(self.some_bytes(self.length()).into())
    }

    fn fixed(&self, size: usize) -> Result<Cow<'_, [u8]>, ValueError> {
        match size {
            ..=LARGEST => Ok(self.some_bytes(size).into()),
            _ => Err("a fixed type of more than 16 MiB"),
        }
    }

    fn choice(&self, count: usize) -> Result<usize, ValueError> {
        match count {
            0 => Err("an enum without symbols, or a union without types"),
            _ => Ok(self.rng.borrow_mut().usize(..count)),
        }
    }

    fn items(&self, first: bool) -> Result<u64, ValueError> {
        if !first || self.once_in(4) {
            return Ok(0);
        }
        let most = if self.once_in(32) { 50 } else { 4 };
        let count = self.rng.borrow_mut().u64(0..=most).min(self.room.get());
        self.room.set(self.room.get() - count);
        Ok(count)
    }

    fn pairs(&self, first: bool) -> Result<u64, ValueError> {
        // Two keys may be the same.
        self.items(first).map(|count| count.min(1))
    }
}
