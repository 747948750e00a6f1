//! Figures of a small embedding.

use dosnes::input::{Column, Items, Values};
use dosnes_view::{Error, Figure, Projection, Space, Theme, Viewpoint};
use ndarray::Array2;

/// Points spread evenly along a spiral from pole to pole, with hostile names.
fn spiral(n: usize) -> (Items, Array2<f64>) {
    let positions = Array2::from_shape_fn((n, 3), |(i, k)| {
        let z = 1.0 - (2.0 * i as f64 + 1.0) / n as f64;
        let a = 2.399963 * i as f64;
        [(1.0 - z * z).sqrt() * a.cos(), (1.0 - z * z).sqrt() * a.sin(), z][k] * 7.0
    });
    let classes = (0..n).map(|i| ["<b>north</b>", "middle & more", "south"][i * 3 / n].to_owned()).collect();
    let items = Items {
        ids: (0..n).map(|i| format!("</text>{i}\0")).collect(),
        columns: vec![Column { name: "band".to_owned(), values: Values::Text(classes) }],
    };
    (items, positions)
}

#[test]
fn a_globe_shows_every_point_once_from_two_sides() {
    let (items, positions) = spiral(200);
    let mut figure = Figure::new(&items, Space::Sphere, positions.view());
    figure.labels = 0;
    let svg = figure.to_svg().unwrap();
    assert_eq!(svg.matches("<circle").count(), 200);
    assert_eq!(svg.matches("<polygon").count(), 2);
}

#[test]
fn points_in_space_are_seen_from_two_sides_the_far_ones_first() {
    let items = Items::numbered(4);
    let positions =
        Array2::from_shape_vec((4, 3), vec![2.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0]).unwrap();
    let mut figure = Figure::new(&items, Space::Volume, positions.view());
    figure.labels = 0;
    figure.width = 1000;
    let svg = figure.to_svg().unwrap();
    let circles: Vec<(f64, f64)> = svg
        .lines()
        .filter(|line| line.starts_with("<circle"))
        .map(|line| {
            let value = |name: &str| {
                line.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
            };
            (value("cx"), value("r"))
        })
        .collect();
    // From the front, along x: the point behind, the two in the middle plane, the one in front.
    assert_eq!(circles.len(), 8);
    assert!(circles[0].1 < circles[1].1 && circles[1].1 == circles[2].1 && circles[2].1 < circles[3].1, "{circles:?}");
    assert!((circles[0].0 - circles[3].0).abs() < 0.1 && (circles[1].0 - circles[2].0).abs() > 150.0, "{circles:?}");
    // From the right, along y: the two on the x axis lie at its ends, twice as far apart.
    assert!((circles[5].0 - circles[6].0).abs() > 300.0, "{circles:?}");
    assert_eq!(svg.matches("<polygon").count(), 0);
}

#[test]
fn a_perspective_globe_shows_less_than_half_of_the_sphere_a_side() {
    let (items, positions) = spiral(300);
    let mut figure = Figure::new(&items, Space::Sphere, positions.view());
    figure.labels = 0;
    figure.projection = Projection::Perspective;
    // A cap of height 1 − 1/3 is a third of the sphere; two of them are two thirds.
    let seen = figure.to_svg().unwrap().matches("<circle").count();
    assert!((185..=215).contains(&seen), "{seen}");
}

#[test]
fn the_whole_sphere_is_in_every_other_projection() {
    let (items, positions) = spiral(200);
    for projection in [Projection::FishEye, Projection::EqualEarth, Projection::Mollweide] {
        let mut figure = Figure::new(&items, Space::Sphere, positions.view());
        figure.projection = projection;
        figure.viewpoints = vec![Viewpoint { longitude: 40.0, latitude: -20.0 }];
        assert_eq!(figure.to_svg().unwrap().matches("<circle").count(), 200, "{projection:?}");
    }
}

#[test]
fn a_texture_is_twice_as_wide_as_high_and_goes_on_around() {
    let items = Items::numbered(1);
    let positions = Array2::from_shape_vec((1, 3), vec![-1.0, 0.0, 0.5]).unwrap();
    let mut figure = Figure::new(&items, Space::Sphere, positions.view());
    figure.projection = Projection::Equirectangular;
    figure.width = 1024;
    let svg = figure.to_svg().unwrap();
    assert!(svg.contains("width=\"1024\" height=\"512\""));
    // On the seam, so at both edges.
    assert_eq!(svg.matches("<ellipse").count(), 2);
}

