/** Draws the borders between classes: a thin line with a lighter edge, which parts the points on both sides. */
import type { Frame } from "../geometry/frame.ts";
import type { Vector } from "../geometry/vector.ts";
import { drawLine } from "./base.ts";
import type { Surface } from "./surface.ts";
import type { Theme } from "./theme.ts";

export function drawBorders(
  surface: Surface,
  frame: Frame,
  borders: readonly (readonly Vector[])[],
  theme: Theme,
  opacity: number,
  moving: boolean,
): void {
  if (!borders.length) return;
  const lines = (stroke: string, width: number) =>
    surface.path(
      (pen) => {
        for (const line of borders) drawLine(frame, line, pen);
      },
      { stroke, width, opacity },
    );
  // During a movement the line is enough.
  if (!moving) lines(theme.borderEdge, 3.5);
  lines(theme.border, 1.1);
}
