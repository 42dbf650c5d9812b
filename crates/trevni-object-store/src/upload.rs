//! Objects that are written part by part, and are whole or not there.

use crate::failure::{about, failed};
use crate::place::{Place, Shown};
use crate::runtime;
use object_store::{Error, MultipartUpload, ObjectStoreExt, PutMode, PutOptions, PutPayload};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Write};
use tokio::task::JoinHandle;

/// The bytes of a part. A store takes 10,000 parts, so later ones are larger.
const PART_BYTES: usize = 8 << 20;
/// Parts after which they get larger, by as much as the first ones have.
const PARTS_OF_A_SIZE: usize = 1000;
/// Parts that are under way at a time.
const AT_ONCE: usize = 4;

/// An object that is being written. It is there when [`commit`](Self::commit) returns. Until then nothing of it is seen, and if
/// this is dropped what has been sent is taken back.
///
/// ```no_run
/// use trevni::Writer;
/// use trevni_object_store::Upload;
///
/// let mut writer = Writer::builder().build(Upload::create("s3://bucket/numbers.trv")?)?;
/// writer.write_all(1..=1000u32)?;
/// writer.finish()?.commit()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Upload {
    place: Place,
    replaces: bool,
    part: Vec<u8>,
    parts: usize,
    sent: Option<Box<dyn MultipartUpload>>,
    under_way: VecDeque<JoinHandle<Result<(), Error>>>,
}

impl Upload {
    /// Begins an object, which replaces the one that has the URL.
    ///
    /// # Errors
    ///
    /// A URL that is not one of a bucket: web servers take no files.
    pub fn create(url: &str) -> io::Result<Self> {
        let place = Place::of(url)?;
        let refused = |why| Err(about(&place.shown, ErrorKind::Unsupported, why));
        if !place.is_bucket {
            return refused("files are written to buckets (s3://), not to web servers");
        }
        if place.path.as_ref().is_empty() || url.ends_with('/') {
            return refused("a name of an object is missing");
        }
        Ok(Self { place, replaces: true, part: Vec::new(), parts: 0, sent: None, under_way: VecDeque::new() })
    }

    /// As [`create`](Self::create), but an object that has the URL is not replaced. Objects of more than one part are looked
    /// for again before they get their name; one that appears at the same moment is replaced.
    ///
    /// # Errors
    ///
    /// An object that is there ([`AlreadyExists`](ErrorKind::AlreadyExists)), and a bucket that cannot be asked.
    pub fn create_new(url: &str) -> io::Result<Self> {
        let mut upload = Self::create(url)?;
        upload.replaces = false;
        upload.refuse_existing()?;
        Ok(upload)
    }

    fn refuse_existing(&self) -> io::Result<()> {
        let place = self.place.clone();
        match runtime::wait(async move { place.store.head(&place.path).await })? {
            Ok(_) => Err(about(self.shown(), ErrorKind::AlreadyExists, "already exists")),
            Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(self.shown(), &error)),
        }
    }

    fn shown(&self) -> &Shown {
        &self.place.shown
    }

    /// Ends the object and gives it its name.
    ///
    /// # Errors
    ///
    /// What cannot be sent, and an object that is there and is not to be replaced; nothing is left of this one.
    pub fn commit(mut self) -> io::Result<()> {
        if self.sent.is_none() {
            return self.put();
        }
        if !self.part.is_empty() {
            self.send_part()?;
        }
        while !self.under_way.is_empty() {
            self.wait_for_part()?;
        }
        if !self.replaces {
            self.refuse_existing()?;
        }
        let Some(mut sent) = self.sent.take() else { return Ok(()) };
        let (sent, done) = runtime::wait(async move {
            let done = sent.complete().await;
            (sent, done)
        })?;
        done.map(drop).map_err(|error| {
            self.sent = Some(sent);
            failed(&self.place.shown, &error)
        })
    }

    /// Sends a small object at once.
    fn put(&mut self) -> io::Result<()> {
        let (place, payload) = (self.place.clone(), PutPayload::from(std::mem::take(&mut self.part)));
        let mode = if self.replaces { PutMode::Overwrite } else { PutMode::Create };
        let put = runtime::wait(async move {
            place.store.put_opts(&place.path, payload, PutOptions::from(mode)).await
        })?;
        put.map(drop).map_err(|error| failed(self.shown(), &error))
    }

    fn part_bytes(&self) -> usize {
        PART_BYTES * (1 + self.parts / PARTS_OF_A_SIZE)
    }

    fn send_part(&mut self) -> io::Result<()> {
        while self.under_way.len() >= AT_ONCE {
            self.wait_for_part()?;
        }
        let payload = PutPayload::from(std::mem::take(&mut self.part));
        let sent = match &mut self.sent {
            Some(sent) => sent,
            None => {
                let place = self.place.clone();
                let begun = runtime::wait(async move { place.store.put_multipart(&place.path).await })?;
                let begun = begun.map_err(|error| failed(&self.place.shown, &error))?;
                self.sent.insert(begun)
            }
        };
        self.under_way.push_back(runtime::start(sent.put_part(payload))?);
        self.parts += 1;
        Ok(())
    }

    fn wait_for_part(&mut self) -> io::Result<()> {
        let Some(part) = self.under_way.pop_front() else { return Ok(()) };
        match runtime::wait(part)? {
            Ok(sent) => sent.map_err(|error| failed(self.shown(), &error)),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

impl Write for Upload {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.part_bytes().saturating_sub(self.part.len()).max(1);
        let taken = bytes.len().min(room);
        self.part.extend_from_slice(&bytes[..taken]);
        if self.part.len() >= self.part_bytes() {
            self.send_part()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        let Some(mut sent) = self.sent.take() else { return };
        let under_way = std::mem::take(&mut self.under_way);
        // A part that arrives later would stay.
        let _ = runtime::wait(async move {
            for part in under_way {
                part.abort();
                let _ = part.await;
            }
            sent.abort().await
        });
    }
}
