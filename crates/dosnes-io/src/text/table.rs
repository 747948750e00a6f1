//! A text table: separator, header, names, and which columns hold numbers are found from its first records; then all of
//! its rows are read, without opening the file again.

use super::beside::Beside;
use super::header::{
    has_short_header, header_in_comment, is_numbers, is_title, label_rows, looks_like_header, take_grouped_header,
};
use super::mends::{Mends, is_short};
use super::records::{Cell, Comments, Record, Records, parse_cell};
use super::separator::{Separator, detect_separator};
use crate::error::Error;
use crate::note::Note;
use crate::options::ReadOptions;
use crate::schema::{ColumnSample, Schema};
use crate::source::Source;

/// Lines of texts below a table, at most.
const MOST_REMARKS: usize = 20;
/// Number of records that are examined before the table is read.
const SAMPLE: usize = 1000;
/// Maximum number of cells in this sample.
const SAMPLE_CELLS: usize = 1 << 20;

/// A table whose first records were examined.
pub(crate) struct TextTable<'a> {
    pub(crate) schema: Schema,
    pub(crate) separator: Separator,
    pub(crate) rows: Rows<'a>,
}

/// The rows of a table, without its header.
pub(crate) struct Rows<'a> {
    /// What is mended in every row.
    mends: Mends,
    /// The first rows, until they are handed out.
    sample: Vec<Record>,
    handed_out: usize,
    /// An error in the sample; reported after the rows before it.
    failed: Option<Error>,
    /// The names in the header, if there is one, and how often it was found again between the rows.
    names: Vec<String>,
    repeated: usize,
    /// The number of cells that most rows have; zero if it is not known.
    width: usize,
    separator: Separator,
    /// Short lines of texts that are below the table, if no row follows.
    below: Vec<Record>,
    /// Comments between the rows.
    comments: usize,
    records: Records<'a>,
}

