//! Half of a symmetric matrix: lower or upper triangles, with or without names and diagonal, and PHYLIP's distances.

use std::borrow::Cow;

use dosnes::Kind;
use dosnes::input::Items;
use dosnes::ndarray::Array2;

use crate::columns::check_ids;
use crate::error::{Error, Place};
use crate::raw::{Contents, Matrix, Parsed, RawMatrix};
use crate::source::Source;

/// Fewest rows that are recognised by their shape.
const FEWEST: usize = 4;

/// A row: its name, if it has one, and its numbers.
type Row = (Option<String>, Vec<f64>);

/// Whether the rows of the first lines grow or shrink by one number each, or PHYLIP's number of items is above them.
pub(crate) fn looks_like_triangle(source: &Source<'_>) -> bool {
    let text = String::from_utf8_lossy(source.first_lines());
    if let Some((n, rest)) = phylip(&text) {
        let rows = lines(&rest, true);
        let counts: Vec<usize> = rows
            .iter()
            .filter_map(|(_, line)| parse_row(line))
            .take(FEWEST)
            .map(|(_, numbers)| numbers.len())
            .collect();
        // The last of the first lines may go on.
        let complete = &counts[..counts.len().min(rows.len().saturating_sub(usize::from(rows.len() < n)))];
        let full = complete.iter().all(|&count| count == n);
        let lower = counts.iter().enumerate().all(|(k, &count)| count == k);
        return counts.len() >= FEWEST.min(n) && !complete.is_empty() && (full || lower);
    }
    let (text, numbered) = without_names(&text).unwrap_or((&text, false));
    let row = |line: &str| if numbered { numbered_row(line) } else { parse_row(line) };
    let rows: Vec<Row> = text.lines().filter(|line| !line.trim().is_empty()).map_while(row).take(64).collect();
    let counts: Vec<usize> = rows.iter().map(|(_, numbers)| numbers.len()).collect();
    if counts.len() < FEWEST {
        return false;
    }
    let grows = counts[0] <= 1 && counts.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let shrinks = counts.windows(2).all(|pair| pair[0] == pair[1] + 1);
    grows || shrinks && counts[0] + 1 >= text.lines().filter(|line| !line.trim().is_empty()).count()
}

/// The lines that are not blank, with their numbers from 0. PHYLIP writes long rows in several lines, of which only the first
/// has a name.
fn lines(text: &str, phylip: bool) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (k, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let goes_on = phylip && line.split_whitespace().next().is_some_and(|word| word.parse::<f64>().is_ok());
        match lines.last_mut() {
            Some((_, last)) if goes_on => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => lines.push((k, line.to_owned())),
        }
    }
    lines
}

/// The number of items in the first line, which has nothing else in it, and the lines below.
fn phylip(text: &str) -> Option<(usize, Cow<'_, str>)> {
    let (first, rest) = text.split_once('\n')?;
    let n: usize = first.trim().parse().ok().filter(|&n| n >= 2)?;
    // Rows of PHYLIP have names.
    let named = rest
        .lines()
        .next()
        .is_some_and(|line| line.split_whitespace().next().is_some_and(|word| word.parse::<f64>().is_err()));
    named.then(|| (n, with_strict_names(rest, n)))
}

/// PHYLIP's own programs take the first ten characters for the name, blanks and all, and numbers may follow directly. Blanks in
/// such names become `_`, as PHYLIP recommends. Rows whose names are words stay as they are.
fn with_strict_names(rest: &str, n: usize) -> Cow<'_, str> {
    const WIDTH: usize = 10;
    let fits = |text: &str| {
        let rows = lines(text, true);
        let mut counts = rows.iter().take(FEWEST).map(|(_, line)| parse_row(line).map(|(_, numbers)| numbers.len()));
        counts.all(|count| count.is_some_and(|count| count > 0 && count <= n)) && !rows.is_empty()
    };
    let first = || lines(rest, true).into_iter().take(FEWEST).filter_map(|(_, line)| parse_row(&line));
    if rest.lines().take(FEWEST).all(|line| parse_row(line).is_some()) && first().all(|(name, _)| name.is_some()) {
        return Cow::Borrowed(rest);
    }
    let named = |line: &str| match line.char_indices().nth(WIDTH) {
        Some((at, _)) if !line.starts_with(' ') => {
            let (name, numbers) = line.split_at(at);
            format!("{} {numbers}\n", name.trim().replace(' ', "_"))
        }
        _ => format!("{line}\n"),
    };
    let strict: String = rest.lines().map(named).collect();
    if fits(&strict) { Cow::Owned(strict) } else { Cow::Borrowed(rest) }
}

/// The lines below a first one with the names of all items, if the first of these is the name of the next line. The names may be
/// 1, 2, 3, … in the header and before the rows, which is the second part of the result.
fn without_names(text: &str) -> Option<(&str, bool)> {
    let (first, rest) = text.split_once('\n')?;
    let names: Vec<&str> = cells(first).into_iter().filter(|cell| !cell.is_empty()).collect();
    let counts = names.iter().enumerate().all(|(k, name)| name.parse() == Ok(k + 1));
    let rows = || rest.lines().filter(|line| !line.trim().is_empty());
    let are_names = || rows().zip(&names).all(|(line, name)| cells(line).first() == Some(name));
    if counts && names.len() >= FEWEST && rows().count() == names.len() && are_names() {
        return Some((rest, true));
    }
    let (name, numbers) = parse_row(rest.lines().next()?)?;
    let fits = names.len() >= FEWEST
        && numbers.len() <= 1
        && names.iter().all(|cell| cell.parse::<f64>().is_err())
        && name.as_deref() == names.first().copied();
    fits.then_some((rest, false))
}

