//! Strings and byte strings that are positions in a dictionary.

use super::target::Target;
use super::{all, leaf};
use crate::error::Result;
use crate::kept::{Kept, NOTHING};
use arrow_array::{Array, ArrayRef, UInt32Array};
use arrow_schema::{DataType, Field};
use arrow_select::take::take;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use trevni::Shape;
use trevni::vector::{Dictionary, DictionaryVector};

/// An array for each dictionary of the last batch and of this one. Batches of one block share a dictionary, so its array is made once.
#[derive(Default)]
pub(crate) struct Dictionaries {
    last: RefCell<Known>,
    current: RefCell<Known>,
    /// The values of the dictionaries of the columns.
    pub(crate) kept: Arc<Kept>,
}

/// By the address of the dictionary, which is kept so that the address stays its own.
type Known = HashMap<usize, (Arc<Dictionary>, ArrayRef)>;

impl Dictionaries {
    /// None yet of batches whose columns have dictionaries of these values.
    pub(crate) fn of(kept: Arc<Kept>) -> Self {
        Self { kept, ..Self::default() }
    }

    /// Begins a batch.
    pub(crate) fn begin(&mut self) {
        *self.last.get_mut() = std::mem::take(self.current.get_mut());
    }

    /// The values of a dictionary as an array of a type.
    fn values(&self, shape: &Shape, dictionary: &Arc<Dictionary>, data_type: &DataType) -> Result<ArrayRef> {
        let place = Arc::as_ptr(dictionary).addr();
        let mut current = self.current.borrow_mut();
        let known = current.remove(&place).or_else(|| self.last.borrow_mut().remove(&place));
        let array = match known {
            Some((_, array)) if array.data_type() == data_type => array,
            _ => {
                let values = dictionary.values().clone();
                let field = Field::new("", data_type.clone(), false);
                leaf::bytes(shape, values, &all(&field, dictionary.values().len(), self, &NOTHING))?
            }
        };
        current.insert(place, (Arc::clone(dictionary), Arc::clone(&array)));
        Ok(array)
    }
}

/// The values at their places.
pub(super) fn values(shape: &Shape, vector: DictionaryVector, target: &Target<'_>) -> Result<ArrayRef> {
    let dictionary = Arc::clone(vector.dictionary());
    if dictionary.values().is_empty() || *target.data_type == DataType::FixedSizeBinary(0) {
        return leaf::bytes(shape, vector.to_values(), target);
    }
    let values = target.dictionaries.values(shape, &dictionary, target.data_type)?;
    let keys = UInt32Array::try_new(target.spread(vector.into_keys()).into(), target.nulls())?;
    Ok(take(&values, &keys, None)?)
}
