//! Standard output, where results go.

use super::interrupt::Interrupts;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::path::Path;
use trevni_print::rows::Paint;
use trevni_print::shown::for_terminal;
use trevni_print::terminal;

/// Standard output, or a file in its place. What is written to a terminal is shown by it, and does not steer it.
pub(super) struct Screen {
    out: BufWriter<Stdout>,
    /// The file that takes its place.
    file: Option<BufWriter<File>>,
    is_terminal: bool,
    /// Whether something was written.
    is_begun: bool,
    interrupts: Interrupts,
}

impl Screen {
    pub(super) fn new(interrupts: Interrupts) -> Self {
        let (out, is_terminal) = (BufWriter::new(io::stdout()), io::stdout().is_terminal());
        Self { out, file: None, is_terminal, is_begun: false, interrupts }
    }

    /// Writes to a file from now on; without one, to standard output again.
    pub(super) fn redirect(&mut self, path: Option<&Path>) -> io::Result<()> {
        let before = self.flush();
        self.file = path.map(File::create).transpose()?.map(BufWriter::new);
        self.is_begun = false;
        before
    }

    /// Whether something was written to where it writes now.
    pub(super) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// An error where a signal came since the statement began.
    fn check(&self) -> io::Result<()> {
        match self.interrupts.code() {
            Some(_) => Err(io::Error::other("interrupted")),
            None => Ok(()),
        }
    }

    pub(super) fn is_terminal(&self) -> bool {
        self.is_terminal && self.file.is_none()
    }

    /// The width of the terminal that this is; none elsewhere.
    pub(super) fn width(&self) -> Option<usize> {
        self.is_terminal().then(terminal::width)
    }

    pub(super) fn paint(&self) -> Paint {
        Paint::of(terminal::has_colours() && self.file.is_none())
    }

    /// Writes a text that has styles, and nothing else that steers a terminal.
    pub(super) fn write_styled(&mut self, text: &str) -> io::Result<()> {
        self.check()?;
        self.is_begun = true;
        match &mut self.file {
            Some(file) => file.write_all(text.as_bytes()),
            None => self.out.write_all(text.as_bytes()),
        }
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.check()?;
        self.is_begun |= !bytes.is_empty();
        if let Some(file) = &mut self.file {
            return file.write(bytes);
        }
        if !self.is_terminal {
            return self.out.write(bytes);
        }
        self.out.write_all(&for_terminal(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.file {
            Some(file) => file.flush(),
            None => self.out.flush(),
        }
    }
}