/// A row whose name is a number.
fn numbered_row(line: &str) -> Option<Row> {
    let (name, cells) = cells(line).split_first().map(|(name, cells)| ((*name).to_owned(), cells.to_vec()))?;
    let numbers = cells.iter().filter(|cell| !cell.is_empty()).map(|cell| cell.parse::<f64>().ok());
    Some((Some(name), numbers.collect::<Option<Vec<f64>>>()?))
}

fn cells(line: &str) -> Vec<&str> {
    if line.contains([',', ';', '\t']) {
        line.split([',', ';', '\t']).map(|cell| cell.trim().trim_matches('"')).collect()
    } else {
        line.split_whitespace().collect()
    }
}

/// The cells of a line, separated by blanks, commas, semicolons or tabs; empty ones at the beginning are the other half.
fn parse_row(line: &str) -> Option<Row> {
    let cells = cells(line);
    let (name, cells) = match cells.split_first() {
        Some((first, rest)) if !first.is_empty() && first.parse::<f64>().is_err() => (Some((*first).to_owned()), rest),
        _ => (None, &cells[..]),
    };
    let numbers = cells.iter().filter(|cell| !cell.is_empty()).map(|cell| cell.parse::<f64>().ok());
    Some((name, numbers.collect::<Option<Vec<f64>>>()?))
}

/// Reads a file.
pub(crate) fn read(source: &Source<'_>) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let bytes = source.read_all()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let header = phylip(text);
    let below = header.as_ref().map(|(_, rest)| (&**rest, false)).or_else(|| without_names(text));
    let (body, numbered, skipped) = below.map_or((text, false, 0), |(rest, numbered)| (rest, numbered, 1));
    let (mut rows, mut places) = (Vec::new(), Vec::new());
    for (k, line) in lines(body, header.is_some()) {
        let row = if numbered { numbered_row(&line) } else { parse_row(&line) };
        let place = Place::line((k + 1 + skipped) as u64);
        rows.push(row.ok_or_else(|| Error::malformed(file, place.clone(), "a cell is not a number"))?);
        places.push(place);
    }
    let counts: Vec<usize> = rows.iter().map(|(_, numbers)| numbers.len()).collect();
    let (first, last) = (counts.first().copied().unwrap_or(0), counts.last().copied().unwrap_or(0));
    let lower = first < last;
    // The diagonal is there if its numbers are all zero, or all the largest.
    let largest = rows.iter().flat_map(|(_, numbers)| numbers).copied().fold(0.0, f64::max);
    let ends: Vec<f64> =
        rows.iter().filter_map(|(_, numbers)| if lower { numbers.last() } else { numbers.first() }).copied().collect();
    let diagonal = first.min(last) == 1 && (ends.iter().all(|&v| v == 0.0) || ends.iter().all(|&v| v == largest));
    let n = match &header {
        Some((n, _)) => *n,
        None => first.max(last) + usize::from(!diagonal),
    };
    if header.is_some() && counts.len() != n {
        let problem = format!("the first line promises {n} items, but {} lines follow", counts.len());
        return Err(Error::malformed(file, Place::line(1), problem));
    }
    let full = counts.iter().all(|&count| count == n) && counts.len() == n;
    // Without its diagonal, the first row of a lower triangle is empty and may not be there.
    let row = |k: usize| if lower && !diagonal && first == 1 { k + 1 } else { k };
    // All lines are checked before the matrix is allocated: a file without numbers may promise any number of items.
    for (k, (_, numbers)) in rows.iter().enumerate() {
        let i = row(k);
        let expected = if full {
            n
        } else if lower {
            i + usize::from(diagonal)
        } else {
            (n - i.min(n)).saturating_sub(usize::from(!diagonal))
        };
        if i >= n || numbers.len() != expected {
            let problem = format!("this line has {} numbers where a triangle has {expected}", numbers.len());
            return Err(Error::malformed(file, places[k].clone(), problem));
        }
    }
    let mut x = Array2::zeros((n, n));
    for (k, (_, numbers)) in rows.iter().enumerate() {
        let i = row(k);
        for (c, &value) in numbers.iter().enumerate() {
            let j = if full || lower { c } else { n - numbers.len() + c };
            x[[i, j]] = value;
            if !full {
                x[[j, i]] = value;
            }
        }
    }
    let names: Option<Vec<String>> = rows.iter().map(|(name, _)| name.clone()).collect();
    let names = names.filter(|names| names.len() == n);
    if let Some(names) = &names {
        check_ids(file, names, |row| places.get(row).cloned().unwrap_or_default())?;
    }
    let items = names.map(|ids| Items { ids, columns: Vec::new() });
    let kind = header.as_ref().map(|_| Kind::Distance);
    let form = match (header.is_some(), lower) {
        (true, _) => "PHYLIP distances".to_owned(),
        (false, true) => format!("lower triangle of {n} rows"),
        (false, false) => format!("upper triangle of {n} rows"),
    };
    let lacks_diagonal = !diagonal && !full;
    let raw = RawMatrix { items, kind, lacks_diagonal, ..RawMatrix::new(Matrix::Double(x)) };
    Ok(Parsed { description: form, contents: Contents::Matrix(raw), notes: Vec::new() })
}
