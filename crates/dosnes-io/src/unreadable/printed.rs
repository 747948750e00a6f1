//! What programs print on the screen, often cut to fit there, and people copied into a file.

/// A printed array of NumPy, which looks like JSON without commas.
pub(crate) fn is_printed_array(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.starts_with("[[") && !line.contains([',', '"', '{']))
}

/// What a printed array is called.
pub(crate) const PRINTED_ARRAY: &str = "a printed NumPy array; save the array itself: numpy.save(\"x.npy\", x)";

/// Whether a text begins with a dictionary or a list of texts as Python prints it, which looks like JSON with other quotes.
pub(crate) fn is_printed_by_python(text: &str) -> bool {
    ["{'", "[{'", "[['", "{(", "[('"].iter().any(|start| text.starts_with(start))
}

/// What that is called.
pub(crate) const PRINTED_BY_PYTHON: &str =
    "a dictionary or list as Python prints it; write it as JSON: json.dump(x, open(\"x.json\", \"w\"))";

/// What a printed sparse matrix is called.
pub(super) const PRINTED_SPARSE: &str =
    "a printed sparse matrix of SciPy; save the matrix itself: scipy.sparse.save_npz(\"x.npz\", x)";

/// Whether the first lines are `(0, 3)   1.0`, as SciPy prints the entries of a sparse matrix.
fn is_printed_sparse(text: &str) -> bool {
    let is_entry = |line: &str| {
        let entry = line.trim().strip_prefix('(').and_then(|rest| rest.split_once(')'));
        entry.is_some_and(|(place, value)| {
            let mut numbers = place.split(',').map(|number| number.trim().parse::<usize>().is_ok());
            value.starts_with(['\t', ' '])
                && value.trim().parse::<f64>().is_ok()
                && (numbers.next(), numbers.next(), numbers.next()) == (Some(true), Some(true), None)
        })
    };
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(5).collect();
    lines.len() > 2 && lines.iter().all(|line| is_entry(line))
}

/// What R prints for a `dist`: a line with the names of all items but the last, then each further item with the distances to
/// those before it.
fn is_printed_dist(text: &str) -> bool {
    let mut lines =
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(|words| !words.is_empty());
    let Some(names) = lines.next() else { return false };
    let is_number = |word: &&str| word.parse::<f64>().is_ok();
    let rows: Vec<Vec<&str>> = lines.take(names.len().min(5)).collect();
    rows.len() > 1
        && rows.iter().enumerate().all(|(k, row)| {
            row.len() == k + 2 && row[1..].iter().all(is_number) && names.get(k + 1).is_none_or(|name| *name == row[0])
        })
}

/// `  1. | 5   1000 |`: the number of an observation, and a bar.
fn is_row_of_stata(line: &str) -> bool {
    line.split_once(". |").is_some_and(|(number, _)| number.trim().parse::<usize>().is_ok())
}

/// The name of a print, and what to do instead.
pub(super) fn printed(text: &str) -> Option<&'static str> {
    let lines = || text.lines().filter(|line| !line.trim().is_empty()).take(2000);
    let first = lines().next().unwrap_or_default();
    let any = |test: &dyn Fn(&str) -> bool| lines().any(test);
    let what = if is_printed_dist(text) {
        "distances as R prints them; write them to a file: write.csv(as.matrix(d), \"distances.csv\")"
    } else if is_printed_sparse(text) {
        PRINTED_SPARSE
    } else if first.trim_start().starts_with("[,1]") && any(&|line| line.trim_start().starts_with("[1,]")) {
        "a matrix as R prints it; write it to a file: write.csv(x, \"matrix.csv\")"
    } else if first.starts_with("'data.frame':") || first.starts_with("# A tibble:") {
        "a table as R shows it, of which only a part is there; write it to a file: write.csv(x, \"table.csv\")"
    } else if first.trim_start().starts_with("+--") && lines().skip(3).take(2).all(is_row_of_stata) {
        "a table as Stata lists it; write it to a file: export delimited using \"table.csv\""
    } else if any(&|line| line.trim_start().starts_with("1st Qu.:")) {
        "a summary as R prints it; write the table itself to a file: write.csv(x, \"table.csv\")"
    } else if any(&|line| is_pandas_size(line) || is_dots(line)) {
        "a table as it was printed, of which only a part is there; write the whole table to a file (to_csv in pandas, writedlm in \
         Julia)"
    } else if first.trim_end().ends_with('\\') && !first.contains('&') {
        "a table as pandas prints it, in several parts below each other; write it to a file: table.to_csv(\"table.csv\")"
    } else if any(&|line| is_columns_of_matlab(line)) {
        "a matrix as MATLAB prints it, in several parts below each other; write it to a file: writematrix(A, \"A.csv\")"
    } else if text.matches("\n# name: ").count() > 1 && first.starts_with("# Created by Octave") {
        "several variables of Octave; save one of them alone: save(\"-text\", FILE, \"A\")"
    } else if first.contains(" & ") && first.trim_end().ends_with("\\\\") {
        "a table of LaTeX; save it as CSV"
    } else if first.starts_with(['┌', '╭', '╔']) || first.starts_with("shape: (") {
        "a table as a program prints it; write it to a file (write_csv in polars, COPY in DuckDB)"
    } else if first.starts_with("[(") {
        "a list as Python prints it; write one pair in a line, without parentheses"
    } else if is_complex(first) {
        "complex numbers; write the real and the imaginary part as columns of their own"
    } else {
        return None;
    };
    Some(what)
}

/// `[150 rows x 3 columns]`, which pandas prints below a table that it cuts.
fn is_pandas_size(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('[') && line.ends_with(" columns]") && line.contains(" rows x ")
}

/// A line of dots in the place of rows.
fn is_dots(line: &str) -> bool {
    let line = line.trim();
    let dots = line.split_whitespace().all(|word| matches!(word, ".." | "..." | "⋮" | "⋱" | "…"));
    dots && (line.contains('⋮') || line.split_whitespace().count() > 2)
}

/// `Columns 1 through 4`
fn is_columns_of_matlab(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words[..], ["Columns", from, "through" | "to", to, ..]
        if from.parse::<usize>().is_ok() && to.trim_end_matches(':').parse::<usize>().is_ok())
}

/// Numbers such as `(1.5+0.5j)` and nothing else.
fn is_complex(line: &str) -> bool {
    let words = || line.split_whitespace();
    words().next().is_some()
        && words().all(|word| {
            let inner = word.trim_start_matches('(').trim_end_matches(')');
            inner.ends_with('j') && inner.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        })
}
