/**
 * The density of points on the sphere as land: where points are dense, there is land, and its colour is the mean colour of
 * the points there.
 *
 * The density is a kernel estimate on a grid of longitudes and latitudes. Rows are weighted by their area.
 *
 * Near by, more can be seen: twice the detail is a grid and a kernel of half the width, as long as there are points enough.
 */
import { Grid } from "./grid.ts";
import { around, connected } from "./regions.ts";

/** Cells around the equator, without further detail. */
export const WIDTH = 360;
/** Of more points, a sample gives the same land; for twice the detail it takes four times as many. */
export const MOST = 60_000;
/** Standard deviation of the kernel: this share of the distance of the points, within these bounds in degrees. */
const SPREAD = 0.9;
/** How much wider it is for borders between few points. */
const BORDER_SPREAD = 1.5;
const NARROWEST = 2.2;
const WIDEST = 7;
/** On the screen, the standard deviation should be shorter than this, in pixels. */
const BROAD = 24;
const MOST_DETAIL = 4;
/** This share of the points lies below the coast, and these below the first and second step of the relief. */
export const QUANTILES = [0.07, 0.4, 0.75] as const;
/** Smaller lakes, in squares of the kernel's standard deviation, and islands of fewer points are left out. */
const LEAST_LAKE = 9;
const LEAST_ISLAND = 3;
/** If more than this share of the sphere were land, there would be nothing to see. */
const MOST_LAND = 0.8;

export interface Land {
  readonly width: number;
  readonly height: number;
  /** Four numbers from 0 to 1 for each cell, from south to north: the mean colour, and the height, in which 0.5 is the coast. */
  readonly data: Float32Array;
  /** The steps of the relief, as heights between 0 and 1. */
  readonly steps: readonly [number, number];
}

/** Which detail a map with this scale, in pixels for a radian, can show: 1, 2 or 4. */
export function detailAt(scale: number): number {
  const deviation = (NARROWEST * Math.PI * scale) / 180;
  let detail = 1;
  while (detail < MOST_DETAIL && deviation / detail > BROAD) detail *= 2;
  return detail;
}

/** The land under points with these colours; null if they cover the sphere almost evenly. */
export function landOf(positions: Float32Array, colors: Uint8Array, order: Uint32Array, detail = 1): Land | null {
  if (order.length < 20) return null;
  const sample = order.subarray(0, MOST * detail * detail);
  const sigma = kernelFor(sample.length, detail);
  // A finer grid is no use for a kernel that is as wide as before.
  if (detail > 1 && sigma >= NARROWEST) return landOf(positions, colors, order);
  const [width, height] = [WIDTH * detail, (WIDTH / 2) * detail];
  const grid = new Grid(width, height);
  // Density and three colours, weighted by density.
  const fields = Array.from({ length: 4 }, () => new Float32Array(width * height));
  const cells = new Uint32Array(sample.length);
  for (let k = 0; k < sample.length; k++) {
    const item = sample[k]!;
    const cell = grid.cellOf(positions[3 * item]!, positions[3 * item + 1]!, positions[3 * item + 2]!);
    cells[k] = cell;
    fields[0]![cell]! += 1;
    for (let channel = 0; channel < 3; channel++) fields[channel + 1]![cell]! += colors[3 * item + channel]!;
  }
  const [density, red, green, blue] = fields.map((field) => grid.smooth(field, sigma * detail));
  const heights = Float32Array.from(cells.subarray(0, MOST), (cell) => density![cell]!).sort();
  const [coast, low, high] = QUANTILES.map((q) => heights[Math.floor(q * heights.length)]!);
  if (!(coast! > 0) || grid.areaAbove(density!, coast!) > MOST_LAND) return null;
  const tidied = tidy(grid, density!, coast!, cells, sigma * detail);
  const data = new Float32Array(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const d = density![i]!;
    const inverse = d > 0 ? 1 / (255 * d) : 0;
    data[4 * i] = red![i]! * inverse;
    data[4 * i + 1] = green![i]! * inverse;
    data[4 * i + 2] = blue![i]! * inverse;
    data[4 * i + 3] = tidied[i]! / (tidied[i]! + coast!);
  }
  const step = (d: number) => d / (d + coast!);
  return { width, height, data, steps: [step(low!), step(high!)] };
}

/**
 * The density after small lakes are filled and islands of few points are sunk: they are chance, and many of them make a coast
 * hard to read. The standard deviation of the kernel is in cells at the equator.
 */
export function tidy(
  grid: Grid,
  density: Float32Array,
  coast: number,
  cells: Uint32Array,
  sigma: number,
): Float32Array {
  const tidied = density.slice();
  const dry = Uint8Array.from(density, (d) => Number(d >= coast));
  const { of, count } = connected(grid, dry);
  const [areas, points] = [new Float64Array(count), new Uint32Array(count)];
  for (let cell = 0; cell < of.length; cell++) areas[of[cell]!]! += grid.cosines[Math.floor(cell / grid.width)]!;
  for (const cell of cells) points[of[cell]!]!++;
  const [lakes, islands]: [number[], number[]] = [[], []];
  for (let cell = 0; cell < of.length; cell++) {
    const region = of[cell]!;
    if (!dry[cell] && areas[region]! < LEAST_LAKE * sigma * sigma) lakes.push(cell);
    else if (dry[cell] && points[region]! < LEAST_ISLAND) islands.push(cell);
  }
  level(grid, lakes, (cell, rise) => (tidied[cell] = Math.max(tidied[cell]!, coast * (1 + rise))));
  level(grid, islands, (cell, rise) => (tidied[cell] = Math.min(tidied[cell]!, coast * (1 - rise))));
  return tidied;
}

/** How far filled lakes lie above the coast, and sunken islands below it, relative to its density; and beside them, less. */
const RISES = [0.32, 0.24, 0.16, 0.08] as const;

/** Calls `change` for cells and for those around them, in rings, so that no line of a coast is left where they were. */
function level(grid: Grid, cells: readonly number[], change: (cell: number, rise: number) => void): void {
  const done = new Set<number>();
  let ring = cells;
  for (const rise of RISES) {
    for (const cell of ring) {
      done.add(cell);
      change(cell, rise);
    }
    ring = [...new Set(ring.flatMap((cell) => around(grid, cell)))].filter((cell) => !done.has(cell));
  }
}

/** The standard deviation of the kernel for so many points, in degrees. */
export const kernelFor = (count: number, detail = 1): number =>
  Math.max(NARROWEST / detail, Math.min(WIDEST, SPREAD * spacingOf(count)));

/** The same for borders: the fewer the points, the calmer they are. */
export const borderKernelFor = (count: number): number => kernelFor(count * BORDER_SPREAD ** -2);

/** The distance of so many points in degrees, if they were spread evenly. */
const spacingOf = (count: number) => (Math.sqrt((4 * Math.PI) / count) * 180) / Math.PI;
