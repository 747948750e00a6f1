//! The attractive half of the gradient: sums over the stored similarities.

mod double;
mod single;

use crate::{
    kernel::Kernel,
    parallel::{CHUNK, sum_over},
    ranks::{Plain, Share, to_bytes},
    sparse::{CsrMatrix, Stored},
};

/// Rows per task.
const ROWS: usize = CHUNK / 8;

/// The similarities in the form that an optimizer needs: P with Σ_ij p_ij = 1.
pub struct Attraction<'a> {
    pairs: Pairs<'a>,
    /// Σ p log p.
    negative_entropy: f64,
}

enum Pairs<'a> {
    Double(double::Pairs),
    Single(single::Pairs<'a>),
}

/// The precision in which the sums of a row are computed. The sums over all rows are always added in double precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// For few points. It is also the reference for single precision, and is itself tested against a plain loop.
    Double,
    /// As fast as memory allows. Rounding changes a force by a relative 1e-6, far less than the tolerance of fast
    /// repulsion.
    Single,
}

/// Sums over the stored pairs. `energy` is Σ p (−log q); the others are its derivatives with respect to the logarithm
/// of the map's scale.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs, reason = "said above")]
pub struct Pull {
    pub energy: f64,
    pub slope: f64,
    pub curvature: f64,
}

impl Plain for Pull {
    const BYTES: usize = 24;

    fn put(self, bytes: &mut [u8]) {
        [self.energy, self.slope, self.curvature].put(bytes);
    }

    fn get(bytes: &[u8]) -> Self {
        let [energy, slope, curvature] = Plain::get(bytes);
        Self { energy, slope, curvature }
    }
}

impl std::ops::Add for Pull {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            energy: self.energy + other.energy,
            slope: self.slope + other.slope,
            curvature: self.curvature + other.curvature,
        }
    }
}

impl<'a> Attraction<'a> {
    /// `p` divided by its sum, prepared for `kernel`.
    pub fn new(p: &'a CsrMatrix<'_>, kernel: Kernel, precision: Precision) -> Self {
        let (total, negative_entropy) = total_and_negative_entropy(p);
        let pairs = match precision {
            Precision::Double => Pairs::Double(double::Pairs::new(p, total, kernel)),
            Precision::Single => Pairs::Single(single::Pairs::new(p, total, kernel, None)),
        };
        Self { pairs, negative_entropy }
    }

    /// The same in single precision, with the points in another order: `order[new]` is the old index.
    pub fn reordered(p: &'a CsrMatrix<'_>, kernel: Kernel, order: &'a [u32]) -> Self {
        let (total, negative_entropy) = total_and_negative_entropy(p);
        let pairs = Pairs::Single(single::Pairs::new(p, total, kernel, Some(order)));
        Self { pairs, negative_entropy }
    }

