//! Takes values of variable length over from bytes, one directly after the other.

use super::{Binaries, Span};

/// Short values have fewer bytes; it is room for one of them.
pub(crate) const SLACK: usize = 64;

/// Bytes of a [`Slot`].
pub(crate) const SLOT_BYTES: usize = 16;

/// A short value, and its length: all bytes are copied, whatever it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    bytes: [u8; SLOT_BYTES],
    len: u8,
}

impl Slot {
    /// Cuts values that are longer.
    pub(crate) fn new(value: &[u8]) -> Self {
        let (mut bytes, len) = ([0; SLOT_BYTES], value.len().min(SLOT_BYTES));
        bytes[..len].copy_from_slice(&value[..len]);
        Self { bytes, len: len as u8 }
    }
}

/// Bytes of room that is made at once for values that are picked.
const PICKED_BYTES: usize = 4 << 10;

/// Room for short values, which are put one directly after the other.
pub(crate) struct Packer<'a> {
    spans: &'a mut Vec<Span>,
    room: &'a mut [u8],
    /// Bytes of the room that have values.
    used: usize,
    /// Where the room begins in the buffer.
    start: u32,
}

/// A number of values, to go back to.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    count: usize,
    used: usize,
}

impl Binaries {
    /// Calls with room for short values of about `most` bytes together. The room is part of what the buffer has
    /// anyway, and may be too little for one of them.
    #[inline]
    pub(crate) fn pack(&mut self, most: usize, put: impl FnOnce(&mut Packer<'_>)) {
        let start = self.data.len();
        let places = (u32::MAX as usize).saturating_sub(start);
        let room = (self.data.capacity() - start).min(places).min(most + SLACK);
        self.data.resize(start + room, 0);
        let room = &mut self.data[start..];
        let mut packer = Packer { spans: &mut self.spans, room, used: 0, start: start as u32 };
        put(&mut packer);
        let end = start + packer.used;
        self.data.truncate(end);
        self.mixed = true;
    }

    /// Appends a value of any length; false where the buffer would pass 4 GiB.
    #[must_use]
    pub(crate) fn push_packed(&mut self, value: &[u8]) -> bool {
        let start = self.data.len();
        let Ok(end) = u32::try_from(start + value.len()) else {
            return false;
        };
        self.data.extend_from_slice(value);
        self.spans.push(Span { start: start as u32, end });
        self.mixed = true;
        true
    }

    /// Appends the values at some indices of other values, which have this number of bytes together; false where an index is out of range, or
    /// the buffer would pass 4 GiB.
    #[must_use]
    pub(crate) fn pick(&mut self, from: &Self, places: &[i32], bytes: usize) -> bool {
        self.spans.reserve(places.len());
        self.data.reserve(bytes + SLACK);
        let value = |place: &i32| from.spans.get(*place as usize);
        let mut rest = places;
        while !rest.is_empty() {
            let mut done = 0;
            self.pack(PICKED_BYTES, |packer| {
                let short = |place| value(place).filter(|span| span.range().len() <= SLACK);
                for span in rest.iter().map_while(short) {
                    if !packer.has_room() {
                        break;
                    }
                    packer.put(&from.data, span.start as usize, span.range().len());
                    done += 1;
                }
            });
            rest = &rest[done..];
            // One that is long, or for which there was no room.
            if let Some((place, after)) = rest.split_first() {
                match value(place).and_then(|span| from.data.get(span.range())) {
                    Some(value) if self.push_packed(value) => rest = after,
                    _ => return false,
                }
            }
        }
        true
    }

    /// Appends the values at some indices of other values, which have this number of bytes together; false where an index is out of range, or
    /// the buffer would pass 4 GiB.
    #[must_use]
    pub(crate) fn pick_short(&mut self, from: &[Slot], places: &[i32], bytes: usize) -> bool {
        let (first, count) = (self.data.len(), self.spans.len());
        let all = first + bytes;
        if u32::try_from(all).is_err() {
            return false;
        }
        self.data.resize(all + SLOT_BYTES, 0);
        let (data, mut at) = (&mut self.data, first);
        self.spans.extend(places.iter().map_while(|place| {
            let slot = from.get(*place as u32 as usize)?;
            *data.get_mut(at..)?.first_chunk_mut()? = slot.bytes;
            let start = at as u32;
            at += usize::from(slot.len);
            Some(Span { start, end: at as u32 })
        }));
        let fits = self.spans.len() == count + places.len() && at == all;
        self.data.truncate(if fits { all } else { first });
        self.spans.truncate(if fits { self.spans.len() } else { count });
        self.mixed = true;
        fits
    }

    /// Appends the values at some indices, which must be in range, of other values that have `len` bytes each, one directly after
    /// the other, and [`SLACK`] bytes after the last; false where the buffer would pass 4 GiB, or a value is longer than that.
    #[must_use]
    pub(crate) fn pick_equal(&mut self, values: &[u8], len: usize, places: &[i32]) -> bool {
        let (first, bytes) = (self.data.len(), len * places.len());
        if u32::try_from(first + bytes).is_err() {
            return false;
        }
        self.data.resize(first + bytes + SLACK, 0);
        let room = &mut self.data[first..];
        let done = copy_equal(values, len, places, room);
        self.data.truncate(first + bytes);
        let (first, len) = (first as u32, len as u32);
        self.spans.extend((0..places.len() as u32).map(|number| {
            let start = first + number * len;
            Span { start, end: start + len }
        }));
        self.mixed = true;
        done
    }

    /// Makes room for the places of more values.
    pub(crate) fn reserve_places(&mut self, more: usize) {
        self.spans.reserve(more);
    }
}

#[cfg(test)]
impl Binaries {
    /// Makes room for exactly this number of bytes.
    pub(crate) fn reserve_bytes(&mut self, more: usize) {
        self.data.reserve_exact(more);
    }

