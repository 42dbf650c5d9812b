//! What a child process does: writes a file, appends to a dataset, or merges files.

use crate::rows::{builder, row};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use trevni::merge::Merge;
use trevni::{DatasetWriter, Dialect, Reader, Writer};

const JOB: &str = "TREVNI_TEST_FAULTS_JOB";
const FOLDER: &str = "TREVNI_TEST_FAULTS_FOLDER";

/// What a process does in a folder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Job {
    /// Replaces `f.trv`.
    Write,
    /// The same with threads and little memory, so that blocks wait in a temporary file.
    Spill,
    /// The same as RedElm, which is written as it comes.
    RedElm,
    /// Appends parts to the dataset `parts`.
    Append,
    /// Makes `f.trv` of the parts of the dataset.
    Merge,
}

pub(crate) const JOBS: [Job; 5] = [Job::Write, Job::Spill, Job::RedElm, Job::Append, Job::Merge];
/// Rows of a file, and of all parts that are appended.
pub(crate) const ROWS: u64 = 12_000;
/// Rows of a part.
pub(crate) const PART: u64 = 1500;

impl Job {
    /// Makes what the job finds in a folder.
    pub(crate) fn prepare(self, folder: &Path) {
        fs::create_dir_all(folder.join("parts")).unwrap();
        let options = DatasetWriter::builder().part_rows(PART);
        let mut writer = options.append(folder.join("parts")).unwrap();
        writer.write_all((0..2 * PART).map(row)).unwrap();
        writer.finish().unwrap();
        fs::write(folder.join("f.trv"), "old").unwrap();
    }

    fn run(self, folder: &Path) -> trevni::Result<()> {
        let write = |mut writer: Writer<trevni::AtomicFile>| {
            writer.write_all((0..ROWS).map(row))?;
            writer.finish().map(drop)
        };
        let path = folder.join("f.trv");
        match self {
            Self::Write => write(builder(Dialect::Trevni).create(path)?),
            Self::Spill => write(builder(Dialect::Trevni).threads(2).memory_limit(1000).create(path)?),
            Self::RedElm => write(builder(Dialect::RedElm).create(path)?),
            Self::Append => {
                let options = DatasetWriter::builder().part_rows(PART);
                let mut writer = options.append(folder.join("parts"))?;
                writer.write_all((0..ROWS).map(row))?;
                writer.finish().map(drop)
            }
            Self::Merge => {
                let names = (0..2).map(|part| folder.join(format!("parts/part-{part:05}.trv")));
                let readers: Vec<Reader<'static>> = names.map(Reader::open).collect::<trevni::Result<_>>()?;
                let readers: Vec<Reader<'static>> = readers.iter().cycle().take(8).cloned().collect();
                Merge::new().codec(trevni::Codec::Deflate).create(&readers, path).map(drop)
            }
        }
    }

    /// The command that does it in a folder, by the test of a name. The child calls [`serve`].
    pub(crate) fn command(self, test: &str, folder: &Path) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", r#"exec "$0" "$@""#]).arg(env::current_exe().unwrap());
        command.args(["--exact", test, "--nocapture"]);
        command.env(JOB, format!("{self:?}")).env(FOLDER, folder);
        command
    }
}

/// Says that the work begins.
pub(crate) const BEGUN: &str = "begun";

/// Does the job where this process is a child that is to do one, and ends it: with 0, or with 1 after an error.
pub(crate) fn serve() {
    let Some(name) = env::var_os(JOB) else { return };
    let job = JOBS.into_iter().find(|job| name == format!("{job:?}").as_str()).unwrap();
    let folder = PathBuf::from(env::var_os(FOLDER).unwrap());
    println!("\n{BEGUN}");
    match job.run(&folder) {
        Ok(()) => std::process::exit(0),
        Err(error) => {
            println!("{:?}: {error}", error.category());
            std::process::exit(1)
        }
    }
}

/// What is in a folder after the job: whether all of it is done. Files that are damaged, half there or beside what
/// there should be are a panic.
pub(crate) fn is_done(job: Job, folder: &Path, new: &[u8]) -> bool {
    if job == Job::Append {
        let rows: Vec<_> = trevni::Dataset::open(folder.join("parts")).unwrap().rows().unwrap().collect();
        let rows: Vec<crate::rows::Row> = rows.into_iter().map(Result::unwrap).collect();
        let appended = rows.len() as u64 - 2 * PART;
        assert!(appended.is_multiple_of(PART) && appended <= ROWS, "{} rows", rows.len());
        assert!(rows == (0..2 * PART).chain(0..appended).map(row).collect::<Vec<_>>());
        return appended == ROWS;
    }
    let found = fs::read(folder.join("f.trv")).unwrap();
    assert!(found == new || found == b"old", "{job:?}: {} bytes", found.len());
    found == new
}

/// What the job makes where nothing fails: nothing for parts.
pub(crate) fn whole(job: Job, folder: &Path) -> Vec<u8> {
    job.prepare(folder);
    job.run(folder).unwrap();
    if job == Job::Append { Vec::new() } else { fs::read(folder.join("f.trv")).unwrap() }
}

/// Hidden files in the folder and in the dataset.
pub(crate) fn hidden(folder: &Path) -> usize {
    let names = [folder.to_owned(), folder.join("parts")].map(|folder| fs::read_dir(folder).unwrap());
    let names = names.into_iter().flatten().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().starts_with('.')).count()
}
