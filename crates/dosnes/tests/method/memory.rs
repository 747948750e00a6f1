//! The stages that reuse the memory of their input give the same results as those that do not.

use dosnes::{
    Data, Dosnes, SimilarityOptions, Stored, embed, embed_in_place, ndarray::Array2, normalize, normalize_owned,
    observe::Silent, similarities,
};

/// Enough points for similarities in single precision: noisy rings of different sizes.
fn rings() -> Data<'static> {
    let noise = |i: usize| ((i * 7919 % 1009) as f32 / 1009.0 - 0.5) * 0.2;
    Data::from(Array2::from_shape_fn((12_000, 3), |(i, axis)| {
        let (ring, angle) = (i % 7, i as f32 * 0.37);
        let place = [angle.cos(), angle.sin(), ring as f32][axis];
        place * (1.0 + ring as f32 * 0.1) + noise(3 * i + axis)
    }))
}

#[test]
fn in_place_and_in_copies_the_map_and_the_similarities_are_the_same() {
    let data = rings();
    let options = Dosnes::sphere().max_iterations(12);
    let similar = similarities(&data, &SimilarityOptions::default(), &mut Silent).unwrap();
    let copied = normalize(&similar.similarity, options.normalize_options(), &mut Silent).unwrap();
    assert!(matches!(copied.matrix().stored_values(), Stored::Single(_)));
    // More than a million neighbours, so that the work is done in parts.
    assert!(similar.similarity.stored().nnz() > 1 << 20);
    let mut owned = normalize_owned(similar.into_owned().similarity, options.normalize_options(), &mut Silent).unwrap();
    assert_eq!(owned, copied);
    let expected = embed(&copied, options.embed_options(), &mut Silent).unwrap();
    let map = embed_in_place(&mut owned, options.embed_options(), &mut Silent).unwrap();
    assert_eq!(map, expected);
    assert_eq!(owned, copied, "the similarities are put back in their order");
}
