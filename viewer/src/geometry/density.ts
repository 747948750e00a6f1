/**
 * The density of points on the sphere as land: where points are dense, there is land, and its colour is the mean colour of
 * the points there.
 *
 * The density is a kernel estimate on a grid of longitudes and latitudes. Rows are weighted by their area.
 *
 * Near by, more can be seen: twice the detail is a grid and a kernel of half the width, as long as there are points enough.
 */
import { Grid } from "./grid.ts";

/** Cells around the equator, without further detail. */
export const WIDTH = 360;
/** Of more points, a sample gives the same land; for twice the detail it takes four times as many. */
export const MOST = 60_000;
/** Standard deviation of the kernel in degrees: about the distance of the points, within these bounds. */
const NARROWEST = 2.2;
const WIDEST = 7;
/** On the screen, the standard deviation should be shorter than this, in pixels. */
const BROAD = 24;
const MOST_DETAIL = 4;
/** This share of the points lies below the coast, and these below the first and second step of the relief. */
export const QUANTILES = [0.07, 0.4, 0.75] as const;
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
  const data = new Float32Array(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const d = density![i]!;
    const inverse = d > 0 ? 1 / (255 * d) : 0;
    data[4 * i] = red![i]! * inverse;
    data[4 * i + 1] = green![i]! * inverse;
    data[4 * i + 2] = blue![i]! * inverse;
    data[4 * i + 3] = d / (d + coast!);
  }
  const step = (d: number) => d / (d + coast!);
  return { width, height, data, steps: [step(low!), step(high!)] };
}

/** The standard deviation of the kernel for so many points, in degrees. */
export const kernelFor = (count: number, detail = 1): number =>
  Math.max(NARROWEST / detail, Math.min(WIDEST, 0.7 * spacingOf(count)));

/** The distance of so many points in degrees, if they were spread evenly. */
const spacingOf = (count: number) => (Math.sqrt((4 * Math.PI) / count) * 180) / Math.PI;
