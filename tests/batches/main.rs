//! What batches built by hand promise: whatever the constructors take is written and read back equal, all else is
//! refused with its path.

mod by_hand;
mod given;
mod levels;
mod malformed;
mod random;
mod round_trip;
mod values;
