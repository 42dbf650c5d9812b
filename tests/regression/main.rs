//! Bugs that were fixed, one file per bug, named after what went wrong.

mod array_width_paths;
mod array_width_rows;
mod codec_of_one_variant;
mod column_named_otherwise;
mod columns_named_after_groups;
mod damaged_late_column;
mod decimals_beyond_texts;
mod errors_that_types_ignore;
mod filters_on_lists_of_records;
mod folders_of_partitions_passed_over;
mod half_a_value;
mod hints_without_their_record;
mod ignored_errors;
mod inherited_column_options;
mod instants_beside_other_numbers;
mod keys_without_values;
mod limits_called_damage;
mod names_before_rules;
mod new_fields_in_lists_lost;
mod one_variant_in_a_part;
mod option_of_one_variant;
mod parts_of_one_type_refused;
#[cfg(target_os = "linux")]
mod pipe_by_number;
mod presence_filtered;
mod redelm_growth;
mod redelm_logical_types;
mod redelm_zones_of_nothing;
mod renamed_fields_passed_over;
mod replaced_file_mode;
mod rows_serialized_twice;
mod rows_without_fields;
mod strings_not_lent;
mod union_misfit;
mod unseen_beside_a_type;
mod variant_called_union;
mod verified_but_not_opened;
mod zeroed_block;

#[path = "../hostile/raw.rs"]
#[allow(dead_code, reason = "not all of it is for these tests")]
mod raw;
#[path = "../hostile/sums.rs"]
mod sums;
