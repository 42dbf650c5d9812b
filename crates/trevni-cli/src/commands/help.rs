//! Completions and the manual page.

use crate::failure::Failure;
use crate::output::Output;
use clap::Command;

pub(crate) fn completions(mut program: Command, shell: clap_complete::Shell) -> Result<u8, Failure> {
    let mut out = Output::new(None, false)?;
    clap_complete::generate(shell, &mut program, "trevni", &mut out);
    out.finish().map(|()| 0)
}

/// The page of the program, or of one of its commands.
pub(crate) fn man(mut command: Command, name: Option<&str>) -> Result<u8, Failure> {
    // Gives commands their full names and the options that all have.
    command.build();
    if let Some(name) = name {
        let found = command.find_subcommand(name).cloned();
        command = found.ok_or_else(|| Failure::usage(format!("there is no command {name:?}")))?;
    }
    let mut out = Output::new(None, false)?;
    let rendered = clap_mangen::Man::new(command).render(&mut out);
    rendered.map_err(|error| out.failed(&error))?;
    out.finish().map(|()| 0)
}
