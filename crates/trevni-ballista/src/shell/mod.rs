//! The shell: SQL typed at a prompt, and scripts.
//!
//! Statements go from `statements` to `run`, their rows through `running` and `columns` to `printer` and `screen`.

mod binary;
mod columns;
mod commands;
mod completion;
mod depth;
mod explained;
mod failure;
mod history;
mod interrupt;
mod kept;
mod lines;
mod options;
mod printer;
mod prompt;
mod run;
mod running;
mod screen;
mod session;
mod statements;
mod stoppable;
mod told;
mod watched;

use clap::{CommandFactory, FromArgMatches};
use datafusion::error::DataFusionError;
use datafusion::prelude::SessionContext;
use failure::Failure;
use interrupt::{Interrupts, Mode};
use options::{Options, Source};
use printer::Style;
use run::{Ended, Runner};
use running::Running;
use screen::Screen;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use trevni_print::drawing::follow_locale;
use trevni_print::progress;

/// How long tasks may take that are left when the program ends.
const PATIENCE: Duration = Duration::from_secs(1);
/// Memory of a thread's stack, at most: plans are walked by recursion. What is not used is not taken.
const STACK_BYTES: usize = 512 << 20;

/// The whole program: parses the arguments of the process, runs statements, and prints what went wrong. Exit codes are
/// those of `trevni`: 1 for a failure, 2 for what cannot be, 3 for a damaged file, 128 + n where signal n ended it.
#[must_use]
pub fn main() -> ExitCode {
    ExitCode::from(main_with(std::env::args_os(), |_| Ok(())))
}

/// The same with the arguments of another program, of which the first is its name; the exit code. `prepare` may add tables to a session of this
/// process before it knows Trevni's.
#[must_use]
pub fn main_with(
    arguments: impl IntoIterator<Item = OsString>,
    prepare: impl FnOnce(&SessionContext) -> Result<(), DataFusionError> + Send + 'static,
) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let program = move || program(arguments, Box::new(prepare));
    // The stack of the first thread is the system's choice.
    let program = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(program);
    match program.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // It has said why.
        Ok(Err(_)) => 1,
        Err(error) => {
            Failure::io("threads", &error).print();
            1
        }
    }
}

/// What a session gets before it knows Trevni.
type Prepare = Box<dyn FnOnce(&SessionContext) -> Result<(), DataFusionError>>;

fn program(arguments: Vec<OsString>, prepare: Prepare) -> u8 {
    follow_locale();
    let arguments = match Options::command().try_get_matches_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return shown(&error),
    };
    let options = match Options::from_arg_matches(&arguments) {
        Ok(options) => options,
        Err(error) => return shown(&error),
    };
    options.color.write_global();
    progress::configure(options.quiet, options.no_progress, options.progress_after);
    let sources = options.sources(&arguments);
    let ran = runtime(&options).and_then(|runtime| {
        let ran = start(&runtime, &options, sources, prepare);
        runtime.shutdown_timeout(PATIENCE);
        ran
    });
    match ran {
        Ok(Ended::Interrupted(code)) => interrupt::exit(code),
        Ok(Ended::Done | Ended::Quit) => 0,
        // The reader of the output has seen enough.
        Err(failure) if failure.is_closed_pipe() => 0,
        Err(failure) => {
            failure.print();
            failure.code()
        }
    }
}

/// Prints help, the version, or what is wrong with arguments.
fn shown(error: &clap::Error) -> u8 {
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(failure) if !error.use_stderr() && failure.kind() != io::ErrorKind::BrokenPipe => {
            Failure::output(&failure).print();
            1
        }
        _ => u8::try_from(error.exit_code()).unwrap_or(1),
    }
}

fn runtime(options: &Options) -> Result<Runtime, Failure> {
    let mut builder = Builder::new_multi_thread();
    if let Some(threads) = options.threads {
        builder.worker_threads(threads.into());
    }
    builder
        .enable_all()
        .thread_stack_size(STACK_BYTES)
        .build()
        .map_err(|error| Failure::io("threads", &error))
}

/// Runs the statements of the sources; of standard input, if no source is given.
fn start(
    runtime: &Runtime,
    options: &Options,
    mut sources: Vec<Source>,
    prepare: Prepare,
) -> Result<Ended, Failure> {
    let is_shell = sources.is_empty() && io::stdin().is_terminal();
    if sources.is_empty() && !is_shell {
        sources.push(Source::File("-".into()));
    }
    let interrupts = {
        let _context = runtime.enter();
        Interrupts::listen(if is_shell { Mode::Shell } else { Mode::Script })
    };
    let mut runner = Runner {
        session: runtime.block_on(session::session(options, prepare))?,
        style: Style {
            format: options.format,
            header: !options.no_header,
            null: options.null.clone(),
            is_expanded: false,
        },
        is_timed: false,
        format_before: None,
        tables: options.tables.clone(),
        screen: Screen::new(interrupts.clone()),
        interrupts,
        running: Running::on(options.scheduler.clone()),
    };
    if let Some(path) = &options.tables {
        runtime.block_on(kept::load(path, &runner.session))?;
    }
    if is_shell {
        return prompt::run(runtime, &mut runner, options);
    }
    for source in sources {
        let text = match source {
            Source::Text(text) => text,
            Source::File(path) => read(&path)?,
        };
        match runtime.block_on(runner.text(&text))? {
            Ended::Done => {}
            Ended::Quit => return Ok(Ended::Quit),
            Ended::Interrupted(code) => {
                // What is not printed yet is not: a pipe that nobody reads takes nothing.
                std::mem::forget(runner);
                return Ok(Ended::Interrupted(code));
            }
        }
    }
    Ok(Ended::Done)
}

/// The text of a file; `-` is standard input.
fn read(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = match path.as_os_str() == "-" {
        true => io::stdin().read_to_string(&mut text).map(drop),
        false => std::fs::read_to_string(path).map(|read| text = read),
    };
    match read {
        Ok(()) => Ok(text),
        Err(error) if path.as_os_str() == "-" => Err(Failure::io("standard input", &error)),
        Err(error) => Err(Failure::io(path.display(), &error)),
    }
}
