//! Where a text comes from: a file or standard input, plain or packed. It can be read again.

use super::decoded::Decoded;
use crate::failure::{DAMAGED, Failure};
use crate::format::Format;
use crate::input::{self, Opened, Spooled, Stream, is_standard, name_of, spool};
use crate::interrupt;
use crate::packing::Packing;
use crate::progress::Progress;
use crate::remote;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

/// Bytes that are looked at to detect the format.
const START: u64 = 4096;
/// Bytes of lines that are left out that are read at once.
const BUFFER: usize = 1 << 17;
/// The mark that some programs put before UTF-8.
const BOM: [u8; 3] = [0xef, 0xbb, 0xbf];

/// A text that can be read several times.
pub struct TextSource {
    /// How messages call it.
    pub name: String,
    body: Body,
    packing: Option<Packing>,
    /// Whether this is text, so that a byte order mark is no part of it.
    is_text: bool,
    /// The encoding, if it is not UTF-8.
    encoding: Option<&'static Encoding>,
    /// Lines at the beginning that are no part of the text.
    skipped: u64,
    /// The first bytes of the text.
    pub start: Vec<u8>,
}

enum Body {
    Path(PathBuf),
    Object(remote::Object),
    Spooled(Spooled),
}

/// Bytes that can be read by another thread.
type Bytes<'a> = Box<dyn Read + Send + 'a>;

