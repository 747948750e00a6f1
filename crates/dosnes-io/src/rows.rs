//! Collects rows of tables, text or typed, into a network or a matrix.

use dosnes::input::{Column, Items, Values};

use crate::column_names;
use crate::columns::{check_ids, choose_id, items_from, numbers_if_possible};
use crate::dense::DenseBuilder;
use crate::error::{Error, Place};
use crate::interner::Interner;
use crate::interpret::coordinates::items_of_pairs;
use crate::interpret::halves::{can_be_completed, fill_blanks};
use crate::interpret::layout::{EdgeColumns, Role, could_be_edges};
use crate::interpret::pairs::{named_ends, share_nodes, shared_columns};
use crate::note::Note;
use crate::options::{MissingValues, ReadOptions};
use crate::raw::{Edge, Matrix, Network, NetworkForm, RawMatrix, mean_weight};
use crate::schema::Schema;

/// Rows that are edges.
#[derive(Default)]
pub(crate) struct EdgeRows {
    names: Interner,
    arcs: Vec<Edge>,
    /// Edges without a weight that were left out, or wait for the mean, and the position of the first one.
    missing: usize,
    first_missing: String,
}

impl EdgeRows {
    /// An edge. A weight of NaN is missing, and may be.
    pub(crate) fn push(&mut self, file: &str, from: &str, to: &str, weight: f64) -> Result<(), Error> {
        let mut number = |name| self.names.intern(name).ok_or_else(|| Error::too_many_names(file));
        let ((i, _), (j, _)) = (number(from)?, number(to)?);
        self.arcs.push((i, j, weight));
        Ok(())
    }

    /// Counts an edge whose weight is missing, and says whether it stays until the mean is known.
    pub(crate) fn lacks_weight(&mut self, place: &Place, missing: MissingValues) -> bool {
        if self.missing == 0 {
            self.first_missing = place.plain();
        }
        self.missing += 1;
        missing == MissingValues::Mean
    }

    /// Replaces missing weights by the mean of the others, and returns the note on missing weights.
    pub(crate) fn fill(&mut self) -> Option<Note> {
        if self.missing == 0 {
            return None;
        }
        let (count, first) = (self.missing, std::mem::take(&mut self.first_missing));
        if self.arcs.iter().all(|arc| !arc.2.is_nan()) {
            return Some(Note::RowsDropped { count, first });
        }
        let mean = mean_weight(self.arcs.iter());
        for arc in self.arcs.iter_mut().filter(|a| a.2.is_nan()) {
            arc.2 = mean;
        }
        Some(Note::MissingFilled { count, first })
    }

    pub(crate) fn len(&self) -> usize {
        self.arcs.len()
    }

    pub(crate) fn finish(self, file: &str, columns: &EdgeColumns) -> Result<Network, Error> {
        if self.arcs.is_empty() {
            return Err(Error::empty(file, "there are no edges in it"));
        }
        let nodes = Items { ids: self.names.into_names(), columns: Vec::new() };
        let form = match (columns.distances, columns.two_kinds) {
            (true, _) => NetworkForm::Distances,
            (false, true) => NetworkForm::Dyads,
            (false, false) => NetworkForm::EdgeList,
        };
        Ok(Network { nodes, arcs: self.arcs, edges: Vec::new(), form })
    }
}

/// The columns that are not part of the edges.
pub(crate) fn unused_columns(schema: &Schema, columns: &EdgeColumns, undirected: bool) -> Option<Note> {
    let is_used = |k: usize| {
        k == columns.ends.0
            || k == columns.ends.1
            || Some(k) == columns.weight
            || undirected && Some(k) == columns.direction
    };
    // What has a note of its own is not said twice.
    let is_said = |name: &String| {
        columns.notes.iter().any(|note| match note {
            Note::TimeIsNoWeight { column, .. }
            | Note::DistanceIsNoWeight { column }
            | Note::ChanceIsNoWeight { column }
            | Note::RatingsByShape { time: column } => column == name,
            Note::NoWeightChosen { columns } => columns.contains(name),
            Note::BlastTable => true,
            _ => false,
        })
    };
    let unused: Vec<String> = (schema.names.iter().enumerate())
        .filter(|&(k, name)| !is_used(k) && !is_said(name))
        .map(|(_, name)| name.clone())
        .collect();
    (!unused.is_empty()).then_some(Note::ColumnsIgnored(unused))
}

