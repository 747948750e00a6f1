/**
 * The density of points on the sphere as land: where points are dense, there is land, and its colour is the mean colour of
 * the points there.
 *
 * The density is a kernel estimate on a grid of longitudes and latitudes. A Gaussian of the same angle everywhere is wider in
 * cells near the poles, so each row is smoothed along its parallel with its own width, and then along the meridians, across
 * the poles too. Rows are weighted by their area.
 */

const WIDTH = 360;
const HEIGHT = 180;
/** Of more points, a sample gives the same land. */
const MOST = 60_000;
/** Standard deviation of the kernel in degrees: about the distance of the points, within these bounds. */
const NARROWEST = 2.2;
const WIDEST = 7;
/** This share of the points lies below the coast, and these below the first and second step of the relief. */
const QUANTILES = [0.07, 0.4, 0.75] as const;
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

/** The land under points with these colours; null if they cover the sphere almost evenly. */
export function landOf(positions: Float32Array, colors: Uint8Array, order: Uint32Array): Land | null {
  const sample = order.subarray(0, MOST);
  if (sample.length < 20) return null;
  // Density and three colours, weighted by density.
  const fields = Array.from({ length: 4 }, () => new Float32Array(WIDTH * HEIGHT));
  const cells = new Uint32Array(sample.length);
  for (const [k, item] of sample.entries()) {
    const [x, y, z] = [positions[3 * item]!, positions[3 * item + 1]!, positions[3 * item + 2]!];
    const column = Math.min(WIDTH - 1, Math.floor(((Math.atan2(x, z) / Math.PI + 1) / 2) * WIDTH));
    const row = Math.min(HEIGHT - 1, Math.floor((Math.asin(Math.max(-1, Math.min(1, y))) / Math.PI + 0.5) * HEIGHT));
    const cell = row * WIDTH + column;
    cells[k] = cell;
    fields[0]![cell]! += 1;
    for (let channel = 0; channel < 3; channel++) fields[channel + 1]![cell]! += colors[3 * item + channel]!;
  }
  const spacing = (Math.sqrt((4 * Math.PI) / sample.length) * 180) / Math.PI;
  const sigma = Math.max(NARROWEST, Math.min(WIDEST, 0.7 * spacing));
  const [density, red, green, blue] = fields.map((field) => alongMeridians(alongParallels(field, sigma), sigma));
  const heights = Array.from(cells, (cell) => density![cell]!).sort((a, b) => a - b);
  const [coast, low, high] = QUANTILES.map((q) => heights[Math.floor(q * heights.length)]!);
  if (!(coast! > 0) || areaAbove(density!, coast!) > MOST_LAND) return null;
  const data = new Float32Array(4 * WIDTH * HEIGHT);
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    const d = density![i]!;
    const inverse = d > 0 ? 1 / (255 * d) : 0;
    data[4 * i] = red![i]! * inverse;
    data[4 * i + 1] = green![i]! * inverse;
    data[4 * i + 2] = blue![i]! * inverse;
    data[4 * i + 3] = d / (d + coast!);
  }
  const step = (d: number) => d / (d + coast!);
  return { width: WIDTH, height: HEIGHT, data, steps: [step(low!), step(high!)] };
}

const cosineOf = (row: number) => Math.cos(((row + 0.5) / HEIGHT - 0.5) * Math.PI);

function areaAbove(density: Float32Array, level: number): number {
  let [above, all] = [0, 0];
  for (let row = 0; row < HEIGHT; row++) {
    const weight = cosineOf(row);
    for (let column = 0; column < WIDTH; column++) {
      all += weight;
      if (density[row * WIDTH + column]! >= level) above += weight;
    }
  }
  return above / all;
}

/** The values of a Gaussian at whole distances, with sum 1 over both sides. */
function kernel(sigma: number, most: number): Float32Array {
  const reach = Math.min(most, Math.ceil(3 * sigma));
  const values = Float32Array.from({ length: reach + 1 }, (_, k) => Math.exp((-k * k) / (2 * sigma * sigma)));
  const sum = values.reduce((total, v, k) => total + (k ? 2 * v : v), 0);
  return values.map((v) => v / sum);
}

/** Counts in cells, smoothed along each parallel, and divided by the area of the cells. */
function alongParallels(counts: Float32Array, sigma: number): Float32Array {
  const out = new Float32Array(counts.length);
  for (let row = 0; row < HEIGHT; row++) {
    const start = row * WIDTH;
    if (!counts.subarray(start, start + WIDTH).some((c) => c > 0)) continue;
    const cosine = cosineOf(row);
    const weights = kernel(sigma / cosine, WIDTH / 2 - 1);
    for (let column = 0; column < WIDTH; column++) {
      const own = counts[start + column]! / cosine;
      // Most cells are empty: each cell that is not spreads what it has.
      if (own === 0) continue;
      out[start + column]! += own * weights[0]!;
      for (let k = 1; k < weights.length; k++) {
        const part = own * weights[k]!;
        out[start + ((column + k) % WIDTH)]! += part;
        out[start + ((column - k + WIDTH) % WIDTH)]! += part;
      }
    }
  }
  return out;
}

/** Densities smoothed along the meridians; beyond a pole, a meridian continues on the other side. */
function alongMeridians(density: Float32Array, sigma: number): Float32Array {
  const out = new Float32Array(density.length);
  const weights = kernel(sigma, HEIGHT / 2);
  for (let row = 0; row < HEIGHT; row++) {
    let total = 0;
    for (let k = 1 - weights.length; k < weights.length; k++) {
      let other = row + k;
      let shift = 0;
      if (other < 0) [other, shift] = [-1 - other, WIDTH / 2];
      else if (other >= HEIGHT) [other, shift] = [2 * HEIGHT - 1 - other, WIDTH / 2];
      const weight = weights[Math.abs(k)]! * cosineOf(other);
      total += weight;
      for (let column = 0; column < WIDTH; column++)
        out[row * WIDTH + column]! += weight * density[other * WIDTH + ((column + shift) % WIDTH)]!;
    }
    for (let column = 0; column < WIDTH; column++) out[row * WIDTH + column]! /= total;
  }
  return out;
}
