//! Makes the JavaScript package and the viewer: `trevni-wasm-pack MODULE CRATE OUT`. It takes the place of the program wasm-bindgen, so
//! that nothing but cargo is needed, and of just the version that the module is built with.

mod single;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};
use wasm_bindgen_cli_support::Bindgen;

/// How the glue begins and ends: a script that makes one module. It becomes a function that makes one for each file, so that a fault
/// in one file does not affect the others, and the memory of a file ends with it.
const BEGIN: (&str, &str) =
    ("let wasm_bindgen = (function(exports) {", "export const instance = () => (function(exports) {");
const END: (&str, &str) = ("})({ __proto__: null });", "})({ __proto__: null });");

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [module, of, out] = &args[..] else { return Err("usage: trevni-wasm-pack MODULE CRATE OUT".into()) };
    let (package, viewer) = (out.join("package"), out.join("viewer"));
    for folder in [&package, &viewer] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
    }
    let mut output = Bindgen::new()
        .input_path(module)
        .no_modules(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate_output()?;
    let glue = output.js().trim();
    let glue = glue
        .strip_prefix(BEGIN.0)
        .and_then(|glue| glue.strip_suffix(END.0))
        .ok_or("the glue of wasm-bindgen has another beginning or end")?;
    fs::write(package.join("module.js"), format!("{}{glue}{}\n", BEGIN.1, END.1))?;
    fs::write(package.join("module.wasm"), output.wasm_mut().emit_wasm())?;
    copy(&of.join("js"), &package)?;
    fs::copy(of.join("README.md"), package.join("README.md"))?;
    copy(&of.join("viewer"), &viewer)?;
    // The style of `trevni report`.
    fs::copy(of.join("../trevni-report/src/html/style.css"), viewer.join("report.css"))?;
    copy(&package, &viewer.join("trevni"))?;
    fs::write(out.join("viewer.html"), single::page(&viewer)?)?;
    Ok(())
}

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}
