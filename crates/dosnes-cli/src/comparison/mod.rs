//! Maps of the same items by several methods: made, stored, measured, drawn and written.

mod kept;
mod run;
mod sentences;
mod stability;
mod table;

pub(crate) use run::{Plan, chosen, compare};
pub(crate) use table::{plain, write_table};
