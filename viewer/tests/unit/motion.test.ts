import { expect, test } from "vitest";
import { axisAngle, identity, multiply, rotate } from "../../src/geometry/vector.ts";
import { turning } from "../../src/pane/motion.ts";

test("a slow turn is around the globe's own axis, ends where it began, and then stops", () => {
  const tilted = multiply(axisAngle([1, 0, 0], 0.4), identity);
  const camera = { orientation: tilted, zoom: 1, panX: 0, panY: 0 };
  const motion = turning(1000);
  const pole = rotate(tilted, [0, 1, 0]);
  let going = true;
  for (let now = 1000; going; now += 250) {
    going = motion.step(camera, now);
    const seen = rotate(camera.orientation, [0, 1, 0]);
    for (let k = 0; k < 3; k++) expect(seen[k]).toBeCloseTo(pole[k]!, 9);
    if (now === 1000 + 75_000 / 2) {
      const [x, , z] = rotate(multiply(axisAngle([1, 0, 0], -0.4), camera.orientation), [0, 0, 1]);
      expect(x).toBeCloseTo(0, 6);
      expect(z).toBeCloseTo(-1, 6);
    }
  }
  const back = rotate(camera.orientation, [0, 0, 1]);
  const before = rotate(tilted, [0, 0, 1]);
  for (let k = 0; k < 3; k++) expect(back[k]).toBeCloseTo(before[k]!, 6);
});
