//! Does all that there is to do with all bombs, with the limits that readers have by default, and prints what took most:
//! `bombs [WORDS OF A NAME]`.

use peak_alloc::PeakAlloc;
use std::time::{Duration, Instant};
use trevni::Limits;
use trevni_fuzz::bombs::{
    Bomb, Form, Work, forms, manifests, on_file, on_manifest, on_summary, summaries, worked,
};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

struct Most {
    bombs: usize,
    runs: usize,
    limits: Limits,
    folder: std::path::PathBuf,
    peak: usize,
    time: Duration,
}

impl Most {
    fn bomb(&mut self, bomb: &Bomb, works: &[Work]) {
        self.bombs += 1;
        for (number, work) in works.iter().enumerate() {
            let before = ALLOCATOR.current_usage();
            ALLOCATOR.reset_peak_usage();
            let (start, wall) = (worked(), Instant::now());
            let done = std::panic::catch_unwind(|| work.run(&bomb.bytes, self.limits, &self.folder));
            let time = worked().zip(start).map_or(wall.elapsed(), |(now, start)| now.saturating_sub(start));
            let peak = ALLOCATOR.peak_usage().saturating_sub(before);
            self.runs += 1;
            let said = match &done {
                Ok(Ok(())) => "done".to_owned(),
                Ok(Err(error)) => error.to_string(),
                Err(_) => "PANIC".to_owned(),
            };
            if peak > 512 << 20 || time > Duration::from_secs(2) || done.is_err() {
                println!("OVER {} MiB, {time:?}: {}: {}: {said}", peak >> 20, work.name, bomb.name);
            }
            if peak > self.peak {
                println!("{} MiB: {}: {}: {said}", peak >> 20, work.name, bomb.name);
            }
            if time > self.time {
                println!("{time:?}: {}: {}: {said}", work.name, bomb.name);
            }
            (self.peak, self.time) = (self.peak.max(peak), self.time.max(time));
            if number == 2 && !matches!(works[0].run(&bomb.bytes, self.limits, &self.folder), Ok(())) {
                return;
            }
        }
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let folder = std::env::temp_dir().join(format!("trevni-bombs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder is made");
    let values = std::env::var("VALUES").ok().and_then(|values| values.parse().ok());
    let limits = values.map_or(Limits::DEFAULT, |values| Limits::DEFAULT.rows_without_bytes(values));
    let mut most = Most { bombs: 0, runs: 0, limits, folder, peak: 0, time: Duration::ZERO };
    let start = Instant::now();
    let mut all = |forms: Vec<Form>, works: &[Work]| {
        for form in forms.iter().filter(|form| words.iter().all(|word| form.name.contains(&**word))) {
            let begin = Instant::now();
            if !form.is_large {
                let whole = form.whole();
                for work in works {
                    if let Err(error) = work.run(&whole.bytes, limits, &most.folder) {
                        println!("NOT WHOLE: {}: {}: {error}", work.name, whole.name);
                    }
                }
            }
            if std::env::var_os("WHOLE").is_some() {
                continue;
            }
            form.bombs().for_each(|bomb| most.bomb(&bomb, works));
            if begin.elapsed() > Duration::from_secs(1) {
                println!("form {}: {:?}", form.name, begin.elapsed());
            }
        }
    };
    all(forms(), &on_file());
    all(summaries(), &[on_summary()]);
    all(manifests(), &[on_manifest()]);
    println!(
        "{} bombs, {} runs, {} MiB at most, {:?} at most, in {:?}",
        most.bombs,
        most.runs,
        most.peak >> 20,
        most.time,
        start.elapsed()
    );
    std::fs::remove_dir_all(&most.folder).expect("the folder is removed");
}
