//! Recording intermediate states of the optimisation.

use super::{Positions, Step};
use ndarray::Array2;

/// Default number of states.
const USUAL: usize = 80;
/// Limit on the positions of all states together, if no number of states is requested.
const MOST_POSITIONS: usize = 4_000_000;
/// At least this many states are kept, however many points there are.
const LEAST: usize = 8;
/// At first, a state is kept when the points have moved by this share of the map's size.
const FIRST_MOVE: f64 = 0.001;

/// A state of the map.
#[derive(Debug)]
pub struct State {
    /// Number of the iteration.
    pub step: usize,
    /// The positions of the points.
    pub positions: Array2<f64>,
}

/// Keeps states that differ by about equal amounts from one to the next. How far the points will move is not known in
/// advance: states are kept at a small distance first, and whenever there are too many, every other one is removed and
/// the distance doubles.
#[derive(Debug)]
pub struct Recorder {
    asked: Option<usize>,
    distance: f64,
    states: Vec<State>,
}

impl Recorder {
    /// Keeps at most `asked` states. `None`: 80, or fewer if there are more than 50,000 points.
    pub fn new(asked: Option<usize>) -> Self {
        Self { asked, distance: FIRST_MOVE, states: Vec::new() }
    }

    /// Records an iteration, if the points have moved far enough since the last recorded state.
    pub fn see(&mut self, step: &Step<'_>) {
        if self.states.last().is_some_and(|last| moved(&last.positions, &step.positions) < self.distance) {
            return;
        }
        self.states.push(State { step: step.iteration, positions: step.positions.to_array() });
        let count = self.states[0].positions.nrows().max(1);
        let most = self.asked.unwrap_or_else(|| USUAL.min(MOST_POSITIONS / count).max(LEAST));
        if self.states.len() > most {
            let mut place = 0;
            self.states.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.distance *= 2.0;
        }
    }

    /// What was recorded so far, for [`Recorder::continued`]: the current distance between states, and the states as step
    /// and coordinates, row after row.
    pub fn so_far(&self) -> (f64, Vec<(usize, Vec<f64>)>) {
        let flat = |state: &State| (state.step, state.positions.iter().copied().collect());
        (self.distance, self.states.iter().map(flat).collect())
    }

    /// Continues with what was recorded before. States that do not have `columns` coordinates per point are left out.
    #[must_use]
    pub fn continued(self, columns: usize, (distance, states): (f64, Vec<(usize, Vec<f64>)>)) -> Self {
        let whole = |(step, flat): (usize, Vec<f64>)| {
            let rows = flat.len().checked_div(columns)?;
            Some(State { step, positions: Array2::from_shape_vec((rows, columns), flat).ok()? })
        };
        Self { distance, states: states.into_iter().filter_map(whole).collect(), ..self }
    }

    /// The recorded states, in order.
    pub fn into_states(self) -> Vec<State> {
        self.states
    }
}

/// The root mean square movement of the points, relative to the map's size. The size is the radius on the sphere;
/// otherwise it is the root mean square distance of the points from their mean.
fn moved(before: &Array2<f64>, now: &Positions<'_>) -> f64 {
    match *now {
        Positions::Sphere { directions, .. } => {
            let radius = before.rows().into_iter().next().map_or(1.0, |first| first.dot(&first).sqrt());
            let sum: f64 = before
                .rows()
                .into_iter()
                .zip(directions)
                .map(|(a, b)| (0..3).map(|k| (a[k] / radius - b[k]).powi(2)).sum::<f64>())
                .sum();
            (sum / directions.len().max(1) as f64).sqrt()
        }
        Positions::Plane(points) => in_flat_space(before, points),
        Positions::Volume(points) => in_flat_space(before, points),
    }
}

fn in_flat_space<const D: usize>(before: &Array2<f64>, now: &[[f64; D]]) -> f64 {
    let count = now.len().max(1) as f64;
    let middle: [f64; D] = std::array::from_fn(|k| now.iter().map(|p| p[k]).sum::<f64>() / count);
    let size: f64 = now.iter().map(|p| (0..D).map(|k| (p[k] - middle[k]).powi(2)).sum::<f64>()).sum();
    let way: f64 =
        before.rows().into_iter().zip(now).map(|(a, b)| (0..D).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>()).sum();
    if size > 0.0 { (way / size).sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point that moves around the equator, once in `steps`.
    fn watch(steps: usize, asked: Option<usize>) -> Vec<State> {
        let mut recorder = Recorder::new(asked);
        for iteration in 1..=steps {
            let angle = std::f64::consts::TAU * iteration as f64 / steps as f64;
            let directions = [[angle.cos(), angle.sin(), 0.0]];
            let positions = Positions::Sphere { directions: &directions, radius: iteration as f64 };
            let (kl, radius) = (None, Some(iteration as f64));
            let progress = iteration as f64 / steps as f64;
            recorder.see(&Step {
                iteration,
                max_iterations: steps,
                progress,
                kl,
                radius,
                exaggeration: 1.0,
                positions,
            });
        }
        recorder.into_states()
    }

    #[test]
    fn between_half_and_all_of_the_requested_states_are_kept() {
        for (steps, most) in [(1000, 60), (5000, 20), (300, 7)] {
            let states = watch(steps, Some(most));
            assert!(states.len() <= most && states.len() >= most / 2, "{} of {most}", states.len());
            assert_eq!(states[0].step, 1);
        }
    }

    #[test]
    fn states_differ_by_equal_amounts() {
        let states = watch(4000, None);
        let gaps: Vec<usize> = states.windows(2).map(|pair| pair[1].step - pair[0].step).collect();
        let (least, most) = (gaps.iter().min().unwrap(), gaps.iter().max().unwrap());
        assert!(*most <= 2 * *least, "{gaps:?}");
    }

    #[test]
    fn a_map_that_does_not_move_is_one_state() {
        let points = [[1.0, 2.0], [3.0, 4.0]];
        let mut recorder = Recorder::new(None);
        for iteration in 1..50 {
            let positions = Positions::Plane(&points);
            let (max_iterations, progress) = (50, 0.5);
            let (kl, radius) = (None, None);
            recorder.see(&Step { iteration, max_iterations, progress, kl, radius, exaggeration: 1.0, positions });
        }
        assert_eq!(recorder.into_states().len(), 1);
    }
}
