//! Writes the inputs to begin with to `fuzz/corpus/TARGET`, for libFuzzer.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (target, _) in trevni_fuzz::TARGETS {
        let folder = root.join(target);
        std::fs::create_dir_all(&folder)?;
        for (name, bytes) in trevni_fuzz::corpus::of(target) {
            std::fs::write(folder.join(name), bytes)?;
        }
    }
    Ok(())
}
