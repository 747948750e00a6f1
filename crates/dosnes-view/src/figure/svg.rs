//! The figure as SVG, with vector graphics and real texts.

use std::fmt::Write;

use super::color::{Coloring, Rgb, coloring};
use super::label::{Label, Wish, one_line, place, width};
use super::projection::{rotated, turned};
use super::sheet::{Panel, Sheet, Spot, View};
use super::{Figure, Projection, Theme, Viewpoint};
use crate::extent::Extent;
use crate::markup::escape;
use crate::{Error, Space};

/// Fonts in order of preference.
const FONTS: &str = "Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// Colours of everything except the points.
struct Ink {
    page: &'static str,
    sphere: &'static str,
    outline: &'static str,
    graticule: &'static str,
    text: &'static str,
}

fn ink(theme: Theme) -> Ink {
    match theme {
        Theme::Light => {
            Ink { page: "#ffffff", sphere: "#f4f6f9", outline: "#b4bcc8", graticule: "#dfe4ea", text: "#16191f" }
        }
        Theme::Dark => {
            Ink { page: "#0e1116", sphere: "#151a22", outline: "#454e5b", graticule: "#242b35", text: "#eef1f5" }
        }
    }
}

/// Distance of the eye from the centre of points in space, in radii, and half of the width of the view, as on the page.
const SPACE_EYE: f64 = 4.0;
const SPACE_HALF: f64 = 1.25;

