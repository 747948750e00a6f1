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

/** Whether the outline of the projection within `free` touches a rectangle. */
export function touches(projection: Projection, free: Free, r: Rect): boolean {
  const scale = fittingScale(projection, free);
  const [cx, cy] = [free.x + free.width / 2, free.y + free.height / 2];
  const [rx, ry] = [scale * projection.halfWidth, scale * projection.halfHeight];
  const nx = Math.max(r.x, Math.min(cx, r.x + r.width)) - cx;
  const ny = Math.max(r.y, Math.min(cy, r.y + r.height)) - cy;
  return Math.abs(ny) < ry && Math.abs(nx) < rx * widthAt(projection, Math.abs(ny) / ry);
}

/** The largest free area of a pane of this size, given the rectangles that cover it. */
export function freePart(projection: Projection, width: number, height: number, panels: readonly Rect[]): Free {
  const inside = panels
    .map((p) => ({
      x: Math.max(0, p.x),
      y: Math.max(0, p.y),
      width: Math.min(width, p.x + p.width) - Math.max(0, p.x),
      height: Math.min(height, p.y + p.height) - Math.max(0, p.y),
    }))
    .filter((p) => p.width > 0 && p.height > 0);
  const lefts = [0, ...inside.map((p) => p.x + p.width)];
  const rights = [width, ...inside.map((p) => p.x)];
  const tops = [0, ...inside.map((p) => p.y + p.height)];
  const bottoms = [height, ...inside.map((p) => p.y)];
  let best: { free: Free; score: number } | null = null;
  for (const left of lefts)
    for (const right of rights)
      for (const top of tops)
        for (const bottom of bottoms) {
          const free = {
            x: left + MARGIN,
            y: top + MARGIN,
            width: right - left - 2 * MARGIN,
            height: bottom - top - 2 * MARGIN,
          };
          if (free.width < 80 || free.height < 80 || inside.some((p) => touches(projection, free, p))) continue;
          // Among areas of almost the same size, prefer the one nearest to the centre.
          const off = Math.abs(left + right - width) / width + Math.abs(top + bottom - height) / height;
          const score = fittingScale(projection, free) * (1 - 0.12 * off);
          if (!best || score > best.score + 1e-9) best = { free, score };
        }
  return (
    best?.free ?? {
      x: MARGIN,
      y: MARGIN,
      width: Math.max(80, width - 2 * MARGIN),
      height: Math.max(80, height - 2 * MARGIN),
    }
  );
}

/** The number of columns in which maps that are as wide as high are largest. */
export function columnsFor(count: number, width: number, height: number): number {
  const side = (columns: number) => Math.min(width / columns, height / Math.ceil(count / columns));
  let best = 1;
  for (let columns = 2; columns <= count; columns++) if (side(columns) > side(best)) best = columns;
  return best;
}
