/** Draws the layer above the points: edges, rings around items, the lasso, the crosshair of the keyboard. */
import type { NeighborLists } from "../ask/neighbors.ts";
import type { Frame } from "../geometry/frame.ts";
import { angle, axisAngle, cross, rotate, unit, type Vector } from "../geometry/vector.ts";
import { drawLine } from "./base.ts";
import type { Surface } from "./surface.ts";
import type { Theme } from "./theme.ts";

const at = (positions: Float32Array, item: number): Vector => [
  positions[3 * item]!,
  positions[3 * item + 1]!,
  positions[3 * item + 2]!,
];

/** The path from one item to another: a great circle on the sphere, otherwise a straight line. */
export function way(from: Vector, to: Vector, sphere: boolean): Vector[] {
  if (!sphere) return [from, to];
  const whole = angle(from, to);
  const steps = Math.max(2, Math.ceil(whole / 0.04));
  const axis = cross(from, to);
  // Antipodes are connected by infinitely many great circles: any of them will do.
  const around = Math.hypot(...axis) < 1e-9 ? cross(from, Math.abs(from[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]) : axis;
  return Array.from({ length: steps + 1 }, (_, k) => unit(rotate(axisAngle(around, (whole * k) / steps), from)));
}

export interface Edge {
  line: Vector[];
  shared: boolean;
  strength: number;
}

/** Edges to the neighbours in the data. */
export function edges(positions: Float32Array, item: number, lists: NeighborLists, sphere: boolean): Edge[] {
  return lists.inData.map((n) => ({
    line: way(at(positions, item), at(positions, n.item), sphere),
    shared: n.shared,
    strength: n.value,
  }));
}

export function drawEdges(surface: Surface, frame: Frame, list: readonly Edge[], theme: Theme): void {
  for (const edge of list) {
    surface.path((pen) => drawLine(frame, edge.line, pen), {
      stroke: edge.shared ? theme.kept : theme.torn,
      width: 0.8 + 1.7 * edge.strength,
      dash: edge.shared ? undefined : [5, 4],
    });
  }
}

export function drawRing(
  surface: Surface,
  frame: Frame,
  positions: Float32Array,
  item: number,
  radius: number,
  theme: Theme,
): void {
  const out = new Float64Array(3);
  frame.project(...at(positions, item), out);
  if (out[2]! <= 0) return;
  surface.circle(out[0]!, out[1]!, radius, { stroke: theme.halo, width: 4 });
  surface.circle(out[0]!, out[1]!, radius, { stroke: theme.ink, width: 2 });
}

export function drawLasso(surface: Surface, line: readonly (readonly [number, number])[], theme: Theme): void {
  if (line.length < 2) return;
  surface.path(
    (pen) => {
      for (const [i, [x, y]] of line.entries()) i ? pen.lineTo(x, y) : pen.moveTo(x, y);
    },
    {
      closed: true,
      fill: theme.dark ? "rgba(125,211,252,0.10)" : "rgba(2,100,160,0.08)",
      stroke: theme.kept,
      width: 1.5,
      dash: [6, 4],
    },
  );
}

/** The crosshair, at which Enter and S act. */
export function drawCrosshair(surface: Surface, x: number, y: number, radius: number, theme: Theme): void {
  surface.path(
    (pen) => {
      pen.moveTo(x - 9, y);
      pen.lineTo(x + 9, y);
      pen.moveTo(x, y - 9);
      pen.lineTo(x, y + 9);
    },
    { stroke: theme.muted, width: 1.5 },
  );
  surface.circle(x, y, radius, { stroke: theme.muted, width: 1.5, dash: [3, 4] });
}
