/** Where items are densest: the places at which the names of classes and clusters stand. */
import type { Vector } from "./vector.ts";

/**
 * The items of a sample with the most others around them, within a chord of this length, the densest first: at most so many,
 * none nearer to a denser one than `apart`, and each at least `least` times as dense as the first.
 */
export function densest(
  sample: readonly number[],
  positions: Float32Array,
  reach: number,
  most = 1,
  apart = 0,
  least = 1,
): number[] {
  const distance2 = (i: number, j: number) => {
    const [x, y, z] = [
      positions[3 * i]! - positions[3 * j]!,
      positions[3 * i + 1]! - positions[3 * j + 1]!,
      positions[3 * i + 2]! - positions[3 * j + 2]!,
    ];
    return x * x + y * y + z * z;
  };
  const crowds = sample.map((i) => ({
    item: i,
    density: sample.reduce((sum, j) => sum + Math.max(0, 1 - distance2(i, j) / (reach * reach)), 0),
  }));
  crowds.sort((a, b) => b.density - a.density || a.item - b.item);
  const found: number[] = [];
  for (const { item, density } of crowds) {
    if (found.length === most || density < least * crowds[0]!.density) break;
    if (found.every((other) => distance2(item, other) >= apart * apart)) found.push(item);
  }
  return found;
}

/** So many items of a group tell where it is densest. */
const SAMPLE = 80;
/** Enough items to have a sample of every group that is large enough to have a name. */
const MOST = 60_000;

/** The place of each group of items where it is densest; null for a group of which no item was looked at. */
export function anchorsOf(
  groupOf: (item: number) => number,
  reaches: readonly number[],
  positions: Float32Array,
  order: Uint32Array,
): (Vector | null)[] {
  const samples = reaches.map((): number[] => []);
  for (const item of order.subarray(0, MOST)) {
    const sample = samples[groupOf(item)];
    if (sample && sample.length < SAMPLE) sample.push(item);
  }
  return samples.map((sample, group) => {
    const [item] = densest(sample, positions, Math.max(0.02, 0.8 * reaches[group]!));
    return item === undefined ? null : [positions[3 * item]!, positions[3 * item + 1]!, positions[3 * item + 2]!];
  });
}
