//! Excel workbooks (`.xlsx`): one sheet, like a CSV file with its cells.
//!
//! A workbook is a zip archive of XML, both of which are read here anyway; formulas are of no interest, only the stored
//! values, and formats only because they tell dates from numbers.

use std::collections::HashMap;
use std::io::{BufReader, Read};

use quick_xml::Reader;
use quick_xml::events::Event;
use zip::ZipArchive;

use super::xlsx_dates::{is_builtin_date, is_date_code, iso_date};
use crate::error::{Error, Place};
use crate::note::Note;
use crate::options::ReadOptions;
use crate::raw::{Contents, Parsed};
use crate::source::{ReadSeek, Source};
use crate::text::made::MadeTable;
use crate::xml::attributes;

/// The part that every workbook has.
pub(crate) const WORKBOOK: &str = "xl/workbook.xml";
/// Bytes of one part, decompressed.
const LARGEST_PART: u64 = 1 << 31;
/// Columns that a sheet can have.
const MOST_COLUMNS: usize = 16_384;

type Archive<'a> = ZipArchive<Box<dyn ReadSeek + 'a>>;

/// Reads the sheet that was asked for, or else the first one that is a table: others may be pages of remarks.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let mut archive: Archive<'_> =
        ZipArchive::new(source.open_seekable()?).map_err(|e| damaged(file, &e.to_string()))?;
    let sheets = sheets(file, &mut archive)?;
    let names = || sheets.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    let chosen: Vec<&(String, String)> =
        sheets.iter().filter(|(name, _)| options.array.as_ref().is_none_or(|asked| asked == name)).collect();
    let Some((first, _)) = chosen.first() else {
        return Err(Error::option(file, format!("there is no such sheet; choose one with --array: {}", names())));
    };
    let texts = shared_texts(file, &mut archive)?;
    let dates = Dates::read(file, &mut archive)?;
    let mut problem = None;
    for (k, (name, path)) in chosen.iter().enumerate() {
        let what =
            if sheets.len() > 1 { format!("Excel, sheet \"{name}\" of {}", sheets.len()) } else { "Excel".to_owned() };
        let rows = rows(file, &mut archive, path, &texts, &dates)?;
        match of_rows(source, &rows, &what, options) {
            Ok(mut parsed) if is_table(&parsed) || chosen.len() == 1 => {
                if k > 0 {
                    let others = sheets.iter().filter(|sheet| sheet.0 != *name).map(|sheet| sheet.0.clone()).collect();
                    parsed.notes.push(Note::SheetChosen { sheet: name.clone(), others });
                }
                return Ok(parsed);
            }
            Ok(_) => {
                problem.get_or_insert_with(|| Error::shape(file, "there are fewer than two rows in it"));
            }
            Err(error) if chosen.len() == 1 && sheets.len() == 1 => return Err(error),
            Err(error) => {
                problem.get_or_insert(error);
            }
        }
    }
    let problem = problem.map(|error| error.to_string()).unwrap_or_default();
    let problem = problem.strip_prefix(file).map_or(problem.as_str(), |rest| rest.trim_start_matches([':', ',', ' ']));
    Err(Error::option(
        file,
        format!("sheet \"{first}\": {problem}; the sheets are {}, choose one with --array", names()),
    ))
}

/// The table of a sheet.
fn of_rows(source: &Source<'_>, rows: &[Vec<String>], what: &str, options: &ReadOptions) -> Result<Parsed, Error> {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let stored = |row: &Vec<String>| row.iter().filter(|cell| !cell.is_empty()).count();
    if width.saturating_mul(rows.len()) > 1000 * rows.iter().map(stored).sum::<usize>() + 1_000_000 {
        return Err(damaged(&source.name, "the sheet is nearly empty, but very large"));
    }
    let mut table = MadeTable::default();
    let mut above = true;
    for row in rows.iter().filter(|row| stored(row) > 0) {
        // Titles above the table are lines of one cell.
        above &= stored(row) == 1 && !row[0].is_empty();
        let cells = if above { 1 } else { width };
        (0..cells).for_each(|k| table.cell(row.get(k).map_or("", String::as_str)));
        table.end_row();
    }
    table.read(source, source.progress(), options.header, what, options)
}

