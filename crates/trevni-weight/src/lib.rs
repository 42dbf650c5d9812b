//! What programs pay for the library: `examples` are the programs, `tests/weight.rs` compares their sizes with the budgets of
//! docs/design.md.
