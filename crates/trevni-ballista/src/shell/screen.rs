//! Standard output, where results go.

use super::interrupt::Interrupts;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use trevni_print::rows::Paint;
use trevni_print::shown::for_terminal;
use trevni_print::terminal;

/// Standard output. What is written to a terminal is shown by it, and does not steer it.
pub(super) struct Screen {
    out: BufWriter<Stdout>,
    is_terminal: bool,
    interrupts: Interrupts,
}

impl Screen {
    pub(super) fn new(interrupts: Interrupts) -> Self {
        let (out, is_terminal) = (BufWriter::new(io::stdout()), io::stdout().is_terminal());
        Self { out, is_terminal, interrupts }
    }

    /// An error where a signal came since the statement began.
    fn check(&self) -> io::Result<()> {
        match self.interrupts.code() {
            Some(_) => Err(io::Error::other("interrupted")),
            None => Ok(()),
        }
    }

    pub(super) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// The width of the terminal that this is; none elsewhere.
    pub(super) fn width(&self) -> Option<usize> {
        self.is_terminal.then(terminal::width)
    }

    pub(super) fn paint(&self) -> Paint {
        Paint::of(terminal::has_colours())
    }

    /// Writes a text that has styles, and nothing else that steers a terminal.
    pub(super) fn write_styled(&mut self, text: &str) -> io::Result<()> {
        self.check()?;
        self.out.write_all(text.as_bytes())
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.check()?;
        if !self.is_terminal {
            return self.out.write(bytes);
        }
        self.out.write_all(&for_terminal(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
