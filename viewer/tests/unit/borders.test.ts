import { expect, test } from "vitest";
import { shuffled } from "../../src/data/positions.ts";
import { bordersOf, NO_CLASS } from "../../src/geometry/borders.ts";
import { dot, fromDegrees, rotate, shortest, type Vector } from "../../src/geometry/vector.ts";

/** Points around a place, in a disc of this many degrees, evenly as the seeds of a sunflower. */
function disc(centre: Vector, degrees: number, count: number): Vector[] {
  const turn = shortest([0, 1, 0], centre);
  return Array.from({ length: count }, (_, k) =>
    rotate(turn, fromDegrees(k * 137.508, 90 - degrees * Math.sqrt((k + 0.5) / count))),
  );
}

const borders = (points: readonly Vector[], classOf: (v: Vector, k: number) => number) =>
  bordersOf(Float32Array.from(points.flat()), Uint8Array.from(points, classOf), shuffled(points.length));

const degrees = (a: Vector, b: Vector) => (Math.acos(Math.max(-1, Math.min(1, dot(a, b)))) * 180) / Math.PI;
/** The length of all lines, in degrees. */
const length = (lines: readonly Vector[][]) =>
  lines.reduce((sum, line) => sum + line.slice(1).reduce((s, v, k) => s + degrees(line[k]!, v), 0), 0);

// A great circle through each disc parts it: at the equator, across the date line, around a pole.
test.each([
  [0, 0],
  [180, 20],
  [40, 55],
  [0, 90],
  [70, -88],
])(
  "a border runs through the middle of a land of two classes, from coast to coast: %i°, %i°",
  (longitude, latitude) => {
    const centre = fromDegrees(longitude, latitude);
    const across = rotate(shortest([0, 1, 0], centre), [1, 0, 0]);
    const lines = borders(disc(centre, 25, 17_000), (v) => (dot(v, across) > 0 ? 0 : 1));
    // Half a cell is half a degree; near the pole cells are narrow, and there the grid leaves out a degree.
    for (const line of lines) for (const v of line) expect(Math.abs(90 - degrees(v, across))).toBeLessThan(0.8);
    expect(length(lines)).toBeGreaterThan(43);
    expect(length(lines)).toBeLessThan(54);
  },
);

test("there is no border in the sea, between items without a class, or in one class", () => {
  const islands = [...disc(fromDegrees(0, 0), 15, 1500), ...disc(fromDegrees(60, 0), 15, 1500)];
  expect(borders(islands, (_, k) => (k < 1500 ? 0 : 1))).toEqual([]);
  const land = disc(fromDegrees(0, 0), 25, 3000);
  expect(borders(land, () => 3)).toEqual([]);
  expect(borders(land, () => NO_CLASS)).toEqual([]);
});

test("a few items of another class have no border of their own, on land and on an island", () => {
  const land = disc(fromDegrees(0, 0), 25, 17_000);
  const enclave = disc(fromDegrees(8, 3), 2, 30);
  const island = disc(fromDegrees(100, 0), 2, 6);
  const few = borders([...land, ...enclave, ...island], (v, k) => (k < 17_000 ? (v[0] > 0.3 ? 0 : 1) : 2));
  for (const line of few) for (const v of line) expect(Math.abs(v[0] - 0.3)).toBeLessThan(0.02);
  // Many of them have one.
  const many = borders([...land, ...disc(fromDegrees(8, 3), 7, 5000)], (_, k) => (k < 17_000 ? 0 : 1));
  expect(many.length).toBeGreaterThan(0);
  for (const v of many.flat()) expect(degrees(v, fromDegrees(8, 3))).toBeLessThan(10);
});

test("where classes are mixed, no border pretends to part them", () => {
  // In the middle of the land, two classes take turns at random; only west and east of it is each alone.
  const land = disc(fromDegrees(0, 0), 30, 1200);
  const mixed = (k: number) => (Math.imul(k + 1, 2654435761) >>> 16) % 2;
  const lines = borders(land, (v, k) => (v[0] < -0.3 ? 0 : v[0] > 0.3 ? 1 : mixed(k)));
  // One border at most, from coast to coast, and not one around every group of a few items.
  expect(lines.length).toBeLessThanOrEqual(1);
  expect(borders(land, (_, k) => mixed(k))).toEqual([]);
});

test("three classes meet in one place", () => {
  const land = disc(fromDegrees(20, 10), 25, 5000);
  const turn = shortest(fromDegrees(20, 10), [0, 0, 1]);
  const lines = borders(land, (v) => {
    const [x, y] = rotate(turn, v);
    return Math.floor(((Math.atan2(y, x) / Math.PI + 1) / 2) * 3) % 3;
  });
  const near = lines.map((line) => Math.min(...line.map((v) => degrees(v, fromDegrees(20, 10)))));
  expect(lines.length).toBe(3);
  for (const d of near) expect(d).toBeLessThan(2);
});
