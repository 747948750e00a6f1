/**
 * Connected cells of a grid on the sphere as regions, and how they are made fewer, as on a map at a smaller scale: each region
 * that is too small, or that is not clearly of one class, joins the neighbour with which it shares the longest border.
 */
import type { Grid } from "./grid.ts";

/** The regions of a grid: the number of the region of each cell, and how many there are. */
export interface Regions {
  readonly of: Uint32Array;
  readonly count: number;
}

/** The cells beside, below and above a cell. */
export function around({ width, height }: Grid, cell: number): number[] {
  const column = cell % width;
  const row = cell - column;
  const found = [row + ((column + 1) % width), row + ((column + width - 1) % width)];
  if (row > 0) found.push(cell - width);
  if (row < (height - 1) * width) found.push(cell + width);
  return found;
}

/** Connected cells of the same kind. */
export function connected(grid: Grid, kindOf: Uint8Array): Regions {
  const { width } = grid;
  const size = kindOf.length;
  const of = new Uint32Array(size).fill(size);
  const open = new Uint32Array(size);
  let count = 0;
  for (let start = 0; start < size; start++) {
    if (of[start] !== size) continue;
    const kind = kindOf[start];
    let height = 0;
    const take = (cell: number) => {
      if (of[cell] !== size || kindOf[cell] !== kind) return;
      of[cell] = count;
      open[height++] = cell;
    };
    take(start);
    while (height > 0) {
      const cell = open[--height]!;
      const column = cell % width;
      take(column + 1 < width ? cell + 1 : cell - column);
      take(column > 0 ? cell - 1 : cell + width - 1);
      if (cell >= width) take(cell - width);
      if (cell + width < size) take(cell + width);
    }
    count++;
  }
  return { of, count };
}

/** A place of the sample: its cell and its class. */
export interface Census {
  readonly cells: Uint32Array;
  /** The class of each item, by number; `none` if it has none. */
  readonly classes: Uint8Array;
  readonly none: number;
}

/** What a region must have to stay: so many more items of its class than others, and this share of them. */
export interface Demands {
  readonly surplus: number;
  readonly share: number;
}

interface Region {
  items: number;
  /** The number of items of each class. */
  readonly classes: Map<number, number>;
  /** The length of the border to each other region, on land. */
  readonly borders: Map<number, number>;
  owner: number;
  dry: boolean;
}

/** The owner of each cell after regions that do not meet the demands have joined others. Regions in the sea do not matter. */
export function generalized(
  grid: Grid,
  owner: Uint8Array,
  isLand: (cell: number) => boolean,
  census: Census,
  demands: Demands,
): Uint8Array {
  const { of, count } = connected(grid, owner);
  const regions = Array.from({ length: count }, (): Region => {
    return { items: 0, classes: new Map(), borders: new Map(), owner: census.none, dry: false };
  });
  const { width } = grid;
  const meet = (region: number, cell: number, length: number) => {
    const other = of[cell]!;
    if (other === region || !isLand(cell)) return;
    add(regions[region]!.borders, other, length);
    add(regions[other]!.borders, region, length);
  };
  for (let cell = 0; cell < of.length; cell++) {
    const here = regions[of[cell]!]!;
    here.owner = owner[cell]!;
    if (!isLand(cell)) continue;
    here.dry = true;
    // Every pair of neighbours once: the cell beside, and the one above, which is narrower near the poles.
    const [column, row] = [cell % width, Math.floor(cell / width)];
    meet(of[cell]!, cell - column + ((column + 1) % width), 1);
    if (row + 1 < grid.height) meet(of[cell]!, cell + width, grid.cosines[row]!);
  }
  for (const [k, cell] of census.cells.entries()) {
    const here = regions[of[cell]!]!;
    here.items++;
    add(here.classes, census.classes[k]!, 1);
  }
  // The region that each one has joined, or itself.
  const joined = Uint32Array.from(regions, (_, region) => region);
  const fails = ({ items, classes, owner, borders, dry }: Region) => {
    const own = classes.get(owner) ?? 0;
    return dry && borders.size > 0 && (2 * own - items < demands.surplus || own < demands.share * items);
  };
  const open = new Set<number>();
  for (const [place, region] of regions.entries()) if (fails(region)) open.add(place);
  while (open.size) {
    // The smallest first: what is left of the larger ones may then be clear.
    const from = [...open].reduce((a, b) => (regions[b]!.items < regions[a]!.items ? b : a));
    const to = largest(regions[from]!.borders);
    join(regions, from, to, census.none);
    joined[from] = to;
    open.delete(from);
    if (fails(regions[to]!)) open.add(to);
    else open.delete(to);
    // A region without neighbours on land has nobody to join.
    for (const region of open) if (!regions[region]!.borders.size) open.delete(region);
  }
  const last = (region: number): number => (joined[region] === region ? region : last(joined[region]!));
  const owners = Uint8Array.from(joined, (_, region) => regions[last(region)]!.owner);
  return Uint8Array.from(of, (region) => owners[region]!);
}

const add = (map: Map<number, number>, key: number, amount: number) => map.set(key, (map.get(key) ?? 0) + amount);

const largest = (map: ReadonlyMap<number, number>): number =>
  [...map].reduce((a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a))[0];

/** A region joins another, which then has the class of most of both. */
function join(regions: readonly Region[], from: number, to: number, none: number): void {
  const [a, b] = [regions[from]!, regions[to]!];
  b.items += a.items;
  for (const [c, n] of a.classes) add(b.classes, c, n);
  for (const [other, length] of a.borders) {
    const neighbor = regions[other]!;
    neighbor.borders.delete(from);
    if (other === to) continue;
    add(b.borders, other, length);
    add(neighbor.borders, to, length);
  }
  b.borders.delete(from);
  if (b.classes.size) b.owner = largest(b.classes);
  else b.owner = a.owner === none ? b.owner : a.owner;
}
