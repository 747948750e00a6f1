/** Draws the layer below the points: the sphere, its outline and a graticule of 30 degrees. */
import type { Frame } from "../geometry/frame.ts";
import { outline } from "../geometry/projection.ts";
import { fromDegrees, type Vector } from "../geometry/vector.ts";
import type { Theme } from "./theme.ts";

/** A target for lines: a canvas, or the path of an SVG. */
export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

/** Draws a line on the sphere, without parts on the far side and jumps across the cut of a map. */
export function drawLine(frame: Frame, line: readonly Vector[], pen: Pen): void {
  const out = new Float64Array(3);
  const jump = frame.scale * 1.2;
  let [lastX, lastY] = [0, 0];
  let down = false;
  for (const v of line) {
    frame.project(v[0], v[1], v[2], out);
    const [x, y] = [out[0]!, out[1]!];
    const visible = out[2]! > 0;
    const joined = down && visible && Math.hypot(x - lastX, y - lastY) < jump;
    if (visible && joined) pen.lineTo(x, y);
    else if (visible) pen.moveTo(x, y);
    down = visible;
    [lastX, lastY] = [x, y];
  }
}

const graticule: Vector[][] = [];
for (let longitude = -180; longitude < 180; longitude += 30) {
  const pole = longitude % 90 === 0 ? 90 : 75;
  const line: Vector[] = [];
  for (let latitude = -pole; latitude <= pole; latitude += 2.5) line.push(fromDegrees(longitude, latitude));
  graticule.push(line);
}
for (let latitude = -60; latitude <= 60; latitude += 30) {
  const line: Vector[] = [];
  for (let longitude = -180; longitude <= 180; longitude += 2.5) line.push(fromDegrees(longitude, latitude));
  graticule.push(line);
}

export function drawGraticule(frame: Frame, pen: Pen): void {
  for (const line of graticule) drawLine(frame, line, pen);
}

/** The outline on the screen, as a closed line. */
export function outlineOnScreen(frame: Frame): [number, number][] {
  const to = outline(frame.to);
  const from = outline(frame.from);
  // Outlines of maps begin in the south-east, those of discs in the east: compare them by angle.
  const angle = (frame.to.cut ? 1 : 0) - (frame.from.cut ? 1 : 0);
  const shift = angle === 0 ? 0 : Math.round((to.length / 4) * angle);
  return to.map(([x, y], i) => {
    const [fx, fy] = from[(i - shift + from.length) % from.length]!;
    const { morph } = frame;
    return [
      frame.centerX + (1 - morph) * fx * frame.fromScale + morph * x * frame.scale,
      frame.centerY - (1 - morph) * fy * frame.fromScale - morph * y * frame.scale,
    ];
  });
}

export function drawBase(c: CanvasRenderingContext2D, frame: Frame, theme: Theme): void {
  if (frame.to.id === "plane" || frame.to.id === "space") return;
  const edge = outlineOnScreen(frame);
  c.beginPath();
  for (const [i, [x, y]] of edge.entries()) i ? c.lineTo(x, y) : c.moveTo(x, y);
  c.closePath();
  const reach = Math.max(frame.scale * frame.to.halfWidth, 1);
  const gradient = c.createRadialGradient(
    frame.centerX - reach * 0.25,
    frame.centerY - reach * 0.3,
    reach * 0.1,
    frame.centerX,
    frame.centerY,
    reach,
  );
  gradient.addColorStop(0, theme.middle);
  gradient.addColorStop(1, theme.limb);
  c.fillStyle = gradient;
  c.fill();
  c.lineWidth = 1;
  c.strokeStyle = theme.outline;
  c.stroke();
  c.beginPath();
  drawGraticule(frame, c);
  c.strokeStyle = theme.graticule;
  c.stroke();
}
