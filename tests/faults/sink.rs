//! A sink that fails, writes less, writes nothing, is interrupted or panics, at any call and any byte.

use crate::folder::Folder;
use crate::rows::{DIALECTS, builder, file, row};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};
use trevni::merge::Merge;
use trevni::{AtomicFile, Category, Dialect, Reader, WriterBuilder};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Fails,
    /// Takes no byte, as a full device of some systems.
    Nothing,
    /// Takes one byte.
    Short,
    Interrupted,
    Panics,
}

const FAULTS: [Fault; 5] = [Fault::Fails, Fault::Nothing, Fault::Short, Fault::Interrupted, Fault::Panics];

/// Where the fault is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum At {
    Nowhere,
    /// A call of `write`, from 0 on, and all after it.
    Call(usize),
    /// The first call that goes beyond so many bytes; those before the fault are taken.
    Byte(usize),
    /// The call of `flush`.
    Flush,
}

/// A sink with a fault.
struct Faulty<W> {
    inner: W,
    fault: Fault,
    at: At,
    calls: usize,
    bytes: usize,
    /// Whether the fault that comes only once has come.
    came: bool,
}

const FULL: &str = "the disk is full";
const PANICS: &str = "the sink panics";

impl<W: Write> Faulty<W> {
    fn new(inner: W, fault: Fault, at: At) -> Self {
        Self { inner, fault, at, calls: 0, bytes: 0, came: false }
    }

    /// What the fault does; whether it is over.
    fn fault(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.came = true;
        match self.fault {
            Fault::Fails => Err(io::Error::new(io::ErrorKind::StorageFull, FULL)),
            Fault::Nothing => Ok(0),
            Fault::Short => self.inner.write(bytes.get(..1).unwrap_or_default()),
            Fault::Interrupted => Err(io::ErrorKind::Interrupted.into()),
            Fault::Panics => panic!("{PANICS}"),
        }
    }

    fn is_over(&self) -> bool {
        self.came && self.fault == Fault::Interrupted
    }
}

impl<W: Write> Write for Faulty<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        let room = match self.at {
            At::Call(call) if self.calls > call => 0,
            At::Byte(byte) => byte - self.bytes.min(byte),
            _ => usize::MAX,
        };
        if room == 0 && !bytes.is_empty() && !self.is_over() {
            return self.fault(bytes);
        }
        let room = if room == 0 { bytes.len() } else { room.min(bytes.len()) };
        let count = self.inner.write(&bytes[..room])?;
        self.bytes += count;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.at {
            At::Flush if self.fault == Fault::Fails => Err(io::Error::new(io::ErrorKind::StorageFull, FULL)),
            At::Flush if self.fault == Fault::Panics => panic!("{PANICS}"),
            _ => self.inner.flush(),
        }
    }
}

const ROWS: u64 = 60;

type Sink = Faulty<AtomicFile>;

/// Writes a file to a sink.
type Work<'a> = &'a dyn Fn(Sink) -> trevni::Result<Sink>;

/// Writes rows.
fn write(builder: WriterBuilder, sink: Sink) -> trevni::Result<Sink> {
    let mut writer = builder.build(sink)?;
    for number in 0..ROWS {
        writer.write(&row(number))?;
    }
    writer.finish()
}

/// Makes one file of two.
fn merge(files: &[Vec<u8>], dialect: Dialect, mut sink: Sink) -> trevni::Result<Sink> {
    let readers: Vec<Reader<'_>> =
        files.iter().map(|file| Reader::from_slice(file)).collect::<trevni::Result<_>>()?;
    Merge::new().dialect(dialect).write(&readers, &mut sink)?;
    Ok(sink)
}

/// Writes a file through a sink with a fault; the calls and bytes of the sink.
fn through(path: &Path, work: Work<'_>, fault: Fault, at: At) -> trevni::Result<(usize, usize)> {
    let sink = work(Faulty::new(AtomicFile::create(path)?, fault, at))?;
    sink.inner.commit()?;
    Ok((sink.calls, sink.bytes))
}

/// Files that were begun.
static TRIED: AtomicUsize = AtomicUsize::new(0);

