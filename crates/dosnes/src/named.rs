//! Enums whose variants have names, for programs and language bindings that show them to users.

use std::fmt;

/// A choice between a few options, each with a name that users read and write.
pub trait Named: Copy + PartialEq + 'static {
    /// What is chosen, such as "metric".
    const WHAT: &'static str;
    /// All options, in the order of the documentation.
    const ALL: &'static [Self];

    /// The name of this option.
    fn name(self) -> &'static str;

    /// A short description.
    fn meaning(self) -> &'static str;

    /// The option with this name.
    fn from_name(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.iter().copied().find(|choice| choice.name() == name).ok_or_else(|| UnknownName {
            what: Self::WHAT,
            name: name.to_owned(),
            known: Self::ALL.iter().map(|choice| choice.name()).collect(),
        })
    }
}

/// A name that no option has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    name: String,
    known: Vec<&'static str>,
}

impl std::error::Error for UnknownName {}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {} \"{}\"; use one of {}", self.what, self.name, self.known.join(", "))
    }
}

/// Implements [`Named`], `Display` and `FromStr` for an enum without fields, and a method `name`.
///
/// ```
/// #[derive(Debug, Clone, Copy, PartialEq)]
/// enum Theme {
///     Light,
///     Dark,
/// }
/// dosnes::named!(Theme, "theme", {
///     Light => ("light", "for paper"),
///     Dark => ("dark", "for screens in the dark"),
/// });
/// assert_eq!("dark".parse(), Ok(Theme::Dark));
/// ```
#[macro_export]
macro_rules! named {
    ($type:ty, $what:literal, { $($variant:ident => ($name:literal, $meaning:literal)),+ $(,)? }) => {
        impl $type {
            /// The name that users read and write.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl $crate::Named for $type {
            const WHAT: &'static str = $what;
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn name(self) -> &'static str {
                self.name()
            }

            fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning),+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                $crate::Named::from_name(name)
            }
        }
    };
}
#[cfg(test)]
mod tests {
    use crate::{kernel::Kernel, named::Named, space::Space};

    #[test]
    fn names_are_parsed_and_unknown_ones_are_rejected() {
        for &space in Space::ALL {
            assert_eq!(space.name().parse(), Ok(space));
        }
        assert_eq!(Space::Volume.to_string(), "space");
        let error = "gauss".parse::<Kernel>().unwrap_err();
        assert_eq!(error.to_string(), "there is no kernel \"gauss\"; use one of cauchy, gaussian");
    }
}
