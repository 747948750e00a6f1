//! Names what cannot be read, and says how to convert it.

mod printed;

use printed::printed;
pub(crate) use printed::{PRINTED_ARRAY, PRINTED_BY_PYTHON, is_printed_array, is_printed_by_python};

const STATA: &str = "a Stata file; save it as CSV there (export delimited), or in Python: \
                     pandas.read_stata(FILE).to_csv(\"table.csv\", index=False)";
const SPSS: &str =
    "an SPSS file; save it as CSV there, or in Python: pandas.read_spss(FILE).to_csv(\"table.csv\", index=False)";

const FAISS: &str = "an index of FAISS; save its vectors in Python: numpy.save(\"x.npy\", \
                     faiss.read_index(FILE).reconstruct_n())";
const PDB: &str = "a structure of atoms (PDB); make a table of coordinates or distances first";
const MOLECULES: &str =
    "structures of molecules (SDF); make a table of fingerprints or descriptors first (for example with RDKit)";
const MZTAB: &str = "mzTab; keep the lines that begin with SMH and SML (or PRH and PRT) as a table of their own";
const BIBTEX: &str = "BibTeX; make a table of pairs (paper, author) first, for example with bibliometrix in R";

/// Files that are known by their first bytes.
pub(crate) fn by_first_bytes(start: &[u8]) -> Option<String> {
    const KNOWN: [(&[u8], &str); 37] = [
        (
            b"root\0",
            "a ROOT file; save the table in Python: uproot.open(FILE)[\"NAME\"].arrays(library=\"pd\").to_csv(\"table.csv\")",
        ),
        (b"IxF", FAISS),
        (b"IxM", FAISS),
        (b"IwFl", FAISS),
        (b"IwPQ", FAISS),
        (b"IHN", FAISS),
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
        (b"II*\0", "a TIFF image; give one table with a row of pixels for each image"),
        (b"MM\0*", "a TIFF image; give one table with a row of pixels for each image"),
        (b"BM", "a BMP image; give one table with a row of pixels for each image"),
        (b"ID3", "an MP3 recording; make a table of features first (for example with librosa)"),
        (b"Rar!", "a RAR archive; unpack it, and give one of its files"),
        (b"SIMPLE  =", "a FITS file; save the table in Python: astropy.table.Table.read(FILE).write(\"table.csv\")"),
        (b"\0\0\x08\x01", "labels as MNIST has them (IDX); give the images, and the labels as a table with --items"),
        (
            b"\0\0\x08\x03",
            "images as MNIST has them (IDX); save them as rows: numpy.save(\"x.npy\", numpy.fromfile(FILE, numpy.uint8, \
             offset=16).reshape(-1, 784))",
        ),
        (b"RIFF", "a recording or image (WAV, WebP, AVI); make a table of features first"),
        (b"\xff\xfb", "an MP3 recording; make a table of features first (for example with librosa)"),
        (b"OggS", "a recording (Ogg); make a table of features first (for example with librosa)"),
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
    if start.get(4..8) == Some(b"ftyp") {
        return Some("a film (MP4); make a table of features first".to_owned());
    }
    if start.get(128..132) == Some(b"DICM") {
        return Some("a DICOM image; give one table with a row of pixels for each image".to_owned());
    }
    // A number of eight bytes before a JSON object.
    if start.get(5..9).is_some_and(|bytes| bytes.starts_with(&[0, 0, 0, b'{'])) {
        return Some(
            "a safetensors file; save one of its arrays in Python: numpy.save(\"x.npy\", \
             safetensors.numpy.load_file(FILE)[\"NAME\"])"
                .to_owned(),
        );
    }
    if start.get(257..262) == Some(b"ustar") {
        return Some("a tar archive; unpack it (tar -xf FILE), and give one of its files".to_owned());
    }
    None
}

/// Texts in which a few zero bytes are damage, and the line of the first.
pub(crate) fn damaged_text(start: &[u8]) -> Option<usize> {
    let is_other = |byte: &u8| *byte != 0 && byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let parts: Vec<&[u8]> = start.split(|byte| *byte == 0).collect();
    let fits = !start.iter().any(is_other)
        && 100 * (parts.len() - 1) <= start.len()
        && std::str::from_utf8(start.get(..100)?).is_ok();
    (fits && parts.len() > 1).then(|| parts[0].split(|byte| *byte == b'\n').count())
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
        "nii" => "a NIfTI image; save the matrix as .npy",
        "arrows" => {
            "a stream of Arrow; convert it in Python: pyarrow.ipc.open_stream(FILE).read_pandas().to_csv(\"table.csv\")"
        }
        "faiss" => FAISS,
        "ann" | "annoy" | "hnsw" | "usearch" => {
            "an index for finding neighbours; save the vectors that it was made from: numpy.save(\"x.npy\", vectors)"
        }
        "pt" | "pth" | "ckpt" => {
            "a PyTorch file; save its array in Python: numpy.save(\"x.npy\", torch.load(FILE).numpy())"
        }
        "gt" => "a file of graph-tool; save it there as GraphML: graph.save(\"graph.graphml\")",
        _ => return None,
    };
    Some(what.to_owned())
}

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
        "yaml" | "yml" => "YAML; save the table as CSV or JSON",
        "toml" | "ini" | "cfg" => "settings of a program, not data",
        "g6" | "s6" => {
            "graph6 or sparse6; convert it in Python: networkx.write_edgelist(networkx.read_graph6(FILE), \"graph.edges\")"
        }
        "pdb" | "ent" | "cif" => PDB,
        "sdf" | "mol" | "mol2" => MOLECULES,
        "gtf" | "gff" | "gff3" => "GFF annotations, not data of items",
        "conll" | "conllu" => "sentences (CoNLL); make a table of pairs of words, or of vectors, first",
        "srt" | "vtt" => "subtitles; make a table of texts first, and turn these into vectors",
        "cls" => "classes of samples (CLS); give the matrix of expression (.gct)",
        "ics" => "a calendar, not data of items",
        "eml" | "mbox" => "e-mails; make a table of pairs (sender, recipient) first",
        "bib" => BIBTEX,
        "sql" => "SQL; export the table as CSV from the database",
        "narrowpeak" | "broadpeak" | "bed" => "BED, places in a genome; make a table of counts first",
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
const BY_FIRST_LINE: [(&str, &str); 44] = [
    ("ascii spss port file", SPSS),
    (
        "header record*******",
        "a SAS transport file; in Python: pandas.read_sas(FILE, format=\"xport\").to_csv(\"table.csv\")",
    ),
    ("@prefix", "RDF (Turtle); make a table of pairs of it first, for example with rdflib in Python"),
    ("mtd\tmztab", MZTAB),
    ("com\t", MZTAB),
    (
        "pmid- ",
        "PubMed records; make a table of pairs (paper, author) first, for example with VOSviewer or bibliometrix",
    ),
    ("%0 ", "EndNote records; make a table of pairs (paper, author) first, for example with bibliometrix"),
    ("{|", "a table of a wiki; copy it into a spreadsheet program, and save it as CSV"),
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
    ("@article", BIBTEX),
    ("@inproceedings", BIBTEX),
    ("ty  - ", "RIS references; make a table of pairs (paper, author) first, for example with VOSviewer"),
    ("fn clarivate", "Web of Science records; make a network first, for example with VOSviewer or bibliometrix"),
    ("@hd\t", "SAM alignments; make a matrix of counts or distances first"),
    ("##gff-version", "GFF annotations, not data of items"),
    ("header    ", PDB),
    ("atom  ", PDB),
    ("hetatm", PDB),
    ("cryst1", PDB),
    ("remark  ", PDB),
    ("@book{", BIBTEX),
    ("@misc{", BIBTEX),
    ("begin:vcalendar", "a calendar, not data of items"),
    ("begin ions", "mass spectra (MGF); make a table of their peaks first"),
    (
        "clustal",
        "an alignment (Clustal); make a matrix of distances first (Clustal Omega --distmat-out, or ape::dist.dna in R)",
    ),
    (
        "#fps1",
        "fingerprints in hexadecimal digits (FPS); write their bits in Python, a line for each molecule: \
         fingerprint.ToBitString() in RDKit",
    ),
    ("rs#\talleles", "genotypes (HapMap); make numbers of them first, for example with TASSEL or plink --recode A"),
    ("labview measurement", "a file of LabVIEW; skip the lines above its last header: --format table --skip N"),
    ("$gp", "positions of a GPS receiver (NMEA), not data of items"),
    ("$gn", "positions of a GPS receiver (NMEA), not data of items"),
    ("{{", MATHEMATICA),
    ("graph[{", MATHEMATICA),
    ("matrix(c(", "R code; save the matrix there: write.csv(x, \"matrix.csv\")"),
    ("matrix(", "code of Maple; export the matrix as CSV: ExportMatrix(\"A.csv\", A, target = csv)"),
];

