//! The header of the page: which data are in which block. The code of the page reads it as JSON.

use std::io;

use serde::Serialize;

use super::align::aligned;
use super::blocks::{Block, Blocks, ColumnData, Texts};
use super::neighbors::{Neighbors, count, strongest};
use super::quantize::{COARSE_BITS, FINE_BITS, Frame, sphere};
use super::{Given, Level, Measures, Page, View};
use crate::Space;

/// Must be increased when the code of the page can no longer read older blocks.
const FORMAT: u32 = 1;

#[derive(Debug, Serialize)]
pub(super) struct Header<'a> {
    format: u32,
    title: &'a str,
    subtitle: &'a str,
    source: &'a str,
    noun: &'a str,
    count: usize,
    /// `None` if the items are numbered from 0.
    ids: Option<Texts>,
    columns: Vec<ColumnHeader<'a>>,
    views: Vec<ViewHeader<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flat: Option<ViewHeader<'a>>,
    neighbors: Option<NeighborsHeader>,
    degree: Option<Block>,
    sprites: Option<SpritesHeader>,
    measures: Option<&'a Measures>,
    color: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    /// `None` if there are no clusters.
    clusters: Option<ClustersHeader<'a>>,
}

#[derive(Debug, Serialize)]
struct ClustersHeader<'a> {
    /// The cluster of each item on the finest level.
    finest: Block,
    /// From the coarsest to the finest level.
    levels: Vec<LevelHeader<'a>>,
}

#[derive(Debug, Serialize)]
struct LevelHeader<'a> {
    names: &'a [String],
    /// The cluster of this level that contains each cluster of the finest level.
    of_finest: Vec<u32>,
}

#[derive(Debug, Serialize)]
struct ColumnHeader<'a> {
    name: &'a str,
    #[serde(flatten)]
    data: ColumnData,
}

#[derive(Debug, Serialize)]
struct ViewHeader<'a> {
    name: &'a str,
    space: &'static str,
    radius: Option<f64>,
    bits: u32,
    positions: Block,
    trust: Option<Block>,
    snapshot_bits: u32,
    snapshots: Vec<SnapshotHeader<'a>>,
}

#[derive(Debug, Serialize)]
struct SnapshotHeader<'a> {
    step: usize,
    /// Of an earlier map, which is no step of an optimisation.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    positions: Block,
}

#[derive(Debug, Serialize)]
struct NeighborsHeader {
    counts: Block,
    indices: Block,
    strengths: Block,
    /// As they were given, for the same pairs. `None` if they are not known, or all the same.
    weights: Option<Block>,
}

#[derive(Debug, Serialize)]
struct SpritesHeader {
    width: usize,
    height: usize,
    channels: usize,
    pixels: Block,
}

/// The similarities of these neighbours as they were given.
fn weights(neighbors: &Neighbors, given: Given<'_>) -> Vec<f32> {
    let mut weights = Vec::with_capacity(neighbors.indices.len());
    for (i, &count) in neighbors.counts.iter().enumerate() {
        let first = weights.len();
        weights.extend(
            neighbors.indices[first..first + count as usize].iter().map(|&j| given.weight(i, j as usize) as f32),
        );
    }
    weights
}

/// Whether there are different weights, which say something.
fn differ(weights: &[f32]) -> bool {
    weights.iter().any(|weight| *weight != weights[0])
}

