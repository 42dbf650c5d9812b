//! What reading promises: only what is asked for, from where it is, and never wrong rows.

mod api;
mod failing;
mod far;
mod joined;
mod late;
mod missed;
mod nested;
mod numbers;
mod paths;
mod projection;
mod ranges;
mod row;
mod select;
mod skipping;
mod sources;
mod straight;
mod take;
mod texts;
mod threads;
mod vectors;
mod wide;
