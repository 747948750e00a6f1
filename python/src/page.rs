//! The self-contained page with the globe.

use crate::{fit::Affinities, options::named, quality::trust};
use dosnes::{
    Space,
    input::{Column, Items, Values},
    ndarray::ArrayView2,
};
use dosnes_view::{Page, Sprites, View};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::borrow::Cow;

/// What is written on a page.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Caption {
    title: String,
    subtitle: String,
    source: String,
    noun: String,
    color: Option<String>,
}

/// The values of a column: numbers, or texts.
#[derive(FromPyObject)]
pub(crate) enum Cells<'py> {
    Numbers(PyReadonlyArray1<'py, f64>),
    Texts(Vec<String>),
}

/// A map: its name, its space, its coordinates and its radius.
type GivenView<'py> = (String, String, PyReadonlyArray2<'py, f64>, Option<f64>);
/// Images: width, height, channels, and the bytes of all items.
type GivenSprites<'py> = (usize, usize, usize, PyReadonlyArray1<'py, u8>);

/// The page of one map or of several maps of the same items, as a file.
#[pyfunction]
pub(crate) fn page<'py>(
    py: Python<'py>,
    caption: Caption,
    ids: Vec<String>,
    columns: Vec<(String, Cells<'py>)>,
    views: Vec<GivenView<'py>>,
    affinities: Option<Bound<'py, Affinities>>,
    images: Option<GivenSprites<'py>>,
) -> PyResult<Cow<'static, [u8]>> {
    let mut items = Items { ids, columns: Vec::new() };
    for (name, cells) in columns {
        let values = match cells {
            Cells::Numbers(numbers) => Values::Number(numbers.as_array().to_vec()),
            Cells::Texts(texts) => Values::Text(texts),
        };
        items.columns.push(Column { name, values });
    }
    let affinities = affinities.as_ref().map(Bound::get);
    let views: Vec<(String, Space, ArrayView2<'_, f64>, Option<f64>)> = views
        .iter()
        .map(|(name, space, positions, radius)| {
            Ok((name.clone(), named::<Space>("space", space)?, positions.as_array(), *radius))
        })
        .collect::<PyResult<_>>()?;
    let images = images.as_ref().map(|(width, height, channels, pixels)| {
        Ok::<_, PyErr>(Sprites { width: *width, height: *height, channels: *channels, pixels: pixels.as_slice()? })
    });
    let images = images.transpose()?;
    let html = py.detach(|| {
        let similar = affinities.map(|affinities| affinities.inner.direct());
        let trusts = views
            .iter()
            .map(|(_, space, positions, _)| similar.map(|similar| trust(similar, *space, *positions)).transpose())
            .collect::<PyResult<Vec<_>>>()?;
        let mut page = Page::new(&caption.title, &items);
        (page.subtitle, page.source, page.noun) = (&caption.subtitle, &caption.source, &caption.noun);
        for ((name, space, positions, radius), trust) in views.iter().zip(&trusts) {
            page.views.push(View {
                radius: *radius,
                trust: trust.as_deref(),
                ..View::new(name.clone(), *space, *positions)
            });
        }
        page.similarity = similar;
        page.degree = affinities.map(|affinities| &affinities.degrees[..]);
        page.sprites = images;
        page.color = caption.color.as_deref();
        page.to_html().map_err(|error| PyValueError::new_err(error.to_string()))
    })?;
    Ok(Cow::Owned(html))
}
