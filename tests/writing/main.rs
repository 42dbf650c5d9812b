//! What writing promises: whole files or none, whole rows or none, and each option where it belongs.

mod atomic;
mod failing;
mod options;
mod sizes;
