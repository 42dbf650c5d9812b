//! The forms of typed blocks, as docs/format.md has them: each is written from values, with parameters that choices decide.

use crate::choices::{BORDERS, Choices};
use crate::codec::Codec;
use crate::metadata::{put_count, zigzag};
use std::collections::HashMap;

/// Integers of a frame.
const FRAME: usize = 1024;
/// Strings of a group that symbols encode.
const GROUP: usize = 32;
/// The byte that says that the next one stands for itself.
const ESCAPE: u8 = 255;

/// The fewest integers of a copy.
const COPY_LEAST: usize = 4;

/// Flags of the form of integers.
mod flag {
    pub(super) const DIFFERENCES: u8 = 0x10;
    pub(super) const EXCEPTIONS: u8 = 0x20;
    pub(super) const SUMS: u8 = 0x40;
    pub(super) const IN_SEQUENCE: u8 = 0x80;
}

/// Of the width of a frame, whether it is of differences.
const BY_DIFFERENCES: u8 = 0x80;

/// What a frame is, and its bytes.
struct Plan {
    width: u8,
    base: i64,
    start: i64,
    exceptions: i64,
    more: i64,
    sum: i64,
    bytes: Vec<u8>,
}

/// A number of a frame.
type NumberOf = fn(&Plan) -> i64;

struct Frames {
    plans: Vec<Plan>,
    flags: u8,
}

/// Writes forms. Now and then a number is another one, if that is wanted: the block is wrong then, or has other values.
pub(crate) struct Forms<'c, 'b> {
    pub(crate) choices: &'c mut Choices<'b>,
    wild: usize,
    /// Whether no number is another one.
    pub(crate) is_right: bool,
}

/// Bits of a number.
fn width(number: u64) -> u32 {
    64 - number.leading_zeros()
}

fn mask(width: u32) -> u64 {
    u64::MAX.checked_shr(64 - width).unwrap_or(0)
}

/// Appends the low bits of numbers, from the lowest bit of the first byte on.
fn pack(numbers: impl IntoIterator<Item = u64>, width: u32, out: &mut Vec<u8>) {
    let (mut word, mut used) = (0u128, 0);
    for number in numbers {
        word |= u128::from(number & mask(width)) << used;
        used += width;
        while used >= 8 {
            out.push(word as u8);
            (word, used) = (word >> 8, used - 8);
        }
    }
    if used > 0 {
        out.push(word as u8);
    }
}

/// Appends the numbers of a full frame bit by bit: in lanes of 32, or 64 numbers.
fn pack_in_lanes(numbers: &[u64], width: usize, out: &mut Vec<u8>) {
    let word = if width <= 32 { 32 } else { 64 };
    let (lanes, start) = (FRAME / word, out.len());
    out.resize(start + FRAME * width / 8, 0);
    for (at, number) in numbers.iter().enumerate() {
        for bit in 0..width {
            let in_lane = at / lanes * width + bit;
            let position = (in_lane / word * lanes + at % lanes) * word + in_lane % word;
            out[start + position / 8] |= ((number >> bit & 1) as u8) << (position % 8);
        }
    }
}

/// A number that odd numbers give 1 with, as products that wrap around.
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse))))
}

impl<'c, 'b> Forms<'c, 'b> {
    /// One number in n is changed; 0: no number.
    pub(crate) fn new(choices: &'c mut Choices<'b>, wild: usize) -> Self {
        Self { choices, wild, is_right: true }
    }

    /// Whether the next number, or what else is asked for, is to be a wrong one.
    pub(crate) fn is_wild(&mut self) -> bool {
        let wild = self.wild > 0 && self.choices.one_in(self.wild);
        self.is_right &= !wild;
        wild
    }

    fn count(&mut self, count: usize, out: &mut Vec<u8>) {
        let count = if self.is_wild() { self.choices.integer().cast_unsigned() } else { count as u64 };
        put_count(count, out);
    }

    /// A varint, zig-zag.
    pub(crate) fn integer(&mut self, integer: i64, out: &mut Vec<u8>) {
        let integer = if self.is_wild() { self.choices.integer() } else { integer };
        put_count(zigzag(integer), out);
    }

