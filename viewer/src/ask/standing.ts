/** The highlighted items: those that pass all filters and, if there is a selection, belong to it. */
import { type Coloring, columnNamed } from "../color/coloring.ts";
import type { Model } from "../data/model.ts";
import type { State } from "../state.ts";

/** One byte for each item, 1 if it is highlighted; null if all are. */
export function standing(model: Model, coloring: Coloring, state: Readonly<State>): Uint8Array | null {
  const { isolated, ranges, selection } = state;
  if (!selection && ranges.size === 0 && isolated.size === 0) return null;
  const mask = selection ? selection.slice() : new Uint8Array(model.count).fill(1);
  if (coloring.kind === "classes" && isolated.size > 0) {
    const { entries, entryOf, column } = coloring;
    // A class passes by itself, or as one of the rest.
    const passes = Uint8Array.from(entryOf, (entry, code) =>
      Number(isolated.has(code) || (entries[entry]!.code < 0 && isolated.has(-1))),
    );
    for (let i = 0; i < mask.length; i++) if (!passes[column.codes ? column.codes[i]! : i]) mask[i] = 0;
  }
  for (const [name, [low, high]] of ranges) {
    const column = columnNamed(model, null, name);
    if (column?.type !== "number") continue;
    // In this form, a missing value (NaN) does not pass.
    for (let i = 0; i < mask.length; i++) if (!(column.values[i]! >= low && column.values[i]! <= high)) mask[i] = 0;
  }
  return mask;
}

export function countOf(mask: Uint8Array | null): number {
  let count = 0;
  if (mask) for (let i = 0; i < mask.length; i++) count += mask[i]!;
  return count;
}
