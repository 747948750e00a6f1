/**
 * From the sphere to the screen and back.
 *
 * In the coordinates of a view, x points to the right, y up and z towards the viewer; the centre of the view is (0, 0, 1).
 * `forward` maps unit vectors to the plane, in units of the projection. `inverse` maps back, or returns null outside of the
 * map. The formulas are those of d3-geo and d3-geo-projection, written for vectors; tests compare them.
 */
import type { Vector } from "./vector.ts";

export type ProjectionId =
  | "globe"
  | "perspective"
  | "fisheye"
  | "equidistant"
  | "equalearth"
  | "mollweide"
  | "plane"
  | "space";

export interface Projection {
  readonly id: ProjectionId;
  readonly name: string;
  /** Its number in the shader. */
  readonly code: number;
  /** Half of the width and height of the map, in units of the projection. */
  readonly halfWidth: number;
  readonly halfHeight: number;
  /** Whether the map is cut along the meridian opposite to the centre. */
  readonly cut: boolean;
  /** Whether it is a disc with the far side on it too. */
  readonly whole?: true;
  /** Writes x, y and the side: positive on the near side, less than or equal to 0 on the far side. */
  forward(x: number, y: number, z: number, out: Float64Array): void;
  inverse(x: number, y: number): Vector | null;
}

/** Distance of the eye from the centre of the perspective globe, in radii. */
export const EYE = 3;
/** The perspective globe is scaled so that the limb has radius 1. */
const EYE_SCALE = Math.sqrt((EYE + 1) / (EYE - 1));

const globe: Projection = {
  id: "globe",
  name: "Globe",
  code: 0,
  halfWidth: 1,
  halfHeight: 1,
  cut: false,
  forward(x, y, z, out) {
    out[0] = x;
    out[1] = y;
    out[2] = z;
  },
  inverse(x, y) {
    const z2 = 1 - x * x - y * y;
    return z2 < 0 ? null : [x, y, Math.sqrt(z2)];
  },
};

const perspective: Projection = {
  id: "perspective",
  name: "Perspective",
  code: 1,
  halfWidth: 1,
  halfHeight: 1,
  cut: false,
  forward(x, y, z, out) {
    const k = (EYE_SCALE * (EYE - 1)) / (EYE - z);
    out[0] = k * x;
    out[1] = k * y;
    out[2] = (z - 1 / EYE) / (1 - 1 / EYE);
  },
  inverse(x, y) {
    // The ray from the eye (0, 0, EYE) through (x, y) on the plane where the scale is 1 meets the sphere first here.
    const px = x / EYE_SCALE;
    const py = y / EYE_SCALE;
    const p2 = (px * px + py * py) / ((EYE - 1) * (EYE - 1));
    const root = 1 + p2 * (1 - EYE * EYE);
    if (root < 0) return null;
    // z solves (EYE − z)² p2 + z² = 1.
    const z = (EYE * p2 + Math.sqrt(root)) / (1 + p2);
    const k = (EYE - z) / (EYE - 1);
    return [px * k, py * k, z];
  },
};

const fisheye: Projection = {
  id: "fisheye",
  name: "Fish-eye",
  code: 2,
  halfWidth: 2,
  halfHeight: 2,
  cut: false,
  whole: true,
  forward(x, y, z, out) {
    // Near the antipode 1 + z cancels; x² + y² = (1 − z)(1 + z) does not.
    const across = Math.sqrt(x * x + y * y);
    const k = z > 0 ? Math.sqrt(2 / (1 + z)) : across > 0 ? Math.sqrt(2 * (1 - z)) / across : 0;
    out[0] = across > 0 || z > 0 ? k * x : 2;
    out[1] = k * y;
    out[2] = 1;
  },
  inverse(x, y) {
    const r2 = x * x + y * y;
    if (r2 > 4) return null;
    const k = Math.sqrt(1 - r2 / 4);
    return [x * k, y * k, 1 - r2 / 2];
  },
};

/** Distances from the centre are true: half of the way around is the rim. */
const equidistant: Projection = {
  id: "equidistant",
  name: "Distances",
  code: 7,
  halfWidth: Math.PI,
  halfHeight: Math.PI,
  cut: false,
  whole: true,
  forward(x, y, z, out) {
    const across = Math.sqrt(x * x + y * y);
    const k = across > 1e-12 ? Math.atan2(across, z) / across : 1;
    out[0] = across > 1e-12 || z > 0 ? k * x : Math.PI;
    out[1] = k * y;
    out[2] = 1;
  },
  inverse(x, y) {
    const r = Math.hypot(x, y);
    if (r > Math.PI) return null;
    const k = r > 1e-12 ? Math.sin(r) / r : 1;
    return [k * x, k * y, Math.cos(r)];
  },
};

const A1 = 1.340264;
const A2 = -0.081106;
const A3 = 0.000893;
const A4 = 0.003796;
const M = Math.sqrt(3) / 2;

