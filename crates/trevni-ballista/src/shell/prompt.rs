//! The prompt: statements are typed, run, and remembered.

use super::completion::Typing;
use super::failure::Failure;
use super::history;
use super::options::Options;
use super::run::{Ended, Runner};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};
use std::io;
use std::path::PathBuf;
use tokio::runtime::Runtime;
use trevni_print::progress::note;

/// The prompt for a statement.
const PROMPT: &str = "trevni> ";

/// Statements that are remembered.
const REMEMBERED: usize = 10_000;

/// Asks for statements and runs them until there are no more.
pub(super) fn run(runtime: &Runtime, runner: &mut Runner, options: &Options) -> Result<Ended, Failure> {
    let mut editor = editor().map_err(|error| unread(&error))?;
    let history = if options.no_history { None } else { history::path() };
    // A history that cannot be read is empty.
    let _ = history.as_ref().map(|path| editor.load_history(path));
    note("Statements end with a semicolon; \\? is help, Ctrl-D ends.");
    let mut is_interrupted = false;
    loop {
        if let Some(typing) = editor.helper_mut() {
            runtime.block_on(typing.learn(&runner.session));
        }
        let text = match editor.readline(PROMPT) {
            Ok(text) => text,
            Err(ReadlineError::Eof) => return Ok(Ended::Quit),
            Err(ReadlineError::Interrupted) if is_interrupted => return Ok(Ended::Quit),
            Err(ReadlineError::Interrupted) => {
                is_interrupted = true;
                note("Ctrl-C again ends, and so does Ctrl-D.");
                continue;
            }
            Err(error) => return Err(unread(&error)),
        };
        is_interrupted = false;
        remember(&mut editor, history.as_ref(), &text);
        match runtime.block_on(runner.text(&text)) {
            Ok(Ended::Done) => {}
            Ok(Ended::Quit) => return Ok(Ended::Quit),
            Ok(Ended::Interrupted(_)) => note("interrupted"),
            Err(failure) if failure.is_closed_pipe() => return Err(failure),
            Err(failure) => failure.print(),
        }
    }
}

fn editor() -> rustyline::Result<Editor<Typing, FileHistory>> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .max_history_size(REMEMBERED)?
        .history_ignore_dups(true)?
        .history_ignore_space(true)
        .build();
    let mut editor = Editor::with_config(config)?;
    editor.set_helper(Some(Typing::new()));
    Ok(editor)
}

/// Remembers a statement, also for shells to come. One that cannot be written is remembered by this shell.
fn remember(editor: &mut Editor<Typing, FileHistory>, path: Option<&PathBuf>, text: &str) {
    if text.trim().is_empty() || !matches!(editor.add_history_entry(text), Ok(true)) {
        return;
    }
    if let Some(path) = path {
        let _ = history::make_folder(path).is_ok_and(|()| editor.append_history(path).is_ok());
    }
}

/// A failure to read what is typed.
fn unread(error: &ReadlineError) -> Failure {
    match error {
        ReadlineError::Io(error) => Failure::io("the terminal", error),
        error => Failure::io("the terminal", &io::Error::other(error.to_string())),
    }
}
