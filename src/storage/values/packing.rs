//! Reads strings and byte strings, each after its length: one directly after the other, without the lengths.

use super::LENGTH_ONE;
use super::decode::{Bits, Values, enough, push_ones};
use crate::bytes::reader::{Bytes, Malformed, Read};
use crate::vector::{Binaries, Offsets, Packer};

/// Values of variable length that are read.
pub(super) struct Blobs<'a> {
    out: &'a mut Binaries,
    runs: Runs,
    /// Bytes of room to make for short values.
    room: usize,
}

impl<'a> Blobs<'a> {
    pub(super) fn new(out: &'a mut Binaries) -> Self {
        Self { out, runs: Runs { next: 0, wait: WAIT_LEAST }, room: ROOM_LEAST }
    }
}

impl Values for Blobs<'_> {
    #[inline]
    fn decode(&mut self, bytes: &mut Bytes<'_>, _bits: &mut Bits, count: usize) -> Read<()> {
        enough(bytes, count as u64)?;
        self.out.reserve_places(count);
        let mut left = count;
        while left > 0 {
            let found = self.short(bytes, left);
            left -= found;
            if found == 0 {
                self.long(bytes)?;
                left -= 1;
            }
        }
        Ok(())
    }

    #[inline]
    fn decode_arrays(&mut self, bytes: &mut Bytes<'_>, most: usize, offsets: &mut Offsets) -> Read<usize> {
        self.out.reserve_places(most.min(bytes.remaining() / 2));
        let mut count = 0;
        while count < most {
            let found = self.short_arrays(bytes, most - count, offsets);
            count += found;
            if found > 0 {
                continue;
            }
            if bytes.rest().first() != Some(&LENGTH_ONE) {
                break;
            }
            bytes.advance(1);
            self.long(bytes)?;
            count += push_ones(offsets, 1)?;
        }
        Ok(count)
    }
}

impl Blobs<'_> {
    /// The next values that are short, as far as there is room for them at once, at most `most`; returns how many.
    #[inline]
    fn short(&mut self, bytes: &mut Bytes<'_>, most: usize) -> usize {
        let (rest, runs, room) = (bytes.rest(), &mut self.runs, self.room.min(bytes.remaining()));
        if short_length(rest, 0).is_none() {
            return 0;
        }
        let (mut at, mut count, mut is_full) = (0, 0, false);
        runs.restart();
        self.out.pack(room, |packer| {
            while count < most
                && packer.has_room()
                && let Some(len) = short_length(rest, at)
            {
                if runs.are_due(count) {
                    let from = &rest[at..];
                    let run = packer.put_run(from, [(len as u8) << 1], len, most - count);
                    (at, count) = (at + run * (1 + len), count + run);
                    runs.found(run, count);
                    if run > 0 {
                        continue;
                    }
                }
                packer.put(rest, at + 1, len);
                (at, count) = (at + 1 + len, count + 1);
            }
            is_full = !packer.has_room();
        });
        self.room = if is_full { (2 * self.room).min(ROOM_MOST) } else { ROOM_LEAST };
        bytes.advance(at);
        count
    }

    /// The next arrays of short values, as [`Blobs::short`].
    #[inline]
    fn short_arrays(&mut self, bytes: &mut Bytes<'_>, most: usize, offsets: &mut Offsets) -> usize {
        let (rest, runs, room) = (bytes.rest(), &mut self.runs, self.room.min(bytes.remaining()));
        let (mut at, mut count, mut is_full) = (0, 0, false);
        runs.restart();
        self.out.pack(room, |packer| {
            while count < most
                && packer.has_room()
                && let Some(length) = rest.get(at).filter(|length| **length & 0x81 == 0)
            {
                let mark = packer.mark();
                if *length == LENGTH_ONE
                    && runs.are_due(count)
                    && let Some(len) = short_length(rest, at + 1)
                {
                    let from = &rest[at..];
                    let run = packer.put_run(from, [LENGTH_ONE, (len as u8) << 1], len, most - count);
                    runs.found(run, count + run);
                    if run > 0 {
                        if !offsets.push_ones(run) {
                            packer.forget(mark);
                            break;
                        }
                        (at, count) = (at + run * (2 + len), count + run);
                        continue;
                    }
                }
                let Some(next) = items(packer, rest, at + 1, *length >> 1) else {
                    is_full = !packer.has_room();
                    packer.forget(mark);
                    break;
                };
                if !offsets.push_length(u32::from(*length >> 1)) {
                    packer.forget(mark);
                    break;
                }
                (at, count) = (next, count + 1);
            }
            is_full |= !packer.has_room();
        });
        self.room = if is_full { (2 * self.room).min(ROOM_MOST) } else { ROOM_LEAST };
        bytes.advance(at);
        count
    }

    /// The next value, whatever its length.
    #[inline]
    fn long(&mut self, bytes: &mut Bytes<'_>) -> Read<()> {
        // A length of two bytes, as most that are not short.
        let value = if let [low, high, rest @ ..] = bytes.rest()
            && low & 0x81 == 0x80
            && *high < 0x80
            && let Some(value) = rest.get(..usize::from(low & 0x7f) >> 1 | usize::from(*high) << 6)
        {
            bytes.advance(2 + value.len());
            value
        } else {
            bytes.prefixed()?
        };
        if self.out.push_packed(value) { Ok(()) } else { Err(self.too_long()) }
    }

    #[cold]
    fn too_long(&self) -> Malformed {
        Malformed::Limit { value: self.out.data().len() as u64, limit: u64::from(u32::MAX) }
    }
}