    /// The same in the memory of `p`, if it has single precision; otherwise `p` is returned as it is.
    pub(super) fn in_place(
        p: CsrMatrix<'static>,
        kernel: Kernel,
        order: &'a [u32],
    ) -> Result<Self, CsrMatrix<'static>> {
        if matches!(p.stored_values(), Stored::Double(_)) {
            return Err(p);
        }
        let (total, negative_entropy) = total_and_negative_entropy(&p);
        let shape = p.shape();
        match p.into_stored_parts() {
            (row_starts, indices, Stored::Single(values)) => {
                let parts = (row_starts, indices, values.into_owned());
                let pairs = Pairs::Single(single::Pairs::in_place(parts, total, kernel, order));
                Ok(Self { pairs, negative_entropy })
            }
            (row_starts, indices, values) => Err(CsrMatrix::well_formed(shape, row_starts, indices, values)),
        }
    }

    /// Sends the other ranks of `rows` theirs. This one has all rows, and keeps them. Only for single precision.
    pub(super) fn send(&self, rows: &Share<'_>) {
        let Pairs::Single(pairs) = &self.pairs else { return };
        let communicator = rows.communicator();
        for rank in 1..communicator.size() {
            communicator.send(rank, &to_bytes(&[pairs.factor(), self.negative_entropy]));
            for part in pairs.to_bytes(rows.of(rank)) {
                communicator.send(rank, &part);
            }
        }
    }

    /// The rows of this rank, as the first rank sends them.
    pub(super) fn receive(rows: &Share<'_>, n: usize, kernel: Kernel) -> Self {
        let receive = || rows.communicator().receive(0);
        let [factor, negative_entropy] = <[f64; 2]>::get(&receive());
        let bytes = [receive(), receive(), receive()];
        let pairs = Pairs::Single(single::Pairs::from_bytes(&bytes, rows.own().start, n, factor, kernel));
        Self { pairs, negative_entropy }
    }

    /// The matrix in whose memory this was made, if it was.
    pub(super) fn into_matrix(self) -> Option<CsrMatrix<'static>> {
        match self.pairs {
            Pairs::Single(pairs) => pairs.into_matrix(),
            Pairs::Double(_) => None,
        }
    }

    /// KL(P‖Q) = Σ p log p + Σ p (−log q) + log Z.
    pub fn kl(&self, energy: f64, z: f64) -> f64 {
        self.negative_entropy + energy + z.ln()
    }

    /// For y = `scale` · `points`: sets `forces[i]` to Σ_j w_ij (y_i − y_j) and `weights[i]` to Σ_j w_ij, with w = p q
    /// (Cauchy) or p (Gaussian).
    pub fn evaluate<const D: usize>(
        &mut self,
        points: &[[f64; D]],
        scale: f64,
        forces: &mut [[f64; D]],
        weights: &mut [f64],
    ) -> Pull {
        forces.fill([0.0; D]);
        self.add_rows(points, scale, 1.0, forces, weights).into_iter().fold(Pull::default(), std::ops::Add::add)
    }

    /// The same for the rows of this rank only, the first of `forces.len()` rows, whose forces are multiplied by `factor` and added to
    /// those that are there: the sums of each [`ROWS`] of them, which are to be added in their order.
    pub(super) fn add_rows<const D: usize>(
        &mut self,
        points: &[[f64; D]],
        scale: f64,
        factor: f64,
        forces: &mut [[f64; D]],
        weights: &mut [f64],
    ) -> Vec<Pull> {
        match &mut self.pairs {
            Pairs::Double(pairs) => pairs.add(points, scale, factor, forces, weights),
            Pairs::Single(pairs) => pairs.add(points, scale, factor, forces, weights),
        }
    }
}

