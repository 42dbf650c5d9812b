//! Rust types of the numbers of a logical type.

use super::kind::{Instants, Kind, Times};
use std::time::{Duration, SystemTime};

/// A type of one number.
pub(super) trait Number<K>: Sized {
    fn to_number(&self) -> Option<i64>;

    fn of_number(number: i64) -> Option<Self>;
}

impl<K: Kind> Number<K> for i64 {
    fn to_number(&self) -> Option<i64> {
        Some(*self)
    }

    fn of_number(number: i64) -> Option<Self> {
        Some(number)
    }
}

impl<K: Kind> Number<K> for i32 {
    fn to_number(&self) -> Option<i64> {
        Some((*self).into())
    }

    fn of_number(number: i64) -> Option<Self> {
        number.try_into().ok()
    }
}

impl<K: Instants> Number<K> for SystemTime {
    fn to_number(&self) -> Option<i64> {
        let (seconds, nanos) = match self.duration_since(Self::UNIX_EPOCH) {
            Ok(after) => (i128::from(after.as_secs()), after.subsec_nanos()),
            Err(before) => {
                let before = before.duration();
                let nanos = before.subsec_nanos();
                let (second, nanos) = if nanos == 0 { (0, 0) } else { (1, 1_000_000_000 - nanos) };
                (-i128::from(before.as_secs()) - second, nanos)
            }
        };
        let per_second = K::PER_SECOND?;
        let units = i128::from(nanos / (1_000_000_000 / per_second));
        i64::try_from(seconds * i128::from(per_second) + units).ok()
    }

    fn of_number(number: i64) -> Option<Self> {
        let per_second = i64::from(K::PER_SECOND?);
        let (seconds, units) = (number.div_euclid(per_second), number.rem_euclid(per_second));
        let fraction =
            Duration::from_nanos(units.unsigned_abs() * (1_000_000_000 / per_second.unsigned_abs()));
        let whole = Duration::from_secs(seconds.unsigned_abs());
        let time = match seconds < 0 {
            true => Self::UNIX_EPOCH.checked_sub(whole)?,
            false => Self::UNIX_EPOCH.checked_add(whole)?,
        };
        time.checked_add(fraction)
    }
}

impl<K: Times> Number<K> for Duration {
    fn to_number(&self) -> Option<i64> {
        let unit = u128::from(1_000_000_000 / K::PER_SECOND?);
        i64::try_from(self.as_nanos() / unit).ok()
    }

    fn of_number(number: i64) -> Option<Self> {
        let per_second = u64::from(K::PER_SECOND?);
        let number = u64::try_from(number).ok()?;
        let nanos = number % per_second * (1_000_000_000 / per_second);
        Some(Self::from_secs(number / per_second) + Self::from_nanos(nanos))
    }
}
