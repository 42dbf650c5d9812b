//! What only the crate itself can ask for.