/// Writes the data of a checked page to `blocks` and returns the header that describes them.
pub(super) fn encode<'p>(page: &'p Page<'_>, blocks: &mut Blocks) -> Result<Header<'p>, io::Error> {
    let n = page.items.len();
    let numbered = page.items.ids.iter().enumerate().all(|(i, id)| *id == i.to_string());
    Ok(Header {
        format: FORMAT,
        title: page.title,
        subtitle: page.subtitle,
        source: page.source,
        noun: page.noun,
        count: n,
        views: page.views.iter().map(|view| encode_view(view, blocks)).collect::<Result<_, _>>()?,
        flat: page.flat.as_ref().map(|view| encode_view(view, blocks)).transpose()?,
        ids: if numbered { None } else { Some(blocks.texts(page.items.ids.iter().map(String::as_str))?) },
        columns: page
            .items
            .columns
            .iter()
            .map(|c| Ok(ColumnHeader { name: &c.name, data: blocks.column(&c.values)? }))
            .collect::<Result<_, io::Error>>()?,
        neighbors: match (page.similarity, page.views.first()) {
            (None, _) | (_, None) => None,
            (Some(similarity), Some(first)) => {
                let found = strongest(similarity, first.positions, count(n));
                let weights = page.given.map(|given| weights(&found, given)).filter(|weights| differ(weights));
                Some(NeighborsHeader {
                    counts: blocks.unsigned(&found.counts)?,
                    indices: blocks.unsigned(&found.indices)?,
                    strengths: blocks.bytes(&found.strengths)?,
                    weights: weights.map(|weights| blocks.singles(weights.into_iter())).transpose()?,
                })
            }
        },
        degree: page.degree.map(|degree| blocks.singles(degree.iter().map(|&d| d as f32))).transpose()?,
        sprites: match page.sprites {
            None => None,
            Some(s) => Some(SpritesHeader {
                width: s.width,
                height: s.height,
                channels: s.channels,
                pixels: blocks.bytes(s.pixels)?,
            }),
        },
        measures: page.measures.as_ref(),
        color: page.color,
        size: page.size,
        label: page.label,
        clusters: encode_clusters(&page.levels, blocks)?,
    })
}

fn encode_clusters<'p>(levels: &[Level<'p>], blocks: &mut Blocks) -> Result<Option<ClustersHeader<'p>>, io::Error> {
    let Some(finest) = levels.last() else { return Ok(None) };
    let level = |level: &Level<'p>| {
        let mut of_finest = vec![0; finest.names.len()];
        for (&cluster, &wider) in finest.clusters.iter().zip(level.clusters) {
            of_finest[cluster as usize] = wider;
        }
        LevelHeader { names: level.names, of_finest }
    };
    Ok(Some(ClustersHeader { finest: blocks.unsigned(finest.clusters)?, levels: levels.iter().map(level).collect() }))
}

fn encode_view<'p>(view: &'p View<'_>, blocks: &mut Blocks) -> Result<ViewHeader<'p>, io::Error> {
    let before = view.before.as_ref().filter(|_| view.snapshots.is_empty());
    let mut states = aligned(view.space, view.positions, &view.snapshots);
    states.extend(before.map(|before| before.positions.to_owned()));
    let steps = view.snapshots.iter().map(|snapshot| (snapshot.step, None));
    let steps = steps.chain(before.map(|before| (0, Some(before.name))));
    let frame = match view.space {
        Space::Sphere => None,
        Space::Plane | Space::Volume => {
            Some(Frame::of(states.iter().map(|state| state.view()).chain([view.positions])))
        }
    };
    let quantize = |positions, bits| match frame {
        None => sphere(positions, bits),
        Some(frame) => frame.quantize(positions, bits),
    };
    Ok(ViewHeader {
        name: &view.name,
        space: view.space.name(),
        radius: view.radius,
        bits: FINE_BITS,
        positions: blocks.unsigned(&quantize(view.positions, FINE_BITS))?,
        trust: view
            .trust
            .map(|trust| blocks.bytes(&trust.iter().map(|&t| per_255(t)).collect::<Vec<_>>()))
            .transpose()?,
        snapshot_bits: COARSE_BITS,
        snapshots: steps
            .zip(&states)
            .map(|((step, name), state)| {
                let positions = blocks.unsigned(&quantize(state.view(), COARSE_BITS))?;
                Ok(SnapshotHeader { step, name, positions })
            })
            .collect::<Result<_, io::Error>>()?,
    })
}

/// A share from 0 to 1 as a number from 0 to 255; NaN becomes 0.
fn per_255(share: f32) -> u8 {
    (share.clamp(0.0, 1.0) * 255.0).round() as u8
}
