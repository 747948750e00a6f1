//! A map with more items, whose old items may move: each is held at its old place by a spring.

use super::{
    align::align,
    grow::{ROUNDS, begin, settle},
    model::{Model, ModelError},
    place::NewItem,
};
use crate::{
    error::Error,
    input::Data,
    observe::{Observer, Part, report},
    sphere::{Vec3, add_scaled, dot, unit},
};

/// Rounds in which all items move a little.
const FREE_ROUNDS: usize = 60;
/// The share of a step that is made. All items move at the same time: with whole steps, two neighbours would change places again
/// and again.
const DAMPING: f64 = 0.5;

/// As [`grow`](super::grow()), but the old items may move as well, where the new ones need room or bring others together. Each old item
/// is held at its place by a spring. Afterwards the map is laid onto the old one by [`align()`], by the old items. The radius stays.
///
/// ```
/// use dosnes::observe::Silent;
/// use dosnes::{Data, Dosnes, Model, align, growth::grow_free};
/// use ndarray::{Array2, s};
///
/// let points = Array2::from_shape_fn((120, 2), |(i, axis)| ((i * (axis + 1)) as f64).sin() + (i % 3 * 5) as f64);
/// let names: Vec<String> = (0..120).map(|i| i.to_string()).collect();
/// let old = points.slice(s![..100, ..]);
/// let model = Model::fit(&Dosnes::sphere().perplexity(10.0), &names[..100], old, &mut Silent)?;
/// let larger = grow_free(&model, &names[100..], &Data::from(points.slice(s![100.., ..])), &mut Silent)?;
/// let moved = align(model.coordinates(), larger.coordinates().slice(s![..100, ..]))?;
/// assert!(moved.moved_less_than(0.5) < 10.0);
/// # Ok::<(), dosnes::growth::ModelError>(())
/// ```
pub fn grow_free(
    model: &Model,
    ids: &[String],
    new: &Data<'_>,
    observer: &mut dyn Observer,
) -> Result<Model, ModelError> {
    let (mut larger, items) = begin(model, ids, new, observer)?;
    let old = model.len();
    let mut observer = Part { observer, from: 0.5, to: 1.0 };
    let all_rounds = (ROUNDS + FREE_ROUNDS) as f64;
    let mut directions = larger.directions();
    for round in 0..ROUNDS {
        settle(&larger, &mut directions, old, &items);
        report(&mut observer, (round + 1) as f64 / all_rounds)?;
    }
    larger.move_to(old, &directions);
    let all = larger.held(model)?;
    for round in 0..FREE_ROUNDS {
        let before = directions.clone();
        settle(&larger, &mut directions, 0, &all);
        for (now, before) in directions.iter_mut().zip(&before) {
            *now = unit(&add_scaled(&before.map(|v| (1.0 - DAMPING) * v), DAMPING, now));
        }
        larger.move_to(0, &directions);
        report(&mut observer, (ROUNDS + round + 1) as f64 / all_rounds)?;
    }
    let alignment = align(model.coordinates(), larger.coordinates.slice(ndarray::s![..old, ..]))?;
    let turned: Vec<Vec3> = directions.iter().map(|u| alignment.rotation.map(|row| dot(&row, u))).collect();
    larger.move_to(0, &turned);
    larger.find_signs(0, &all, &turned)?;
    Ok(larger)
}

impl Model {
    /// The similarities of all items; those of the `old` model are held at their places.
    fn held(&self, old: &Self) -> Result<Vec<NewItem>, Error> {
        let mut all = self.all_similar()?;
        for (item, place) in all.iter_mut().zip(old.directions()) {
            item.held_at = Some(place);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dosnes, growth::grow, growth::place::FrozenMap, observe::Silent};
    use ndarray::{Array2, s};

    /// Four clouds in four dimensions.
    fn clouds(n: usize) -> Array2<f64> {
        Array2::from_shape_fn((n, 4), |(i, j)| {
            let cloud = (i % 4 * (j + 2) % 5) as f64 * 3.0;
            cloud + ((i * (j + 7)) as f64 * 1.7).sin()
        })
    }

    fn names(from: usize, to: usize) -> Vec<String> {
        (from..to).map(|i| i.to_string()).collect()
    }

    /// What all steps together lower: Σ_ij P_ij (−log q_ij) + n log Z, and the springs. Its derivative with respect to one item is
    /// twice that of the item's own energy, so each spring counts twice.
    fn objective(model: &Model, items: &[NewItem]) -> f64 {
        let directions = model.directions();
        let map = FrozenMap::new(&directions, model.radius, model.kernel, model.z);
        let of_item = |(item, u): (&NewItem, &Vec3)| map.scatter(&item.similar, u) + 2.0 * map.spring(item, u);
        items.iter().zip(&directions).map(of_item).sum::<f64>() + items.len() as f64 * model.z.ln()
    }

    #[test]
    fn free_growth_lowers_the_objective_and_old_items_move_little() {
        let points = clouds(240);
        // The fourth cloud is new.
        let old: Vec<usize> = (0..240).filter(|i| i % 4 != 3).collect();
        let new: Vec<usize> = (0..240).filter(|i| i % 4 == 3).collect();
        let rows = |items: &[usize]| points.select(ndarray::Axis(0), items);
        let method = Dosnes::sphere().perplexity(12.0);
        let model = Model::fit(&method, &names(0, 180), rows(&old), &mut Silent).unwrap();
        let data = rows(&new);
        let still = grow(&model, &names(180, 240), &Data::from(&data), &mut Silent).unwrap();
        let free = grow_free(&model, &names(180, 240), &Data::from(&data), &mut Silent).unwrap();
        let items = still.held(&model).unwrap();
        let (before, after) = (objective(&still, &items), objective(&free, &items));
        assert!(after < before, "{after} {before}");
        let part = free.coordinates().slice(s![..180, ..]).to_owned();
        let moved = align(model.coordinates(), part.view()).unwrap();
        let median = moved.moved_less_than(0.5);
        assert!(median > 1e-3 && median < 20.0, "{median}");
        // It is registered: no further rotation is needed.
        for i in 0..3 {
            for j in 0..3 {
                let expected = f64::from(u8::from(i == j));
                assert!((moved.rotation[i][j] - expected).abs() < 1e-6, "{:?}", moved.rotation);
            }
        }
        // The result is a model like any other, on any number of threads.
        assert_eq!(Model::from_bytes(&free.to_bytes()).unwrap(), free);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(5).build().unwrap();
        let threads = pool.install(|| grow_free(&model, &names(180, 240), &Data::from(&data), &mut Silent).unwrap());
        assert_eq!(threads, free);
        assert_eq!(free.points().unwrap().signs.scattered.len(), 240);
    }
}
