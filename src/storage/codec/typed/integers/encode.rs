//! Encodes integers in the form that takes the fewest bits.

use super::super::context::{Context, Layout};
use super::super::section::{put_count, put_integer, put_section};
use super::directory::{flag, flags, put_directory};
use super::distinct::{Places, Ranked, Repetition, Table, are_too_many, place_bits};
use super::frame::{self, Frame, Ways, bounds};
use super::repeats::Repeats;
use super::{DISTINCT_MAX, form};
use std::borrow::Cow;

/// The form of some integers.
#[derive(Debug)]
pub(in super::super) struct Encoded<'a> {
    integers: Cow<'a, [i64]>,
    layout: Layout,
    form: Form,
    /// About the bits that they take.
    pub(in super::super) bits: u64,
}

#[derive(Debug)]
enum Form {
    Constant(i64),
    Frames(Frames),
    /// As frames, with the sum of each.
    Summed(Frames),
    /// Each is the base and a multiple of the factor.
    Scaled(i64, u64),
    /// The different ones, and the places of all.
    Distinct([(Vec<i64>, Frames); 2]),
    /// Literals, and of each copy the literals before it, its length, and its offset.
    Repeats(Vec<Encoded<'static>>),
}

/// Frames that follow each other.
#[derive(Debug)]
struct Frames(Vec<Frame>);

/// What integers are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Any,
    /// Readers ask for their sums: a form without sums must save an eighth.
    Lengths,
    /// All from 0 to the greatest come: neither a list nor a factor makes them shorter.
    Places,
    /// Parts of other forms, without copies.
    Parts,
}

/// A list of different integers is tried where a frame takes more bits for each integer.
const DISTINCT_BITS: u64 = 3;

impl<'a> Encoded<'a> {
    /// Chooses a form.
    pub(in super::super) fn new(integers: impl Into<Cow<'a, [i64]>>, context: &mut Context) -> Self {
        Self::chosen(integers.into(), context, Use::Any)
    }

    /// Chooses a form for lengths, of which readers often want the sum alone.
    pub(in super::super) fn from_lengths(lengths: impl Into<Cow<'a, [i64]>>, context: &mut Context) -> Self {
        Self::chosen(lengths.into(), context, Use::Lengths)
    }

    /// As [`Encoded::new`], for places among different values.
    pub(in super::super) fn from_places(places: &[u32], context: &mut Context) -> Self {
        let places: Vec<i64> = places.iter().map(|place| i64::from(*place)).collect();
        Self::chosen(places.into(), context, Use::Places)
    }

    /// As [`Encoded::new`], for parts of other forms, which have no copies.
    pub(in super::super) fn from_parts(integers: Vec<i64>, context: &mut Context) -> Self {
        Self::chosen(integers.into(), context, Use::Parts)
    }

    fn chosen(integers: Cow<'a, [i64]>, context: &mut Context, purpose: Use) -> Self {
        let (form, bits) = Form::new(&integers, context, purpose);
        Self { integers, layout: context.layout, form, bits }
    }

    pub(in super::super) fn integers(&self) -> &[i64] {
        &self.integers
    }

    /// Appends the number of integers, and what they are.
    pub(in super::super) fn write(&self, out: &mut Vec<u8>) {
        put_count(self.integers.len() as u64, out);
        if self.integers.is_empty() {
            return;
        }
        let put = |form: u8, frames: &Frames, out: &mut Vec<u8>| {
            out.push(form | flags(&frames.0, self.layout));
        };
        match &self.form {
            Form::Constant(integer) => {
                out.push(form::CONSTANT);
                put_integer(*integer, out);
            }
            Form::Frames(frames) => {
                put(form::FRAMES, frames, out);
                frames.write(&self.integers, None, self.layout, out);
            }
            Form::Summed(frames) => {
                put(form::FRAMES | flag::SUMS, frames, out);
                let lengths = self.integers.chunks(frame::LEN);
                let sums: Vec<i64> = lengths.map(|lengths| lengths.iter().sum()).collect();
                frames.write(&self.integers, Some(&sums), self.layout, out);
            }
            Form::Scaled(base, factor) => {
                let multiple = |integer: &i64| integer.wrapping_sub(*base).cast_unsigned() / factor;
                let multiples: Vec<i64> =
                    self.integers.iter().map(|integer| multiple(integer).cast_signed()).collect();
                let frames = Frames::new(&multiples, self.layout);
                put(form::SCALED, &frames, out);
                put_integer(*base, out);
                put_count(*factor, out);
                frames.write(&multiples, None, self.layout, out);
            }
            Form::Distinct([(values, listed), (places, frames)]) => {
                put(form::DISTINCT, frames, out);
                put_section(out, |out| {
                    put_count(values.len() as u64, out);
                    put(form::FRAMES, listed, out);
                    listed.write(values, None, self.layout, out);
                });
                frames.write(places, None, self.layout, out);
            }
            Form::Repeats(parts) => {
                out.push(form::REPEATS);
                parts.iter().for_each(|part| put_section(out, |out| part.write(out)));
            }
        }
    }
}

/// Appends integers in the form that takes the fewest bits.
pub(in super::super) fn encode(integers: &[i64], context: &mut Context, out: &mut Vec<u8>) {
    Encoded::new(integers, context).write(out);
}

/// As [`encode`], for lengths.
pub(in super::super) fn encode_lengths(lengths: &[i64], context: &mut Context, out: &mut Vec<u8>) {
    Encoded::from_lengths(lengths, context).write(out);
}

