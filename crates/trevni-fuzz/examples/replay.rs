//! Runs a target over the files of a folder, or over one file: `replay TARGET PATH`. To look at what has failed, and to measure what
//! the inputs that libFuzzer has found reach.

use std::fs;
use std::path::PathBuf;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, path] = &*arguments else {
        panic!("replay TARGET PATH");
    };
    let (_, run) = trevni_fuzz::TARGETS.into_iter().find(|(name, _)| name == target).expect("a target");
    let mut paths = vec![PathBuf::from(path)];
    if let Ok(folder) = fs::read_dir(path) {
        paths = folder.map(|entry| entry.expect("the folder is read").path()).collect();
        paths.sort();
    }
    let failed: Vec<&PathBuf> = paths
        .iter()
        .filter(|path| {
            let bytes = fs::read(path).expect("a file is read");
            std::panic::catch_unwind(|| run(&bytes)).is_err()
        })
        .collect();
    failed.iter().for_each(|path| eprintln!("{target}: {}", path.display()));
    println!("{target}: {} inputs, {} failed", paths.len(), failed.len());
    assert!(failed.is_empty());
}