/// Puts a number of short values; returns the position after them, `None` where they are not all short or there is no room.
#[inline(always)]
fn items(packer: &mut Packer<'_>, rest: &[u8], mut at: usize, count: u8) -> Option<usize> {
    for _ in 0..count {
        let len = short_length(rest, at).filter(|_| packer.has_room())?;
        packer.put(rest, at + 1, len);
        at += 1 + len;
    }
    Some(at)
}

/// The length of the value at a position, where it takes one byte and the value is there.
#[inline(always)]
fn short_length(rest: &[u8], at: usize) -> Option<usize> {
    // An odd one would be negative.
    let length = rest.get(at).filter(|length| **length & 0x81 == 0)?;
    let len = usize::from(length >> 1);
    (at + 1 + len <= rest.len()).then_some(len)
}

/// When to look for values of the same length.
struct Runs {
    /// The number of the value where to look next.
    next: usize,
    /// Values to wait after a short run.
    wait: usize,
}

/// Bytes of room for short values: few where these stand among long ones.
const ROOM_LEAST: usize = 128;
const ROOM_MOST: usize = 2048;

/// Fewer values of one length are a short run.
const RUN_VALUES: usize = 16;
const WAIT_LEAST: usize = 16;
const WAIT_MOST: usize = 1024;

impl Runs {
    /// Values are counted from 0 again.
    #[inline]
    fn restart(&mut self) {
        self.next = 0;
    }

    #[inline]
    fn are_due(&self, count: usize) -> bool {
        count >= self.next
    }

