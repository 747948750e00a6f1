"""Writes harmonic_coefficients.txt: a_lm = sum over points of conj(Y_lm), by ducc0, an independent implementation.

Needs numpy and ducc0. The points come from a formula, so the test can compute the same points.
"""

import pathlib

import ducc0
import numpy as np

DEGREE = 39
COUNT = 60

index = np.arange(COUNT)
z = np.cos(0.1 + index * 0.7)
z[0], z[1] = 1.0, -1.0
phi = (index * 2.3) % (2 * np.pi)
location = np.stack([np.arccos(z), phi], axis=1)
coefficients = ducc0.sht.adjoint_synthesis_general(
    map=np.ones((1, COUNT)), loc=location, spin=0, lmax=DEGREE, mmax=DEGREE, epsilon=1e-13, nthreads=1
)[0]
lines = [f"# degree {DEGREE}, {COUNT} points; m, l, real part, imaginary part of sum conj(Y_lm)"]
at = 0
for m in range(DEGREE + 1):
    for l in range(m, DEGREE + 1):
        value = coefficients[at]
        at += 1
        if (l * 7 + m) % 5 == 0:
            lines.append(f"{m} {l} {value.real:.12e} {value.imag:.12e}")
path = pathlib.Path(__file__).with_name("harmonic_coefficients.txt")
path.write_text("\n".join(lines) + "\n")
