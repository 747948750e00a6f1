//! Names what cannot be read, and says how to convert it.

const STATA: &str = "a Stata file; save it as CSV there (export delimited), or in Python: \
                     pandas.read_stata(FILE).to_csv(\"table.csv\", index=False)";
const SPSS: &str =
    "an SPSS file; save it as CSV there, or in Python: pandas.read_spss(FILE).to_csv(\"table.csv\", index=False)";

/// Files that are known by their first bytes.
pub(crate) fn by_first_bytes(start: &[u8]) -> Option<String> {
    const KNOWN: [(&[u8], &str); 20] = [
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
        (b"<stata_dta>", STATA),
        (b"$FL", SPSS),
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

/// Binary files that only the ends of their names tell.
pub(crate) fn binary_by_extension(extension: &str) -> Option<String> {
    let what = match extension {
        "dta" => STATA,
        "sav" | "zsav" | "por" => SPSS,
        "sas7bdat" | "xpt" => {
            "a SAS file; save it as CSV there (proc export), or in Python: pandas.read_sas(FILE).to_csv(\"table.csv\", index=False)"
        }
        "mat" => "a MATLAB file of version 4, or a damaged one; save it again: save(FILE, '-v7')",
        "fcs" => "an FCS file of a flow cytometer; export the events as CSV",
        "gt" => "a file of graph-tool; save it there as GraphML: graph.save(\"graph.graphml\")",
        _ => return None,
    };
    Some(what.to_owned())
}

/// A printed array of NumPy, which looks like JSON without commas.
pub(crate) fn is_printed_array(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.starts_with("[[") && !line.contains([',', '"', '{']))
}

/// What a printed array is called.
pub(crate) const PRINTED_ARRAY: &str = "a printed NumPy array; save the array itself: numpy.save(\"x.npy\", x)";

/// Texts that only the ends of their names tell apart from tables.
pub(crate) fn by_extension(extension: &str) -> Option<String> {
    let what = match extension {
        "tgf" => "a TGF graph; keep its edges, below the line #: sed \"1,/^#/d\" FILE > graph.edges",
        "gmt" => {
            "sets of genes (GMT); make pairs of them: awk -F\"\\t\" '{for (i = 3; i <= NF; i++) print $1 \",\" $i}' FILE > \
             pairs.csv, and use --as dyadic"
        }
        "smi" | "smiles" => {
            "SMILES, structures of molecules; make a table of fingerprints first (for example with RDKit)"
        }
        "bed" => "BED, places in a genome; make a table of counts first",
        "ped" => "genotypes as PLINK's .ped has them; make numbers of them first: plink --file NAME --recode A",
        "gdf" => "a GDF graph; open it in Gephi, and export it as GEXF or GraphML",
        "tlp" => "a graph of Tulip; export it as GML or CSV there",
        "lgl" => {
            "a graph of LGL; convert it in Python: igraph.Graph.Read_Lgl(FILE).write_ncol(\"graph.ncol\"), or in R: \
             igraph::read_graph"
        }
        _ => return None,
    };
    Some(what.to_owned())
}

/// The first line of some formats, in lower case.
const BY_FIRST_LINE: [(&str, &str); 18] = [
    (
        "#nexus",
        "NEXUS, trees or sequences; make a matrix of distances first (ape::cophenetic.phylo in R), and save it as CSV",
    ),
    ("#mega", "a MEGA file; export the distances as CSV, or as a matrix in PHYLIP's format"),
    ("*node data", "a VNA file of NetDraw; save the lines below \"*tie data\" as a file of their own"),
    ("leda.graph", "a LEDA graph; save it as GML, GraphML or an edge list"),
    (
        ">>graph6<<",
        "graph6; convert it in Python: networkx.write_edgelist(networkx.read_graph6(FILE), \"graph.edges\")",
    ),
    (
        ">>sparse6<<",
        "sparse6; convert it in Python: networkx.write_edgelist(networkx.read_sparse6(FILE), \"graph.edges\")",
    ),
    ("create table", "SQL; export the table as CSV from the database"),
    ("insert into", "SQL; export the table as CSV from the database"),
    ("-- mysql dump", "SQL; export the table as CSV from the database"),
    ("\\begin{", "LaTeX; save the table as CSV"),
    ("\\documentclass", "LaTeX; save the table as CSV"),
    ("@article", "BibTeX; make a table of pairs (paper, author) first, for example with bibliometrix in R"),
    ("@inproceedings", "BibTeX; make a table of pairs (paper, author) first, for example with bibliometrix in R"),
    ("ty  - ", "RIS references; make a table of pairs (paper, author) first, for example with VOSviewer"),
    ("fn clarivate", "Web of Science records; make a network first, for example with VOSviewer or bibliometrix"),
    ("@hd\t", "SAM alignments; make a matrix of counts or distances first"),
    ("##gff-version", "GFF annotations, not data of items"),
    ("header    ", "a PDB structure; make a table of coordinates or distances first"),
];

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
    if let Some((_, what)) = BY_FIRST_LINE.iter().find(|(start, _)| first.starts_with(start)) {
        return Some((*what).to_owned());
    }
    if first.starts_with('(') && first.ends_with(')') && first.contains(',') && second.starts_with('(') {
        return Some("pairs as Python prints them; write them without parentheses, one pair in a line".to_owned());
    }
    if first.ends_with("= [") {
        return Some("MATLAB code; save the matrix there: writematrix(A, \"A.csv\")".to_owned());
    }
    if first.split([',', '\t', ';']).take(2).map(|name| name.trim_matches('"')).eq(["_type_", "_name_"]) {
        return Some(
            "statistics as SAS writes them (_TYPE_); keep the rows whose _TYPE_ is CORR or COV, and the columns of numbers"
                .to_owned(),
        );
    }
    if first.starts_with("- ") && lower.lines().take(20).filter(|line| line.contains(": ")).count() > 1 {
        return Some("YAML; save the table as CSV or JSON".to_owned());
    }
    if lower.starts_with("#doc name topic proportion") {
        return Some(
            "topics of an old MALLET, in order of their shares; write them again with a newer MALLET \
             (--output-doc-topics), or as a table with a column for each topic"
                .to_owned(),
        );
    }
    if is_printed_dist(text) {
        return Some(
            "distances as R prints them; write them to a file: write.csv(as.matrix(d), \"distances.csv\")".to_owned(),
        );
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
