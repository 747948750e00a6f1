//! Counts of single cells: 10x Genomics' `.h5` files and folders, and `.loom`. The cells are the items.

use std::path::Path;

use dosnes::input::{Column, Items, Values};
use dosnes::ndarray::Array2;

use crate::columns::{is_unique, names_from};
use crate::error::{Error, Place};
use crate::formats::matrix_market;
use crate::formats::table::{Metadata, read_metadata};
use crate::hdf5::Hdf5;
use crate::note::Note;
use crate::options::ReadOptions;
use crate::progress::Progress;
use crate::raw::{Contents, Matrix, Parsed, RawMatrix};
use crate::source::Source;
use crate::sparse::SparseCells;
use dosnes::Kind;

/// Where the matrix of a 10x file is: `matrix`, or the name of the genome in old files.
fn tenx_group(hdf5: &Hdf5<'_>) -> Option<String> {
    let groups = hdf5.file.root().groups().unwrap_or_default();
    groups.into_iter().find(|name| {
        ["barcodes", "data", "indices", "indptr", "shape"]
            .iter()
            .all(|part| hdf5.file.dataset(&format!("{name}/{part}")).is_ok())
    })
}

/// Whether an HDF5 file was written by Cell Ranger.
pub(crate) fn is_10x(hdf5: &Hdf5<'_>) -> bool {
    tenx_group(hdf5).is_some()
}

/// Whether an HDF5 file is a loom file.
pub(crate) fn is_loom(hdf5: &Hdf5<'_>) -> bool {
    hdf5.file.dataset("matrix").is_ok() && hdf5.group("col_attrs").is_some() && hdf5.group("row_attrs").is_some()
}

/// Reads a 10x `.h5` file: genes × cells, by columns.
pub(crate) fn read_10x(hdf5: &Hdf5<'_>) -> Result<Parsed, Error> {
    let group = tenx_group(hdf5).ok_or_else(|| hdf5.error("matrix", "it is missing"))?;
    let shape = crate::sparse::indices(&hdf5.numbers(&format!("{group}/shape"))?)
        .ok_or_else(|| hdf5.error(&group, "its shape is not understood"))?;
    let genes_by_cells = hdf5.sparse(&group, &shape, true)?;
    let cells = names_from(hdf5.cells(&format!("{group}/barcodes"))?.into());
    let genes = ["features/name", "gene_names", "features/id", "genes"]
        .iter()
        .find_map(|part| hdf5.cells(&format!("{group}/{part}")).ok())
        .map(|cells| names_from(cells.into()));
    parsed(hdf5.name(), "10x", &genes_by_cells, cells, Vec::new(), genes)
}

/// Reads a loom file: genes × cells, dense.
pub(crate) fn read_loom(hdf5: &Hdf5<'_>) -> Result<Parsed, Error> {
    let dataset = hdf5.dataset("matrix")?;
    let [genes, cells] = hdf5.shape("matrix", &dataset)?[..] else {
        return Err(hdf5.error("matrix", "it does not have two sides"));
    };
    let values = hdf5.values("matrix", &dataset, |start, rows| dataset.read_f64_rows(start, rows))?;
    let x = Array2::from_shape_vec((genes, cells), values)
        .map_err(|_| hdf5.error("matrix", "its values do not fit its shape"))?;
    let mut triplets = Vec::new();
    for ((gene, cell), &value) in x.indexed_iter().filter(|(_, v)| **v != 0.0) {
        triplets.push((gene as u32, cell as u32, value));
    }
    let matrix = SparseCells::from_triplets(hdf5.name(), &Place::part("matrix"), (genes, cells), triplets)?;
    let attribute = |path: &str| hdf5.cells(path).ok().map(Values::from);
    let find = |group: &str, names: &[&str]| {
        names.iter().find_map(|name| attribute(&format!("{group}/{name}"))).map(names_from)
    };
    let names = ["CellID", "cell_id", "obs_names", "Barcode", "barcodes"];
    let ids = find("col_attrs", &names).filter(|ids| ids.len() == cells && is_unique(ids));
    let gene_names = find("row_attrs", &["Gene", "gene", "var_names", "GeneName", "Accession"]);
    let group = hdf5.group("col_attrs");
    let mut columns = Vec::new();
    for name in group.and_then(|group| group.datasets().ok()).unwrap_or_default() {
        if names.contains(&name.as_str()) && ids.is_some() {
            continue;
        }
        if let Some(values) = attribute(&format!("col_attrs/{name}")).filter(|values| values.len() == cells) {
            columns.push(Column { name, values });
        }
    }
    let ids = ids.unwrap_or_else(|| Items::numbered(cells).ids);
    parsed(hdf5.name(), "loom", &matrix, ids, columns, gene_names)
}

/// Whether a folder holds the three files that Cell Ranger writes.
pub(crate) fn is_10x_folder(folder: &Path) -> bool {
    folder.is_dir() && !samples(folder).is_empty()
}

