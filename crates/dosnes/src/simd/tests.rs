//! Every operation of every kind of vector against the standard library. Small enough for Miri (`cargo xtask miri`),
//! which also runs the AVX2 vectors and checks every load and store.

use super::*;

/// The results of all vector operations on an array of arguments.
#[derive(Clone, Copy)]
struct Operations<'a, T> {
    x: &'a [T],
    a: &'a [T],
    b: &'a [T],
}

/// Results by operation.
#[derive(Debug, Clone, Default)]
struct Results<T> {
    lanewise: [Vec<T>; 8],
    total: f64,
}

impl<T: Real> Work for Operations<'_, T> {
    type Output = Results<T>;

    #[inline(always)]
    fn run<S: Instructions>(self, simd: S) -> Results<T> {
        operations::<T, T::Vector<S>>(simd, self)
    }
}

#[inline(always)]
fn operations<T: Real, V: Lanes<T>>(simd: V::Proof, work: Operations<'_, T>) -> Results<T> {
    let Operations { x, a, b } = work;
    let [x, a, b] = [x, a, b].map(|values| V::load(simd, values));
    let negative = V::splat(simd, T::default()).sub(x.mul(x));
    let lanewise = [
        x.add(a),
        x.sub(a),
        x.mul(a),
        x.mul_add(a, b),
        x.recip(),
        x.max(a),
        x.where_positive(a),
        negative.exp_nonpositive(),
    ]
    .map(|vector| {
        // One element more than there are lanes: it must not change.
        let mut lanes = vec![T::of(7.0); T::LANES + 1];
        vector.store(&mut lanes);
        assert!(lanes.pop() == Some(T::of(7.0)));
        lanes
    });
    Results { lanewise, total: x.total().f64() }
}

fn check<T: Real>(values: &[[f64; 3]]) {
    let column = |k: usize| -> Vec<T> { values.iter().map(|row| T::of(row[k])).collect() };
    let [x, a, b] = [0, 1, 2].map(column);
    let work = Operations { x: &x, a: &a, b: &b };
    for found in Choice::both(|choice| choice.run(work)) {
        for lane in 0..T::LANES {
            let [x, a, b] = [x[lane], a[lane], b[lane]].map(Real::f64);
            // The argument of the exponential is rounded first, as the vectors do.
            let square = T::of(x * x).f64();
            let expected =
                [x + a, x - a, x * a, x * a + b, 1.0 / x, x.max(a), if a > 0.0 { x } else { 0.0 }, (-square).exp()];
            let size = [x.abs() + a.abs(), x.abs() + a.abs(), (x * a).abs(), (x * a).abs() + b.abs()];
            for (operation, expected) in expected.into_iter().enumerate() {
                let value = found.lanewise[operation][lane].f64();
                // Two roundings, of terms that may cancel; three units for 1/x and eight for the exponential, which is zero
                // from where single precision ends.
                let bound = match operation {
                    0..4 => size[operation],
                    4 => 3.0 * expected.abs(),
                    5 | 6 => 0.0,
                    _ => 8.0 * (1.0 + square) * expected,
                };
                let vanishing = if operation == 7 { f64::from(f32::MIN_POSITIVE) * 2.0 } else { 0.0 };
                assert!(
                    (value - expected).abs() <= bound * T::EPSILON + vanishing,
                    "operation {operation} of {x}, {a}, {b}: {value}, not {expected}"
                );
            }
        }
        let total: f64 = x.iter().map(|x| x.f64()).sum();
        let size: f64 = x.iter().map(|x| x.f64().abs()).sum();
        assert!((found.total - total).abs() <= 4.0 * T::EPSILON * size, "{} {total}", found.total);
    }
}

/// Numbers of all sizes and signs, the same in every run.
fn values(round: usize) -> Vec<[f64; 3]> {
    let value = |i: usize| {
        let angle = 1.7 * (24 * round + i) as f64 + 0.3;
        angle.sin() * 10_f64.powf(2.0 * (0.37 * angle).cos())
    };
    (0..8).map(|lane| [value(3 * lane), value(3 * lane + 1), value(3 * lane + 2)]).collect()
}

