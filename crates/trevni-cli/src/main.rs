//! The program `trevni`.

use std::process::ExitCode;

fn main() -> ExitCode {
    trevni_cli::main()
}
