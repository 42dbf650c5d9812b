//! One file for each command.

pub(crate) mod cat;
pub(crate) mod convert;
pub(crate) mod count;
pub(crate) mod dump;
pub(crate) mod help;
pub(crate) mod info;
pub(crate) mod layout;
pub(crate) mod merge;
pub(crate) mod query;
pub(crate) mod random;
pub(crate) mod recode;
pub(crate) mod sample;
pub(crate) mod schema;
pub(crate) mod size;
pub(crate) mod split;
pub(crate) mod stats;
pub(crate) mod verify;
