//! Files to and from the types of the [`dosnes`] library: one module a format.
