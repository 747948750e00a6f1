/** Vectors with three components, and rotations as unit quaternions [x, y, z, w]. */

export type Vector = readonly [number, number, number];
export type Quaternion = readonly [number, number, number, number];

export const identity: Quaternion = [0, 0, 0, 1];

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export function unit(a: Vector): Vector {
  const length = Math.hypot(a[0], a[1], a[2]) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}

/** The angle between two unit vectors, also accurate for very small angles. */
export function angle(a: Vector, b: Vector): number {
  const c = cross(a, b);
  return Math.atan2(Math.hypot(c[0], c[1], c[2]), dot(a, b));
}

/** The rotation b followed by a. */
export const multiply = (a: Quaternion, b: Quaternion): Quaternion => [
  a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
  a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
  a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
];

export const conjugate = (q: Quaternion): Quaternion => [-q[0], -q[1], -q[2], q[3]];

export function normalize(q: Quaternion): Quaternion {
  const length = Math.hypot(q[0], q[1], q[2], q[3]) || 1;
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

export function rotate(q: Quaternion, v: Vector): Vector {
  const [x, y, z, w] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

export function axisAngle(axis: Vector, radians: number): Quaternion {
  const a = unit(axis);
  const s = Math.sin(radians / 2);
  return [a[0] * s, a[1] * s, a[2] * s, Math.cos(radians / 2)];
}

/** The shortest rotation that takes unit vector a to unit vector b. */
export function shortest(a: Vector, b: Vector): Quaternion {
  const d = dot(a, b);
  if (d < -0.999999) {
    // Any axis perpendicular to a is possible; the one nearest to the vertical of the screen keeps the direction of north.
    const across = Math.abs(a[1]) < 0.9 ? cross(a, [0, 1, 0]) : cross(a, [1, 0, 0]);
    const axis = unit(cross(across, a));
    return [axis[0], axis[1], axis[2], 0];
  }
  const c = cross(a, b);
  return normalize([c[0], c[1], c[2], 1 + d]);
}

/** A fraction of the rotation q, in the shorter direction. */
export function power(q: Quaternion, share: number): Quaternion {
  const sign = q[3] < 0 ? -1 : 1;
  const s = Math.hypot(q[0], q[1], q[2]);
  if (s < 1e-12) return identity;
  const half = Math.atan2(s, sign * q[3]) * share;
  const k = (sign * Math.sin(half)) / s;
  return [q[0] * k, q[1] * k, q[2] * k, Math.cos(half)];
}

export const slerp = (a: Quaternion, b: Quaternion, t: number): Quaternion =>
  normalize(multiply(power(multiply(b, conjugate(a)), t), a));

/** The angle of the rotation q. */
export const turn = (q: Quaternion): number => 2 * Math.atan2(Math.hypot(q[0], q[1], q[2]), Math.abs(q[3]));

/** The rotation matrix in column-major order, as WebGL needs it. */
export function matrix(q: Quaternion): Float64Array {
  const x = rotate(q, [1, 0, 0]);
  const y = rotate(q, [0, 1, 0]);
  const z = rotate(q, [0, 0, 1]);
  return Float64Array.of(...x, ...y, ...z);
}

/** The unit vector at longitude and latitude in degrees: x to the east, y to the north, z at (0°, 0°). */
export function fromDegrees(longitude: number, latitude: number): Vector {
  const l = (longitude * Math.PI) / 180;
  const p = (latitude * Math.PI) / 180;
  return [Math.cos(p) * Math.sin(l), Math.sin(p), Math.cos(p) * Math.cos(l)];
}

export function toDegrees(v: Vector): [number, number] {
  return [(Math.atan2(v[0], v[2]) * 180) / Math.PI, (Math.atan2(v[1], Math.hypot(v[0], v[2])) * 180) / Math.PI];
}

/** The direction a part of the way from one direction to another, along the great circle. */
export function slerpDirection(from: Vector, to: Vector, share: number): Vector {
  const whole = angle(from, to);
  const sine = Math.sin(whole);
  if (sine < 1e-6)
    return unit([
      from[0] + share * (to[0] - from[0]),
      from[1] + share * (to[1] - from[1]),
      from[2] + share * (to[2] - from[2]),
    ]);
  const [a, b] = [Math.sin((1 - share) * whole) / sine, Math.sin(share * whole) / sine];
  return [a * from[0] + b * to[0], a * from[1] + b * to[1], a * from[2] + b * to[2]];
}
