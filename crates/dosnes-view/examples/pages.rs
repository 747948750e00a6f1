//! Writes the pages for the tests and measurements of the viewer.
//!
//! `cargo run --release -p dosnes-view --example pages -- DIRECTORY [NAME …]`

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

use dosnes::CsrMatrix;
use dosnes::input::{Column, Items, Values};
use dosnes_view::{Before, Given, Level, MeasureRow, Measures, Page, Sentence, Snapshot, Space, Sprites, View};
use ndarray::Array2;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

type Outcome<T> = Result<T, Box<dyn Error>>;
type Maker = fn() -> Outcome<Vec<u8>>;

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().ok_or("which directory?")?;
    let names: Vec<String> = arguments.collect();
    std::fs::create_dir_all(&directory)?;
    let pages: [(&str, Maker); 14] = [
        ("airports", || airports(Show::Sphere)),
        ("pair", || airports(Show::Pair)),
        ("compared", || airports(Show::Compared)),
        ("space", || airports(Show::Space)),
        ("snapshots", || airports(Show::Snapshots)),
        ("earlier", || airports(Show::Earlier)),
        ("sprites", sprites),
        ("hostile", hostile),
        ("clusters", || synthetic(60_000, Ids::Numbers)),
        ("atlas", || synthetic(6_000, Ids::Places)),
        ("barcodes", || synthetic(3_000, Ids::Barcodes)),
        ("cells", || synthetic(700, Ids::Barcodes)),
        ("dense", || synthetic(250_000, Ids::Numbers)),
        ("million", || synthetic(1_000_000, Ids::Numbers)),
    ];
    for (name, make) in pages {
        if names.is_empty() || names.iter().any(|wanted| wanted == name) {
            std::fs::write(Path::new(&directory).join(format!("{name}.html")), make()?)?;
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Show {
    Sphere,
    /// An earlier map, from which the page plays.
    Earlier,
    Pair,
    Compared,
    Space,
    Snapshots,
}

/// Fields of a line of the test files, where only whole fields are quoted.
fn fields(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(String::new()),
            _ => out.last_mut().expect("never empty").push(letter),
        }
    }
    out
}

fn read(name: &str) -> Outcome<Vec<Vec<String>>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../viewer/tests/data").join(name);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.lines().skip(1).map(fields).collect())
}

/// US airports by their flights: positions from a small embedding of the routes.
fn airports(show: Show) -> Outcome<Vec<u8>> {
    let rows = read("airports.csv")?;
    let number = |k: usize| -> Outcome<Vec<f64>> { Ok(rows.iter().map(|r| r[k].parse()).collect::<Result<_, _>>()?) };
    let text = |k: usize| Values::Text(rows.iter().map(|r| r[k].clone()).collect());
    let column = |name: &str, values| Column { name: name.to_owned(), values };
    let degree = number(6)?;
    let items = Items {
        ids: rows.iter().map(|r| r[0].clone()).collect(),
        columns: vec![
            column("name", text(1)),
            column("state", text(2)),
            column("region", text(3)),
            column("latitude", Values::Number(number(4)?)),
            column("longitude", Values::Number(number(5)?)),
        ],
    };
    let table = |columns: &[usize]| -> Outcome<Array2<f64>> {
        let mut out = Array2::zeros((rows.len(), columns.len()));
        for (to, &from) in columns.iter().enumerate() {
            out.column_mut(to).assign(&ndarray::Array1::from(number(from)?));
        }
        Ok(out)
    };
    let (sphere, plane) = (table(&[7, 8, 9])?, table(&[10, 11])?);
    let place: HashMap<&str, u32> = items.ids.iter().enumerate().map(|(i, id)| (id.as_str(), i as u32)).collect();
    let mut triplets = Vec::new();
    for row in read("routes.csv")? {
        let (a, b, flights) = (place[row[0].as_str()], place[row[1].as_str()], row[2].parse()?);
        triplets.extend([(a, b, flights), (b, a, flights)]);
    }
    let similarity = CsrMatrix::from_triplets((items.len(), items.len()), &triplets)?;
    let (on_sphere, in_plane) = (kept(&similarity, &sphere)?, kept(&similarity, &plane)?);
    let snapshots: Vec<(usize, Array2<f64>)> = read("snapshots.csv")?
        .chunks(items.len())
        .map(|rows| {
            let flat: Vec<f64> =
                rows.iter().flat_map(|r| r[1..].iter().map(|c| c.parse::<f64>())).collect::<Result<_, _>>()?;
            Ok((rows[0][0].parse()?, Array2::from_shape_vec((rows.len(), 3), flat)?))
        })
        .collect::<Outcome<_>>()?;

    let mut page = Page::new("US flights", &items);
    page.subtitle = "Geography comes out of flight counts alone: no position went into this map.";
    page.source = "Data: US Government work, from vega-datasets";
    page.noun = "airports";
    page.similarity = Some(&similarity);
    let all: Vec<usize> = (0..items.len()).collect();
    page.given = Some(Given { matrix: &similarity, rows: &all });
    page.degree = Some(&degree);
    page.color = Some("region");
    let mut view = View::new("DOSNES", if show == Show::Space { Space::Volume } else { Space::Sphere }, sphere.view());
    view.radius = Some(sphere.row(0).dot(&sphere.row(0)).sqrt());
    view.trust = Some(&on_sphere);
    if show == Show::Snapshots {
        view.snapshots = snapshots.iter().map(|(step, x)| Snapshot { step: *step, positions: x.view() }).collect();
        page.flat = Some(View::new("t-SNE", Space::Plane, plane.view()));
    }
    if show == Show::Earlier {
        view.before = snapshots.first().map(|(_, x)| Before { name: "yesterday", positions: x.view() });
    }
    page.views.push(view);
    if matches!(show, Show::Pair | Show::Compared) {
        // A reflected and rotated copy, which the page rotates back; and the plane.
        let mirrored =
            Array2::from_shape_fn(sphere.dim(), |(i, k)| [-sphere[[i, 2]], sphere[[i, 0]], sphere[[i, 1]]][k]);
        let mut turned = View::new("The same, mirrored", Space::Sphere, mirrored.view());
        turned.trust = Some(&on_sphere);
        page.views.push(turned);
        let mut flat = View::new("t-SNE", Space::Plane, plane.view());
        flat.trust = Some(&in_plane);
        page.views.push(flat);
        if show == Show::Compared {
            page.measures = Some(measures());
        }
        return Ok(page.to_html()?);
    }
    Ok(page.to_html()?)
}