impl Figure<'_> {
    /// The figure as the text of an SVG file.
    pub fn to_svg(&self) -> Result<String, Error> {
        self.check()?;
        let sheet = self.sheet(self.middles().len());
        let middles = self.middles();
        let weights = self.relative_weights();
        let views: Vec<View> = (sheet.panels.iter().zip(middles))
            .map(|(&panel, middle)| {
                let spots = self.spots(panel, middle, weights.as_deref());
                let wishes =
                    if sheet.texture { Vec::new() } else { self.wishes(&spots, weights.as_deref(), sheet.font) };
                let labels = place(wishes.into_iter(), self.labels, panel.bounds());
                View { middle, spots, labels }
            })
            .collect();
        Ok(self.write(&sheet, &views))
    }

    /// Where everything is on the page, with this number of views.
    pub(super) fn sheet(&self, views: usize) -> Sheet {
        let Coloring { colors, legend } = coloring(self.items, self.color, self.theme);
        let texture = self.projection == Projection::Equirectangular && self.space == Space::Sphere;
        let page_width = f64::from(self.width);
        let count = if self.space == Space::Plane { 1 } else { views };
        // A figure with one view is often shown at half the width of one with two, and its texts must still be readable.
        let font_share = if count == 1 { 0.016 } else { 0.0105 };
        let (margin, font) = if texture { (0.0, 0.0) } else { (page_width * 0.014, page_width * font_share) };
        let title_height = if self.title.is_empty() || texture { 0.0 } else { font * 2.8 };
        let legend_rows = if texture { Vec::new() } else { wrap(&legend, font, page_width - 2.0 * margin) };
        let legend_height = legend_rows.len() as f64 * font * 1.9;
        let (half_x, half_y) = self.half();
        let each = (page_width - margin * (count as f64 + 1.0)) / count as f64;
        let scale = each / 2.0 / half_x;
        let page_height = title_height + 2.0 * scale * half_y + 2.0 * margin + legend_height;
        let panels = (0..count)
            .map(|k| Panel {
                center_x: margin + each / 2.0 + k as f64 * (each + margin),
                center_y: title_height + margin + scale * half_y,
                scale,
                half_width: half_x * scale,
                half_height: half_y * scale,
            })
            .collect();
        Sheet { page_height, margin, font, title_height, legend_rows, legend_height, panels, colors, texture }
    }

    /// The text of an SVG file with the contents of the views.
    pub(super) fn write(&self, sheet: &Sheet, views: &[View]) -> String {
        let &Sheet { page_height, margin, font, title_height, legend_height, .. } = sheet;
        let ink = ink(self.theme);
        let mut out = String::new();
        let w = &mut out;
        // Writing to a String cannot fail.
        let _ = writeln!(
            w,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1:.0}\" viewBox=\"0 0 {0} {1:.0}\" font-family=\"{FONTS}\">",
            self.width, page_height
        );
        let _ = writeln!(w, "<title>{}</title>", escape(if self.title.is_empty() { "embedding" } else { self.title }));
        if !self.transparent {
            let _ = writeln!(w, "<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>", ink.page);
        }
        if title_height > 0.0 {
            let _ = writeln!(
                w,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{:.1}\" font-weight=\"600\" fill=\"{}\">{}</text>",
                margin * 1.2,
                margin + font * 1.5,
                font * 1.7,
                ink.text,
                escape(self.title)
            );
        }
        for (&panel, view) in sheet.panels.iter().zip(views) {
            self.picture(w, panel, view, sheet, &ink);
        }
        let mut y = page_height - legend_height - margin * 0.5 + font;
        for row in &sheet.legend_rows {
            let mut x = margin * 1.5;
            for (color, text) in row {
                let _ = writeln!(
                    w,
                    "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{}\"/>",
                    x,
                    font * 0.42,
                    hex(*color)
                );
                let _ = writeln!(
                    w,
                    "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{font:.1}\" fill=\"{}\">{}</text>",
                    x + font * 0.8,
                    y + font * 0.35,
                    ink.text,
                    escape(text)
                );
                x += entry_width(text, font);
            }
            y += font * 1.9;
        }
        out.push_str("</svg>\n");
        out
    }

    /// Half of the width and height of a view, in units of the projection.
    fn half(&self) -> (f64, f64) {
        match self.space {
            Space::Sphere => self.projection.half(),
            Space::Plane => {
                let (_, half_x, half_y) = self.frame();
                // The height is at least half the width, for points on a line; with a small margin.
                (half_x.max(half_y * 0.5) * 1.04, half_y.max(half_x * 0.4) * 1.04)
            }
            Space::Volume => (SPACE_HALF, SPACE_HALF),
        }
    }

    /// For points in the plane: the centre, and half of the width and height.
    fn frame(&self) -> ([f64; 2], f64, f64) {
        let Extent { middle: [x, y, _], half: [half_x, half_y, _] } = Extent::of([self.positions]);
        // Never 0, because the scale is a division by it.
        ([x, y], half_x.max(1e-300), half_y.max(1e-300))
    }

    /// For points in space: the centre of their box, and the largest distance from it.
    fn ball(&self) -> ([f64; 3], f64) {
        let Extent { middle, .. } = Extent::of([self.positions]);
        let distance = |row: ndarray::ArrayView1<'_, f64>| (0..3).fold(0.0, |d: f64, k| d.hypot(row[k] - middle[k]));
        let radius = self.positions.rows().into_iter().map(distance).fold(0.0, f64::max);
        (middle, if radius > 0.0 { radius } else { 1.0 })
    }

    fn picture(&self, w: &mut String, panel: Panel, view: &View, sheet: &Sheet, ink: &Ink) {
        let texture = sheet.texture;
        if self.space == Space::Sphere && !texture {
            let points: Vec<String> = self
                .projection
                .outline()
                .iter()
                .map(|(x, y)| {
                    format!("{:.1},{:.1}", panel.center_x + x * panel.scale, panel.center_y - y * panel.scale)
                })
                .collect();
            let _ = writeln!(
                w,
                "<polygon points=\"{}\" fill=\"{}\" stroke=\"{}\"/>",
                points.join(" "),
                ink.sphere,
                ink.outline
            );
            let _ = writeln!(
                w,
                "<path d=\"{}\" fill=\"none\" stroke=\"{}\"/>",
                self.graticule(panel, view.middle),
                ink.graticule
            );
        }
        for spot in &view.spots {
            // A spherical display compresses the texture towards the poles, so points are drawn wider there.
            let latitude = ((panel.center_y - spot.y) / panel.scale).clamp(-1.57, 1.57);
            let stretch = if texture { 1.0 / latitude.cos().max(1e-3) } else { 1.0 };
            let mut shifts = vec![0.0];
            if texture {
                let page = 2.0 * panel.half_width;
                let over = spot.radius * stretch;
                shifts.extend((spot.x - over < 0.0).then_some(page));
                shifts.extend((spot.x + over > page).then_some(-page));
            }
            for shift in shifts {
                let (x, color) = (spot.x + shift, hex(sheet.colors[spot.item]));
                let _ = if stretch > 1.001 {
                    writeln!(
                        w,
                        "<ellipse cx=\"{x:.2}\" cy=\"{:.2}\" rx=\"{:.2}\" ry=\"{:.2}\" fill=\"{color}\"/>",
                        spot.y,
                        (spot.radius * stretch).min(panel.half_width),
                        spot.radius
                    )
                } else {
                    let opacity = spot.opacity;
                    writeln!(
                        w,
                        "<circle cx=\"{x:.2}\" cy=\"{:.2}\" r=\"{:.2}\" fill=\"{color}\" fill-opacity=\"{opacity:.2}\"/>",
                        spot.y, spot.radius
                    )
                };
            }
        }
        for label in &view.labels {
            write_label(w, label, ink);
        }
    }

    /// The visible points, in an order in which no group hides another.
    pub(super) fn spots(&self, panel: Panel, middle: Viewpoint, weights: Option<&[f64]>) -> Vec<Spot> {
        let n = self.items.len();
        // As on the page: points become slowly smaller with their number.
        let spacing = 360.0 * (4.0 * std::f64::consts::PI / n.max(1) as f64).sqrt();
        let unit = panel.half_width.min(panel.half_height * 1.3) / 360.0;
        let base = 0.675 * spacing.max(1.0).powf(0.44).min(12.0) * unit;
        let (plane_middle, ..) = if self.space == Space::Plane { self.frame() } else { ([0.0; 2], 0.0, 0.0) };
        let (space_middle, space_radius) = if self.space == Space::Volume { self.ball() } else { ([0.0; 3], 1.0) };
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|&i| ((i as u32).wrapping_mul(2_654_435_761).rotate_left(13), i));
        let mut spots: Vec<(f64, Spot)> = order
            .into_iter()
            .filter_map(|item| {
                let row = self.positions.row(item);
                // The position, the side (≤ 0: hidden), the scale there, and the drawing order.
                let (x, y, near, scale, depth) = match self.space {
                    Space::Sphere => {
                        let (x, y, near) = self.projection.forward(turned([row[0], row[1], row[2]], middle));
                        (x, y, near, 1.0, 0.0)
                    }
                    Space::Plane => (row[0] - plane_middle[0], row[1] - plane_middle[1], 1.0, 1.0, 0.0),
                    Space::Volume => {
                        let v = std::array::from_fn(|k| (row[k] - space_middle[k]) / space_radius);
                        let [x, y, z] = rotated(v, middle);
                        let k = SPACE_EYE / (SPACE_EYE - z);
                        (k * x, k * y, 0.12 + 0.14 * (1.0 + z), k, z)
                    }
                };
                let spot = Spot {
                    item,
                    x: panel.center_x + x * panel.scale,
                    y: panel.center_y - y * panel.scale,
                    radius: scale * base * weights.map_or(1.0, |w| 0.6 + 1.5 * w[item].sqrt()),
                    opacity: 0.92 * (0.25 + 0.75 * (near / 0.4).min(1.0)),
                };
                (near > 0.0).then_some((depth, spot))
            })
            .collect();
        // Distant points in space first; the sort is stable, so that the order is otherwise the same.
        spots.sort_by(|a, b| a.0.total_cmp(&b.0));
        spots.into_iter().map(|(_, spot)| spot).collect()
    }

    /// The labels that points would like to have, the most important first.
    pub(super) fn wishes(&self, spots: &[Spot], weights: Option<&[f64]>, font: f64) -> Vec<Wish> {
        let mut ranked: Vec<&Spot> = spots.iter().filter(|spot| spot.opacity > 0.4).collect();
        if let Some(weights) = weights {
            ranked.sort_by(|a, b| weights[b.item].total_cmp(&weights[a.item]).then(a.item.cmp(&b.item)));
        }
        let wish = |spot: &Spot| Wish {
            item: spot.item,
            text: self.name(spot.item),
            x: spot.x,
            y: spot.y,
            clear: spot.radius,
            size: font * (0.9 + 0.5 * weights.map_or(0.0, |w| w[spot.item].sqrt())),
            side: None,
        };
        ranked.into_iter().take(self.labels.saturating_mul(20)).map(wish).collect()
    }

    /// Meridians and parallels every 30 degrees, without the far side and without jumps across the cut.
    fn graticule(&self, panel: Panel, middle: Viewpoint) -> String {
        let mut path = String::new();
        let mut line = |points: &mut dyn Iterator<Item = (f64, f64)>| {
            let mut last: Option<(f64, f64)> = None;
            for (longitude, latitude) in points {
                let (l, p) = (f64::to_radians(longitude), f64::to_radians(latitude));
                let v = turned([p.cos() * l.cos(), p.cos() * l.sin(), p.sin()], middle);
                let (x, y, near) = self.projection.forward(v);
                if near <= 0.0 {
                    last = None;
                    continue;
                }
                let joined = last.is_some_and(|(a, b)| (x - a).hypot(y - b) < 1.2);
                let (px, py) = (panel.center_x + x * panel.scale, panel.center_y - y * panel.scale);
                let _ = write!(path, "{}{px:.1} {py:.1}", if joined { 'L' } else { 'M' });
                last = Some((x, y));
            }
        };
        for longitude in (-180..180).step_by(30) {
            let pole = if longitude % 90 == 0 { 36 } else { 30 };
            line(&mut (-pole..=pole).map(|k| (f64::from(longitude), f64::from(k) * 2.5)));
        }
        for latitude in (-60..=60).step_by(30) {
            line(&mut (-72..=72).map(|k| (f64::from(k) * 2.5, f64::from(latitude))));
        }
        path
    }
}

