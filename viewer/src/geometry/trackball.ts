/**
 * Turning by the grabbed point.
 *
 * While dragging, the orientation is always computed from where the drag began, never by increments: the point that was
 * grabbed stays under the cursor, and a cursor that comes back brings the picture back.
 */
import type { Projection } from "./projection.ts";
import { multiply, normalize, type Quaternion, shortest, unit, type Vector } from "./vector.ts";

/** The direction under a place of the picture; outside of the picture it goes on around the limb. */
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
  // On a map: the nearest place of the outline straight towards the centre.
  let low = 0;
  let high = 1;
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (projection.inverse(x * middle, y * middle)) low = middle;
    else high = middle;
  }
  return projection.inverse(x * low, y * low) ?? [0, 0, 1];
}

/** On the disc the sphere above it; further out, an angle beyond the limb that grows with the way. */
function beyond(x: number, y: number, radius: number): Vector {
  const r = Math.hypot(x, y) / radius;
  if (r <= 1) return [x / radius, y / radius, Math.sqrt(1 - r * r)];
  const theta = Math.min(Math.PI * 0.999, Math.PI / 2 + (r - 1));
  const s = Math.sin(theta) / (r * radius);
  return [x * s, y * s, Math.cos(theta)];
}

/** The orientation after the direction `from` was dragged to `to`, both in the view's frame. */
export const dragged = (start: Quaternion, from: Vector, to: Vector): Quaternion =>
  normalize(multiply(shortest(from, to), start));
