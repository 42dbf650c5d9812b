//! Streams: standard input, pipes and devices. Each is read by a thread of its own, so that Ctrl-C also ends a thread
//! that waits for it.

use crate::interrupt;
use crate::progress;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;
/// Bytes that tell what it is.
const START: usize = 64;
/// Chunks that wait to be taken.
const WAITING: usize = 16;
/// How often a reader that waits looks for Ctrl-C.
const OFTEN: Duration = Duration::from_millis(50);
/// How long a pipe may say nothing before the user is told.
const PATIENCE: Duration = Duration::from_secs(1);

/// The bytes of a stream, to be read once.
pub struct Stream {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    /// Bytes of the chunk that have been taken.
    taken: usize,
    /// The pipe whose first bytes are waited for, and since when.
    silent: Option<(String, Instant)>,
}

impl Stream {
    /// Standard input.
    pub fn standard() -> Self {
        Self::of(|| Ok(io::stdin()))
    }

    /// A file that can be read only once, such as a pipe, which cannot be opened before it has a writer.
    pub fn file(path: &Path) -> Self {
        let silent = Some((path.display().to_string(), Instant::now()));
        let path = path.to_owned();
        Self { silent, ..Self::of(move || File::open(path)) }
    }

    fn of<R: Read>(open: impl FnOnce() -> io::Result<R> + Send + 'static) -> Self {
        let (sender, chunks) = sync_channel(WAITING);
        let read = move || {
            let mut stream = match open() {
                Ok(stream) => stream,
                Err(error) => return drop(sender.send(Err(error))),
            };
            loop {
                let mut chunk = vec![0; CHUNK];
                let read = stream.read(&mut chunk).map(|count| {
                    chunk.truncate(count);
                    chunk
                });
                let end = read.as_ref().map_or(true, Vec::is_empty);
                if sender.send(read).is_err() || end {
                    return;
                }
            }
        };
        // It ends with the stream, or with the program.
        std::thread::spawn(read);
        Self { chunks, chunk: Vec::new(), taken: 0, silent: None }
    }

    /// The first bytes, which tell what it is: more are not waited for where a line has ended.
    pub fn start(&mut self) -> io::Result<Vec<u8>> {
        let mut start = vec![0; START];
        let mut count = 0;
        while count < START && !start.get(..count).unwrap_or_default().contains(&b'\n') {
            match self.read(start.get_mut(count..).unwrap_or_default())? {
                0 => break,
                read => count += read,
            }
        }
        start.truncate(count);
        Ok(start)
    }

    /// Appends what comes next; false at the end.
    pub fn more(&mut self, bytes: &mut Vec<u8>) -> io::Result<bool> {
        let mut next = vec![0; CHUNK];
        let count = self.read(&mut next)?;
        bytes.extend_from_slice(next.get(..count).unwrap_or_default());
        Ok(count > 0)
    }

    /// Tells once that nothing has come yet.
    fn wait(&mut self) {
        if let Some((name, _)) = self.silent.take_if(|(_, since)| since.elapsed() > PATIENCE) {
            progress::note(format_args!("{name}: waiting for its first bytes"));
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.chunk.len() {
            interrupt::check()?;
            match self.chunks.recv_timeout(OFTEN) {
                Ok(chunk) => (self.chunk, self.taken, self.silent) = (chunk?, 0, None),
                Err(RecvTimeoutError::Timeout) => {
                    self.wait();
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
            if self.chunk.is_empty() {
                return Ok(0);
            }
        }
        let rest = self.chunk.get(self.taken..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.taken += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_come_in_order() {
        let bytes: Vec<u8> = (0..CHUNK * 3 + 17).map(|at| (at % 251) as u8).collect();
        let mut input = Stream::of({
            let bytes = bytes.clone();
            move || Ok(io::Cursor::new(bytes))
        });
        let mut found = vec![0; 7];
        input.read_exact(&mut found).unwrap();
        input.read_to_end(&mut found).unwrap();
        assert!(found == bytes);
        assert_eq!(input.read(&mut [0; 3]).unwrap(), 0);
        assert_eq!(Stream::of(|| Ok(io::empty())).read(&mut [0; 3]).unwrap(), 0);
    }

    #[test]
    fn a_failing_stream_fails() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        assert_eq!(Stream::of(|| Ok(Broken)).read(&mut [0; 3]).unwrap_err().to_string(), "broken");
    }
}
