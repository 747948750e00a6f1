/**
 * The density of points on the sphere as land: where points are dense, there is land, and its colour is the mean colour of
 * the points there.
 *
 * The density is a kernel estimate on a grid of longitudes and latitudes. A Gaussian of the same angle everywhere is wider in
 * cells near the poles, so each row is smoothed along its parallel with its own width, and then along the meridians, across
 * the poles too. Rows are weighted by their area.
 *
 * Near by, more can be seen: twice the detail is a grid and a kernel of half the width, as long as there are points enough.
 */

/** Cells around the equator, without further detail. */
const WIDTH = 360;
/** Of more points, a sample gives the same land; for twice the detail it takes four times as many. */
const MOST = 60_000;
/** Standard deviation of the kernel in degrees: about the distance of the points, within these bounds. */
const NARROWEST = 2.2;
const WIDEST = 7;
/** On the screen, the standard deviation should be shorter than this, in pixels. */
const BROAD = 24;
const MOST_DETAIL = 4;
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
  const sigma = Math.max(NARROWEST / detail, Math.min(WIDEST, 0.7 * spacingOf(sample.length)));
  // A finer grid is no use for a kernel that is as wide as before.
  if (detail > 1 && sigma >= NARROWEST) return landOf(positions, colors, order);
  const [width, height] = [WIDTH * detail, (WIDTH / 2) * detail];
  // Density and three colours, weighted by density.
  const fields = Array.from({ length: 4 }, () => new Float32Array(width * height));
  const cells = new Uint32Array(sample.length);
  for (let k = 0; k < sample.length; k++) {
    const item = sample[k]!;
    const [x, y, z] = [positions[3 * item]!, positions[3 * item + 1]!, positions[3 * item + 2]!];
    const column = Math.min(width - 1, Math.floor(((Math.atan2(x, z) / Math.PI + 1) / 2) * width));
    const row = Math.min(height - 1, Math.floor((Math.asin(Math.max(-1, Math.min(1, y))) / Math.PI + 0.5) * height));
    const cell = row * width + column;
    cells[k] = cell;
    fields[0]![cell]! += 1;
    for (let channel = 0; channel < 3; channel++) fields[channel + 1]![cell]! += colors[3 * item + channel]!;
  }
  const grid = new Grid(width, height);
  const inCells = sigma * detail;
  const [density, red, green, blue] = fields.map((field) =>
    grid.alongMeridians(grid.alongParallels(field, inCells), inCells),
  );
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

/** The distance of so many points in degrees, if they were spread evenly. */
const spacingOf = (count: number) => (Math.sqrt((4 * Math.PI) / count) * 180) / Math.PI;

/** The values of a Gaussian at whole distances, with sum 1 over both sides. */
function kernel(sigma: number, most: number): Float32Array {
  const reach = Math.min(most, Math.ceil(3 * sigma));
  const values = Float32Array.from({ length: reach + 1 }, (_, k) => Math.exp((-k * k) / (2 * sigma * sigma)));
  const sum = values.reduce((total, v, k) => total + (k ? 2 * v : v), 0);
  return values.map((v) => v / sum);
}

/** Cells of equal angles, in rows from south to north. */
class Grid {
  private readonly cosines: Float64Array;

  constructor(
    private readonly width: number,
    private readonly height: number,
  ) {
    this.cosines = Float64Array.from({ length: height }, (_, row) => Math.cos(((row + 0.5) / height - 0.5) * Math.PI));
  }

  /** The share of the sphere where the density is at least this. */
  areaAbove(density: Float32Array, level: number): number {
    const { width, height, cosines } = this;
    let [above, all] = [0, 0];
    for (let row = 0; row < height; row++) {
      const weight = cosines[row]!;
      for (let column = 0; column < width; column++) {
        all += weight;
        if (density[row * width + column]! >= level) above += weight;
      }
    }
    return above / all;
  }

  /** Counts in cells, smoothed along each parallel, and divided by the area of the cells. */
  alongParallels(counts: Float32Array, sigma: number): Float32Array {
    const { width, height, cosines } = this;
    const out = new Float32Array(counts.length);
    for (let row = 0; row < height; row++) {
      const start = row * width;
      if (!counts.subarray(start, start + width).some((c) => c > 0)) continue;
      const cosine = cosines[row]!;
      const weights = kernel(sigma / cosine, width / 2 - 1);
      for (let column = 0; column < width; column++) {
        const own = counts[start + column]! / cosine;
        // Most cells are empty: each cell that is not spreads what it has.
        if (own === 0) continue;
        out[start + column]! += own * weights[0]!;
        for (let k = 1; k < weights.length; k++) {
          const part = own * weights[k]!;
          out[start + ((column + k) % width)]! += part;
          out[start + ((column - k + width) % width)]! += part;
        }
      }
    }
    return out;
  }

  /** Densities smoothed along the meridians; beyond a pole, a meridian continues on the other side. */
  alongMeridians(density: Float32Array, sigma: number): Float32Array {
    const { width, height, cosines } = this;
    const out = new Float32Array(density.length);
    const weights = kernel(sigma, height / 2);
    for (let row = 0; row < height; row++) {
      let total = 0;
      for (let k = 1 - weights.length; k < weights.length; k++) {
        let other = row + k;
        let shift = 0;
        if (other < 0) [other, shift] = [-1 - other, width / 2];
        else if (other >= height) [other, shift] = [2 * height - 1 - other, width / 2];
        const weight = weights[Math.abs(k)]! * cosines[other]!;
        total += weight;
        const [to, from] = [row * width, other * width];
        for (let column = 0; column < width - shift; column++)
          out[to + column]! += weight * density[from + column + shift]!;
        for (let column = 0; column < shift; column++)
          out[to + width - shift + column]! += weight * density[from + column]!;
      }
      for (let column = 0; column < width; column++) out[row * width + column]! /= total;
    }
    return out;
  }
}
