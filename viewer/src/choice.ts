/** What a page shows before anybody chooses: the columns of colours, names and sizes. */
import { asClasses, colorable } from "./color/coloring.ts";
import type { Column, Model, TextColumn } from "./data/model.ts";
import type { ProjectionId } from "./geometry/projection.ts";

/** Names that columns of classes usually have. */
const CLASS_NAMES =
  /(^|[_ .-])(class|label|labels|type|kind|group|region|continent|country|cluster|category|genre|topic|community|species|species_group|section|party|louvain|leiden|cell_?type|target|digit)s?$|^y$/i;
/** Names of coordinates of other layouts: they say where something was drawn, not what it is. */
const COORDINATES =
  /^(x|y|z|u|v|[xyz]_?\d*|x_?coord\w*|y_?coord\w*|lat|lon|lng|long|latitude|longitude|(umap|t-?sne|pca?|mds|phate|diffmap|dim|comp(onent)?)[ _-]*\d*)$/i;
const TITLE_NAMES = /^(name|title|label|term|word|text|city|headline|symbol)s?$/i;

/** The column of the names of clusters that were found on the map. */
export const CLUSTER_NAME = "cluster_name";
/** The column of their numbers, for other programs; readers see the names. */
export const CLUSTER_NUMBER = "cluster";
/** Clusters come after classes that were given, if these are few, and before numbers. */
const CLUSTER_SCORE = 50;

/** How well a column tells items apart by colour. */
function scoreOf(model: Model, name: string): number {
  const column = model.columns.find((c) => c.name === name);
  if (model.clusters && name === CLUSTER_NAME) return CLUSTER_SCORE;
  if (model.clusters && name === CLUSTER_NUMBER) return 1;
  // Computed columns: the degree says more than the trust.
  if (!column) return name === "degree" ? 25 : 15;
  const usual = CLASS_NAMES.test(name) ? 15 : 0;
  const classes = column.type === "number" ? asClasses(column) : column;
  if (!classes) return COORDINATES.test(name) ? -100 : 20;
  return classScore(classes) + usual - (column.type === "number" && !usual ? 15 : 0) - (areWords(classes) ? 0 : 20);
}

/** Whether the classes have names, and not only numbers. */
function areWords(column: TextColumn): boolean {
  const some = Array.from({ length: Math.min(20, column.texts.length) }, (_, code) => column.texts.at(code));
  return some.some((name) => /[^\d\s.,+-]/.test(name));
}

function classScore(column: TextColumn): number {
  const counts = new Uint32Array(column.texts.length);
  for (const code of column.codes ?? []) counts[code]!++;
  const total = counts.reduce((sum, c) => sum + c, 0) || 1;
  const sorted = Array.from(counts)
    .filter((_, code) => column.texts.at(code) !== "")
    .sort((a, b) => b - a);
  const covered = sorted.slice(0, 10).reduce((sum, c) => sum + c, 0) / total;
  let score = sorted.length <= 12 ? 100 : sorted.length <= 24 ? 70 : sorted.length <= 60 ? 45 : 30;
  // One class for almost everything says nothing; many small classes would be grey.
  if ((sorted[0] ?? 0) / total > 0.95) score -= 45;
  if (covered < 0.6) score -= 25;
  return score;
}

/** The columns that can set the colours, best first. */
function ranked(model: Model): string[] {
  const names = colorable(model).map((name, place) => ({ name, place, score: scoreOf(model, name) }));
  names.sort((a, b) => b.score - a.score || a.place - b.place);
  return names.filter((n) => n.score > 0).map((n) => n.name);
}

export function firstColor(model: Model): string | null {
  const { color } = model;
  if (color && colorable(model).includes(color)) return color;
  return ranked(model)[0] ?? null;
}

const isClassLike = (column: Column | undefined): boolean =>
  column !== undefined && (column.type === "text" ? column.codes !== null : asClasses(column) !== null);

