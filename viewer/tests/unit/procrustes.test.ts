import { expect, test } from "vitest";
import { procrustes, transform } from "../../src/geometry/procrustes.ts";
import { axisAngle, rotate } from "../../src/geometry/vector.ts";

const points = Float32Array.from({ length: 300 }, (_, k) => Math.sin(k * 12.9898) * 0.9);

test.each([1, -1])("a turned copy (handedness %i) is turned back", (handedness) => {
  const turned = new Float32Array(points.length);
  const q = axisAngle([0.3, -1, 2], 2.2);
  for (let i = 0; i < points.length; i += 3)
    turned.set(rotate(q, [handedness * points[i]!, points[i + 1]!, points[i + 2]!]), i);
  transform(procrustes(points, turned), turned);
  for (let i = 0; i < points.length; i++) expect(turned[i]!).toBeCloseTo(points[i]!, 5);
});

test("the map is orthogonal even where the points lie in a plane", () => {
  const flat = points.map((x, k) => (k % 3 === 2 ? 0 : x));
  const map = procrustes(
    flat,
    flat.map((x, k) => (k % 3 === 0 ? -x : x)),
  );
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += map[3 * r + k]! * map[3 * c + k]!;
      expect(sum).toBeCloseTo(r === c ? 1 : 0, 9);
    }
});
