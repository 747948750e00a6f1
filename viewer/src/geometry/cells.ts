/**
 * Finds the points near a direction with a grid of cells on the faces of a cube (or in the plane), which is built once.
 *
 * A lookup under the cursor needs a few cells and a few dozen points, independent of the total number of points.
 */

export class Cells {
  private readonly side: number;
  private readonly starts: Uint32Array;
  private readonly items: Uint32Array;

  /** `positions` has three coordinates for each point: unit vectors, or (x, y, 0) in [-1, 1] if `flat`. */
  constructor(
    private readonly positions: Float32Array,
    private readonly flat: boolean,
  ) {
    const count = positions.length / 3;
    const faces = flat ? 1 : 6;
    this.side = Math.max(1, Math.min(512, Math.ceil(Math.sqrt(count / faces / 4))));
    const cellOf = new Uint32Array(count);
    this.starts = new Uint32Array(faces * this.side * this.side + 1);
    for (let i = 0; i < count; i++) {
      const cell = this.cell(positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!);
      cellOf[i] = cell;
      this.starts[cell + 1]!++;
    }
    for (let c = 0; c < this.starts.length - 1; c++) this.starts[c + 1]! += this.starts[c]!;
    const next = this.starts.slice();
    this.items = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.items[next[cellOf[i]!]!++] = i;
  }

  private index(t: number): number {
    return Math.max(0, Math.min(this.side - 1, Math.floor((t + 1) * 0.5 * this.side)));
  }

  private cell(x: number, y: number, z: number): number {
    if (this.flat) return this.index(y) * this.side + this.index(x);
    const ax = Math.abs(x);
    const ay = Math.abs(y);
    const az = Math.abs(z);
    let face: number;
    let u: number;
    let v: number;
    if (ax >= ay && ax >= az) [face, u, v] = [x > 0 ? 0 : 1, y / ax, z / ax];
    else if (ay >= az) [face, u, v] = [y > 0 ? 2 : 3, x / ay, z / ay];
    else [face, u, v] = [z > 0 ? 4 : 5, x / az, y / az];
    return (face * this.side + this.index(v)) * this.side + this.index(u);
  }

  /** Calls `visit` for all points within a straight distance of `radius` of (x, y, z), and some more. */
  near(x: number, y: number, z: number, radius: number, visit: (item: number) => void): void {
    const { side } = this;
    const each = (cell: number) => {
      for (let k = this.starts[cell]!; k < this.starts[cell + 1]!; k++) visit(this.items[k]!);
    };
    if (this.flat) {
      for (let j = this.index(y - radius); j <= this.index(y + radius); j++)
        for (let i = this.index(x - radius); i <= this.index(x + radius); i++) each(j * side + i);
      return;
    }
    if (radius >= 0.6) {
      for (let item = 0; item < this.items.length; item++) visit(item);
      return;
    }
    for (let face = 0; face < 6; face++) {
      const axis = face >> 1;
      const sign = face & 1 ? -1 : 1;
      const [w, u, v] = axis === 0 ? [x, y, z] : axis === 1 ? [y, x, z] : [z, x, y];
      // On this face the third coordinate is at least 1/√3 of the length. For points in the ball it is between w ± radius,
      // and u/w is within the range of the quotients at both ends.
      const high = sign * w + radius;
      const low = Math.max(sign * w - radius, 0.57);
      if (high < 0.577) continue;
      const [u0, u1] = quotients(u - radius, u + radius, low, high);
      const [v0, v1] = quotients(v - radius, v + radius, low, high);
      if (u0 > 1 || u1 < -1 || v0 > 1 || v1 < -1) continue;
      for (let j = this.index(v0); j <= this.index(v1); j++)
        for (let i = this.index(u0); i <= this.index(u1); i++) each((face * side + j) * side + i);
    }
  }

  /** The `count` points nearest to a direction, nearest first, with their straight distances. */
  nearest(x: number, y: number, z: number, count: number, except = -1): { item: number; distance: number }[] {
    const total = this.items.length;
    const wanted = Math.min(count, total - (except >= 0 ? 1 : 0));
    let radius = Math.min(2, 2 * Math.sqrt((wanted + 1) / Math.max(1, total)));
    for (;;) {
      const found: { item: number; distance: number }[] = [];
      this.near(x, y, z, radius, (item) => {
        if (item === except) return;
        const p = this.positions;
        const distance = Math.hypot(p[3 * item]! - x, p[3 * item + 1]! - y, p[3 * item + 2]! - z);
        if (distance <= radius) found.push({ item, distance });
      });
      if (found.length >= wanted || radius >= 4) {
        found.sort((a, b) => a.distance - b.distance || a.item - b.item);
        return found.slice(0, wanted);
      }
      radius *= 1.8;
    }
  }
}

function quotients(a0: number, a1: number, low: number, high: number): [number, number] {
  return [a0 / (a0 < 0 ? low : high), a1 / (a1 < 0 ? high : low)];
}
