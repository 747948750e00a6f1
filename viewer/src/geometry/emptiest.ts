/** Where a whole map can be cut without hurting the data. */
import { axisAngle, identity, multiply, type Quaternion, rotate, type Vector } from "./vector.ts";

const SAMPLE = 1500;
/** Points within this angle of the cut count, in radians. */
const REACH = 0.35;

/**
 * The orientation of a map whose cut, the meridian opposite to its centre, has the fewest points near it. Among cuts that are
 * almost equally empty, the one with more points near the equator wins, where shapes are true.
 */
export function emptiestCut(positions: Float32Array, order: Uint32Array): Quaternion {
  const sample = order.subarray(0, SAMPLE);
  let [best, least] = [identity, Infinity];
  for (let tilt = -80; tilt <= 80; tilt += 20)
    for (let roll = 0; roll < 180; roll += 30)
      for (let longitude = -180; longitude < 180; longitude += 20) {
        const turned = multiply(
          multiply(axisAngle([0, 0, 1], (roll * Math.PI) / 180), axisAngle([1, 0, 0], (tilt * Math.PI) / 180)),
          axisAngle([0, 1, 0], (-longitude * Math.PI) / 180),
        );
        // Small preferences for an upright map, so that equal maps are not turned without need.
        let cost = 1e-4 * (Math.abs(tilt) + roll) * sample.length;
        const [right, up, near] = axes(turned);
        for (const item of sample) {
          const [x, y, z] = [positions[3 * item]!, positions[3 * item + 1]!, positions[3 * item + 2]!];
          const height = x * up[0] + y * up[1] + z * up[2];
          cost += 0.25 * height ** 4;
          if (x * near[0] + y * near[1] + z * near[2] > 0) continue;
          // The distance from the half of the great circle that is the cut.
          const across = Math.abs(x * right[0] + y * right[1] + z * right[2]);
          if (across < REACH) cost += 1 - across / REACH;
        }
        if (cost < least) [best, least] = [turned, cost];
      }
  return best;
}

/** The axes of the view in the coordinates of the data. */
function axes(q: Quaternion): [Vector, Vector, Vector] {
  const back: Quaternion = [-q[0], -q[1], -q[2], q[3]];
  return [rotate(back, [1, 0, 0]), rotate(back, [0, 1, 0]), rotate(back, [0, 0, 1])];
}
