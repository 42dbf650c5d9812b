//! Strings as byte strings while they are read.

use crate::bytes::reader::{Malformed, Read};
use crate::vector::{Binaries, Strings, Vector};

/// Calls with byte strings in place of strings, and checks afterwards, once, that they are UTF-8.
pub(crate) fn as_blobs(out: &mut Vector, call: impl FnOnce(&mut Vector) -> Read<()>) -> Read<()> {
    let strings = match out {
        Vector::String(strings) => strings,
        Vector::Dictionary(vector) if vector.is_text => {
            vector.is_text = false;
            return as_bytes(out, call);
        }
        _ => return call(out),
    };
    let mut blobs = Vector::Bytes(strings.take());
    call(&mut blobs)?;
    let binaries = match blobs {
        Vector::Bytes(binaries) => binaries,
        _ => Binaries::default(),
    };
    *strings = Strings::refilled(binaries).ok_or(Malformed::Utf8)?;
    Ok(())
}

/// The same with positions in a dictionary, which may become values.
fn as_bytes(out: &mut Vector, call: impl FnOnce(&mut Vector) -> Read<()>) -> Read<()> {
    call(out)?;
    match out {
        Vector::Dictionary(vector) => {
            vector.is_text = true;
            if vector.is_valid() { Ok(()) } else { Err(Malformed::Utf8) }
        }
        Vector::Bytes(values) => {
            let texts = Strings::refilled(std::mem::take(values)).ok_or(Malformed::Utf8)?;
            *out = Vector::String(texts);
            Ok(())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::{Dictionary, DictionaryVector};
    use std::sync::Arc;

    fn dictionary(values: [&[u8]; 2]) -> Arc<Dictionary> {
        let mut binaries = Binaries::default();
        assert!(values.iter().all(|value| binaries.push(value)));
        Arc::new(Dictionary::new(binaries))
    }

    /// Puts positions, and values after them where `is_plain`.
    fn read(dictionary: &Arc<Dictionary>, is_plain: bool) -> Read<Vector> {
        let mut out = Vector::Dictionary(Box::new(DictionaryVector::new(true)));
        as_blobs(&mut out, |out| {
            let Vector::Dictionary(positions) = &mut *out else { panic!("{out:?}") };
            positions.extend(dictionary, [1, 0, 1].into_iter());
            if is_plain {
                out.forget_dictionary();
                let Vector::Bytes(values) = out else { panic!("{out:?}") };
                assert!(values.push(b"more"));
            }
            Ok(())
        })?;
        Ok(out)
    }

    #[test]
    fn positions_stay_or_become_texts() {
        let words = dictionary([b"one", "zw\u{f6}lf".as_bytes()]);
        let Vector::Dictionary(positions) = read(&words, false).unwrap() else { panic!() };
        assert!(positions.is_text && positions.keys() == [1, 0, 1]);
        assert_eq!(positions.to_values().get(2), Some("zw\u{f6}lf".as_bytes()));
        let Vector::String(texts) = read(&words, true).unwrap() else { panic!() };
        assert_eq!(texts.iter().collect::<Vec<_>>(), ["zw\u{f6}lf", "one", "zw\u{f6}lf", "more"]);
    }

    #[test]
    fn a_dictionary_that_is_no_text_is_refused() {
        for values in [[&b"one"[..], &[0xff]], [&"\u{f6}".as_bytes()[..1], &"\u{f6}".as_bytes()[1..]]] {
            for is_plain in [false, true] {
                assert!(matches!(read(&dictionary(values), is_plain), Err(Malformed::Utf8)), "{values:?}");
            }
        }
    }
}
