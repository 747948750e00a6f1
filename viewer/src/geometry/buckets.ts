/**
 * Points sorted into patches and shuffled within each patch. A frame draws only visible patches, and the same share of each,
 * so that any share is a fair sample of the visible points.
 */
import type { Frame } from "./frame.ts";

export interface Bucket {
  start: number;
  end: number;
  /** Centre and radius of a ball around its points. */
  x: number;
  y: number;
  z: number;
  radius: number;
}

const SIDE = 5;

/** The patch of a point: squares on the faces of a cube around the sphere, or in the plane. */
function patch(x: number, y: number, z: number, flat: boolean): number {
  const index = (t: number) => Math.max(0, Math.min(SIDE - 1, Math.floor((t + 1) * 0.5 * SIDE)));
  if (flat) return index(y) * SIDE + index(x);
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  if (ax >= ay && ax >= az) return ((x > 0 ? 0 : 1) * SIDE + index(y / (ax || 1))) * SIDE + index(z / (ax || 1));
  if (ay >= az) return ((y > 0 ? 2 : 3) * SIDE + index(x / ay)) * SIDE + index(z / ay);
  return ((z > 0 ? 4 : 5) * SIDE + index(x / az)) * SIDE + index(y / az);
}

/** The items sorted by patch, in the given order within each, and the start of each patch. */
export function byPatch(
  positions: Float32Array,
  order: Uint32Array,
  flat: boolean,
): { order: Uint32Array; starts: Uint32Array } {
  const starts = new Uint32Array(6 * SIDE * SIDE + 1);
  const patches = new Uint8Array(order.length);
  order.forEach((item, k) => {
    patches[k] = patch(positions[3 * item]!, positions[3 * item + 1]!, positions[3 * item + 2]!, flat);
    starts[patches[k]! + 1]!++;
  });
  for (let p = 0; p + 1 < starts.length; p++) starts[p + 1]! += starts[p]!;
  const next = starts.slice();
  const sorted = new Uint32Array(order.length);
  for (let k = 0; k < order.length; k++) sorted[next[patches[k]!]!++] = order[k]!;
  return { order: sorted, starts };
}

/** Balls around the points of each patch; `positions` are in drawing order. */
export function buckets(positions: Float32Array, starts: Uint32Array): Bucket[] {
  const found: Bucket[] = [];
  for (let p = 0; p + 1 < starts.length; p++) {
    const [start, end] = [starts[p]!, starts[p + 1]!];
    if (start === end) continue;
    const middle = [0, 0, 0];
    for (let i = start; i < end; i++) for (let k = 0; k < 3; k++) middle[k]! += positions[3 * i + k]! / (end - start);
    const [x, y, z] = middle as [number, number, number];
    let radius = 0;
    for (let i = start; i < end; i++) {
      radius = Math.max(
        radius,
        (positions[3 * i]! - x) ** 2 + (positions[3 * i + 1]! - y) ** 2 + (positions[3 * i + 2]! - z) ** 2,
      );
    }
    found.push({ start, end, x, y, z, radius: Math.sqrt(radius) });
  }
  return found;
}

/** Whether a point of the bucket may be visible. May return true if none is, but never false if one is. */
export function inPicture(frame: Frame, { x, y, z, radius }: Bucket, ghost: boolean): boolean {
  if (frame.morph < 1 || frame.to.cut || frame.to.whole || frame.to.id === "space") return true;
  const r = frame.rotation;
  const vx = r[0]! * x + r[3]! * y + r[6]! * z;
  const vy = r[1]! * x + r[4]! * y + r[7]! * z;
  const vz = r[2]! * x + r[5]! * y + r[8]! * z;
  if (frame.to.id !== "plane" && !ghost && vz + radius <= 0) return false;
  if (frame.to.id === "perspective") return true;
  // Orthographic and plane: the scale is the same everywhere.
  const margin = radius * frame.scale + 20;
  const [px, py] = [frame.centerX + vx * frame.scale, frame.centerY - vy * frame.scale];
  return px > -margin && px < frame.width + margin && py > -margin && py < frame.height + margin;
}
