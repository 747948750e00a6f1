//! Maps of the same items by several methods, and how they measure up.

mod kept;
mod measures;
mod methods;
mod table;

pub(crate) use kept::KeptMaps;
pub(crate) use measures::{Better, Row, Subject};
pub(crate) use methods::{Made, Method, Recipe};
pub(crate) use table::{Column, Table};
