//! The viewer as one file: a browser runs no modules of a folder from `file://`, but it runs what is in the page.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fs;
use std::path::Path;

/// The modules of the worker and of the page, each after those that it imports.
const WORKER: [&str; 6] = [
    "trevni/error.js",
    "trevni/module.js",
    "trevni/source.js",
    "trevni/stats.js",
    "trevni/index.js",
    "worker.js",
];
const PAGE: [&str; 7] =
    ["client.js", "element.js", "shown.js", "grid.js", "panel.js", "tree.js", "viewer.js"];
const STYLES: [&str; 2] = ["report.css", "viewer.css"];

/// Makes the worker of what is in the page.
const BEGIN: &str = r#"const part = (id) => document.getElementById(id).textContent;
globalThis.trevniWorker = URL.createObjectURL(new Blob([`globalThis.trevniModule = "${part("module")}";\n`, part("worker")], { type: "text/javascript" }));
"#;

/// One page of the files in the folder of the viewer.
pub(crate) fn page(viewer: &Path) -> Result<String, Box<dyn Error>> {
    let read = |name: &str| fs::read_to_string(viewer.join(name));
    let style = STYLES.iter().map(|name| read(name)).collect::<Result<String, _>>()?;
    let script = BEGIN.to_owned() + &bundle(viewer, &PAGE)?;
    // A script that is no module.
    let worker = "\"use strict\";\n".to_owned()
        + &bundle(viewer, &WORKER)?.replace("import.meta.url", "location.href");
    let module = STANDARD.encode(fs::read(viewer.join("trevni/module.wasm"))?);
    if [&script, &worker].iter().any(|text| text.contains("</script") || text.contains("<!--")) {
        return Err("a script has what ends it in a page".into());
    }
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let policy = format!(
        "default-src 'none'; script-src {} 'wasm-unsafe-eval' blob:; worker-src blob:; style-src {}; img-src data:; \
         connect-src http: https: blob:; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(&style),
    );
    let mut page = read("index.html")?;
    let start = page.find("default-src").ok_or("the page has no policy")?;
    let end = start + page[start..].find('"').ok_or("the policy has no end")?;
    page.replace_range(start..end, &policy);
    let icon = format!("data:image/svg+xml;base64,{}", STANDARD.encode(read("icon.svg")?.trim()));
    for (from, to) in [
        ("icon.svg", icon),
        ("<link rel=\"stylesheet\" href=\"report.css\">\n", String::new()),
        ("<link rel=\"stylesheet\" href=\"viewer.css\">", format!("<style>{style}</style>")),
        ("<script type=\"module\" src=\"viewer.js\"></script>\n", String::new()),
        (
            "</body>",
            format!(
                "<script type=\"text/plain\" id=\"worker\">{worker}</script>\n<script type=\"text/plain\" id=\"module\">{module}</script>\n\
                 <script type=\"module\">{script}</script>\n</body>"
            ),
        ),
    ] {
        if page.matches(from).count() != 1 {
            return Err(format!("the page has not one {from}").into());
        }
        page = page.replace(from, &to);
    }
    Ok(page)
}

/// Some modules as one script: each is a function that returns what it exports.
fn bundle(folder: &Path, names: &[&str]) -> Result<String, Box<dyn Error>> {
    let mut out = String::new();
    for name in names {
        let (mut body, mut exports) = (String::new(), Vec::new());
        for line in fs::read_to_string(folder.join(name))?.lines() {
            if let Some((imported, from)) =
                line.strip_prefix("import {").and_then(|rest| rest.split_once("} from \""))
            {
                body += &format!("const {{{imported}}} = {};\n", variable(from.trim_end_matches("\";")));
            } else if let Some(again) = line.strip_prefix("export { ") {
                exports.push(again.trim_end_matches(" };").to_owned());
            } else if let Some(exported) = line.strip_prefix("export ") {
                let rest = ["async ", "function ", "class ", "const "]
                    .iter()
                    .fold(exported, |rest, word| rest.strip_prefix(word).unwrap_or(rest));
                let end = rest.find(|one: char| !one.is_alphanumeric()).unwrap_or(rest.len());
                exports.push(rest[..end].to_owned());
                body += exported;
                body.push('\n');
            } else {
                body += line;
                body.push('\n');
            }
        }
        let exports = exports.join(", ");
        out += &format!("const {} = (() => {{\n{body}return {{ {exports} }};\n}})();\n", variable(name));
    }
    Ok(out)
}

/// What a module is in a script: `$index` for `./trevni/index.js`.
fn variable(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    format!("${}", name.trim_end_matches(".js"))
}
