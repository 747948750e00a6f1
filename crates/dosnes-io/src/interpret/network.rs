//! A network as a graph, as similarities, or as dyadic data.

use dosnes::input::{Data, Dataset, Distances, Items};
use dosnes::{CsrMatrix, Kind, MatrixError};

use super::{Interpretation, magnitude, missing};
use crate::error::{Error, Place};
use crate::note::Note;
use crate::options::ReadOptions;
use crate::raw::{Edge, Network, NetworkForm};
use crate::sparse::self_loops;

/// Decides between a graph and dyadic data.
pub(super) fn interpret(file: &str, mut network: Network, options: &ReadOptions) -> Result<Interpretation, Error> {
    let form = network.form;
    let note = missing::treat_network(file, &mut network, options.missing)?;
    if options.standardize.is_some() || options.cell_counts {
        let option = if options.cell_counts { "--counts" } else { "--standardize" };
        return Err(Error::option(
            file,
            format!("{option} is for points, but this is {}; leave the option out", form.name()),
        ));
    }
    if !options.missing_codes.is_empty() {
        let problem = format!("--na is for dense points, but this is {}; leave the option out", form.name());
        return Err(Error::option(file, problem));
    }
    let near_themselves = options.kind.is_none() && form == NetworkForm::EdgeList && are_distances(&network);
    let kind = options.kind.unwrap_or(match form {
        NetworkForm::TwoMode(_) | NetworkForm::Dyads => Kind::Dyadic,
        NetworkForm::Distances => Kind::Distance,
        NetworkForm::EdgeList if near_themselves => Kind::Distance,
        _ => Kind::Graph,
    });
    if options.directed.is_some() && matches!(kind, Kind::Dyadic | Kind::Distance) {
        let problem =
            format!("--directed and --undirected are for graphs, but this is read as {kind}; leave the option out");
        return Err(Error::option(file, problem));
    }
    let reduced =
        if kind == Kind::Distance { None } else { magnitude::reduce_edges(&mut network.arcs, &mut network.edges) };
    let mut interpretation = match (kind, form) {
        (Kind::Graph | Kind::Similarity, _) => graph(file, network, kind, options),
        (Kind::Dyadic, NetworkForm::TwoMode(first)) => two_mode(file, network, first, options),
        (Kind::Distance, NetworkForm::EdgeList | NetworkForm::Distances) => distances(file, network),
        (Kind::Dyadic, NetworkForm::EdgeList | NetworkForm::Dyads | NetworkForm::Distances) => {
            two_sides(file, network, options)
        }
        _ => Err(Error::option(file, format!("this is {}, which cannot be read as {kind}", form.name()))),
    }?;
    interpretation.notes.extend(near_themselves.then_some(Note::ZeroToThemselves));
    interpretation.notes.extend(note);
    interpretation.notes.extend(reduced);
    Ok(interpretation)
}

/// Whether each item has a number to itself, which is zero, while most others are not: a matrix of distances, written as pairs.
fn are_distances(network: &Network) -> bool {
    let (own, others): (Vec<Edge>, Vec<Edge>) = network.arcs.iter().partition(|(i, j, _)| i == j);
    let positive = others.iter().filter(|edge| edge.2 > 0.0).count();
    own.len() > 2
        && own.len() == network.nodes.len()
        && own.iter().all(|edge| edge.2 == 0.0)
        && 2 * positive > others.len()
}

fn graph(file: &str, network: Network, kind: Kind, options: &ReadOptions) -> Result<Interpretation, Error> {
    let Network { nodes, mut arcs, edges, form } = network;
    let mut notes = Vec::new();
    if form == NetworkForm::EdgeList
        && options.kind.is_none()
        && nodes.len() > 2
        && !arcs.is_empty()
        && ends_are_disjoint(&arcs, nodes.len())
    {
        notes.push(Note::CouldBeDyadic);
    }
    // Without a word from the user, a file that has only undirected edges is undirected, and the lines of a list are arcs.
    let mirrored = match options.directed {
        Some(directed) => !directed,
        None => arcs.is_empty(),
    };
    let both_ways = !mirrored && options.directed.is_none();
    for (i, j, weight) in edges {
        arcs.push((i, j, weight));
        if both_ways && i != j {
            arcs.push((j, i, weight));
        }
    }
    let (matrix, repeated) =
        adjacency(nodes.len(), arcs, mirrored).map_err(|error| sum_error(file, error, &nodes.ids, &nodes.ids))?;
    if repeated > 0 {
        notes.push(Note::RepeatedEdges(repeated));
    }
    let loops = self_loops(&matrix);
    if loops > 0 {
        notes.push(Note::SelfLoops(loops));
    }
    let (data, what) = if kind == Kind::Similarity {
        let what = format!("similarities of {} items, {} entries", nodes.len(), matrix.nnz());
        (Data::Similarity(matrix), what)
    } else {
        let edges = if mirrored {
            format!("{} undirected edges", (matrix.nnz() - loops) / 2 + loops)
        } else {
            format!("{} arcs", matrix.nnz())
        };
        let what = format!("graph of {} nodes and {edges}", nodes.len());
        (Data::Graph(matrix), what)
    };
    Ok(Interpretation { dataset: Dataset::new(nodes, data), what, notes })
}

