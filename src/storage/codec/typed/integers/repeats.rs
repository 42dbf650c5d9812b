//! Integers that have come before, as copies of these (LZ77; Ziv and Lempel, 1977).

use super::super::section::Read;
use super::distinct::Table;

/// Integers of which some are copies of others before them.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    /// The others.
    pub(super) literals: Vec<i64>,
    /// Of each copy, how many literals come between the copy before and it.
    pub(super) runs: Vec<i64>,
    /// Of each copy, how many integers it has.
    pub(super) lengths: Vec<i64>,
    /// Of each copy, how many integers lie from the first that it repeats to its own first.
    pub(super) offsets: Vec<i64>,
}

/// The most integers of which some are copies, since a reader keeps all of them.
pub(super) const MOST: usize = 1 << 20;
/// The fewest integers of a copy. They are found by the hash of as many.
pub(super) const LEAST: usize = 4;
/// About the bits of a copy: its integers take more elsewhere.
const COPY_BITS: u64 = 40;

/// Copies are found by hashes of this many bits at most.
const SLOT_BITS: u32 = 15;
/// Integers that are looked at together to choose a sample; and how many it has at least.
const AT_ONCE: usize = 16;
const SAMPLE_LEAST: usize = 64;
/// Integers in the middle that are the sample if others are too few.
const MIDDLE: usize = 1024;

fn hash(key: &[i64]) -> u64 {
    let (fours, rest) = key.as_chunks::<4>();
    let mix = |hash: u64, some: &[i64]| {
        let some = some.iter().fold(0, |bits: u64, integer| bits.rotate_left(17) ^ integer.cast_unsigned());
        (hash.rotate_left(29) ^ some).wrapping_mul(0xd1b5_4a32_d192_ed03)
    };
    mix(fours.iter().fold(0, |hash, four| mix(hash, four)), rest)
}

/// How many integers two series begin with.
fn common<'a>(one: impl Iterator<Item = &'a i64>, two: impl Iterator<Item = &'a i64>) -> usize {
    one.zip(two).take_while(|(one, two)| one == two).count()
}

impl Repeats {
    /// Integers that take some bits without copies; `None` where copies do not seem to halve these.
    pub(super) fn find(integers: &[i64], bits: u64, table: &mut Table) -> Option<Self> {
        let each = bits.checked_div(integers.len() as u64).filter(|each| *each > 0)?;
        let least = LEAST.max(1 + (COPY_BITS / each) as usize);
        let pay = integers.len() <= MOST && are_promising(integers, least + least / 2, table);
        pay.then(|| Self::all(integers, least))
    }

    /// With the copies that are found, each of some integers at least.
    fn all(integers: &[i64], least: usize) -> Self {
        let slot_bits = integers.len().ilog2().min(SLOT_BITS);
        let mut slots = vec![0; 1 << slot_bits];
        let mut found = Self::default();
        // Literals from `next` on have not been taken.
        let (mut next, mut at) = (0, 0);
        while let Some(key) = integers.get(at..at + LEAST) {
            let slot = &mut slots[(hash(key) >> (u64::BITS - slot_bits)) as usize];
            let before = std::mem::replace(slot, at as u32) as usize;
            let same = if before < at { common(integers[before..].iter(), integers[at..].iter()) } else { 0 };
            if same < LEAST {
                at += 1;
                continue;
            }
            let back = common(integers[..before].iter().rev(), integers[next..at].iter().rev());
            if same + back < least {
                at += 1;
                continue;
            }
            let literals = &integers[next..at - back];
            found.literals.extend_from_slice(literals);
            found.runs.push(literals.len() as i64);
            found.lengths.push((same + back) as i64);
            found.offsets.push((at - before) as i64);
            at += same;
            next = at;
        }
        found.literals.extend_from_slice(&integers[next..]);
        found
    }
}

/// All integers, of which there are a number: literals and copies.
pub(super) fn expand<T: Copy>(
    mut literals: &[T],
    [runs, lengths, offsets]: [Vec<i64>; 3],
    count: usize,
) -> Read<Vec<T>> {
    if runs.len() != lengths.len() || runs.len() != offsets.len() {
        return Err("copies have fewer or more lengths than offsets");
    }
    let mut all = Vec::with_capacity(count);
    for ((run, length), offset) in runs.into_iter().zip(lengths).zip(offsets) {
        let [Ok(run), Ok(mut length), Ok(offset)] = [run, length, offset].map(usize::try_from) else {
            return Err("a copy has a negative length or offset");
        };
        let (some, rest) = literals.split_at_checked(run).ok_or(OTHER_COUNT)?;
        all.extend_from_slice(some);
        literals = rest;
        let start = all.len().checked_sub(offset).filter(|_| offset > 0).ok_or(BEFORE)?;
        if length < LEAST || length > count.saturating_sub(all.len()) {
            return Err("a copy has too few integers, or too many");
        }
        // What is copied may be copied again.
        while length > 0 {
            let some = length.min(all.len() - start);
            all.extend_from_within(start..start + some);
            length -= some;
        }
    }
    all.extend_from_slice(literals);
    if all.len() == count { Ok(all) } else { Err(OTHER_COUNT) }
}

/// Whether most integers seem to be in copies: by the hashes of some that follow each other.
fn are_promising(integers: &[i64], len: usize, table: &mut Table) -> bool {
    let mut sample = if integers.len() > MIDDLE { sample(integers, len) } else { Vec::new() };
    if sample.len() < SAMPLE_LEAST {
        let start = integers.len().saturating_sub(MIDDLE) / 2;
        sample = integers[start..].windows(len).take(MIDDLE).map(hash).collect();
    }
    sample.len() >= SAMPLE_LEAST && table.all_places(&sample, sample.len() / 2).is_some()
}

/// The hashes of about one in 128, so chosen by the first two integers that copies are chosen too.
fn sample(integers: &[i64], len: usize) -> Vec<u64> {
    let is_taken = |one: &i64, two: &i64| {
        let [one, two] = [*one as u32, *two as u32];
        (one ^ one >> 9 ^ two << 5) & 0xfe0 == 0
    };
    let [ones, twos] = [0, 1].map(|start| integers[start..].as_chunks::<AT_ONCE>().0);
    let mut sample = Vec::new();
    for ((ones, twos), start) in ones.iter().zip(twos).zip((0..).step_by(AT_ONCE)) {
        if sample.len() < MIDDLE
            && ones.iter().zip(twos).fold(false, |any, (one, two)| any | is_taken(one, two))
        {
            let some = integers[start..].windows(len).take(AT_ONCE);
            sample.extend(some.filter(|some| is_taken(&some[0], &some[1])).map(hash));
        }
    }
    sample
}

const OTHER_COUNT: &str = "there are fewer or more integers than copies say";
const BEFORE: &str = "a copy is of integers before the first";
