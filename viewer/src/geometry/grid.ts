/** Smoothing on a sphere: densities on a grid of longitudes and latitudes. */

/** The values of a Gaussian at whole distances, with sum 1 over both sides. */
function kernel(sigma: number, most: number): Float32Array {
  const reach = Math.min(most, Math.ceil(3 * sigma));
  const values = Float32Array.from({ length: reach + 1 }, (_, k) => Math.exp((-k * k) / (2 * sigma * sigma)));
  const sum = values.reduce((total, v, k) => total + (k ? 2 * v : v), 0);
  return values.map((v) => v / sum);
}

/**
 * Cells of equal angles, in rows from south to north. A Gaussian of the same angle everywhere is wider in cells near the
 * poles, so each row is smoothed along its parallel with its own width, and then along the meridians, across the poles too.
 */
export class Grid {
  /** The cosine of the latitude of each row: the width of its cells. */
  readonly cosines: Float64Array;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.cosines = Float64Array.from({ length: height }, (_, row) => Math.cos(((row + 0.5) / height - 0.5) * Math.PI));
  }

  /** The cell of a direction. */
  cellOf(x: number, y: number, z: number): number {
    const { width, height } = this;
    const column = Math.min(width - 1, Math.floor(((Math.atan2(x, z) / Math.PI + 1) / 2) * width));
    const row = Math.min(height - 1, Math.floor((Math.asin(Math.max(-1, Math.min(1, y))) / Math.PI + 0.5) * height));
    return row * width + column;
  }

  /** The density of counts in cells, by a Gaussian of this standard deviation, in cells at the equator. */
  smooth(counts: Float32Array, sigma: number): Float32Array {
    return this.alongMeridians(this.alongParallels(counts, sigma), sigma);
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
  private alongParallels(counts: Float32Array, sigma: number): Float32Array {
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
  private alongMeridians(density: Float32Array, sigma: number): Float32Array {
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