/// Whether there is something to embed.
fn is_table(parsed: &Parsed) -> bool {
    match &parsed.contents {
        Contents::Matrix(raw) => raw.matrix.shape().0 > 1,
        Contents::Network(_) => true,
    }
}

/// Which formats of cells are those of dates.
#[derive(Default)]
struct Dates {
    /// For each format of the workbook.
    is_date: Vec<bool>,
    from_1904: bool,
}

impl Dates {
    fn read(file: &str, archive: &mut Archive<'_>) -> Result<Self, Error> {
        let mut dates = Self::default();
        let (mut codes, mut in_formats) = (HashMap::new(), false);
        each_element(file, &part(file, archive, "xl/styles.xml")?, |name, all| match name {
            "numFmt" => {
                if let (Some(id), Some(code)) = (all.get("numFmtId"), all.get("formatCode")) {
                    codes.insert(id.clone(), is_date_code(code));
                }
            }
            "cellXfs" => in_formats = true,
            "cellStyles" | "dxfs" => in_formats = false,
            "xf" if in_formats => {
                let id = all.get("numFmtId").map_or("", String::as_str);
                let builtin = || id.parse().is_ok_and(is_builtin_date);
                dates.is_date.push(codes.get(id).copied().unwrap_or_else(builtin));
            }
            _ => {}
        })?;
        each_element(file, &part(file, archive, WORKBOOK)?, |name, all| {
            let from_1904 = all.get("date1904").is_some_and(|value| matches!(value.as_str(), "1" | "true"));
            dates.from_1904 |= name == "workbookPr" && from_1904;
        })?;
        Ok(dates)
    }

    /// The date in a cell of this format.
    fn of(&self, format: Option<&String>, value: &str) -> Option<String> {
        let is_date = format.and_then(|k| self.is_date.get(k.parse::<usize>().ok()?)).copied().unwrap_or(false);
        if is_date { iso_date(value.parse().ok()?, self.from_1904) } else { None }
    }
}

fn damaged(file: &str, problem: &str) -> Error {
    Error::malformed(file, Place::default(), format!("the workbook is damaged ({problem})"))
}

/// The text of a part; empty if there is none.
fn part(file: &str, archive: &mut Archive<'_>, name: &str) -> Result<String, Error> {
    let Ok(entry) = archive.by_name(name) else { return Ok(String::new()) };
    let mut text = String::new();
    BufReader::new(entry.take(LARGEST_PART)).read_to_string(&mut text).map_err(|e| damaged(file, &e.to_string()))?;
    Ok(text)
}

/// The names of the sheets and where they are.
fn sheets(file: &str, archive: &mut Archive<'_>) -> Result<Vec<(String, String)>, Error> {
    let relations = part(file, archive, "xl/_rels/workbook.xml.rels")?;
    let mut targets = HashMap::new();
    each_element(file, &relations, |name, all| {
        if name == "Relationship"
            && let (Some(id), Some(target)) = (all.get("Id"), all.get("Target"))
        {
            let target = target.trim_start_matches('/');
            let path = if target.starts_with("xl/") { target.to_owned() } else { format!("xl/{target}") };
            targets.insert(id.clone(), path);
        }
    })?;
    let workbook = part(file, archive, WORKBOOK)?;
    let mut sheets = Vec::new();
    each_element(file, &workbook, |name, all| {
        if name == "sheet"
            && let (Some(title), Some(id)) = (all.get("name"), all.get("id"))
            && let Some(path) = targets.get(id)
        {
            sheets.push((title.clone(), path.clone()));
        }
    })?;
    Ok(sheets)
}

