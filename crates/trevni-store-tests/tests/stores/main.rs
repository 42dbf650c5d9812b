//! Objects behind servers that the tests start: one of plain HTTP, which can go wrong in many ways, and one of S3.

mod commands;
mod files;
mod http;
mod objects;
mod s3;
mod tasks;
mod uploads;
