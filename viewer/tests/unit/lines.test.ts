import { expect, test } from "vitest";
import { drawGraticule, drawLine } from "../../src/draw/base.ts";
import { Frame } from "../../src/geometry/frame.ts";
import { outline, projections, sphereProjections } from "../../src/geometry/projection.ts";
import { axisAngle, fromDegrees } from "../../src/geometry/vector.ts";

const free = { x: 0, y: 0, width: 1000, height: 700 };
const frameOf = (id: keyof typeof projections, angle = 0.7) =>
  new Frame(
    1000,
    700,
    { orientation: axisAngle([0.3, 1, 0.2], angle), zoom: 1, panX: 0, panY: 0 },
    free,
    projections[id],
  );

type Point = [number, number];

/** The connected parts of a line on the screen. */
function parts(
  draw: (pen: { moveTo(x: number, y: number): void; lineTo(x: number, y: number): void }) => void,
): Point[][] {
  const found: Point[][] = [];
  draw({
    moveTo: (x, y) => void found.push([[x, y]]),
    lineTo: (x, y) => void found.at(-1)!.push([x, y]),
  });
  return found.filter((part) => part.length > 1);
}

test.each(sphereProjections.map((p) => p.id))(
  "%s: parallels end at the outline or where they began, never before",
  (id) => {
    const frame = frameOf(id);
    const edge = outline(projections[id], 4000).map(
      ([x, y]): Point => [frame.centerX + x * frame.scale, frame.centerY - y * frame.scale],
    );
    const fromEdge = ([x, y]: Point) => Math.min(...edge.map(([ex, ey]) => Math.hypot(x - ex, y - ey)));
    for (const latitude of [-60, -30, 0, 30, 60]) {
      const line = Array.from({ length: 145 }, (_, k) => fromDegrees(-180 + 2.5 * k, latitude));
      const drawn = parts((pen) => drawLine(frame, line, pen));
      const ends = drawn.flatMap((part) => [part[0]!, part.at(-1)!]);
      const start = new Float64Array(3);
      frame.project(...line[0]!, start);
      for (const end of ends) {
        const closes = Math.hypot(end[0] - start[0]!, end[1] - start[1]!) < 1;
        expect(closes || fromEdge(end) < 2, `${latitude}: ${end}`).toBe(true);
      }
    }
  },
);

test("all meridians reach the poles", () => {
  const pole = new Float64Array(3);
  const north = new Frame(
    1000,
    700,
    { orientation: axisAngle([1, 0, 0], Math.PI / 2), zoom: 1, panX: 0, panY: 0 },
    free,
    projections.globe,
  );
  north.project(0, 1, 0, pole);
  const lines = parts((pen) => drawGraticule(north, pen));
  const ends = lines.flatMap((part) => [part[0]!, part.at(-1)!]);
  expect(ends.filter(([x, y]) => Math.hypot(x - pole[0]!, y - pole[1]!) < 1)).toHaveLength(12);
});
