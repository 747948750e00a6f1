import { expect, test } from "vitest";
import type { ClassColoring } from "../../src/color/coloring.ts";
import { shuffled } from "../../src/data/positions.ts";
import { classAnchors } from "../../src/draw/candidates.ts";
import { anchorsOf, densest } from "../../src/geometry/densest.ts";
import { dot, fromDegrees, type Vector } from "../../src/geometry/vector.ts";

const at = (positions: Float32Array, item: number): Vector => [
  positions[3 * item]!,
  positions[3 * item + 1]!,
  positions[3 * item + 2]!,
];

/** Points around a place, the nearer the denser. */
const heap = (longitude: number, latitude: number, count: number): Vector[] =>
  Array.from({ length: count }, (_, k) => {
    const r = (8 * k) / count;
    return fromDegrees(longitude + r * Math.cos(k), latitude + r * Math.sin(k));
  });

test("a class that is dense in two places far apart has its name at both, and one in a single region once", () => {
  const points = [...heap(0, 0, 60), ...heap(170, 10, 40), ...heap(90, 0, 60), ...heap(132, 0, 50)];
  const positions = Float32Array.from(points.flat());
  const coloring = {
    kind: "classes",
    column: { codes: Uint8Array.from(points, (_, i) => Number(i >= 100)) },
    entries: [
      { code: 0, name: "a", count: 100 },
      { code: 1, name: "b", count: 110 },
    ],
    entryOf: Uint16Array.of(0, 1),
  } as unknown as ClassColoring;
  const anchors = classAnchors(coloring, positions, shuffled(points.length));
  const places = (entry: number) => anchors.get(entry)!.main.map((item) => at(positions, item));
  const [first, second, ...more] = places(0);
  expect(more).toEqual([]);
  expect(dot(first!, fromDegrees(0, 0))).toBeGreaterThan(0.99);
  expect(dot(second!, fromDegrees(170, 10))).toBeGreaterThan(0.99);
  // 42 degrees apart: one region, but its name can move to the other end if only that is in sight.
  expect(places(1).length).toBe(1);
  const [spare] = anchors.get(1)!.spare;
  expect(dot(at(positions, spare!), fromDegrees(132, 0))).toBeGreaterThan(0.98);
});

test("where colours show something else, a class that is everywhere names no place", () => {
  const points = [...heap(0, 0, 60), ...heap(120, 0, 60), ...heap(-120, 0, 60)];
  const positions = Float32Array.from(points.flat());
  // The first heap and half of the others are of one class; the second heap has a class of its own besides.
  const codes = Uint8Array.from(points, (_, i) => (i < 60 || i % 2 ? 0 : i < 120 ? 1 : 2));
  const entries = ["a", "b", "c"].map((name, code) => ({ code, name, count: codes.filter((c) => c === code).length }));
  const coloring = { kind: "classes", column: { codes }, entries, entryOf: Uint16Array.of(0, 1, 2) };
  const named = (telling: boolean) =>
    [...classAnchors(coloring as unknown as ClassColoring, positions, shuffled(180), telling)]
      .filter(([, { main }]) => main.length)
      .map(([entry]) => entry);
  expect(named(false)).toEqual([0, 1, 2]);
  expect(named(true)).toEqual([1, 2]);
});

test("a class that is lost among others has no name on the map, and a small one of its own place has", () => {
  const points = [...heap(0, 0, 200), ...heap(90, 0, 12)];
  const positions = Float32Array.from(points.flat());
  // A tenth of the large heap is of the second class, and the small heap is the third.
  const codes = Uint8Array.from(points, (_, i) => (i >= 200 ? 2 : Number(i % 10 === 0)));
  const entries = ["a", "b", "c"].map((name, code) => ({ code, name, count: codes.filter((c) => c === code).length }));
  const coloring = { kind: "classes", column: { codes }, entries, entryOf: Uint16Array.of(0, 1, 2) };
  const anchors = classAnchors(coloring as unknown as ClassColoring, positions, shuffled(points.length));
  expect([0, 1, 2].map((entry) => anchors.get(entry)!.main.length)).toEqual([1, 0, 1]);
});

test("the name of a crescent stands on it, and not in the bay where its mean is", () => {
  const crescent = Array.from({ length: 200 }, (_, k) => {
    const angle = (k / 199 - 0.5) * 1.7 * Math.PI;
    return fromDegrees(25 * Math.cos(angle), 25 * Math.sin(angle));
  });
  const positions = Float32Array.from(crescent.flat());
  const [anchor] = anchorsOf(() => 0, [0.4], positions, shuffled(200));
  const nearest = Math.max(...crescent.map((v) => dot(v, anchor!)));
  expect(nearest).toBeGreaterThan(0.99999);
  expect(anchorsOf(() => 1, [0.4, 0.4], positions, shuffled(200))[0]).toBeNull();
});

test("the densest item is the one with the most others nearby, as comparing all pairs says", () => {
  const points = [...heap(0, 0, 30), ...heap(60, 20, 50)];
  const positions = Float32Array.from(points.flat());
  const near = (i: number) => points.filter((v) => 2 - 2 * dot(v, points[i]!) < 0.04).length;
  const [best] = densest(
    points.map((_, i) => i),
    positions,
    0.2,
  );
  expect(near(best!)).toBeGreaterThanOrEqual(0.9 * Math.max(...points.map((_, i) => near(i))));
});
