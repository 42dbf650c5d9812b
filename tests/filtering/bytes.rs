//! What a filter costs.
