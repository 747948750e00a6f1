//! Row by row: the best λ and γ of one row while all others stay fixed.
//!
//! Newton's method uses one step length for all rows, and a single row whose exponentials are far off makes this length
//! tiny. A sweep finds a separate step length for every such row.

use super::problem::{Point, Problem, solve_row};

const MOST_STEPS: usize = 8;
const MOST_HALVINGS: usize = 30;

/// The contribution of one row to F, its two derivatives, and its second derivatives: λλ, λγ, γγ.
struct RowState {
    objective: f64,
    gradient: [f64; 2],
    hessian: [f64; 3],
}

impl Problem {
    /// One pass over all rows, in their order.
    pub(super) fn sweep(&self, point: &mut Point) {
        let mut others = Vec::new();
        for i in 0..self.len() {
            let pairs = self.starts[i]..self.starts[i + 1];
            let entries = self.indices[pairs.clone()].iter().zip(&self.costs[pairs]);
            others.clear();
            others.extend(entries.map(|(&j, cost)| [point[j as usize][0] - 2.0 * cost, point[j as usize][1]]));
            if !others.is_empty() {
                point[i] = self.fit_row(i, point[i], &others);
            }
        }
    }

    /// Newton's method in two variables. `others` are `λ_j − 2C_ij` and `γ_j` of all j.
    fn fit_row(&self, i: usize, start: [f64; 2], others: &[[f64; 2]]) -> [f64; 2] {
        let mut at = start;
        let mut state = self.evaluate_row(at, others);
        let size = |at, gradient: [f64; 2]| {
            gradient[0].abs().max(if self.at_bound(i, at, gradient) { 0.0 } else { gradient[1].abs() })
        };
        // The other rows will move too, so more than a few digits would be wasted.
        let enough = (1e-3 * size(at, state.gradient)).max(1e-10);
        for _ in 0..MOST_STEPS {
            if size(at, state.gradient) <= enough {
                break;
            }
            let by = solve_row(state.hessian, state.gradient.map(|g| -g), self.at_bound(i, at, state.gradient));
            let tried = (0..MOST_HALVINGS).map(|halvings| {
                let next = self.moved(i, at, by, 0.5_f64.powi(halvings as i32));
                (next, self.evaluate_row(next, others))
            });
            let Some(better) = { tried }.find(|(_, next)| next.objective < state.objective) else { break };
            (at, state) = better;
        }
        at
    }

    fn evaluate_row(&self, [lambda, gamma]: [f64; 2], others: &[[f64; 2]]) -> RowState {
        let asked = self.log_perplexity + 1.0;
        let (mut objective, mut gradient, mut hessian) = (-lambda - gamma * asked, [-1.0, -asked], [0.0; 3]);
        for &[level, other_gamma] in others {
            let width = gamma + other_gamma;
            let u = (lambda + level) / width;
            let p = u.exp();
            // A term that underflows contributes nothing, but 0 · ∞ would be NaN.
            if p > 0.0 {
                let w = p / width;
                objective += width * p;
                gradient[0] += p;
                gradient[1] += p * (1.0 - u);
                hessian[0] += w;
                hessian[1] -= w * u;
                hessian[2] += w * u * u;
            }
        }
        RowState { objective, gradient, hessian }
    }
}