/// Whether a file is the matrix of such a folder, with the names of the cells beside it.
pub(crate) fn has_names_beside(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let sample = name.strip_suffix(".gz").unwrap_or(&name).strip_suffix("matrix.mtx");
    let folder = path.parent().unwrap_or(Path::new(""));
    sample.is_some_and(|sample| file_in(folder, sample, &["barcodes.tsv"]).is_some())
}

/// What stands before the names of the files of each sample in a folder: nothing, as Cell Ranger writes them, or the name of the
/// sample, as they are published: `GSM123_s1_matrix.mtx.gz`.
fn samples(folder: &Path) -> Vec<String> {
    let names =
        std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let sample = |name: String| {
        let before = name.strip_suffix(".gz").unwrap_or(&name).strip_suffix("matrix.mtx")?;
        (before.is_empty() || before.ends_with(['_', '-', '.'])).then(|| before.to_owned())
    };
    let mut samples: Vec<String> = names.filter_map(sample).collect();
    samples.sort_unstable();
    samples.dedup();
    samples
}

/// One of these files of a sample, plain or gzipped.
fn file_in(folder: &Path, sample: &str, names: &[&str]) -> Option<std::path::PathBuf> {
    let paths = |name: &&str| [folder.join(format!("{sample}{name}")), folder.join(format!("{sample}{name}.gz"))];
    names.iter().flat_map(paths).find(|path| path.is_file())
}

/// Reads a folder with `matrix.mtx`, `barcodes.tsv` and `features.tsv` or `genes.tsv`.
pub(crate) fn read_folder(folder: &Path, options: &ReadOptions, progress: &dyn Progress) -> Result<Parsed, Error> {
    let file = folder.display().to_string();
    let samples = samples(folder);
    let sample = match &samples[..] {
        [] => "",
        [one] => one,
        [first, ..] if first.is_empty() => "",
        several => {
            let problem = format!(
                "the folder has the files of {} samples: {}; put those of one sample into a folder of their own",
                several.len(),
                several.iter().take(4).map(|name| format!("{name}matrix.mtx")).collect::<Vec<_>>().join(", ")
            );
            return Err(Error::malformed(&file, Place::default(), problem));
        }
    };
    let missing = |what: &str| {
        Error::empty(
            &file,
            format!("the folder has no {sample}{what}; a 10x folder has matrix.mtx, barcodes.tsv and features.tsv"),
        )
    };
    let matrix = file_in(folder, sample, &["matrix.mtx"]).ok_or_else(|| missing("matrix.mtx"))?;
    let source = Source::file(&matrix, progress)?;
    let kind = Some(Kind::Dyadic);
    let Contents::Matrix(RawMatrix { matrix: Matrix::Sparse(genes_by_cells), .. }) =
        matrix_market::read(&source, &ReadOptions { kind, ..options.clone() })?.contents
    else {
        return Err(Error::malformed(&source.name, Place::default(), "a 10x matrix has coordinates"));
    };
    let column = |path: std::path::PathBuf, wanted: usize| -> Result<Vec<String>, Error> {
        let Metadata { columns, .. } = read_metadata(&Source::file(&path, progress)?, Some(false))?;
        let wanted = wanted.min(columns.len().saturating_sub(1));
        Ok(columns.into_iter().nth(wanted).map(|column| names_from(column.values)).unwrap_or_default())
    };
    let barcodes = file_in(folder, sample, &["barcodes.tsv"]).ok_or_else(|| missing("barcodes.tsv"))?;
    let cells = column(barcodes, 0)?;
    let features = file_in(folder, sample, &["features.tsv", "genes.tsv"]).map(|path| column(path, 1)).transpose()?;
    parsed(&file, "10x folder", &genes_by_cells, cells, Vec::new(), features)
}

/// Cells as items, genes as columns.
fn parsed(
    file: &str,
    format: &str,
    genes_by_cells: &SparseCells,
    cells: Vec<String>,
    columns: Vec<Column>,
    genes: Option<Vec<String>>,
) -> Result<Parsed, Error> {
    let (gene_count, cell_count) = genes_by_cells.known.shape();
    if cells.len() != cell_count {
        let problem = format!("there are {} names for {cell_count} cells", cells.len());
        return Err(Error::shape(file, problem));
    }
    crate::columns::check_ids(file, &cells, |row| Place::part("cells").row(row))?;
    let partners = genes.filter(|genes| genes.len() == gene_count).map(|ids| Items { ids, columns: Vec::new() });
    let matrix = Matrix::Sparse(genes_by_cells.transposed());
    let counts = matrix.holds_counts();
    let items = Some(Items { ids: cells, columns });
    let raw = RawMatrix { items, partners, kind: Some(Kind::Points), ..RawMatrix::new(matrix) };
    let description = format!("{format}, {cell_count} cells × {gene_count} genes");
    let notes = if counts { vec![Note::RawCounts] } else { Vec::new() };
    Ok(Parsed { description, contents: Contents::Matrix(raw), notes })
}
