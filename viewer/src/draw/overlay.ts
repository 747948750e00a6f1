/** Draws the layer above the points: edges, rings around items, the lasso, the crosshair of the keyboard. */
import type { NeighborLists } from "../ask/neighbors.ts";
import type { Frame } from "../geometry/frame.ts";
import { angle, axisAngle, cross, rotate, unit, type Vector } from "../geometry/vector.ts";
import { drawLine, type Pen } from "./base.ts";
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

export function drawEdges(c: CanvasRenderingContext2D, frame: Frame, list: readonly Edge[], theme: Theme): void {
  for (const edge of list) {
    c.beginPath();
    drawLine(frame, edge.line, c as Pen);
    c.strokeStyle = edge.shared ? theme.kept : theme.torn;
    c.setLineDash(edge.shared ? [] : [5, 4]);
    c.lineWidth = 0.8 + 1.7 * edge.strength;
    c.stroke();
  }
  c.setLineDash([]);
}

export function drawRing(
  c: CanvasRenderingContext2D,
  frame: Frame,
  positions: Float32Array,
  item: number,
  radius: number,
  theme: Theme,
): void {
  const out = new Float64Array(3);
  frame.project(...at(positions, item), out);
  if (out[2]! <= 0) return;
  c.beginPath();
  c.arc(out[0]!, out[1]!, radius, 0, 2 * Math.PI);
  c.lineWidth = 4;
  c.strokeStyle = theme.halo;
  c.stroke();
  c.lineWidth = 2;
  c.strokeStyle = theme.ink;
  c.stroke();
}

export function drawLasso(
  c: CanvasRenderingContext2D,
  line: readonly (readonly [number, number])[],
  theme: Theme,
): void {
  if (line.length < 2) return;
  c.beginPath();
  for (const [i, [x, y]] of line.entries()) i ? c.lineTo(x, y) : c.moveTo(x, y);
  c.closePath();
  c.fillStyle = theme.dark ? "rgba(125,211,252,0.10)" : "rgba(2,100,160,0.08)";
  c.fill();
  c.setLineDash([6, 4]);
  c.lineWidth = 1.5;
  c.strokeStyle = theme.kept;
  c.stroke();
  c.setLineDash([]);
}

/** The crosshair, at which Enter and S act. */
export function drawCrosshair(c: CanvasRenderingContext2D, x: number, y: number, radius: number, theme: Theme): void {
  c.strokeStyle = theme.muted;
  c.lineWidth = 1.5;
  c.beginPath();
  c.moveTo(x - 9, y);
  c.lineTo(x + 9, y);
  c.moveTo(x, y - 9);
  c.lineTo(x, y + 9);
  c.stroke();
  c.setLineDash([3, 4]);
  c.beginPath();
  c.arc(x, y, radius, 0, 2 * Math.PI);
  c.stroke();
  c.setLineDash([]);
}