/// The distances of the pairs that are given. A pair that is given once counts in both directions.
fn distances(file: &str, network: Network) -> Result<Interpretation, Error> {
    let Network { nodes, arcs, edges, .. } = network;
    let mut pairs: Vec<Edge> = arcs.into_iter().chain(edges).filter(|(i, j, _)| i != j).collect();
    pairs.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
    let is_same = |a: &Edge, b: &Edge| (a.0, a.1) == (b.0, b.1);
    if let Some(pair) = pairs.windows(2).find(|p| is_same(&p[0], &p[1]) && !is_rounding(p[0].2, p[1].2)) {
        let name = |k: u32| nodes.ids[k as usize].as_str();
        let place = Place::part(format!("pair \"{}\" and \"{}\"", name(pair[0].0), name(pair[0].1)));
        let problem = format!("it is given more than once, with distances {} and {}; keep one", pair[0].2, pair[1].2);
        return Err(Error::value(file, place, problem));
    }
    pairs.dedup_by(|a, b| is_same(a, b));
    let other =
        |&(i, j, _): &Edge| pairs.binary_search_by(|pair| (pair.0, pair.1).cmp(&(j, i))).ok().map(|k| pairs[k].2);
    let mut notes = Vec::new();
    if pairs.iter().any(|pair| other(pair).is_some_and(|distance| !is_rounding(distance, pair.2))) {
        notes.push(Note::AsymmetricDistances);
    }
    let mirrored: Vec<Edge> =
        pairs.iter().filter(|pair| other(pair).is_none()).map(|&(i, j, distance)| (j, i, distance)).collect();
    let count = mirrored.len() + (pairs.len() - mirrored.len()) / 2;
    pairs.extend(mirrored);
    let matrix = CsrMatrix::from_triplets((nodes.len(), nodes.len()), &pairs)
        .map_err(|error| sum_error(file, error, &nodes.ids, &nodes.ids))?;
    let what = format!("distances between {} items, {count} pairs", nodes.len());
    let data = Data::Distance(Distances::Sparse(matrix));
    Ok(Interpretation { dataset: Dataset::new(nodes, data), what, notes })
}

/// Whether two distances of the same pair differ by rounding only.
fn is_rounding(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-5 * a.abs().max(b.abs())
}

/// The matrix of `arcs` (and, if `mirrored`, of each arc in the other direction too) with the number of repeated ones.
fn adjacency(n: usize, mut arcs: Vec<Edge>, mirrored: bool) -> Result<(CsrMatrix<'static>, usize), MatrixError> {
    if mirrored {
        for k in 0..arcs.len() {
            let (i, j, weight) = arcs[k];
            if i != j {
                arcs.push((j, i, weight));
            }
        }
    }
    let matrix = CsrMatrix::from_triplets((n, n), &arcs)?;
    let repeated = arcs.len() - matrix.nnz();
    Ok((matrix, if mirrored { repeated.div_ceil(2) } else { repeated }))
}

/// Whether no item stands on both sides.
fn ends_are_disjoint(arcs: &[Edge], n: usize) -> bool {
    let mut sides = vec![0_u8; n];
    for &(i, j, _) in arcs {
        sides[i as usize] |= 1;
        sides[j as usize] |= 2;
    }
    !sides.contains(&3)
}

/// The first nodes are the items, the others their partners.
fn two_mode(file: &str, network: Network, first: usize, options: &ReadOptions) -> Result<Interpretation, Error> {
    let Network { nodes, arcs, edges, .. } = network;
    let mut triplets = Vec::with_capacity(arcs.len() + edges.len());
    for (i, j, weight) in arcs.into_iter().chain(edges) {
        let (i, j) = (i.min(j), i.max(j));
        if i as usize >= first || (j as usize) < first {
            let problem = format!(
                "the line between vertices {} and {} stays within one mode of the two-mode network",
                i + 1,
                j + 1
            );
            return Err(Error::malformed(file, Place::default(), problem));
        }
        triplets.push((i, j - first as u32, weight));
    }
    let rows: Vec<usize> = (0..first).collect();
    let columns: Vec<usize> = (first..nodes.len()).collect();
    dyadic(file, nodes.select(&rows), nodes.select(&columns), &triplets, options)
}

