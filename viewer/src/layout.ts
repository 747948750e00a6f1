/** Finds the free area for the map: as large as possible without overlapping panels. */
import { type Free, fittingScale } from "./geometry/frame.ts";
import type { Projection } from "./geometry/projection.ts";

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

const MARGIN = 14;

/** Half of the width of a map at a height, as a share of its half width; both from the centre, 0 to 1. */
function widthAt(projection: Projection, height: number): number {
  if (!projection.cut) return Math.sqrt(Math.max(0, 1 - height * height));
  const middle = projection.inverse(0, Math.min(1, height) * projection.halfHeight * (1 - 1e-9));
  const sine = middle?.[1] ?? 1;
  const out = new Float64Array(3);
  // Just short of the cut.
  const across = Math.sqrt(Math.max(0, 1 - sine * sine));
  projection.forward(across * Math.sin(Math.PI - 1e-9), sine, across * Math.cos(Math.PI - 1e-9), out);
  return out[0]! / projection.halfWidth;
}

/** How many heights of the outline of a map are known; the others are between them. */
const HEIGHTS = 64;

/** The half widths of a map from its middle to its top, as shares of its half width. */
function outlineOf(projection: Projection): Float64Array {
  const known = outlines.get(projection);
  if (known) return known;
  const made = Float64Array.from({ length: HEIGHTS + 1 }, (_, k) => widthAt(projection, k / HEIGHTS));
  outlines.set(projection, made);
  return made;
}

const outlines = new WeakMap<Projection, Float64Array>();

/** Whether the outline of a map with this centre and scale touches a rectangle. */
export function touches(projection: Projection, cx: number, cy: number, scale: number, r: Rect): boolean {
  const [rx, ry] = [scale * projection.halfWidth, scale * projection.halfHeight];
  const nx = Math.max(r.x, Math.min(cx, r.x + r.width)) - cx;
  const ny = Math.max(r.y, Math.min(cy, r.y + r.height)) - cy;
  if (Math.abs(ny) >= ry || Math.abs(nx) >= rx) return false;
  // A little too wide between two known heights, and never too narrow: outlines become narrower towards the top.
  return Math.abs(nx) < rx * outlineOf(projection)[Math.floor((Math.abs(ny) / ry) * HEIGHTS)]!;
}

/** Steps of the search for the centre, in each direction, and how often it is repeated around the best one, finer each time. */
const STEPS = 16;
const ROUNDS = 3;
/** Smaller maps show nothing. */
const LEAST = 80;
/** How much smaller a map in the middle may be than one at the edge. */
const TO_THE_MIDDLE = 0.12;

/** The free part of a pane of this size around the largest map, given the rectangles that cover it. */
export function freePart(projection: Projection, width: number, height: number, panels: readonly Rect[]): Free {
  const inside = panels
    .map((p) => ({
      x: p.x - MARGIN,
      y: p.y - MARGIN,
      width: p.width + 2 * MARGIN,
      height: p.height + 2 * MARGIN,
    }))
    .filter((p) => p.x + p.width > 0 && p.y + p.height > 0 && p.x < width && p.y < height);
  const around = (cx: number, cy: number): Free => {
    const [w, h] = [Math.min(cx, width - cx) - MARGIN, Math.min(cy, height - cy) - MARGIN];
    return { x: cx - w, y: cy - h, width: 2 * w, height: 2 * h };
  };
  const whole = around(width / 2, height / 2);
  let best = { cx: width / 2, cy: height / 2, scale: 0, score: 0 };
  const look = (cx: number, cy: number) => {
    const free = around(cx, cy);
    if (free.width < LEAST || free.height < LEAST) return;
    const off = Math.abs(2 * cx - width) / width + Math.abs(2 * cy - height) / height;
    const scoreOf = (scale: number) => scale * (1 - TO_THE_MIDDLE * off);
    let [fits, most] = [best.score / (1 - TO_THE_MIDDLE * off), fittingScale(projection, free)];
    const hits = (scale: number) => inside.some((p) => touches(projection, cx, cy, scale, p));
    // No better than the best one.
    if (most <= fits || hits(fits * (1 + 1e-6) + 1e-9)) return;
    if (hits(most)) {
      for (let k = 0; k < 20; k++) {
        const middle = (fits + most) / 2;
        if (hits(middle)) most = middle;
        else fits = middle;
      }
    } else fits = most;
    best = { cx, cy, scale: fits, score: scoreOf(fits) };
  };
  let [dx, dy] = [width / 2, height / 2];
  for (let round = 0; round < ROUNDS; round++) {
    const { cx, cy } = best;
    for (let j = -STEPS; j <= STEPS; j++)
      for (let i = -STEPS; i <= STEPS; i++) look(cx + (i * dx) / STEPS, cy + (j * dy) / STEPS);
    dx *= 2 / STEPS;
    dy *= 2 / STEPS;
  }
  if (best.scale * 2 * Math.min(projection.halfWidth, projection.halfHeight) < LEAST)
    return { ...whole, width: Math.max(LEAST, whole.width), height: Math.max(LEAST, whole.height) };
  // As large as the map in one direction, and in the other as far as the pane goes.
  const free = around(best.cx, best.cy);
  const [w, h] = [best.scale * projection.halfWidth, best.scale * projection.halfHeight];
  return free.width * h > free.height * w
    ? { ...free, y: best.cy - h, height: 2 * h }
    : { ...free, x: best.cx - w, width: 2 * w };
}

/** The number of columns in which maps that are as wide as high are largest. */
export function columnsFor(count: number, width: number, height: number): number {
  const side = (columns: number) => Math.min(width / columns, height / Math.ceil(count / columns));
  let best = 1;
  for (let columns = 2; columns <= count; columns++) if (side(columns) > side(best)) best = columns;
  return best;
}
