//! Byte strings: each with its length or an end of its own, as what it adds to the one before, or as places in a list of the different ones.

use super::super::section::{ENDS, Read, byte, count, put_count};
use super::super::strings::common;
use super::integers::{self, Integers};
use super::packed::{Memory, unpack};
use super::trial::{Depth, Trial};
use crate::bytes::reader::Bytes;
use crate::storage::codec::algorithm::Outcome;
use crate::vector::Binaries;

/// How strings are encoded: the first byte after their number.
mod form {
    pub(super) const PLAIN: u8 = 0;
    pub(super) const ENDED: u8 = 1;
    pub(super) const SHARED: u8 = 2;
    pub(super) const DISTINCT: u8 = 3;
}

/// The most different strings that are listed.
const DISTINCT_MAX: usize = 1 << 20;
/// Strings that are listed take at most so much of the bytes of all.
const LISTED: (usize, usize) = (3, 4);

/// A way to encode strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Plain,
    Ended,
    Shared,
}

const WAYS: [Way; 3] = [Way::Plain, Way::Ended, Way::Shared];

/// Appends strings in the form that takes the fewest bytes.
pub(super) fn encode(strings: &[&[u8]], depth: Depth, trial: &mut Trial, out: &mut Vec<u8>) -> Outcome {
    put_count(strings.len() as u64, out);
    if strings.is_empty() {
        return Ok(());
    }
    let mut best = trial.least(&WAYS, strings, put)?;
    let bytes = |strings: &[&[u8]]| strings.iter().map(|text| text.len()).sum::<usize>();
    if depth == Depth::First
        && let Some(places) = trial.context.table.places(strings, DISTINCT_MAX.min(strings.len() / 2 + 1))
        && bytes(&places.values) * LISTED.1 <= bytes(strings) * LISTED.0
    {
        let listed = integers::listed(places, trial, encode)?;
        best = if listed.len() < best.len() { listed } else { best };
    }
    out.append(&mut best);
    Ok(())
}

/// Appends strings in one way, or nothing where it is not for them.
fn put(way: Way, strings: &[&[u8]], trial: &mut Trial, out: &mut Vec<u8>) -> Outcome {
    let lengths = || strings.iter().map(|text| text.len() as i64);
    match way {
        Way::Plain => {
            out.push(form::PLAIN);
            integers::encode(&lengths().collect::<Vec<_>>(), Depth::First, trial, out)?;
            trial.packer.put(&strings.concat(), out)
        }
        Way::Ended => {
            let mut seen = [false; 256];
            strings.iter().flat_map(|text| text.iter()).for_each(|byte| seen[usize::from(*byte)] = true);
            let Some(end) = (0..=u8::MAX).find(|byte| !seen[usize::from(*byte)]) else { return Ok(()) };
            out.extend_from_slice(&[form::ENDED, end]);
            let mut all = Vec::new();
            for text in strings {
                all.extend_from_slice(text);
                all.push(end);
            }
            trial.packer.put(&all, out)
        }
        Way::Shared => {
            let pairs = std::iter::once(&[][..]).chain(strings.iter().copied()).zip(strings);
            let shared: Vec<i64> = pairs.map(|(before, text)| common(before, text) as i64).collect();
            if shared.iter().sum::<i64>() <= strings.len() as i64 {
                return Ok(());
            }
            let rest: Vec<i64> = lengths().zip(&shared).map(|(length, shared)| length - shared).collect();
            out.push(form::SHARED);
            integers::encode(&shared, Depth::First, trial, out)?;
            integers::encode(&rest, Depth::First, trial, out)?;
            let rest: Vec<u8> = strings
                .iter()
                .zip(shared)
                .flat_map(|(text, shared)| &text[shared as usize..])
                .copied()
                .collect();
            trial.packer.put(&rest, out)
        }
    }
}

/// Strings that are read from the first to the last.
pub(super) struct Strings<'a> {
    left: u64,
    form: Form<'a>,
}

