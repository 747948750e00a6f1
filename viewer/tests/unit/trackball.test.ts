import { describe, expect, test } from "vitest";
import { Frame } from "../../src/geometry/frame.ts";
import { sphereProjections } from "../../src/geometry/projection.ts";
import { dragged } from "../../src/geometry/trackball.ts";
import {
  angle,
  axisAngle,
  conjugate,
  identity,
  multiply,
  power,
  rotate,
  shortest,
  slerp,
  turn,
  unit,
} from "../../src/geometry/vector.ts";

const free = { x: 100, y: 50, width: 800, height: 700 };
const frameOf = (projection: (typeof sphereProjections)[number], orientation = identity, zoom = 1) =>
  new Frame(1000, 800, { orientation, zoom, panX: 0, panY: 0 }, free, projection);

describe.each(sphereProjections.map((p) => [p.id, p] as const))("%s", (_id, projection) => {
  test("the grabbed point stays under the cursor within a pixel", () => {
    const frame = frameOf(projection);
    const from = frame.direction(470, 420);
    const grabbed = frame.unproject(470, 420)!;
    const out = new Float64Array(3);
    for (const [x, y] of [
      [480, 400],
      [560, 330],
      [430, 520],
      [610, 470],
    ] as const) {
      const orientation = dragged(identity, from, frame.direction(x, y));
      frameOf(projection, orientation).project(grabbed[0], grabbed[1], grabbed[2], out);
      expect(Math.hypot(out[0]! - x, out[1]! - y)).toBeLessThan(1);
    }
  });

  test("a closed drag comes back, also outside of the picture and over the poles", () => {
    const frame = frameOf(projection);
    const from = frame.direction(500, 400);
    let orientation = identity;
    for (let k = 0; k <= 200; k++) {
      const a = (k / 200) * 2 * Math.PI;
      orientation = dragged(identity, from, frame.direction(500 + 420 * Math.sin(a), 400 + 420 * (1 - Math.cos(a))));
    }
    expect((turn(orientation) * 180) / Math.PI).toBeLessThan(0.1);
  });
});

test("dragging is continuous across the limb of the globe", () => {
  const frame = frameOf(sphereProjections[0]!);
  let last = frame.direction(500, 400);
  for (let x = 500; x < 1000; x++) {
    const next = frame.direction(x, 400);
    expect(angle(last, next)).toBeLessThan(0.09);
    last = next;
  }
});

test("the shortest rotation takes one direction to the other, antipodes too", () => {
  for (const [a, b] of [
    [
      [1, 0, 0],
      [0, 1, 0],
    ],
    [
      [0, 0, 1],
      [0, 0, -1],
    ],
    [
      [0, 1, 0],
      [0, -1, 0],
    ],
    [
      [0.6, 0.8, 0],
      [0.6, 0.8, 0],
    ],
  ] as const) {
    expect(angle(rotate(shortest(a, b), a), b)).toBeLessThan(1e-6);
  }
});

test("a share of a rotation turns by that share, the shorter way", () => {
  const q = axisAngle([1, 2, 3], 3);
  expect(turn(power(q, 0.25))).toBeCloseTo(0.75, 12);
  const negated = q.map((x) => -x) as unknown as typeof q;
  expect(turn(multiply(power(negated, 0.5), conjugate(power(q, 0.5))))).toBeLessThan(1e-7);
});

test("slerp follows the great circle", () => {
  const [a, b] = [axisAngle([0, 1, 0], 0.2), axisAngle([0, 1, 0], 1.4)];
  const middle = rotate(slerp(a, b, 0.5), [0, 0, 1]);
  expect(angle(middle, unit(rotate(axisAngle([0, 1, 0], 0.8), [0, 0, 1])))).toBeLessThan(1e-9);
});
