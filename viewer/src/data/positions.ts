/** Positions from integers; the counterpart of `quantize.rs` in the Rust crate. */
import type { NumberArray } from "./blocks.ts";

/** Unit vectors, three numbers for each point, from octahedral pairs. The y axis of the page is the z axis of the data: north is up. */
export function fromOctahedral(pairs: NumberArray, bits: number): Float32Array {
  const steps = 2 ** bits - 1;
  const count = pairs.length / 2;
  const out = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    let x = (pairs[2 * i]! / steps) * 2 - 1;
    let y = (pairs[2 * i + 1]! / steps) * 2 - 1;
    const ax = Math.abs(x);
    const ay = Math.abs(y);
    const z = 1 - ax - ay;
    if (z < 0) {
      x = x < 0 ? ay - 1 : 1 - ay;
      y = y < 0 ? ax - 1 : 1 - ax;
    }
    const scale = 1 / Math.sqrt(x * x + y * y + z * z);
    // Longitude 0 faces the viewer: x of the data becomes z of the page, y becomes x, and z becomes y.
    out[3 * i] = y * scale;
    out[3 * i + 1] = z * scale;
    out[3 * i + 2] = x * scale;
  }
  return out;
}

/** Points in [-1, 1], three numbers each, from two or three integers each. */
export function fromBox(numbers: NumberArray, bits: number, dimension: 2 | 3): Float32Array {
  const steps = 2 ** bits - 1;
  const count = numbers.length / dimension;
  const out = new Float32Array(3 * count);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < dimension; k++) out[3 * i + k] = (numbers[dimension * i + k]! / steps) * 2 - 1;
  return out;
}

/** A fixed shuffle of 0 … count − 1: drawn in this order, no group of points hides another, and any first part is a fair sample. */
export function shuffled(count: number): Uint32Array {
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  let state = 0x9e3779b9;
  for (let i = count - 1; i > 0; i--) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const j = (state >>> 0) % (i + 1);
    const keep = order[i]!;
    order[i] = order[j]!;
    order[j] = keep;
  }
  return order;
}
