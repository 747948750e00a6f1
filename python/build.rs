//! The extension finds Python's symbols in the process that loads it. On macOS the linker must be told so.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
