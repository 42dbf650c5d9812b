//! How the house is built: which module imports which, and how large it is.

mod circles;
mod imports;
mod layers;
mod lines;
mod packages;
mod words;
