/** The colour of each item, and the entries of the legend. */
import type { NumberArray } from "../data/blocks.ts";
import type { Column, Model, NumberColumn, TextColumn, View } from "../data/model.ts";
import { Texts } from "../data/texts.ts";
import { classColors, MOST_CLASSES, type RampName, type Rgb, rampColor, restColor, strongColor } from "./palette.ts";

export interface ClassEntry {
  /** The index of the text in its column, or -1 for all other texts together. */
  code: number;
  name: string;
  count: number;
}

export interface ClassColoring {
  kind: "classes";
  column: TextColumn;
  /** Largest class first, or in numerical order. */
  entries: ClassEntry[];
  /** The classes without a colour of their own, largest first. */
  rest: ClassEntry[];
  /** For each text of the column, the index of its entry. */
  entryOf: Uint16Array;
}

export interface RampColoring {
  kind: "ramp";
  column: NumberColumn;
  /** Whether the scale is logarithmic: if most values would share one colour on a linear one. */
  logarithmic: boolean;
  /** Added to the values before their logarithm, if some of them are 0. */
  shift: number;
  /** The colours at places of the colour bar that are equally far apart, from 0 to 1: see `rampShade`. */
  shades: Float32Array;
}

export type Coloring = ClassColoring | RampColoring | { kind: "plain" };

// A map, not an object: a column may be called "__proto__".
const NAMES: ReadonlyMap<string, string> = new Map([
  ["degree", "Total weight"],
  ["trust", "Trust"],
  ["cluster_name", "Cluster"],
]);

/** The name of a column for readers: words instead of underscores, and never a number or a letter alone. */
export const titleOf = (column: string): string =>
  NAMES.get(column) ??
  (/^(\d+|[a-z])$/i.test(column) ? `column ${column}` : column.replaceAll("_", " ").trim() || column);

/** What computed columns mean, said where they stand. */
export const EXPLAINED: ReadonlyMap<string, string> = new Map([
  ["degree", "The sum of an item’s similarities to all others, as they were given."],
  [
    "trust",
    "How well the map keeps an item’s neighbours: the share of its most similar items that are also nearest to it here.",
  ],
]);

/** Names of the columns that can set the colours. Texts are classes if they repeat. */
export function colorable(model: Model): string[] {
  const names = model.columns
    .filter((c) => (c.type === "number" ? c.high > c.low : c.codes !== null && isClasses(c)))
    .map((c) => c.name);
  if (model.degree && !names.includes("degree")) names.push("degree");
  if (model.views.some((v) => v.trust) && !names.includes("trust")) names.push("trust");
  return names;
}

const isClasses = (c: TextColumn) => c.texts.length >= 2 && c.texts.length <= Math.max(12, c.codes!.length / 3);

/** The column with this name; "degree" and "trust" are columns if no other column has their name. */
export function columnNamed(model: Model, view: View | null, name: string): Column | null {
  const own = model.columns.find((c) => c.name === name);
  if (own) return own;
  if (name === "degree") return model.degree;
  if (name === "trust") return view?.trust ?? model.views.find((v) => v.trust)?.trust ?? null;
  return null;
}

export function coloringOf(model: Model, view: View | null, name: string | null): Coloring {
  const column = name === null ? null : columnNamed(model, view, name);
  if (!column) return { kind: "plain" };
  const classes = column.type === "number" && model.columns.includes(column) ? asClasses(column) : null;
  if (column.type === "number" && !classes) {
    return rampColoring(column);
  }
  return classColoring(classes ?? (column as TextColumn), classes !== null);
}

/** Numbers are skewed if their median is within this share of the scale. */
const SKEWED = 0.12;

/** How many values tell how all of them are spread. */
const SAMPLE = 4001;
/** Steps of the table of colours. */
const SHADES = 128;
/** How much the colours follow the ranks of the values, and not the values alone. */
const BY_RANK = 0.5;

function rampColoring(column: NumberColumn): RampColoring {
  const { values } = column;
  const step = Math.max(1, Math.floor(values.length / SAMPLE));
  const sample: number[] = [];
  for (let i = 0; i < values.length; i += step) if (!Number.isNaN(values[i]!)) sample.push(values[i]!);
  sample.sort((a, b) => a - b);
  const coloring: RampColoring = {
    kind: "ramp",
    column,
    ...scaleOf(column, sample),
    shades: new Float32Array(SHADES + 1),
  };
  let below = 0;
  for (let k = 0; k <= SHADES; k++) {
    while (below < sample.length && rampPlace(coloring, sample[below]!) <= k / SHADES) below++;
    // Ranks begin with the smallest value and end with the largest.
    const rank = k === 0 ? 0 : below / Math.max(1, sample.length);
    coloring.shades[k] = (1 - BY_RANK) * (k / SHADES) + BY_RANK * rank;
  }
  return coloring;
}

function scaleOf(column: NumberColumn, sample: readonly number[]): { logarithmic: boolean; shift: number } {
  const { low, high } = column;
  if (!(low >= 0) || !(high > low)) return { logarithmic: false, shift: 0 };
  const median = sample[sample.length >> 1] ?? low;
  const positive = sample.filter((value) => value > 0);
  const small = positive[Math.floor(positive.length / 10)] ?? high;
  const logarithmic = (median - low) / (high - low) < SKEWED && high / small > 8;
  return { logarithmic, shift: logarithmic && low === 0 ? small : 0 };
}