#[test]
fn names_and_classes_are_texts_and_nothing_else() {
    let (items, positions) = spiral(60);
    let mut figure = Figure::new(&items, Space::Sphere, positions.view());
    figure.color = Some("band");
    figure.title = "<script>&\u{1}";
    let svg = figure.to_svg().unwrap();
    assert!(
        svg.contains("&lt;b&gt;north&lt;/b&gt;") && svg.contains("middle &amp; more") && svg.contains("&lt;/text&gt;")
    );
    assert!(!svg.contains("<script") && !svg.contains("<b>") && !svg.contains('\0') && !svg.contains('\u{1}'));
}

#[test]
fn a_column_can_be_the_labels_and_ids_stand_in_for_empty_texts() {
    let mut items = Items::numbered(3);
    let texts = Values::Text(["north", "", "south"].map(str::to_owned).to_vec());
    items.columns.push(Column { name: "name".to_owned(), values: texts });
    let positions = Array2::from_shape_vec((3, 2), vec![0.0, 2.0, 3.0, 1.0, 0.0, 0.0]).unwrap();
    let mut figure = Figure::new(&items, Space::Plane, positions.view());
    figure.label = Some("name");
    let svg = figure.to_svg().unwrap();
    for label in [">north<", ">1<", ">south<"] {
        assert!(svg.contains(label), "{label}");
    }
}

#[test]
fn the_same_figure_is_the_same_bytes() {
    let (items, positions) = spiral(300);
    let weights: Vec<f64> = (0..300).map(|i| f64::from(i % 17)).collect();
    let mut figure = Figure::new(&items, Space::Sphere, positions.view());
    figure.weights = Some(&weights);
    assert_eq!(figure.to_svg().unwrap(), figure.to_svg().unwrap());
}

#[test]
fn points_in_the_plane_have_a_figure_too_even_if_there_is_one_or_none() {
    for n in [0, 1, 50] {
        let (items, positions) = spiral(n);
        let plane = positions.slice(ndarray::s![.., ..2]);
        let svg = Figure::new(&items, Space::Plane, plane).to_svg().unwrap();
        assert_eq!(svg.matches("<circle").count(), n);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let (items, mut positions) = spiral(5);
    let mut figure = Figure::new(&items, Space::Sphere, positions.view());
    figure.color = Some("bond");
    assert_eq!(figure.to_svg().unwrap_err().to_string(), "there is no column \"bond\"; the columns are: band");
    let without = Items::numbered(5);
    let mut bare = Figure::new(&without, Space::Sphere, positions.view());
    bare.label = Some("bond");
    assert_eq!(bare.to_svg().unwrap_err().to_string(), "there is no column \"bond\"; the items have no columns");
    let mut uneven = items.clone();
    uneven.columns[0].values = Values::Number(vec![1.0]);
    let figure_of_uneven = Figure::new(&uneven, Space::Sphere, positions.view());
    assert!(matches!(figure_of_uneven.to_svg(), Err(Error::WrongLength { expected: 5, found: 1, .. })));
    figure.color = None;
    figure.width = 3;
    assert!(matches!(figure.to_svg(), Err(Error::BadWidth(3))));
    positions[[2, 1]] = f64::NAN;
    let figure = Figure::new(&items, Space::Sphere, positions.view());
    assert!(matches!(figure.to_svg(), Err(Error::NotFinite { item: 2, .. })));
}

#[cfg(feature = "png")]
#[test]
fn a_picture_has_the_figures_size_and_its_colours() {
    let (items, positions) = spiral(400);
    let mut figure = Figure::new(&items, Space::Sphere, positions.view());
    figure.color = Some("band");
    figure.theme = Theme::Dark;
    figure.width = 800;
    let png = figure.to_png().unwrap();
    assert_eq!(&png[1..4], b"PNG");
    assert_eq!(u32::from_be_bytes(png[16..20].try_into().unwrap()), 800);
}

/// The pictures of an animation as a viewer shows them, and the time of each in hundredths of a second.
#[cfg(feature = "gif")]
fn played(bytes: &[u8]) -> (Vec<Vec<u8>>, Vec<u16>, (usize, usize)) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).expect("a GIF");
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let size = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut canvas = vec![0; 4 * size.0 * size.1];
    let (mut pictures, mut times) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        let (left, top, width) = (usize::from(frame.left), usize::from(frame.top), usize::from(frame.width));
        for (at, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
            let place = 4 * ((top + at / width) * size.0 + left + at % width);
            canvas[place..place + 4].copy_from_slice(pixel);
        }
        pictures.push(canvas.clone());
        times.push(frame.delay);
    }
    (pictures, times, size)
}