impl Form {
    /// The form in which some integers take the fewest bits, and about how many.
    fn new(integers: &[i64], context: &mut Context, purpose: Use) -> (Self, u64) {
        let (best, bits) = Self::without_copies(integers, context, purpose);
        if matches!(purpose, Use::Any | Use::Places) && context.layout == Layout::Alone {
            let repeats = Repeats::find(integers, bits, &mut context.table);
            if let Some((repeats, fewer)) = repeats.map(|repeats| Self::with_copies(repeats, context))
                && fewer <= bits / 2
                && bits - fewer >= integers.len() as u64 / 2
            {
                return (repeats, fewer);
            }
        }
        (best, bits)
    }

    /// As [`Form::new`], of integers of which some are copies.
    fn with_copies(repeats: Repeats, context: &mut Context) -> (Self, u64) {
        let Repeats { literals, runs, lengths, offsets } = repeats;
        let parts = [literals, runs, lengths, offsets].into_iter();
        let parts: Vec<_> = parts.map(|part| Encoded::from_parts(part, context)).collect();
        let bits = parts.iter().map(|part| part.bits + 32).sum();
        (Self::Repeats(parts), bits)
    }

    /// As [`Form::new`], of integers of which none are copies.
    fn without_copies(integers: &[i64], context: &mut Context, purpose: Use) -> (Self, u64) {
        let layout = context.layout;
        let Some((least, greatest)) = bounds(integers) else { return (Self::Constant(0), 8) };
        if least == greatest {
            return (Self::Constant(least), 40);
        }
        let frames = Frames::new(integers, layout);
        let bits = frames.bits();
        let count = integers.len() as u64;
        // Sums save time only where whole frames are passed over.
        let mut best = match purpose {
            Use::Lengths if integers.len() > frame::LEN => {
                let sums = SUM_BITS * frames.0.len() as u64;
                (Self::Summed(frames), bits + sums)
            }
            Use::Places => return (Self::Frames(frames), bits),
            _ => (Self::Frames(frames), bits),
        };
        let has_sums = matches!(best.0, Self::Summed(_));
        let without_sums = |bits: u64| if has_sums { bits - bits / 8 } else { bits };
        if let Some(factor) = factor(integers, least) {
            let bits = bits.saturating_sub(count * u64::from(factor.ilog2())) + 32;
            if bits < without_sums(best.1) {
                best = (Self::Scaled(least, factor), bits);
            }
        }
        // A list is slower to read, so it must save a sixteenth, and an eighth where there would be sums.
        let limit = match best.0 {
            Self::Summed(_) => without_sums(best.1),
            _ => best.1 - best.1 / 16,
        };
        if best.1 > count * DISTINCT_BITS
            && let Some(places) = Self::places(integers, (least, greatest), limit, &mut context.table)
        {
            let Places { values, places } = places;
            let places: Vec<i64> = places.iter().map(|place| i64::from(*place)).collect();
            let listed = [values, places].map(|integers| {
                let frames = Frames::new(&integers, layout);
                (integers, frames)
            });
            let bits = listed.iter().map(|(_, frames)| frames.bits()).sum::<u64>() + 64;
            if bits < limit {
                best = (Self::Distinct(listed), bits);
            }
        }
        best
    }

    /// The different ones of some integers in ascending order, and the places of all; `None` where these surely take more bits
    /// than the limit.
    fn places(integers: &[i64], bounds: (i64, i64), limit: u64, table: &mut Table) -> Option<Places<i64>> {
        let most = DISTINCT_MAX.min(integers.len() / 2);
        let fits = |different: usize| place_bits(different) * (integers.len() as u64) < limit;
        match table.repetition(integers) {
            Repetition::Hardly => return None,
            Repetition::Sample(different) if !fits(different) || are_too_many(different, most) => {
                return None;
            }
            Repetition::Sample(_) | Repetition::Unknown => {}
        }
        match table.ranked(integers, bounds, most) {
            Ranked::Places(places) => Some(places),
            Ranked::TooMany => None,
            Ranked::TooFarApart => table.all_places(integers, most).map(Places::sorted),
        }
    }
}

impl Frames {
    fn new(integers: &[i64], layout: Layout) -> Self {
        let ways = Ways::new(integers, layout);
        Self(integers.chunks(frame::LEN).map(|integers| Frame::new(integers, ways, layout)).collect())
    }

    fn bits(&self) -> u64 {
        self.0.iter().map(|frame| frame.bits).sum()
    }

    fn write(&self, integers: &[i64], sums: Option<&[i64]>, layout: Layout, out: &mut Vec<u8>) {
        put_directory(&self.0, sums, layout, out);
        for (frame, integers) in self.0.iter().zip(integers.chunks(frame::LEN)) {
            frame.write(integers, layout, out);
        }
    }
}

/// About the bits that a sum takes.
const SUM_BITS: u64 = 16;

/// The greatest number that divides what all integers are more than the least; `None` where that is 1.
fn factor(integers: &[i64], least: i64) -> Option<u64> {
    let mut factor = 0;
    for integer in integers {
        factor = common(integer.wrapping_sub(least).cast_unsigned(), factor);
        if factor == 1 {
            return None;
        }
    }
    (factor > 1).then_some(factor)
}

/// The greatest common divisor.
fn common(mut one: u64, mut two: u64) -> u64 {
    while two != 0 {
        (one, two) = (two, one % two);
    }
    one
}
