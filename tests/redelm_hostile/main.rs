//! RedElm files that are damaged or hostile, and the memory that writing takes. A binary of their own: memory is counted.

mod damaged;
mod footers;
#[path = "../hostile/memory.rs"]
mod memory;
mod merging;
mod one_pass;
mod sink;