#[cfg(feature = "gif")]
#[test]
fn a_turn_is_an_animation_that_goes_around_once_and_joins_its_beginning() {
    let (items, positions) = spiral(300);
    let mut figure = Figure::new(&items, Space::Sphere, positions.view());
    figure.color = Some("band");
    figure.width = 240;
    figure.labels = 4;
    let turn = figure.turn(30).unwrap();
    let mut told = Vec::new();
    let gif = turn.to_gif(2.0, |frame| told.push(frame)).unwrap();
    assert_eq!(told, (1..=30).collect::<Vec<_>>());
    let (pictures, times, (width, height)) = played(&gif);
    assert_eq!((pictures.len(), width), (30, 240));
    assert!(height > 240, "a legend below the globe: {height}");
    assert_eq!(times.iter().map(|&t| u32::from(t)).sum::<u32>(), 200);
    // Every picture is opaque and has the colours of the frame as a PNG, up to the palette.
    let off =
        |a: &[u8], b: &[u8]| a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>() / a.len() as f64;
    for frame in [0, 7, 15, 29] {
        let mut png = png::Decoder::new(std::io::Cursor::new(turn.to_png(frame).unwrap())).read_info().unwrap();
        let mut pixels = vec![0; png.output_buffer_size().unwrap()];
        png.next_frame(&mut pixels).unwrap();
        assert!(off(&pictures[frame], &pixels) < 0.5, "{frame}: {}", off(&pictures[frame], &pixels));
    }
    // The step from the last frame to the first is like all others, and half a turn shows another side.
    let steps: Vec<f64> = (0..30).map(|k| off(&pictures[k], &pictures[(k + 1) % 30])).collect();
    let mean = steps.iter().sum::<f64>() / 30.0;
    assert!(steps.iter().all(|step| (0.6..1.6).contains(&(step / mean))), "{steps:?}");
    assert_ne!(pictures[0], pictures[15]);
    assert_eq!(turn.to_svg(30), turn.to_svg(0));
    assert_eq!(gif, figure.turn(30).unwrap().to_gif(2.0, |_| {}).unwrap());
}

#[cfg(feature = "png")]
#[test]
fn a_turn_goes_to_the_east_and_a_label_stays_beside_its_point() {
    let items = Items { ids: vec!["one".to_owned()], columns: Vec::new() };
    let positions = Array2::from_shape_vec((1, 3), vec![1.0, 0.0, 0.0]).unwrap();
    let turn = Figure::new(&items, Space::Sphere, positions.view()).turn(36).unwrap();
    let at = |frame: usize, mark: &str| -> Option<f64> {
        let svg = turn.to_svg(frame);
        let line = svg.lines().find(|line| line.starts_with(mark))?.to_owned();
        line.split('"').nth(1)?.parse().ok()
    };
    let path: Vec<(f64, f64)> = (0..6).map(|k| (at(k, "<circle").unwrap(), at(k, "<text").unwrap())).collect();
    assert!(path.windows(2).all(|pair| pair[0].0 < pair[1].0), "to the right: {path:?}");
    assert!(path.iter().all(|(point, label)| (label - point - (path[0].1 - path[0].0)).abs() < 0.2), "{path:?}");
    assert_eq!(at(18, "<circle"), None, "behind the globe");
}

#[cfg(feature = "gif")]
#[test]
fn turns_that_cannot_be_made_say_why() {
    let (items, positions) = spiral(5);
    let plane = Figure::new(&items, Space::Plane, positions.slice(ndarray::s![.., ..2]));
    assert!(matches!(plane.turn(10), Err(Error::NothingTurns)));
    let figure = Figure::new(&items, Space::Sphere, positions.view());
    assert!(matches!(figure.turn(1), Err(Error::BadFrames(1))));
    let turn = figure.turn(50).unwrap();
    for seconds in [0.9, f64::NAN, -1.0, 1e9] {
        let error = turn.to_gif(seconds, |_| {}).unwrap_err().to_string();
        assert!(error.contains("50 frames") && error.ends_with("1 to 600 seconds"), "{error}");
    }
    // In space a turn goes around, too, and nothing but a few pixels need not be a figure.
    let mut space = Figure::new(&items, Space::Volume, positions.view());
    space.width = 64;
    assert!(space.turn(2).unwrap().to_gif(0.1, |_| {}).unwrap().starts_with(b"GIF89a"));
}
