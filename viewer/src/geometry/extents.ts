/** Where the clusters of a map lie, and how far they reach. */
import type { Clusters, Level } from "../data/clusters.ts";
import type { Vector } from "./vector.ts";

/** The place of a cluster. */
export interface Extent {
  readonly middle: Vector;
  /** The root mean square distance of its items from the middle, along the chord. */
  readonly reach: number;
  readonly count: number;
}

/** The extent of each cluster of every level. On a sphere, the middles are on it too. */
export function extentsOf(clusters: Clusters, positions: Float32Array, sphere: boolean): Extent[][] {
  const finest = clusters.levels.at(-1)!.names.length;
  // Sums over the finest clusters, from which those of all levels follow.
  const sums = new Float64Array(5 * finest);
  for (let i = 0; i < clusters.finest.length; i++) {
    const at = 5 * clusters.finest[i]!;
    const [x, y, z] = [positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!];
    sums[at] = sums[at]! + 1;
    sums[at + 1] = sums[at + 1]! + x;
    sums[at + 2] = sums[at + 2]! + y;
    sums[at + 3] = sums[at + 3]! + z;
    sums[at + 4] = sums[at + 4]! + x * x + y * y + z * z;
  }
  return clusters.levels.map((level) => ofLevel(level, sums, sphere));
}

function ofLevel(level: Level, sums: Float64Array, sphere: boolean): Extent[] {
  const totals = level.names.map(() => [0, 0, 0, 0, 0] as [number, number, number, number, number]);
  for (const [finest, cluster] of level.ofFinest.entries())
    for (let k = 0; k < 5; k++) totals[cluster]![k]! += sums[5 * finest + k]!;
  return totals.map(([count, x, y, z, squares]) => {
    const n = Math.max(1, count);
    const mean: Vector = [x / n, y / n, z / n];
    const length = Math.hypot(...mean);
    const middle: Vector = sphere
      ? length > 1e-9
        ? [mean[0] / length, mean[1] / length, mean[2] / length]
        : [0, 0, 1]
      : mean;
    // Σ|x − m|² = Σ|x|² − 2 m·Σx + n|m|².
    const [a, b, c] = middle;
    const spread = squares / n - 2 * (a * mean[0] + b * mean[1] + c * mean[2]) + a * a + b * b + c * c;
    return { middle, reach: Math.sqrt(Math.max(0, spread)), count };
  });
}

/** The zoom at which a cluster fills a good part of the picture. */
export const zoomFor = (extent: Extent): number => Math.max(1, Math.min(60, 0.45 / Math.max(1e-3, extent.reach)));
