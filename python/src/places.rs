//! What is known of the places of items before a map is made: an earlier map, or fixed directions.

use dosnes::{
    Affinities, Dosnes, Embedding, Error, align,
    init::{Init, complete},
    ndarray::{Array2, Axis},
    optimize::Fixed,
};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

/// Attraction is not exaggerated, unless it is asked for: items would forget their old places.
const EXAGGERATION: f64 = 1.0;

/// Arrays with a row for each item of the data; rows of items whose place is not known are not finite.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Places<'py> {
    like: Option<PyReadonlyArray2<'py, f64>>,
    fixed: Option<PyReadonlyArray2<'py, f64>>,
}

/// The same, for threads that know nothing of Python.
#[derive(Default)]
pub(crate) struct Known {
    like: Option<Array2<f64>>,
    fixed: Option<Array2<f64>>,
}

impl Places<'_> {
    pub(crate) fn known(&self) -> Known {
        let copy = |places: &PyReadonlyArray2<'_, f64>| places.as_array().to_owned();
        Known { like: self.like.as_ref().map(copy), fixed: self.fixed.as_ref().map(copy) }
    }
}

impl Known {
    /// The options of a run that begins with what is known.
    pub(crate) fn begin(&self, mut dosnes: Dosnes, p: &Affinities) -> Result<Dosnes, Error> {
        if let Some(like) = &self.like {
            let seed = dosnes.embed_options().seed;
            dosnes = dosnes.init(Init::Given(complete(p, like.select(Axis(0), p.kept()).view(), seed)?));
            if dosnes.embed_options().exaggeration.is_none() {
                dosnes = dosnes.exaggeration(EXAGGERATION);
            }
        }
        if let Some(fixed) = &self.fixed {
            let places = fixed.select(Axis(0), p.kept());
            let direction = |item: usize| [places[[item, 0]], places[[item, 1]], places[[item, 2]]];
            let is_known = |item: &usize| direction(*item).iter().all(|v| v.is_finite());
            let found = (0..places.nrows()).filter(is_known).map(|item| Fixed { item, direction: direction(item) });
            dosnes = dosnes.fixed(found.collect());
        }
        Ok(dosnes)
    }

    /// Lays the map onto the earlier one. The angle in degrees by which each item of the map moved; not a number for new ones.
    pub(crate) fn register(&self, p: &Affinities, embedding: &mut Embedding) -> Result<Option<Vec<f64>>, Error> {
        let Some(like) = &self.like else { return Ok(None) };
        let before = like.select(Axis(0), p.kept());
        let known: Vec<usize> =
            (0..before.nrows()).filter(|&item| before.row(item).iter().all(|v| v.is_finite())).collect();
        let after = embedding.coordinates.select(Axis(0), &known);
        let alignment = align(before.select(Axis(0), &known).view(), after.view())?;
        embedding.coordinates = alignment.apply(embedding.coordinates.view())?;
        let mut moved = vec![f64::NAN; before.nrows()];
        for (&item, &degrees) in known.iter().zip(&alignment.moved) {
            moved[item] = degrees;
        }
        Ok(Some(moved))
    }
}
