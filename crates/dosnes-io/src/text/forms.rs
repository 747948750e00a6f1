//! Forms of numbers that are not read: `(5.00)` and `5.00-` for −5, `1.5-105`, `3/4`, `2.5±0.1`, `2.5 (2.1-2.9)`, `<0.01`, `1:23:45`, `0x1f`,
//! `1,23,456`, `'1.5`, `="1.5"`, `1.5M`, different units in a column, digits of other scripts.

use super::affixes::UNITS;
use super::records::{Cell, Record, parse_cell};
use super::separator::Separator;

/// Thousands, millions and so on, after a number.
const MULTIPLES: [&str; 6] = ["k", "K", "M", "B", "bn", "mn"];

/// Whether all cells of a column are numbers in such a form, or plain ones; the first that is not plain.
pub(crate) fn unread_number(sample: &[Record], column: usize, separator: Separator) -> Option<&str> {
    let is_plain = |cell: &str| parse_cell(cell, separator, &mut false) != Cell::Text;
    let cells = || sample.iter().map(|record| record.get(column));
    let first = cells().find(|cell| !is_plain(cell))?;
    cells().all(|cell| is_plain(cell) || is_number(cell)).then_some(first)
}

/// The first cell of a column that has nothing but numbers in such a form.
pub(crate) fn all_unread(sample: &[Record], column: usize) -> Option<&str> {
    let mut cells = sample.iter().map(|record| record.get(column));
    let first = cells.next().filter(|cell| is_number(cell))?;
    cells.all(is_number).then_some(first)
}

fn is_number(cell: &str) -> bool {
    let plain = |text: &str| {
        let text = text.trim();
        text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) && text.parse::<f64>().is_ok()
    };
    let whole = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let both = |mark: &str, test: &dyn Fn(&str) -> bool| cell.split_once(mark).is_some_and(|(a, b)| test(a) && test(b));
    // `2.5 (2.1-2.9)`, `2.5 [2.1 to 2.9]`, `12 (3.5%)`.
    let with_interval = || {
        let (number, rest) = cell.split_once(['(', '['])?;
        let inner = rest.strip_suffix([')', ']'])?;
        let is_part = |c: char| c.is_ascii_digit() || " .,;:%±-–−to".contains(c);
        (plain(number) && inner.contains(|c: char| c.is_ascii_digit()) && inner.chars().all(is_part)).then_some(())
    };
    let with_unit = || {
        let number = cell.trim_end_matches(|c: char| c.is_alphabetic() || c == '°');
        let unit = &cell[number.len()..];
        plain(number) && (UNITS.contains(&unit) || MULTIPLES.contains(&unit))
    };
    // What Fortran writes where the columns are too narrow: `1.5-105` for 1.5e-105, `-25.588-1511.431` for two numbers.
    let decimals = |text: &str| text.rsplit_once('.').map_or(0, |(_, digits)| digits.len());
    let fortran = || {
        let at = cell.char_indices().skip(1).find(|&(_, c)| matches!(c, '-' | '+'))?.0;
        let (first, rest) = cell.split_at(at);
        let exponent = rest.len() == 4 && whole(&rest[1..]) && decimals(first) > 0;
        let glued = decimals(first) > 2 && rest[1..].split('-').all(|n| plain(n) && decimals(n) == decimals(first));
        (plain(first) && (exponent || glued)).then_some(())
    };
    let bare = cell.trim_start_matches(['$', '€', '£', '¥']);
    let in_parentheses = bare.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    in_parentheses.is_some_and(|inner| plain(&inner.replace([',', '$', '€', '£'], "")))
        || cell.strip_prefix(['<', '>', '≤', '≥', '≈']).is_some_and(plain)
        || cell.strip_suffix('-').is_some_and(plain)
        // What spreadsheets need for a text of digits.
        || cell.strip_prefix('\'').is_some_and(plain)
        || cell.strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"')).is_some_and(plain)
        || fortran().is_some()
        || with_interval().is_some()
        || with_unit()
        || both("±", &plain)
        || both("+/-", &plain)
        || both("/", &whole)
        || cell.strip_prefix("0x").is_some_and(|digits| u64::from_str_radix(digits, 16).is_ok())
        || matches!(cell.split(':').count(), 2 | 3)
            && cell.split(':').all(|part| plain(part) && part.len() > 1 || whole(part))
        || cell.matches(',').count() > 1 && cell.split(',').all(|group| matches!(group.len(), 1..=3) && whole(group))
        || cell.contains(|c: char| c.is_numeric() && !c.is_ascii())
            && cell.chars().all(|c| c.is_numeric() || matches!(c, '.' | ',' | '-' | '٫' | '٬' | '．'))
        || cell.contains('°') && cell.starts_with(|c: char| c.is_ascii_digit() || c == '-')
}

/// Whether a cell is a date or a time: `2001-05-14`, `14.05.2001 12:30`, `Mon Jan 01 10:00:00 +0000 2018`. The address `10.0.0.12` is
/// none.
pub(crate) fn is_date(cell: &str) -> bool {
    const WORDS: [&str; 22] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon", "tue", "wed", "thu",
        "fri", "sat", "sun", "am", "pm", "utc",
    ];
    let mut named = false;
    let words = cell.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 1);
    let known = words.into_iter().all(|word| {
        let lower = word.to_ascii_lowercase();
        named = true;
        WORDS.iter().any(|start| lower.starts_with(start))
    });
    let digits = cell.bytes().filter(u8::is_ascii_digit).count();
    let marks = cell.bytes().filter(|b| matches!(b, b'-' | b'/' | b'.' | b':')).count();
    let plain = |b: u8| b.is_ascii_digit() || b"-/.: +TZ,".contains(&b) || named && b.is_ascii_alphabetic();
    let is_address = cell.matches('.').count() > 2;
    known && !is_address && digits >= 5 && (marks >= 2 || named) && cell.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_told_from_addresses_and_names() {
        for cell in [
            "2001-05-14",
            "14.05.2001 12:30",
            "Mon Jan 01 10:00:00 +0000 2018",
            "05/14/2001 8:30 PM",
            "2020-01-01T08:00:00Z",
        ] {
            assert!(is_date(cell), "{cell}");
        }
        for cell in ["10.0.0.12", "1.2.3", "gene 12345", "12345", "a-b-c", ""] {
            assert!(!is_date(cell), "{cell}");
        }
    }

    #[test]
    fn forms_of_numbers_are_told_from_names() {
        for cell in
            ["(5.00)", "$(1,234)", "3/4", "2.5±0.1", "<0.01", "1:23:45", "0x1f", "1,23,456", "١٢", "１２", "5°30'N"]
                .into_iter()
                .chain(["5.00-", "1.5-105", "-25.588-1511.431-3260.961", "2.071+101"])
                .chain(["'1.5", "=\"1.5\""])
                .chain(["0.3 (0.1-0.4)", "0.3 [0.1, 0.4]", "12 (3.5%)", "1.2M", "900K", "150 cm", "1.6 m"])
        {
            assert!(is_number(cell), "{cell}");
        }
        for cell in [
            "a",
            "12a",
            "2020-01-02",
            "1-2",
            "3/4/2020",
            "(a)",
            "a:b",
            "10.0.0.1",
            "0.5-1.5",
            "1.2-3.4.5",
            "a-",
            "Ⅳa",
            "C°",
            "5 oak",
            "3 (a)",
        ] {
            assert!(!is_number(cell), "{cell}");
        }
    }
}