enum Form<'a> {
    Plain(Integers<'a>, Taken),
    Ended(u8, Taken),
    Shared { shared: Integers<'a>, rest: Integers<'a>, bytes: Taken, before: Vec<u8> },
    Distinct { ends: Vec<usize>, list: Vec<u8>, places: Integers<'a> },
}

/// Bytes of which some have been taken.
struct Taken(Vec<u8>, usize);

impl Taken {
    fn next(&mut self, count: usize) -> Read<&[u8]> {
        let Self(bytes, at) = self;
        let taken = bytes.get(*at..).and_then(|rest| rest.get(..count)).ok_or(ENDS)?;
        *at += count;
        Ok(taken)
    }
}

const OTHER_NUMBER: &str = "there are more or fewer strings than it says";

impl<'a> Strings<'a> {
    pub(super) fn new(bytes: &mut Bytes<'a>, depth: Depth, memory: &mut Memory) -> Read<Self> {
        let left = count(bytes)?;
        if left == 0 {
            return Ok(Self { left, form: Form::Ended(0, Taken(Vec::new(), 0)) });
        }
        let form = match byte(bytes)? {
            form::PLAIN => {
                let lengths = Integers::new(bytes, Depth::First, memory)?;
                Form::Plain(lengths, Taken(unpack(bytes, memory)?, 0))
            }
            form::ENDED => Form::Ended(byte(bytes)?, Taken(unpack(bytes, memory)?, 0)),
            form::SHARED => {
                let shared = Integers::new(bytes, Depth::First, memory)?;
                let rest = Integers::new(bytes, Depth::First, memory)?;
                let bytes = Taken(unpack(bytes, memory)?, 0);
                Form::Shared { shared, rest, bytes, before: Vec::new() }
            }
            form::DISTINCT if depth == Depth::First => {
                let (ends, list) = Self::new(bytes, Depth::Listed, memory)?.all(memory)?;
                Form::Distinct { ends, list, places: Integers::new(bytes, Depth::Listed, memory)? }
            }
            _ => return Err("strings have an unknown form"),
        };
        let has_others = match &form {
            Form::Ended(..) => false,
            Form::Plain(numbers, _) | Form::Distinct { places: numbers, .. } => numbers.left() != left,
            Form::Shared { shared, rest, .. } => shared.left() != left || rest.left() != left,
        };
        if has_others { Err(OTHER_NUMBER) } else { Ok(Self { left, form }) }
    }

    /// How many have not been given.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// All of them, one after the other, and where each ends.
    fn all(mut self, memory: &mut Memory) -> Read<(Vec<usize>, Vec<u8>)> {
        if self.left > DISTINCT_MAX as u64 {
            return Err("it lists more strings than it can");
        }
        memory.take(self.left as usize * size_of::<usize>())?;
        let (mut ends, mut list) = (Vec::new(), Vec::new());
        self.each(self.left as usize, |text| {
            memory.take(text.len())?;
            list.extend_from_slice(text);
            ends.push(list.len());
            Ok(())
        })?;
        Ok((ends, list))
    }

    /// Appends the next ones, of at most `left` bytes in all.
    pub(super) fn next(&mut self, wanted: usize, most: usize, out: &mut Binaries) -> Read<()> {
        let mut left = most;
        self.each(wanted, |text| {
            left = left.checked_sub(text.len()).ok_or("its strings have more bytes than they should")?;
            if out.push(text) { Ok(()) } else { Err("its strings have too many bytes") }
        })
    }

    /// Calls with the next ones.
    fn each(&mut self, wanted: usize, mut call: impl FnMut(&[u8]) -> Read<()>) -> Read<()> {
        self.left = self.left.checked_sub(wanted as u64).ok_or(OTHER_NUMBER)?;
        let mut numbers = Vec::new();
        match &mut self.form {
            Form::Plain(lengths, bytes) => {
                lengths.next(wanted, &mut numbers)?;
                numbers.iter().try_for_each(|length| call(bytes.next(size(*length)?)?))
            }
            Form::Ended(end, Taken(bytes, at)) => (0..wanted).try_for_each(|_| {
                let rest = bytes.get(*at..).unwrap_or_default();
                let text = rest.split(|byte| byte == end).next().filter(|text| text.len() < rest.len());
                let text = text.ok_or(ENDS)?;
                *at += text.len() + 1;
                call(text)
            }),
            Form::Shared { shared, rest, bytes, before } => {
                shared.next(wanted, &mut numbers)?;
                let mut others = Vec::new();
                rest.next(wanted, &mut others)?;
                numbers.iter().zip(&others).try_for_each(|(shared, rest)| {
                    let shared = size(*shared)?;
                    if shared > before.len() {
                        return Err("a string shares more than the one before has");
                    }
                    before.truncate(shared);
                    before.extend_from_slice(bytes.next(size(*rest)?)?);
                    call(before)
                })
            }
            Form::Distinct { ends, list, places } => {
                places.next(wanted, &mut numbers)?;
                numbers.iter().try_for_each(|place| {
                    let place = size(*place)?;
                    let start = if place > 0 { ends.get(place - 1).copied() } else { Some(0) };
                    let text = start.zip(ends.get(place)).and_then(|(start, end)| list.get(start..*end));
                    call(text.ok_or("a place is not in the list")?)
                })
            }
        }
    }
}

fn size(number: i64) -> Read<usize> {
    usize::try_from(number).map_err(|_| "a length or a place is negative")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8], step: usize) -> Read<Vec<Vec<u8>>> {
        let (mut out, mut memory) = (Binaries::default(), Memory(16 << 20));
        let mut strings = Strings::new(&mut Bytes::new(bytes), Depth::First, &mut memory)?;
        while strings.left() > 0 && out.len() < 1 << 20 {
            strings.next(step.min(strings.left() as usize), 1 << 20, &mut out)?;
        }
        Ok(out.iter().map(<[u8]>::to_vec).collect())
    }

    fn strings() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let one = prop_oneof![
            "(ab|abc|the |https://example.com/)(|[a-z]{0,9})".prop_map(String::into_bytes),
            prop::collection::vec(any::<u8>(), 0..30),
        ];
        (prop::collection::vec(one, 0..60), 1usize..9, any::<bool>()).prop_map(|(some, times, is_sorted)| {
            let mut all = vec![some; times].concat();
            if is_sorted {
                all.sort();
            }
            all
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn texts_come_back_in_each_way(strings in strings(), all_bytes in any::<bool>(), step in 1usize..90) {
            let mut strings = strings;
            if all_bytes {
                strings.push((0..=u8::MAX).collect());
            }
            let slices: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
            let mut trial = Trial::new().unwrap();
            let mut all = Vec::new();
            encode(&slices, Depth::First, &mut trial, &mut all).unwrap();
            prop_assert_eq!(read(&all, step), Ok(strings.clone()));
            for way in WAYS {
                let (mut out, mut encoded) = (Vec::new(), Vec::new());
                put(way, &slices, &mut trial, &mut encoded).unwrap();
                if !encoded.is_empty() && !strings.is_empty() {
                    put_count(strings.len() as u64, &mut out);
                    out.append(&mut encoded);
                    prop_assert_eq!(read(&out, step), Ok(strings.clone()), "{:?}", way);
                }
            }
        }

        #[test]
        fn damaged_bytes_are_texts_or_an_error(
            strings in strings(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
        ) {
            let slices: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
            let mut out = Vec::new();
            encode(&slices, Depth::First, &mut Trial::new().unwrap(), &mut out).unwrap();
            let at = at.index(out.len());
            match cut {
                true => out.truncate(at),
                false => out[at] = byte,
            }
            let _ = read(&out, 1000);
        }
    }
}