#[test]
fn every_operation_is_that_of_the_standard_library_with_any_instructions() {
    for round in 0..if cfg!(miri) { 2 } else { 500 } {
        check::<f32>(&values(round));
        check::<f64>(&values(round)[..4]);
    }
}

/// `load_offset` in both precisions.
struct Offsets<'a>(&'a [f64]);

impl Work for Offsets<'_> {
    type Output = ([f32; 8], [f64; 4]);

    #[inline(always)]
    fn run<S: Instructions>(self, simd: S) -> Self::Output {
        let (mut single, mut double) = ([0.0; 8], [0.0; 4]);
        S::Single::load_offset(simd, self.0, 3.1, 0.7).store(&mut single);
        S::Double::load_offset(simd, self.0, 3.1, 0.7).store(&mut double);
        (single, double)
    }
}

#[test]
fn offsets_are_taken_in_double_precision_with_any_instructions() {
    let x: [f64; 8] = std::array::from_fn(|i| (i as f64 + 0.1).sqrt());
    let expected = x.map(|x| 3.1 * x - 0.7);
    for (single, double) in Choice::both(|choice| choice.run(Offsets(&x))) {
        assert_eq!(single, expected.map(|x| x as f32));
        assert_eq!(double, expected[..4]);
    }
}

/// Logarithms, and points gathered by their indices.
struct Gathered<'a> {
    x: [f32; 8],
    points: &'a [[f32; 4]],
    indices: [u32; 8],
}

impl Work for Gathered<'_> {
    type Output = ([f32; 8], [[f32; 8]; 3]);

    #[inline(always)]
    fn run<S: Instructions>(self, simd: S) -> Self::Output {
        let mut logarithms = [0.0; 8];
        S::Single::load(simd, &self.x).ln_from_one().store(&mut logarithms);
        let axes = S::Single::gather(simd, self.points, &self.indices).map(|axis| {
            let mut lanes = [0.0; 8];
            axis.store(&mut lanes);
            lanes
        });
        (logarithms, axes)
    }
}

#[test]
fn logarithms_and_gathered_points_are_correct_with_any_instructions() {
    let points: Vec<[f32; 4]> = (0..20).map(|i| std::array::from_fn(|k| (10 * i + k) as f32)).collect();
    let indices = [3, 19, 0, 7, 7, 2, 11, 5];
    let mut x = 1.0_f32;
    while x < 1e9 {
        let lanes: [f32; 8] = std::array::from_fn(|lane| x * (1.0 + lane as f32 * 0.013));
        let work = || Gathered { x: lanes, points: &points, indices };
        for (logarithms, axes) in Choice::both(|choice| choice.run(work())) {
            for (fast, x) in logarithms.into_iter().zip(lanes) {
                let slow = f64::from(x).ln();
                assert!((f64::from(fast) - slow).abs() <= 2e-7 * slow.max(1.0), "{x}: {fast} {slow}");
            }
            for (k, axis) in axes.into_iter().enumerate() {
                assert_eq!(axis, indices.map(|i| (10 * i as usize + k) as f32));
            }
        }
        x *= if cfg!(miri) { 1e4 } else { 1.09 };
    }
}

#[test]
#[should_panic(expected = "out of bounds")]
fn an_index_beyond_the_points_is_not_read() {
    let points = [[0.0; 4]; 3];
    run(Gathered { x: [1.0; 8], points: &points, indices: [0, 1, 2, 0, 1, 2, 0, 3] });
}

/// A store into a slice that may be too short.
struct TooShort<'a>(&'a mut [f32]);

impl Work for TooShort<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Instructions>(self, simd: S) {
        S::Single::splat(simd, 1.0).store(self.0);
    }
}

#[test]
#[should_panic(expected = "out of range")]
fn a_vector_is_not_stored_into_a_slice_that_is_too_short() {
    run(TooShort(&mut [0.0; 7]));
}

#[test]
#[should_panic(expected = "out of range")]
fn a_vector_is_not_loaded_from_a_slice_that_is_too_short() {
    run(Offsets(&[0.0; 7]));
}
