/** The highlighted items: those that pass all filters and, if there is a selection, belong to it. */
import { type ClassColoring, type Coloring, coloringOf, columnNamed } from "../color/coloring.ts";
import type { Model } from "../data/model.ts";
import type { State } from "../state.ts";

/** One byte for each item, 1 if it is highlighted; null if all are. */
export function standing(model: Model, coloring: Coloring, state: Readonly<State>): Uint8Array | null {
  const { isolated, chosen, ranges, selection } = state;
  if (!selection && ranges.size === 0 && isolated.size === 0 && chosen.size === 0) return null;
  const mask = selection ? selection.slice() : new Uint8Array(model.count).fill(1);
  if (coloring.kind === "classes" && isolated.size > 0) leave(mask, coloring, isolated);
  for (const [name, codes] of chosen) {
    const classes = coloringOf(model, null, name);
    if (classes.kind === "classes" && codes.size > 0) leave(mask, classes, codes);
  }
  for (const [name, [low, high]] of ranges) {
    const column = columnNamed(model, null, name);
    if (column?.type !== "number") continue;
    // In this form, a missing value (NaN) does not pass.
    for (let i = 0; i < mask.length; i++) if (!(column.values[i]! >= low && column.values[i]! <= high)) mask[i] = 0;
  }
  return mask;
}

/** Leaves only the items of these classes; a class passes by itself, or as one of the rest. */
function leave(mask: Uint8Array, { entries, entryOf, column }: ClassColoring, codes: ReadonlySet<number>): void {
  const passes = Uint8Array.from(entryOf, (entry, code) =>
    Number(codes.has(code) || (entries[entry]!.code < 0 && codes.has(-1))),
  );
  for (let i = 0; i < mask.length; i++) if (!passes[column.codes ? column.codes[i]! : i]) mask[i] = 0;
}

/**
 * The classes that are shown after a click on one of them. Of several, a plain click leaves this one; only the last one is
 * switched off by it. `several` adds a class or takes it away.
 */
export function toggled(shown: ReadonlySet<number>, code: number, several: boolean): Set<number> {
  const next = new Set(several ? shown : []);
  if (!shown.has(code) || (!several && shown.size > 1)) next.add(code);
  else next.delete(code);
  return next;
}

export function countOf(mask: Uint8Array | null): number {
  let count = 0;
  if (mask) for (let i = 0; i < mask.length; i++) count += mask[i]!;
  return count;
}
