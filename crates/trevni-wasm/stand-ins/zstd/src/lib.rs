//! Stands in for the crate zstd, which binds a library in C: ruzstd reads the same bytes. Nothing writes them here.

/// Whole blocks.
pub mod bulk {
    use std::io;

    /// Compresses nothing.
    #[derive(Debug)]
    pub struct Compressor<'a>(std::marker::PhantomData<&'a ()>);

    impl Compressor<'_> {
        /// # Errors
        ///
        /// Always.
        pub fn new(_level: i32) -> io::Result<Self> {
            Err(io::Error::other("Zstandard is only read here, not written"))
        }

        /// # Errors
        ///
        /// Always.
        pub fn compress_to_buffer(&mut self, _block: &[u8], _out: &mut Vec<u8>) -> io::Result<usize> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    /// Leaves all blocks to [`Decoder`](crate::stream::read::Decoder).
    #[derive(Debug)]
    pub struct Decompressor<'a>(std::marker::PhantomData<&'a ()>);

    impl Decompressor<'_> {
        /// # Errors
        ///
        /// Never.
        pub fn new() -> io::Result<Self> {
            Ok(Self(std::marker::PhantomData))
        }

        /// Nothing: so each block is read as a stream.
        #[must_use]
        pub fn upper_bound(_stored: &[u8]) -> Option<usize> {
            None
        }

        /// # Errors
        ///
        /// Always: blocks are read as streams.
        pub fn decompress_to_buffer(&mut self, _stored: &[u8], _out: &mut Vec<u8>) -> io::Result<usize> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }
}

/// Streams.
pub mod stream {
    /// For reading.
    pub mod read {
        use ruzstd::decoding::StreamingDecoder;
        use std::io::{self, Read};

        /// Reads all frames of a block.
        pub struct Decoder<'s>(StreamingDecoder<&'s [u8], ruzstd::decoding::FrameDecoder>);

        impl<'s> Decoder<'s> {
            /// # Errors
            ///
            /// Bytes that do not begin with a frame.
            pub fn with_buffer(stored: &'s [u8]) -> io::Result<Self> {
                StreamingDecoder::new(stored).map(Self).map_err(|error| io::Error::other(error.to_string()))
            }
        }

        impl Read for Decoder<'_> {
            fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
                self.0.read(out)
            }
        }
    }
}

/// What is known without the library.
pub mod zstd_safe {
    /// The most bytes that a block can have, compressed.
    #[must_use]
    pub fn compress_bound(size: usize) -> usize {
        size
    }
}
