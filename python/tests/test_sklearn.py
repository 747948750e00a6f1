"""scikit-learn's own checks of estimators."""

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from dosnes import DOSNES, TSNE

ONE_COMPONENT = "the check sets n_components=1, and t-SNE here has two or three components"
# Checks that cannot pass, with the reason. DOSNES passes them all.
EXPECTED = {
    ("TSNE", "check_dont_overwrite_parameters"): ONE_COMPONENT,
    ("TSNE", "check_methods_sample_order_invariance"): ONE_COMPONENT,
    ("TSNE", "check_methods_subset_invariance"): ONE_COMPONENT,
    ("TSNE", "check_fit2d_1feature"): ONE_COMPONENT,
    ("TSNE", "check_fit2d_predict1d"): ONE_COMPONENT,
}


def checks():
    # Only a map that is finished has its own points where transform places them.
    for estimator in (DOSNES(), TSNE(max_iter=20)):
        for instance, check in estimator_checks_generator(estimator, legacy=True):
            yield pytest.param(
                instance, check, id=f"{type(estimator).__name__}-{getattr(check, 'func', check).__name__}"
            )


@pytest.mark.parametrize(("estimator", "check"), list(checks()))
def test_scikit_learn_is_satisfied(estimator, check):
    reason = EXPECTED.get((type(estimator).__name__, getattr(check, "func", check).__name__))
    if reason is None:
        check(estimator)
    else:
        # An expected failure that no longer fails must leave the list.
        with pytest.raises((ValueError, AssertionError), match="n_components is 1"):
            check(estimator)