const equalEarth: Projection = {
  id: "equalearth",
  name: "Equal Earth",
  code: 3,
  halfWidth: Math.PI / (M * A1),
  halfHeight: equalEarthHeight(Math.asin(M)),
  cut: true,
  forward(x, y, z, out) {
    const t = Math.asin(M * Math.max(-1, Math.min(1, y)));
    const t2 = t * t;
    const t6 = t2 * t2 * t2;
    out[0] = (Math.atan2(x, z) * Math.cos(t)) / (M * (A1 + 3 * A2 * t2 + t6 * (7 * A3 + 9 * A4 * t2)));
    out[1] = equalEarthHeight(t);
    out[2] = 1;
  },
  inverse(x, y) {
    if (Math.abs(y) > equalEarth.halfHeight) return null;
    let t = y / A1;
    for (let i = 0; i < 8; i++) {
      const t2 = t * t;
      t -= (equalEarthHeight(t) - y) / (A1 + 3 * A2 * t2 + t2 * t2 * t2 * (7 * A3 + 9 * A4 * t2));
    }
    const t2 = t * t;
    const longitude = (M * x * (A1 + 3 * A2 * t2 + t2 * t2 * t2 * (7 * A3 + 9 * A4 * t2))) / Math.cos(t);
    return Math.abs(longitude) > Math.PI ? null : fromAngles(longitude, Math.sin(t) / M);
  },
};

function equalEarthHeight(t: number): number {
  const t2 = t * t;
  return t * (A1 + A2 * t2 + t2 * t2 * t2 * (A3 + A4 * t2));
}

const mollweide: Projection = {
  id: "mollweide",
  name: "Mollweide",
  code: 4,
  halfWidth: 2 * Math.SQRT2,
  halfHeight: Math.SQRT2,
  cut: true,
  forward(x, y, z, out) {
    const half = mollweideCap((Math.PI * (x * x + z * z)) / (1 + Math.abs(y))) / 2;
    out[0] = ((2 * Math.SQRT2) / Math.PI) * Math.atan2(x, z) * Math.sin(half);
    out[1] = Math.sign(y) * Math.SQRT2 * Math.cos(half);
    out[2] = 1;
  },
  inverse(x, y) {
    const sine = y / Math.SQRT2;
    if (Math.abs(sine) > 1) return null;
    const t = Math.asin(sine);
    const longitude = (Math.PI * x) / (2 * Math.SQRT2 * Math.cos(t));
    return Math.abs(longitude) > Math.PI ? null : fromAngles(longitude, (2 * t + Math.sin(2 * t)) / Math.PI);
  },
};

/**
 * Solves e − sin e = s for 0 ≤ s ≤ π. This is the equation of Mollweide, 2θ + sin 2θ = π sin φ, with e = π − 2θ. In this form
 * the inverse series in t = ∛(6s) has an error below one percent everywhere, and no digits cancel at the poles.
 */
export function mollweideCap(s: number): number {
  const t = Math.cbrt(6 * s);
  const t2 = t * t;
  const e = t * (1 + t2 * (1 / 60 + t2 * (1 / 1400 + t2 * (1 / 25200 + (t2 * 43) / 17248000))));
  // Below this value the series is exact to the last digit, and the differences would cancel.
  if (t < 0.2) return e;
  // After one Newton step the error is less than 5e-6: below half a pixel at the largest zoom.
  return e - (e - Math.sin(e) - s) / (1 - Math.cos(e));
}

function fromAngles(longitude: number, sine: number): Vector {
  const y = Math.max(-1, Math.min(1, sine));
  const across = Math.sqrt(1 - y * y);
  return [across * Math.sin(longitude), y, across * Math.cos(longitude)];
}

const plane: Projection = {
  id: "plane",
  name: "Plane",
  code: 5,
  halfWidth: 1,
  halfHeight: 1,
  cut: false,
  forward(x, y, _z, out) {
    out[0] = x;
    out[1] = y;
    out[2] = 1;
  },
  inverse: (x, y) => [x, y, 0],
};

const space: Projection = {
  id: "space",
  name: "Space",
  code: 6,
  halfWidth: 1.25,
  halfHeight: 1.25,
  cut: false,
  forward(x, y, z, out) {
    const k = 4 / (4 - z);
    out[0] = k * x;
    out[1] = k * y;
    out[2] = 1;
  },
  // Of all points behind a pixel, the one on the plane through the centre.
  inverse: (x, y) => [x, y, 0],
};

export const projections: Readonly<Record<ProjectionId, Projection>> = {
  globe,
  perspective,
  fisheye,
  equidistant,
  equalearth: equalEarth,
  mollweide,
  plane,
  space,
};

export const sphereProjections: readonly Projection[] = [
  globe,
  perspective,
  fisheye,
  equidistant,
  equalEarth,
  mollweide,
];

/** The outline of the map, as a closed line in units of the projection. */
export function outline(projection: Projection, steps = 180): [number, number][] {
  const line: [number, number][] = [];
  const out = new Float64Array(3);
  for (let i = 0; i < steps; i++) {
    const a = (i / steps) * 2 * Math.PI;
    if (!projection.cut) {
      line.push([projection.halfWidth * Math.cos(a), projection.halfHeight * Math.sin(a)]);
      continue;
    }
    // Up along the eastern side of the cut, down along the western one.
    const east = i < steps / 2;
    const latitude = (east ? -1 : 1) * (Math.PI / 2 - ((i % (steps / 2)) / (steps / 2 - 1)) * Math.PI);
    const longitude = (east ? 1 : -1) * (Math.PI - 1e-9);
    const c = Math.cos(latitude);
    projection.forward(c * Math.sin(longitude), Math.sin(latitude), c * Math.cos(longitude), out);
    line.push([out[0]!, out[1]!]);
  }
  return line;
}
