//! Help on commands and topics, completions, and the manual page.

use crate::failure::Failure;
use crate::output::Output;
use clap::Command;
use std::io::Write;
use trevni_query::paths::near;

/// What there is help on, beside commands.
const TOPICS: [(&str, &str); 1] = [("expressions", trevni_query::LANGUAGE)];

/// The help of the program, of one of its commands, or on a topic.
pub(crate) fn help(program: Command, name: Option<&str>) -> Result<u8, Failure> {
    let topic = name.and_then(|name| TOPICS.iter().find(|(topic, _)| *topic == name));
    if let Some((_, text)) = topic {
        let mut out = Output::new(None, false)?;
        out.write_all(text.as_bytes()).map_err(|error| out.failed(&error))?;
        return out.finish().map(|()| 0);
    }
    let mut shown = match name {
        Some(name) => command(program, name)?,
        None => program,
    };
    let printed = shown.print_long_help();
    printed.map(|()| 0).map_err(|error| Failure::io("standard output", &error))
}

/// One of the commands.
fn command(mut program: Command, name: &str) -> Result<Command, Failure> {
    // Gives commands their full names and the options that all have.
    program.build();
    program.find_subcommand(name).cloned().ok_or_else(|| {
        let names = program.get_subcommands().map(|own| own.get_name().to_owned());
        let names: Vec<String> = names.chain(TOPICS.map(|(topic, _)| topic.to_owned())).collect();
        Failure::usage(format!("there is no command {name:?}{}", near(name, &names)))
    })
}

pub(crate) fn completions(mut program: Command, shell: clap_complete::Shell) -> Result<u8, Failure> {
    // It panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, "trevni", &mut script);
    let mut out = Output::new(None, false)?;
    out.write_all(&script).map_err(|error| out.failed(&error))?;
    out.finish().map(|()| 0)
}

/// The page of the program, or of one of its commands.
pub(crate) fn man(mut program: Command, name: Option<&str>) -> Result<u8, Failure> {
    let page = match name {
        Some(name) => command(program, name)?,
        None => {
            program.build();
            program
        }
    };
    let mut out = Output::new(None, false)?;
    let rendered = clap_mangen::Man::new(page).render(&mut out);
    rendered.map_err(|error| out.failed(&error))?;
    out.finish().map(|()| 0)
}
