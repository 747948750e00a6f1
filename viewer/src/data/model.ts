/** The data of all items, read from the header and the blocks of the page. */

import { procrustes, transform } from "../geometry/procrustes.ts";
import { type Block, type NumberArray, readBytes, readHeader, readNumbers } from "./blocks.ts";
import { type Clusters, type ClustersHeader, readClusters } from "./clusters.ts";
import { fromBox, fromOctahedral } from "./positions.ts";
import { NumberTexts, readTexts, type Texts, type TextsHeader } from "./texts.ts";

export type SpaceName = "sphere" | "plane" | "space";

interface Header {
  format: number;
  title: string;
  subtitle?: string;
  source?: string;
  noun: string;
  count: number;
  ids: TextsHeader | null;
  columns: (
    | ({ name: string; type: "text"; codes: Block | null } & TextsHeader)
    | { name: string; type: "number"; values: Block }
  )[];
  views: {
    name: string;
    space: SpaceName;
    radius: number | null;
    bits: number;
    positions: Block;
    trust: Block | null;
    snapshot_bits: number;
    snapshots: { step: number; name?: string; positions: Block }[];
  }[];
  flat?: Header["views"][number];
  neighbors: { counts: Block; indices: Block; strengths: Block; weights: Block | null } | null;
  degree: Block | null;
  sprites: { width: number; height: number; channels: 1 | 3 | 4; pixels: Block } | null;
  measures: Measures | null;
  color: string | null;
  size?: string;
  label?: string;
  clusters?: ClustersHeader | null;
}

export interface TextColumn {
  readonly type: "text";
  readonly name: string;
  /** The distinct texts, and the index of the text of each item. */
  readonly texts: Texts;
  readonly codes: NumberArray | null;
}

export interface NumberColumn {
  readonly type: "number";
  readonly name: string;
  readonly values: NumberArray;
  /** The smallest and largest value that is a number. */
  readonly low: number;
  readonly high: number;
  /** Whether the numbers look like years, which have no commas. */
  readonly years: boolean;
}

export type Column = TextColumn | NumberColumn;

/** An earlier state of a map. */
export interface Snapshot {
  readonly step: number;
  /** Of an earlier map, which is no step of the optimisation. */
  readonly name: string | null;
  readonly positions: Float32Array;
}

export interface View {
  readonly name: string;
  readonly space: SpaceName;
  readonly radius: number | null;
  /** Three coordinates for each item: unit vectors on the sphere, otherwise within [-1, 1]. */
  readonly positions: Float32Array;
  readonly trust: NumberColumn | null;
  readonly snapshots: readonly Snapshot[];
}

export interface Neighbors {
  /** Item i has the entries from starts[i] to starts[i + 1]. */
  readonly starts: Uint32Array;
  readonly indices: NumberArray;
  readonly strengths: NumberArray;
  /** As they were given; null if they are not known, or all the same. */
  readonly weights: NumberArray | null;
}

export interface Sprites {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
  readonly pixels: Uint8Array;
}

/** Formatted measures of maps: one column for each map, one row for each measure. */
export interface Measures {
  readonly columns: readonly string[];
  /** The most important ones in words. */
  readonly sentences: readonly { title: string; text: string }[];
  /** The column with the best value, if there is one. */
  readonly rows: readonly { name: string; cells: readonly string[]; best: number | null }[];
}

export interface Model {
  readonly title: string;
  /** What the map shows, in a sentence; and where the data are from, which is empty if the page does not say. */
  readonly subtitle: string;
  readonly source: string;
  readonly noun: string;
  readonly count: number;
  readonly ids: Texts;
  /** Whether the ids are only row numbers. */
  readonly numbered: boolean;
  readonly columns: readonly Column[];
  readonly views: readonly View[];
  /** A flat map that has no place of its own: it wraps around the globe on request. */
  readonly flat: View | null;
  readonly neighbors: Neighbors | null;
  readonly degree: NumberColumn | null;
  readonly sprites: Sprites | null;
  readonly measures: Measures | null;
  /** The column that sets the initial colours; null lets the page choose. */
  readonly color: string | null;
  /** The column that sets the initial sizes, or "none"; null lets the page choose. */
  readonly size: string | null;
  /** The column with the names at first; null lets the page choose. */
  readonly label: string | null;
  /** Clusters of the first view; null if it has none. */
  readonly clusters: Clusters | null;
}