fn write_label(w: &mut String, label: &Label, ink: &Ink) {
    let Label { text, x, y, height, size, opacity, .. } = label;
    let fading = if *opacity < 1.0 { format!(" opacity=\"{opacity:.2}\"") } else { String::new() };
    let _ = writeln!(
        w,
        "<text x=\"{x:.1}\" y=\"{:.1}\"{fading} font-size=\"{size:.1}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{:.1}\" \
         stroke-opacity=\"0.9\" stroke-linejoin=\"round\" paint-order=\"stroke\">{}</text>",
        y + height / 2.0 + size * 0.36,
        ink.text,
        ink.page,
        size * 0.36,
        escape(text)
    );
}

fn entry_width(text: &str, font: f64) -> f64 {
    width(text, font) + font * 2.2
}

/// The entries of the legend, in rows that fit the width.
fn wrap(legend: &[(Rgb, String)], font: f64, page: f64) -> Vec<Vec<(Rgb, String)>> {
    let mut rows: Vec<Vec<(Rgb, String)>> = Vec::new();
    let mut used = f64::INFINITY;
    for (color, text) in legend {
        let text = one_line(text);
        let wide = entry_width(&text, font);
        if used + wide > page {
            rows.push(Vec::new());
            used = 0.0;
        }
        used += wide;
        if let Some(row) = rows.last_mut() {
            row.push((*color, text));
        }
    }
    rows
}

fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