    /// Bytes of the buffer.
    pub(crate) fn room_bytes(&self) -> usize {
        self.data.capacity()
    }
}

impl Packer<'_> {
    /// Whether there is room for a short value.
    #[inline(always)]
    pub(crate) fn has_room(&self) -> bool {
        self.used + SLACK <= self.room.len()
    }

    /// Where the values end so far.
    #[inline(always)]
    pub(crate) fn mark(&self) -> Mark {
        Mark { count: self.spans.len(), used: self.used }
    }

    /// Forgets the values since then.
    pub(crate) fn forget(&mut self, mark: Mark) {
        self.spans.truncate(mark.count);
        self.used = mark.used;
    }

    /// Puts the `len` bytes at a position, where they are: a short value, for which there is room.
    #[inline(always)]
    pub(crate) fn put(&mut self, bytes: &[u8], from: usize, len: usize) {
        let room = &mut self.room[self.used..];
        // A constant number of bytes is copied without a call; the next value is put over what is too much.
        let done = match len {
            0..=16 => copy::<16>(bytes, from, room),
            17..=32 => copy::<32>(bytes, from, room),
            _ => copy::<SLACK>(bytes, from, room),
        };
        if !done {
            room[..len].copy_from_slice(&bytes[from..from + len]);
        }
        let start = self.start + self.used as u32;
        self.spans.push(Span { start, end: start + len as u32 });
        self.used += len;
    }

    /// Puts values of `len` bytes, as long as each stands after the same bytes and there is room, at most `most`;
    /// returns how many.
    #[inline]
    pub(crate) fn put_run<const BEFORE: usize>(
        &mut self,
        bytes: &[u8],
        before: [u8; BEFORE],
        len: usize,
        most: usize,
    ) -> usize {
        let room = &mut self.room[self.used..];
        let count = run(bytes, before, len, room, most);
        let (start, len) = (self.start + self.used as u32, len as u32);
        self.spans.extend((0..count as u32).map(|number| {
            let start = start + number * len;
            Span { start, end: start + len }
        }));
        self.used += count * len as usize;
        count
    }
}

/// Copies a number of bytes to the front of a buffer, where both have them.
#[inline(always)]
fn copy<const N: usize>(bytes: &[u8], from: usize, to: &mut [u8]) -> bool {
    let from = bytes.get(from..).and_then(|rest| rest.first_chunk::<N>());
    match (from, to.first_chunk_mut::<N>()) {
        (Some(from), Some(to)) => {
            *to = *from;
            true
        }
        _ => false,
    }
}

/// Copies values of `len` bytes. Of the most usual lengths each has a loop of its own, which copies just the value.
#[inline(never)]
fn copy_equal(values: &[u8], len: usize, places: &[i32], room: &mut [u8]) -> bool {
    macro_rules! lengths {
        ($($len:literal)*) => {
            match len {
                $($len => return copy_exactly::<$len>(values, places, room),)*
                _ => {}
            }
        };
    }
    lengths!(1 2 3 4 6 8 10 20);
    match len {
        0..=16 => copy_each::<16>(values, len, places, room),
        17..=32 => copy_each::<32>(values, len, places, room),
        33..=SLACK => copy_each::<SLACK>(values, len, places, room),
        _ => false,
    }
}

