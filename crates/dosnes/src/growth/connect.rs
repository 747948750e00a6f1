//! New nodes and new rows of dyadic data, as they are read from a file, in the order of a model.

use super::model::{Model, ModelError};
use crate::{
    error::Error,
    input::{Data, Kind},
    sparse::CsrMatrix,
};
use std::collections::HashMap;

/// New items of a network with their links to the items of a map.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Connected {
    /// What [`transform`](super::transform()) takes: a row for each new item that has a link to the map.
    pub data: Data<'static>,
    /// The items of the input that these rows are.
    pub rows: Vec<usize>,
    /// The items of the input that are new, but have no link to the map.
    pub unconnected: Vec<usize>,
    /// Number of links that are not used: between new items, or to columns that the map does not have.
    pub unused: usize,
}

/// Finds the new items of a graph or of similarities, and their links to the items of the map; or brings rows of dyadic data into
/// the columns of the map. `ids` are the names of the items; `partners` those of the columns of dyadic data.
///
/// Of a graph, items whose names are on the map are old, and all others are new. The weight of a link is the mean of both
/// directions.
pub fn connect(
    model: &Model,
    ids: &[String],
    partners: Option<&[String]>,
    data: &Data<'_>,
) -> Result<Connected, ModelError> {
    let (matrix, kind) = match data {
        Data::Graph(matrix) => (matrix, Kind::Graph),
        Data::Similarity(matrix) => (matrix, Kind::Similarity),
        Data::Dyadic(matrix) => (matrix, Kind::Dyadic),
        other => return Err(ModelError::OtherKind { map: model.kind(), new: other.kind() }),
    };
    if kind != model.kind() {
        return Err(ModelError::OtherKind { map: model.kind(), new: kind });
    }
    if ids.len() != matrix.rows() {
        return Err(Error::Length { what: "the names", found: ids.len(), expected: matrix.rows() }.into());
    }
    let (rows, links, unused) =
        if kind == Kind::Dyadic { of_dyadic(model, partners, matrix)? } else { of_graph(model, ids, matrix)? };
    let mut has_link = vec![false; rows.len()];
    for &(row, _, value) in &links {
        has_link[row as usize] |= value > 0.0;
    }
    let number: Vec<Option<u32>> = has_link
        .iter()
        .scan(0, |next, &has| {
            let own = has.then_some(*next);
            *next += u32::from(has);
            Some(own)
        })
        .collect();
    let links: Vec<(u32, u32, f64)> =
        links.into_iter().filter_map(|(row, j, value)| Some((number[row as usize]?, j, value))).collect();
    let (connected, unconnected): (Vec<_>, Vec<_>) = rows.iter().zip(&number).partition(|(_, number)| number.is_some());
    let of_input = |pairs: Vec<(&usize, &Option<u32>)>| pairs.into_iter().map(|pair| *pair.0).collect::<Vec<usize>>();
    let rows = of_input(connected);
    let matrix = CsrMatrix::from_triplets((rows.len(), model.dimensions()), &links).map_err(Error::from)?;
    let data = match kind {
        Kind::Dyadic => Data::Dyadic(matrix),
        Kind::Similarity => Data::Similarity(matrix),
        _ => Data::Graph(matrix),
    };
    Ok(Connected { data, rows, unconnected: of_input(unconnected), unused })
}

/// The rows of the input that are new, their links as (new item, column, weight), and the number of unused links.
type Links = (Vec<usize>, Vec<(u32, u32, f64)>, usize);

fn of_graph(model: &Model, ids: &[String], matrix: &CsrMatrix<'_>) -> Result<Links, Error> {
    matrix.check_square()?;
    let place: HashMap<&str, u32> = model.ids().iter().map(String::as_str).zip(0..).collect();
    let old: Vec<Option<u32>> = ids.iter().map(|id| place.get(id.as_str()).copied()).collect();
    let rows: Vec<usize> = (0..ids.len()).filter(|&i| old[i].is_none()).collect();
    let mut new = vec![0; ids.len()];
    for (at, &i) in rows.iter().enumerate() {
        new[i] = at as u32;
    }
    let (mut links, mut unused) = (Vec::new(), 0);
    for (i, j, value) in matrix.iter() {
        match (old[i], old[j]) {
            (None, Some(to)) => links.push((new[i], to, 0.5 * value)),
            (Some(to), None) => links.push((new[j], to, 0.5 * value)),
            (None, None) if i != j => unused += 1,
            _ => {}
        }
    }
    Ok((rows, links, unused))
}

fn of_dyadic(model: &Model, partners: Option<&[String]>, matrix: &CsrMatrix<'_>) -> Result<Links, Error> {
    let rows: Vec<usize> = (0..matrix.rows()).collect();
    let place: HashMap<&str, u32> = model.columns().iter().map(String::as_str).zip(0..).collect();
    let column = |k: usize| match partners {
        Some(names) if !place.is_empty() => place.get(names.get(k)?.as_str()).copied(),
        _ => Some(k as u32),
    };
    if (partners.is_none() || place.is_empty()) && matrix.columns() != model.dimensions() {
        return Err(Error::Columns { found: matrix.columns(), expected: model.dimensions() });
    }
    let mut links = Vec::new();
    for (i, k, value) in matrix.iter() {
        if let Some(k) = column(k) {
            links.push((i as u32, k, value));
        }
    }
    let unused = matrix.nnz() - links.len();
    Ok((rows, links, unused))
}