    pub(crate) fn byte(&mut self, byte: u8, out: &mut Vec<u8>) {
        let byte = if self.is_wild() { self.choices.below(256) as u8 } else { byte };
        out.push(byte);
    }

    pub(crate) fn section(&mut self, out: &mut Vec<u8>, fill: impl FnOnce(&mut Self, &mut Vec<u8>)) {
        let mut section = Vec::new();
        fill(self, &mut section);
        self.count(section.len(), out);
        out.append(&mut section);
    }

    /// Integers, in any of the forms that can have them.
    pub(crate) fn integers(&mut self, integers: &[i64], out: &mut Vec<u8>) {
        self.integers_in(integers, 7, out);
    }

    /// With the first of the forms below.
    fn integers_in(&mut self, integers: &[i64], forms: usize, out: &mut Vec<u8>) {
        self.count(integers.len(), out);
        let Some(first) = integers.first() else { return };
        match self.choices.below(forms) {
            0 | 1 if integers.iter().all(|integer| integer == first) => {
                self.byte(0, out);
                self.integer(*first, out);
            }
            3 => self.scaled(integers, out),
            5 => self.distinct(integers, out),
            6 => self.repeats(integers, out),
            form => {
                let frames = self.plan(integers, form == 4);
                self.byte(1 | frames.flags, out);
                self.frames(frames, out);
            }
        }
    }

    /// How integers lie in frames.
    fn plan(&mut self, integers: &[i64], have_sums: bool) -> Frames {
        let mut flags = if have_sums { flag::SUMS } else { 0 };
        flags |= self.choices.pick(&[0, 0, flag::IN_SEQUENCE]);
        // Flags may be set for nothing.
        flags |= self.choices.pick(&[0, 0, 0, 0, flag::DIFFERENCES, flag::EXCEPTIONS]);
        let plans: Vec<Plan> = integers
            .chunks(FRAME)
            .map(|integers| {
                let plan = self.frame(integers, flags & flag::IN_SEQUENCE == 0);
                flags |= if plan.width & BY_DIFFERENCES != 0 { flag::DIFFERENCES } else { 0 };
                flags |= if plan.exceptions > 0 { flag::EXCEPTIONS } else { 0 };
                plan
            })
            .collect();
        Frames { plans, flags }
    }

    /// The directory, and the frames.
    fn frames(&mut self, frames: Frames, out: &mut Vec<u8>) {
        let Frames { plans, flags } = frames;
        plans.iter().for_each(|plan| self.byte(plan.width, out));
        let series: [(u8, NumberOf); 5] = [
            (0, |plan| plan.base),
            (flag::DIFFERENCES, |plan| plan.start),
            (flag::EXCEPTIONS, |plan| plan.exceptions),
            (flag::EXCEPTIONS, |plan| plan.more),
            (flag::SUMS, |plan| plan.sum),
        ];
        for (flag, number) in series {
            if flags & flag == flag {
                self.series(&plans.iter().map(number).collect::<Vec<_>>(), out);
            }
        }
        plans.iter().for_each(|plan| out.extend_from_slice(&plan.bytes));
    }

    fn series(&mut self, numbers: &[i64], out: &mut Vec<u8>) {
        let least = numbers.iter().copied().min().unwrap_or(0);
        let any = self.choices.integer();
        // One number alone is the least.
        let least = if numbers.len() > 1 { self.choices.pick(&[least, least, least, any]) } else { least };
        let offsets = || numbers.iter().map(|number| number.wrapping_sub(least).cast_unsigned());
        self.integer(least, out);
        if numbers.len() > 1 {
            let bits = offsets().map(width).max().unwrap_or(0);
            let bits = self.choices.pick(&[bits, bits, bits.next_multiple_of(8), 64]);
            self.byte(bits as u8, out);
            pack(offsets(), bits, out);
        }
    }

    fn scaled(&mut self, integers: &[i64], out: &mut Vec<u8>) {
        let base = if self.choices.one_in(4) { self.choices.integer() } else { integers[0] };
        let offsets = integers.iter().map(|integer| integer.wrapping_sub(base));
        let mut factor = self.choices.pick(&[1, 10, 60, 1000, 86_400_000]);
        let quotients: Vec<i64> = if offsets.clone().all(|offset| offset % factor == 0) {
            offsets.map(|offset| offset / factor).collect()
        } else {
            // Each number is that many times an odd one, as products wrap around.
            let odd = self.choices.integer().cast_unsigned() | 1;
            factor = odd.cast_signed();
            offsets.map(|offset| offset.wrapping_mul(inverse(odd).cast_signed())).collect()
        };
        let frames = self.plan(&quotients, false);
        self.byte(2 | frames.flags, out);
        self.integer(base, out);
        self.count(factor as usize, out);
        self.frames(frames, out);
    }

