//! The terminal: a screen of its own while the viewer runs, and as it was afterwards, whatever ends it.

use super::draw::{Paint, draw};
use super::model::Model;
use crate::failure::Failure;
use crate::interrupt;
use anstream::{AutoStream, ColorChoice};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{execute, queue};
use std::io::{self, BufWriter, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a key is waited for, before signals are looked for.
const IDLE: Duration = Duration::from_millis(100);
/// How long work goes on before the screen is drawn and keys are read.
const BUSY: Duration = Duration::from_millis(40);

/// Bytes that are copied.
const COPIED: usize = 70_000;

/// Whether the terminal is not as it was.
static OPEN: AtomicBool = AtomicBool::new(false);

/// Shows a model until it ends, and returns the exit code.
pub(super) fn run(mut model: Model) -> Result<u8, Failure> {
    let failed = |error: io::Error| Failure::io("the terminal", &error);
    let paint = Paint::new(AutoStream::choice(&io::stdout()) != ColorChoice::Never);
    let mut screen = Screen::open().map_err(failed)?;
    loop {
        // A resize before the first event is waited for has no event.
        let size = screen.terminal.size().map_err(failed)?;
        model.size = (size.width, size.height);
        model.prepare();
        screen.draw(&model, &paint).map_err(failed)?;
        if let Some(text) = model.copied.take() {
            screen.copy(&text).map_err(failed)?;
        }
        let mut wait = IDLE;
        if model.job.is_some() {
            work(&mut model);
            wait = Duration::ZERO;
        }
        // All that was typed is done before the screen is drawn again.
        while event::poll(wait).map_err(failed)? {
            model.handle(event::read().map_err(failed)?);
            if model.job.is_some() || model.ended.is_some() {
                break;
            }
            model.prepare();
            wait = Duration::ZERO;
        }
        interrupt::check().map_err(failed)?;
        if let Some(code) = model.ended {
            return Ok(code);
        }
    }
}

/// Goes on with work for a while.
fn work(model: &mut Model) {
    let start = Instant::now();
    while model.job.is_some() && start.elapsed() < BUSY && interrupt::code().is_none() {
        model.step();
    }
}

/// A terminal that the viewer has for itself.
struct Screen {
    terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
}

impl Screen {
    fn open() -> io::Result<Self> {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            before(panic);
        }));
        interrupt::before_exit(restore);
        OPEN.store(true, Ordering::SeqCst);
        let opened = Self::prepare();
        if opened.is_err() {
            restore();
        }
        opened
    }

    fn prepare() -> io::Result<Self> {
        enable_raw_mode()?;
        let mut out = BufWriter::new(io::stdout());
        execute!(out, EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste)?;
        Ok(Self { terminal: Terminal::new(CrosstermBackend::new(out))? })
    }

    /// Asks the terminal to copy a text (OSC 52); what is too long for most terminals is cut.
    fn copy(&mut self, text: &str) -> io::Result<()> {
        let most = COPIED.min(text.len());
        let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let encoded = STANDARD.encode(text.get(..end).unwrap_or_default());
        let out = self.terminal.backend_mut();
        write!(out, "\x1b]52;c;{encoded}\x07")?;
        out.flush()
    }

    /// Draws at once what has changed.
    fn draw(&mut self, model: &Model, paint: &Paint) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| draw(frame, model, paint))?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Makes the terminal what it was. A terminal that is gone needs nothing.
fn restore() {
    if OPEN.swap(false, Ordering::SeqCst) {
        let mut out = io::stdout();
        let _ = execute!(
            out,
            EndSynchronizedUpdate,
            DisableBracketedPaste,
            DisableMouseCapture,
            LeaveAlternateScreen,
            Show
        );
        let _ = disable_raw_mode();
        let _ = out.flush();
    }
}
