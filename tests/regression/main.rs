//! Bugs that were fixed, one file per bug, named after what went wrong.

mod codec_of_one_variant;
mod half_a_value;
mod ignored_errors;
mod keys_without_values;
mod names_before_rules;
mod option_of_one_variant;
mod replaced_file_mode;
mod union_misfit;
mod zeroed_block;