    fn distinct(&mut self, integers: &[i64], out: &mut Vec<u8>) {
        let mut list = integers.to_vec();
        list.sort_unstable();
        list.dedup();
        match self.choices.below(4) {
            0 => list.reverse(),
            1 => list.extend((0..self.choices.below(5)).map(|at| BORDERS[at])),
            _ => {}
        }
        let places: HashMap<i64, i64> = list.iter().copied().zip(0..).collect();
        let mut places: Vec<i64> = integers.iter().map(|integer| places[integer]).collect();
        self.spoil(&mut places, list.len() as i64);
        let frames = self.plan(&places, false);
        self.byte(3 | frames.flags, out);
        self.section(out, |forms, out| forms.integers_in(&list, 5, out));
        self.frames(frames, out);
    }

    fn repeats(&mut self, integers: &[i64], out: &mut Vec<u8>) {
        let (mut literals, mut run, mut at) = (Vec::new(), 0, 0);
        let [mut runs, mut lengths, mut offsets] = [const { Vec::new() }; 3];
        let mut rng = self.choices.bulk();
        while let Some(integer) = integers.get(at) {
            let offset = if at > 0 { rng.usize(1..=at.min(9)) } else { 0 };
            let same = integers[at..].iter().zip(&integers[at - offset..]);
            let same = same.take_while(|(one, two)| offset > 0 && one == two).count();
            if same < COPY_LEAST {
                literals.push(*integer);
                (run, at) = (run + 1, at + 1);
                continue;
            }
            let some = rng.usize(COPY_LEAST..=same);
            runs.push(run);
            lengths.push(some as i64);
            offsets.push(offset as i64);
            (run, at) = (0, at + some);
        }
        let wrong = self.choices.pick(&[-1, 0, 3, 1 << 40, i64::MAX]);
        [&mut runs, &mut lengths, &mut offsets].into_iter().for_each(|part| self.spoil(part, wrong));
        self.byte(4, out);
        for part in [literals, runs, lengths, offsets] {
            self.section(out, |forms, out| forms.integers_in(&part, 6, out));
        }
    }

    /// Now and then, makes one of some numbers another one.
    pub(crate) fn spoil(&mut self, numbers: &mut [i64], other: i64) {
        if !numbers.is_empty() && self.is_wild() {
            numbers[self.choices.below(numbers.len())] = other;
        }
    }

    fn frame(&mut self, integers: &[i64], lanes: bool) -> Plan {
        let sum = integers.iter().fold(0, |sum: i64, integer| sum.wrapping_add(*integer));
        if !self.choices.one_in(3) {
            return Plan { sum, ..self.packed(integers, lanes) };
        }
        // The first may be any difference to the start.
        let first = if self.choices.one_in(2) { 0 } else { self.choices.integer() };
        let differences = integers.windows(2).map(|two| two[1].wrapping_sub(two[0]));
        let differences: Vec<i64> = [first].into_iter().chain(differences).collect();
        let plan = self.packed(&differences, lanes);
        let start = integers.first().map_or(0, |integer| integer.wrapping_sub(first));
        Plan { width: plan.width | BY_DIFFERENCES, start, sum, ..plan }
    }

