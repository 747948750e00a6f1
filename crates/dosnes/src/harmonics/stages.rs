//! The single stages of an evaluation, for benchmarks. Not part of the public interface.

use crate::harmonics::kernel::Kernel;
use crate::harmonics::near::{PairWorkspace, WantedPairs};
use crate::harmonics::order::SortedPoints;
use crate::harmonics::pairs::PairSum;
use crate::harmonics::split::Split;
use crate::harmonics::transform::{Field, RingTransform};
use crate::ranks::{Alone, Share};

/// The stages in one precision. (Not generic: the kernels are compiled once here, and not again in every benchmark.)
macro_rules! stages {
    ($(#[$doc:meta])* $name:ident, $real:ty) => {
        $(#[$doc])*
        pub struct $name {
            u: Vec<[f64; 3]>,
            rings: usize,
            sorted: SortedPoints,
            transform: RingTransform<$real>,
            pairs: PairWorkspace<$real>,
            field: Vec<Field>,
            sums: Vec<PairSum>,
            g: Vec<f64>,
            power: Vec<f64>,
        }

        impl $name {
            /// Makes a plan and sorts the points.
            pub fn new(u: Vec<[f64; 3]>, rings: usize, tolerance: f64) -> Self {
                let transform = RingTransform::new(rings, tolerance);
                let mut sorted = SortedPoints::default();
                sorted.sort(&u, rings);
                let n = u.len();
                let degree = transform.degree();
                Self {
                    u,
                    rings,
                    sorted,
                    transform,
                    pairs: PairWorkspace::default(),
                    field: vec![Field::default(); n],
                    sums: vec![PairSum::default(); n],
                    g: (0..=degree).map(|l| 1.0 / (1.0 + l as f64)).collect(),
                    power: vec![0.0; degree + 1],
                }
            }

            /// Highest degree.
            pub fn degree(&self) -> usize {
                self.transform.degree()
            }

            /// Multiply-adds of the Legendre sums in both directions.
            pub fn multiply_adds(&self) -> f64 {
                2.0 * self.transform.table().multiply_adds()
            }

            /// Sorts the points.
            pub fn sort(&mut self) {
                self.sorted.sort(&self.u, self.rings);
            }

            /// From points to the grid.
            pub fn spread(&mut self) {
                let rows = self.transform.row_share(&Alone, &self.sorted);
                self.transform.spread(&self.sorted, rows.own());
            }

            /// From rings to the spectrum.
            pub fn rings_forward(&mut self) {
                let rows = self.transform.row_share(&Alone, &self.sorted);
                self.transform.rows_to_spectrum(&rows);
            }

            /// Legendre sums in both directions.
            pub fn legendre(&mut self) {
                self.transform.multiply(&Alone, &self.g, &mut self.power);
            }

            /// From the spectrum to rings.
            pub fn rings_backward(&mut self) {
                self.transform.columns_to_rows(&self.sorted, 0..self.u.len());
            }

            /// From the grid to points.
            pub fn interpolate(&mut self) {
                self.transform.interpolate(&self.sorted, 0, &mut self.field, |_, field, out| *out = *field);
            }

            /// Near pairs of the split at this number of rings; returns their number.
            pub fn near(&mut self, r: f64, window: f64, tolerance: f64) -> u64 {
                let split = Split::at_band(r, window, self.degree() as f64);
                let all = Share::alone(self.u.len());
                let wanted = WantedPairs { r, split: Some(&split), kernel: Kernel::Cauchy, tolerance };
                self.pairs.sum(&self.sorted, &all, &wanted, &mut self.sums).pairs
            }

            /// All pairs.
            pub fn all_pairs(&mut self, r: f64) -> u64 {
                let all = Share::alone(self.u.len());
                let wanted = WantedPairs { r, split: None, kernel: Kernel::Cauchy, tolerance: 1e-3 };
                self.pairs.sum(&self.sorted, &all, &wanted, &mut self.sums).pairs
            }
        }
    };
}

stages!(
    /// All stages for one layout and one number of rings, in single precision.
    SingleStages,
    f32
);
stages!(
    /// All stages for one layout and one number of rings, in double precision.
    DoubleStages,
    f64
);
