/**
 * Borders between classes on the land.
 *
 * Each class has a density of its own on the grid of the land, by a wider kernel if items are few. A cell belongs to the class that is densest there. Regions of
 * few items, and those in which no class has a clear majority, join their neighbours, so that the lines are few and none ends
 * inland. Between cells of two classes, the border is where both are equally dense, interpolated between the middles of the
 * cells. There are none in the sea.
 */
import { borderKernelFor, kernelFor, MOST, QUANTILES, tidy, WIDTH } from "./density.ts";
import { Grid } from "./grid.ts";
import { generalized } from "./regions.ts";
import { fromDegrees, unit, type Vector } from "./vector.ts";

/** An item without a class, or with one that has no colour. */
export const NO_CLASS = 255;
/** In a region, so many more items must be of its class than of all others, and this share of all items. */
const LEAST_SURPLUS = 8;
const LEAST_SHARE = 0.01;
/** The share of a region's items that must be of its class. */
const CLEAR = 0.6;
/** Shorter pieces of borders, in standard deviations of the land's kernel, only cut off a corner at the coast. */
const SHORTEST = 2;
/** How often the corners of a border are cut. */
const CUTS = 2;

/** A place on a border, and how dense all items are there. */
interface Crossing {
  readonly at: Vector;
  readonly density: number;
}

/** The borders as lines on the sphere. `classOf` has the class of each item. */
export function bordersOf(positions: Float32Array, classOf: Uint8Array, order: Uint32Array): Vector[][] {
  const classes = 1 + classOf.reduce((most, c) => (c === NO_CLASS ? most : Math.max(most, c)), -1);
  if (order.length < 20 || classes < 2) return [];
  const grid = new Grid(WIDTH, WIDTH / 2);
  const size = grid.width * grid.height;
  const sample = order.subarray(0, MOST);
  const sigma = kernelFor(sample.length);
  const counts = Array.from({ length: classes }, () => new Float32Array(size));
  const others = new Float32Array(size);
  const cells = new Uint32Array(sample.length);
  for (const [k, item] of sample.entries()) {
    const cell = grid.cellOf(positions[3 * item]!, positions[3 * item + 1]!, positions[3 * item + 2]!);
    cells[k] = cell;
    (counts[classOf[item]!] ?? others)[cell]! += 1;
  }
  const broad = borderKernelFor(sample.length);
  const densities = counts.map((field) => grid.smooth(field, broad));
  const rest = grid.smooth(others, broad);
  for (const count of counts) for (let i = 0; i < size; i++) others[i]! += count[i]!;
  const all = grid.smooth(others, sigma);
  const heights = Float32Array.from(cells, (cell) => all[cell]!).sort();
  const coast = heights[Math.floor(QUANTILES[0] * heights.length)]!;
  const total = tidy(grid, all, coast, cells, sigma);
  const owner = owners(densities, rest);
  const census = { cells, classes: Uint8Array.from(sample, (item) => classOf[item]!), none: NO_CLASS };
  const demands = { surplus: Math.max(LEAST_SURPLUS, LEAST_SHARE * sample.length), share: CLEAR };
  const lands = generalized(grid, owner, (cell) => total[cell]! >= coast, census, demands);
  const lines = chains(grid, lands, densities, total);
  const shortest = (SHORTEST * sigma * Math.PI) / 180;
  return lines
    .flatMap((line) => onLand(line, coast))
    .filter((line) => lengthOf(line) >= shortest)
    .map(rounded);
}

/** The densest class of each cell; none where items without a class are denser. */
function owners(densities: readonly Float32Array[], rest: Float32Array): Uint8Array {
  const owner = new Uint8Array(rest.length).fill(NO_CLASS);
  const most = rest.slice();
  for (const [c, density] of densities.entries())
    for (let i = 0; i < most.length; i++) {
      if (density[i]! <= most[i]!) continue;
      most[i] = density[i]!;
      owner[i] = c;
    }
  return owner;
}

