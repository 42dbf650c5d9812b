//! Plans as bytes, and clusters of real processes.

mod codecs;
#[cfg(target_os = "linux")]
mod encrypted;
mod kills;
mod processes;
mod queries;
#[cfg(unix)]
mod shell;
mod stores;
mod support;
mod tables;
mod watched;
mod writes;
