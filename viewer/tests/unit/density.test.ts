import { expect, test } from "vitest";
import { shuffled } from "../../src/data/positions.ts";
import { detailAt, type Land, landOf } from "../../src/geometry/density.ts";
import { fromDegrees, rotate, shortest, type Vector } from "../../src/geometry/vector.ts";

/** Points around a place, in a disc of this many degrees, evenly as the seeds of a sunflower. */
function disc(centre: Vector, degrees: number, count: number): Vector[] {
  const turn = shortest([0, 1, 0], centre);
  return Array.from({ length: count }, (_, k) =>
    rotate(turn, fromDegrees(k * 137.508, 90 - degrees * Math.sqrt((k + 0.5) / count))),
  );
}

function landUnder(points: readonly Vector[], color: readonly [number, number, number] = [200, 100, 50]): Land | null {
  const positions = Float32Array.from(points.flat());
  const colors = Uint8Array.from(points.flatMap(() => color));
  return landOf(positions, colors, shuffled(points.length));
}

const cellAt = (land: Land, longitude: number, latitude: number) => {
  const column = Math.floor(((longitude + 180) / 360) * land.width) % land.width;
  return Math.min(land.height - 1, Math.floor(((latitude + 90) / 180) * land.height)) * land.width + column;
};
const heightAt = (land: Land, longitude: number, latitude: number) =>
  land.data[4 * cellAt(land, longitude, latitude) + 3]!;

/** The share of the sphere that is land. */
function area(land: Land): number {
  let [dry, all] = [0, 0];
  for (let row = 0; row < land.height; row++) {
    const weight = Math.cos(((row + 0.5) / land.height - 0.5) * Math.PI);
    for (let column = 0; column < land.width; column++) {
      all += weight;
      if (land.data[4 * (row * land.width + column) + 3]! > 0.5) dry += weight;
    }
  }
  return dry / all;
}

test("there is land where points are dense, in their colour, and sea elsewhere", () => {
  const land = landUnder(disc(fromDegrees(40, 20), 20, 3000))!;
  expect(heightAt(land, 40, 20)).toBeGreaterThan(0.6);
  expect(heightAt(land, 40, 32)).toBeGreaterThan(0.5);
  expect(heightAt(land, 40, 55)).toBeLessThan(0.3);
  expect(heightAt(land, -140, -20)).toBe(0);
  const at = 4 * cellAt(land, 40, 20);
  expect([...land.data.slice(at, at + 3)].map((c) => Math.round(255 * c))).toEqual([200, 100, 50]);
  expect(land.steps[0]).toBeGreaterThan(0.5);
  expect(land.steps[1]).toBeGreaterThanOrEqual(land.steps[0]);
});

test.each([
  [0, 0],
  [179, 10],
  [30, 60],
  [-100, 85],
  [0, 90],
  [50, -89],
])("land has the same size wherever it is: %i°, %i°", (longitude, latitude) => {
  // The cap of 20 degrees is 3 % of the sphere; the coast is where 7 % of the points are outside.
  const land = landUnder(disc(fromDegrees(longitude, latitude), 20, 3000))!;
  expect(area(land)).toBeGreaterThan(0.026);
  expect(area(land)).toBeLessThan(0.034);
});

test("points that cover the sphere evenly have no land, and neither do very few", () => {
  expect(landUnder(disc([0, 1, 0], 180, 12))).toBeNull();
  const even = Array.from({ length: 4000 }, (_, k): Vector => {
    const y = 1 - (2 * k + 1) / 4000;
    const across = Math.sqrt(1 - y * y);
    return [across * Math.cos(k * 2.39996), y, across * Math.sin(k * 2.39996)];
  });
  expect(landUnder(even)).toBeNull();
});

test("near by, a strait between two dense discs is seen that is land from afar", () => {
  // Two discs of 4 degrees, 2 degrees apart, with points enough for a fine kernel.
  const points = [...disc(fromDegrees(0, 0), 4, 33_000), ...disc(fromDegrees(10, 0), 4, 33_000)];
  const positions = Float32Array.from(points.flat());
  const colors = new Uint8Array(positions.length).fill(100);
  const [far, near] = [1, 4].map((detail) => landOf(positions, colors, shuffled(points.length), detail)!);
  expect(heightAt(far!, 5, 0.3)).toBeGreaterThan(0.5);
  expect(heightAt(near!, 5, 0.3)).toBeLessThan(0.3);
  expect(heightAt(near!, 0, 0.3)).toBeGreaterThan(0.5);
  expect(near!.width).toBe(4 * far!.width);
});

test("small lakes are filled and islands of two points are sunk, and larger ones stay", () => {
  const away = (from: Vector, least: number) => (v: Vector) =>
    v[0] * from[0] + v[1] * from[1] + v[2] * from[2] < Math.cos((least * Math.PI) / 180);
  const land = disc(fromDegrees(0, 0), 30, 4000);
  const [small, large] = [fromDegrees(-10, 0), fromDegrees(10, 0)];
  const far = [fromDegrees(100, 0), fromDegrees(100, 0.5)];
  const group = disc(fromDegrees(150, 0), 4, 100);
  const map = landUnder([...land.filter(away(small, 4)).filter(away(large, 8)), ...far, ...group])!;
  expect(heightAt(map, -10, 0.3)).toBeGreaterThan(0.5);
  expect(heightAt(map, 10, 0.3)).toBeLessThan(0.5);
  expect(heightAt(map, 100, 0.3)).toBeLessThan(0.5);
  expect(heightAt(map, 150, 0.3)).toBeGreaterThan(0.5);
});

test("few points have the same land at every distance", () => {
  const points = disc(fromDegrees(40, 20), 20, 300);
  const positions = Float32Array.from(points.flat());
  const colors = new Uint8Array(positions.length).fill(100);
  const [far, near] = [1, 4].map((detail) => landOf(positions, colors, shuffled(points.length), detail)!);
  expect(near).toEqual(far);
});

test("the detail grows with the scale, and not beyond four", () => {
  expect([200, 500, 700, 1200, 3000, 1e6].map(detailAt)).toEqual([1, 1, 2, 2, 4, 4]);
});
