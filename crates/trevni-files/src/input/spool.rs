//! Streams that must be read more than once, or not in order: kept in memory, long ones in a file.

use super::read_up_to;
use crate::interrupt;
use std::fs::File;
use std::io::{self, Read, Seek, Write};

/// Bytes that are kept in memory.
const MEMORY: u64 = 64 << 20;

/// All bytes of a stream.
pub enum Spooled {
    Memory(Vec<u8>),
    /// A file without a name, which goes with the program.
    File(File),
}

/// Reads a stream to its end.
pub fn spool(mut stream: impl Read) -> io::Result<Spooled> {
    let start = read_up_to(&mut stream, MEMORY + 1)?;
    if start.len() as u64 <= MEMORY {
        return Ok(Spooled::Memory(start));
    }
    let mut file = tempfile::tempfile()?;
    file.write_all(&start)?;
    let mut buffer = start;
    buffer.truncate(1 << 20);
    loop {
        interrupt::check()?;
        match stream.read(&mut buffer)? {
            0 => break,
            count => file.write_all(&buffer[..count])?,
        }
    }
    file.rewind()?;
    Ok(Spooled::File(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_streams_go_to_a_file() {
        let short = spool(io::repeat(7).take(1000)).unwrap();
        assert!(matches!(short, Spooled::Memory(bytes) if bytes == [7; 1000]));
        let long = spool(io::repeat(7).take(MEMORY + 3)).unwrap();
        let Spooled::File(mut file) = long else { panic!("kept in memory") };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        assert!(bytes.len() as u64 == MEMORY + 3 && bytes.iter().all(|byte| *byte == 7));
    }
}