export async function readModel(): Promise<Model> {
  const header = readHeader<Header>();
  if (header.format !== 1) throw new Error(`This page's data has format ${header.format}; this viewer reads format 1.`);
  const views = await Promise.all(header.views.map(readView));
  const first = views[0];
  for (const view of views.slice(1)) if (first && view.space === first.space) align(first, view);
  return {
    title: header.title,
    subtitle: header.subtitle || reading(header),
    source: header.source ?? "",
    noun: header.noun || "items",
    count: header.count,
    ids: header.ids ? await readTexts(header.ids) : new NumberTexts(header.count),
    numbered: !header.ids,
    columns: await Promise.all(header.columns.map(readColumn)),
    views,
    flat: header.flat ? await readView(header.flat) : null,
    neighbors: header.neighbors && (await readNeighbors(header.neighbors)),
    degree: header.degree && numberColumn("degree", await readNumbers(header.degree)),
    sprites: header.sprites && { ...header.sprites, pixels: await readBytes(header.sprites.pixels) },
    measures: header.measures,
    color: header.color,
    size: header.size ?? null,
    label: header.label ?? null,
    clusters: header.clusters ? await readClusters(header.clusters) : null,
  };
}

/** How to read a map, where nobody says what it shows. */
const reading = ({ noun, views }: Header): string => {
  const items = noun || "items";
  return views.length > 1 ? `Each map puts similar ${items} close together.` : `Similar ${items} lie close together.`;
};

async function readView(header: Header["views"][number]): Promise<View> {
  const read = async (block: Block, bits: number) => {
    const numbers = await readNumbers(block);
    if (header.space === "sphere") return fromOctahedral(numbers, bits);
    return fromBox(numbers, bits, header.space === "plane" ? 2 : 3);
  };
  const positions = await read(header.positions, header.bits);
  const snapshots = await Promise.all(
    header.snapshots.map(async (s) => ({
      step: s.step,
      name: s.name ?? null,
      positions: await read(s.positions, header.snapshot_bits),
    })),
  );
  const trust = header.trust && (await readNumbers(header.trust));
  return {
    name: header.name,
    space: header.space,
    radius: header.radius,
    positions,
    snapshots,
    trust:
      trust &&
      numberColumn(
        "trust",
        Float32Array.from(trust, (t) => t / 255),
      ),
  };
}

/** Rotates a view and its snapshots onto another view of the same kind of space. */
function align(onto: View, view: View): void {
  const map = procrustes(onto.positions, view.positions);
  transform(map, view.positions);
  for (const snapshot of view.snapshots) transform(map, snapshot.positions);
}

async function readColumn(header: Header["columns"][number]): Promise<Column> {
  if (header.type === "number") return numberColumn(header.name, await readNumbers(header.values));
  const codes = header.codes && (await readNumbers(header.codes));
  return { type: "text", name: header.name, texts: await readTexts(header), codes };
}

export function numberColumn(name: string, values: NumberArray): NumberColumn {
  let low = Infinity;
  let high = -Infinity;
  let whole = true;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
    whole &&= Number.isInteger(value) || Number.isNaN(value);
  }
  return { type: "number", name, values, low, high, years: whole && low >= 1000 && high <= 2200 };
}

async function readNeighbors(header: NonNullable<Header["neighbors"]>): Promise<Neighbors> {
  const counts = await readNumbers(header.counts);
  const starts = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) starts[i + 1] = starts[i]! + counts[i]!;
  return {
    starts,
    indices: await readNumbers(header.indices),
    strengths: await readNumbers(header.strengths),
    weights: header.weights && (await readNumbers(header.weights)),
  };
}

/** The formatted value of a column for an item; empty if it is missing. */
export function textOf(column: Column, item: number): string {
  if (column.type === "text") return column.texts.at(column.codes ? column.codes[item]! : item);
  const value = column.values[item]!;
  return Number.isNaN(value) ? "" : formatNumber(value, column.years);
}

/** Six digits and commas between thousands, everywhere on the page; years have no commas. */
export function formatNumber(value: number, year = false): string {
  if (year) return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value.toLocaleString("en-US");
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e9) return value.toPrecision(4);
  return Number(value.toPrecision(6)).toLocaleString("en-US", { maximumFractionDigits: 9 });
}
