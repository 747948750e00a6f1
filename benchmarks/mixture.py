"""Writes points with structure at several scales: `mixture.py N OUT.npy [SEED]`.

20 continents in 50 dimensions contain 10 to 60 countries each, and every country contains 5 to 40 towns. The spread shrinks
by a factor of three from level to level. The shares at each level have a heavy-tailed distribution (some towns are a
thousand times as large as others). A tenth of all points lies between two towns.
"""

import sys

import numpy as np

DIMENSIONS = 50
CONTINENTS = 20
# Points that are made at a time.
BLOCK = 100_000


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


def blocks(n, seed=0):
    """The points as float32 and the town of each, block by block."""
    generator = np.random.default_rng(seed)
    centres, spreads, weights = towns(generator)
    town = generator.choice(len(centres), size=n, p=weights / weights.sum())
    for start in range(0, n, BLOCK):
        here = town[start : start + BLOCK]
        noise = generator.normal(size=(len(here), DIMENSIONS)) * spreads[here, None]
        other = generator.choice(len(centres), size=len(here))
        way = np.where(generator.random(len(here)) < 0.1, generator.random(len(here)), 0.0)[:, None]
        yield (centres[here] * (1 - way) + centres[other] * way + noise).astype(np.float32), here


def mixture(n, seed=0):
    """n points as float32, and the town of each."""
    points, town = zip(*blocks(n, seed))
    return np.concatenate(points), np.concatenate(town)


def write(path, n, seed=0):
    """Writes n points as a .npy, of which only one block is in memory at a time."""
    with open(path, "wb") as out:
        header = {"descr": "<f4", "fortran_order": False, "shape": (n, DIMENSIONS)}
        np.lib.format.write_array_header_1_0(out, header)
        for points, _ in blocks(n, seed):
            out.write(points.tobytes())


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    write(sys.argv[2], int(sys.argv[1]), int(sys.argv[3]) if len(sys.argv) == 4 else 0)
