//! Options that the contents cannot use are refused: an option is obeyed, or it is an error.

use crate::error::Error;
use crate::options::{Format, ReadOptions};
use crate::raw::{Contents, NetworkForm};

/// Refuses options that do not apply to a file of this format with these contents.
pub(crate) fn refuse(file: &str, format: Format, contents: &Contents, options: &ReadOptions) -> Result<(), Error> {
    let form = match contents {
        Contents::Matrix(_) => None,
        Contents::Network(network) => Some(network.form),
    };
    let rows_are_edges = matches!(form, Some(NetworkForm::EdgeList | NetworkForm::Dyads | NetworkForm::Distances));
    // JSON may have rows or a graph in it.
    let table = format.is_table() && (form.is_none() || rows_are_edges);
    let given = [
        (
            options.weight_column.is_some() && !rows_are_edges && !(form.is_some() && format.has_edge_attributes()),
            "--weight",
            "edge lists",
        ),
        (!options.ignore_columns.is_empty() && !table, "--ignore", "tables"),
        (!options.label_columns.is_empty() && (!table || rows_are_edges), "--labels", "tables whose rows are items"),
        (
            options.id_column.is_some()
                && (!format.has_named_ids() || rows_are_edges || form.is_some() && format.is_text_table()),
            "--id",
            "tables whose rows are items, .h5ad files and graphs with attributes",
        ),
        (options.array.is_some() && !format.has_arrays(), "--array", "files with several arrays"),
        (options.separator.is_some() && !format.is_text_table(), "--separator", "text tables"),
        (options.header.is_some() && !(format.may_have_header() && table), "--header", "text tables"),
        (options.skip > 0 && !format.is_text_table(), "--skip", "text tables"),
    ];
    match given.into_iter().find(|(unused, ..)| *unused) {
        None => Ok(()),
        Some((_, option, what)) => {
            let read_as = match form {
                None => "a matrix",
                Some(form) => form.name(),
            };
            let problem =
                format!("{option} is for {what}, but this file ({format}) was read as {read_as}; leave the option out");
            Err(Error::option(file, problem))
        }
    }
}