/// Measures of three maps and of a fourth that is not shown: more than a phone has room for.
fn measures() -> Measures {
    let row = |name: &str, cells: [&str; 4], best| MeasureRow {
        name: name.to_owned(),
        cells: cells.map(str::to_owned).to_vec(),
        best,
    };
    Measures {
        columns: ["DOSNES", "The same, mirrored", "t-SNE", "<b>MDS</b>"].map(str::to_owned).to_vec(),
        sentences: vec![Sentence {
            title: "Neighbours".to_owned(),
            text: "So many of the 10 nearest stay: 32 % (DOSNES), 12 % (<b>MDS</b>).".to_owned(),
        }],
        rows: vec![
            row("KL(P‖Q)", ["1.058", "1.058", "1.246", "3.024"], None),
            row("recall at 10", ["0.322 ± 0.004", "0.322", "0.137", "0.117"], Some(0)),
            row("degree and nearness to centre", ["", "", "0.940", "0.930"], Some(3)),
        ],
    }
}

/// For each item, the share of its ten most similar items that are among its ten nearest.
fn kept(similarity: &CsrMatrix<'_>, positions: &Array2<f64>) -> Outcome<Vec<f32>> {
    let space = if positions.ncols() == 2 { Space::Plane } else { Space::Volume };
    let map = dosnes::quality::Map::new(positions.view(), space)?;
    let kept = dosnes::quality::trust(&map, similarity, 10, &mut dosnes::observe::Silent)?;
    Ok(kept.into_iter().map(|share| share as f32).collect())
}

/// A random direction.
fn direction(random: &mut impl Rng) -> [f64; 3] {
    loop {
        let v: [f64; 3] = std::array::from_fn(|_| random.random_range(-1.0..1.0));
        let norm = v.iter().map(|c| c * c).sum::<f64>();
        if norm > 0.01 && norm <= 1.0 {
            return v.map(|c| c / norm.sqrt());
        }
    }
}

/// What the items of a page are called.
#[derive(Clone, Copy, PartialEq)]
enum Ids {
    /// 0, 1, …
    Numbers,
    /// As in files of single cells: names that say nothing to a reader.
    Barcodes,
    /// Numbers, and a page that names the clusters of its map.
    Places,
}

/// A barcode of fourteen letters.
fn barcode(i: usize) -> String {
    let letters = (0..14).map(|k| ['A', 'C', 'G', 'T'][(i.wrapping_mul(2_654_435_761) >> (2 * k)) & 3]);
    letters.chain("-1".chars()).collect()
}

