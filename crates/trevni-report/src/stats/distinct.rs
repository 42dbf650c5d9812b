//! How many different values there are: each is counted up to a bound, beyond it the number is estimated.

use super::sketch::Sketch;
use foldhash::quality::FixedState;
use serde::Serialize;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

/// Up to how many different values are counted one by one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) values: usize,
    /// Bytes of strings.
    pub(super) bytes: usize,
}

impl Bound {
    pub(super) const USUAL: Self = Self { values: 10_000, bytes: 4 << 20 };
    /// Takes memory for all values.
    pub(super) const NONE: Self = Self { values: usize::MAX, bytes: usize::MAX };

    /// For a number of columns at once: more than 64 share the bounds of 64.
    pub(super) fn of(columns: usize) -> Self {
        let share = |all: usize| (all * 64 / columns.max(64)).max(256);
        Self { values: share(Self::USUAL.values), bytes: share(Self::USUAL.bytes) }
    }
}

/// A number of different values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Count {
    /// Their number.
    pub count: u64,
    /// Whether it is no estimate.
    pub exact: bool,
}

/// Counts different values.
pub(super) struct Distinct<K> {
    counts: HashMap<K, u64, FixedState>,
    bound: Bound,
    bytes: usize,
    /// Where there were too many.
    sketch: Option<Sketch>,
}

/// Calls with each run of equal values, and its length.
pub(super) fn each_run<T: Copy + PartialEq>(
    mut values: impl Iterator<Item = T>,
    mut call: impl FnMut(T, u64),
) {
    let Some(mut last) = values.next() else {
        return;
    };
    let mut times = 1;
    for value in values {
        if value == last {
            times += 1;
        } else {
            call(last, times);
            (last, times) = (value, 1);
        }
    }
    call(last, times);
}

impl<K: Hash + Eq> Distinct<K> {
    pub(super) fn new(bound: Bound) -> Self {
        Self { counts: HashMap::default(), bound, bytes: 0, sketch: None }
    }

    /// Adds a value that occurs some times; false if it is surely not new. `own` makes a key of it, which
    /// takes `bytes` beside its place.
    pub(super) fn add<Q>(&mut self, value: &Q, times: u64, bytes: usize, own: impl FnOnce() -> K) -> bool
    where
        Q: Hash + Eq + ?Sized,
        K: Borrow<Q>,
    {
        if let Some(sketch) = &mut self.sketch {
            sketch.add(self.counts.hasher().hash_one(value));
            return true;
        }
        if let Some(count) = self.counts.get_mut(value) {
            *count += times;
            return false;
        }
        self.bytes = self.bytes.saturating_add(bytes);
        if self.counts.len() < self.bound.values && self.bytes <= self.bound.bytes {
            self.counts.insert(own(), times);
            return true;
        }
        let mut sketch = Sketch::new();
        let hasher = self.counts.hasher();
        self.counts.keys().for_each(|key| sketch.add(hasher.hash_one(key)));
        sketch.add(hasher.hash_one(value));
        self.counts = HashMap::default();
        self.sketch = Some(sketch);
        true
    }

    pub(super) fn count(&self) -> Count {
        match &self.sketch {
            Some(sketch) => Count { count: sketch.count(), exact: false },
            None => Count { count: self.counts.len() as u64, exact: true },
        }
    }

    /// The values and how often each occurs; `None` where there were too many.
    pub(super) fn counts(&self) -> Option<impl Iterator<Item = (&K, u64)>> {
        let counts = || self.counts.iter().map(|(key, count)| (key, *count));
        self.sketch.is_none().then(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_exact_up_to_the_bound() {
        let mut distinct = Distinct::<u64>::new(Bound { values: 3, bytes: 100 });
        for value in [1, 2, 3] {
            assert!(distinct.add(&value, 1, 0, || value));
        }
        assert!(!distinct.add(&2, 5, 0, || 2));
        assert_eq!(distinct.count(), Count { count: 3, exact: true });
        assert_eq!(distinct.counts().unwrap().map(|(_, count)| count).sum::<u64>(), 8);
        assert!(distinct.add(&4, 1, 0, || 4));
        assert_eq!(distinct.count(), Count { count: 4, exact: false });
        assert!(distinct.counts().is_none());
        let mut texts = Distinct::<Box<[u8]>>::new(Bound { values: 30, bytes: 10 });
        for text in [&b"abcde"[..], b"fghij", b"k"] {
            texts.add(text, 1, text.len(), || text.into());
        }
        assert_eq!(texts.count(), Count { count: 3, exact: false });
    }
}
