import { describe, expect, test } from "vitest";
import { shuffled } from "../../src/data/positions.ts";
import { buckets, byPatch, inPicture } from "../../src/geometry/buckets.ts";
import { Cells } from "../../src/geometry/cells.ts";
import { Frame } from "../../src/geometry/frame.ts";
import { projections } from "../../src/geometry/projection.ts";
import { axisAngle, unit, type Vector } from "../../src/geometry/vector.ts";

/** Random but always the same. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function sphere(count: number, seed = 1): Float32Array {
  const next = random(seed);
  const out = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const z = 2 * next() - 1;
    const a = 2 * Math.PI * next();
    // Half of them crowd around one place, as clusters do.
    const s = Math.sqrt(1 - z * z);
    const v: Vector = [s * Math.cos(a), s * Math.sin(a), z];
    out.set(i % 2 ? v : unit([v[0] * 0.1 + 0.7, v[1] * 0.1 - 0.7, v[2] * 0.1]), 3 * i);
  }
  return out;
}

const brute = (p: Float32Array, v: Vector, k: number, except: number) =>
  Array.from({ length: p.length / 3 }, (_, item) => ({
    item,
    distance: Math.hypot(p[3 * item]! - v[0], p[3 * item + 1]! - v[1], p[3 * item + 2]! - v[2]),
  }))
    .filter((n) => n.item !== except)
    .sort((a, b) => a.distance - b.distance || a.item - b.item)
    .slice(0, k);

describe.each([1, 2, 7, 300, 5000])("of %i points", (count) => {
  test("the nearest are those that looking at all of them finds", () => {
    const p = sphere(count);
    const cells = new Cells(p, false);
    for (let i = 0; i < Math.min(count, 40); i++) {
      const v: Vector = [p[3 * i]!, p[3 * i + 1]!, p[3 * i + 2]!];
      expect(cells.nearest(...v, 10, i)).toEqual(brute(p, v, 10, i));
    }
  });

  test("nothing within the radius is missed, at edges and corners of the cube too", () => {
    const p = sphere(count, 3);
    const cells = new Cells(p, false);
    for (const v of [
      [1, 0, 0],
      [0, -1, 0],
      unit([1, 1, 0]),
      unit([1, 1, 1]),
      unit([-1, 1, -1]),
      unit([0.99, 1, 1]),
    ] as Vector[])
      for (const radius of [0.01, 0.2, 0.55, 0.9]) {
        const found = new Set<number>();
        cells.near(...v, radius, (item) => found.add(item));
        for (const { item, distance } of brute(p, v, count, -1))
          if (distance <= radius) expect(found.has(item)).toBe(true);
      }
  });
});

test("in the plane too", () => {
  const next = random(9);
  const p = Float32Array.from({ length: 3000 }, (_, k) => (k % 3 === 2 ? 0 : 2 * next() - 1));
  const cells = new Cells(p, true);
  expect(cells.nearest(0.3, -0.4, 0, 12)).toEqual(brute(p, [0.3, -0.4, 0], 12, -1));
});

test("patches that are left out have no point in the picture", () => {
  const p = sphere(4000, 5);
  const { order, starts } = byPatch(p, shuffled(4000), false);
  expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 4000 }, (_, i) => i));
  const sorted = new Float32Array(p.length);
  for (const [k, item] of order.entries()) sorted.set(p.subarray(3 * item, 3 * item + 3), 3 * k);
  const all = buckets(sorted, starts);
  const out = new Float64Array(3);
  for (const zoom of [1, 3, 12])
    for (let k = 0; k < 6; k++) {
      const camera = { orientation: axisAngle([1, k, 0.5], k), zoom, panX: 0, panY: 0 };
      const frame = new Frame(800, 600, camera, { x: 0, y: 0, width: 800, height: 600 }, projections.globe);
      const left = all.filter((b) => !inPicture(frame, b, false));
      expect(left.length).toBeGreaterThan(0);
      for (const { start, end } of left)
        for (let i = start; i < end; i++) {
          frame.project(sorted[3 * i]!, sorted[3 * i + 1]!, sorted[3 * i + 2]!, out);
          expect(out[2]! > 0 && out[0]! > 0 && out[0]! < 800 && out[1]! > 0 && out[1]! < 600).toBe(false);
        }
    }
});
