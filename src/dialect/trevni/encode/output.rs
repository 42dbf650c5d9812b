//! Hands the parts of a file to a sink, many at once.

use crate::error::Result;
use std::io::{self, ErrorKind, IoSlice, Write};

/// Writes all parts, one behind the other. A sink in memory makes room for many of them at once, and a
/// file takes them in few calls.
pub(super) fn write_all<W: Write>(sink: &mut W, mut parts: &mut [IoSlice<'_>]) -> Result<()> {
    // Nothing is written by parts without bytes, which would look like the end of the sink.
    IoSlice::advance_slices(&mut parts, 0);
    while !parts.is_empty() {
        match sink.write_vectored(parts) {
            Ok(0) => return Err(io::Error::from(ErrorKind::WriteZero).into()),
            Ok(written) => IoSlice::advance_slices(&mut parts, written),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes few bytes at a time, and is interrupted before each.
    struct Slow(Vec<u8>, bool);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(ErrorKind::Interrupted.into());
            }
            let count = bytes.len().min(3);
            self.0.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn parts_arrive_in_order_in_any_sink() {
        let parts: [&[u8]; 6] = [b"", b"one", b"", b"four", b"x", b""];
        let slices = || parts.map(IoSlice::new);
        let (mut slow, mut memory) = (Slow(Vec::new(), false), Vec::new());
        write_all(&mut slow, &mut slices()).unwrap();
        write_all(&mut memory, &mut slices()).unwrap();
        assert_eq!((slow.0, memory), (b"onefourx".to_vec(), b"onefourx".to_vec()));
        let mut full = [0u8; 5];
        assert!(write_all(&mut full.as_mut_slice(), &mut slices()).is_err());
        write_all(&mut io::sink(), &mut []).unwrap();
    }
}
