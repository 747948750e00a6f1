"""Writes points with structure at several scales: `mixture.py N OUT.npy [SEED]`.

20 continents in 50 dimensions contain 10 to 60 countries each, and every country contains 5 to 40 towns. The spread shrinks
by a factor of three from level to level. The shares at each level have a heavy-tailed distribution (some towns are a
thousand times as large as others). A tenth of all points lies between two towns.
"""

import sys

import numpy as np

DIMENSIONS = 50
CONTINENTS = 20


def shares(generator, count):
    """Heavy-tailed shares that add up to one."""
    weights = generator.pareto(1.2, count) + 0.05
    return weights / weights.sum()


def towns(generator):
    """Centres of the towns, the spread within each, and the share of the points in each."""
    centres, spreads, weights = [], [], []
    continents = generator.normal(size=(CONTINENTS, DIMENSIONS)) * 3
    for continent, continent_share in zip(continents, shares(generator, CONTINENTS)):
        count = generator.integers(10, 61)
        countries = continent + generator.normal(size=(count, DIMENSIONS))
        for country, country_share in zip(countries, shares(generator, count)):
            count = generator.integers(5, 41)
            centres.append(country + generator.normal(size=(count, DIMENSIONS)) / 3)
            spreads.append(generator.uniform(0.05, 0.2, count))
            weights.append(continent_share * country_share * shares(generator, count))
    return np.concatenate(centres), np.concatenate(spreads), np.concatenate(weights)


def mixture(n, seed=0):
    """n points as float32, and the town of each."""
    generator = np.random.default_rng(seed)
    centres, spreads, weights = towns(generator)
    town = generator.choice(len(centres), size=n, p=weights / weights.sum())
    points = np.empty((n, DIMENSIONS), dtype=np.float32)
    for start in range(0, n, 100_000):
        here = town[start : start + 100_000]
        noise = generator.normal(size=(len(here), DIMENSIONS)) * spreads[here, None]
        other = generator.choice(len(centres), size=len(here))
        way = np.where(generator.random(len(here)) < 0.1, generator.random(len(here)), 0.0)[:, None]
        points[start : start + 100_000] = centres[here] * (1 - way) + centres[other] * way + noise
    return points, town


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    np.save(sys.argv[2], mixture(int(sys.argv[1]), int(sys.argv[3]) if len(sys.argv) == 4 else 0)[0])
