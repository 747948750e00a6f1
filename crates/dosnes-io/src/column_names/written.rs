//! What metadata columns are called in a written embedding.

/// Columns of a written embedding; metadata columns with these names are renamed.
const RESERVED: [&str; 6] = ["id", "x", "y", "z", "lat", "lon"];

/// The name of a metadata column in a written embedding.
pub(crate) fn written_name(name: &str) -> String {
    if RESERVED.contains(&name.to_lowercase().as_str()) { format!("input_{name}") } else { name.to_owned() }
}

/// The name that a column had before it was written.
pub(crate) fn original_name(name: String) -> String {
    match name.strip_prefix("input_") {
        Some(original) if written_name(original) == name => original.to_owned(),
        _ => name,
    }
}