/// The cells of one row that is an item.
pub(crate) trait RowCells {
    /// The coordinate in a column; NaN if it is missing and may be.
    fn coordinate(&mut self, column: usize) -> Result<f64, Error>;
    /// The cell as a text; empty if it is missing.
    fn text(&mut self, column: usize) -> String;
    /// The cell as a number; NaN if it is missing.
    fn number(&mut self, column: usize) -> Result<f64, Error>;
    /// The line of a text file, or the number of the row, from 1.
    fn line(&self) -> u64;
}

/// Rows that are items, by the roles of their columns.
pub(crate) struct ItemRows {
    /// The numbers of the columns that are coordinates, and of those that are metadata.
    coordinates: Vec<usize>,
    kept: Vec<usize>,
    pub(crate) dense: DenseBuilder,
    pub(crate) columns: Vec<Column>,
    /// The line of each row.
    pub(crate) lines: Vec<u64>,
    row: Vec<f64>,
    /// What is wrong with the first missing coordinate, as long as it may be one that a square matrix need not have.
    first_missing: Option<Error>,
}

impl ItemRows {
    pub(crate) fn new(schema: &Schema, roles: &[Role]) -> Self {
        Self::with(schema, roles, DenseBuilder::new)
    }

    /// Keeps coordinates in double precision.
    pub(crate) fn double(schema: &Schema, roles: &[Role]) -> Self {
        Self::with(schema, roles, DenseBuilder::double)
    }

    fn with(schema: &Schema, roles: &[Role], dense: impl Fn(usize) -> DenseBuilder) -> Self {
        let of = |wanted: &[Role]| -> Vec<usize> {
            roles.iter().enumerate().filter(|(_, role)| wanted.contains(role)).map(|(k, _)| k).collect()
        };
        let (coordinates, kept) = (of(&[Role::Coordinate]), of(&[Role::Text, Role::Number]));
        let empty = |&k: &usize| Column {
            name: schema.names[k].clone(),
            values: if roles[k] == Role::Text { Values::Text(Vec::new()) } else { Values::Number(Vec::new()) },
        };
        let columns = kept.iter().map(empty).collect();
        let (dense, row) = (dense(coordinates.len()), vec![0.0; coordinates.len()]);
        Self { coordinates, kept, dense, columns, lines: Vec::new(), row, first_missing: None }
    }

    pub(crate) fn push(&mut self, cells: &mut impl RowCells) -> Result<(), Error> {
        let may_be_square = self.dense.rows() < self.coordinates.len() && self.coordinates.len() > 2;
        for (value, &k) in self.row.iter_mut().zip(&self.coordinates) {
            *value = match cells.coordinate(k) {
                Err(error @ Error::Missing { .. }) if may_be_square => {
                    self.first_missing.get_or_insert(error);
                    f64::NAN
                }
                other => other?,
            };
        }
        if !may_be_square && let Some(error) = self.first_missing.take() {
            return Err(error);
        }
        self.dense.push_row(&self.row);
        self.lines.push(cells.line());
        for (column, &k) in self.columns.iter_mut().zip(&self.kept) {
            match &mut column.values {
                Values::Text(values) => values.push(cells.text(k)),
                Values::Number(values) => values.push(cells.number(k)?),
            }
        }
        Ok(())
    }

    /// Number of rows that were kept.
    pub(crate) fn len(&self) -> usize {
        self.dense.rows()
    }