/// The names of the first column are the items, those of the second their partners, each in the order of appearance.
fn two_sides(file: &str, network: Network, options: &ReadOptions) -> Result<Interpretation, Error> {
    let Network { nodes, mut arcs, .. } = network;
    let mut sides = [Side::new(nodes.len()), Side::new(nodes.len())];
    for (i, j, _) in &mut arcs {
        *i = sides[0].number(*i);
        *j = sides[1].number(*j);
    }
    let [items, partners] = sides.map(|side| nodes.select(&side.nodes));
    dyadic(file, items, partners, &arcs, options)
}

/// New numbers for the nodes of one side.
struct Side {
    number_of: Vec<Option<u32>>,
    nodes: Vec<usize>,
}

impl Side {
    fn new(n: usize) -> Self {
        Self { number_of: vec![None; n], nodes: Vec::new() }
    }

    fn number(&mut self, node: u32) -> u32 {
        *self.number_of[node as usize].get_or_insert_with(|| {
            self.nodes.push(node as usize);
            self.nodes.len() as u32 - 1
        })
    }
}

fn dyadic(
    file: &str,
    items: Items,
    partners: Items,
    triplets: &[Edge],
    options: &ReadOptions,
) -> Result<Interpretation, Error> {
    let incidence = CsrMatrix::from_triplets((items.len(), partners.len()), triplets)
        .map_err(|error| sum_error(file, error, &items.ids, &partners.ids))?;
    let repeated = triplets.len() - incidence.nnz();
    let notes = if repeated > 0 { vec![Note::RepeatedEdges(repeated)] } else { Vec::new() };
    let mut dataset = Dataset { items, data: Data::Dyadic(incidence), partners: Some(partners) };
    if options.transpose {
        dataset = dataset.transposed();
    }
    let partners = dataset.partners.as_ref().map_or(0, Items::len);
    let what = format!("dyadic data, {} items × {partners} partners", dataset.items.len());
    Ok(Interpretation { dataset, what, notes })
}

/// Each weight was checked when its line was read; the sum of repeated ones may still be too large.
fn sum_error(file: &str, error: MatrixError, from: &[String], to: &[String]) -> Error {
    match error {
        MatrixError::NotFinite { row, column, .. } => {
            let name = |ids: &[String], k: usize| ids.get(k).cloned().unwrap_or_default();
            let place = Place::part(format!("edge from \"{}\" to \"{}\"", name(from, row), name(to, column)));
            Error::value(file, place, "it is given more than once, and the sum of its weights is not finite")
        }
        other => Error::matrix(file, Place::default(), other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(arcs: Vec<Edge>, edges: Vec<Edge>, form: NetworkForm) -> Network {
        Network { nodes: Items::numbered(3), arcs, edges, form }
    }

    #[test]
    fn an_undirected_edge_stands_in_both_directions_and_a_loop_once() {
        let edges = vec![(0, 1, 2.0), (1, 0, 3.0), (2, 2, 1.0)];
        let network = network(Vec::new(), edges, NetworkForm::Graph);
        let graph = interpret("g.graphml", network, &ReadOptions::default()).unwrap();
        let Data::Graph(matrix) = &graph.dataset.data else { panic!("{}", graph.what) };
        assert_eq!((matrix.get(0, 1), matrix.get(1, 0), matrix.get(2, 2)), (Some(5.0), Some(5.0), Some(1.0)));
        assert_eq!(graph.notes, [Note::RepeatedEdges(1), Note::SelfLoops(1)]);
        assert_eq!(graph.what, "graph of 3 nodes and 2 undirected edges");
    }

    #[test]
    fn the_two_sides_of_a_list_are_numbered_in_order_of_appearance() {
        let arcs = vec![(0, 1, 1.0), (2, 1, 1.0), (1, 0, 1.0)];
        let options = ReadOptions { kind: Some(Kind::Dyadic), ..ReadOptions::default() };
        let dyadic = interpret("a.edges", network(arcs, Vec::new(), NetworkForm::EdgeList), &options).unwrap();
        assert_eq!(dyadic.dataset.items.ids, ["0", "2", "1"]);
        assert_eq!(dyadic.dataset.partners.unwrap().ids, ["1", "0"]);
    }

    #[test]
    fn weights_whose_sum_would_be_infinite_are_divided() {
        let arcs = vec![(0, 2, f64::MAX), (0, 2, f64::MAX), (1, 2, 1.0)];
        let network = network(arcs, Vec::new(), NetworkForm::EdgeList);
        let graph = interpret("a.edges", network, &ReadOptions::default()).unwrap();
        let Data::Graph(matrix) = &graph.dataset.data else { panic!("{}", graph.what) };
        assert!(matrix.get(0, 2).unwrap() > 1e149);
        assert!(graph.notes.iter().any(|note| matches!(note, Note::WeightsDivided { .. })), "{:?}", graph.notes);
    }
}
