/** A flat map that wraps itself around a sphere. */
import { conjugate, type Quaternion, rotate, slerpDirection, type Vector } from "./vector.ts";

/** How far in front of the centre of the sphere the flat map is, and its size, in radii. */
const DISTANCE = 0.55;
const SIZE = 0.92;

/** The flat map in front of the sphere, seen as the sphere is seen, turned and reflected so that items move little. */
export function sheet(flat: Float32Array, sphere: Float32Array, orientation: Quaternion): Float32Array {
  let [xx, xy, yx, yy] = [0, 0, 0, 0];
  for (let i = 0; i < flat.length; i += 3) {
    const [vx, vy] = rotate(orientation, [sphere[i]!, sphere[i + 1]!, sphere[i + 2]!]);
    xx += flat[i]! * vx;
    xy += flat[i]! * vy;
    yx += flat[i + 1]! * vx;
    yy += flat[i + 1]! * vy;
  }
  // Of all rotations, and of all reflections, the one that agrees best; then the better of the two.
  const [plain, mirrored] = [Math.hypot(xx + yy, xy - yx), Math.hypot(xx - yy, xy + yx)];
  const sign = mirrored > plain ? -1 : 1;
  const angle = Math.atan2(xy - sign * yx, xx + sign * yy);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const back = conjugate(orientation);
  const out = new Float32Array(flat.length);
  for (let i = 0; i < flat.length; i += 3) {
    const [x, y] = [SIZE * flat[i]!, SIZE * sign * flat[i + 1]!];
    out.set(rotate(back, [c * x - s * y, s * x + c * y, DISTANCE]), i);
  }
  return out;
}

/** Between the flat map (0) and the sphere (1): directions turn along great circles, and distances from the centre grow. */
export function wrapped(from: Float32Array, to: Float32Array, share: number, out: Float32Array): Float32Array {
  for (let i = 0; i < from.length; i += 3) {
    const a: Vector = [from[i]!, from[i + 1]!, from[i + 2]!];
    const length = Math.hypot(...a) || 1;
    const direction = slerpDirection(
      [a[0] / length, a[1] / length, a[2] / length],
      [to[i]!, to[i + 1]!, to[i + 2]!],
      share,
    );
    const radius = length + share * (1 - length);
    for (let k = 0; k < 3; k++) out[i + k] = radius * direction[k]!;
  }
  return out;
}