    /// The matrix with ids and metadata of the items, and notes. `place` gives the position of a row.
    pub(crate) fn finish(
        self,
        file: &str,
        schema: &Schema,
        roles: &[Role],
        options: &ReadOptions,
        place: impl Fn(usize) -> Place,
    ) -> Result<(RawMatrix, Option<Note>), Error> {
        let rows = self.len();
        let mut matrix = self.dense.finish();
        let id = id_column(file, schema, &self.columns, options, place)?;
        let mut blanks = None;
        if let Some(error) = self.first_missing
            && !matches!(&matrix, Matrix::Double(x) if can_be_completed(x))
        {
            let names = || self.coordinates.iter().map(|&k| &schema.names[k]);
            let are_same = match id.map(|k| &self.columns[k].values) {
                Some(Values::Text(ids)) => schema.header && names().eq(ids),
                _ => false,
            };
            blanks = match &mut matrix {
                Matrix::Double(x) if are_same => fill_blanks(x),
                _ => None,
            };
            if blanks.is_none() {
                return Err(error);
            }
        }
        let id_column = id.map(|k| self.columns[k].name.clone());
        let columns = restore_numbers(self.columns, id);
        let items = (!columns.is_empty()).then(|| items_from(columns, id, rows));
        let partners = schema.header.then(|| {
            let ids = self.coordinates.iter().map(|&k| schema.names[k].clone()).collect();
            Items { ids, columns: Vec::new() }
        });
        let names: Vec<&String> = self.coordinates.iter().map(|&k| &schema.names[k]).collect();
        // That is said when the kind of the matrix is decided.
        let is_condensed = items.is_none() && items_of_pairs(rows).is_some();
        let note = if options.kind.is_some() {
            None
        } else if let Some(count) = blanks {
            Some(Note::BlanksAreZeros { count })
        } else if could_be_edges(schema, roles) || !schema.header && id.is_none() && share_nodes(&matrix) {
            Some(Note::CouldBeEdges)
        } else if let (false, None, Some((from, to))) = (schema.header, id, shared_columns(&matrix)) {
            let name = |k: usize| schema.names[self.coordinates[k]].clone();
            let others = (0..to).filter(|&k| k != from).map(name).collect();
            Some(Note::ColumnsCouldBeEnds { ends: [name(from), name(to)], others })
        } else if schema.header
            && let Some((from, to)) = named_ends(&matrix, &names)
        {
            let others = (0..to).filter(|&k| k != from).map(|k| names[k].clone()).collect();
            Some(Note::ColumnsCouldBeEnds { ends: [from, to].map(|k| names[k].clone()), others })
        } else if let ([only], false) = (&self.coordinates[..], is_condensed) {
            Some(Note::OneDimension { column: schema.names[*only].clone() })
        } else {
            // The two columns before the samples in GCT.
            let gct = schema.header && schema.names.len() > 3 && schema.names[..2] == ["Name", "Description"];
            let feature = id_column.clone().filter(|name| gct || schema.header && column_names::is_feature(name));
            feature
                .filter(|_| self.coordinates.len() > 1 && !options.transpose)
                .map(|column| Note::RowsAreFeatures { column })
        };
        Ok((RawMatrix { items, partners, id_column, ..RawMatrix::new(matrix) }, note))
    }
}

/// The column with the ids, among the text columns. The request may be a name or a number.
fn id_column(
    file: &str,
    schema: &Schema,
    columns: &[Column],
    options: &ReadOptions,
    place: impl Fn(usize) -> Place,
) -> Result<Option<usize>, Error> {
    let name_of = |asked: &String| schema.find(file, asked).map(|k| schema.names[k].clone());
    let Some(asked) = &options.id_column else {
        let labels = options.label_columns.iter().map(name_of).collect::<Result<Vec<_>, _>>()?;
        return Ok(choose_id(columns).filter(|&k| !labels.contains(&columns[k].name)));
    };
    let name = name_of(asked)?;
    let position = columns.iter().position(|c| c.name == name);
    if let Some(Values::Text(ids)) = position.map(|k| &columns[k].values) {
        check_ids(file, ids, |row| place(row).column(name.clone()))?;
    }
    Ok(position)
}

/// Numbers that were kept as text because their column could have been the id.
fn restore_numbers(columns: Vec<Column>, id: Option<usize>) -> Vec<Column> {
    let restore = |(k, column): (usize, Column)| match column.values {
        Values::Text(values) if Some(k) != id && column_names::is_numeric_id(&column.name) => {
            Column { values: numbers_if_possible(values), name: column.name }
        }
        values => Column { name: column.name, values },
    };
    columns.into_iter().enumerate().map(restore).collect()
}
