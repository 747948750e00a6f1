/** The item under the cursor. */
import type { Cells } from "../geometry/cells.ts";
import type { Frame } from "../geometry/frame.ts";

/**
 * The item nearest to a pixel, within `reach` and on the near side, or −1. Items that are not highlighted (`mask`) are not
 * picked. `extent` is the largest half size of an item on the screen, `radius` the part of it that counts as a hit.
 */
export function pick(
  frame: Frame,
  positions: Float32Array,
  cells: Cells | null,
  mask: Uint8Array | null,
  px: number,
  py: number,
  reach: number,
  extent: number,
  radius: (item: number) => number,
): number {
  const middle = frame.unproject(px, py);
  if (!middle) return -1;
  const out = new Float64Array(3);
  let best = -1;
  let least = reach;
  const look = (item: number) => {
    if (mask && mask[item] !== 1) return;
    frame.project(positions[3 * item]!, positions[3 * item + 1]!, positions[3 * item + 2]!, out);
    if (out[2]! <= 0) return;
    const distance = Math.hypot(out[0]! - px, out[1]! - py) - Math.min(reach / 2, radius(item));
    if (distance < least || (distance === least && item < best)) [best, least] = [item, distance];
  };
  if (!cells) {
    for (let item = 0; item < positions.length / 3; item++) look(item);
    return best;
  }
  // The reach on the sphere depends on the projection and the position, so measure it in four directions.
  const all = reach * 1.5 + extent;
  let around = 0;
  for (const [dx, dy] of [
    [all, 0],
    [-all, 0],
    [0, all],
    [0, -all],
  ] as const) {
    const v = frame.unproject(px + dx, py + dy);
    if (v) around = Math.max(around, Math.hypot(v[0] - middle[0], v[1] - middle[1], v[2] - middle[2]));
  }
  cells.near(middle[0], middle[1], middle[2], Math.max(around, all / frame.scale) * 1.3, look);
  return best;
}
