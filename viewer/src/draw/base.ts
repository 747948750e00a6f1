/** Draws the layer below the points: the sphere, its outline and a graticule of 30 degrees. */
import type { Frame } from "../geometry/frame.ts";
import { outline } from "../geometry/projection.ts";
import { fromDegrees, unit, type Vector } from "../geometry/vector.ts";
import type { Pen, Surface } from "./surface.ts";
import type { Theme } from "./theme.ts";

/** A point on the screen, and whether it is on the near side. */
type Shown = readonly [x: number, y: number, visible: boolean];

/** Halvings until the end of a line is found to a fraction of a pixel. */
const HALVINGS = 12;

/**
 * Draws a line on the sphere, without parts on the far side and jumps across the cut of a map. Where a line leaves the
 * visible part, its end is found by bisection, so that it reaches the limb or the edge of the map.
 */
export function drawLine(frame: Frame, line: readonly Vector[], pen: Pen): void {
  const out = new Float64Array(3);
  const show = (v: Vector): Shown => {
    frame.project(v[0], v[1], v[2], out);
    return [out[0]!, out[1]!, out[2]! > 0];
  };
  const jump = frame.to.cut || frame.from.cut ? frame.scale * 0.7 : frame.scale * 1.2;
  const joined = (a: Shown, b: Shown) => a[2] && b[2] && Math.hypot(a[0] - b[0], a[1] - b[1]) < jump;
  /** The last point from a towards b that is joined with a. */
  const end = (a: Vector, b: Vector, shown: Shown): Shown => {
    let [near, far, last] = [a, b, shown];
    for (let k = 0; k < HALVINGS; k++) {
      const middle = unit([near[0] + far[0], near[1] + far[1], near[2] + far[2]]);
      const there = show(middle);
      if (joined(last, there)) [near, last] = [middle, there];
      else far = middle;
    }
    return last;
  };
  let before: { v: Vector; shown: Shown } | null = null;
  for (const v of line) {
    const shown = show(v);
    if (before && joined(before.shown, shown)) pen.lineTo(shown[0], shown[1]);
    else if (frame.to.id === "plane" || frame.to.id === "space" || !before) {
      if (shown[2]) pen.moveTo(shown[0], shown[1]);
    } else {
      if (before.shown[2]) {
        const [x, y] = end(before.v, v, before.shown);
        pen.lineTo(x, y);
      }
      if (shown[2]) {
        const [x, y] = end(v, before.v, shown);
        pen.moveTo(x, y);
        pen.lineTo(shown[0], shown[1]);
      }
    }
    before = { v, shown };
  }
}

const graticule: Vector[][] = [];
for (let longitude = -180; longitude < 180; longitude += 30) {
  const line: Vector[] = [];
  // Just short of the poles, where longitudes have no meaning.
  for (let latitude = -89.999; latitude < 90; latitude += 2.499972) line.push(fromDegrees(longitude, latitude));
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

/** The light on the sphere comes from the upper left. */
const LIGHT = [-0.42, -0.46] as const;

/** The radius of the glow around a globe, relative to its own. */
const GLOW = 1.09;

function ring(pen: Pen, x: number, y: number, radius: number, direction: 1 | -1): void {
  for (let k = 0; k <= 120; k++) {
    const a = (direction * k * Math.PI) / 60;
    const [px, py] = [x + radius * Math.cos(a), y + radius * Math.sin(a)];
    k ? pen.lineTo(px, py) : pen.moveTo(px, py);
  }
}

/** Rings at the same distance from the centre, with their degrees. */
function drawDistances(surface: Surface, frame: Frame, theme: Theme): void {
  const { centerX: x, centerY: y, scale } = frame;
  if (frame.morph < 1) return;
  // Between two rings there is room for their degrees.
  const step = [5, 10, 15, 30, 45].find((degrees) => (scale * degrees * Math.PI) / 180 > 48) ?? 90;
  for (let degrees = step; degrees < 180; degrees += step) {
    const radius = (scale * degrees * Math.PI) / 180;
    surface.circle(x, y, radius, { stroke: theme.outline, width: 0.8 });
    const text = { size: 11, weight: 500, color: theme.muted, halo: theme.halo, haloWidth: 2 };
    surface.text(`${degrees}°`, x + 4, y - radius, text);
  }
  surface.circle(x, y, 3, { stroke: theme.muted, width: 1.5 });
}

export function drawBase(surface: Surface, frame: Frame, theme: Theme): void {
  if (frame.to.id === "plane" || frame.to.id === "space") return;
  const edge = outlineOnScreen(frame);
  const reach = Math.max(frame.scale * frame.to.halfWidth, 1);
  const { centerX: x, centerY: y } = frame;
  const round = !frame.to.cut && frame.morph >= 1;
  if (round) {
    // The glow of the air around a globe lifts it from the page.
    // Only the ring beside the globe: without a graphics card, what is below it would cost as much again.
    surface.path(
      (pen) => {
        ring(pen, x, y, reach * GLOW, 1);
        ring(pen, x, y, reach * 0.995, -1);
      },
      {
        fill: {
          x,
          y,
          radius: reach * GLOW,
          focusX: x,
          focusY: y,
          stops: [
            [0.9, theme.glow],
            [0.925, theme.glow],
            [1, theme.glowEnd],
          ],
        },
      },
    );
  }
  const [focusX, focusY] = [x + reach * LIGHT[0], y + reach * LIGHT[1] * (frame.to.halfHeight / frame.to.halfWidth)];
  surface.path(
    (pen) => {
      for (const [i, [px, py]] of edge.entries()) i ? pen.lineTo(px, py) : pen.moveTo(px, py);
    },
    {
      closed: true,
      fill: { x, y, radius: reach * (frame.to.cut ? 1.3 : 1.02), focusX, focusY, stops: theme.sphere },
      stroke: theme.outline,
    },
  );
  if (frame.to.id === "equidistant") drawDistances(surface, frame, theme);
  else surface.path((pen) => drawGraticule(frame, pen), { stroke: theme.graticule, width: 0.8 });
}
