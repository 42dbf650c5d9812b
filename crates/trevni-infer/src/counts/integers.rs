//! Which integers there are.

use crate::numbers::{Integer, Wide};

/// The integers of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Integers {
    pub(crate) count: u64,
    /// The least and the greatest of those within 64 bits with sign; 0 is always within.
    min: i64,
    max: i64,
    /// Some are below `i64::MIN`.
    below: bool,
    /// Some are above `i64::MAX`, `u64::MAX`, `i128::MAX`.
    above_i64: bool,
    above_u64: bool,
    above_i128: bool,
}

/// Up to here every integer is a 64-bit float.
const EXACT: i64 = 1 << 53;

impl Integers {
    #[inline]
    pub(crate) fn add(&mut self, value: i64) {
        self.count += 1;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    #[inline]
    pub(crate) fn add_unsigned(&mut self, value: u64) {
        match i64::try_from(value) {
            Ok(value) => self.add(value),
            Err(_) => {
                self.count += 1;
                self.above_i64 = true;
            }
        }
    }

    /// Adds an integer that may have more than 64 bits.
    pub(crate) fn add_wide(&mut self, value: Wide) {
        match value {
            Wide::Signed(value) => match (i64::try_from(value), u64::try_from(value)) {
                (Ok(value), _) => self.add(value),
                (_, Ok(value)) => self.add_unsigned(value),
                _ => {
                    self.count += 1;
                    self.below |= value < 0;
                    self.above_u64 |= value > 0;
                }
            },
            Wide::Large(_) => {
                self.count += 1;
                self.above_i128 = true;
            }
        }
    }

    pub(crate) fn merge(&mut self, later: &Self) {
        self.count += later.count;
        self.min = self.min.min(later.min);
        self.max = self.max.max(later.max);
        self.below |= later.below;
        self.above_i64 |= later.above_i64;
        self.above_u64 |= later.above_u64;
        self.above_i128 |= later.above_i128;
    }

    /// Whether a 64-bit float holds each of them, as far as the least and the greatest show.
    pub(crate) fn are_floats(&self) -> bool {
        let wide = self.below || self.above_i64 || self.above_u64 || self.above_i128;
        !wide && self.min >= -EXACT && self.max <= EXACT
    }

    /// The type that holds all, 64 bits at least; `None` where no type does.
    pub(crate) fn kind(&self) -> Option<Integer> {
        let negative = self.min < 0 || self.below;
        Some(match () {
            () if self.above_i128 && negative => return None,
            () if self.above_i128 => Integer::U128,
            () if self.above_u64 || self.below || (self.above_i64 && negative) => Integer::I128,
            () if self.above_i64 => Integer::U64,
            () => Integer::Long,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[&str]) -> Integers {
        let mut integers = Integers::default();
        values.iter().for_each(|text| integers.add_wide(Wide::parse(text).unwrap()));
        integers
    }

    #[test]
    fn the_type_holds_all_values() {
        let (i64_max, u64_max) = (i64::MAX.to_string(), u64::MAX.to_string());
        let (above, i128_max) = ("18446744073709551616", i128::MAX.to_string());
        let u128_max = u128::MAX.to_string();
        for (values, kind) in [
            (&["1", "-1"][..], Some(Integer::Long)),
            (&[&i64_max, "-9223372036854775808"], Some(Integer::Long)),
            (&["0", &u64_max], Some(Integer::U64)),
            (&["-1", &u64_max], Some(Integer::I128)),
            (&["-9223372036854775809"], Some(Integer::I128)),
            (&[above, &i128_max], Some(Integer::I128)),
            (&["0", &u128_max], Some(Integer::U128)),
            (&["-1", &u128_max], None),
        ] {
            assert_eq!(of(values).kind(), kind, "{values:?}");
            let mut parts = of(&values[..1]);
            parts.merge(&of(&values[1..]));
            assert_eq!(parts, of(values));
        }
        assert_eq!(Wide::parse("340282366920938463463374607431768211456"), None);
    }

    #[test]
    fn integers_beyond_2_to_the_53_are_no_floats() {
        assert!(of(&["9007199254740992", "-9007199254740992"]).are_floats());
        assert!(!of(&["9007199254740993"]).are_floats() && !of(&["-9007199254740993"]).are_floats());
        assert!(!of(&["18446744073709551615"]).are_floats());
    }
}
