//! Strings or byte strings in one buffer, with their places.

use super::Span;
use std::ops::Range;

/// Values of variable length: one buffer for all, and where in it each value is.
///
/// The values stand in order and do not overlap, but other bytes may stand between them: those of some files are
/// taken over in one piece, the lengths before the values included. A value that is
/// pushed has its length before it too, as a block has it, so that a block is written in one piece.
///
/// ```
/// use trevni::Strings;
/// use trevni::vector::Span;
///
/// let texts = Strings::try_from_iter(["one", "two"])?;
/// assert_eq!(texts.get(1), Some("two"));
///
/// // From a buffer and the places of the values in it, and back, without a copy.
/// let texts = Strings::try_from_parts("onetwo".to_owned(), vec![Span { start: 0, end: 3 }, Span { start: 3, end: 6 }])?;
/// assert_eq!(texts.iter().collect::<Vec<_>>(), ["one", "two"]);
/// let (buffer, spans) = texts.into_parts();
/// assert_eq!(&buffer[spans[1].range()], "two");
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Blobs<B> {
    pub(super) data: B,
    pub(super) spans: Vec<Span>,
    /// Whether there may be a value without its length before it, or other bytes.
    pub(super) mixed: bool,
}

/// Lengths from this one on take more than a byte, and are left out.
const LONG: usize = 64;

/// Strings.
pub type Strings = Blobs<String>;

/// Byte strings.
pub type Binaries = Blobs<Vec<u8>>;

impl<B> Blobs<B> {
    /// Number of values.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether each value has its length, a byte, before it, and nothing else is in the buffer.
    #[inline]
    pub(crate) fn is_framed(&self) -> bool {
        !self.mixed
    }

    /// The places of the values in the buffer.
    #[inline]
    #[must_use]
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    #[inline]
    fn range(&self, index: usize) -> Option<Range<usize>> {
        self.spans.get(index).map(|span| span.range())
    }

    /// The length to put before a next value of `len` bytes, if any, and its place in the buffer, which ends
    /// at `end` so far; `None` where that would pass 4 GiB.
    #[inline(always)]
    fn next(&mut self, end: usize, len: usize) -> Option<(Option<u8>, Span)> {
        let length = (len < LONG).then_some((len as u8) << 1);
        let start = end + usize::from(length.is_some());
        let end = u32::try_from(start + len).ok()?;
        self.mixed |= length.is_none();
        Some((length, Span { start: start as u32, end }))
    }

    /// Where the values end in the buffer.
    fn end(&self) -> usize {
        self.spans.last().map_or(0, |last| last.end as usize)
    }
}

impl<B: AsRef<[u8]>> Blobs<B> {
    /// The piece of the buffer that some values are in, and their places in it. `None` where a value is not there.
    fn piece(&self, range: Range<usize>) -> Option<(Range<usize>, &[Span])> {
        let spans = self.spans.get(range)?;
        let (start, end) =
            (spans.first().map_or(0, |span| span.start), spans.last().map_or(0, |span| span.end));
        Some((start as usize..end as usize, spans))
    }

    /// Notes the places of values whose piece, which begins at `from` in another buffer, is appended at `to` here; false where the
    /// buffer would pass 4 GiB.
    fn extend_places(&mut self, spans: &[Span], from: usize, to: usize) -> bool {
        let len = spans.last().map_or(0, |span| span.end as usize - from);
        if u32::try_from(to + len).is_err() {
            return false;
        }
        let moved = |at: u32| (at as usize - from + to) as u32;
        self.spans.extend(spans.iter().map(|span| Span { start: moved(span.start), end: moved(span.end) }));
        self.mixed |= !spans.is_empty();
        true
    }
}

impl Strings {
    /// The value at a position.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&str> {
        self.data.get(self.range(index)?)
    }

    /// The values, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map_while(|index| self.get(index))
    }

    /// The buffer.
    pub(crate) fn data(&self) -> &[u8] {
        self.data.as_bytes()
    }

    /// Appends a value; false where the buffer would pass 4 GiB.
    #[inline]
    #[must_use]
    pub fn push(&mut self, value: &str) -> bool {
        let Some((length, span)) = self.next(self.data.len(), value.len()) else {
            return false;
        };
        if let Some(length) = length {
            self.data.push(char::from(length));
        }
        self.data.push_str(value);
        self.spans.push(span);
        true
    }

    /// Appends some values of other strings in one piece; false where one is not there, or the buffer would pass 4 GiB.
    #[must_use]
    pub(crate) fn extend_from(&mut self, other: &Self, range: Range<usize>) -> bool {
        let Some((piece, spans)) = other.piece(range) else { return false };
        let (from, to) = (piece.start, self.data.len());
        let Some(piece) = other.data.get(piece) else { return false };
        let done = self.extend_places(spans, from, to);
        if done {
            self.data.push_str(piece);
        }
        done
    }

    /// Makes room for more values of the sizes of those that are there.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.spans.reserve(more);
        self.data.reserve(more.saturating_mul(self.data.len() / self.len().max(1)));
    }

    pub(crate) fn clear(&mut self) {
        self.data.clear();
        self.spans.clear();
        self.mixed = false;
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.spans.truncate(len);
        self.data.truncate(self.end());
    }

    /// Takes the buffers out for refilling; [`Strings::refilled`] puts them back.
    pub(crate) fn take(&mut self) -> Binaries {
        let Self { data, spans, mixed } = std::mem::take(self);
        Binaries { data: data.into_bytes(), spans, mixed }
    }

    /// Strings from byte strings: one check for all of them; `None` where one is not UTF-8. What stands
    /// between them must be ASCII.
    pub(crate) fn refilled(binaries: Binaries) -> Option<Self> {
        let Binaries { data, spans, mixed } = binaries;
        let data = String::from_utf8(data).ok()?;
        // The whole is UTF-8; so is each value, if no border is inside a character.
        let border = |at: u32| data.is_char_boundary(at as usize);
        let whole = data.is_ascii() || spans.iter().all(|span| border(span.start) && border(span.end));
        whole.then_some(Self { data, spans, mixed })
    }
}