const MATHEMATICA: &str = "code of Mathematica; export the matrix as CSV: Export[\"A.csv\", A], and a graph as GraphML";

/// Whether there are several lines, and the first of them all pass a test. The last one may be cut.
fn is_every_line(text: &str, test: fn(&str) -> bool) -> bool {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(20).collect();
    let whole = if lines.len() < 20 && !text.ends_with('\n') { lines.len().saturating_sub(1) } else { lines.len() };
    whole > 1 && lines[..whole].iter().all(|line| test(line))
}

/// `1 |f a:0.5 b:2`: a label, and features after a bar and the name of their space.
fn is_of_vowpal(line: &str) -> bool {
    line.split_once('|').is_some_and(|(label, features)| {
        label.split_whitespace().all(|word| word.starts_with('\'') || word.parse::<f64>().is_ok())
            && features.split_whitespace().any(|word| {
                word.split_once(':').is_some_and(|(name, value)| !name.is_empty() && value.parse::<f64>().is_ok())
            })
    })
}

/// `<subject> <predicate> <object> .`
fn is_triple(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('<') && line.ends_with('.') && line.matches("> ").count() >= 2
}

/// Share, reads, reads of the taxon itself, rank, number in the taxonomy, and the name with blanks before it.
fn is_of_kraken(line: &str) -> bool {
    let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
    let [share, all, own, rank, taxon, _] = cells[..] else { return false };
    let is_whole = |cell: &str| cell.parse::<u64>().is_ok();
    let is_rank = |cell: &str| {
        cell.len() <= 3
            && cell.starts_with(['U', 'R', 'D', 'K', 'P', 'C', 'O', 'F', 'G', 'S', '-'])
            && cell.chars().skip(1).all(|c| c.is_ascii_digit())
    };
    share.parse::<f64>().is_ok_and(|share| (0.0..=100.0).contains(&share))
        && [all, own, taxon].into_iter().all(is_whole)
        && is_rank(rank)
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
    if ["structure(", "c(", "list(", "data.frame("].iter().any(|start| first.starts_with(start)) {
        return Some("R code; save the table there: write.csv(x, \"table.csv\")".to_owned());
    }
    if first.contains("<- structure(") {
        return Some("R code; save the table there: write.csv(x, \"table.csv\")".to_owned());
    }
    if first.starts_with("function ") && first.contains('=') {
        return Some("MATLAB code; save the matrix there: writematrix(A, \"A.csv\")".to_owned());
    }
    if lower.contains("sig. (2-tailed)") && lower.contains("pearson correlation") {
        return Some(
            "correlations as SPSS prints them; keep the rows of the coefficients alone (not Sig. and N), with the names of the \
             variables"
                .to_owned(),
        );
    }
    if lower.contains("pearson's r") && lower.contains("p-value") {
        return Some(
            "correlations as JASP prints them; keep the rows of the coefficients alone (not the p-values), with the names of the \
             variables"
                .to_owned(),
        );
    }
    if first.trim() == "distance matrix" && lower.contains("using base positions") {
        return Some(
            "distances as EMBOSS prints them; make a square table of them with the names of the sequences above and beside it, or \
             distances of the alignment in R: ape::dist.dna"
                .to_owned(),
        );
    }
    if is_every_line(text, is_triple) {
        return Some(
            "RDF triples; make pairs of one kind of them, for example: grep KNOWS FILE | awk '{print $1, $3}' > graph.edges"
                .to_owned(),
        );
    }
    if lower.lines().nth(3).is_some_and(|line| line.ends_with("v2000") || line.ends_with("v3000")) {
        return Some(MOLECULES.to_owned());
    }
    if lower.lines().filter(|line| line.trim() == "pop").count() > 1 {
        return Some(
            "genotypes of populations (Genepop); make a table of allele counts first, for example with adegenet in R: \
             write.csv(tab(read.genepop(FILE)), \"genotypes.csv\")"
                .to_owned(),
        );
    }
    if first.ends_with("= [") || first.contains("= [") && first.trim_end().ends_with(';') {
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
    if lower.starts_with("#doc name topic proportion") || lower.starts_with("#doc source topic proportion") {
        return Some(
            "topics of an old MALLET, in order of their shares; write them again with a newer MALLET \
             (--output-doc-topics), or as a table with a column for each topic"
                .to_owned(),
        );
    }
    if lower.contains("] \"get ") || lower.contains("] \"post ") {
        return Some("the log of a web server; make a table of pairs (visitor, page) of it first".to_owned());
    }
    if is_every_line(text, is_of_vowpal) {
        return Some(
            "features as Vowpal Wabbit has them; write them as svmlight (label 1:value 2:value …), or as a table"
                .to_owned(),
        );
    }
    if is_every_line(text, is_of_kraken) {
        return Some(
            "a report of Kraken; put those of all samples together in one table of samples and taxa (kraken-biom, or \
             combine_kreports.py)"
                .to_owned(),
        );
    }
    if (first.starts_with("id\tlabel\t") || first.starts_with("id,label,")) && first.contains("weight<") {
        return Some(
            "a map of VOSviewer, whose places are its own; give the network file that was saved with it, and this one as \
             --items"
                .to_owned(),
        );
    }
    if ["_id", "_labels", "_start", "_end"].iter().all(|name| first.contains(name)) {
        return Some(
            "nodes and links in one table, as Neo4j exports them; keep the rows with _start and _end as a table of their own"
                .to_owned(),
        );
    }
    if let Some(what) = printed(text) {
        return Some(what.to_owned());
    }
    if first.starts_with('(') && text.trim_end().ends_with(");") {
        return Some("a Newick tree; make a matrix of distances first (ape::cophenetic.phylo in R)".to_owned());
    }
    None
}

/// XML that is known by its first element, and how to convert it.
const ELEMENTS: [(&str, &str); 8] = [
    ("<votable", "a VOTable; save it in Python: astropy.table.Table.read(FILE).write(\"table.csv\")"),
    ("<pathway", "a pathway of KEGG (KGML); make pairs of its relations first, for example with KEGGgraph in R"),
    ("<sbml", "SBML, a model of reactions; make pairs of species first, for example with libSBML"),
    ("<osm", "a map of OpenStreetMap; make a graph of it first, for example with osmnx: osmnx.save_graphml"),
    ("<gpx", "tracks on a map (GPX); make a table of them first"),
    ("<kml", "places on a map (KML); make a table of them first"),
    ("urn:schemas-microsoft-com:office:spreadsheet", "an old Excel file in XML; save it as .xlsx or .csv"),
    ("<mxfile", "a drawing of draw.io, not data"),
];

/// XML and HTML that is no graph.
pub(crate) fn of_markup(text: &str) -> String {
    let lower: String = text.chars().take(65_536).collect::<String>().to_lowercase();
    if lower.trim_start().starts_with("<http") && is_every_line(text, is_triple) {
        "RDF triples; make pairs of one kind of them, for example: grep KNOWS FILE | awk '{print $1, $3}' > graph.edges"
            .to_owned()
    } else if lower.starts_with('<') && lower.contains("sparse") && lower.contains("stored elements") {
        printed::PRINTED_SPARSE.to_owned()
    } else if lower.starts_with("<number of ") {
        "a road network or table of trips (TNTP); keep the lines below <END OF METADATA> as a table with the columns from, to and \
         the number of trips"
            .to_owned()
    } else if let Some((_, what)) = ELEMENTS.iter().find(|(element, _)| lower.contains(element)) {
        (*what).to_owned()
    } else if lower.contains("<table") {
        "HTML with a table, not data; convert it in Python: pandas.read_html(FILE)[0].to_csv(\"table.csv\", index=False)".to_owned()
    } else if lower.contains("<html") || lower.contains("<!doctype html") {
        "an HTML page, not data; if it is a page of dosnes, open it in a browser".to_owned()
    } else if lower.contains("<svg") {
        "an SVG figure, not data".to_owned()
    } else {
        "XML, but neither GraphML nor GEXF; save the graph in one of these formats, or as an edge list".to_owned()
    }
}
