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

/** Whether the ellipse of the projection within `free` touches a rectangle. */
export function touches(projection: Projection, free: Free, r: Rect): boolean {
  const scale = fittingScale(projection, free);
  const [cx, cy] = [free.x + free.width / 2, free.y + free.height / 2];
  const [rx, ry] = [scale * projection.halfWidth, scale * projection.halfHeight];
  const nx = Math.max(r.x, Math.min(cx, r.x + r.width)) - cx;
  const ny = Math.max(r.y, Math.min(cy, r.y + r.height)) - cy;
  return (nx / rx) ** 2 + (ny / ry) ** 2 < 1;
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
