//! Strings and bytes that types borrow instead of copying them: rows of a batch, as long as it lives; rows that own what
//! they keep, while they are made.

mod batches;
mod owned;
