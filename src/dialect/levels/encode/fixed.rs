//! Decides whether the integers of a column have a fixed width.

use super::column::ColumnEncoder;
use crate::bytes::buffer::Buffer;
use crate::bytes::reader::Bytes;
use crate::error::Result;
use crate::storage::value_type::ValueType;
use crate::storage::values::encode::{Bits, show};
use crate::vector::Vector;

impl ColumnEncoder {
    /// Gives integers a fixed width where those of the open block, which are the column's first, take fewer bytes so.
    /// Before there are values nothing is decided.
    pub(super) fn decide_width(&mut self) -> Result<()> {
        let Some((fixed, width)) = self.value_type.fixed() else {
            return Ok(());
        };
        let count = self.open_values;
        if count == 0 {
            return Ok(());
        }
        self.undecided = false;
        if self.open.len() <= width * count {
            return Ok(());
        }
        let mut bytes = Bytes::new(self.open.as_slice());
        let (mut ints, mut longs) = (Vec::new(), Vec::new());
        let read = match fixed {
            ValueType::Fixed32 => bytes.integers(count, &mut ints),
            _ => bytes.integers(count, &mut longs),
        };
        read.map_err(|error| error.of("the values of an open block"))?;
        let values = if fixed == ValueType::Fixed32 { Vector::Int(ints) } else { Vector::Long(longs) };
        let mut block = Buffer::default();
        show(fixed, Some(&values), &mut |values| values.encode(0..count, &mut Bits::default(), &mut block));
        self.value_type = fixed;
        self.open.replace(block);
        Ok(())
    }
}
