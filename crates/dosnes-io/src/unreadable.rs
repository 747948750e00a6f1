//! Names what cannot be read, and says how to convert it.

/// Files that are known by their first bytes.
pub(crate) fn by_first_bytes(start: &[u8]) -> Option<String> {
    const KNOWN: [(&[u8], &str); 18] = [
        (b"DOSNESMD", "a model of dosnes; place data on it with `dosnes transform MODEL DATA`"),
        (b"\x89PNG", "a PNG image; give one table with a row of pixels for each image, or show images with --images"),
        (b"\xff\xd8\xff", "a JPEG image; give one table with a row of pixels for each image"),
        (b"GIF8", "a GIF image; give one table with a row of pixels for each image"),
        (b"%PDF", "a PDF document; copy its table into a CSV file"),
        (
            b"SQLite format 3",
            "an SQLite database; export a table: sqlite3 -header -csv FILE \"select * from TABLE\" > table.csv",
        ),
        (
            b"ARROW1",
            "a Feather or Arrow file; convert it in Python: pandas.read_feather(FILE).to_csv(\"table.csv\", index=False)",
        ),
        (b"FEA1", "a Feather file; convert it in Python: pandas.read_feather(FILE).to_csv(\"table.csv\", index=False)"),
        (b"\xd0\xcf\x11\xe0", "an old Excel file (.xls); save it as .xlsx or .csv"),
        (b"RDX", "an R workspace; save the table in R: write.csv(x, \"table.csv\")"),
        (b"X\n\0\0\0", "an R object (.rds); save it in R: write.csv(readRDS(FILE), \"table.csv\")"),
        (b"ORC", "an ORC file; convert it in Python: pandas.read_orc(FILE).to_csv(\"table.csv\", index=False)"),
        (b"Obj\x01", "an Avro file; convert it to CSV or JSON"),
        (b"CDF\x01", "a NetCDF file; save the matrix as .npy"),
        (b"CDF\x02", "a NetCDF file; save the matrix as .npy"),
        (b"\x7fELF", "a program, not data"),
        (b"MZ", "a program, not data"),
        (b"7z\xbc\xaf", "a 7z archive; unpack it, and give one of its files"),
    ];
    if let Some((_, what)) = KNOWN.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Some((*what).to_owned());
    }
    // The protocol of a pickle, and what begins one.
    if matches!(start, [0x80, 2..=5, 0x95 | b'c' | b'}' | b']' | b'(' | b'q', ..]) {
        let how = "a pickle, which only Python can read; save the array there with numpy.save(\"x.npy\", x), or the table with \
                   table.to_csv(\"table.csv\")";
        return Some(how.to_owned());
    }
    if start.get(257..262) == Some(b"ustar") {
        return Some("a tar archive; unpack it (tar -xf FILE), and give one of its files".to_owned());
    }
    None
}

/// Texts that are known by their first lines.
pub(crate) fn by_first_lines(text: &str) -> Option<String> {
    let lower: String = text.chars().take(4096).collect::<String>().to_lowercase();
    let first = lower.lines().find(|line| !line.trim().is_empty() && !line.starts_with('%')).unwrap_or_default();
    let is_sequence =
        |line: &str| line.len() > 1 && line.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '*' | '-'));
    let second = text.lines().nth(1).unwrap_or_default().trim();
    if text.starts_with('>') && is_sequence(second) {
        return Some(
            "FASTA, sequences without distances; make a matrix of distances first (for example with mash, or Clustal Omega \
             --distmat-out), and give that file"
                .to_owned(),
        );
    }
    if text.starts_with('@')
        && !first.starts_with("@relation")
        && text.lines().nth(2).is_some_and(|line| line.starts_with('+'))
    {
        return Some("FASTQ, reads of a sequencer; make a matrix of distances or counts first".to_owned());
    }
    if first.starts_with("@relation") && lower.contains("@attribute") {
        return Some("ARFF, the format of Weka; save it as CSV there, or remove the lines above @data".to_owned());
    }
    if lower.starts_with("##fileformat=vcf") {
        return Some("VCF, genetic variants; make a table of genotypes first (plink --recode A)".to_owned());
    }
    if first.starts_with('(') && text.trim_end().ends_with(");") {
        return Some("a Newick tree; make a matrix of distances first (ape::cophenetic.phylo in R)".to_owned());
    }
    None
}

/// XML and HTML that is no graph.
pub(crate) fn of_markup(text: &str) -> String {
    let lower: String = text.chars().take(65_536).collect::<String>().to_lowercase();
    if lower.contains("<table") {
        "HTML with a table, not data; convert it in Python: pandas.read_html(FILE)[0].to_csv(\"table.csv\", index=False)".to_owned()
    } else if lower.contains("<html") || lower.contains("<!doctype html") {
        "an HTML page, not data; if it is a page of dosnes, open it in a browser".to_owned()
    } else if lower.contains("<svg") {
        "an SVG figure, not data".to_owned()
    } else {
        "XML, but neither GraphML nor GEXF; save the graph in one of these formats, or as an edge list".to_owned()
    }
}
