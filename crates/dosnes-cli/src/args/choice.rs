//! Choices on the command line are the libraries' own: their names, and what they mean.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use dosnes::Named;

/// Takes one of the names of `T`.
pub(crate) fn choice<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let values = T::ALL.iter().map(|choice| PossibleValue::new(choice.name()).help(choice.meaning()));
    PossibleValuesParser::new(values).try_map(|name| T::from_name(&name))
}
