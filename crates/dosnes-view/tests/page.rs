//! Contents of a page, and errors.

use dosnes::CsrMatrix;
use dosnes::input::{Column, Items, Values};
use dosnes_view::{Error, MeasureRow, Measures, Page, Snapshot, Space, Sprites, View};
use ndarray::{Array2, array};

fn items() -> Items {
    let text = |texts: [&str; 3]| Values::Text(texts.map(str::to_owned).to_vec());
    Items {
        ids: ["a", "</script><b>", "c"].map(str::to_owned).to_vec(),
        columns: vec![
            Column { name: "<class>".to_owned(), values: text(["x", "x", "<!--"]) },
            Column { name: "number".to_owned(), values: Values::Number(vec![1.0, f64::NAN, 0.1]) },
        ],
    }
}

fn corners() -> Array2<f64> {
    array![[1.0, 0.0, 0.0], [0.0, -3.0, 0.0], [0.0, 0.0, 1e-9]]
}

#[test]
fn nothing_of_the_data_becomes_markup() {
    let (items, positions) = (items(), corners());
    let mut page = Page::new("<script>alert(1)</script>", &items);
    (page.subtitle, page.source) = ("<script>alert(2)</script>", "</script><script>alert(3)</script>");
    page.views.push(View::new("</script>", Space::Sphere, positions.view()));
    let html = String::from_utf8(page.to_html().unwrap()).unwrap();
    let blocks = html.matches("<script type=\"application/octet-stream\"").count();
    // Only the header, the blocks and the code of the page: no other element.
    assert_eq!(html.matches("<script").count(), blocks + 2);
    assert_eq!(html.matches("</script>").count(), blocks + 2);
    assert!(html.contains("<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>"));
    assert!(!html.contains("<!--dosnes"));
}

#[test]
fn the_same_page_is_the_same_bytes() {
    let (items, positions) = (items(), corners());
    let similarity = CsrMatrix::from_triplets((3, 3), &[(0, 1, 1.0), (1, 0, 1.0), (1, 2, 0.5), (2, 1, 0.5)]).unwrap();
    let make = || {
        let mut page = Page::new("t", &items);
        page.similarity = Some(&similarity);
        let mut view = View::new("v", Space::Sphere, positions.view());
        view.snapshots.push(Snapshot { step: 1, positions: positions.view() });
        page.views.push(view);
        page.to_html().unwrap()
    };
    assert_eq!(make(), make());
}

#[test]
fn measures_have_a_value_for_each_map_and_travel_as_text() {
    let (items, positions) = (items(), corners());
    let mut page = Page::new("t", &items);
    page.views.push(View::new("v", Space::Sphere, positions.view()));
    let row = |cells: &[&str]| MeasureRow {
        name: "</script>recall".to_owned(),
        cells: cells.iter().map(|&cell| cell.to_owned()).collect(),
        best: Some(0),
    };
    page.measures = Some(Measures { columns: vec!["v".to_owned()], sentences: Vec::new(), rows: vec![row(&["0.5"])] });
    let html = String::from_utf8(page.to_html().unwrap()).unwrap();
    assert!(
        html.contains(
            r#""measures":{"columns":["v"],"sentences":[],"rows":[{"name":"\u003c/script>recall","cells":["0.5"],"best":0}]}"#
        )
    );
    page.measures =
        Some(Measures { columns: vec!["v".to_owned()], sentences: Vec::new(), rows: vec![row(&["0.5", "0.6"])] });
    assert!(matches!(page.to_html(), Err(Error::BadMeasure { expected: 1, found: 2, .. })));
}

#[test]
fn a_page_of_no_items_can_be_made() {
    let items = Items::default();
    let positions = Array2::zeros((0, 2));
    let mut page = Page::new("empty", &items);
    page.views.push(View::new("v", Space::Plane, positions.view()));
    assert!(page.to_html().is_ok());
}

#[test]
fn a_million_points_without_texts_take_at_most_fifteen_megabytes() {
    // A tenth of that number here; positions hardly compress, so the size is linear.
    let n = 100_000;
    let items = Items::numbered(n);
    let positions = Array2::from_shape_fn((n, 3), |(i, k)| ((i * 3 + k) as f64 * 12.9898).sin());
    let degree: Vec<f64> = (0..n).map(|i| (i % 97) as f64).collect();
    let trust = vec![0.5_f32; n];
    let mut page = Page::new("many", &items);
    page.degree = Some(&degree);
    let mut view = View::new("v", Space::Sphere, positions.view());
    view.trust = Some(&trust);
    page.views.push(view);
    assert!(page.to_html().unwrap().len() < 1_500_000);
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let (items, positions) = (items(), corners());
    let page = Page::new("t", &items);
    assert!(matches!(page.to_html(), Err(Error::NoView)));

    let mut page = Page::new("t", &items);
    page.views.push(View::new("v", Space::Plane, positions.view()));
    assert_eq!(page.to_html().unwrap_err().to_string(), "view \"v\": points have 3 coordinates, but the plane needs 2");

    let short = Array2::zeros((2, 3));
    let mut page = Page::new("t", &items);
    page.views.push(View::new("v", Space::Volume, short.view()));
    assert!(matches!(page.to_html(), Err(Error::WrongLength { expected: 3, found: 2, .. })));

    let mut broken = corners();
    broken.row_mut(2).fill(0.0);
    let mut page = Page::new("t", &items);
    page.views.push(View::new("v", Space::Sphere, broken.view()));
    let error = page.to_html().unwrap_err();
    assert!(matches!(error, Error::AtCentre { item: 2, .. }), "{error:?}");
    assert!(
        error.to_string().starts_with("view \"v\", item 2 (\"c\"): the point is at the centre of the sphere"),
        "{error}"
    );

    let mut page = Page::new("t", &items);
    page.views.push(View::new("v", Space::Sphere, positions.view()));
    page.color = Some("clas");
    let message = page.to_html().unwrap_err().to_string();
    assert_eq!(message, "there is no column \"clas\"; the columns are: <class>, number");
    page.color = Some("degree");
    assert!(matches!(page.to_html(), Err(Error::UnknownColumn { .. })), "there are no degrees");
    page.degree = Some(&[1.0, 2.0, 3.0]);
    assert!(page.to_html().is_ok());
    page.sprites = Some(Sprites { width: usize::MAX, height: 2, channels: 1, pixels: &[0; 24] });
    assert!(matches!(page.to_html(), Err(Error::BadSprites { .. })));
    page.sprites = Some(Sprites { width: 2, height: 2, channels: 2, pixels: &[0; 24] });
    assert!(matches!(page.to_html(), Err(Error::BadSprites { .. })));
}