/** The borders as chains of crossings. */
function chains(
  { width, height }: Grid,
  owner: Uint8Array,
  densities: readonly Float32Array[],
  total: Float32Array,
): Crossing[][] {
  const crossings = new Map<number, Crossing>();
  const links = new Map<number, number[]>();
  const link = (a: number, b: number) => {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const list = links.get(from);
      if (list) list.push(to);
      else links.set(from, [to]);
    }
  };
  const direction = (cell: number): Vector => {
    const [column, row] = [cell % width, Math.floor(cell / width)];
    return fromDegrees(((column + 0.5) / width) * 360 - 180, ((row + 0.5) / height) * 180 - 90);
  };
  /** The key of the crossing between two cells, or −1 if there is no border between them. */
  const cross = (a: number, b: number): number => {
    const [c, d] = [owner[a]!, owner[b]!];
    if (c === d || c === NO_CLASS || d === NO_CLASS) return -1;
    const key = 4 * Math.min(a, b) + (Math.abs(a - b) === width ? 1 : 0) + (Math.abs(a - b) === width - 1 ? 2 : 0);
    if (!crossings.has(key)) {
      const ahead = densities[c]![a]! - densities[d]![a]!;
      const behind = densities[d]![b]! - densities[c]![b]!;
      // In cells that have joined another region, a third class may be densest.
      const t = ahead > 0 && behind > 0 ? ahead / (ahead + behind) : 0.5;
      const [u, v] = [direction(a), direction(b)];
      const at = unit([u[0] + t * (v[0] - u[0]), u[1] + t * (v[1] - u[1]), u[2] + t * (v[2] - u[2])]);
      crossings.set(key, { at, density: total[a]! + t * (total[b]! - total[a]!) });
    }
    return key;
  };
  for (let row = 0; row + 1 < height; row++)
    for (let column = 0; column < width; column++) {
      const a = row * width + column;
      const b = row * width + ((column + 1) % width);
      const found = [cross(a, b), cross(a, a + width), cross(b, b + width), cross(a + width, b + width)].filter(
        (key) => key >= 0,
      );
      if (found.length === 2) link(found[0]!, found[1]!);
      else if (found.length > 2) {
        // Three or four classes meet in the middle.
        const there = found.map((key) => crossings.get(key)!);
        const sum = (k: 0 | 1 | 2) => there.reduce((s, { at }) => s + at[k], 0);
        const key = -1 - a;
        const density = there.reduce((s, crossing) => s + crossing.density, 0) / there.length;
        crossings.set(key, { at: unit([sum(0), sum(1), sum(2)]), density });
        for (const other of found) link(key, other);
      }
    }
  return walked(links).map((keys) => keys.map((key) => crossings.get(key)!));
}

/** Chains of linked keys: from the ends and branchings first, then what goes around. */
function walked(links: ReadonlyMap<number, number[]>): number[][] {
  const done = new Set<string>();
  const pair = (a: number, b: number) => (a < b ? `${a} ${b}` : `${b} ${a}`);
  const found: number[][] = [];
  const walk = (from: number, first: number) => {
    if (done.has(pair(from, first))) return;
    const chain = [from];
    let [before, here] = [from, first];
    while (true) {
      done.add(pair(before, here));
      chain.push(here);
      const next: number | undefined =
        links.get(here)!.length === 2 ? links.get(here)!.find((key) => !done.has(pair(here, key))) : undefined;
      if (next === undefined) break;
      [before, here] = [here, next];
    }
    found.push(chain);
  };
  for (const [key, others] of links) if (others.length !== 2) for (const other of others) walk(key, other);
  for (const [key, others] of links) walk(key, others[0]!);
  return found;
}

/** The parts of a line on land. They end at the coast. */
function onLand(line: readonly Crossing[], coast: number): Vector[][] {
  const parts: Vector[][] = [];
  let part: Vector[] = [];
  for (const [k, crossing] of line.entries()) {
    const before = line[k - 1];
    const dry = crossing.density >= coast;
    if (before && before.density >= coast !== dry) {
      const t = (coast - before.density) / (crossing.density - before.density);
      const [u, v] = [before.at, crossing.at];
      part.push(unit([u[0] + t * (v[0] - u[0]), u[1] + t * (v[1] - u[1]), u[2] + t * (v[2] - u[2])]));
    }
    if (dry) part.push(crossing.at);
    else if (part.length) {
      parts.push(part);
      part = [];
    }
  }
  if (part.length) parts.push(part);
  return parts.filter((p) => p.length > 2);
}

/** The length of a line, in radians. */
const lengthOf = (line: readonly Vector[]): number =>
  line.slice(1).reduce((sum, [x, y, z], k) => sum + Math.hypot(x - line[k]![0], y - line[k]![1], z - line[k]![2]), 0);

/** A line whose corners are cut, so that it has no steps near by; its ends stay. */
function rounded(line: readonly Vector[]): Vector[] {
  let now = [...line];
  for (let k = 0; k < CUTS; k++) {
    const next: Vector[] = [now[0]!];
    for (let i = 0; i + 1 < now.length; i++) {
      const [a, b] = [now[i]!, now[i + 1]!];
      for (const t of [0.25, 0.75])
        next.push(unit([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])]));
    }
    next.push(now.at(-1)!);
    now = next;
  }
  return now;
}
