//! Newton's method with conjugate gradients.

use super::problem::{Point, Problem, State, solve_row, sum_over_rows};

const MOST_CONJUGATE_STEPS: usize = 200;

impl Problem {
    /// The Newton direction −H⁻¹∇F, by conjugate gradients with the 2 × 2 diagonal blocks of the rows as
    /// preconditioner.
    pub(super) fn newton_direction(&self, point: &Point, state: &State) -> Point {
        let n = self.len();
        let bound = self.bound(point, state);
        let weights = self.curvatures(point, state);
        let terms = |i: usize| {
            let pairs = self.starts[i]..self.starts[i + 1];
            let entries = self.indices[pairs.clone()].iter().zip(&weights[pairs]);
            entries.map(|(&j, &[w, u])| (j as usize, f64::from(w), f64::from(u)))
        };
        let mut blocks = vec![[0.0; 3]; n];
        sum_over_rows(&mut blocks, |i, block| {
            for (_, w, u) in terms(i) {
                block[0] += w;
                block[1] -= w * u;
                block[2] += w * u * u;
            }
            0.0
        });
        let precondition = |residual: &Point, out: &mut Point| {
            sum_over_rows(out, |i, out| {
                let r = residual[i];
                *out = solve_row(blocks[i], r, bound[i]);
                out[0] * r[0] + out[1] * r[1]
            })
        };
        let multiply = |x: &Point, out: &mut Point| {
            sum_over_rows(out, |i, out| {
                *out = [0.0; 2];
                for (j, w, u) in terms(i) {
                    let t = w * ((x[i][0] + x[j][0]) - u * (x[i][1] + x[j][1]));
                    out[0] += t;
                    out[1] -= u * t;
                }
                if bound[i] {
                    out[1] = 0.0;
                }
                out[0] * x[i][0] + out[1] * x[i][1]
            })
        };

        let mut solution = vec![[0.0; 2]; n];
        let masked = |i: usize| [-state.gradient[i][0], if bound[i] { 0.0 } else { -state.gradient[i][1] }];
        let mut residual: Point = (0..n).map(masked).collect();
        let mut preconditioned = vec![[0.0; 2]; n];
        let mut product = vec![[0.0; 2]; n];
        let mut along = precondition(&residual, &mut preconditioned);
        let mut search = preconditioned.clone();
        // The closer to the solution, the more a precise direction is worth.
        let size = residual.iter().flatten().fold(0.0_f64, |m, r| m.max(r.abs()));
        let enough = along * (0.01 * size).min(0.01);
        for _ in 0..MOST_CONJUGATE_STEPS {
            if along <= enough || along <= 0.0 {
                break;
            }
            let curvature = multiply(&search, &mut product);
            // The preconditioner approximates H, so the two should be of the same size. Where F is flat, any descent
            // direction will do: the line search finds the length.
            if curvature <= 1e-12 * along {
                if solution.iter().all(|s| *s == [0.0; 2]) {
                    return search;
                }
                break;
            }
            let length = along / curvature;
            for i in 0..n {
                for c in 0..2 {
                    solution[i][c] += length * search[i][c];
                    residual[i][c] -= length * product[i][c];
                }
            }
            let next = precondition(&residual, &mut preconditioned);
            let ratio = next / along;
            along = next;
            for i in 0..n {
                for c in 0..2 {
                    search[i][c] = preconditioned[i][c] + ratio * search[i][c];
                }
            }
        }
        solution
    }

    /// Each pair adds w (1, −u)(1, −u)ᵀ with w = P/(γ_i+γ_j) and u = ln P to the Hessian, acting on (λ_i+λ_j, γ_i+γ_j).
    /// Returns w and u of each pair; single precision is enough for a direction.
    fn curvatures(&self, point: &Point, state: &State) -> Vec<[f32; 2]> {
        let mut weights = vec![[0.0; 2]; self.costs.len()];
        let mut rows = self.split_rows(&mut weights);
        sum_over_rows(&mut rows, |i, row| {
            let pairs = self.starts[i]..self.starts[i + 1];
            let [lambda, gamma] = point[i];
            let entries = self.indices[pairs.clone()].iter().zip(&self.costs[pairs.clone()]).zip(&state.p[pairs]);
            for (weight, ((&j, cost), &p)) in row.iter_mut().zip(entries) {
                let [other_lambda, other_gamma] = point[j as usize];
                let width = gamma + other_gamma;
                if p > 0.0 {
                    *weight = [(p / width) as f32, ((lambda + other_lambda - 2.0 * cost) / width) as f32];
                }
            }
            0.0
        });
        drop(rows);
        weights
    }

    /// The first of the full step, half of it, a quarter… that lowers F enough, and its length. `None` if no step
    /// helps.
    pub(super) fn step(&self, point: &Point, state: &State, direction: &Point) -> Option<(Point, State, f64)> {
        // F is a difference of larger sums, which determine its rounding error.
        let size: f64 = point.iter().map(|[lambda, gamma]| lambda.abs() + gamma * (self.log_perplexity + 1.0)).sum();
        let mut length = 1.0;
        for _ in 0..40 {
            let next: Point = (0..self.len()).map(|i| self.moved(i, point[i], direction[i], length)).collect();
            let gain: f64 = (0..self.len())
                .map(|i| (0..2).map(|c| state.gradient[i][c] * (next[i][c] - point[i][c])).sum::<f64>())
                .sum();
            let next_state = self.evaluate(&next);
            let change = next_state.objective - state.objective;
            // Close to the solution the decrease is below the rounding error of the objective, but not of the gradient.
            let resolved = gain.abs() > 1e-11 * size;
            let good = if resolved {
                change <= 1e-4 * gain
            } else {
                self.squared_gradient(&next, &next_state) < self.squared_gradient(point, state)
            };
            if good && next_state.objective.is_finite() {
                return Some((next, next_state, length));
            }
            length *= 0.5;
        }
        None
    }

    /// The sum of the squares of all derivatives that can still be lowered.
    fn squared_gradient(&self, point: &Point, state: &State) -> f64 {
        let bound = self.bound(point, state);
        let square = |(g, bound): (&[f64; 2], bool)| g[0] * g[0] + if bound { 0.0 } else { g[1] * g[1] };
        state.gradient.iter().zip(bound).map(square).sum()
    }
}
