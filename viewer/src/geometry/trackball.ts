/**
 * Rotation by dragging a point.
 *
 * During a drag, the orientation is always computed from the start of the drag, not by increments. So the grabbed point stays
 * under the cursor, and returning the cursor restores the view.
 */
import type { Projection } from "./projection.ts";
import { multiply, normalize, type Quaternion, shortest, unit, type Vector } from "./vector.ts";

/** The direction at a position of the map; outside of the map it continues around the limb. */
export function directionAt(projection: Projection, x: number, y: number): Vector {
  if (projection.id === "space") return beyond(x, y, 1);
  const inside = projection.inverse(x, y);
  if (inside) return inside;
  if (!projection.cut) {
    const r = Math.hypot(x, y) / projection.halfWidth;
    if (projection.id === "globe") return beyond(x, y, 1);
    const limb = projection.inverse((x / r) * 0.999999, (y / r) * 0.999999);
    return limb ?? unit([x, y, 0]);
  }
  // On a map: the point of the outline in the direction of the centre.
  let low = 0;
  let high = 1;
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (projection.inverse(x * middle, y * middle)) low = middle;
    else high = middle;
  }
  return projection.inverse(x * low, y * low) ?? [0, 0, 1];
}

/** On the disc, the point of the sphere above it; outside, an angle beyond the limb that grows with the distance. */
function beyond(x: number, y: number, radius: number): Vector {
  const r = Math.hypot(x, y) / radius;
  if (r <= 1) return [x / radius, y / radius, Math.sqrt(1 - r * r)];
  const theta = Math.min(Math.PI * 0.999, Math.PI / 2 + (r - 1));
  const s = Math.sin(theta) / (r * radius);
  return [x * s, y * s, Math.cos(theta)];
}

/** The orientation after the direction `from` was dragged to `to`, both in the coordinates of the view. */
export const dragged = (start: Quaternion, from: Vector, to: Vector): Quaternion =>
  normalize(multiply(shortest(from, to), start));
