import { expect, test } from "vitest";
import { axisAngle, rotate } from "../../src/geometry/vector.ts";
import { sheet, wrapped } from "../../src/geometry/wrapping.ts";

const sphere = Float32Array.of(0.6, 0, 0.8, 0, 0.6, 0.8, -0.6, 0, 0.8, 0, 0, -1);
/** The same from the front, reflected and turned by a right angle. */
const flat = Float32Array.of(0, 0.6, 0, 0.6, 0, 0, 0, -0.6, 0, 0, 0, 0);

test("the flat map is in front of the sphere, turned and reflected so that items move little", () => {
  const orientation = axisAngle([0, 1, 0], 0.3);
  const turned = Float32Array.from(sphere);
  for (let i = 0; i < turned.length; i += 3)
    turned.set(rotate(axisAngle([0, 1, 0], -0.3), [sphere[i]!, sphere[i + 1]!, sphere[i + 2]!]), i);
  const from = sheet(flat, turned, orientation);
  for (let i = 0; i < 9; i += 3) {
    const [x, y, z] = rotate(orientation, [from[i]!, from[i + 1]!, from[i + 2]!]);
    expect(z).toBeCloseTo(0.55, 5);
    // As far out as on the sphere, but for the size of the sheet.
    expect(x).toBeCloseTo(0.92 * sphere[i]!, 5);
    expect(y).toBeCloseTo(0.92 * sphere[i + 1]!, 5);
  }
});

test("wrapping begins at the flat map and ends on the sphere", () => {
  const from = sheet(flat, sphere, [0, 0, 0, 1]);
  const at = (share: number) => wrapped(from, sphere, share, new Float32Array(sphere.length));
  for (const [k, x] of at(0).entries()) expect(x).toBeCloseTo(from[k]!, 6);
  for (const [k, x] of at(1).entries()) expect(x).toBeCloseTo(sphere[k]!, 6);
  const half = at(0.5);
  expect(half.every(Number.isFinite)).toBe(true);
});
