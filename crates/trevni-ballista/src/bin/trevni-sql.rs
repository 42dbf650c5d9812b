//! The program `trevni-sql`.

use std::process::ExitCode;

fn main() -> ExitCode {
    trevni_ballista::shell::main()
}