/// Σ s, and Σ p log p for p = s / Σ s.
fn total_and_negative_entropy(s: &CsrMatrix) -> (f64, f64) {
    let values = s.stored_values();
    let total = sum_over(values.len(), |k| values.get(k));
    let negative_entropy = sum_over(values.len(), |k| {
        let p = values.get(k) / total;
        if p > 0.0 { p * p.ln() } else { 0.0 }
    });
    (total, negative_entropy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Rows of many lengths, from empty ones to hubs, with weights over six orders of magnitude.
    fn random_similarities(n: usize, seed: u64) -> CsrMatrix<'static> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut triplets = Vec::new();
        for i in 1..n as u32 {
            for _ in 0..rng.random_range(0..6) {
                let j = if rng.random_bool(0.3) { 0 } else { rng.random_range(0..n as u32) };
                let weight = 10_f64.powf(rng.random_range(-6.0..0.0));
                if i != j {
                    triplets.extend([(i, j, weight), (j, i, weight)]);
                }
            }
        }
        triplets.extend([(0, 1, 1.0), (1, 0, 1.0)]);
        CsrMatrix::from_triplets((n, n), &triplets).unwrap()
    }

    fn check<const D: usize>(n: usize, seed: u64, scale: f64, kernel: Kernel) {
        let p = random_similarities(n, seed);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ 3);
        let points: Vec<[f64; D]> = (0..n).map(|_| std::array::from_fn(|_| rng.random_range(-1.0..1.0))).collect();
        let run = |precision| {
            let (mut forces, mut weights) = (vec![[0.0; D]; n], vec![0.0; n]);
            let pull = Attraction::new(&p, kernel, precision).evaluate(&points, scale, &mut forces, &mut weights);
            (forces, weights, pull)
        };
        let (forces, weights, pull) = run(Precision::Double);
        let (fast_forces, fast_weights, fast_pull) = run(Precision::Single);
        // Coordinates of size `scale` are rounded to 2⁻²⁴: a difference d has an error of δ = 2⁻²³ scale, and a force w
        // d one of at most w δ (1 + 2 d²/(1 + d²)). The rest is rounding of sums of at most n terms.
        let delta = 2e-7 * scale;
        for i in 0..n {
            let bound = weights[i] * (4.0 * delta + 1e-6 * n as f64 * scale.min(1.0 + scale * 1e-3)) + 1e-30;
            for k in 0..D {
                assert!((fast_forces[i][k] - forces[i][k]).abs() <= bound, "{:?} {:?}", fast_forces[i], forces[i]);
            }
            assert!((fast_weights[i] - weights[i]).abs() <= weights[i] * (4.0 * delta + 1e-5), "{i}");
        }
        let near = |fast: f64, slow: f64| (fast - slow).abs() <= 1e-5 * slow.abs() + 1e-6;
        assert!(near(fast_pull.energy, pull.energy), "{fast_pull:?} {pull:?}");
        assert!(near(fast_pull.slope, pull.slope), "{fast_pull:?} {pull:?}");
        assert!(near(fast_pull.curvature, pull.curvature), "{fast_pull:?} {pull:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn single_precision_agrees_with_double(n in 2_usize..60, seed: u64, log_scale in -3.0_f64..3.0) {
            let scale = 10_f64.powf(log_scale);
            for kernel in [Kernel::Cauchy, Kernel::Gaussian] {
                check::<2>(n, seed, scale, kernel);
                check::<3>(n, seed, scale, kernel);
            }
        }
    }

    #[test]
    fn another_order_of_the_points_gives_the_same_forces_in_that_order() {
        let n = 50;
        let p = random_similarities(n, 9);
        let points: Vec<[f64; 3]> = (0..n).map(|i| std::array::from_fn(|k| ((i * (k + 3)) as f64).sin())).collect();
        let order: Vec<u32> = (0..n as u32).map(|i| (i * 7 + 3) % n as u32).collect();
        let run = |mut attraction: Attraction<'_>, points: &[[f64; 3]]| {
            let (mut forces, mut weights) = (vec![[0.0; 3]; n], vec![0.0; n]);
            let pull = attraction.evaluate(points, 2.0, &mut forces, &mut weights);
            (forces, weights, attraction.kl(pull.energy, 1.0))
        };
        let (forces, weights, kl) = run(Attraction::new(&p, Kernel::Cauchy, Precision::Single), &points);
        let moved: Vec<[f64; 3]> = order.iter().map(|&i| points[i as usize]).collect();
        let (new_forces, new_weights, new_kl) = run(Attraction::reordered(&p, Kernel::Cauchy, &order), &moved);
        for (new, &old) in order.iter().enumerate() {
            assert_eq!(new_forces[new], forces[old as usize]);
            assert_eq!(new_weights[new].to_bits(), weights[old as usize].to_bits());
        }
        assert!((new_kl - kl).abs() < 1e-9);
    }

    #[test]
    fn single_precision_gives_the_same_bytes_on_any_number_of_threads() {
        let n = 1500;
        let p = random_similarities(n, 5);
        let points: Vec<[f64; 3]> = (0..n).map(|i| std::array::from_fn(|k| ((i * (k + 7)) as f64).sin())).collect();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (mut forces, mut weights) = (vec![[0.0; 3]; n], vec![0.0; n]);
            let mut attraction = Attraction::new(&p, Kernel::Cauchy, Precision::Single);
            let pull = pool.install(|| attraction.evaluate(&points, 3.0, &mut forces, &mut weights));
            (forces, weights, pull)
        };
        let one = run(1);
        assert_eq!(one, run(2));
        assert_eq!(one, run(7));
    }
}
