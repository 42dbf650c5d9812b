//! Text in another encoding, as UTF-8.

use encoding_rs::{Decoder, DecoderResult, Encoding};
use std::io::{self, ErrorKind, Read};

/// Bytes that are decoded at once.
const SIZE: usize = 1 << 16;

/// Reads text in an encoding as UTF-8. Bytes that the encoding has no character for are an error.
pub(super) struct Decoded<R> {
    from: R,
    decoder: Decoder,
    /// What is read and not decoded.
    raw: Vec<u8>,
    /// What is decoded, and where what is not yet given begins.
    text: Vec<u8>,
    at: usize,
    ended: bool,
}

impl<R: Read> Decoded<R> {
    pub(super) fn new(from: R, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_with_bom_removal();
        Self { from, decoder, raw: Vec::new(), text: Vec::new(), at: 0, ended: false }
    }

    /// Decodes more, if there is more.
    fn fill(&mut self) -> io::Result<()> {
        if self.raw.is_empty() {
            self.ended = self.from.by_ref().take(SIZE as u64).read_to_end(&mut self.raw)? == 0;
        }
        (self.text, self.at) = (vec![0; 4 * SIZE], 0);
        let (result, read, written) =
            self.decoder.decode_to_utf8_without_replacement(&self.raw, &mut self.text, self.ended);
        self.raw.drain(..read);
        self.text.truncate(written);
        match result {
            DecoderResult::InputEmpty | DecoderResult::OutputFull => Ok(()),
            DecoderResult::Malformed(..) => {
                let name = self.decoder.encoding().name();
                Err(io::Error::new(ErrorKind::InvalidData, format!("its bytes are not {name}")))
            }
        }
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() && !self.ended {
            self.fill()?;
        }
        let rest = self.text.get(self.at..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        self.at += count;
        Ok(count)
    }
}