    /// Integers around a base, with exceptions where there are some.
    fn packed(&mut self, integers: &[i64], lanes: bool) -> Plan {
        let least = integers.iter().copied().min().unwrap_or(0);
        let any = self.choices.integer();
        let base = self.choices.pick(&[least, least, 0, integers.first().copied().unwrap_or(0), any]);
        let offsets: Vec<u64> =
            integers.iter().map(|integer| integer.wrapping_sub(base).cast_unsigned()).collect();
        let most = offsets.iter().copied().map(width).max().unwrap_or(0);
        let own = match self.choices.below(4) {
            0 => self.choices.below(65) as u32,
            1 if most > 0 => self.choices.below(most as usize) as u32,
            _ => most,
        };
        let is_exception = |offset: &u64| width(*offset) > own;
        // Some that need no more bits may be exceptions, too.
        let more_often = own < 64 && self.choices.one_in(6);
        let mut rng = self.choices.bulk();
        let mut places: Vec<usize> = (0..offsets.len())
            .filter(|at| is_exception(&offsets[*at]) || more_often && rng.u8(..) < 8)
            .collect();
        if self.choices.one_in(4) {
            rng.shuffle(&mut places);
        }
        let highs = |at: &usize| offsets[*at].checked_shr(own).unwrap_or(0);
        let more = places.iter().map(|at| width(highs(at))).max().unwrap_or(0);
        let more = if self.choices.one_in(4) { 64 - own } else { more };
        let mut bytes = Vec::new();
        match lanes && offsets.len() == FRAME && own > 1 && !own.is_multiple_of(8) {
            true => pack_in_lanes(&offsets, own as usize, &mut bytes),
            false => pack(offsets.iter().copied(), own, &mut bytes),
        }
        pack(places.iter().map(|at| *at as u64), 10, &mut bytes);
        pack(places.iter().map(highs), more, &mut bytes);
        let [exceptions, more] = [places.len() as i64, i64::from(more)];
        Plan { width: own as u8, base, start: 0, exceptions, more, sum: 0, bytes }
    }

    /// Floating-point numbers by their bits: of 32, or 64.
    pub(crate) fn floats(&mut self, floats: &[u64], are_double: bool, out: &mut Vec<u8>) {
        self.count(floats.len(), out);
        let form = self.choices.below(4) as u8;
        self.byte(form, out);
        let put = |bits: u64, out: &mut Vec<u8>| match are_double {
            true => out.extend_from_slice(&bits.to_le_bytes()),
            false => out.extend_from_slice(&(bits as u32).to_le_bytes()),
        };
        match form {
            0 => floats.iter().for_each(|bits| put(*bits, out)),
            1 => {
                let digits = self.choices.below(16);
                let mut rng = self.choices.bulk();
                let power = 10f64.powi(digits as i32);
                let (mut whole, mut gaps, mut exceptions, mut gap) = (Vec::new(), Vec::new(), Vec::new(), 0);
                for bits in floats {
                    let value =
                        if are_double { f64::from_bits(*bits) } else { f32::from_bits(*bits as u32).into() };
                    let integer = (value * power).round() as i64;
                    let again = integer as f64 / power;
                    let again =
                        if are_double { again.to_bits() } else { u64::from((again as f32).to_bits()) };
                    if again == *bits && rng.u8(..) > 2 {
                        whole.push(integer);
                        gap += 1;
                        continue;
                    }
                    // What its integer is does not matter.
                    whole.push(rng.i64(..) >> rng.u32(0..64));
                    gaps.push(gap);
                    put(*bits, &mut exceptions);
                    gap = 0;
                }
                self.byte(digits as u8, out);
                self.section(out, |forms, out| forms.integers(&whole, out));
                self.section(out, |forms, out| forms.integers(&gaps, out));
                out.append(&mut exceptions);
            }
            3 => {
                for shift in (0..if are_double { 64 } else { 32 }).step_by(8) {
                    out.extend(floats.iter().map(|bits| (bits >> shift) as u8));
                }
            }
            _ => {
                let signed = |bits: &u64| match are_double {
                    true => bits.cast_signed(),
                    false => i64::from((*bits as u32).cast_signed()),
                };
                self.integers(&floats.iter().map(signed).collect::<Vec<_>>(), out);
            }
        }
    }

    /// Strings or bytes.
    pub(crate) fn texts(&mut self, texts: &[Vec<u8>], out: &mut Vec<u8>) {
        self.texts_in(texts, true, out);
    }

    fn texts_in(&mut self, texts: &[Vec<u8>], may_be_distinct: bool, out: &mut Vec<u8>) {
        self.count(texts.len(), out);
        let form = self.choices.pick(if may_be_distinct { &[0, 1, 1, 2, 3, 4] } else { &[0, 2, 3, 4] });
        self.byte(form, out);
        match form {
            1 => return self.distinct_texts(texts, out),
            2 => return self.shared(texts, out),
            3 => return self.symbols(texts, out),
            _ => self.lengths(texts.iter().map(Vec::len), out),
        }
        match form {
            4 => self.pieces(texts, out),
            _ => texts.iter().for_each(|text| out.extend_from_slice(text)),
        }
    }

