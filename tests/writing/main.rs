//! What writing promises: whole files or none, whole rows or none, each option where it belongs, and the
//! same bytes in any amount of memory and by any number of threads.

mod atomic;
mod auto;
mod byte_order;
mod failing;
mod folder;
mod given;
mod growing;
mod held;
mod interrupted;
mod logical;
mod maps;
mod memory;
mod open_keys;
mod options;
mod sizes;
mod threads;
