//! Measures trevni against other formats and against code written by hand.

pub mod alone;
pub mod apart;
pub mod clock;
pub mod codec;
pub mod data;
pub mod figures;
pub mod footprint;
pub mod hand;
pub mod options;
pub mod peers;
pub mod random;
pub mod report;
pub mod run;
pub mod warm;
