import { expect, test } from "vitest";
import { strongestPairs } from "../../src/ask/strongest.ts";

/** 0 and 1 list each other, 2 lists 0, 3 lists 2. */
const neighbors = {
  starts: Uint32Array.of(0, 1, 2, 3, 4),
  indices: Uint8Array.of(1, 0, 0, 2),
  strengths: Uint8Array.of(100, 100, 255, 7),
  weights: null,
};

test("the strongest pairs come first, each of them once", () => {
  const { items, strengths, all } = strongestPairs(neighbors, null, 10);
  expect([...items]).toEqual([2, 0, 0, 1, 3, 2]);
  expect([...strengths]).toEqual([255, 100, 7]);
  expect(all).toBe(3);
});

test("only so many are taken, and only those of highlighted items", () => {
  expect([...strongestPairs(neighbors, null, 2).items]).toEqual([2, 0, 0, 1]);
  expect([...strongestPairs(neighbors, Uint8Array.of(0, 0, 0, 1), 10).items]).toEqual([3, 2]);
  expect(strongestPairs(neighbors, new Uint8Array(4), 10).all).toBe(0);
});
