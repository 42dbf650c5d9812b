//! What programs pay for the library: `examples` are the programs, `tests/weight.rs` compares their sizes with the budgets of
//! docs/design.md, `tests/instructions.rs` what they count with what they counted before.
