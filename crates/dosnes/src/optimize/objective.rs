//! The objective on the sphere and its derivatives, as the optimizers need them.

use super::{
    attraction::{Attraction, Pull},
    first_not_finite,
    pins::Pins,
};
use crate::{
    ranks::Share,
    repulsion::SphereRepulsion,
    sphere::{Vec3, tangential},
};
use rayon::prelude::*;

/// J(u, r) = e Σ p (−log q) + log Z on the unit vectors u and the radius r, with attraction exaggerated by e.
pub(super) struct SphereObjective<'a> {
    attraction: Attraction<'a>,
    repulsion: Box<dyn SphereRepulsion>,
    pub(super) exaggeration: f64,
    pub(super) pins: Pins,
    share: Share<'a>,
}

/// The objective at one point. What is for each item is for this rank's own items.
#[derive(Default)]
pub(super) struct Evaluation {
    /// J.
    pub(super) value: f64,
    /// KL(P‖Q), without exaggeration.
    pub(super) kl: f64,
    /// ∂J/∂u, projected to the tangent vectors that keep the points centred, or fixed points where they are.
    pub(super) gradient: Vec<Vec3>,
    /// The first item with a force that is not finite (the projection spreads it to all), or else with such a curvature.
    first_wrong: Option<usize>,
    /// ∂J/∂log r.
    pub(super) radius_slope: f64,
    /// ∂²J/∂(log r)².
    pub(super) radius_curvature: f64,
    /// 4 e r² Σ_j p_ij w_ij: the attraction's curvature at each point, which the optimizers use to scale its steps.
    pub(super) curvature: Vec<f64>,
}

impl Evaluation {
    /// The first item with a force or a scale that is not a finite number; the first one of all if a sum is not finite.
    pub(super) fn misbehaved(&self) -> Option<usize> {
        let sums = [self.value, self.kl, self.radius_slope, self.radius_curvature];
        self.first_wrong.or_else(|| sums.iter().any(|sum| !sum.is_finite()).then_some(0))
    }
}

impl<'a> SphereObjective<'a> {
    /// `attraction` has the rows of this rank's share of the items.
    pub(super) fn new(
        attraction: Attraction<'a>,
        repulsion: Box<dyn SphereRepulsion>,
        pins: Pins,
        share: Share<'a>,
    ) -> Self {
        Self { attraction, repulsion, exaggeration: 1.0, pins, share }
    }

    /// Which items are this rank's own.
    pub(super) fn share(&self) -> &Share<'a> {
        &self.share
    }

    /// The attraction, for what its memory is needed for afterwards.
    pub(super) fn into_attraction(self) -> Attraction<'a> {
        self.attraction
    }

    /// Evaluates at the unit vectors `u` of all ranks and radius `r` into `out`, whose memory is reused.
    pub(super) fn evaluate(&mut self, u: &[Vec3], r: f64, out: &mut Evaluation) {
        let own = self.share.own();
        out.gradient.resize(own.len(), [0.0; 3]);
        out.curvature.resize(own.len(), 0.0);
        let e = self.exaggeration;
        // The repulsion comes first, so that the attraction can be added to it and needs no memory of its own.
        let totals = self.repulsion.evaluate_share(&self.share, u, r, &mut out.gradient);
        out.gradient.par_iter_mut().with_min_len(1024).for_each(|push| *push = push.map(|push| -(push / totals.z)));
        let pulls = self.attraction.add_rows(u, r, e, &mut out.gradient, &mut out.curvature);
        let pull = self.share.gather(pulls).into_iter().fold(Pull::default(), std::ops::Add::add);
        let own_u = &u[own.clone()];
        out.gradient.par_iter_mut().with_min_len(1024).zip(&mut out.curvature).zip(own_u).for_each(
            |((gradient, curvature), u)| {
                *gradient = tangential(&gradient.map(|force| 4.0 * r * force), u);
                *curvature *= 4.0 * e * r * r;
            },
        );
        let of_all = |found: Option<usize>| found.map(|i| own.start + i);
        let of_curvature = out.curvature.par_iter().position_first(|c| !c.is_finite());
        let [force, curvature] = self.share.first([first_not_finite(&out.gradient), of_curvature].map(of_all));
        out.first_wrong = force.or(curvature);
        self.pins.project(&self.share, u, &mut out.gradient);
        let relative_slope = totals.slope / totals.z;
        out.value = e * pull.energy + totals.z.ln();
        out.kl = self.attraction.kl(pull.energy, totals.z);
        out.radius_slope = e * pull.slope + relative_slope;
        // If the method does not compute Z's second derivative, that of attraction is a first estimate of the scale.
        out.radius_curvature = e * pull.curvature
            + totals.curvature.map_or(0.0, |curvature| curvature / totals.z - relative_slope * relative_slope);
    }
}
