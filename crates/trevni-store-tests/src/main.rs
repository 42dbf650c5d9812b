//! The command line of trevni with stores.

use std::process::ExitCode;

fn main() -> ExitCode {
    trevni_cli::main()
}