/** The classes that name the parts of the map while the colours show a number; null if there are none. */
export function namingColumn(model: Model): string | null {
  const found = ranked(model).find((name) => isClassLike(model.columns.find((c) => c.name === name)));
  return found ?? null;
}

/** The column of names, if the ids are only numbers and a column has better ones. */
export function firstLabel(model: Model): string | null {
  const { label } = model;
  if (label && model.columns.some((c) => c.name === label)) return label;
  if (!model.numbered && !idsAreNumbers(model)) return null;
  const titled = model.columns.find((c) => c.type === "text" && !isRepeating(c) && TITLE_NAMES.test(c.name));
  return titled?.name ?? null;
}

const isRepeating = (c: TextColumn) => c.codes !== null && c.texts.length < 0.5 * c.codes.length;

const sampleOf = (model: Model): string[] =>
  Array.from({ length: Math.min(model.count, 60) }, (_, k) => model.ids.at(Math.floor((k * model.count) / 60)));

const idsAreNumbers = (model: Model): boolean => sampleOf(model).every((id) => /^\d*$/.test(id));

/** Whether the ids mean nothing to a reader: row numbers, barcodes, hashes. */
export function idsAreCodes(model: Model): boolean {
  if (model.numbered) return true;
  const sample = sampleOf(model).filter(Boolean);
  const codes = sample.filter(
    (id) =>
      /^\d+$/.test(id) ||
      /^[ACGTN]{6,}([-_.:].*)?$/.test(id) ||
      (id.length >= 8 && /^([A-Z0-9_.:-]+|[0-9a-f-]+)$/.test(id) && /[0-9]/.test(id)),
  );
  return codes.length > 0.6 * sample.length;
}

/** From this ratio of width to height on, there is room for a whole map. */
const WIDE = 1.25;

/** Islands cover at most this share of the sphere. */
const ISLANDS = 0.3;
/** So many items tell how much of the sphere they cover; the sphere has so many cells, and twice as many around it. */
const COUNTED = 3000;
const ROWS = 12;

/**
 * Images say what is where only if they can be seen, and of a few islands in a large ocean a globe shows one or two: where there
 * is room, the whole map shows them all.
 */
export function firstProjection(model: Model, shape: number): ProjectionId {
  const [view, other] = model.views;
  if (view?.space !== "sphere" || other || shape < WIDE) return "globe";
  return model.sprites || covered(view.positions) < ISLANDS ? "equalearth" : "globe";
}

/** The share of cells of equal area on the sphere that have a fair part of the items in them. */
export function covered(positions: Float32Array): number {
  const count = positions.length / 3;
  const [some, cells] = [Math.min(count, COUNTED), 2 * ROWS * ROWS];
  const counts = new Uint32Array(cells);
  for (let k = 0; k < some; k++) {
    const i = 3 * Math.floor((k * count) / some);
    const row = Math.min(ROWS - 1, Math.floor(((positions[i + 1]! + 1) / 2) * ROWS));
    const turn = Math.atan2(positions[i + 2]!, positions[i]!) / (2 * Math.PI) + 0.5;
    counts[row * 2 * ROWS + Math.min(2 * ROWS - 1, Math.floor(turn * 2 * ROWS))]!++;
  }
  // Fewer items than cells cover nothing, whatever they are.
  return some < cells ? 1 : counts.filter((n) => n > (0.2 * some) / cells).length / cells;
}

/** Sizes show the degree if it differs clearly; sizes that hardly differ would only look untidy. */
export function firstSize(model: Model): string | null {
  const { degree, size } = model;
  if (size && model.columns.some((c) => c.name === size && c.type === "number")) return size;
  if (size === "none") return null;
  if (size === "degree" && degree) return size;
  if (!degree || !(degree.low >= 0)) return null;
  const sample = Array.from({ length: Math.min(model.count, 2001) }, (_, k) =>
    Number(degree.values[Math.floor((k * model.count) / Math.min(model.count, 2001))]),
  ).sort((a, b) => a - b);
  const median = sample[sample.length >> 1] ?? 0;
  return degree.high > 4 * median ? "degree" : null;
}
