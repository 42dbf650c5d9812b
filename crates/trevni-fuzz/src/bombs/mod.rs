//! Bombs: files in all forms of docs/format.md, with each number of them at its extremes and checksums that are right, and
//! what is done with them.

mod file;
mod forms;
mod redelm;
mod sink;
mod typed;
mod work;

pub use forms::{Form, forms, tables};
pub use redelm::{manifests, summaries};
pub use work::{Work, on_file, on_manifest, on_summary, worked};

use sink::{Extreme, Number, Sink};

/// A file that may ask for much.
pub struct Bomb {
    /// The form, and which number of it is another.
    pub name: String,
    /// The file.
    pub bytes: Vec<u8>,
}

impl Form {
    /// The file as it should be, or as large as the form says.
    #[must_use]
    pub fn whole(&self) -> Bomb {
        let mut sink = Sink::default();
        (self.build)(&mut sink);
        Bomb { name: self.name.clone(), bytes: sink.bytes }
    }

    /// The file with each number in turn at its extremes. Of a large one, nothing but the file.
    pub fn bombs(&self) -> impl Iterator<Item = Bomb> + '_ {
        let numbers = self.numbers().into_iter().enumerate();
        let changes = numbers.flat_map(|(place, number)| {
            number.extremes().into_iter().map(move |extreme| (place, number, extreme))
        });
        std::iter::once(self.whole())
            .chain(changes.map(|(place, number, extreme)| self.changed(place, number, extreme)))
    }

    /// As [`Form::bombs`], with every other number at one of its extremes: another one in each turn, and of each number.
    pub fn some(&self, turn: usize) -> impl Iterator<Item = Bomb> + '_ {
        let numbers = self.numbers().into_iter().enumerate().skip(turn % 2).step_by(2);
        let changed = numbers.filter_map(move |(place, number)| {
            let extremes = number.extremes();
            let extreme = extremes.get((turn * 7 + place * 5) % extremes.len().max(1))?;
            Some(self.changed(place, number, *extreme))
        });
        std::iter::once(self.whole()).chain(changed)
    }

    fn numbers(&self) -> Vec<Number> {
        let mut sink = Sink::default();
        if !self.is_large {
            (self.build)(&mut sink);
        }
        sink.numbers
    }

    fn changed(&self, place: usize, number: Number, extreme: Extreme) -> Bomb {
        let mut sink = Sink::changed(place, extreme);
        (self.build)(&mut sink);
        Bomb { name: format!("{}: {} {place} is {extreme:?}", self.name, number.name), bytes: sink.bytes }
    }
}