    /// Writes a section of lengths, without copies.
    pub(crate) fn lengths(&mut self, lengths: impl Iterator<Item = usize>, out: &mut Vec<u8>) {
        let lengths: Vec<i64> = lengths.map(|length| length as i64).collect();
        self.section(out, |forms, out| forms.integers_in(&lengths, 6, out));
    }

    fn distinct_texts(&mut self, texts: &[Vec<u8>], out: &mut Vec<u8>) {
        let (mut list, mut places) = (Vec::new(), HashMap::new());
        for text in texts {
            places.entry(text).or_insert_with(|| {
                list.push(text.clone());
                list.len() as i64 - 1
            });
        }
        let mut places: Vec<i64> = texts.iter().map(|text| places[text]).collect();
        self.spoil(&mut places, list.len() as i64);
        self.section(out, |forms, out| forms.texts_in(&list, false, out));
        self.integers(&places, out);
    }

    fn shared(&mut self, texts: &[Vec<u8>], out: &mut Vec<u8>) {
        let (mut shared, mut before) = (Vec::new(), &[][..]);
        let least = self.choices.one_in(4);
        let more = usize::from(self.is_wild());
        for text in texts {
            let same = text.iter().zip(before).take_while(|(one, two)| one == two).count();
            shared.push(if least { same / 2 } else { same });
            before = text;
        }
        self.lengths(texts.iter().zip(&shared).map(|(text, shared)| text.len() - shared), out);
        self.lengths(shared.iter().map(|shared| shared + more), out);
        texts.iter().zip(shared).for_each(|(text, shared)| out.extend_from_slice(&text[shared..]));
    }

    fn symbols(&mut self, texts: &[Vec<u8>], out: &mut Vec<u8>) {
        let all = texts.concat();
        let number = if all.is_empty() { 0 } else { self.choices.pick(&[0, 1, 3, 20, 255]) };
        let mut rng = self.choices.bulk();
        let symbol = |_| {
            let start = rng.usize(..all.len());
            all[start..(start + rng.usize(1..=8)).min(all.len())].to_vec()
        };
        let symbols: Vec<Vec<u8>> = (0..number).map(symbol).collect();
        let (mut encoded, mut sizes) = (Vec::new(), Vec::new());
        for group in texts.chunks(GROUP) {
            let (group, start) = (group.concat(), encoded.len());
            let mut rest = &group[..];
            while let Some(first) = rest.first() {
                let known = symbols.iter().position(|symbol| rest.starts_with(symbol));
                match known.filter(|_| rng.u8(..) > 8) {
                    Some(code) => {
                        encoded.push(code as u8);
                        rest = &rest[symbols[code].len()..];
                    }
                    None => {
                        encoded.extend([ESCAPE, *first]);
                        rest = &rest[1..];
                    }
                }
            }
            sizes.push(encoded.len() - start);
        }
        self.lengths(texts.iter().map(Vec::len), out);
        self.lengths(sizes.into_iter(), out);
        self.byte(number as u8, out);
        for symbol in &symbols {
            self.byte(symbol.len() as u8, out);
            out.extend_from_slice(symbol);
        }
        out.append(&mut encoded);
    }

    fn pieces(&mut self, texts: &[Vec<u8>], out: &mut Vec<u8>) {
        if self.is_wild() {
            // A piece that ends within a string.
            let all = texts.concat();
            let (one, other) = all.split_at(self.choices.below(all.len() + 1));
            for bytes in [one, other] {
                self.section(out, |_, out| out.append(&mut Codec::Snappy.compress(bytes)));
            }
            return;
        }
        let mut rest = texts;
        while !rest.is_empty() {
            // A piece may be empty.
            let some = self.choices.pick(&[0, 1, 2, 50, 2000]).min(rest.len());
            let (these, others) = rest.split_at(some);
            self.section(out, |_, out| out.append(&mut Codec::Snappy.compress(&these.concat())));
            rest = others;
        }
    }
}
