import { expect, test } from "vitest";
import { centres } from "../../src/geometry/bundles.ts";

test("every item of a cluster has the same centre, of length 1, in the middle of the cluster", () => {
  const positions = Float32Array.from([0.8, 0.6, 0, 0.8, -0.6, 0, 0, 0, 1]);
  expect([...centres(positions, [4, 4, 2])]).toEqual([1, 0, 0, 1, 0, 0, 0, 0, 1]);
});

test("a cluster all around the sphere has no direction, and no harm is done", () => {
  expect([...centres(Float32Array.from([1, 0, 0, -1, 0, 0]), [0, 0])]).toEqual([0, 0, 0, 0, 0, 0]);
});
