/** Finds a query in names, in classes and places, and in all other texts, in this order. */
import { CLUSTER_NAME } from "../choice.ts";
import { colorable } from "../color/coloring.ts";
import type { Model, TextColumn } from "../data/model.ts";
import type { Rank } from "../data/texts.ts";

export interface Found {
  /** The first items to show: those whose names contain the query, best first, and those that only have it in another text. */
  named: number[];
  described: number[];
  /** Classes and places whose names contain the query, the largest first. */
  groups: Group[];
  /** Total number of items found. */
  total: number;
  /** One byte for each item, 1 if found. */
  mask: Uint8Array;
}

/** A class of a column, or a cluster of the map. */
export type Group = { name: string; count: number } & (
  | { kind: "class"; column: string; code: number }
  | { kind: "place"; level: number; cluster: number }
);

/** So many items by name, so many classes and places, and so many results in all. */
const MOST_NAMED = 14;
const MOST_GROUPS = 6;
const MOST = 30;
/** Texts that only describe an item come after all names. */
const DESCRIBED = 4;

/**
 * Searches the ids, the column that names the items, and all other texts. Of equally good items, those with a larger weight
 * come first.
 */
export function search(
  model: Model,
  query: string,
  label: string | null = null,
  weights: Float32Array | null = null,
): Found {
  const mask = new Uint8Array(model.count);
  const best = Array.from({ length: DESCRIBED + 1 }, () => new Best(weights));
  let total = 0;
  const hit = (item: number, rank: Rank | typeof DESCRIBED) => {
    if (mask[item]) return;
    mask[item] = 1;
    total++;
    best[rank]!.offer(item);
  };
  const texts = model.columns.filter((column) => column.type === "text");
  const naming = texts.find((column) => column.name === label);
  // The name on the map is more than an id that is only a code.
  if (naming) searchColumn(naming, query, hit);
  model.ids.search(query, hit);
  for (const column of texts) {
    // A place is found itself: everything that lies in it would only bury the rest.
    if (column === naming || (model.clusters && column.name === CLUSTER_NAME)) continue;
    searchColumn(column, query, (item) => hit(item, DESCRIBED));
  }
  const named = best.slice(0, DESCRIBED).flatMap((list) => list.items);
  const described = best[DESCRIBED]!.items;
  const groups = groupsNamed(model, query);
  const few = described.length + groups.length ? MOST_NAMED : MOST;
  const shown = named.slice(0, few);
  return { named: shown, described: described.slice(0, MOST - shown.length - groups.length), groups, total, mask };
}

function searchColumn({ texts, codes }: TextColumn, query: string, hit: (item: number, rank: Rank) => void): void {
  if (!codes) {
    texts.search(query, hit);
    return;
  }
  // Each distinct text is searched once; 0 if it does not match.
  const ranks = new Uint8Array(texts.length);
  let any = false;
  texts.search(query, (text, rank) => {
    ranks[text] = 1 + rank;
    any = true;
  });
  if (any) for (let i = 0; i < codes.length; i++) if (ranks[codes[i]!]) hit(i, (ranks[codes[i]!]! - 1) as Rank);
}

/** Some items with the largest weights, ties in order. */
class Best {
  readonly items: number[] = [];

  constructor(private readonly weights: Float32Array | null) {}

  offer(item: number): void {
    const { items, weights } = this;
    const weight = (other: number) => weights?.[other] ?? 0;
    if (items.length === MOST && !(weight(item) > weight(items.at(-1)!))) return;
    let place = items.length;
    while (place > 0 && weight(item) > weight(items[place - 1]!)) place--;
    items.splice(place, 0, item);
    if (items.length > MOST) items.pop();
  }
}

function groupsNamed(model: Model, query: string): Group[] {
  const found = new Map<string, Group>();
  const { clusters } = model;
  const wanted = query.toLowerCase();
  // A cluster that is not divided further has the same name on several levels.
  for (const [level, { names }] of clusters?.levels.entries() ?? []) {
    if (!names.some((name) => name.toLowerCase().includes(wanted))) continue;
    const sizes = clusters!.sizes(clusters!.levels[level]!);
    for (const [cluster, name] of names.entries())
      if (name.toLowerCase().includes(wanted) && !found.has(name))
        found.set(name, { kind: "place", name, level, cluster, count: sizes[cluster]! });
  }
  const classes = new Set(colorable(model));
  for (const column of model.columns) {
    if (column.type !== "text" || !column.codes || !classes.has(column.name)) continue;
    if (clusters && column.name === CLUSTER_NAME) continue;
    const codes = new Set<number>();
    column.texts.search(query, (code) => void codes.add(code));
    if (!codes.size) continue;
    const counts = new Uint32Array(column.texts.length);
    for (const code of column.codes) counts[code]!++;
    for (const code of codes) {
      const name = column.texts.at(code);
      found.set(`${column.name}\n${name}`, { kind: "class", name, column: column.name, code, count: counts[code]! });
    }
  }
  return [...found.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)).slice(0, MOST_GROUPS);
}