impl Rows<'_> {
    /// The first rows, before any is read.
    pub(crate) fn sample(&self) -> &[Record] {
        &self.sample
    }

    /// Reads the next row; false at the end. Lines below the table and further copies of the header are no rows.
    pub(crate) fn next(&mut self, record: &mut Record) -> Result<bool, Error> {
        while self.next_record(record)? {
            if !self.names.is_empty() && is_same(record, &self.names) {
                self.repeated += 1;
            } else if is_comment(record, self.width) {
                self.comments += 1;
            } else if self.is_remark(record) {
                self.below.push(std::mem::take(record));
            } else if self.below.is_empty() {
                return Ok(true);
            } else {
                // It was not the end of the table: its reader says what is wrong with the short line.
                *record = self.below.remove(0);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a line has far fewer cells than the others, or only one that is not empty, and no number in them.
    fn is_remark(&self, record: &Record) -> bool {
        is_short(record, self.width, self.separator)
            && self.below.len() < MOST_REMARKS
            && record.iter().all(|cell| cell.is_empty() || parse_cell(cell, self.separator, &mut false) == Cell::Text)
            // An item of a square matrix, whose links stand in other rows.
            && (record.len() < self.width || !self.names.iter().any(|name| name == record.get(0)))
    }

    fn next_record(&mut self, record: &mut Record) -> Result<bool, Error> {
        if let Some(sampled) = self.sample.get_mut(self.handed_out) {
            *record = std::mem::take(sampled);
            self.handed_out += 1;
            return Ok(true);
        }
        if let Some(error) = self.failed.take() {
            Err(error)
        } else {
            let found = self.records.next(record)?;
            if found {
                self.mends.mend(record);
            }
            Ok(found)
        }
    }

    /// What should be known about the form of the table.
    pub(crate) fn notes(&self) -> Vec<Note> {
        let mut notes = self.mends.notes.clone();
        if self.comments_skipped() > 0 && !notes.contains(&Note::HeaderInComment) {
            notes.push(Note::CommentsSkipped(self.comments_skipped()));
        }
        if self.repeated > 0 {
            notes.push(Note::HeaderRepeated(self.repeated));
        }
        if self.records.empty_rows > 0 {
            notes.push(Note::EmptyRowsSkipped(self.records.empty_rows));
        }
        if let Some(first) = self.below.first() {
            let text: Vec<&str> = first.iter().collect();
            notes.push(Note::RemarksSkipped { count: self.below.len(), first: text.join(" ") });
        }
        if self.latin1() {
            notes.push(Note::Latin1 { foreign: self.records.is_foreign() });
        }
        notes
    }

    /// Comment lines skipped so far.
    pub(crate) fn comments_skipped(&self) -> usize {
        self.comments + self.records.skipped
    }

    /// Whether a line was not UTF-8.
    pub(crate) fn latin1(&self) -> bool {
        self.records.latin1
    }
}

impl<'a> TextTable<'a> {
    /// The table in a file.
    pub(crate) fn open(source: &'a Source<'a>, options: &ReadOptions, comments: Comments) -> Result<Self, Error> {
        let (separator, skip) = chosen_separator(source, options, comments)?;
        Self::look(source, separator, Records::new(source, separator, comments)?.skipping(skip), options, false)
    }

    /// A table about items, in which words such as `yes` and `no` stay what they are.
    pub(crate) fn metadata(source: &'a Source<'a>, header: Option<bool>) -> Result<Self, Error> {
        let options = ReadOptions { header, ..ReadOptions::default() };
        let (separator, skip) = chosen_separator(source, &options, Comments::AtTop)?;
        Self::look(source, separator, Records::new(source, separator, Comments::AtTop)?.skipping(skip), &options, true)
    }

    /// The table in the first lines of a file.
    pub(crate) fn first_lines(
        source: &'a Source<'a>,
        options: &ReadOptions,
        comments: Comments,
    ) -> Result<Self, Error> {
        let (separator, skip) = chosen_separator(source, options, comments)?;
        Self::look(source, separator, Records::first(source, separator, comments).skipping(skip), options, false)
    }

    /// A list: each line is one cell.
    pub(crate) fn lines(source: &'a Source<'a>) -> Result<Self, Error> {
        let separator = Separator::Never;
        let rows = first_rows(Records::new(source, separator, Comments::AtTop)?)?;
        let columns = vec![sample_column(&rows.sample, 0, separator)];
        let schema = Schema { header: false, names: vec!["1".into()], columns, short_header: false };
        Ok(Self { schema, separator, rows })
    }

    /// The doubt that there are two tables, one beside the other; an error if they are of different lengths.
    pub(crate) fn beside(&self, file: &str, options: &ReadOptions) -> Result<Option<Note>, Error> {
        let empty = self.rows.mends.empty_columns();
        match Beside::of(&self.schema, self.rows.sample(), empty) {
            Some(beside) => beside.judge(file, &self.schema, options),
            None => Ok(None),
        }
    }

    fn look(
        source: &Source<'_>,
        separator: Separator,
        records: Records<'a>,
        options: &ReadOptions,
        keep_words: bool,
    ) -> Result<Self, Error> {
        let mut rows = first_rows(records)?;
        rows.mends = Mends::of(&mut rows.sample, separator, keep_words);
        let comment = rows.records.comment.take();
        let sample = &mut rows.sample;
        if sample.is_empty() {
            return Err(Error::empty(&source.name, "there is no data in it, only blank lines or comments"));
        }
        let sizes = options.header.is_none() && starts_with_sizes(sample);
        if sizes {
            sample.remove(0);
        }
        let grouped = if options.header == Some(false) { None } else { take_grouped_header(sample, separator) };
        if let Some(names) = grouped {
            rows.mends.notes.push(Note::HeaderRowsJoined);
            let columns = (0..names.len()).map(|k| sample_column(sample, k, separator)).collect();
            return Ok(Self { schema: Schema { header: true, names, columns, short_header: false }, separator, rows });
        }
        if options.header.is_none() && !sizes && is_title(sample, separator) {
            sample.remove(0);
            rows.mends.notes.push(Note::LinesSkipped(1));
        }
        let sample = &mut rows.sample;
        let short_header = options.header != Some(false) && !sizes && has_short_header(sample, separator);
        let header = !sizes && (short_header || options.header.unwrap_or_else(|| looks_like_header(sample, separator)));
        let width = if header && sample.len() > 1 { common_width(&sample[1..]) } else { common_width(sample) };
        let numbered = header && options.header.is_none() && is_numbers(&sample[0], separator);
        if numbered {
            rows.mends.notes.push(Note::NumbersAreHeader { first: sample[0].get(0).to_owned() });
        }
        let names: Vec<String> = if header {
            let first = sample.remove(0);
            let lead = short_header.then(String::new).into_iter();
            lead.chain(first.iter().map(str::to_owned)).collect()
        } else {
            (1..=width).map(|k| k.to_string()).collect()
        };
        let commented = if header || options.header.is_some() { None } else { comment };
        let in_comment = commented.and_then(|line| header_in_comment(&line, separator, width, sample));
        let (header, names) = match in_comment {
            Some(found) => {
                rows.mends.notes.push(Note::HeaderInComment);
                (true, found)
            }
            None => (header, names),
        };
        if header {
            let before = sample.len();
            rows.names.clone_from(&names);
            sample.retain(|record| !is_same(record, &rows.names));
            rows.repeated = before - sample.len();
            let labels = label_rows(sample, separator);
            if labels > 0 {
                sample.drain(..labels);
                rows.mends.notes.push(Note::LabelRowsSkipped(labels));
            }
        }
        let before = sample.len();
        sample.retain(|record| !is_comment(record, width));
        rows.comments = before - sample.len();
        rows.width = width;
        rows.separator = separator;
        let mut columns: Vec<ColumnSample> = (0..names.len()).map(|k| sample_column(sample, k, separator)).collect();
        if sizes {
            // The words of word2vec may be numbers.
            columns.iter_mut().take(1).for_each(ColumnSample::make_text);
        }
        Ok(Self { schema: Schema { header, names, columns, short_header }, separator, rows })
    }
}

/// The separator, and the number of lines above the table. A first line `sep=;`, which Excel understands, says the separator.
fn chosen_separator(
    source: &Source<'_>,
    options: &ReadOptions,
    comments: Comments,
) -> Result<(Separator, usize), Error> {
    let start = source.start(16);
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let said = match start {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', separator, b'\r' | b'\n', ..] => Some(*separator),
        _ => None,
    };
    let skip = options.skip.max(usize::from(said.is_some()));
    let separator = match (options.separator, said) {
        (Some(' '), _) => Separator::Whitespace,
        (Some(c), _) => match u8::try_from(c).ok().filter(u8::is_ascii) {
            Some(byte) => Separator::Character(byte),
            None => return Err(Error::option(&source.name, format!("the separator '{c}' is not an ASCII character"))),
        },
        (None, Some(byte)) => Separator::Character(byte),
        (None, None) => detect_separator(source, comments)?,
    };
    Ok((separator, skip))
}

fn first_rows(mut records: Records<'_>) -> Result<Rows<'_>, Error> {
    let mut sample = Vec::new();
    let mut failed = None;
    let mut cells = 0;
    while sample.len() < SAMPLE && cells < SAMPLE_CELLS {
        let mut record = Record::default();
        match records.next(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) if sample.is_empty() => return Err(error),
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
        cells += record.len();
        sample.push(record);
    }
    Ok(Rows {
        mends: Mends::default(),
        sample,
        handed_out: 0,
        failed,
        names: Vec::new(),
        repeated: 0,
        width: 0,
        separator: Separator::Never,
        below: Vec::new(),
        comments: 0,
        records,
    })
}

/// Whether a line between the rows is a comment: it begins with `#` and a blank, unlike a hashtag, and has fewer cells than a row.
fn is_comment(record: &Record, width: usize) -> bool {
    let begins = record.get(0).strip_prefix('#').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '#']));
    width > 1 && record.len() < width && begins
}

