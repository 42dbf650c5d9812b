//! Queries of the engine on Trevni files. One program for all of them, because linking it takes long.

mod clicks;
mod commits;
mod edges;
mod joining;
mod oracle;
mod pushdown;
mod sql;
mod stores;
mod support;
mod tables;
mod tpch;
