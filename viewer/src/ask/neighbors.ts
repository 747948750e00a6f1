/** The neighbours of an item in the data and on the map, and their differences. */
import type { Model } from "../data/model.ts";
import type { Cells } from "../geometry/cells.ts";

export interface Neighbor {
  item: number;
  /** In the data: similarity relative to the largest one, 0 to 1. On the map: the distance (on the sphere the angle in degrees). */
  value: number;
  /** The similarity in the data as it was given, if it is known. */
  weight: number | null;
  /** Whether it is also in the other list. */
  shared: boolean;
}

export interface NeighborLists {
  inData: Neighbor[];
  onMap: Neighbor[];
}

/** The item that is farthest from an item on a sphere, and how far it is in degrees; null if there is no other. */
export function farthest(positions: Float32Array, item: number): { item: number; degrees: number } | null {
  const [x, y, z] = [positions[3 * item]!, positions[3 * item + 1]!, positions[3 * item + 2]!];
  let [found, least] = [-1, Infinity];
  for (let i = 0; i < positions.length / 3; i++) {
    const near = x * positions[3 * i]! + y * positions[3 * i + 1]! + z * positions[3 * i + 2]!;
    if (i !== item && near < least) [found, least] = [i, near];
  }
  return found < 0 ? null : { item: found, degrees: (Math.acos(Math.max(-1, Math.min(1, least))) * 180) / Math.PI };
}

export function neighborLists(
  model: Model,
  positions: Float32Array,
  cells: Cells,
  item: number,
  sphere: boolean,
): NeighborLists {
  const inData: Neighbor[] = [];
  if (model.neighbors) {
    const { starts, indices, strengths, weights } = model.neighbors;
    for (let k = starts[item]!; k < starts[item + 1]!; k++) {
      inData.push({ item: indices[k]!, value: strengths[k]! / 255, weight: weights && weights[k]!, shared: false });
    }
  }
  const [x, y, z] = [positions[3 * item]!, positions[3 * item + 1]!, positions[3 * item + 2]!];
  const onMap = cells.nearest(x, y, z, inData.length || 10, item).map(({ item: other, distance }) => ({
    item: other,
    value: sphere ? (2 * Math.asin(Math.min(1, distance / 2)) * 180) / Math.PI : distance,
    weight: null,
    shared: false,
  }));
  const known = new Set(inData.map((n) => n.item));
  const near = new Set(onMap.map((n) => n.item));
  for (const n of inData) n.shared = near.has(n.item);
  for (const n of onMap) n.shared = known.has(n.item);
  return { inData, onMap };
}
