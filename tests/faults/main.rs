//! Sinks, sources, disks and processes that fail at any moment: an error comes back, or the rows as they are; files are
//! whole or not there, and nothing is left.

mod disk;
#[path = "../writing/folder.rs"]
mod folder;
mod job;
mod kill;
mod log;
mod rows;
mod sink;
mod source;