function classColoring(column: TextColumn, inOrder: boolean): ClassColoring {
  const counts = new Uint32Array(column.texts.length);
  if (column.codes) for (const code of column.codes) counts[code]!++;
  else counts.fill(1);
  const all = Array.from(counts, (count, code) => ({ code, name: column.texts.at(code), count }));
  // An empty text is a missing value, not a class.
  const named = all.filter((e) => e.name !== "");
  if (!inOrder) named.sort((a, b) => b.count - a.count || a.code - b.code);
  const entries: ClassEntry[] = named.slice(0, MOST_CLASSES);
  const shown = entries.reduce((sum, e) => sum + e.count, 0);
  const total = counts.reduce((sum, c) => sum + c, 0);
  if (shown < total) entries.push({ code: -1, name: restName(named.length - entries.length), count: total - shown });
  const entryOf = new Uint16Array(column.texts.length).fill(entries.length - 1);
  entries.forEach((e, place) => {
    if (e.code >= 0) entryOf[e.code] = place;
  });
  return { kind: "classes", column, entries, rest: named.slice(MOST_CLASSES), entryOf };
}

const restName = (more: number) => (more > 0 ? `${more.toLocaleString("en-US")} more` : "no value");

export function entryColor(coloring: ClassColoring, place: number, dark: boolean): Rgb {
  const entry = coloring.entries[place]!;
  if (entry.code < 0) return restColor(dark);
  return classColors(dark)[place] ?? restColor(dark);
}

/**
 * Treats a column with a few small integers (0 … 99) as classes, in numerical order; null for other columns. Such numbers
 * are often class labels, and a continuous colour scale would not distinguish them well.
 */
export function asClasses(column: NumberColumn): TextColumn | null {
  const known = classesOf.get(column);
  if (known !== undefined) return known;
  const values = new Set<number>();
  const small = column.low >= 0 && column.high <= 99 && column.values.length >= 20;
  for (let i = 0; small && i < column.values.length && values.size <= MOST_CLASSES; i++) {
    const value = column.values[i]!;
    values.add(Number.isInteger(value) ? value : NaN);
  }
  let made: TextColumn | null = null;
  if (values.size >= 2 && values.size <= MOST_CLASSES && !values.has(NaN)) {
    const sorted = [...values].sort((a, b) => a - b);
    const place = new Map(sorted.map((value, k) => [value, k]));
    const codes = Uint8Array.from(column.values as ArrayLike<number>, (value) => place.get(value)!);
    made = { type: "text", name: column.name, texts: Texts.of(sorted.map(String)), codes };
  }
  classesOf.set(column, made);
  return made;
}

const classesOf = new WeakMap<NumberColumn, TextColumn | null>();

export const entryOfItem = (coloring: ClassColoring, item: number): number =>
  coloring.entryOf[coloring.column.codes ? coloring.column.codes[item]! : item]!;

/** The position of a value on the colour bar, in [0, 1]. */
export function rampPlace({ column: { low, high }, logarithmic, shift }: RampColoring, value: number): number {
  if (!(high > low)) return 0.5;
  if (!logarithmic) return (value - low) / (high - low);
  return Math.log((value + shift) / (low + shift)) / Math.log((high + shift) / (low + shift));
}

/** The inverse of `rampPlace`. */
export function rampValue({ column: { low, high }, logarithmic, shift }: RampColoring, place: number): number {
  if (!logarithmic) return low + (high - low) * place;
  return (low + shift) * ((high + shift) / (low + shift)) ** place - shift;
}

/**
 * The colour at a place of the colour bar, as a share of the palette. Half of it is the place itself, half the share of the
 * items with smaller values: where values are crowded, their colours still differ.
 */
export function rampShade({ shades }: RampColoring, place: number): number {
  const at = Math.max(0, Math.min(1, place)) * SHADES;
  const k = Math.min(SHADES - 1, Math.floor(at));
  return shades[k]! + (shades[k + 1]! - shades[k]!) * (at - k);
}

/** Writes three bytes of colour for each item. */
export function colorItems(
  coloring: Coloring,
  count: number,
  dark: boolean,
  ramp: RampName,
  isolated: ReadonlySet<number> = new Set(),
): Uint8Array {
  const out = new Uint8Array(3 * count);
  if (coloring.kind === "plain") {
    const c = classColors(dark)[0]!;
    for (let i = 0; i < count; i++) out.set(c, 3 * i);
    return out;
  }
  if (coloring.kind === "classes") {
    const colors = Array.from(coloring.entryOf, (place, code) =>
      coloring.entries[place]!.code < 0 && isolated.has(code) ? strongColor(dark) : entryColor(coloring, place, dark),
    );
    const { codes } = coloring.column;
    for (let i = 0; i < count; i++) {
      const c = colors[codes ? codes[i]! : i]!;
      out[3 * i] = c[0];
      out[3 * i + 1] = c[1];
      out[3 * i + 2] = c[2];
    }
    return out;
  }
  const table = new Uint8Array(3 * 256);
  for (let k = 0; k < 256; k++) table.set(rampColor(ramp, k / 255, dark), 3 * k);
  const rest = restColor(dark);
  const values: NumberArray = coloring.column.values;
  for (let i = 0; i < count; i++) {
    const place = rampPlace(coloring, values[i]!);
    if (Number.isNaN(place)) {
      out.set(rest, 3 * i);
      continue;
    }
    const k = 3 * Math.max(0, Math.min(255, Math.round(rampShade(coloring, place) * 255)));
    out[3 * i] = table[k]!;
    out[3 * i + 1] = table[k + 1]!;
    out[3 * i + 2] = table[k + 2]!;
  }
  return out;
}