/// Whether a row is the header again, as in files that were put together from several.
fn is_same(record: &Record, names: &[String]) -> bool {
    record.len() == names.len() && record.iter().zip(names).all(|(cell, name)| cell == name)
}

pub(super) fn common_width(sample: &[Record]) -> usize {
    let count = |width: usize| sample.iter().filter(|r| r.len() == width).count();
    let mut widths: Vec<usize> = sample.iter().map(Record::len).collect();
    widths.sort_unstable();
    widths.dedup();
    widths.into_iter().max_by_key(|&w| count(w)).unwrap_or(0)
}

/// The first line of a word2vec file: how many rows follow, and of how many numbers besides the word.
fn starts_with_sizes(sample: &[Record]) -> bool {
    let Some((first, rest)) = sample.split_first() else { return false };
    let width = common_width(rest);
    let is_size = |k: usize, value: usize| first.get(k).parse() == Ok(value);
    width > 2 && first.len() == 2 && first.get(0).parse::<usize>().is_ok() && is_size(1, width - 1)
}

pub(super) fn sample_column(sample: &[Record], column: usize, separator: Separator) -> ColumnSample {
    let mut counts = ColumnSample::default();
    for record in sample.iter().filter(|r| r.len() > column) {
        let cell = record.get(column);
        match parse_cell(cell, separator, &mut false) {
            Cell::Number(value) => {
                counts.add_number(value);
                counts.leading_zeros |=
                    cell.len() > 1 && cell.starts_with('0') && cell.bytes().all(|b| b.is_ascii_digit());
            }
            Cell::Text => counts.texts += 1,
            Cell::Missing => {}
        }
    }
    counts
}
