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
    /// What [`transform`](super::transform()) takes, or [`grow`](super::grow()): a row for each new item with a link to the map.
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
    let (matrix, kind) = network(model, ids, data)?;
    let Links { rows, to_map, among, mut unused } = links_of(model, ids, partners, matrix, kind)?;
    unused += among.len();
    let mut has_link = vec![false; rows.len()];
    for &(row, _, value) in &to_map {
        has_link[row as usize] |= value > 0.0;
    }
    chosen(kind, model.dimensions(), &rows, &has_link, to_map, unused)
}

/// As [`connect`], for [`grow`](super::grow()): of graphs and similarities, the links between new items are kept too. Then an
/// item has a place if a path of new items leads to the map.
pub fn connect_all(
    model: &Model,
    ids: &[String],
    partners: Option<&[String]>,
    data: &Data<'_>,
) -> Result<Connected, ModelError> {
    let (matrix, kind) = network(model, ids, data)?;
    if kind == Kind::Dyadic {
        return connect(model, ids, partners, data);
    }
    let Links { rows, to_map, among, unused } = links_of(model, ids, partners, matrix, kind)?;
    let mut has_path = vec![false; rows.len()];
    let mut neighbors: Vec<Vec<u32>> = vec![Vec::new(); rows.len()];
    for &(a, b, _) in among.iter().filter(|link| link.2 > 0.0) {
        neighbors[a as usize].push(b);
        neighbors[b as usize].push(a);
    }
    let mut frontier: Vec<u32> = to_map.iter().filter(|link| link.2 > 0.0).map(|link| link.0).collect();
    while let Some(row) = frontier.pop() {
        if !std::mem::replace(&mut has_path[row as usize], true) {
            frontier.extend(&neighbors[row as usize]);
        }
    }
    let number = numbers(&has_path);
    let old = model.len();
    // The columns of new items come after those of the old ones, in the order of their rows.
    let links = among.into_iter().filter_map(|(a, b, value)| Some((a, old as u32 + number[b as usize]?, value)));
    let links: Vec<Link> = to_map.into_iter().chain(links).collect();
    let columns = old + number.iter().flatten().count();
    chosen(kind, columns, &rows, &has_path, links, unused)
}

/// The matrix of the new data, which must be of the kind of the map's.
fn network<'a>(model: &Model, ids: &[String], data: &'a Data<'_>) -> Result<(&'a CsrMatrix<'a>, Kind), ModelError> {
    let (Data::Graph(matrix) | Data::Similarity(matrix) | Data::Dyadic(matrix)) = data else {
        return Err(ModelError::OtherKind { map: model.kind(), new: data.kind() });
    };
    if data.kind() != model.kind() {
        return Err(ModelError::OtherKind { map: model.kind(), new: data.kind() });
    }
    if ids.len() != matrix.rows() {
        return Err(Error::Length { what: "the names", found: ids.len(), expected: matrix.rows() }.into());
    }
    Ok((matrix, data.kind()))
}

/// Gives the chosen rows new numbers, in their order.
fn numbers(is_chosen: &[bool]) -> Vec<Option<u32>> {
    let number = |next: &mut u32, &is_chosen: &bool| {
        let own = is_chosen.then_some(*next);
        *next += u32::from(is_chosen);
        Some(own)
    };
    is_chosen.iter().scan(0, number).collect()
}

/// The rows that have a place, with their links.
fn chosen(
    kind: Kind,
    columns: usize,
    rows: &[usize],
    is_chosen: &[bool],
    links: Vec<Link>,
    unused: usize,
) -> Result<Connected, ModelError> {
    let number = numbers(is_chosen);
    let links: Vec<Link> =
        links.into_iter().filter_map(|(row, j, value)| Some((number[row as usize]?, j, value))).collect();
    let of = |wanted: bool| rows.iter().zip(is_chosen).filter(|pair| *pair.1 == wanted).map(|pair| *pair.0).collect();
    let (rows, unconnected): (Vec<usize>, Vec<usize>) = (of(true), of(false));
    let matrix = CsrMatrix::from_triplets((rows.len(), columns), &links).map_err(Error::from)?;
    let data = match kind {
        Kind::Dyadic => Data::Dyadic(matrix),
        Kind::Similarity => Data::Similarity(matrix),
        _ => Data::Graph(matrix),
    };
    Ok(Connected { data, rows, unconnected, unused })
}

/// New item, column and weight.
type Link = (u32, u32, f64);

/// New items and their links.
struct Links {
    /// The rows of the input that are new.
    rows: Vec<usize>,
    /// Links to the items of the map, or to the columns of dyadic data.
    to_map: Vec<Link>,
    /// Links between new items.
    among: Vec<Link>,
    /// Number of links to columns that the map does not have.
    unused: usize,
}

fn links_of(
    model: &Model,
    ids: &[String],
    partners: Option<&[String]>,
    matrix: &CsrMatrix<'_>,
    kind: Kind,
) -> Result<Links, Error> {
    if kind == Kind::Dyadic { of_dyadic(model, partners, matrix) } else { of_graph(model, ids, matrix) }
}

fn of_graph(model: &Model, ids: &[String], matrix: &CsrMatrix<'_>) -> Result<Links, Error> {
    matrix.check_square()?;
    let place: HashMap<&str, u32> = model.ids().iter().map(String::as_str).zip(0..).collect();
    let old: Vec<Option<u32>> = ids.iter().map(|id| place.get(id.as_str()).copied()).collect();
    let rows: Vec<usize> = (0..ids.len()).filter(|&i| old[i].is_none()).collect();
    let mut new = vec![0; ids.len()];
    for (at, &i) in rows.iter().enumerate() {
        new[i] = at as u32;
    }
    let (mut to_map, mut among) = (Vec::new(), Vec::new());
    for (i, j, value) in matrix.iter() {
        match (old[i], old[j]) {
            (None, Some(to)) => to_map.push((new[i], to, 0.5 * value)),
            (Some(to), None) => to_map.push((new[j], to, 0.5 * value)),
            (None, None) if i != j => among.push((new[i], new[j], value)),
            _ => {}
        }
    }
    Ok(Links { rows, to_map, among, unused: 0 })
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
    Ok(Links { rows, to_map: links, among: Vec::new(), unused })
}
