//! Completions and the manual page.

use crate::args::Cli;
use crate::failure::Failure;
use crate::output::Output;
use clap::CommandFactory;

pub(crate) fn completions(shell: clap_complete::Shell) -> Result<u8, Failure> {
    let mut out = Output::new(None, false)?;
    clap_complete::generate(shell, &mut Cli::command(), "trevni", &mut out);
    out.finish().map(|()| 0)
}

pub(crate) fn man() -> Result<u8, Failure> {
    let mut out = Output::new(None, false)?;
    let rendered = clap_mangen::Man::new(Cli::command()).render(&mut out);
    rendered.map_err(|error| out.failed(&error))?;
    out.finish().map(|()| 0)
}
