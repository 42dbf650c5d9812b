//! Vortex: a session and a runtime are made once, and all work is done by the thread that asks for it.

use super::{Contestant, Outcome};
use crate::table::Table;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use bytes::Bytes;
use vortex::VortexSessionDefault;
use vortex::array::iter::ArrayIteratorAdapter;
use vortex::arrow::ArrowSessionExt;
use vortex::buffer::{Alignment, Buffer, ByteBuffer};
use vortex::compressor::BtrBlocksCompressorBuilder;
use vortex::file::{OpenOptionsSessionExt, VortexFile, WriteOptionsSessionExt, WriteStrategyBuilder};
use vortex::io::runtime::BlockingRuntime;
use vortex::io::runtime::current::CurrentThreadRuntime;
use vortex::io::session::RuntimeSessionExt;
use vortex::scan::strict_sorted_buffer::StrictSortedBuffer;
use vortex::session::VortexSession;

/// Among which encodings its writer chooses.
#[derive(Clone, Copy, Debug)]
pub(super) enum Schemes {
    /// Those that the default writer has.
    Default,
    /// Zstandard and Pco, too.
    Compact,
}

/// Where the file begins in memory: at a multiple that no segment of it exceeds, so that none is copied.
const ALIGNMENT: usize = 4096;

pub(super) struct Vortex {
    file: Bytes,
    schema: SchemaRef,
    session: VortexSession,
    runtime: CurrentThreadRuntime,
}

impl Vortex {
    pub(super) fn write(table: &Table, schemes: Schemes) -> Outcome<Self> {
        let runtime = CurrentThreadRuntime::new();
        let session = VortexSession::default().with_handle(runtime.handle());
        let dtype = session.arrow().from_arrow_schema(&table.schema)?;
        let arrays = table.batches.iter().map(|batch| {
            let schema = batch.schema();
            session.arrow().from_arrow_record_batch(batch.clone(), &schema)
        });
        let arrays: Vec<_> = arrays.collect();
        let mut options = session.write_options();
        if let Schemes::Compact = schemes {
            let compressor = BtrBlocksCompressorBuilder::from_session(&session).with_compact();
            let strategy = WriteStrategyBuilder::from_session(&session).with_btrblocks_builder(compressor);
            options = options.with_strategy(strategy.build());
        }
        let mut file = Vec::new();
        options.blocking(&runtime).write(&mut file, ArrayIteratorAdapter::new(dtype, arrays.into_iter()))?;
        let file = ByteBuffer::copy_from_aligned(file, Alignment::new(ALIGNMENT)).into_bytes();
        Ok(Self { file, schema: table.schema.clone(), session, runtime })
    }

    fn open(&self) -> Outcome<VortexFile> {
        Ok(self.session.open_options().open_buffer(self.file.clone())?)
    }
}

impl Contestant for Vortex {
    fn size(&self) -> usize {
        self.file.len()
    }

    fn take(&self, rows: &[u64]) -> Outcome<Vec<RecordBatch>> {
        let rows = StrictSortedBuffer::try_new(Buffer::copy_from(rows))?;
        let scan = self.open()?.scan()?.with_row_indices(rows);
        let batches = scan.into_record_batch_reader(self.schema.clone(), &self.runtime)?;
        Ok(batches.collect::<Result<_, _>>()?)
    }

    fn read(&self) -> Outcome<Vec<RecordBatch>> {
        let scan = self.open()?.scan()?;
        let batches = scan.into_record_batch_reader(self.schema.clone(), &self.runtime)?;
        Ok(batches.collect::<Result<_, _>>()?)
    }
}