/// Copies values of `N` bytes.
#[inline]
fn copy_exactly<const N: usize>(values: &[u8], places: &[i32], room: &mut [u8]) -> bool {
    let (values, room) = (values.as_chunks::<N>().0, room.as_chunks_mut::<N>().0);
    for (to, place) in room.iter_mut().zip(places) {
        match values.get(*place as u32 as usize) {
            Some(value) => *to = *value,
            None => return false,
        }
    }
    true
}

/// Copies values of `len` bytes, `N` of each: the next value is put over what is too much.
#[inline]
fn copy_each<const N: usize>(values: &[u8], len: usize, places: &[i32], room: &mut [u8]) -> bool {
    let mut at = 0;
    for place in places {
        if !copy::<N>(values, (*place as usize).wrapping_mul(len), &mut room[at..]) {
            return false;
        }
        at += len;
    }
    true
}

/// Copies values of `len` bytes, as long as each stands after the same bytes, one directly after the other; returns how
/// many. Of the most usual lengths each has a loop of its own, in which all numbers are constants.
#[inline]
fn run<const BEFORE: usize>(
    bytes: &[u8],
    before: [u8; BEFORE],
    len: usize,
    room: &mut [u8],
    most: usize,
) -> usize {
    macro_rules! lengths {
        ($($len:literal)*) => {
            match (BEFORE, len) {
                $(
                    (1, $len) => return run_of::<BEFORE, { 1 + $len }, $len>(bytes, before, room, most),
                    (2, $len) => return run_of::<BEFORE, { 2 + $len }, $len>(bytes, before, room, most),
                )*
                _ => {}
            }
        };
    }
    lengths!(1 2 3 4 5 6 7 8 10 16 20 32 36);
    let (froms, tos) = (bytes.chunks_exact(BEFORE + len), room.chunks_exact_mut(len.max(1)));
    let mut count = 0;
    for (from, to) in froms.zip(tos).take(most) {
        match from.split_first_chunk() {
            Some((found, value)) if *found == before && len > 0 => to.copy_from_slice(value),
            _ => break,
        }
        count += 1;
    }
    count
}

#[inline]
fn run_of<const BEFORE: usize, const STEP: usize, const LEN: usize>(
    bytes: &[u8],
    before: [u8; BEFORE],
    room: &mut [u8],
    most: usize,
) -> usize {
    let ((froms, _), (tos, _)) = (bytes.as_chunks::<STEP>(), room.as_chunks_mut::<LEN>());
    let mut count = 0;
    for (from, to) in froms.iter().zip(tos).take(most) {
        match (from.first_chunk(), from.last_chunk()) {
            (Some(found), Some(value)) if *found == before => *to = *value,
            _ => break,
        }
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A vector that has a value already.
    fn begun() -> Binaries {
        Binaries::try_from_iter([b"before"]).unwrap()
    }

    proptest! {
        #[test]
        fn values_are_picked_from_slots_and_from_their_buffer(
            values in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..=SLOT_BYTES), 1..9),
            places in prop::collection::vec(0i32..9, 0..200),
        ) {
            let from = Binaries::try_from_iter(&values).unwrap();
            let slots: Vec<Slot> = values.iter().map(|value| Slot::new(value)).collect();
            let bytes = places.iter().filter_map(|place| values.get(*place as usize)).map(Vec::len).sum();
            let (mut one, mut other) = (begun(), begun());
            let fits = one.pick_short(&slots, &places, bytes);
            prop_assert_eq!(fits, other.pick(&from, &places, bytes));
            prop_assert_eq!(fits, places.iter().all(|place| (*place as usize) < values.len()));
            if fits {
                prop_assert!(one.iter().eq(other.iter()));
            } else {
                prop_assert_eq!(one.len(), 1);
            }
            prop_assert!(one.push_packed(b"after") && one.get(one.len() - 1) == Some(b"after"));
        }

        #[test]
        fn values_of_one_length_are_picked(len in 0..=SLACK, places in prop::collection::vec(0i32..5, 0..200)) {
            let mut values: Vec<u8> = (0..5 * len).map(|at| at as u8).collect();
            values.resize(5 * len + SLACK, 0);
            let mut out = begun();
            prop_assert!(out.pick_equal(&values, len, &places));
            prop_assert!(out.push_packed(b"after"));
            let wanted = places.iter().map(|place| &values[*place as usize * len..][..len]);
            prop_assert!(out.iter().eq([&b"before"[..]].into_iter().chain(wanted).chain([&b"after"[..]])));
        }
    }
}
