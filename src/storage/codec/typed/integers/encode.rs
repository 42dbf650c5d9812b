//! Encodes integers in the form that takes the fewest bits.

use super::super::context::{Context, Layout};
use super::super::section::{put_count, put_integer, put_section};
use super::distinct::Places;
use super::frame::{self, Frame, Ways};
use super::{DISTINCT_MAX, form};

/// The form of some integers.
#[derive(Debug)]
pub(in super::super) struct Encoded<'a> {
    integers: &'a [i64],
    layout: Layout,
    form: Form,
    /// About the bits that they take.
    pub(in super::super) bits: u64,
}

#[derive(Debug)]
enum Form {
    Constant(i64),
    Frames(Frames),
    /// Each is the base and a multiple of the factor.
    Scaled(i64, u64),
    /// The different ones, and the places of all.
    Distinct([(Vec<i64>, Frames); 2]),
}

/// Frames that follow each other.
#[derive(Debug)]
struct Frames(Vec<Frame>);

/// A list of different integers is tried where a frame takes more bits for each integer.
const DISTINCT_BITS: u64 = 3;

impl<'a> Encoded<'a> {
    /// Chooses a form.
    pub(in super::super) fn of(integers: &'a [i64], context: &mut Context) -> Self {
        let layout = context.layout;
        let Some(first) = integers.first() else {
            return Self { integers, layout, form: Form::Constant(0), bits: 8 };
        };
        if integers.iter().all(|integer| integer == first) {
            return Self { integers, layout, form: Form::Constant(*first), bits: 40 };
        }
        let frames = Frames::of(integers, layout);
        let bits = frames.bits();
        let mut best = Self { integers, layout, form: Form::Frames(frames), bits };
        let count = integers.len() as u64;
        if let Some((base, factor)) = multiples(integers) {
            let bits = best.bits.saturating_sub(count * u64::from(factor.ilog2())) + 32;
            if bits < best.bits {
                best = Self { integers, layout, form: Form::Scaled(base, factor), bits };
            }
        }
        if best.bits > count * DISTINCT_BITS
            && context.table.may_repeat(integers)
            && let Some(places) =
                context.table.places(integers.iter().copied(), DISTINCT_MAX.min(integers.len() / 2))
        {
            let Places { values, places } = places.sorted();
            let places: Vec<i64> = places.iter().map(|place| i64::from(*place)).collect();
            let listed = [values, places].map(|integers| {
                let frames = Frames::of(&integers, layout);
                (integers, frames)
            });
            let bits = listed.iter().map(|(_, frames)| frames.bits()).sum::<u64>() + 64;
            // It takes time to look the integers up.
            if bits < best.bits - best.bits / 16 {
                best = Self { integers, layout, form: Form::Distinct(listed), bits };
            }
        }
        best
    }

    /// Appends the number of integers, and what they are.
    pub(in super::super) fn write(&self, out: &mut Vec<u8>) {
        put_count(self.integers.len() as u64, out);
        if self.integers.is_empty() {
            return;
        }
        match &self.form {
            Form::Constant(integer) => {
                out.push(form::CONSTANT);
                put_integer(*integer, out);
            }
            Form::Frames(frames) => {
                out.push(form::FRAMES);
                frames.write(self.integers, out);
            }
            Form::Scaled(base, factor) => {
                out.push(form::SCALED);
                put_integer(*base, out);
                put_count(*factor, out);
                let multiple = |integer: &i64| integer.wrapping_sub(*base).cast_unsigned() / factor;
                let multiples: Vec<i64> =
                    self.integers.iter().map(|integer| multiple(integer).cast_signed()).collect();
                Frames::of(&multiples, self.layout).write(&multiples, out);
            }
            Form::Distinct([(values, listed), (places, frames)]) => {
                out.push(form::DISTINCT);
                put_section(out, |out| {
                    put_count(values.len() as u64, out);
                    out.push(form::FRAMES);
                    listed.write(values, out);
                });
                frames.write(places, out);
            }
        }
    }
}

/// Appends integers in the form that takes the fewest bits.
pub(in super::super) fn encode(integers: &[i64], context: &mut Context, out: &mut Vec<u8>) {
    Encoded::of(integers, context).write(out);
}

impl Frames {
    fn of(integers: &[i64], layout: Layout) -> Self {
        let ways = Ways::of(integers, layout);
        Self(integers.chunks(frame::LEN).map(|integers| Frame::of(integers, ways, layout)).collect())
    }

    fn bits(&self) -> u64 {
        self.0.iter().map(|frame| frame.bits).sum()
    }

    fn write(&self, integers: &[i64], out: &mut Vec<u8>) {
        self.0
            .iter()
            .zip(integers.chunks(frame::LEN))
            .for_each(|(frame, integers)| frame.write(integers, out));
    }
}

/// The least integer, and the greatest number that divides what all others are more; none where that is 1.
fn multiples(integers: &[i64]) -> Option<(i64, u64)> {
    let base = integers.iter().copied().min()?;
    let mut factor = 0;
    for integer in integers {
        factor = common(factor, integer.wrapping_sub(base).cast_unsigned());
        if factor == 1 {
            return None;
        }
    }
    (factor > 1).then_some((base, factor))
}

/// The greatest common divisor.
fn common(mut one: u64, mut two: u64) -> u64 {
    while two != 0 {
        (one, two) = (two, one % two);
    }
    one
}
