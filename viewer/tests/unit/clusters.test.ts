import { expect, test } from "vitest";
import { Clusters } from "../../src/data/clusters.ts";
import { Crowd } from "../../src/draw/crowd.ts";
import { type Candidate, Placer } from "../../src/draw/labels.ts";
import { levelAt, placeCandidates } from "../../src/draw/places.ts";
import { extentsOf, zoomFor } from "../../src/geometry/extents.ts";
import { Frame } from "../../src/geometry/frame.ts";
import { projections } from "../../src/geometry/projection.ts";
import { identity } from "../../src/geometry/vector.ts";

/** Two continents; the first has two countries. */
const clusters = new Clusters(Uint8Array.of(0, 0, 0, 1, 1, 2), [
  { names: ["sport", "tech"], ofFinest: [0, 0, 1] },
  { names: ["sport: rugby · wales", "sport: tennis", "tech (2)"], ofFinest: [0, 1, 2] },
]);

const frame = () => {
  const free = { x: 0, y: 0, width: 400, height: 400 };
  const camera = { orientation: identity, zoom: 1, panX: 0, panY: 0 };
  return new Frame(400, 400, camera, free, projections.globe, projections.globe, 1, free);
};

test("countries are listed in their continents, with their sizes", () => {
  expect(clusters.within(0, 0)).toEqual([0, 1]);
  expect(clusters.within(0, 1)).toEqual([2]);
  expect(clusters.within(1, 0)).toEqual([]);
  expect([...clusters.sizes(clusters.levels[0]!)]).toEqual([5, 1]);
  expect([...clusters.sizes(clusters.levels[1]!)]).toEqual([3, 2, 1]);
});

test("the extent of a cluster is its middle on the sphere and how far it reaches", () => {
  const positions = Float32Array.of(1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, -1, 0, 0);
  const [continents, countries] = extentsOf(clusters, positions, true);
  expect(countries![1]).toEqual({ middle: [0, 0, 1], reach: 0, count: 2 });
  expect(Math.hypot(...continents![0]!.middle)).toBeCloseTo(1, 12);
  // Two at [1, 0, 0] and one at [0, 1, 0], around the direction of their sum.
  const middle = [2 / Math.sqrt(5), 1 / Math.sqrt(5), 0];
  const expected = Math.sqrt((2 * (2 - 2 * middle[0]!) + (2 - 2 * middle[1]!)) / 3);
  expect(countries![0]!.reach).toBeCloseTo(expected, 7);
  expect(zoomFor(continents![0]!)).toBeLessThan(zoomFor(countries![1]!));
});

test("the nearer, the finer the clusters that have names", () => {
  const named = (count: number) => ({ names: Array.from({ length: count }, String), ofFinest: [] });
  const levels = new Clusters(new Uint8Array(), [5, 15, 45, 135, 405].map(named));
  expect([0.5, 1, 1.5, 2, 3, 6, 100].map((zoom) => levelAt(levels, zoom))).toEqual([1, 1, 1, 2, 3, 4, 4]);
});

test("where classes have names, those of clusters begin after the class", () => {
  const extent = { middle: [0, 0, 1] as const, reach: 0.1, count: 3 };
  const texts = (classes: ReadonlySet<string> | null) =>
    placeCandidates(clusters, 1, [extent, extent, extent], [], classes).map((candidate) => candidate.text);
  expect(texts(null)).toEqual(["sport: rugby · wales", "sport: tennis", "tech (2)"]);
  // A cluster that is only its class has its name already, also if there are several.
  expect(texts(new Set(["sport", "tech"]))).toEqual(["rugby · wales", "tennis"]);
  // So has a mixture of classes.
  expect(texts(new Set(["rugby", "wales", "tech"]))).toEqual(["tennis"]);
});

test("a name goes where it covers the fewest points", () => {
  const view = frame();
  // A dense patch in the middle of the picture and to the right of it.
  const positions = new Float32Array(3 * 400);
  for (let i = 0; i < 400; i++) {
    const [x, y] = [-0.02 + (0.6 * (i % 20)) / 20, -0.05 + (0.1 * Math.floor(i / 20)) / 20];
    positions.set([x, y, Math.sqrt(1 - x * x - y * y)], 3 * i);
  }
  const order = Uint32Array.from({ length: 400 }, (_, i) => i);
  const crowd = new Crowd(view, positions, order);
  const [cx, cy] = [view.width / 2, view.height / 2];
  expect(crowd.cover({ x: cx, y: cy - 4, width: 40, height: 8 })).toBeGreaterThan(0.8);
  expect(crowd.cover({ x: cx - 120, y: cy - 4, width: 40, height: 8 })).toBe(0);
  const candidate: Candidate = { key: 7, text: "name", position: [0, 0, 1], weight: 1, clear: 20, kind: "item" };
  const side = (within: Crowd | null) => {
    const [label] = new Placer(() => 60).place(view, [candidate], [], 1e5, 0, false, true, within);
    return label!.x > cx ? "right" : label!.x + label!.width < cx ? "left" : "above or below";
  };
  expect(side(null)).toBe("right");
  expect(side(crowd)).toBe("left");
});