impl Binaries {
    /// The value at a position.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        self.data.get(self.range(index)?)
    }

    /// The values, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map_while(|index| self.get(index))
    }

    /// The buffer.
    #[inline]
    pub(crate) fn data(&self) -> &[u8] {
        &self.data
    }

    /// Appends a value; false where the buffer would pass 4 GiB.
    #[inline]
    #[must_use]
    pub fn push(&mut self, value: &[u8]) -> bool {
        let Some((length, span)) = self.next(self.data.len(), value.len()) else {
            return false;
        };
        if let Some(length) = length {
            self.data.push(length);
        }
        self.data.extend_from_slice(value);
        self.spans.push(span);
        true
    }

    /// Appends some values of other strings in one piece; false where one is not there, or the buffer would pass 4 GiB.
    #[must_use]
    pub(crate) fn extend_from<B: AsRef<[u8]>>(&mut self, other: &Blobs<B>, range: Range<usize>) -> bool {
        let Some((piece, spans)) = other.piece(range) else { return false };
        let (from, to) = (piece.start, self.data.len());
        let Some(piece) = other.data.as_ref().get(piece) else { return false };
        let done = self.extend_places(spans, from, to);
        if done {
            self.data.extend_from_slice(piece);
        }
        done
    }

    /// Takes values over in one piece with what stands before each; false where the buffer would
    /// pass 4 GiB. `read` pushes the places of the values, as if the piece had a certain start, and
    /// returns the piece.
    #[inline]
    #[must_use]
    pub(crate) fn extend_with<'b>(&mut self, read: impl FnOnce(u32, &mut Vec<Span>) -> &'b [u8]) -> bool {
        let (start, count) = (self.data.len(), self.spans.len());
        let piece = read(start as u32, &mut self.spans);
        if u32::try_from(start + piece.len()).is_err() {
            self.spans.truncate(count);
            return false;
        }
        self.data.extend_from_slice(piece);
        self.mixed = true;
        true
    }

    /// Makes room for more values of the sizes of those that are there.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.spans.reserve(more);
        self.data.reserve(more.saturating_mul(self.data.len() / self.len().max(1)));
    }

    pub(crate) fn clear(&mut self) {
        self.data.clear();
        self.spans.clear();
        self.mixed = false;
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.spans.truncate(len);
        self.data.truncate(self.end());
    }
}

impl PartialEq for Strings {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl PartialEq for Binaries {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for Strings {}
impl Eq for Binaries {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_border_inside_a_character_is_refused() {
        let mut binaries = Binaries::default();
        assert!(binaries.push(&"é".as_bytes()[..1]) && binaries.push(&"é".as_bytes()[1..]));
        assert_eq!(Strings::refilled(binaries), None);
    }

    #[test]
    fn values_come_back() {
        let mut strings = Strings::default();
        for value in ["a", "", "é日"] {
            assert!(strings.push(value));
        }
        assert_eq!(strings.iter().collect::<Vec<_>>(), ["a", "", "é日"]);
        strings.truncate(1);
        assert_eq!((strings.len(), strings.get(1)), (1, None));
        let mut binaries = strings.take();
        assert!(binaries.push("日".as_bytes()));
        assert_eq!(Strings::refilled(binaries).unwrap().get(1), Some("日"));
    }

    #[test]
    fn values_in_one_piece_are_what_they_are() {
        let (mut joined, mut single) = (Binaries::default(), Binaries::default());
        assert!(joined.push(b"a") && single.push(b"a") && single.push(b"bc"));
        assert_ne!(joined, single);
        assert!(joined.extend_with(|start, spans| {
            spans.push(Span { start: start + 1, end: start + 3 });
            b"\x04bc"
        }));
        assert_eq!(joined, single);
        joined.truncate(1);
        assert_eq!(joined.data(), b"\x02a");
    }

    #[test]
    fn some_values_of_others_come_in_one_piece() {
        let (mut texts, mut more) = (Strings::default(), Strings::default());
        let long = "x".repeat(LONG);
        for text in ["a", "é日", "", &long, "z"] {
            assert!(texts.push(text));
        }
        assert!(more.push("before") && more.extend_from(&texts, 1..4) && more.extend_from(&texts, 2..2));
        assert!(!more.extend_from(&texts, 4..6) && more.push("after"));
        assert_eq!(more.iter().collect::<Vec<_>>(), ["before", "é日", "", &long, "after"]);
        assert!(!more.is_framed());
        let mut bytes = Binaries::default();
        assert!(bytes.extend_from(&texts, 3..5) && bytes.extend_from(&bytes.clone(), 1..2));
        assert_eq!(bytes.iter().collect::<Vec<_>>(), [long.as_bytes(), b"z", b"z"]);
    }

    #[test]
    fn pushed_values_stand_behind_their_lengths() {
        let (mut strings, long) = (Strings::default(), "é".repeat(LONG / 2));
        assert!(strings.push("a") && strings.push("") && strings.push("日本"));
        assert!(strings.push(&long[2..]) && strings.is_framed());
        assert_eq!(strings.data(), ["\x02a\0\x0c日本\x7c", &long[2..]].concat().as_bytes());
        assert!(strings.push(&long) && !strings.is_framed());
        assert_eq!(strings.get(4), Some(&*long));
        strings.clear();
        assert!(strings.is_framed());
    }
}