    #[inline]
    fn found(&mut self, run: usize, count: usize) {
        if run >= RUN_VALUES {
            self.wait = WAIT_LEAST;
        } else {
            self.next = count + self.wait;
            self.wait = (2 * self.wait).min(WAIT_MOST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::varint::encode_long;

    /// Numbers, always the same ones.
    fn random(seed: u64) -> impl FnMut(usize) -> usize {
        let mut state = seed;
        move |bound| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound
        }
    }

    /// Arrays of values, in runs of one length and mixed, and the same as a block.
    fn arrays(seed: u64) -> (Vec<Vec<Vec<u8>>>, Vec<u8>) {
        let mut random = random(seed);
        let (mut arrays, mut block) = (Vec::new(), Vec::new());
        for _ in 0..1 + random(8) {
            let is_mixed = random(2) == 0;
            let (items, len) =
                ([0, 1, 1, 1, 2, 31, 64][random(7)], [0, 1, 3, 6, 20, 33, 63, 64, 300][random(9)]);
            for _ in 0..1 + random(30) {
                let items = if is_mixed { random(4) } else { items };
                encode_long(&mut block, items as i64);
                let values = (0..items).map(|_| {
                    let len = if is_mixed { [len, random(70), random(300)][random(3)] } else { len };
                    let value: Vec<u8> = (0..len).map(|_| random(256) as u8).collect();
                    encode_long(&mut block, len as i64);
                    block.extend_from_slice(&value);
                    value
                });
                arrays.push(values.collect());
            }
        }
        (arrays, block)
    }

    /// Reads arrays as a column does.
    fn read(block: &[u8], count: usize, out: &mut Binaries, offsets: &mut Offsets) -> Read<usize> {
        let (mut bytes, mut bits, mut values) = (Bytes::new(block), Bits::default(), Blobs::new(out));
        let mut left = count;
        while left > 0 {
            left -= values.decode_arrays(&mut bytes, left, offsets)?;
            if left > 0 {
                let length = bytes.int()?;
                assert!(offsets.push_length(length as u32));
                values.decode(&mut bytes, &mut bits, length as usize)?;
                left -= 1;
            }
        }
        Ok(bytes.position())
    }

    #[test]
    fn arrays_come_back_without_what_is_between_their_values() {
        for seed in 0..60 {
            let (arrays, block) = arrays(seed);
            let total: usize = arrays.iter().flatten().map(Vec::len).sum();
            // With no room, room for a part, and room for all of it and no more.
            for room in [0, total / 2, total, 2 * total + 500] {
                let (mut out, mut offsets) = (Binaries::default(), Offsets::default());
                out.reserve_bytes(room);
                assert_eq!(read(&block, arrays.len(), &mut out, &mut offsets), Ok(block.len()));
                assert_eq!(out.data(), arrays.iter().flatten().flatten().copied().collect::<Vec<_>>());
                assert!(out.iter().eq(arrays.iter().flatten()));
                assert!(offsets.lengths().eq(arrays.iter().map(|array| array.len() as u32)));
                assert!(room < total || out.room_bytes() <= room, "it has grown where there was enough");
            }
        }
    }

    #[test]
    fn blocks_that_are_cut_are_refused_wherever_they_end() {
        for seed in 0..8 {
            let (arrays, block) = arrays(seed);
            for end in (0..block.len()).step_by(1 + block.len() / 100) {
                let (mut out, mut offsets) = (Binaries::default(), Offsets::default());
                assert!(read(&block[..end], arrays.len(), &mut out, &mut offsets).is_err());
            }
        }
    }

    #[test]
    fn values_come_back_whatever_stands_before_them() {
        for seed in 0..40 {
            let (arrays, _) = arrays(seed);
            let (mut block, values) = (Vec::new(), arrays.concat());
            for value in &values {
                encode_long(&mut block, value.len() as i64);
                block.extend_from_slice(value);
            }
            let mut out = Binaries::default();
            assert!(out.push(b"before"));
            let mut bytes = Bytes::new(&block);
            let (first, second) = (values.len() / 3, values.len() - values.len() / 3);
            Blobs::new(&mut out).decode(&mut bytes, &mut Bits::default(), first).unwrap();
            Blobs::new(&mut out).decode(&mut bytes, &mut Bits::default(), second).unwrap();
            assert!(out.iter().skip(1).eq(&values) && bytes.remaining() == 0);
            Blobs::new(&mut out).decode(&mut bytes, &mut Bits::default(), 1).unwrap_err();
        }
    }
}
