/**
 * Edges between the same two clusters run together: half-way each is near the great circle between the centres of its
 * clusters. Nothing is simulated, so it is quick, and the same edges have the same ways each time. The shader of the arcs has the
 * formula.
 */

/** How near edges come to the way between the centres: 0 is not at all, 1 is as near as they can. */
export const BUNDLING = 0.8;

/** The direction of the centre of each item's cluster, three coordinates for each item. */
export function centres(positions: Float32Array, clusters: ArrayLike<number>): Float32Array {
  const sums = new Map<number, [number, number, number]>();
  for (let i = 0; i < clusters.length; i++) {
    const sum = sums.get(clusters[i]!) ?? [0, 0, 0];
    for (let k = 0; k < 3; k++) sum[k]! += positions[3 * i + k]!;
    sums.set(clusters[i]!, sum);
  }
  for (const sum of sums.values()) {
    const length = Math.hypot(...sum) || 1;
    for (let k = 0; k < 3; k++) sum[k]! /= length;
  }
  const out = new Float32Array(3 * clusters.length);
  for (let i = 0; i < clusters.length; i++) out.set(sums.get(clusters[i]!)!, 3 * i);
  return out;
}
