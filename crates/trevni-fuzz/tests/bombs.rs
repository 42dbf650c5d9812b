//! Bombs of all forms of docs/format.md, and all that is done with files: nothing panics, and nothing takes much memory.
//!
//! Every other number of each form is at one of its extremes in a usual run, in turns, and some of the large files are there.
//! `TREVNI_TEST_BOMBS=all` tries each number at all of them, and all files. The time is told and not judged: tests never depend on it.
//! `cargo run --release -p trevni-fuzz --example bombs` measures it, with the limits that readers have by default.

use peak_alloc::PeakAlloc;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use trevni::Limits;
use trevni_fuzz::bombs::{
    Bomb, Form, Work, forms, manifests, on_file, on_manifest, on_summary, summaries, tables, worked,
};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

static ALONE: Mutex<()> = Mutex::new(());

/// The counter is the process's.
fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

const MOST: usize = 512 << 20;
/// What hands over all rows at once may make four times as much.
const MOST_AT_ONCE: usize = 3 * MOST;

/// The limits bound the time of a test. In a usual run the memory is half of what readers may have by default.
fn limits() -> Limits {
    let limits = Limits::default().rows_without_bytes(1 << 16);
    if are_all() { limits } else { limits.memory(128 << 20) }
}

/// Whether each number is tried at all of its extremes.
fn are_all() -> bool {
    std::env::var("TREVNI_TEST_BOMBS").is_ok_and(|wanted| wanted == "all")
}

/// What was done, and what took most.
#[derive(Default)]
struct Done {
    bombs: usize,
    runs: usize,
    peak: (usize, String),
}

impl Done {
    fn add(&mut self, bomb: &Bomb, works: &[Work], folder: &Path) {
        self.bombs += 1;
        let mut is_opened = true;
        for (number, work) in works.iter().enumerate() {
            // What is not opened is not read; the first three open it in ways of their own.
            if number > 2 && !is_opened {
                break;
            }
            let before = ALLOCATOR.current_usage();
            ALLOCATOR.reset_peak_usage();
            let done = std::panic::catch_unwind(|| work.run(&bomb.bytes, limits(), folder));
            let peak = ALLOCATOR.peak_usage().saturating_sub(before);
            let Ok(done) = done else { panic!("{}: {}", work.name, bomb.name) };
            is_opened &= number > 0 || done.is_ok();
            let most = if work.name == "raw columns" { MOST_AT_ONCE } else { MOST };
            assert!(peak <= most, "{} MiB: {}: {}", peak >> 20, work.name, bomb.name);
            if peak > self.peak.0 {
                self.peak = (peak, format!("{}: {}", work.name, bomb.name));
            }
            self.runs += 1;
        }
    }
}

/// A folder for files, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let memory = PathBuf::from("/dev/shm");
        let folder = if memory.is_dir() { memory } else { std::env::temp_dir() };
        let folder = folder.join(format!("trevni-bombs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn run(what: &str, forms: &[Form], works: &[Work]) {
    let _alone = alone();
    let (folder, start) = (Folder::new(), worked());
    let mut done = Done::default();
    for (turn, form) in forms.iter().enumerate() {
        let bombs: Box<dyn Iterator<Item = Bomb>> =
            if are_all() { Box::new(form.bombs()) } else { Box::new(form.some(turn)) };
        let begin = worked();
        bombs.for_each(|bomb| done.add(&bomb, works, &folder.0));
        if let Some(time) = worked().zip(begin).map(|(now, begin)| now.saturating_sub(begin))
            && time.as_secs() > 1
        {
            println!("{time:?}: {}", form.name);
        }
    }
    let Done { bombs, runs, peak: (peak, of) } = done;
    let time = worked().zip(start).map(|(now, start)| now.saturating_sub(start));
    println!(
        "{what}: {} forms, {bombs} bombs, {runs} runs, {} MiB at most ({of}), {time:?}",
        forms.len(),
        peak >> 20
    );
}

#[test]
fn numbers_at_their_extremes() {
    let forms: Vec<Form> = forms().into_iter().filter(|form| !form.is_large).collect();
    run("numbers", &forms, &on_file());
}

#[test]
fn few_bytes_that_say_much() {
    let mut forms: Vec<Form> = forms().into_iter().filter(|form| form.is_large).collect();
    if !are_all() {
        // Those of one column take as much memory in less time, and some of each kind are enough.
        forms.retain(|form| !form.name.ends_with(" 16 columns"));
        forms = forms.into_iter().step_by(6).collect();
    }
    run("large files", &forms, &on_file());
}

#[test]
fn summaries_and_manifests() {
    run("summaries", &summaries(), &[on_summary()]);
    run("manifests", &manifests(), &[on_manifest()]);
}

/// A form is reached only where the file is right but for the number.
#[test]
fn files_without_a_change_are_whole() {
    let _alone = alone();
    let folder = Folder::new();
    for form in forms().iter().filter(|form| !form.is_large) {
        let whole = form.whole();
        for work in on_file() {
            let done = work.run(&whole.bytes, limits(), &folder.0);
            assert!(done.is_ok(), "{}: {}: {done:?}", work.name, form.name);
        }
    }
}

/// The words in the first cells of a table of a chapter of docs/format.md: of the first table behind some words.
fn first_cells(page: &str, chapter: &str, words: &str) -> BTreeSet<String> {
    let (_, rest) = page.split_once(&format!("\n## {chapter}\n")).unwrap_or_else(|| panic!("## {chapter}"));
    let chapter = rest.split("\n## ").next().unwrap_or_default();
    let (_, behind) = chapter.split_once(words).unwrap_or_else(|| panic!("{words}"));
    let is_row = |line: &&str| line.starts_with('|');
    let rows = behind.lines().skip_while(|line| !is_row(line)).take_while(is_row).skip(2);
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    cells.flat_map(|cell| cell.split(',')).map(|word| word.trim().replace('`', "")).collect()
}

/// Each form that a table of docs/format.md has is built: one that is added there is missing here.
#[test]
fn all_forms_of_the_tables_are_built() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/format.md");
    let page = std::fs::read_to_string(path).unwrap();
    for (chapter, words, built) in tables() {
        let built: BTreeSet<String> = built.into_iter().collect();
        assert_eq!(first_cells(&page, chapter, words), built, "{chapter}: {words}");
    }
}
