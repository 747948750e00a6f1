//! Tables of other formats as text: cells go the same way as those of a CSV file, so that the same rules hold.

use crate::error::Error;
use crate::formats::table;
use crate::options::ReadOptions;
use crate::progress::Progress;
use crate::raw::Parsed;
use crate::source::Source;

/// A table that is written row by row.
#[derive(Default)]
pub(crate) struct MadeTable {
    text: String,
    in_row: bool,
}

impl MadeTable {
    /// A cell of the current row. A missing value is an empty cell.
    pub(crate) fn cell(&mut self, cell: &str) {
        if std::mem::replace(&mut self.in_row, true) {
            self.text.push(',');
        }
        let plain = !cell.contains(['"', ',', '\n', '\r']) && cell.trim().len() == cell.len();
        if plain && !cell.is_empty() {
            self.text.push_str(cell);
        } else {
            self.text.push('"');
            self.text.push_str(&cell.replace('"', "\"\"").replace('\0', " "));
            self.text.push('"');
        }
    }

    /// Several cells of the current row.
    pub(crate) fn cells<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) {
        for cell in cells {
            self.cell(cell.as_ref());
        }
    }

    pub(crate) fn end_row(&mut self) {
        self.text.push('\n');
        self.in_row = false;
    }

    /// Reads the table. `what` takes the place of "comma-separated" in the description.
    pub(crate) fn read(
        self,
        source: &Source<'_>,
        progress: &dyn Progress,
        header: Option<bool>,
        what: &str,
        options: &ReadOptions,
    ) -> Result<Parsed, Error> {
        if header == Some(true) && options.header == Some(false) {
            let problem =
                format!("--header no is for rows without names, but this is {what}, which has them; leave it out");
            return Err(Error::option(&source.name, problem));
        }
        let options = ReadOptions { header, separator: Some(','), skip: 0, ..options.clone() };
        let made = Source::bytes(&source.name, self.text.as_bytes(), progress)?;
        if source.is_double() {
            made.keep_double();
        }
        let mut parsed = table::read(&made, &options)?;
        parsed.description = parsed.description.replacen("comma-separated", what, 1);
        Ok(parsed)
    }
}
