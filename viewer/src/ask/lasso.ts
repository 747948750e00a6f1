/** The items inside a lasso. */
import type { Frame } from "../geometry/frame.ts";
import type { LassoMode } from "../state.ts";

/** The inside of a closed line as one byte per pixel, and its position on the screen. */
interface Region {
  inside: Uint8Array;
  x0: number;
  y0: number;
  width: number;
  height: number;
}

/** One byte for each item: 1 if it is on the near side and its pixel is inside the closed line, without a transition between projections. */
export function within(
  frame: Frame,
  positions: Float32Array,
  line: readonly (readonly [number, number])[],
): Uint8Array {
  const [xs, ys] = [line.map((p) => p[0]), line.map((p) => p[1])];
  const x0 = Math.floor(Math.min(...xs));
  const y0 = Math.floor(Math.min(...ys));
  const width = Math.ceil(Math.max(...xs)) - x0 + 1;
  const height = Math.ceil(Math.max(...ys)) - y0 + 1;
  const region = { inside: rasterize(line, x0, y0, width, height), x0, y0, width, height };
  return frame.to.cut ? withinMap(frame, positions, region) : withinAny(frame, positions, region);
}

/** Projects every point. */
export function withinAny(
  frame: Frame,
  positions: Float32Array,
  { inside, x0, y0, width, height }: Region,
): Uint8Array {
  const count = positions.length / 3;
  const mask = new Uint8Array(count);
  const out = new Float64Array(3);
  const [r0, r1, r2, r3, r4, r5, r6, r7, r8] = frame.rotation;
  const { to, scale, centerX, centerY } = frame;
  // In the fish-eye, the distance from the centre depends on the depth only, so most points are excluded before projection.
  const far = Math.max(
    ...[x0, x0 + width].flatMap((x) => [y0, y0 + height].map((y) => Math.hypot(x - centerX, y - centerY) / scale)),
  );
  const deep = to.id === "fisheye" ? 1 - (far * far) / 2 - 1e-6 : -Infinity;
  for (let i = 0; i < count; i++) {
    const x = positions[3 * i]!;
    const y = positions[3 * i + 1]!;
    const z = positions[3 * i + 2]!;
    const vz = r2! * x + r5! * y + r8! * z;
    if (vz < deep) continue;
    to.forward(r0! * x + r3! * y + r6! * z, r1! * x + r4! * y + r7! * z, vz, out);
    if (out[2]! <= 0) continue;
    const column = Math.floor(centerX + scale * out[0]!) - x0;
    const row = Math.floor(centerY - scale * out[1]!) - y0;
    if (column >= 0 && row >= 0 && column < width && row < height && inside[row * width + column]) mask[i] = 1;
  }
  return mask;
}

/** Size of the table from the sine of a latitude to its first possible row. */
const STEPS = 4096;

/**
 * The same for map projections. There the row of a point depends only on its latitude, and its column, within a row, is its
 * longitude times a factor. The sines of latitudes and the factors are known at the borders of the rows, so a point needs one
 * arctangent instead of the solution of an equation. Between two borders the factor is interpolated linearly. In the few rows
 * near the poles where the error is more than a hundredth of a pixel, points are projected exactly.
 */
function withinMap(frame: Frame, positions: Float32Array, { inside, x0, y0, width, height }: Region): Uint8Array {
  const count = positions.length / 3;
  const mask = new Uint8Array(count);
  const [r0, r1, r2, r3, r4, r5, r6, r7, r8] = frame.rotation;
  const { to, scale, centerX, centerY } = frame;
  const sines = new Float64Array(height + 1);
  const factors = new Float64Array(height + 1);
  const steep = new Uint8Array(height);
  const out = new Float64Array(3);
  const factorAt = (sine: number) => {
    const cosine = Math.sqrt(Math.max(0, 1 - sine * sine));
    to.forward(cosine * Math.sin(1), sine, cosine * Math.cos(1), out);
    return scale * out[0]!;
  };
  for (let row = 0; row <= height; row++) {
    const y = Math.max(-to.halfHeight, Math.min(to.halfHeight, (centerY - y0 - row) / scale));
    sines[row] = to.inverse(0, y)?.[1] ?? Math.sign(y);
    factors[row] = factorAt(sines[row]!);
    if (row === 0) continue;
    const straight = (factors[row - 1]! + factors[row]!) / 2;
    steep[row - 1] = Number(Math.PI * Math.abs(factorAt((sines[row - 1]! + sines[row]!) / 2) - straight) > 0.01);
  }
  const [north, south] = [sines[0]!, sines[height]!];
  if (!(north > south)) return mask;
  // For each step of the sine, from the north, the row at its start.
  const first = new Uint16Array(STEPS + 1);
  for (let step = 0, row = 0; step <= STEPS; step++) {
    const sine = north - ((north - south) * step) / STEPS;
    while (row + 1 < height && sines[row + 1]! > sine) row++;
    first[step] = row;
  }
  const perSine = STEPS / (north - south);
  for (let i = 0; i < count; i++) {
    const x = positions[3 * i]!;
    const y = positions[3 * i + 1]!;
    const z = positions[3 * i + 2]!;
    const sine = r1! * x + r4! * y + r7! * z;
    if (sine > north || sine < south) continue;
    let row = first[((north - sine) * perSine) | 0]!;
    while (row + 1 < height && sines[row + 1]! > sine) row++;
    const [above, below] = [sines[row]!, sines[row + 1]!];
    const share = above > below ? (above - sine) / (above - below) : 0;
    const factor = factors[row]! + share * (factors[row + 1]! - factors[row]!);
    const vx = r0! * x + r3! * y + r6! * z;
    const vz = r2! * x + r5! * y + r8! * z;
    let across = factor * Math.atan2(vx, vz);
    if (steep[row]) {
      to.forward(vx, sine, vz, out);
      across = scale * out[0]!;
    }
    const column = Math.floor(centerX + across) - x0;
    if (column >= 0 && column < width && inside[row * width + column]) mask[i] = 1;
  }
  return mask;
}

/** The inside of a closed line by the even-odd rule, one byte per pixel, tested at the centres of pixels: the cost does not depend on the number of points. */
export function rasterize(
  line: readonly (readonly [number, number])[],
  x0: number,
  y0: number,
  width: number,
  height: number,
): Uint8Array {
  const inside = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const y = y0 + row + 0.5;
    const crossings: number[] = [];
    for (let k = 0; k < line.length; k++) {
      const [ax, ay] = line[k]!;
      const [bx, by] = line[(k + 1) % line.length]!;
      if (ay <= y !== by <= y) crossings.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
    }
    crossings.sort((a, b) => a - b);
    for (let k = 0; k + 1 < crossings.length; k += 2) {
      const start = Math.max(0, Math.ceil(crossings[k]! - x0 - 0.5));
      const end = Math.min(width - 1, Math.floor(crossings[k + 1]! - x0 - 0.5));
      if (end >= start) inside.fill(1, row * width + start, row * width + end + 1);
    }
  }
  return inside;
}

/** The selection after a lasso; null if it is empty. */
export function combine(before: Uint8Array | null, lassoed: Uint8Array, mode: LassoMode): Uint8Array | null {
  let after = lassoed;
  if (mode === "subtract") {
    after = before ? before.slice() : new Uint8Array(lassoed.length).fill(1);
    for (let i = 0; i < after.length; i++) if (lassoed[i]) after[i] = 0;
  } else if (mode === "add" && before) {
    after = before.slice();
    for (let i = 0; i < after.length; i++) after[i]! |= lassoed[i]!;
  }
  return after.includes(1) ? after : null;
}
