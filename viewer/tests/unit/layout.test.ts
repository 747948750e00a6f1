import { expect, test } from "vitest";
import { fittingScale } from "../../src/geometry/frame.ts";
import { projections } from "../../src/geometry/projection.ts";
import { freePart, type Rect, touches } from "../../src/layout.ts";

/** Numbers from 0 to 1 that look random. */
const numbers = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
};

/** The same question for points along the outline and within it. */
function touchesSlowly(projection: (typeof projections)["globe"], cx: number, cy: number, scale: number, r: Rect) {
  for (let j = 0; j <= 60; j++)
    for (let i = 0; i <= 60; i++) {
      const [x, y] = [r.x + (r.width * i) / 60 - cx, r.y + (r.height * j) / 60 - cy];
      if (projection.inverse(x / scale, -y / scale) !== null) return true;
    }
  return false;
}

test.each(["globe", "equalearth", "mollweide"] as const)("%s: what touches a panel is found as points say", (id) => {
  const next = numbers(7);
  const projection = projections[id];
  let both = 0;
  for (let k = 0; k < 300; k++) {
    const r = { x: 900 * next(), y: 600 * next(), width: 40 + 200 * next(), height: 40 + 200 * next() };
    const scale = (150 + 250 * next()) / projection.halfHeight;
    const slow = touchesSlowly(projection, 500, 400, scale, r);
    both += Number(slow);
    if (slow) expect(touches(projection, 500, 400, scale, r)).toBe(true);
    // It may be said of a panel that is a little outside, but of none that is well outside.
    else if (touches(projection, 500, 400, scale, r))
      expect(touchesSlowly(projection, 500, 400, scale * 1.05, r), JSON.stringify(r)).toBe(true);
  }
  expect(both).toBeGreaterThan(30);
});

test.each(["globe", "equalearth"] as const)("%s: no place in the pane has room for a clearly larger map", (id) => {
  const next = numbers(3);
  const projection = projections[id];
  for (let k = 0; k < 12; k++) {
    const [width, height] = [700 + 900 * next(), 500 + 500 * next()];
    const panels = [
      { x: 24, y: 20, width: 150 + 300 * next(), height: 60 + 200 * next() },
      { x: width - 244, y: 20, width: 224, height: 80 + 300 * next() },
      { x: width / 2 - 240, y: height - 70, width: 480, height: 60 },
    ];
    const free = freePart(projection, width, height, panels);
    const scale = fittingScale(projection, free);
    const [cx, cy] = [free.x + free.width / 2, free.y + free.height / 2];
    for (const p of panels) expect(touches(projection, cx, cy, scale, p)).toBe(false);
    const penalty = (x: number, y: number) =>
      1 - 0.12 * (Math.abs(2 * x - width) / width + Math.abs(2 * y - height) / height);
    for (let j = 1; j < 40; j++)
      for (let i = 1; i < 40; i++) {
        const [x, y] = [(width * i) / 40, (height * j) / 40];
        const better = (1.03 * scale * penalty(cx, cy)) / penalty(x, y);
        const [w, h] = [better * projection.halfWidth + 14, better * projection.halfHeight + 14];
        if (x - w < 0 || y - h < 0 || x + w > width || y + h > height) continue;
        const wide = panels.map((p) => ({ x: p.x - 14, y: p.y - 14, width: p.width + 28, height: p.height + 28 }));
        expect(wide.some((p) => touches(projection, x, y, better, p))).toBe(true);
      }
  }
});