/// Clusters of many sizes and shapes, as in an embedding of cells.
fn synthetic(n: usize, ids: Ids) -> Outcome<Vec<u8>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let names =
        ["T cells", "B cells", "monocytes", "NK cells", "dendritic", "platelets", "neurons", "glia", "stroma", "stem"];
    let centres: Vec<([f64; 3], [f64; 3], f64, usize)> = (0..60)
        .map(|k| {
            (direction(&mut random), direction(&mut random), 0.03 + 0.12 * random.random::<f64>(), k % names.len())
        })
        .collect();
    let mut positions = Array2::zeros((n, 3));
    let mut classes = Vec::with_capacity(n);
    let mut depths = Vec::with_capacity(n);
    for i in 0..n {
        // The square makes few clusters large and many small.
        let u: f64 = random.random();
        let (centre, along, spread, class) = centres[(u * u * centres.len() as f64) as usize];
        let stretch: f64 = random.random_range(-1.0..1.0);
        let noise = direction(&mut random);
        let far = spread * random.random::<f64>().sqrt();
        for k in 0..3 {
            positions[[i, k]] = centre[k] + 0.25 * stretch * along[k] + far * noise[k];
        }
        classes.push(names[class].to_owned());
        depths.push((1000.0 * (0.5 + far)).round());
    }
    let items = Items {
        ids: (0..n).map(|i| if ids == Ids::Barcodes { barcode(i) } else { i.to_string() }).collect(),
        columns: vec![
            Column { name: "type".to_owned(), values: Values::Text(classes) },
            Column { name: "depth".to_owned(), values: Values::Number(depths) },
        ],
    };
    let title = format!("Synthetic cells, {n}");
    let mut page = Page::new(&title, &items);
    page.noun = "cells";
    page.color = Some("type");
    page.views.push(View::new("clusters", Space::Sphere, positions.view()));
    if ids != Ids::Places {
        return Ok(page.to_html()?);
    }
    let map = dosnes::quality::Map::new(positions.view(), Space::Volume)?;
    let clusters = dosnes::clusters::find_clusters(&map, &mut dosnes::observe::Silent)?;
    let named = dosnes::clusters::name_clusters(&clusters, &items, None, None);
    page.levels = clusters.levels().iter().zip(&named).map(|(clusters, names)| Level { clusters, names }).collect();
    Ok(page.to_html()?)
}

/// Small images as points: discs, rings, crosses and bars of ink.
fn sprites() -> Outcome<Vec<u8>> {
    const SIDE: usize = 16;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let n = 600;
    let names = ["disc", "ring", "cross", "bar"];
    let centres: Vec<[f64; 3]> = names.iter().map(|_| direction(&mut random)).collect();
    let mut pixels = Vec::with_capacity(n * SIDE * SIDE);
    let mut positions = Array2::zeros((n, 3));
    let mut classes = Vec::new();
    for i in 0..n {
        let class = i % names.len();
        let (noise, size) = (direction(&mut random), random.random_range(4.0..7.0));
        for k in 0..3 {
            positions[[i, k]] = centres[class][k] + 0.75 * noise[k];
        }
        classes.push(names[class].to_owned());
        for p in 0..SIDE * SIDE {
            let (x, y) = ((p % SIDE) as f64 - 7.5, (p / SIDE) as f64 - 7.5);
            let r = x.hypot(y);
            let inside = match class {
                0 => size - r,
                1 => 1.6 - (r - size).abs(),
                2 => (1.8 - x.abs().min(y.abs())).min(size - x.abs().max(y.abs())),
                _ => (2.5 - x.abs()).min(size - y.abs()),
            };
            pixels.push(((inside + 0.5).clamp(0.0, 1.0) * 255.0) as u8);
        }
    }
    let items = Items {
        ids: (0..n).map(|i| i.to_string()).collect(),
        columns: vec![Column { name: "shape".to_owned(), values: Values::Text(classes) }],
    };
    let areas: Vec<f64> =
        pixels.chunks(SIDE * SIDE).map(|image| image.iter().map(|&ink| f64::from(ink)).sum::<f64>() / 255.0).collect();
    let mut page = Page::new("Shapes", &items);
    page.degree = Some(&areas);
    page.noun = "shapes";
    page.sprites = Some(Sprites { width: SIDE, height: SIDE, channels: 1, pixels: &pixels });
    page.views.push(View::new("shapes", Space::Sphere, positions.view()));
    Ok(page.to_html()?)
}

/// Labels that would break a page that does not treat them as text.
fn hostile() -> Outcome<Vec<u8>> {
    let texts = [
        "</script><script>window.broken=1</script>".to_owned(),
        "<img src=x onerror=\"window.broken=1\">".to_owned(),
        "<!--".to_owned(),
        "\u{202e}שלום עולם\u{202c}".to_owned(),
        "x".repeat(10_000),
        "👩‍👩‍👧‍👦🏳️‍🌈".to_owned(),
        "nul\0nul".to_owned(),
        "\u{feff}bom".to_owned(),
        "line\nbreak\ttab".to_owned(),
        "=1+1".to_owned(),
        "javascript:window.broken=1".to_owned(),
        "__proto__".to_owned(),
        "https://example.org/a?b=1".to_owned(),
        "İstanbul".to_owned(),
    ];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let n = texts.len();
    let positions = Array2::from_shape_vec((n, 3), (0..n).flat_map(|_| direction(&mut random)).collect())?;
    let classes = (0..n).map(|i| texts[i % 3].clone()).collect();
    let items = Items {
        ids: texts.to_vec(),
        columns: vec![
            Column { name: "<b>class</b>".to_owned(), values: Values::Text(classes) },
            Column { name: "__proto__".to_owned(), values: Values::Text(texts.to_vec()) },
            Column {
                name: "number".to_owned(),
                values: Values::Number((0..n).map(|i| i as f64 / 0.0_f64.max((i % 3) as f64)).collect()),
            },
        ],
    };
    let title = "</title><script>window.broken=1</script>";
    let mut page = Page::new(title, &items);
    page.noun = "<i>things</i>";
    page.views.push(View::new("<u>view</u>", Space::Sphere, positions.view()));
    Ok(page.to_html()?)
}