/// Writes with a fault, and looks at what comes back and at what is left.
fn try_write(folder: &Folder, work: Work<'_>, whole: &[u8], fault: Fault, at: At) {
    let path = folder.0.join("f.trv");
    fs::write(&path, "old").unwrap();
    TRIED.fetch_add(1, Ordering::Relaxed);
    let written = catch_unwind(AssertUnwindSafe(|| through(&path, work, fault, at)));
    let is_new = match (fault, written) {
        // Threads may write the same bytes in fewer calls: the fault then comes in the one before.
        (_, Ok(Ok((calls, _)))) if matches!(at, At::Call(call) if calls > 1 && calls <= call) => {
            assert!(fs::read(&path).unwrap() == whole, "{fault:?} {at:?}");
            return try_write(folder, work, whole, fault, At::Call(calls - 1));
        }
        (Fault::Short | Fault::Interrupted, Ok(Ok(_))) => true,
        (Fault::Fails | Fault::Nothing, Ok(Err(error))) => {
            assert_eq!(error.category(), Category::Io, "{at:?}: {error}");
            let text = if fault == Fault::Fails { FULL } else { "write" };
            assert!(error.to_string().contains(text), "{at:?}: {error}");
            false
        }
        (Fault::Panics, Err(panic)) => {
            assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some(PANICS), "{at:?}");
            false
        }
        (_, Ok(other)) => panic!("{fault:?} {at:?}: {other:?}"),
        (_, Err(_)) => panic!("{fault:?} {at:?}: a panic that is not that of the sink"),
    };
    assert!(fs::read(&path).unwrap() == if is_new { whole } else { b"old" }, "{fault:?} {at:?}");
    assert_eq!(folder.names(), ["f.trv"], "{fault:?} {at:?}");
}

/// Faults at calls and at bytes at some distance.
fn try_all(folder: &Folder, work: Work<'_>, whole: &[u8], step: usize) {
    let path = folder.0.join("f.trv");
    let (calls, bytes) = through(&path, work, Fault::Fails, At::Nowhere).unwrap();
    assert!(calls > 1 && bytes == whole.len(), "{calls} calls, {bytes} bytes");
    for fault in FAULTS {
        for call in (0..calls).step_by(step).chain([calls - 1]) {
            try_write(folder, work, whole, fault, At::Call(call));
        }
        // A file that is whole in the end waits for the disk each time.
        let every = if matches!(fault, Fault::Short | Fault::Interrupted) { 16 } else { 1 };
        for byte in (0..bytes).step_by(step * every).chain([bytes - 1]) {
            try_write(folder, work, whole, fault, At::Byte(byte));
        }
    }
    for fault in [Fault::Fails, Fault::Panics] {
        try_write(folder, work, whole, fault, At::Flush);
    }
}

/// A folder for this process's temporary files alone; the test runs again in a process that has it.
const TEMPORARY: &str = "TREVNI_TEST_SINK_FOLDER";

#[test]
fn sinks_that_fail_anywhere_leave_nothing() {
    if std::env::var_os(TEMPORARY).is_none() {
        let folder = Folder::new("sinks-temporary");
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "sink::sinks_that_fail_anywhere_leave_nothing", "--nocapture"]);
        let output = child.env(TEMPORARY, "1").env("TMPDIR", &folder.0).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        // Blocks that waited in temporary files are gone too.
        assert_eq!(folder.names(), [""; 0]);
        let text = String::from_utf8(output.stdout).unwrap();
        println!("{}", text.lines().find(|line| line.starts_with("sinks:")).unwrap());
        return;
    }
    std::panic::set_hook(Box::new(|panic| match panic.payload().downcast_ref::<String>() {
        Some(text) if text == PANICS => {}
        _ => eprintln!("{panic}"),
    }));
    for dialect in DIALECTS {
        let whole = file(dialect, ROWS);
        thread::scope(|scope| {
            for (threads, memory) in [(1, u64::MAX), (3, u64::MAX), (1, 200), (3, 200)] {
                let whole = &whole;
                scope.spawn(move || {
                    let folder = Folder::new(&format!("sinks-{dialect:?}-{threads}-{memory}"));
                    let builder = builder(dialect).threads(threads);
                    // Row groups of RedElm would be smaller.
                    let memory = if dialect == Dialect::RedElm { u64::MAX } else { memory };
                    let builder = builder.memory_limit(memory);
                    let work = |sink| write(builder.clone(), sink);
                    let step = if threads == 1 && memory == u64::MAX { 3 } else { 41 };
                    try_all(&folder, &work, whole, step);
                });
            }
            scope.spawn(|| {
                let folder = Folder::new(&format!("sinks-{dialect:?}-merge"));
                let files = [whole.clone(), file(dialect, ROWS / 2)];
                let work = |sink| merge(&files, dialect, sink);
                let path = folder.0.join("merged");
                through(&path, &work, Fault::Fails, At::Nowhere).unwrap();
                let merged = fs::read(&path).unwrap();
                assert_eq!(Reader::from_slice(&merged).unwrap().row_count(), ROWS + ROWS / 2);
                fs::remove_file(path).unwrap();
                try_all(&folder, &work, &merged, 41);
            });
        });
    }
    println!("\nsinks: {} files, each with a fault", TRIED.load(Ordering::Relaxed));
}
