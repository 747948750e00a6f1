/** How many points lie below a box on the screen: a coarse grid of those that can be seen. */
import type { Frame } from "../geometry/frame.ts";
import type { Box, Cover } from "./rooms.ts";

const CELL = 8;
/** So many points tell where the others are. */
const SAMPLE = 8000;

export class Crowd implements Cover {
  private readonly columns: number;
  private readonly rows: number;
  private readonly taken: Uint8Array;

  constructor(frame: Frame, positions: Float32Array, order: Uint32Array) {
    this.columns = Math.ceil(frame.width / CELL) + 1;
    this.rows = Math.ceil(frame.height / CELL) + 1;
    this.taken = new Uint8Array(this.columns * this.rows);
    const out = new Float64Array(3);
    for (const item of order.subarray(0, SAMPLE)) {
      frame.project(positions[3 * item]!, positions[3 * item + 1]!, positions[3 * item + 2]!, out);
      if (out[2]! <= 0) continue;
      const [column, row] = [Math.floor(out[0]! / CELL), Math.floor(out[1]! / CELL)];
      if (column >= 0 && row >= 0 && column < this.columns && row < this.rows)
        this.taken[row * this.columns + column] = 1;
    }
  }

  /** The share of a box with points below it. */
  cover(box: Box): number {
    let [found, all] = [0, 0];
    for (let row = Math.floor(box.y / CELL); row <= Math.floor((box.y + box.height) / CELL); row++)
      for (let column = Math.floor(box.x / CELL); column <= Math.floor((box.x + box.width) / CELL); column++) {
        all++;
        if (column >= 0 && row >= 0 && column < this.columns && row < this.rows)
          found += this.taken[row * this.columns + column]!;
      }
    return found / Math.max(1, all);
  }
}