fn each_element(file: &str, text: &str, mut take: impl FnMut(&str, &HashMap<String, String>)) -> Result<(), Error> {
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event().map_err(|e| damaged(file, &e.to_string()))? {
            Event::Start(element) | Event::Empty(element) => {
                take(element.local_name().as_ref(), &attributes(file, &element)?);
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// The texts that cells refer to by number.
fn shared_texts(file: &str, archive: &mut Archive<'_>) -> Result<Vec<String>, Error> {
    let text = part(file, archive, "xl/sharedStrings.xml")?;
    let mut reader = Reader::from_str(&text);
    let (mut all, mut current, mut inside) = (Vec::new(), String::new(), false);
    loop {
        match reader.read_event().map_err(|e| damaged(file, &e.to_string()))? {
            Event::Start(element) => match element.local_name().as_ref() {
                "si" => current.clear(),
                "t" => inside = true,
                _ => {}
            },
            Event::Empty(element) if element.local_name().as_ref() == "si" => all.push(String::new()),
            Event::End(element) => match element.local_name().as_ref() {
                "si" => all.push(std::mem::take(&mut current)),
                "t" => inside = false,
                _ => {}
            },
            Event::Text(more) if inside => current.push_str(&more.xml10_content()),
            Event::GeneralRef(reference) if inside => current.push_str(&crate::xml::resolve(file, &reference)?),
            Event::Eof => return Ok(all),
            _ => {}
        }
    }
}

/// The cells of a sheet, row by row.
fn rows(
    file: &str,
    archive: &mut Archive<'_>,
    path: &str,
    texts: &[String],
    dates: &Dates,
) -> Result<Vec<Vec<String>>, Error> {
    let text = part(file, archive, path)?;
    if text.is_empty() {
        return Err(damaged(file, "the sheet is missing"));
    }
    let mut reader = Reader::from_str(&text);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let (mut column, mut kind, mut value, mut inside) = (0, String::new(), String::new(), false);
    let mut format = None;
    let (mut formula, mut reference) = (false, String::new());
    // What a damaged file may claim is limited by its size.
    let mut held = 0;
    loop {
        match reader.read_event().map_err(|e| damaged(file, &e.to_string()))? {
            Event::Start(element) => match element.local_name().as_ref() {
                "row" => rows.push(Vec::new()),
                "c" => {
                    let mut all = attributes(file, &element)?;
                    let next = rows.last().map_or(0, Vec::len);
                    column = all.get("r").and_then(|reference| column_of(reference)).unwrap_or(next);
                    kind = all.remove("t").unwrap_or_default();
                    format = all.remove("s");
                    reference = all.remove("r").unwrap_or_default();
                    formula = false;
                    value.clear();
                }
                "v" | "t" => inside = true,
                "f" => formula = true,
                _ => {}
            },
            Event::Text(more) if inside => value.push_str(&more.xml10_content()),
            Event::GeneralRef(reference) if inside => value.push_str(&crate::xml::resolve(file, &reference)?),
            Event::End(element) => match element.local_name().as_ref() {
                "v" | "t" => inside = false,
                "c" => {
                    if formula && value.is_empty() && kind.is_empty() {
                        let problem = format!(
                            "cell {reference} has a formula, but not its result; open the file in a spreadsheet program, and \
                             save it there"
                        );
                        return Err(Error::malformed(file, Place::default(), problem));
                    }
                    let cell = match kind.as_str() {
                        "s" => value.parse::<usize>().ok().and_then(|k| texts.get(k)).cloned().unwrap_or_default(),
                        "" | "n" => dates.of(format.as_ref(), &value).unwrap_or_else(|| std::mem::take(&mut value)),
                        _ => std::mem::take(&mut value),
                    };
                    if column >= MOST_COLUMNS {
                        return Err(damaged(file, "a cell is outside the sheet"));
                    }
                    held += column.saturating_sub(rows.last().map_or(0, Vec::len));
                    if held > 50 * text.len() + 1_000_000 {
                        return Err(damaged(file, "its cells are far apart"));
                    }
                    if let Some(row) = rows.last_mut() {
                        if row.len() <= column {
                            row.resize(column + 1, String::new());
                        }
                        row[column] = cell;
                    }
                }
                _ => {}
            },
            Event::Eof => return Ok(rows),
            _ => {}
        }
    }
}

/// `C7` is in column 2, counted from 0.
fn column_of(reference: &str) -> Option<usize> {
    let letters = reference.bytes().take_while(u8::is_ascii_uppercase).take(4);
    let number = letters.fold(0_usize, |number, letter| 26 * number + usize::from(letter - b'A') + 1);
    number.checked_sub(1)
}