impl TextSource {
    /// Opens a file; `-` is standard input, which is kept, as is all else that can be read only once.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        Self::encoded(path, None)
    }

    /// As [`open`](Self::open), of an encoding; none for UTF-8, or UTF-16 with its mark.
    pub fn encoded(path: &Path, encoding: Option<&'static Encoding>) -> Result<Self, Failure> {
        let check = if encoding.is_some() { |_: &str, _: &[u8]| Ok(()) } else { may_be_text };
        Self::unseen(path, check)?.seen(encoding)
    }

    /// What was read of a stream, as [`encoded`](Self::encoded).
    pub fn spooled(
        name: String,
        spooled: Spooled,
        encoding: Option<&'static Encoding>,
    ) -> Result<Self, Failure> {
        Self::new(name, Body::Spooled(spooled)).seen(encoding)
    }

    /// Looks at the first bytes.
    fn seen(self, encoding: Option<&'static Encoding>) -> Result<Self, Failure> {
        let mut source = self;
        let failed = |error: io::Error| Failure::io(&source.name, &error);
        let mut magic = Vec::new();
        source.raw().and_then(|raw| raw.take(10).read_to_end(&mut magic)).map_err(failed)?;
        source.packing = Packing::of_start(&magic);
        source.encoding = encoding.filter(|encoding| *encoding != UTF_8);
        source.start = source.beginning()?;
        let marked = match source.start.as_slice() {
            [0xff, 0xfe, ..] => Some(UTF_16LE),
            [0xfe, 0xff, ..] => Some(UTF_16BE),
            _ => None,
        };
        if let (None, Some(_)) = (encoding, marked) {
            source.encoding = marked;
            source.start = source.beginning()?;
        }
        Ok(source)
    }

    fn beginning(&self) -> Result<Vec<u8>, Failure> {
        let mut start = Vec::new();
        let read = self.reader()?.take(START).read_to_end(&mut start);
        read.map_err(|error| Failure::io(&self.name, &error))?;
        Ok(start)
    }

    /// Leaves lines at the beginning out.
    pub fn skip_lines(&mut self, lines: u64) {
        self.skipped = lines;
    }

    /// The line at which the text begins, from 1.
    pub(crate) fn first_line(&self) -> u64 {
        self.skipped + 1
    }

    /// Opens a file as [`open`](Self::open) does, whatever it begins with. It is packed where its name says so.
    #[cfg(feature = "protobuf")]
    pub fn binary(path: &Path) -> Result<Self, Failure> {
        Ok(Self { packing: Packing::of_name(path), is_text: false, ..Self::unseen(path, |_, _| Ok(()))? })
    }

    /// Opens a file. What can be read only once is kept, if its first bytes pass a check: it may have no end.
    fn unseen(path: &Path, check: fn(&str, &[u8]) -> Result<(), Failure>) -> Result<Self, Failure> {
        if remote::is_url(path) {
            let object = remote::open(path)?;
            let (name, body) = (object.url().to_owned(), Body::Object(object));
            return Ok(Self::new(name, body));
        }
        let (standard, name) = (is_standard(path), name_of(path));
        let failed = |error: io::Error| Failure::io(&name, &error);
        let kept = |mut stream: Stream| {
            let mut start = Vec::new();
            stream.by_ref().take(START).read_to_end(&mut start).map_err(failed)?;
            check(&name, &start)?;
            spool(start.chain(stream)).map(Body::Spooled).map_err(failed)
        };
        let body = if standard {
            kept(Stream::standard())?
        } else {
            let kind = std::fs::metadata(path).map_err(failed)?;
            if kind.is_dir() {
                return Err(Failure::new(format!("{name} is a folder")));
            }
            match kind.is_file() {
                true => Body::Path(path.to_owned()),
                false => kept(Stream::file(path))?,
            }
        };
        Ok(Self::new(name, body))
    }

    fn new(name: String, body: Body) -> Self {
        Self { name, body, packing: None, is_text: true, encoding: None, skipped: 0, start: Vec::new() }
    }

    /// What this is, where it has columns.
    pub fn opened(self, progress: Progress) -> Result<Opened, Failure> {
        match self.body {
            Body::Path(path) => input::open_any(&path, progress),
            Body::Object(object) => input::of_object(&object, progress),
            Body::Spooled(spooled) => input::of_spooled(self.name, spooled, progress),
        }
    }

    /// The bytes as they are.
    fn raw(&self) -> io::Result<Bytes<'_>> {
        Ok(match &self.body {
            Body::Path(path) => Box::new(File::open(path)?),
            Body::Object(object) => Box::new(object.read()),
            Body::Spooled(Spooled::Memory(bytes)) => Box::new(bytes.as_slice()),
            Body::Spooled(Spooled::File(file)) => {
                let mut file = file.try_clone()?;
                file.rewind()?;
                Box::new(file)
            }
        })
    }

    /// The text from its beginning, unpacked and without a byte order mark. One reader at a time.
    pub fn reader(&self) -> Result<Bytes<'_>, Failure> {
        self.unpacked().map_err(|error| Failure::io(&self.name, &error))
    }

    fn unpacked(&self) -> io::Result<Bytes<'_>> {
        let raw = self.raw()?;
        let mut text = match self.packing {
            None => raw,
            Some(packing) => packing.unpacked(raw)?,
        };
        if !self.is_text {
            return Ok(Box::new(Watched(text)));
        }
        if let Some(encoding) = self.encoding {
            text = Box::new(Decoded::new(text, encoding));
        }
        let mut start = Vec::new();
        text.by_ref().take(BOM.len() as u64).read_to_end(&mut start)?;
        if start == BOM {
            start.clear();
        }
        let text = io::Cursor::new(start).chain(text);
        if self.skipped == 0 {
            return Ok(Box::new(Watched(text)));
        }
        let mut text = BufReader::with_capacity(BUFFER, text);
        for _ in 0..self.skipped {
            if text.skip_until(b'\n')? == 0 {
                break;
            }
        }
        Ok(Box::new(Watched(text)))
    }

    /// Bytes of the text, where they are known without reading it.
    pub fn size(&self) -> Option<u64> {
        match (&self.body, self.packing) {
            (Body::Path(path), None) => std::fs::metadata(path).ok().map(|file| file.len()),
            (Body::Object(object), None) => trevni::Source::size(object).ok(),
            (Body::Spooled(Spooled::Memory(bytes)), None) => Some(bytes.len() as u64),
            (Body::Spooled(Spooled::File(file)), None) => file.metadata().ok().map(|file| file.len()),
            _ => None,
        }
    }
}

/// An error where what starts like this is neither text nor another format that is known: text has no zeros.
fn may_be_text(name: &str, start: &[u8]) -> Result<(), Failure> {
    let is_binary =
        matches!(Format::of_start(start), Some(Format::Trv | Format::Avro | Format::Parquet | Format::Arrow));
    let is_utf16 = matches!(start, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
    match start.contains(&0) && !is_binary && !is_utf16 && Packing::of_start(start).is_none() {
        true => Err(Failure::new(format!("{name} is not text: it has zero bytes")).with_code(DAMAGED)),
        false => Ok(()),
    }
}

/// Reading that ends with Ctrl-C.
struct Watched<R>(R);

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        interrupt::check()?;
        self.0.read(buffer)
    }
}
