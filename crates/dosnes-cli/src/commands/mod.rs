//! One module for each command.

pub(crate) mod align;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod embed;
pub(crate) mod evaluate;
pub(crate) mod grow;
pub(crate) mod info;
pub(crate) mod man;
pub(crate) mod normalize;
pub(crate) mod plot;
pub(crate) mod reproduce;
pub(crate) mod resume;
pub(crate) mod transform;
pub(crate) mod view;
