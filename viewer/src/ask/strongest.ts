/** The strongest similarities of the data, as pairs of items. */
import type { Neighbors } from "../data/model.ts";

export interface Pairs {
  /** Two items for each pair, the strongest pair first. */
  readonly items: Uint32Array;
  /** From 0 to 255. */
  readonly strengths: Uint8Array;
  /** Number of pairs that there are, of which these are the strongest. */
  readonly all: number;
}

/** At most `most` pairs: of all items, or those with at least one highlighted item. Each pair is listed once. */
export function strongestPairs(
  { starts, indices, strengths }: Neighbors,
  mask: Uint8Array | null,
  most: number,
): Pairs {
  const count = starts.length - 1;
  const lists = (i: number, j: number) => {
    for (let k = starts[i]!; k < starts[i + 1]!; k++) if (indices[k] === j) return true;
    return false;
  };
  const counts = new Uint32Array(257);
  const found: number[] = [];
  for (let i = 0; i < count; i++)
    for (let k = starts[i]!; k < starts[i + 1]!; k++) {
      const j = indices[k]!;
      if (mask && !mask[i] && !mask[j]) continue;
      // A pair that both list belongs to the first of them.
      if (j < i && lists(j, i)) continue;
      found.push(i, k);
      counts[256 - strengths[k]!]!++;
    }
  // By counting, since there may be a million: the strongest first, equal ones in the order of the items.
  for (let s = 1; s < counts.length; s++) counts[s]! += counts[s - 1]!;
  const all = found.length / 2;
  const shown = Math.min(most, all);
  const items = new Uint32Array(2 * shown);
  const strength = new Uint8Array(shown);
  for (let p = 0; p < all; p++) {
    const k = found[2 * p + 1]!;
    const place = counts[255 - strengths[k]!]!++;
    if (place >= shown) continue;
    items[2 * place] = found[2 * p]!;
    items[2 * place + 1] = indices[k]!;
    strength[place] = strengths[k]!;
  }
  return { items, strengths: strength, all };
}
