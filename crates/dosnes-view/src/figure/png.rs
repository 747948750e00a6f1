//! The figure as PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::Figure;
use crate::Error;

impl Figure<'_> {
    /// The figure as the bytes of a PNG file. Texts use a font of the system; without any font they are left out.
    pub fn to_png(&self) -> Result<Vec<u8>, Error> {
        encode(&Raster::new().draw(&self.to_svg()?)?)
    }
}

/// What turns the text of an SVG into pixels. The fonts of the system are read once.
pub(super) struct Raster {
    options: Options<'static>,
}

impl Raster {
    pub(super) fn new() -> Self {
        let mut options = Options::default();
        let fonts = options.fontdb_mut();
        fonts.load_system_fonts();
        // Our first font family may be missing, so the generic family must be an installed one.
        let family = fonts.faces().find_map(|face| face.families.first().map(|(name, _)| name.clone()));
        let usual = ["Liberation Sans", "DejaVu Sans", "Arial", "Helvetica"];
        let present = |name: &str| fonts.faces().any(|face| face.families.iter().any(|(family, _)| family == name));
        if let Some(family) = usual.into_iter().find(|name| present(name)).map(str::to_owned).or(family) {
            fonts.set_sans_serif_family(family);
        }
        Self { options }
    }

    pub(super) fn draw(&self, svg: &str) -> Result<Pixmap, Error> {
        let tree = Tree::from_str(svg, &self.options).map_err(|error| Error::Raster(error.to_string()))?;
        let size = tree.size().to_int_size();
        let mut picture = Pixmap::new(size.width(), size.height()).ok_or(Error::BadWidth(size.width()))?;
        resvg::render(&tree, Transform::identity(), &mut picture.as_mut());
        Ok(picture)
    }
}

pub(super) fn encode(picture: &Pixmap) -> Result<Vec<u8>, Error> {
    picture.encode_png().map_err(|error| Error::Raster(error.to_string()))
}
