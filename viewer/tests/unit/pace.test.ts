import { expect, test } from "vitest";
import { Pace } from "../../src/pane/pace.ts";

/** Plays pictures on a machine that needs so many milliseconds a picture and a thousand points. */
function play(
  pace: Pace,
  count: number,
  fixed: number,
  each: number,
  pictures: number,
): { count: number; times: number[] } {
  const times: number[] = [];
  for (let k = 0; k < pictures; k++) {
    const time = fixed + (each * count) / 1000;
    times.push(time);
    count = pace.next(count, 6000, 1_000_000, time);
  }
  return { count, times };
}

test("the pace finds what a machine can do, and keeps to it", () => {
  for (const each of [0.02, 0.2, 1.1, 4]) {
    const { times } = play(new Pace([24, 42]), 30_000, 8, each, 60);
    const late = times.slice(20);
    expect(Math.max(...late)).toBeLessThanOrEqual(Math.max(42, 8 + each * 6));
  }
});

test("one slow picture is answered at once, in proportion, and only once", () => {
  const pace = new Pace([24, 42]);
  const after = pace.next(100_000, 1000, 1_000_000, 84);
  expect(after).toBe(40_000);
  expect(pace.next(after, 1000, 1_000_000, 30)).toBe(after);
  // It grows only when none of the last few was slow.
  let count = after;
  for (let k = 0; k < 2; k++) count = pace.next(count, 1000, 1_000_000, 10);
  expect(count).toBe(after);
  for (let k = 0; k < 5; k++) count = pace.next(count, 1000, 1_000_000, 10);
  expect(count).toBeGreaterThan(after);
});
