//! Files of many columns and few rows: how many bytes they take, and compact ones.

mod craft;
mod damaged;
mod data;
mod merging;
mod round_trip;
mod sizes;
